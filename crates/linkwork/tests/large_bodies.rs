//! Bodies with hundreds of coordinates fit the same traits.

use linkwork::prelude::*;

mod common;

use common::lumped::LumpedBar;

#[test]
fn lumped_bars_keep_the_contract() {
    let sites = [Site::Node(0), Site::Node(41), Site::Node(99)];
    for bar in [LumpedBar::diagonal(100), LumpedBar::opaque(100)] {
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
