//! What is put in by friction of what is led, and by motors with bounds: no frame is refused for it.

use super::{Run, at, presets, velocity};

const G: f64 = 9.81;

/// A box laid on a belt of 1 m/s: it slips for v/(μg), and lags by half of the way that the belt goes meanwhile.
#[test]
fn a_belt_takes_along_what_lies_on_it() {
    for options in presets() {
        let scene = r#"{"linkwork": 1, "world": {"gravity": [0, -9.81, 0]}, "bodies": [{"name": "t", "type": "kinematic",
            "motion": {"type": "path", "path": {"type": "line", "start": [0, 0, 0], "velocity": [1, 0, 0]}}, "collide": true,
            "friction": 0.5, "shapes": [{"type": "box", "size": [40, 0.2, 4], "position": [0, -0.1, 0]}]},
            {"name": "c", "type": "box", "size": [0.4, 0.1, 0.4], "mass": 1, "position": [0, 0.05, 0], "collide": true,
            "friction": 0.5}]}"#;
        let mut run = Run::parse(scene, &options);
        run.on(0.5, |_| ());
        let expected = 0.5 - 0.5 / (0.5 * G);
        let (x, v) = (at(run.world(), "c")[0], velocity(run.world(), "c")[0]);
        // Where slipping ends is not located: of second order in the step.
        let error = 0.5 * G * options.dt * options.dt;
        assert!((x - expected).abs() < error, "{options:?}: {x} {expected}");
        assert!((v - 1.0).abs() < 1e-8, "{options:?}: {v}");
    }
}

/// A table that is shaken less than friction can carry takes along what lies on it: a·ω² < μg.
#[test]
fn a_shaking_table_takes_along_what_lies_on_it() {
    for options in presets() {
        let scene = r#"{"linkwork": 1, "world": {"gravity": [0, -9.81, 0]}, "bodies": [{"name": "t", "type": "kinematic",
            "motion": {"type": "sine", "amplitude": [0.05, 0, 0], "frequency": 1.0}, "collide": true, "friction": 0.5,
            "shapes": [{"type": "box", "size": [4, 0.2, 4], "position": [0, -0.1, 0]}]},
            {"name": "c", "type": "box", "size": [0.4, 0.1, 0.4], "mass": 1, "position": [0, 0.05, 0],
            "velocity": [0.3141592653589793, 0, 0], "collide": true, "friction": 0.5}]}"#;
        let mut run = Run::parse(scene, &options);
        run.on(0.4, |_| ());
        let table = at(run.world(), "t")[0];
        let lag = (at(run.world(), "c")[0] - table).abs();
        assert!(lag < options.dt * options.dt + 1e-7, "{options:?}: {lag}");
    }
}

/// A strong motor turns at its speed at once, a weak one after ω·I/τ.
#[test]
fn motors_with_bounds_put_in_what_they_do() {
    for torque in [1e6, 400.0] {
        for options in presets() {
            let motor = format!(r#"{{"speed": 100, "max_torque": {torque:?}}}"#);
            let mut run = Run::parse(&driven(&motor), &options);
            run.on(0.05, |_| ());
            let expected = (torque / 0.4 * 0.05f64).min(100.0);
            let v = velocity(run.world(), "b")[5];
            assert!((v - expected).abs() < 1e-6, "{torque} {options:?}: {v}");
        }
    }
}

/// A motor on a position starts with gain·(target − φ), 100 rad/s, within 4 ms.
#[test]
fn servos_with_bounds_put_in_what_they_do() {
    for options in presets() {
        let mut run = Run::parse(
            &driven(
                r#"{"position": {"type": "constant", "value": 2}, "gain": 50, "max_torque": 1e4}"#,
            ),
            &options,
        );
        run.on(0.5, |_| ());
        let v = velocity(run.world(), "b")[5];
        assert!(v.abs() < 1e-3, "{options:?}: {v}");
    }
}

fn driven(motor: &str) -> String {
    format!(
        r#"{{"linkwork": 1, "world": {{}}, "bodies": [{{"name": "b", "type": "rigid", "mass": 1, "inertia": [0.3, 0.3, 0.4]}}],
        "joints": [{{"name": "J", "type": "hinge", "a": "ground", "b": "b", "at": [0, 0, 0], "axis": [0, 0, 1],
        "motor": {motor}}}]}}"#
    )
}
