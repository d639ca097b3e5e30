//! The document for people speaks of everything, and its examples run.

use linkwork_scene::command::replay;
use linkwork_scene::format::kinds::Kind;
use linkwork_scene::format::{BehaviorKind, BodyKind, FunctionKind, JointKind, PathKind};
use linkwork_scene::load;

const PAGE: &str = include_str!("../../../../docs/scenes.md");

fn check<K: Kind>() {
    for kind in K::ALL {
        let word = format!("`{}`", kind.word());
        assert!(
            PAGE.contains(&word),
            "docs/scenes.md does not speak of {word}"
        );
    }
}

#[test]
fn every_type_is_spoken_of() {
    check::<BodyKind>();
    check::<JointKind>();
    check::<BehaviorKind>();
    check::<FunctionKind>();
    check::<PathKind>();
}

#[test]
fn its_examples_run() {
    let examples: Vec<&str> = PAGE.split("```json\n").skip(1).collect();
    let examples: Vec<&str> = examples
        .iter()
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    let [scene, log] = examples.as_slice() else {
        panic!("{} examples", examples.len());
    };
    let scene = load(scene).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(scene.world.bodies().len(), 2);
    for error in scene.world.constraint_errors().unwrap() {
        assert!(error.size() < 1e-15, "{error:?}");
    }
    let session = replay(log).unwrap_or_else(|fault| panic!("{fault}"));
    assert!((session.scene().world.state().t - 1.0).abs() < 1e-12);
}
