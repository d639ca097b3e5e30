//! Load, save, load.

use linkwork::prelude::*;
use linkwork_scene::{Scene, describe, library, load, save, scene, scenes};

/// Saves and loads; the text, the state and the next steps must be the same.
pub(crate) fn check_round_trip(what: &str, first: &mut Scene) {
    let text = save(first).unwrap_or_else(|fault| panic!("{what}: {fault}"));
    let mut again = load(&text).unwrap_or_else(|fault| panic!("{what}: {fault}\n{text}"));
    assert_eq!(first.world.state(), again.world.state(), "{what}");
    assert_eq!(first.world.state_hash(), again.world.state_hash(), "{what}");
    assert_eq!(first.options, again.options, "{what}");
    assert_eq!(save(&again).unwrap(), text, "{what}");
    assert_eq!(
        describe(first).unwrap(),
        describe(&again).unwrap(),
        "{what}"
    );
    let mut simulators = [Simulator::new(), Simulator::new()];
    for frame in 0..5 {
        let options = first.options;
        let one = simulators[0].step(&mut first.world, &options);
        let two = simulators[1].step(&mut again.world, &options);
        assert_eq!(one.is_ok(), two.is_ok(), "{what}");
        let hashes = [first.world.state_hash(), again.world.state_hash()];
        assert_eq!(hashes[0], hashes[1], "{what}, frame {frame}");
    }
}

#[test]
fn every_library_scene_survives() {
    for (name, usage) in scenes() {
        let numbers = ["", ":3", ":3,2"][usage.matches([':', ',']).count()];
        let name = format!("{name}{numbers}");
        let mut fresh = Scene::from(scene(&name).unwrap());
        // A world knows the tables that pull in it, but no pictures.
        fresh.pictures = library::open(&name).unwrap().pictures;
        check_round_trip(&name, &mut fresh);
        // After steps: velocities, multipliers, sub-steps, time.
        check_round_trip(&format!("{name} later"), &mut fresh);
    }
}
