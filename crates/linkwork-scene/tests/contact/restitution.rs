//! Bounces whose instant is one that a step begins or ends at: what hits there is given back as anywhere else.

use super::{Run, at, presets, velocity};

const G: f64 = 9.81;

/// A ball falls for half a second, which all of these steps divide: it is thrown back with e times its speed.
#[test]
fn a_ball_bounces_where_a_step_ends() {
    for e in [0.3, 0.5, 0.8, 1.0] {
        for options in presets() {
            let scene = format!(
                r#"{{"linkwork": 1, "world": {{"gravity": [0, -9.81, 0], "floor": 0, "floor_restitution": {e}}},
                "bodies": [{{"name": "b", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 1.32625, 0],
                "collide": true}}]}}"#
            );
            let mut run = Run::parse(&scene, &options);
            run.on(0.7, |_| ());
            let (up, t) = (e * G / 2.0, 0.2);
            let (expected, speed) = (0.1 + up * t - 0.5 * G * t * t, up - G * t);
            let (y, v) = (at(run.world(), "b")[1], velocity(run.world(), "b")[1]);
            let what = format!("{e} {options:?}: {y} {expected}, {v} {speed}");
            assert!((y - expected).abs() < 1e-7, "{what}");
            assert!((v - speed).abs() < 1e-6, "{what}");
            assert_eq!(run.blows, 1, "{what}");
        }
    }
}

/// With e = 1 nothing is lost, however low it bounces; with less, each time e².
#[test]
fn low_bounces_are_not_taken_back() {
    for (e, n) in [(1.0f64, 10), (0.9, 3)] {
        for options in presets() {
            let scene = format!(
                r#"{{"linkwork": 1, "world": {{"gravity": [0, -9.81, 0], "floor": 0, "floor_restitution": {e}}},
                "bodies": [{{"name": "b", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.1207, 0],
                "collide": true}}]}}"#
            );
            let mut run = Run::parse(&scene, &options);
            while run.blows < n {
                run.on(options.dt, |_| ());
                assert!(run.world().state().t < 2.0, "{e} {options:?}");
            }
            assert_eq!(run.blows, n, "{e} {options:?}");
            let energy = run.world().energy().unwrap();
            let left = (energy.total() - 0.1 * G) / (0.0207 * G);
            let expected = e.powi(2 * n as i32);
            // Blows in the last thousandth of a step are at its end.
            assert!((left - expected).abs() < 0.01, "{e} {options:?}: {left}");
        }
    }
}

/// The same without gravity, where they touch from the beginning, and where they meet as a step ends. The second ball
/// takes (1 + e)/2 of the speed, however slow it is.
#[test]
fn balls_that_touch_and_approach_hit() {
    for (e, speed, gap) in [
        (1.0, 1.0, 0.5),
        (1.0, 1.0, 0.0),
        (0.6, 1.0, 0.0),
        (1.0, 1e-4, 0.0),
        (1.0, 300.0, 1e-9),
        (1.0, 300.0, 2e-9),
    ] {
        for options in presets() {
            let scene = format!(
                r#"{{"linkwork": 1, "world": {{}}, "bodies": [{}, {}]}}"#,
                ball("a", 0.0, speed, e),
                ball("b", 0.2 + gap, 0.0, e),
            );
            let mut run = Run::parse(&scene, &options);
            run.on(0.6, |_| ());
            let v = ["a", "b"].map(|name| velocity(run.world(), name)[0]);
            let expected = [0.5 * (1.0 - e) * speed, 0.5 * (1.0 + e) * speed];
            let what = format!("{e} {speed} {gap} {options:?}: {v:?} {expected:?}");
            for k in 0..2 {
                assert!((v[k] - expected[k]).abs() < 1e-9 * speed, "{what}");
            }
            assert_eq!(run.blows, 1, "{what}");
        }
    }
}

