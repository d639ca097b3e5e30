//! Tracks: keys that are moved, added and removed, and points that are led and then go that way by themselves
//! (Witkin 1990, §5.4, fig. 4).

use linkwork_scene::command::{Command, Session, replay};
use linkwork_scene::format::{ConnectorEntry, ConnectorRef, Numbers};
use linkwork_scene::library::open;
use linkwork_scene::load;
use linkwork_scene::track::perform::{Performance, choose, perform};
use linkwork_scene::track::{KeyEdit, Track, edit, tracks};

use crate::apply;

fn show() -> Session {
    Session::new(open("puppet-show").unwrap()).unwrap()
}

fn track(session: &Session, name: &str) -> Track {
    let all = tracks(session.scene()).into_iter();
    all.into_iter().find(|own| own.name == name).unwrap()
}

fn key(name: &str) -> KeyEdit {
    KeyEdit {
        kind: "joint".to_owned(),
        name: name.to_owned(),
        ..KeyEdit::default()
    }
}

fn done(session: &mut Session, said: &KeyEdit) {
    let command = edit(session.scene(), said).unwrap();
    session.apply(&command).unwrap();
}

fn hash(session: &Session) -> u64 {
    session.scene().world.state_hash()
}

#[test]
fn a_show_has_a_track_for_each_path() {
    let session = show();
    let names: Vec<_> = tracks(session.scene())
        .into_iter()
        .map(|own| own.name)
        .collect();
    assert_eq!(names, ["walk", "wave, take 1", "wave, take 2", "tap"]);
    let wave = track(&session, "wave, take 1");
    assert_eq!(wave.body.as_deref(), Some("left hand"));
    assert_eq!(wave.point, Some(vec![0.18, 0.0]));
    assert!(wave.enabled && wave.rests && !wave.repeats);
    assert_eq!(wave.keys.len(), 9);
    assert!(!track(&session, "wave, take 2").enabled);
}

