//! Mistakes of hands: clear errors, nothing lost.

use linkwork::prelude::*;

use super::reach::arm;

#[test]
fn mistakes_are_refused_and_change_nothing() {
    let (mut world, tip) = arm();
    let mut other = World::new();
    let says = |error: Error, what: &str| {
        let text = error.to_string();
        assert!(text.contains(what), "{text}");
    };
    says(
        world.grab(GROUND.at([0.0; 3]), Drag::Follow).unwrap_err(),
        "hand 1",
    );
    let soft = Drag::Force {
        stiffness: -1.0,
        damping: 0.0,
    };
    says(world.grab(tip, soft).unwrap_err(), "stiffness");
    assert_eq!((world.bodies().len(), world.constraints().len()), (3, 3));
    let grip = world.grab(tip, Drag::Pin).unwrap();
    let before = world.state().clone();
    says(
        world.drag(grip, [f64::NAN, 0.0, 0.0]).unwrap_err(),
        "position",
    );
    assert!(world.set_drag(grip, soft).is_err());
    assert!(other.drag(grip, [0.0; 3]).is_err());
    assert!(
        world
            .set_goal(tip.body().unwrap(), Pose::at([0.0; 3]))
            .is_err()
    );
    assert_eq!(&before, world.state());
    // A body that is removed while it is held takes the hand with it.
    world.remove_body(tip.body().unwrap()).unwrap();
    assert!(world.grips().is_empty());
    assert_eq!(world.bodies().len(), 2);
    says(world.drag(grip, [0.0; 3]).unwrap_err(), "removed");
    assert!(world.release(grip).is_err());
    let mut simulator = Simulator::new();
    simulator
        .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
        .unwrap();
}
