//! What is beyond a stop where a frame ends is pushed back, and joints stay closed while it is.

use linkwork::constraint::DistanceLimit;
use linkwork::prelude::*;

/// A rope from the ground to a light rod that hangs on a heavy ball: longer than it may be by `excess` where the rod is
/// straight, and the rod turned out of that by `askew`. Only the ball can come nearer.
fn taut(mass: f64, excess: f64, askew: f64) -> World {
    let mut world = World::new();
    let (s, c) = (libm::sin(askew), libm::cos(askew));
    let knee = [0.3 + excess, 0.0, 0.0];
    let rod = Rod {
        length: 0.1,
        radius: 0.005,
        mass,
    };
    let middle = [knee[0] - 0.05 * c, -0.05 * s, 0.0];
    let rod = world
        .add_body_at("rod", rod, Pose::turned(middle, [0.0, 0.0, askew]))
        .unwrap();
    let ball = Sphere {
        radius: 0.1,
        mass: 100.0,
    };
    let ball = world
        .add_body_at("ball", ball, Pose::at([knee[0] + 0.1, 0.0, 0.0]))
        .unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let ends = [ball.at([-0.1, 0.0, 0.0]), rod.at([0.05, 0.0, 0.0])];
    let [a, b] = ends;
    world.join("knee", hinge, a, b).unwrap();
    let rope = DistanceLimit {
        lower: f64::NEG_INFINITY,
        upper: 0.2,
        restitution: 0.0,
    };
    let ends = [GROUND.at([0.0; 3]), rod.at([-0.05, 0.0, 0.0])];
    world.add_constraint("rope", rope, &ends).unwrap();
    world
}

/// Whole steps of Newton's method throw the rod from side to side: the joint opened with it, by as much as the rope was
/// too long.
#[test]
fn a_taut_rope_over_a_light_body_opens_no_joint() {
    for mass in [1.0, 1e-2, 1e-4] {
        for excess in [1e-4, 1e-3, 1e-2, 3e-2] {
            for askew in [1e-3, 1e-2, 0.1, 0.5] {
                let mut world = taut(mass, excess, askew);
                let options = StepOptions::interactive(1.0 / 60.0);
                let report = Simulator::new().step(&mut world, &options).unwrap();
                let case = format!("{mass} kg, {excess} m, {askew} rad: {report:#?}");
                assert!(report.overrun < 2e-9, "{case}");
                report.require(1e-9).expect(&case);
                let fastest = world
                    .state()
                    .v
                    .iter()
                    .fold(0.0f64, |most, v| most.max(v.abs()));
                assert!(fastest < 1e-6, "{fastest} m/s, {case}");
            }
        }
    }
}
