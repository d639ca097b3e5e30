//! What is reported, against statics, laws and closed forms.

mod balance;
mod energy;
mod errors;
mod plane;
mod reaction;

use crate::body::MassProperties;
use crate::math::Vec3;
use crate::output::{About, Expressed, Side};
use crate::prelude::*;
use crate::solve::Solution;

const G: f64 = 9.81;

fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= tolerance,
            "{what}: {found:?} instead of {expected:?}"
        );
    }
}

fn under_gravity() -> World {
    World::with_gravity([0.0, -G, 0.0]).unwrap()
}

fn solve(world: &World) -> Solution {
    Simulator::new()
        .accelerations(world, Method::Direct)
        .clone()
}

/// Without symmetries, its center of mass away from the origin of its frame.
fn odd_body(mass: f64) -> RigidBody {
    RigidBody::new(MassProperties {
        mass,
        com_body: [0.1, -0.2, 0.05],
        inertia_body: [
            0.3 * mass,
            0.4 * mass,
            0.5 * mass,
            0.02 * mass,
            -0.03 * mass,
            0.01 * mass,
        ],
    })
}

/// Numbers in [−1, 1) that look random.
fn scatter(seed: usize) -> impl FnMut() -> f64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed as u64 + 1);
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn scatter3(next: &mut impl FnMut() -> f64) -> Vec3 {
    [next(), next(), next()]
}

/// The options that ask for one side, in world axes.
fn on(connector: usize) -> ReactionOptions {
    ReactionOptions {
        on: Side::Connector(connector),
        ..Default::default()
    }
}

fn expressed(expressed: Expressed) -> ReactionOptions {
    ReactionOptions {
        expressed,
        ..Default::default()
    }
}

fn about(point: Vec3) -> ReactionOptions {
    ReactionOptions {
        about: About::PointWorld(point),
        ..Default::default()
    }
}
