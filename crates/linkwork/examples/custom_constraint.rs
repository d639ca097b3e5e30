//! A constraint of your own: a rope over a small pulley.
//!
//! The rope runs from point p over the pulley at a to point q and keeps its length:
//!
//! ```text
//!     c = |p − a| + |q − a| − length
//! ```
//!
//! What a constraint owes the engine is in `Constraint::eval`: c, ċ, γ and ∂c/∂x. Whether it owes
//! what it says is checked by `check_constraint`, by differences along random motions.
//!
//! With two weights on the rope it is Atwood's machine:
//!
//! ```text
//!     a = (m₂ − m₁)/(m₁ + m₂)·g      tension = 2·m₁·m₂/(m₁ + m₂)·g
//! ```
//!
//! Run with `cargo run --example custom_constraint`.

#![allow(clippy::print_stdout)]

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, RowUnit, Rows, check_constraint};
use linkwork::math::{Vec3, dot, norm, scale, sub};
use linkwork::prelude::*;

/// A rope of fixed length over a pulley too small to see. Inputs: pulley, one end, other end.
#[derive(Debug)]
struct RopeOverPulley {
    length: f64,
}

impl Constraint for RopeOverPulley {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3; 3]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("length", &self.length)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let pulley = &inputs[0];
        out.c[0] = -self.length;
        let mut pull: Vec3 = [0.0; 3];
        for end in 1..3 {
            // A span of length s along n: ṡ = n·ḋ, s̈ = n·d̈ + (|ḋ|² − ṡ²)/s.
            let d = sub(inputs[end].position(), pulley.position());
            let d_dot = sub(inputs[end].velocity(), pulley.velocity());
            let span = norm(d).max(1e-9);
            let n = scale(1.0 / span, d);
            let rate = dot(n, d_dot);
            out.c[0] += span;
            out.c_dot[0] += rate;
            out.gamma[0] += (dot(d_dot, d_dot) - rate * rate) / span;
            out.dc_dx(end).set3(0, 0, n);
            pull = sub(pull, n);
        }
        out.dc_dx(0).set3(0, 0, pull);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rope = RopeOverPulley { length: 2.0 };
    check_constraint(&rope, 1)?;
    println!("the rope keeps the contract of a constraint");

    // Both weights hang straight below the pulley, one lower than the other.
    let (m1, m2, g) = (1.0, 2.0, 9.81);
    let mut world = World::with_gravity([0.0, -g, 0.0])?;
    let weight = |mass: f64| Sphere { radius: 0.1, mass };
    let light = world.add_body_at("light", weight(m1), Pose::at([0.0, -1.2, 0.0]))?;
    let heavy = world.add_body_at("heavy", weight(m2), Pose::at([0.0, -0.8, 0.0]))?;
    let center: Vec3 = [0.0; 3];
    let connectors = [GROUND.at(center), light.at(center), heavy.at(center)];
    let id = world.add_constraint("rope", rope, &connectors)?;

    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let up = |body| solution.of_body(&world, body).map(|v_dot| v_dot[1]);
    println!(
        "light: {:+.3} m/s², heavy: {:+.3} m/s²",
        up(light)?,
        up(heavy)?
    );
    let a = (m2 - m1) / (m1 + m2) * g;
    assert!((up(light)? - a).abs() < 1e-12 && (up(heavy)? + a).abs() < 1e-12);

    // The rope pulls both weights up with its tension, and the pulley down with twice that.
    let tension = 2.0 * m1 * m2 / (m1 + m2) * g;
    for (connector, expected) in [-2.0 * tension, tension, tension].into_iter().enumerate() {
        let options = ReactionOptions::default().on(connector);
        let reaction = world.reaction(id, &solution.lambda, options)?;
        println!(
            "the rope pulls \"{}\" by {:+.3} N",
            reaction.acts_on, reaction.force[1]
        );
        assert!((reaction.force[1] - expected).abs() < 1e-12);
    }

    // A world refuses what the constraint refuses, by name.
    let mistake = world.add_constraint("knot", RopeOverPulley { length: -1.0 }, &connectors);
    if let Err(error) = mistake {
        println!("refused: {error}");
    }
    Ok(())
}
