//! Reactions on bodies of the plane.

use crate::body::{Sheet, Troid};
use crate::constraint::{FramePair, ScalarEquals};
use crate::output::Expressed;
use std::f64::consts::FRAC_PI_2;

use super::*;

const WEIGHT: f64 = 2.0 * G;

#[test]
fn planar_joints_act_in_the_plane() {
    let mut world = under_gravity();
    let rod = PlanarRod {
        length: 1.0,
        mass: 2.0,
    };
    let pose = Pose::in_plane([0.0, 0.0], FRAC_PI_2);
    let hanging = world.add_body_at("hanging", rod, pose).unwrap();
    let pin = world.add_constraint(
        "pin",
        FramePair::ball(),
        &[GROUND.at([0.0, 0.5]), hanging.at([0.5, 0.0])],
    );
    let beam = world.add_body("beam", rod).unwrap();
    let root = world.add_constraint(
        "root",
        FramePair::weld(),
        &[
            GROUND.frame2([-0.5, 0.0], 0.0),
            beam.frame2([-0.5, 0.0], 0.0),
        ],
    );
    let (pin, root) = (pin.unwrap(), root.unwrap());
    let lambda = solve(&world).lambda;
    let held = world.reaction(pin, &lambda, on(1)).unwrap();
    assert_close("pin", &held.force, &[0.0, WEIGHT, 0.0], 1e-11);
    assert_close("pin", &held.point_world, &[0.0, 0.5, 0.0], 1e-15);
    let axes = expressed(Expressed::Body(hanging));
    let along = world.reaction(pin, &lambda, axes).unwrap();
    assert_close("along the rod", &along.force, &[WEIGHT, 0.0, 0.0], 1e-11);
    let held = world.reaction(root, &lambda, on(1)).unwrap();
    assert_close("root", &held.force, &[0.0, WEIGHT, 0.0], 1e-11);
    assert_close("root", &held.torque, &[0.0, 0.0, 0.5 * WEIGHT], 1e-11);
}

#[test]
fn a_troid_hangs_by_two_corners_and_keeps_its_area_by_a_pressure() {
    let mut world = under_gravity();
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([1.0, 0.5], 2.0).unwrap(),
        stiffness: 0.0,
        area_stiffness: 0.0,
        damping: 0.0,
    };
    let sheet = world.add_body("sheet", troid).unwrap();
    let pins = [-0.5, 0.5].map(|x| {
        let ends = [GROUND.at([x, 0.25]), sheet.at([x, 0.25])];
        let label = format!("pin {x}");
        world
            .add_constraint(&label, FramePair::ball(), &ends)
            .unwrap()
    });
    let area = ScalarEquals::area(0.5);
    let area = world
        .add_constraint("area", area, &[sheet.scalar(Troid::AREA)])
        .unwrap();
    let solution = solve(&world);
    for pin in pins {
        let held = world.reaction(pin, &solution.lambda, on(1)).unwrap();
        assert_close("y", &held.force[1..2], &[0.5 * WEIGHT], 1e-11);
        assert_eq!(held.torque, [0.0; 3]);
    }
    // With its upper edge held and its area kept, the sheet can only shear, and gravity does no
    // work on that: the tension (N/m) carries the lower half of the weight, spread over the width.
    let held = world.reaction(area, &solution.lambda, on(0)).unwrap();
    assert_eq!((held.force, held.torque), ([0.0; 3], [0.0; 3]));
    assert_eq!(
        held.generalized,
        solution.of_constraint(&world, area).unwrap()
    );
    assert_close("pressure", &held.generalized, &[-0.5 * WEIGHT / 1.0], 1e-10);
}
