//! Splines: strings and rods by their laws, pulls that reach, contacts that slide.

use std::f64::consts::PI;

use linkwork::prelude::*;

use crate::{q, run, scene};

/// A straight spline of a meter between two nails.
fn string(extra: &str, n: usize) -> String {
    let points: Vec<String> = (0..n)
        .map(|k| format!("[{}, 0]", k as f64 / (n - 1) as f64))
        .collect();
    format!(
        r#"{{ "linkwork": 1, "bodies": [{{ "name": "string", "type": "spline", "mass": 0.1, "points": [{}] {extra} }}],
            "joints": [
                {{ "name": "left", "type": "ball", "a": {{ "body": "ground", "point": [0, 0] }}, "b": {{ "body": "string", "curve": 0 }} }},
                {{ "name": "right", "type": "ball", "a": {{ "body": "ground", "point": [1, 0] }}, "b": {{ "body": "string", "curve": 1 }} }}] }}"#,
        points.join(", ")
    )
}

/// A taut string swings at f = √(T/μ)/2L, whatever the spline's degree.
#[test]
fn a_taut_string_swings_at_its_note() {
    let mut scene = scene(&string(r#", "membrane": 10"#, 14)).unwrap();
    scene.options = StepOptions::precise(1.0 / 60.0);
    let id = scene.world.find_body("string").unwrap();
    // Its first mode: y = sin(π·x), at rest.
    let mut places = q(&scene, "string");
    for point in places.chunks_exact_mut(2) {
        point[1] = 0.01 * (PI * point[0]).sin();
    }
    scene.world.set_q(id, &places).unwrap();
    Simulator::new()
        .assemble(&mut scene.world, &AssembleOptions::default())
        .unwrap();
    let middle =
        |scene: &linkwork_scene::Scene| scene.world.position_world(&id.curve2(0.5)).unwrap()[1];
    let start = middle(&scene);
    run(&mut scene, 30);
    let omega = PI * (10.0f64 / 0.1).sqrt();
    let expected = start * (0.5 * omega).cos();
    assert!(
        (middle(&scene) - expected).abs() < 0.03 * start,
        "{} {expected}",
        middle(&scene)
    );
}

/// The same string in frames of 1/60 s keeps its energy and never gains any.
#[test]
fn strings_of_any_tension_gain_nothing_in_frames() {
    for tension in [1.0, 1e3, 1e6] {
        let text = string(&format!(r#", "membrane": {tension}, "plate": 0.001"#), 20);
        let mut scene = scene(&text).unwrap();
        let id = scene.world.find_body("string").unwrap();
        let n = q(&scene, "string").len();
        let v: Vec<f64> = (0..n)
            .map(|k| {
                if k % 2 == 1 && k > 3 && k < n - 4 {
                    0.1
                } else {
                    0.0
                }
            })
            .collect();
        scene.world.set_v(id, &v).unwrap();
        let start = scene.world.energy().unwrap().total();
        for _ in 0..120 {
            run(&mut scene, 1);
            let now = scene.world.energy().unwrap().total();
            assert!(
                now <= start + 1e-3 * 0.5 * 0.1 * 0.01,
                "{tension}: {start} → {now}"
            );
        }
    }
}

/// With reach a pull moves the curve over that length; without, over one span.
#[test]
fn reach_says_how_far_a_pull_is_felt() {
    let width = |reach: f64| {
        let points: Vec<String> = (0..41)
            .map(|k| format!("[{}, 0]", f64::from(k) * 0.1))
            .collect();
        let text = format!(
            r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }}, "bodies": [
                {{ "name": "curve", "type": "spline", "mass": 1, "reach": {reach}, "points": [{}] }}] }}"#,
            points.join(", ")
        );
        let mut scene = scene(&text).unwrap();
        let id = scene.world.find_body("curve").unwrap();
        let grip = scene.world.grab(id.curve2(0.5), Drag::Follow).unwrap();
        scene.world.drag(grip, [2.0, 0.1, 0.0]).unwrap();
        run(&mut scene, 5);
        let height = |u: f64| scene.world.position_world(&id.curve2(u)).unwrap()[1];
        assert!((height(0.5) - 0.1).abs() < 1e-6);
        let half = (0..500)
            .map(|k| f64::from(k) / 1000.0)
            .find(|d| height(0.5 + d) < 0.05);
        4.0 * half.unwrap()
    };
    assert!(width(0.0) < 0.2, "{}", width(0.0));
    // The study measured 1.4 reaches.
    let wide = width(0.4);
    assert!((wide / 0.4 - 1.4).abs() < 0.25, "{wide}");
}

/// A bead slides on a ring of wire that is held: a pendulum that keeps its energy, and never leaves the wire.
#[test]
fn a_bead_slides_along_a_curve() {
    let text = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] }, "bodies": [
        { "name": "ring", "type": "formula", "names": ["r"], "values": [0.5], "curve": "[r*cos(u), r*sin(u), 0]", "u": ["0", "tau"], "closed": true, "mass": 1 },
        { "name": "where", "type": "numbers", "names": ["u"], "values": [0], "mass": 1e-6 },
        { "name": "bead", "type": "particle", "mass": 1, "position": [0.5, 0, 0] }],
      "joints": [
        { "name": "wire", "type": "scalar", "a": { "body": "ring", "scalar": "r" }, "value": 0.5 },
        { "name": "slide", "type": "slide-on-curve", "connectors": ["ring", { "body": "where", "scalar": "u" }, "bead"] }] }"#;
    let mut scene = scene(text).unwrap();
    scene.options = StepOptions::precise(1.0 / 60.0);
    let start = scene.world.energy().unwrap().total();
    // A pendulum let go at a right angle is at its lowest after K(½)·√(l/g): 1.854074677 · √(0.5/9.81).
    let quarter = 1.854_074_677_301_372 * (0.5f64 / 9.81).sqrt();
    scene.options.dt = quarter / 60.0;
    run(&mut scene, 60);
    let bead = q(&scene, "bead");
    assert!(
        bead[0].abs() < 1e-5 && (bead[1] + 0.5).abs() < 1e-8,
        "{bead:?}"
    );
    assert!((scene.world.energy().unwrap().total() - start).abs() < 1e-6);
    let angle = q(&scene, "where")[0];
    assert!((angle + 0.5 * PI).abs() < 1e-4, "{angle}");
}

/// Two splines touch, are pulled, and still touch: places are states that follow.
#[test]
fn curves_that_touch_stay_in_touch() {
    let mut scene = linkwork_scene::library::open("curve-model").unwrap();
    let mut simulator = Simulator::new();
    simulator
        .assemble(&mut scene.world, &AssembleOptions::default())
        .unwrap();
    let keel = scene.world.find_body("keel").unwrap();
    let grip = scene.world.grab(keel.curve2(0.5), Drag::Follow).unwrap();
    let start = scene.world.position_world(&keel.curve2(0.5)).unwrap();
    for k in 1..=30 {
        let down = 0.01 * f64::from(k);
        scene
            .world
            .drag(grip, [start[0] + down, start[1] - 0.3 * down, 0.0])
            .unwrap();
        let report = simulator.step(&mut scene.world, &scene.options).unwrap();
        report.require(1e-6).unwrap();
    }
}
