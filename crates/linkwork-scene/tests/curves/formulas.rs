//! Bodies that are formulas: the references of the study.

use linkwork::prelude::*;

use crate::{q, run, scene};

const ELLIPSE: &str = r#"{ "name": "egg", "type": "formula", "names": ["cx", "cy", "a", "b", "phi"],
    "values": [0, 0, 1, 0.5, 0.3], "curve": "[cx, cy] + turn([a*cos(u), b*sin(u)], phi)", "u": ["0", "tau"],
    "closed": true, "mass": 1, "by_length": false"#;

fn close(given: &[f64], expected: &[f64], tolerance: f64) {
    for (k, (a, b)) in given.iter().zip(expected).enumerate() {
        assert!((a - b).abs() < tolerance, "{k}: {a} instead of {b}");
    }
}

#[test]
fn an_ellipse_flies_freely_and_keeps_its_momenta() {
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dt": 0.01, "preset": "precise" }},
            "bodies": [{ELLIPSE}, "v": [0.1, 0.2, 0.1, -0.1, 1] }}] }}"#
    );
    let mut scene = scene(&text).unwrap();
    let (energy, momentum) = (scene.world.energy().unwrap(), scene.world.momentum());
    run(&mut scene, 100);
    close(
        &q(&scene, "egg"),
        &[0.1, 0.2, 1.507941, 0.588315, 1.063885],
        2e-6,
    );
    let (after, moved) = (scene.world.energy().unwrap(), scene.world.momentum());
    assert!((after.kinetic - energy.kinetic).abs() < 1e-10);
    for k in 0..3 {
        assert!((moved.linear[k] - momentum.linear[k]).abs() < 1e-9);
        assert!((moved.angular[k] - momentum.angular[k]).abs() < 1e-8);
    }
}

#[test]
fn a_point_of_an_ellipse_is_led() {
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }}, "bodies": [{ELLIPSE} }}] }}"#
    );
    let mut scene = scene(&text).unwrap();
    let egg = scene.world.find_body("egg").unwrap();
    let grip = scene.world.grab(egg.curve2(0.0), Drag::Follow).unwrap();
    let start = scene.world.position_world(&egg.curve2(0.0)).unwrap();
    for k in 1..=60 {
        let part = f64::from(k) / 60.0;
        let goal = [start[0] + 0.5 * part, start[1] + 0.5 * part, 0.0];
        scene.world.drag(grip, goal).unwrap();
        run(&mut scene, 1);
    }
    close(
        &q(&scene, "egg"),
        &[0.163116, 0.176090, 1.433014, 0.5, 0.446994],
        1e-3,
    );
    let end = scene.world.position_world(&egg.curve2(0.0)).unwrap();
    close(&end[..2], &[start[0] + 0.5, start[1] + 0.5], 1e-6);
}

/// Along the cycloid the way to its lowest point is sin(w/2) meters, which swings harmonically at any amplitude.
#[test]
fn beads_on_a_cycloid_swing_in_the_same_time() {
    let mut scene = linkwork_scene::library::open("tautochrone").unwrap();
    scene.options = StepOptions::precise(1.0 / 60.0);
    let rate = 9.81f64.sqrt();
    let starts: Vec<f64> = ["low", "middle", "high", "top"]
        .map(|name| q(&scene, name)[0])
        .to_vec();
    for second in 1..=2 {
        run(&mut scene, 60);
        let swing = (rate * f64::from(second)).cos();
        for (name, start) in ["low", "middle", "high", "top"].into_iter().zip(&starts) {
            let s = (0.5 * q(&scene, name)[0]).sin();
            let expected = (0.5 * start).sin() * swing;
            assert!(
                (s - expected).abs() < 1e-6,
                "{name}: {s} instead of {expected}"
            );
        }
    }
}

#[test]
fn mistakes_have_their_place() {
    let problem = |curve: &str, rest: &str| {
        let body = format!(
            r#"{{ "linkwork": 1, "bodies": [{{ "name": "egg", "type": "formula", "names": ["a"], "values": [1],
                "curve": "{curve}", "mass": 1 {rest} }}] }}"#
        );
        scene(&body).unwrap_err()
    };
    let range = r#", "u": ["0", "tau"]"#;
    let unknown = problem("[aa*cos(u), sin(u)]", range);
    assert!(
        unknown.contains("\"aa\"")
            && unknown.contains("curve")
            && unknown.contains("did you mean a"),
        "{unknown}"
    );
    let more = problem("[a*cos(u), width*sin(u)]", range);
    assert!(more.contains("add it to \"names\""), "{more}");
    assert!(problem("a*u", range).contains("must be a point"));
    assert!(problem("[a, u]", r#", "u": ["1", "0"]"#).contains("from 1 to 0"));
    assert!(problem("[a, u]", r#", "u": ["0", "b"]"#).contains("u"));
    let nowhere = problem("[sqrt(u - 9), a]", range);
    assert!(nowhere.contains("sqrt"), "{nowhere}");
    assert!(problem("[a, u]", r#", "closed": true"#).contains("u"));
    let half = problem(
        "[a*cos(u), sin(u)]",
        r#", "u": ["0", "pi"], "closed": true"#,
    );
    assert!(
        half.contains("closed: is said, but its ends are 2 m apart"),
        "{half}"
    );
    let degree = r#"{ "linkwork": 1, "bodies": [{ "name": "c", "type": "spline", "degree": 6, "points": [[0, 0], [1, 0]], "mass": 1 }] }"#;
    assert!(
        scene(degree)
            .unwrap_err()
            .contains("degree: is 6; give at most 5")
    );
}
