//! What touched, under edits while time stands: forgotten where bodies are put elsewhere, and given back to the last
//! bit.

use linkwork_scene::command::Session;
use linkwork_scene::load;

use super::apply;

const BLOCKS: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [
    { "name": "low", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "position": [0, 0.1, 0], "collide": true },
    { "name": "high", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "position": [0, 0.3, 0], "collide": true },
    { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [1, 0.1, 0], "collide": true, "rolling_friction": 0.01 } ] }"#;

fn hash(session: &Session) -> u64 {
    session.scene().world.state_hash()
}

fn n_touching(session: &Session) -> usize {
    session.scene().world.state().touching.len()
}

const EDITS: [(&str, &[&str], usize); 8] = [
    (
        "a body is put elsewhere",
        &[r#"{"put": {"body": "high", "position": [3, 3, 0]}}"#],
        5,
    ),
    ("a body goes", &[r#"{"remove_body": "low"}"#], 1),
    (
        "a body is another",
        &[
            r#"{"set_body": {"name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [1, 0.5, 0], "collide": true}}"#,
        ],
        8,
    ),
    ("nothing collides", &[r#"{"collide": {"on": false}}"#], 0),
    (
        "there is no floor",
        &[r#"{"set_world": {"gravity": [0, -9.81, 0]}}"#],
        4,
    ),
    (
        "a body is larger",
        &[
            r#"{"resize": {"name": "ball", "type": "sphere", "radius": 0.2, "mass": 1, "position": [1, 0.1, 0], "collide": true, "rolling_friction": 0.01}}"#,
        ],
        8,
    ),
    (
        "a body more",
        &[
            r#"{"add_body": {"name": "more", "type": "sphere", "radius": 0.1, "mass": 1, "position": [2, 2, 0], "collide": true}}"#,
        ],
        9,
    ),
    (
        "a joint that moves one",
        &[
            r#"{"join": {"name": "hook", "type": "ball", "a": {"body": "ground", "point": [1, 1, 0]}, "b": "ball"}}"#,
            r#"{"assemble": {}}"#,
        ],
        8,
    ),
];

#[test]
fn edits_while_time_stands_are_taken_back_with_what_touched() {
    for (what, edits, n) in EDITS {
        let mut session = Session::new(load(BLOCKS).unwrap()).unwrap();
        apply(&mut session, &[r#"{"step": {"count": 10}}"#]);
        let before = hash(&session);
        assert_eq!(n_touching(&session), 9, "{what}");
        apply(&mut session, edits);
        let after = hash(&session);
        assert_eq!(n_touching(&session), n, "{what}");
        for _ in 0..2 {
            apply(&mut session, &[r#""undo""#]);
            assert_eq!(hash(&session), before, "{what}");
            apply(&mut session, &[r#""redo""#]);
            assert_eq!(hash(&session), after, "{what}");
        }
        // Time passes: what touched then is no longer what undo is about.
        apply(&mut session, &[r#"{"step": {"count": 2}}"#, r#""undo""#]);
        apply(&mut session, &[r#"{"step": {"count": 60}}"#]);
        let world = &session.scene().world;
        let touching = world.state().touching.iter();
        assert!(
            touching
                .clone()
                .all(|own| world.touching_bodies(own).is_some())
        );
    }
}

/// A hand lifts a block while time stands: the block touches nothing there, the ball still touches the floor.
#[test]
fn a_pose_forgets_what_touched_where_it_was() {
    let mut session = Session::new(load(BLOCKS).unwrap()).unwrap();
    apply(&mut session, &[r#"{"step": {"count": 10}}"#]);
    let before = hash(&session);
    apply(
        &mut session,
        &[
            r#"{"grab": {"name": "hand", "held": "high", "drag": {"type": "follow"}}}"#,
            r#"{"drag": {"hand": "hand", "goal": [0, 1, 0]}}"#,
            r#"{"pose": {}}"#,
        ],
    );
    assert_eq!(n_touching(&session), 5);
    apply(&mut session, &[r#"{"release": "hand"}"#, r#""undo""#]);
    assert_eq!(hash(&session), before);
}

/// Back to where time left: with what touched there.
#[test]
fn reset_gives_back_what_touched() {
    let mut session = Session::new(load(BLOCKS).unwrap()).unwrap();
    apply(&mut session, &[r#"{"step": {"count": 10}}"#]);
    let saved = linkwork_scene::save(session.scene()).unwrap();
    let mut session = Session::new(load(&saved).unwrap()).unwrap();
    let before = hash(&session);
    assert_eq!(n_touching(&session), 9);
    apply(
        &mut session,
        &[
            r#"{"step": {"count": 5}}"#,
            r#"{"put": {"body": "high", "position": [3, 3, 0]}}"#,
            r#"{"step": {"count": 5}}"#,
            r#""reset""#,
        ],
    );
    assert_eq!(hash(&session), before);
}
