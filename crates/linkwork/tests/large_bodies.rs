//! Bodies with hundreds of coordinates fit the same traits.

use linkwork::body::Body;
use linkwork::body::check_body;
use linkwork::connector::Site;
use linkwork::prelude::*;

mod common;

use common::lumped::LumpedBar;

#[test]
fn lumped_bars_keep_the_contract() {
    let sites = [Site::Node(0), Site::Node(41), Site::Node(99)];
    for bar in [
        LumpedBar::diagonal(100),
        LumpedBar::opaque(100),
        LumpedBar::patterned(100),
    ] {
        assert_eq!(bar.n_v(), 300);
        if let Err(violation) = check_body(&bar, &sites, 7) {
            panic!("{violation}");
        }
    }
}

#[test]
fn a_node_is_a_point_like_any_other() -> Result<(), linkwork::Error> {
    let mut world = World::new();
    let bar = world.add_body("bar", LumpedBar::diagonal(100))?;
    let rod = Rod {
        length: 1.0,
        radius: 0.01,
        mass: 1.0,
    };
    let rod = world.add_body_at("rod", rod, Pose::at([10.4, 0.0, 0.0]))?;
    world.join("tip", Ball, bar.node(99), rod.at([-0.5, 0.0, 0.0]))?;
    let tip = world.position_world(&bar.node(99))?;
    assert!((tip[0] - 9.9).abs() < 1e-12);
    let problem = world
        .join("past the end", Ball, bar.node(100), GROUND.at([0.0; 3]))
        .unwrap_err();
    assert_eq!(
        problem.to_string(),
        "body \"bar\": node is 100; the bar has 100 nodes"
    );
    Ok(())
}

#[test]
fn reports_do_not_depend_on_how_the_mass_is_given() -> Result<(), linkwork::Error> {
    let mut worlds = vec![];
    for bar in [LumpedBar::diagonal(10), LumpedBar::opaque(10)] {
        let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
        let bar = world.add_body("bar", bar)?;
        let v: Vec<f64> = (0..30).map(|k| 0.1 * f64::from(k)).collect();
        world.set_v(bar, &v)?;
        let hook = world.join("hook", Ball, GROUND.at([0.0; 3]), bar.node(0))?;
        worlds.push((world, bar, hook));
    }
    let energies = [worlds[0].0.energy()?, worlds[1].0.energy()?];
    assert!((energies[0].kinetic - energies[1].kinetic).abs() < 1e-12 * energies[0].kinetic);
    // ½·m·Σ v² with m = 0.02.
    let squares: f64 = (0..30).map(|k| 0.01 * f64::from(k * k)).sum();
    assert!((energies[0].kinetic - 0.01 * squares).abs() < 1e-12 * squares);

    for (world, bar, hook) in &worlds {
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(world, Method::Direct);
        let node = |i: u32| world.connector_acceleration(&bar.node(i), &solution.motion);
        assert_eq!(node(7)?, solution.of_body(world, *bar)?[21..24]);
        assert!(node(0)?.iter().all(|x_ddot| x_ddot.abs() < 1e-10));
        // All that acts on the bar from outside is its weight and the hook.
        let held = world.reaction(*hook, &solution.lambda, ReactionOptions::default())?;
        for k in 0..3 {
            let sum: f64 = (0..10).map(|i| solution.motion[3 * i + k]).sum();
            let weight = if k == 1 { 0.2 * 9.81 } else { 0.0 };
            assert!((0.02 * sum + weight - held.force[k]).abs() < 1e-9);
        }
    }
    Ok(())
}
