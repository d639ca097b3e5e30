//! Where M and J are the same at all places, one factor serves all frames (Witkin 1990, §5.4), and no bit differs for
//! it.

use linkwork::body::{Elasticity, ShapeBody, Sheet, Troid};
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::shape::Spline;
use linkwork::stabilize::Stabilization;

const FRAME: f64 = 1.0 / 60.0;

/// Two sheets without elasticity on pins.
fn sheets(dynamics: Dynamics) -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    world.set_dynamics(dynamics);
    let sheet = Troid {
        outline: None,
        sheet: Sheet::rectangle([0.4, 0.2], 0.5).unwrap(),
        stiffness: 0.0,
        area_stiffness: 0.0,
        damping: 0.0,
    };
    let a = world.add_body("a", sheet.clone()).unwrap();
    let pose = Pose::in_plane([0.4, 0.0], 0.0);
    let b = world.add_body_at("b", sheet, pose).unwrap();
    let corners = [[-0.2, -0.1], [-0.2, 0.1]];
    for (k, corner) in corners.into_iter().enumerate() {
        let name = format!("nail {k}");
        world
            .join(&name, Ball, GROUND.at(corner), a.at(corner))
            .unwrap();
    }
    world
        .join("seam", Ball, a.at([0.2, 0.0]), b.at([-0.2, 0.0]))
        .unwrap();
    world
}

/// A closed spline on two nails.
fn spline() -> World {
    let circle = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / 30.0;
        [angle.cos(), angle.sin()]
    };
    let points: Vec<[f64; 2]> = (0..30).map(circle).collect();
    let elasticity = Elasticity {
        reach: 0.3,
        ..Elasticity::default()
    };
    let body = ShapeBody::spline(Spline::in_plane(&points, 3, true), 1.0, elasticity).unwrap();
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let curve = world.add_body("curve", body).unwrap();
    for (k, u) in [0.3, 0.7].into_iter().enumerate() {
        let [x, y, _] = world.position_world(&curve.curve2(u)).unwrap();
        let name = format!("nail {k}");
        world
            .join(&name, Ball, GROUND.at([x, y]), curve.curve2(u))
            .unwrap();
    }
    let grip = world.grab(curve.curve2(0.0), Drag::Follow).unwrap();
    world.drag(grip, [1.3, 0.2, 0.0]).unwrap();
    world
}

/// Factors after the first frame, and the state at the end; by one simulator, or by a new one in each frame.
fn run(mut world: World, options: &StepOptions, is_kept: bool) -> (usize, Vec<f64>) {
    let mut simulator = Simulator::new();
    let mut factors = 0;
    for frame in 0..20 {
        if !is_kept {
            simulator = Simulator::new();
        }
        let report = simulator.step(&mut world, options).unwrap();
        if frame > 0 {
            factors += report.effort.factors;
        }
    }
    let state = world.state();
    (factors, state.q.iter().chain(&state.v).copied().collect())
}

#[test]
fn one_factor_serves_all_frames() {
    let rk4 = StepOptions::parts(FRAME, Integrator::Rk4, Stabilization::None);
    let cases = [
        (
            "sheets",
            sheets(Dynamics::FirstOrder),
            StepOptions::interactive(FRAME),
        ),
        (
            "sheets, precise",
            sheets(Dynamics::SecondOrder),
            StepOptions::precise(FRAME),
        ),
        ("sheets, rk4", sheets(Dynamics::SecondOrder), rk4),
        ("spline", spline(), StepOptions::interactive(FRAME)),
    ];
    for (what, world, options) in cases {
        let (factors, end) = run(world.clone(), &options, true);
        assert_eq!(factors, 0, "{what}");
        let (fresh, again) = run(world, &options, false);
        assert!(fresh >= 19, "{what}: {fresh}");
        let bits = |q: &[f64]| q.iter().map(|own| own.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&end), bits(&again), "{what}");
    }
}

/// What turns is factored at every place, as before.
#[test]
fn what_turns_is_factored_at_every_place() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let size = [1.0, 0.1, 0.1];
    let bar = world.add_body("bar", Cuboid { size, mass: 1.0 }).unwrap();
    world
        .join(
            "pin",
            Ball,
            GROUND.at([-0.5, 0.0, 0.0]),
            bar.at([-0.5, 0.0, 0.0]),
        )
        .unwrap();
    let (factors, _) = run(world, &StepOptions::interactive(FRAME), true);
    assert!(factors >= 19, "{factors}");
}
