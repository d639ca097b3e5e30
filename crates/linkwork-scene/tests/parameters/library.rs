//! Scenes of the library whose numbers are texts.

use linkwork::prelude::*;
use linkwork_scene::{describe, library, save};

use super::*;

/// Every proportion of the table gives a mechanism that is closed, is what the file gives with that number, and runs.
#[test]
fn designs_are_closed_whatever_their_proportions() {
    for (name, changes) in [
        (
            "four-bar-design",
            [
                ("a", 0.65),
                ("b", 2.5),
                ("c", 1.8),
                ("d", 2.3),
                ("px", -0.7),
            ],
        ),
        (
            "slider-crank-design",
            [
                ("stroke", 0.3),
                ("rod", 0.5),
                ("offset", -0.05),
                ("bore", 0.1),
                ("steel", 2700.0),
            ],
        ),
    ] {
        let mut session = Session::new(library::open(name).unwrap()).unwrap();
        for (parameter, value) in changes {
            let command =
                format!(r#"{{"set_parameter": {{"name": "{parameter}", "value": {value}}}}}"#);
            apply(&mut session, &command).unwrap();
            let errors = session.scene().world.constraint_errors().unwrap();
            let worst = errors
                .iter()
                .fold(0.0, |most: f64, own| most.max(own.size()));
            assert!(worst < 1e-12, "{name} {parameter}: {worst}");
            let again = load(&save(session.scene()).unwrap()).unwrap();
            assert_eq!(again.world.state_hash(), session.scene().world.state_hash());
        }
        apply(&mut session, r#"{"step": {"count": 120}}"#).unwrap();
        let errors = session.scene().world.constraint_errors().unwrap();
        assert!(errors.iter().all(|own| own.size() < 1e-6), "{name}");
        let replayed = linkwork_scene::command::replay(&session.to_log().unwrap()).unwrap();
        assert_eq!(hash(&replayed), hash(&session));
    }
}

/// The rocker's swing is that of the closed form: the law of cosines at both dead centers.
#[test]
fn the_rocker_swings_as_its_lengths_say() {
    let swing = |a: f64, b: f64, c: f64, d: f64| {
        let angle = |reach: f64| ((c * c + d * d - reach * reach) / (2.0 * c * d)).acos();
        angle(a + b) - angle(b - a)
    };
    for (a, b) in [(0.5, 2.2), (0.6, 2.4)] {
        let mut session = Session::new(library::open("four-bar-design").unwrap()).unwrap();
        for (name, value) in [("a", a), ("b", b)] {
            let command = format!(r#"{{"set_parameter": {{"name": "{name}", "value": {value}}}}}"#);
            apply(&mut session, &command).unwrap();
        }
        let rocker = session.scene().world.find_body("rocker").unwrap();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..480 {
            apply(&mut session, r#"{"step": {"dt": 0.005}}"#).unwrap();
            let angle = session.scene().world.q(rocker).unwrap()[2];
            (least, most) = (least.min(angle), most.max(angle));
        }
        let wanted = swing(a, b, 1.5, 2.0);
        assert!(
            (most - least - wanted).abs() < 1e-4,
            "{} {wanted}",
            most - least
        );
    }
}

#[test]
fn designs_keep_their_texts_while_they_run() {
    for name in ["four-bar-design", "slider-crank-design"] {
        let mut scene = library::open(name).unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..30 {
            simulator.step(&mut scene.world, &scene.options).unwrap();
        }
        let document = describe(&scene).unwrap();
        assert!(!document.state.places.is_empty());
        let n = linkwork_scene::parameter::field_texts(&scene).len();
        let again = load(&save(&scene).unwrap()).unwrap();
        assert_eq!(linkwork_scene::parameter::field_texts(&again).len(), n);
        assert_eq!(again.world.state_hash(), scene.world.state_hash());
    }
}
