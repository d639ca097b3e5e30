//! A block of your own: the center of mass of several bodies, held on a line.
//!
//! A block is a function of connectors whose output is a connector again. This one is the weighted mean of points:
//!
//! ```text
//!     x = Σ w·x_i      ẋ = Σ w·ẋ_i      D_i = w·1      γ = 0
//! ```
//!
//! What a block owes the engine is in `Block::eval`: x, ẋ, γ and D. Whether it owes what it says is checked by
//! `check_block`, by differences along random motions. Joints, springs, hands and other blocks then take its output as
//! they take a point of a body.
//!
//! Three balls in a field that is not quite vertical, with their common center on a vertical line: whatever they do,
//! that center falls with g, and the line pushes only across itself, on each ball by its mass.
//!
//! Run with `cargo run --example custom_block`.

#![allow(clippy::print_stdout)]

use linkwork::block::{Block, BlockMut, check_block};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::prelude::*;
use linkwork::world::PointInSlot;

/// The center of mass of points that weigh so much.
#[derive(Debug)]
struct Center {
    masses: Vec<f64>,
    points: Vec<ConnectorKind>,
}

impl Center {
    fn new(masses: &[f64]) -> Self {
        Self {
            masses: masses.to_vec(),
            points: vec![ConnectorKind::Point3; masses.len()],
        }
    }
}

impl Block for Center {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.points
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("masses", &self.masses)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        let total: f64 = self.masses.iter().sum();
        for (i, (input, mass)) in inputs.iter().zip(&self.masses).enumerate() {
            let weight = mass / total;
            for k in 0..3 {
                out.x[k] += weight * input.x[k];
                out.x_dot[k] += weight * input.x_dot[k];
                // Rows are numbers of ẋ, columns the inputs' rates, one input after the other.
                out.D.set(k, 3 * i + k, weight);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let masses = [1.0, 2.0, 5.0];
    check_block(&Center::new(&masses), 1)?;
    println!("the center keeps the contract of a block");

    // Straight down, and a little sideways.
    let (g, sideways) = (9.81, 1.5);
    let mut world = World::with_gravity([sideways, -g, 0.0])?;
    let mut balls = Vec::new();
    for (k, mass) in masses.into_iter().enumerate() {
        let (k, ball) = (k as f64, Sphere { radius: 0.1, mass });
        let id = world.add_body_at(&format!("ball {k}"), ball, Pose::at([k, 0.5 * k, -k]))?;
        world.set_v(id, &[1.0 - k, 2.0, 0.3 * k, 0.0, 0.0, 0.0])?;
        balls.push(id.at([0.0; 3]));
    }
    let center = world.add_block("center", Center::new(&masses), &balls)?;
    let start = world.position_world(&center.output(0))?;
    // The output is a connector like any other: a slot of the ground holds it.
    let up = PointInSlot {
        axis_world: [0.0, 1.0, 0.0],
    };
    let line = world.join("line", up, GROUND.at(start), center.output(0))?;

    let mut simulator = Simulator::new();
    let before = world.connector_value(&center.output(0))?;
    for _ in 0..60 {
        simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0))?;
    }
    let now = world.position_world(&center.output(0))?;
    let fallen = start[1] + before.x_dot[1] - 0.5 * g;
    println!("after a second the center is at {now:.3?}, as a stone would be: {fallen:.3}");
    assert!((now[0] - start[0]).abs() < 1e-9 && (now[2] - start[2]).abs() < 1e-9);
    assert!((now[1] - fallen).abs() < 1e-9);

    // What the line carries is shared by mass.
    let solution = simulator.accelerations(&world, Method::Direct);
    let on_center = world.reaction(line, &solution.lambda, ReactionOptions::default())?;
    println!(
        "the line pushes \"{}\" by {:.3?} N",
        on_center.acts_on, on_center.force
    );
    let total: f64 = masses.iter().sum();
    assert!((on_center.force[0] + total * sideways).abs() < 1e-9);
    for (share, mass) in world.shares(line, &solution.lambda)?.iter().zip(masses) {
        assert!((share.generalized[0] + mass * sideways).abs() < 1e-9);
        let force = &share.generalized[..3];
        println!("  of which \"{}\" gets {force:.3?} N", share.body_label);
    }

    // A world refuses what the block refuses, by name, and takes what hangs on a body away with it.
    if let Err(error) = world.add_block("knot", Center::new(&[-1.0]), &balls[..1]) {
        println!("refused: {error}");
    }
    let gone = world.remove_block(center)?;
    let labels: Vec<&str> = gone.constraint_labels().collect();
    assert_eq!(labels, ["line"]);
    world.restore_removed(&gone)?;
    assert_eq!(world.find_block("center"), Some(center));
    Ok(())
}