#[test]
fn keys_are_moved_added_and_removed_and_each_is_undone() {
    let mut session = show();
    let before = track(&session, "wave, take 1").keys;
    done(
        &mut session,
        &KeyEdit {
            key: Some(2),
            time: Some(1.3),
            ..key("wave, take 1")
        },
    );
    assert_eq!(track(&session, "wave, take 1").keys[2][0], 1.3);
    done(
        &mut session,
        &KeyEdit {
            key: Some(2),
            values: Some(vec![0.4, 2.0, 0.0]),
            ..key("wave, take 1")
        },
    );
    assert_eq!(
        track(&session, "wave, take 1").keys[2],
        [1.3, 0.4, 2.0, 0.0]
    );
    done(
        &mut session,
        &KeyEdit {
            key: Some(0),
            remove: Some(true),
            ..key("wave, take 1")
        },
    );
    assert_eq!(track(&session, "wave, take 1").keys.len(), before.len() - 1);
    for _ in 0..3 {
        session.apply(&Command::Undo).unwrap();
    }
    assert_eq!(track(&session, "wave, take 1").keys, before);
    // A key that is added lies on the curve, and the curve stays what it was.
    apply(&mut session, &[r#"{"step": {"count": 90}}"#]);
    let alone = hash(&session);
    apply(&mut session, &[r#""reset""#]);
    done(
        &mut session,
        &KeyEdit {
            time: Some(1.1),
            ..key("wave, take 1")
        },
    );
    assert_eq!(track(&session, "wave, take 1").keys.len(), before.len() + 1);
    apply(&mut session, &[r#"{"step": {"count": 90}}"#]);
    let fingers = session.scene().connector("fingers").unwrap();
    let at = session.scene().world.position_world(fingers).unwrap();
    let mut old = show();
    apply(&mut old, &[r#"{"step": {"count": 90}}"#]);
    assert_eq!(hash(&old), alone);
    let fingers = old.scene().connector("fingers").unwrap();
    let was = old.scene().world.position_world(fingers).unwrap();
    assert!((at[0] - was[0]).hypot(at[1] - was[1]) < 1e-9);
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn what_is_wrong_with_a_key_is_said() {
    let session = show();
    let refused = |said: &KeyEdit| match edit(session.scene(), said) {
        Ok(command) => {
            let mut session = show();
            session.apply(&command).unwrap_err().to_string()
        }
        Err(fault) => fault.to_string(),
    };
    let words = refused(&KeyEdit {
        key: Some(2),
        time: Some(9.0),
        ..key("walk")
    });
    assert!(words.contains("increasing times"), "{words}");
    assert_eq!(
        refused(&KeyEdit {
            key: Some(99),
            ..key("walk")
        }),
        "key: is 99; there are 8 keys"
    );
    assert_eq!(
        refused(&KeyEdit {
            key: Some(0),
            ..key("neck left")
        }),
        "name: \"neck left\" has no key frames"
    );
    assert_eq!(
        refused(&key("nobody")),
        "name: no joint is called \"nobody\""
    );
    assert_eq!(refused(&key("walk")), "time: is missing");
    let words = refused(&KeyEdit {
        key: Some(0),
        values: Some(vec![1.0]),
        ..key("walk")
    });
    assert_eq!(words, "values: has 1 numbers; a key has 3");
}

/// A crank whose motor has key frames, and a slide that is moved along a path.
const DRIVEN: &str = r#"{ "linkwork": 1, "bodies": [
        { "name": "crank", "type": "planar-rod", "length": 1, "mass": 1, "position": [0.5, 0] },
        { "name": "slide", "type": "kinematic", "motion": { "type": "path",
            "path": { "type": "keyframes", "keyframes": [[0, 0, 0, 0], [1, 1, 0, 0], [2, 0, 0, 0]] } } }],
    "joints": [{ "name": "pin", "type": "hinge", "a": "ground", "b": "crank", "at": [0, 0],
        "motor": { "position": { "type": "keyframes", "rest": true, "keyframes": [[0, 0], [1, 1.5], [3, -0.5]] } } }] }"#;

#[test]
fn motors_and_prescribed_motions_are_tracks_too() {
    let mut session = Session::new(load(DRIVEN).unwrap()).unwrap();
    let all = tracks(session.scene());
    let told: Vec<_> = all
        .iter()
        .map(|own| (own.kind, own.name.as_str(), own.keys.len()))
        .collect();
    assert_eq!(told, [("joint", "pin", 3), ("body", "slide", 3)]);
    assert_eq!(all[0].body, None);
    done(
        &mut session,
        &KeyEdit {
            key: Some(1),
            values: Some(vec![1.2]),
            ..key("pin")
        },
    );
    let slide = KeyEdit {
        kind: "body".to_owned(),
        key: Some(1),
        values: Some(vec![2.0, 0.0, 0.0]),
        ..key("slide")
    };
    done(&mut session, &slide);
    let new = KeyEdit {
        kind: "body".to_owned(),
        time: Some(0.5),
        ..key("slide")
    };
    done(&mut session, &new);
    assert_eq!(track(&session, "pin").keys[1], [1.0, 1.2]);
    assert_eq!(track(&session, "slide").keys.len(), 4);
    apply(&mut session, &[r#"{"step": {"dt": 0.01, "count": 100}}"#]);
    let world = &session.scene().world;
    let at = |body: &str, point: [f64; 3]| {
        let id = world.find_body(body).unwrap();
        world.position_world(&id.at(point)).unwrap()
    };
    assert!((at("slide", [0.0; 3])[0] - 2.0).abs() < 1e-6);
    let again = load(&linkwork_scene::save(session.scene()).unwrap()).unwrap();
    assert_eq!(again.world.state_hash(), hash(&session));
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn a_point_that_was_led_goes_that_way_again() {
    let mut session = show();
    apply(&mut session, &[r#"{"step": {"count": 30}}"#]);
    let from = session.scene().world.state().t;
    // Somebody leads the head by a circle of 12 cm, with a hand that trembles by a millimeter.
    apply(
        &mut session,
        &[
            r#"{"grab": {"name": "hand", "held": {"body": "head", "point": [0, 0.15]}, "drag": {"type": "follow"}}}"#,
        ],
    );
    let head = session
        .scene()
        .world
        .find_body("head")
        .unwrap()
        .at([0.0, 0.15]);
    let at = |session: &Session| session.scene().world.position_world(&head).unwrap();
    let start = at(&session);
    let mut led = Vec::new();
    for k in 0..=120 {
        let angle = f64::from(k) / 120.0 * std::f64::consts::TAU;
        let tremble = 1e-3 * f64::from((k * 7919) % 13 - 6) / 6.0;
        let goal = [
            start[0] + 0.12 * angle.sin() + tremble,
            start[1] + 0.12 * (1.0 - angle.cos()) - tremble,
        ];
        let drag = format!(r#"{{"drag": {{"hand": "hand", "goal": {goal:?}}}}}"#);
        apply(&mut session, &[&drag, r#"{"step": {}}"#]);
        led.push((session.scene().world.state().t, at(&session)));
    }
    apply(&mut session, &[r#"{"release": "hand"}"#]);
    let until = session.scene().world.state().t;
    let take = |name: &str, instead: &[&str]| Performance {
        name: name.to_owned(),
        of: ConnectorRef::Inline(Box::new(ConnectorEntry {
            body: "head".to_owned(),
            point: Some(Numbers(vec![0.0, 0.15])),
            ..ConnectorEntry::default()
        })),
        from,
        until,
        keys_per_second: 10.0,
        priority: 1,
        instead_of: instead.iter().map(|own| (*own).to_owned()).collect(),
    };
    let command = perform(&session, &take("head, take 1", &[])).unwrap();
    let depth = session.depth().0;
    session.apply(&command).unwrap();
    assert_eq!(session.depth().0, depth + 1);
    assert_eq!(session.scene().world.state().t, from);
    let keys = track(&session, "head, take 1").keys;
    assert!(keys.len() <= 22, "{}", keys.len());
    // The head goes the way it was led, without a hand.
    let mut far = 0.0f64;
    for (time, was) in &led {
        apply(&mut session, &[r#"{"step": {}}"#]);
        assert!((session.scene().world.state().t - time).abs() < 1e-9);
        let now = at(&session);
        far = far.max((now[0] - was[0]).hypot(now[1] - was[1]));
    }
    assert!(far < 0.03, "{far}");
    // A second take takes the place of the first; either can be chosen, and one acts.
    apply(
        &mut session,
        &[r#"{"rewind": {"time": 0.6}}"#, r#"{"step": {"count": 40}}"#],
    );
    let second = Performance {
        until: session.scene().world.state().t,
        ..take("head, take 2", &["head, take 1"])
    };
    let second = perform(&session, &second).unwrap();
    session.apply(&second).unwrap();
    let acting = |session: &Session| {
        ["head, take 1", "head, take 2"].map(|name| track(session, name).enabled)
    };
    assert_eq!(acting(&session), [false, true]);
    let names = ["head, take 1", "head, take 2"].map(str::to_owned);
    let chosen = choose(&session, "head, take 1", &names).unwrap();
    session.apply(&chosen).unwrap();
    assert_eq!(acting(&session), [true, false]);
    session.apply(&Command::Undo).unwrap();
    assert_eq!(acting(&session), [false, true]);
    apply(&mut session, &[r#"{"step": {"count": 20}}"#]);
    let replayed = replay(&session.to_log().unwrap()).unwrap();
    assert_eq!(hash(&replayed), hash(&session));
    // What is saved opens again with the same bits.
    let again = load(&linkwork_scene::save(session.scene()).unwrap()).unwrap();
    assert_eq!(again.world.state_hash(), hash(&session));
}
