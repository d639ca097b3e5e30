//! The film of a session: back to any frame of it, and on from there.

use linkwork_scene::command::{Session, replay};
use linkwork_scene::load;

use crate::{apply, command, session};

fn hash(session: &Session) -> u64 {
    session.scene().world.state_hash()
}

fn time(session: &Session) -> f64 {
    session.scene().world.state().t
}

const STEP: &str = r#"{"step": {"dt": 0.01}}"#;
const UNDO: &str = r#""undo""#;
const REDO: &str = r#""redo""#;

fn rewind(time: f64) -> String {
    format!(r#"{{"rewind": {{"time": {time}}}}}"#)
}

/// The hash of each frame, the first before all steps.
fn run(session: &mut Session, steps: usize) -> Vec<(f64, u64)> {
    let mut frames = vec![(time(session), hash(session))];
    for _ in 0..steps {
        apply(session, &[STEP]);
        frames.push((time(session), hash(session)));
    }
    frames
}

#[test]
fn any_frame_comes_back_to_the_last_bit_and_goes_on_as_before() {
    for name in ["four-bar", "jansen", "puppet", "marble-run"] {
        let mut session = session(name);
        let frames = run(&mut session, 12);
        assert_eq!(session.film(), [frames[0].0, frames[12].0]);
        for at in [11, 3, 7, 0] {
            let (then, wanted) = frames[at];
            // To look changes nothing.
            let before = hash(&session);
            let shown = session.frame(then + 0.004).unwrap();
            assert_eq!((shown.hash(), hash(&session)), (wanted, before), "{name}");
            apply(&mut session, &[&rewind(then + 0.004)]);
            assert_eq!((time(&session), hash(&session)), (then, wanted), "{name}");
            // What is later is there until something else is done.
            assert_eq!(session.film()[1], frames[12].0);
            apply(&mut session, &[UNDO]);
            assert_eq!(hash(&session), before, "{name}");
            apply(&mut session, &[REDO]);
            assert_eq!(run(&mut session, 12 - at), frames[at..], "{name}");
        }
        replay(&session.to_log().unwrap()).unwrap();
    }
}

#[test]
fn steps_and_edits_at_an_earlier_time_drop_what_is_later() {
    let mut session = session("chain:3");
    let frames = run(&mut session, 10);
    apply(&mut session, &[&rewind(0.05), STEP]);
    assert_eq!(session.film()[1], frames[6].0);
    run(&mut session, 4);
    let weight = r#"{"add_body": {"name": "weight", "type": "sphere", "radius": 0.1, "mass": 2}}"#;
    apply(&mut session, &[&rewind(0.03), weight]);
    assert_eq!(session.film(), [0.0, frames[3].0]);
    let refused = session.apply(&command(&rewind(0.03))).unwrap_err();
    assert_eq!(refused.to_string(), "rewind.time: is the present");
    let refused = session.apply(&command(&rewind(-1.0))).unwrap_err();
    let words = refused.to_string();
    assert!(
        words.starts_with("rewind.time: is -1 s; the film reaches from 0 s to 0.03 s"),
        "{words}"
    );
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn an_edit_in_the_past_and_the_way_there_are_one_undo() {
    let mut session = session("chain:3");
    let frames = run(&mut session, 10);
    let edit = r#"{"together": [{"rewind": {"time": 0.04}}, {"detach": "joint 1"}]}"#;
    apply(&mut session, &[edit]);
    assert_eq!(time(&session), frames[4].0);
    assert_eq!(session.depth(), (1, 0));
    apply(&mut session, &[UNDO]);
    assert_eq!(hash(&session), frames[10].1);
    apply(&mut session, &[REDO, STEP]);
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn the_film_outlives_hands_and_edits() {
    let mut session = session("chain:3");
    let before = run(&mut session, 5);
    let bob = r#"{"add_body": {"name": "bob", "type": "sphere", "radius": 0.1, "mass": 2, "position": [0, 0, 5]}}"#;
    apply(
        &mut session,
        &[
            r#"{"grab": {"name": "hand", "held": "bar 2", "drag": {"type": "follow"}}}"#,
            r#"{"drag": {"hand": "hand", "goal": [1, 0.5, 0]}}"#,
            r#"{"step": {"dt": 0.01, "count": 5}}"#,
            r#"{"release": "hand"}"#,
            bob,
            r#"{"step": {"dt": 0.01, "count": 5}}"#,
        ],
    );
    assert_eq!(session.film()[0], 0.0);
    let q = |session: &Session, body: &str| {
        let world = &session.scene().world;
        world.q(world.find_body(body).unwrap()).unwrap().to_vec()
    };
    assert!(q(&session, "bob")[2] < 5.0, "it has fallen");
    // What was added since is where it was put; the rest is where it was.
    let mut seen = Vec::new();
    let watched = session.watch_film(0.0, 1.0, |scene| seen.push(scene.world.state().t));
    watched.unwrap();
    assert_eq!(seen.len(), 16);
    apply(&mut session, &[&rewind(before[3].0)]);
    assert_eq!(q(&session, "bob")[2], 5.0);
    let mut old = crate::session("chain:3");
    run(&mut old, 3);
    assert_eq!(q(&session, "bar 2"), q(&old, "bar 2"));
    replay(&session.to_log().unwrap()).unwrap();
}

/// A thread that is too weak for its weight, which falls into it.
const WEAK: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, 0, -9.81] },
    "bodies": [{ "name": "bob", "type": "particle", "mass": 5, "position": [1, 0, 1] }],
    "joints": [{ "name": "thread", "type": "distance", "a": { "body": "ground", "point": [0, 0, 1] }, "b": "bob",
            "length": 1, "breaks_at": { "force": 60 } }] }"#;

#[test]
fn what_broke_since_is_whole_and_breaks_again() {
    let mut session = Session::new(load(WEAK).unwrap()).unwrap();
    let is_whole = |session: &Session| {
        let world = &session.scene().world;
        let id = world.find_constraint("thread").unwrap();
        world.constraint_record(id).unwrap().enabled()
    };
    let mut broke = 0.0;
    for _ in 0..80 {
        apply(&mut session, &[STEP]);
        if is_whole(&session) {
            broke = time(&session);
        }
    }
    assert!(!is_whole(&session));
    assert!(broke > 0.1, "{broke}");
    let end = hash(&session);
    apply(&mut session, &[&rewind(broke + 0.2)]);
    assert!(!is_whole(&session));
    apply(&mut session, &[&rewind(broke - 0.05)]);
    assert!(is_whole(&session));
    while time(&session) < 0.795 {
        apply(&mut session, &[STEP]);
    }
    assert_eq!((hash(&session), is_whole(&session)), (end, false));
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn a_step_that_is_refused_leaves_the_film_as_it_was() {
    let mut session = session("chain:3");
    run(&mut session, 6);
    apply(&mut session, &[&rewind(0.02)]);
    let film = session.film();
    assert!(
        session
            .apply(&command(r#"{"step": {"dt": -1, "count": 3}}"#))
            .is_err()
    );
    assert_eq!(session.film(), film);
    apply(&mut session, &[&rewind(0.05)]);
    replay(&session.to_log().unwrap()).unwrap();
}
