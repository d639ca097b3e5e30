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

#![allow(clippy::print_stdout)]

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, RowUnit, Rows, check_constraint};
use linkwork::error::Invalid;
use linkwork::math::{Vec3, dot, neg, norm, scale, sub};
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

    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_positive("length", self.length)
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

    // An Atwood machine: two weights on one rope.
    let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    let weight = |mass: f64| {
        RigidBody::new(MassProperties {
            mass,
            com_body: [0.0; 3],
            inertia_body: [4e-3 * mass, 4e-3 * mass, 4e-3 * mass, 0.0, 0.0, 0.0],
        })
    };
    let left = world.add_body_at("left", weight(1.0), Pose::at([-0.1, -1.0, 0.0]))?;
    let right = world.add_body_at("right", weight(2.0), Pose::at([0.1, -0.9, 0.0]))?;
    let center: Vec3 = [0.0; 3];
    let connectors = [GROUND.at(center), left.at(center), right.at(center)];
    let id = world.add_constraint("rope", rope, &connectors)?;
    println!(
        "the world has {} bodies and the constraint \"{}\"",
        world.bodies().len(),
        world.constraint_record(id)?.label()
    );

    // What the rope says of this pose: how much too short, and which way it pulls the left end.
    let values: Vec<ConnectorValue> = connectors
        .iter()
        .map(|connector| world.connector_value(connector))
        .collect::<Result<_, _>>()?;
    let inputs: Vec<Input<'_>> = values
        .iter()
        .map(|value| Input {
            kind: value.kind,
            x: &value.x,
            x_dot: &value.x_dot,
        })
        .collect();
    let constraint = world.constraint_record(id)?.constraint();
    let (mut c, mut c_dot, mut gamma, mut dc_dx) = ([0.0], [0.0], [0.0], [0.0; 9]);
    let mut rows = Rows::new(
        constraint.inputs(),
        &mut c,
        &mut c_dot,
        &mut gamma,
        &mut dc_dx,
        &mut [],
    );
    constraint.eval(world.state().t, &inputs, &mut rows);
    let left_end: Vec3 = [dc_dx[3], dc_dx[4], dc_dx[5]];
    println!(
        "slack {:.4} m, pulls the left end along {:.3?}",
        -c[0],
        neg(left_end)
    );

    // A world refuses what the constraint refuses, by name.
    let mistake = world.add_constraint("knot", RopeOverPulley { length: -1.0 }, &connectors);
    if let Err(error) = mistake {
        println!("refused: {error}");
    }
    Ok(())
}