fn ball(name: &str, x: f64, speed: f64, e: f64) -> String {
    format!(
        r#"{{"name": "{name}", "type": "sphere", "radius": 0.1, "mass": 1, "position": [{x:?}, 0, 0],
        "velocity": [{speed:?}, 0, 0], "collide": true, "restitution": {e}}}"#
    )
}

/// A hinge that reaches its stop as a step ends, or begins at it, and a slider.
#[test]
fn limits_give_back_where_a_step_ends() {
    for (upper, e) in [(1.0, 1.0), (1.0, 0.5), (0.0, 1.0)] {
        for options in presets() {
            let hinge = format!(
                r#"{{"linkwork": 1, "world": {{}}, "bodies": [{{"name": "b", "type": "rigid", "mass": 1,
                "inertia": [0.3, 0.3, 0.4], "angular_velocity": [0, 0, 2]}}], "joints": [{{"name": "J", "type": "hinge",
                "a": "ground", "b": "b", "at": [0, 0, 0], "axis": [0, 0, 1],
                "limits": {{"upper": {upper}, "restitution": {e}}}}}]}}"#
            );
            let mut run = Run::parse(&hinge, &options);
            run.on(0.7, |_| ());
            let v = velocity(run.world(), "b")[5];
            assert!((v + 2.0 * e).abs() < 1e-7, "{upper} {e} {options:?}: {v}");
            assert_eq!(run.blows, 1, "{upper} {e} {options:?}");

            let slider = format!(
                r#"{{"linkwork": 1, "world": {{}}, "bodies": [{{"name": "b", "type": "rigid", "mass": 1,
                "inertia": [0.3, 0.3, 0.4], "velocity": [2, 0, 0]}}], "joints": [{{"name": "J", "type": "prismatic",
                "a": "ground", "b": "b", "at": [0, 0, 0], "axis": [1, 0, 0],
                "limits": {{"upper": {upper}, "restitution": {e}}}}}]}}"#
            );
            let mut run = Run::parse(&slider, &options);
            run.on(0.7, |_| ());
            let v = velocity(run.world(), "b")[0];
            assert!((v + 2.0 * e).abs() < 1e-7, "{upper} {e} {options:?}: {v}");
            assert_eq!(run.blows, 1, "{upper} {e} {options:?}");
        }
    }
}

/// A floor that is there already and moves up at 1 m/s throws what lies on it at twice that.
#[test]
fn a_plate_that_moves_throws_what_lies_on_it() {
    for options in presets() {
        let scene = r#"{"linkwork": 1, "world": {}, "bodies": [{"name": "t", "type": "kinematic", "motion": {"type": "path",
            "path": {"type": "line", "start": [0, 0, 0], "velocity": [0, 1, 0]}}, "collide": true, "restitution": 1,
            "shapes": [{"type": "box", "size": [4, 0.2, 4], "position": [0, -0.1, 0]}]},
            {"name": "c", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.1, 0], "collide": true}]}"#;
        let mut run = Run::parse(scene, &options);
        run.on(0.5, |_| ());
        let v = velocity(run.world(), "c")[1];
        assert!((v - 2.0).abs() < 1e-9, "{options:?}: {v}");
    }
}

/// What rests is pulled on by g·h in every step, and does not hit.
#[test]
fn what_rests_does_not_hit() {
    let block = |k: usize| {
        let y = 0.1 + 0.2 * k as f64;
        format!(
            r#"{{"name": "{k}", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "position": [0, {y:?}, 0],
            "collide": true, "restitution": 0.8}}"#
        )
    };
    let blocks: Vec<String> = (0..4).map(block).collect();
    let scene = format!(
        r#"{{"linkwork": 1, "world": {{"gravity": [0, -9.81, 0], "floor": 0, "floor_restitution": 0.8}}, "bodies": [{}]}}"#,
        blocks.join(", ")
    );
    for options in presets() {
        let mut run = Run::parse(&scene, &options);
        run.on(0.25, |_| ());
        assert_eq!(run.blows, 0, "{options:?}");
        assert!(super::fastest(run.world()) < 1e-8, "{options:?}");
    }
}
