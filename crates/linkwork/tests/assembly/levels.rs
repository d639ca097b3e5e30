//! Priorities below priority 0 come as close as priority 0 lets them.

use super::*;
use linkwork::assembly::AssemblyOutcome;

/// An arm of two bars on the ground, whose tip is asked to reach a point.
fn arm(goal: [f64; 3]) -> (World, ConstraintId) {
    let mut world = World::new();
    let rod = Rod {
        length: 1.0,
        radius: 0.02,
        mass: 1.0,
    };
    let upper = world
        .add_body_at("upper", rod, Pose::at([3.0, 1.0, 0.0]))
        .unwrap();
    let lower = world
        .add_body_at("lower", rod, Pose::at([0.0, 2.0, 1.0]))
        .unwrap();
    let (start, end) = ([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]);
    world
        .join("shoulder", Ball, GROUND.at([0.0; 3]), upper.at(start))
        .unwrap();
    world
        .join("elbow", Ball, upper.at(end), lower.at(start))
        .unwrap();
    let reach = world
        .join("reach", Ball, GROUND.at(goal), lower.at(end))
        .unwrap();
    world.set_priority(reach, 1).unwrap();
    (world, reach)
}

#[test]
fn a_goal_in_reach_is_reached() {
    let (mut world, _) = arm([1.0, 1.0, 0.5]);
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    assert!(report.residuals.is_empty(), "{report:?}");
    check_closed(&world, "arm");
}

#[test]
fn a_goal_out_of_reach_is_approached_and_named() {
    let (mut world, reach) = arm([3.0, 0.0, 0.0]);
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::GaveWay);
    check_closed(&world, "arm");
    assert_eq!(report.residuals.len(), 1, "{report:?}");
    assert_eq!(report.residuals[0].constraint, reach);
    // The arm is two meters long; the goal is three away.
    let gap = gap(&world, "reach");
    assert!((gap - 1.0).abs() < 1e-3, "{gap}: {report:?}");
}
