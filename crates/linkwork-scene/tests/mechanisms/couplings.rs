//! Ratios of Hooke's joints.

use std::f64::consts::{PI, TAU};

use linkwork::math::dot;
use linkwork::prelude::*;

use crate::{TURN, alike, turn};

/// How fast a shaft turns about the direction at `degrees` in the plane of the shafts.
fn spin(world: &World, shaft: &str, degrees: f64) -> f64 {
    let shaft = world.find_body(shaft).unwrap();
    let v = world.v(shaft).unwrap();
    let (sin, cos) = (degrees * PI / 180.0).sin_cos();
    dot([v[3], v[4], v[5]], [cos, sin, 0.0])
}

/// ω₂/ω₁ = cos β/(1 − sin²β·sin²θ₁), from cos β to 1/cos β and back twice a turn.
#[test]
fn one_joint_turns_unevenly() {
    let (sin_bend, cos_bend) = (PI / 6.0).sin_cos();
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    turn("hooke", TURN, |world, part| {
        let input = spin(world, "input", 0.0);
        let ratio = spin(world, "output", 30.0) / input;
        let sin = (TAU * part).sin();
        let wanted = cos_bend / (1.0 - (sin_bend * sin).powi(2));
        alike("input", &[input], &[PI], 1e-8);
        alike(&format!("ratio at {part}"), &[ratio], &[wanted], 1e-8);
        (least, most) = (least.min(ratio), most.max(ratio));
    });
    alike("range", &[least, most], &[cos_bend, 1.0 / cos_bend], 1e-8);
}

/// Two joints in phase undo each other.
#[test]
fn two_joints_turn_evenly() {
    let mut middle = 0.0f64;
    turn("double-hooke", TURN, |world, _| {
        let ratio = spin(world, "output", 60.0) / spin(world, "input", 0.0);
        alike("ratio", &[ratio], &[1.0], 1e-8);
        middle = middle.max(spin(world, "middle", 30.0) / PI);
    });
    // The shaft between them does not turn evenly.
    alike("middle", &[middle], &[2.0 / 3f64.sqrt()], 1e-8);
}

/// "armature" of a hinge and of a slider: inertia on their coordinates, in space and in the plane.
#[test]
fn armatures_of_joints() {
    let scene = |bodies: &str, joint: &str| {
        let text = format!(
            "{{ \"linkwork\": 1, \"world\": {{ \"gravity\": [0, -10, 0] }}, \"bodies\": [{bodies}], \
             \"joints\": [{{ \"name\": \"j\", \"a\": \"ground\", \"b\": \"b\", {joint} }}] }}"
        );
        linkwork_scene::load(&text)
    };
    let solid = r#"{ "name": "b", "type": "rigid", "mass": 2, "inertia": [1, 1, 1], "position": [1, 0, 0] }"#;
    let flat = r#"{ "name": "b", "type": "planar", "mass": 2, "inertia": 1, "position": [1, 0] }"#;
    for (bodies, n) in [(solid, 6), (flat, 3)] {
        let at = if n == 6 { "[0, 0, 0]" } else { "[0, 0]" };
        let hinge = format!(r#""type": "hinge", "at": {at}, "axis": [0, 0, 1], "armature": 5"#);
        let hinge = if n == 6 {
            hinge
        } else {
            hinge.replace(r#""axis": [0, 0, 1], "#, "")
        };
        let mut hinge = scene(bodies, &hinge).unwrap();
        let found = Simulator::new()
            .accelerations(&hinge.world, Method::Direct)
            .motion[n - 1];
        // (I + m·l² + a)·α = −m·g·l.
        assert!((found + 20.0 / 8.0).abs() < 1e-12, "{found}");
        let again = linkwork_scene::load(&linkwork_scene::save(&hinge).unwrap()).unwrap();
        assert_eq!(again.world.state_hash(), hinge.world.state_hash());
        let options = hinge.options;
        let start = hinge.world.energy().unwrap().total();
        let mut simulator = Simulator::new();
        for _ in 0..300 {
            simulator.step(&mut hinge.world, &options).unwrap();
            let energy = hinge.world.energy().unwrap().total();
            assert!((energy - start).abs() < 0.02, "{energy}");
        }
        let slider = r#""type": "prismatic", "axis": [0, 1, 0], "armature": 2"#;
        let slider = scene(bodies, slider).unwrap();
        let found = Simulator::new()
            .accelerations(&slider.world, Method::Direct)
            .motion[1];
        assert!((found + 5.0).abs() < 1e-12, "{found}");
    }
    for (number, said) in [("-1", "joints[0].armature"), ("1e999", "number")] {
        let hinge =
            format!(r#""type": "hinge", "at": [0, 0, 0], "axis": [0, 0, 1], "armature": {number}"#);
        let fault = scene(solid, &hinge).unwrap_err().to_string();
        assert!(fault.contains(said), "{fault}");
    }
    let none = r#""type": "hinge", "at": [0, 0, 0], "axis": [0, 0, 1], "armature": 0"#;
    assert_eq!(scene(solid, none).unwrap().world.constraints().len(), 1);
}
