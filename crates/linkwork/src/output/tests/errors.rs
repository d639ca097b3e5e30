//! Constraint errors, by name and unit.

use super::*;
use crate::body::{Sheet, Troid};
use crate::constraint::{FramePair, KnifeEdge, RowUnit, ScalarEquals};

#[test]
fn errors_are_named_and_sorted_by_unit() {
    let mut world = World::new();
    let pose = Pose::turned([0.01, 0.0, -0.03], [0.0, 0.2, 0.0]);
    let arm = world.add_body("arm", odd_body(1.0)).unwrap();
    let weld = world
        .join("weld", Weld, GROUND.at([0.0; 3]), arm.at([0.0; 3]))
        .unwrap();
    world.set_pose(arm, pose).unwrap();
    let bob = world
        .add_body_at("bob", Particle { mass: 1.0 }, Pose::at([0.0, 2.0, 0.0]))
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    let thread = world
        .add_constraint("thread", Distance { length: 1.5 }, &ends)
        .unwrap();
    world.set_v(bob, &[0.3, -0.7, 0.0]).unwrap();

    let errors = world.constraint_errors().unwrap();
    assert_eq!(errors.len(), 2);
    assert_eq!((errors[0].id, &*errors[0].label), (weld, "weld"));
    assert_close("position", &[errors[0].position], &[0.03], 1e-15);
    assert_close("angle", &[errors[0].angle], &[0.2], 1e-14);
    let worst = errors[0].worst.unwrap();
    assert_eq!((worst.row, worst.unit), (4, RowUnit::Radian));
    assert_eq!((errors[1].id, &*errors[1].label), (thread, "thread"));
    assert_eq!(errors[1].position, 0.5);
    assert_close("rate", &[errors[1].position_rate], &[0.7], 1e-15);
    assert_eq!(errors[1].angle, 0.0);
    assert_eq!(
        world.worst_constraint_error().unwrap().unwrap().label,
        "thread"
    );

    world.set_priority(thread, 1).unwrap();
    let worst = world.worst_constraint_error().unwrap().unwrap();
    assert_eq!((&*worst.label, worst.priority), ("weld", 0));
    assert_eq!(world.constraint_errors().unwrap()[1].priority, 1);
    world.set_constraint_enabled(thread, false).unwrap();
    assert_eq!(world.constraint_errors().unwrap().len(), 1);
    world.set_body_enabled(arm, false).unwrap();
    assert!(world.constraint_errors().unwrap().is_empty());
    assert_eq!(world.worst_constraint_error().unwrap(), None);
}

#[test]
fn soft_rows_give_way_and_rates_are_errors_of_rate_constraints() {
    let mut world = World::new();
    let sled = PlanarRod {
        length: 1.0,
        mass: 1.0,
    };
    let sled = world.add_body("sled", sled).unwrap();
    world.set_v(sled, &[2.0, -0.4, 0.0]).unwrap();
    let blade = [sled.frame2([0.0, 0.0], 0.0)];
    world.add_constraint("blade", KnifeEdge, &blade).unwrap();
    let ends = [GROUND.at([0.0, 3.0]), sled.at([0.0, 0.0])];
    let band = world
        .add_constraint("band", FramePair::ball(), &ends)
        .unwrap();
    world.set_compliance(band, &[0.0, 0.1]).unwrap();

    let errors = world.constraint_errors().unwrap();
    let blade = &errors[0];
    assert_eq!(
        (blade.position, blade.position_rate, blade.size()),
        (0.0, 0.4, 0.4)
    );
    assert_eq!(blade.worst.unwrap().value, -0.4);
    let band_error = &errors[1];
    assert_eq!((band_error.position, band_error.position_rate), (0.0, 2.0));
    assert_eq!(band_error.worst.unwrap().row, 0);
    world.set_compliance(band, &[0.1, 0.1]).unwrap();
    assert_eq!(world.constraint_errors().unwrap()[1].worst, None);
    assert_eq!(
        world.worst_constraint_error().unwrap().unwrap().label,
        "blade"
    );
}

#[test]
fn areas_are_neither_meters_nor_radians() {
    let mut world = World::new();
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([1.0, 0.5], 2.0).unwrap(),
        stiffness: 1.0,
        area_stiffness: 1.0,
        damping: 0.0,
    };
    let sheet = world.add_body("sheet", troid).unwrap();
    let area = ScalarEquals::area(0.6);
    let output = [sheet.scalar(Troid::AREA)];
    world.add_constraint("area", area, &output).unwrap();
    let worst = world.worst_constraint_error().unwrap().unwrap();
    assert_eq!((worst.position, worst.angle), (0.0, 0.0));
    assert_close("area", &[worst.other], &[0.1], 1e-15);
    assert_eq!(worst.worst.unwrap().unit, RowUnit::SquareMeter);
}
