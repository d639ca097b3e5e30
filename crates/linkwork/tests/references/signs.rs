//! The sign of λ, pinned by a hanging weight: +m·g along the upward row, on whatever it hangs.

use linkwork::constraint::{FramePair, LineTrajectory, PointOnTrajectory};
use linkwork::prelude::*;
use linkwork::world::PointOnPlane;

use crate::support::{G, accelerations, down_y, rigid};

const MASS: f64 = 3.0;

fn weight(world: &mut World) -> BodyId {
    world
        .add_body("weight", rigid(MASS, [0.2, 0.3, 0.4]))
        .unwrap()
}

/// Asserts that the constraint "hold" carries the weight: `rows` are its translation rows.
fn carries(world: &World, rows: &[f64]) {
    accelerations(world, |answer| {
        let lambda = answer.lambda("hold");
        answer.close(&lambda[..rows.len()], rows, 1e-12);
        answer.close(
            &lambda[rows.len()..],
            &vec![0.0; lambda.len() - rows.len()],
            1e-12,
        );
        answer.close(
            answer.of("weight"),
            &vec![0.0; answer.of("weight").len()],
            1e-12,
        );
    });
}

#[test]
fn ball_hinge_and_weld() {
    let up = [0.0, MASS * G, 0.0];
    let (ceiling, top) = (GROUND.at([0.0, 0.5, 0.0]), [0.0, 0.5, 0.0]);
    let mut world = down_y();
    let body = weight(&mut world);
    world.join("hold", Ball, ceiling, body.at(top)).unwrap();
    carries(&world, &up);

    let mut world = down_y();
    let body = weight(&mut world);
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    world.join("hold", hinge, ceiling, body.at(top)).unwrap();
    carries(&world, &up);

    let mut world = down_y();
    let body = weight(&mut world);
    world.join("hold", Weld, ceiling, body.at(top)).unwrap();
    carries(&world, &up);
}

/// λ acts on b: seen from the weight as a, the same joint reads −m·g.
#[test]
fn lambda_acts_on_b() {
    let mut world = down_y();
    let body = weight(&mut world);
    let top = body.at([0.0, 0.5, 0.0]);
    world
        .join("hold", Ball, top, GROUND.at([0.0, 0.5, 0.0]))
        .unwrap();
    carries(&world, &[0.0, -MASS * G, 0.0]);
}

/// A distance grows upwards when the weight stands on a strut: λ = +m·g. On a string the row grows
/// downwards and λ = −m·g, a pull.
#[test]
fn distance() {
    for (anchor, expected) in [(-1.0, MASS * G), (1.0, -MASS * G)] {
        let mut world = down_y();
        let body = weight(&mut world);
        let ends = [GROUND.at([0.0, anchor, 0.0]), body.at([0.0; 3])];
        let distance = Distance { length: 1.0 };
        world.add_constraint("hold", distance, &ends).unwrap();
        carries(&world, &[expected]);
    }
}

#[test]
fn a_pin_of_the_plane() {
    let mut world = down_y();
    let disc = PlanarDisc {
        radius: 0.3,
        mass: MASS,
    };
    let body = world.add_body("weight", disc).unwrap();
    let ends = [GROUND.at([0.0, 0.2]), body.at([0.0, 0.2])];
    world
        .add_constraint("hold", FramePair::ball(), &ends)
        .unwrap();
    carries(&world, &[0.0, MASS * G]);
}

#[test]
fn a_point_on_a_trajectory() {
    let mut world = down_y();
    let body = weight(&mut world);
    let trajectory = LineTrajectory {
        start_world: [0.0; 3],
        velocity_world: [0.0; 3],
    };
    let hold = PointOnTrajectory::new(trajectory);
    world
        .add_constraint("hold", hold, &[body.at([0.0; 3])])
        .unwrap();
    carries(&world, &[0.0, MASS * G, 0.0]);
}

/// A shelf whose normal points up: the multiplier is the normal force.
#[test]
fn a_plane_under_the_weight() {
    let mut world = down_y();
    let body = weight(&mut world);
    let shelf = PointOnPlane {
        normal_world: [0.0, 1.0, 0.0],
    };
    world
        .join("hold", shelf, GROUND.at([0.0; 3]), body.at([0.0; 3]))
        .unwrap();
    carries(&world, &[MASS * G]);
}
