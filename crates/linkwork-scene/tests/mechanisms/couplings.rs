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
