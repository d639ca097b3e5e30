//! A joint that closes over time, and a joint that breaks.
//!
//! A chain of four bars is let go in a zigzag. Its lower end is joined to a hook a meter away; the new
//! joint leads it there within a second. Then a hand pulls at the middle, harder and harder, until the
//! hook, which bears 60 N, breaks.
//!
//! Run with `cargo run --example break_and_close`.

#![allow(clippy::print_stdout)]

use linkwork::math::norm;
use linkwork::prelude::*;
use linkwork::step::Event;
use linkwork::world::BreakLimit;

/// The force a joint carried in the last step, N.
fn pull(world: &World, pin: ConstraintId) -> Result<f64, Error> {
    let reaction = world.reaction(pin, &world.state().lambda, ReactionOptions::default())?;
    Ok(norm(reaction.force))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    let (mut end, mut pins) = (GROUND.at([0.0; 3]), vec![]);
    for k in 0..4 {
        let rod = Rod {
            length: 0.5,
            radius: 0.02,
            mass: 0.5,
        };
        let angle = if k % 2 == 0 { -0.9f64 } else { -2.2 };
        let from = world.position_world(&end)?;
        let middle = [from[0] + 0.25 * angle.cos(), from[1] + 0.25 * angle.sin()];
        let bar = world.add_body_at(&format!("bar {k}"), rod, Pose::in_plane(middle, angle))?;
        let own = bar.at([-0.25, 0.0, 0.0]);
        pins.push(world.join(&format!("pin {k}"), Ball, end, own)?);
        end = bar.at([0.25, 0.0, 0.0]);
    }
    let hook = [1.0, -1.0, 0.0];
    let held = world.join_over("hook", Ball, (GROUND.at(hook), end), 1.0)?;
    let limit = BreakLimit {
        force: 60.0,
        torque: f64::INFINITY,
    };
    world.set_break_limit(held, Some(limit))?;

    // The hand takes the middle of the chain after a second and a half.
    let middle = world.constraint_record(pins[2])?.connectors()[0];
    let mut grip = None;
    let mut simulator = Simulator::new();
    println!("  time   end to hook   pull at the top   pull at the hook   middle y");
    println!("     s             m                 N                  N          m");
    for frame in 1..=150u32 {
        if frame == 90 {
            let spring = Drag::Force {
                stiffness: 200.0,
                damping: 20.0,
            };
            grip = Some(world.grab(middle, spring)?);
        }
        if let Some(grip) = grip {
            let place = world.position_world(&middle)?;
            // Ever further below what it holds.
            let below = 0.5 * f64::from(frame - 90) / 60.0;
            world.drag(grip, [place[0], place[1] - below, 0.0])?;
        }
        let report = simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0))?;
        let t = world.state().t;
        for event in &report.events {
            match event {
                Event::Closed { .. } => println!("{t:6.2}   the hook has closed"),
                Event::Broke { force, .. } => println!("{t:6.2}   the hook broke at {force:.1} N"),
                _ => {}
            }
            if let (Event::Broke { .. }, Some(grip)) = (event, grip.take()) {
                world.release(grip)?;
            }
        }
        if frame % 10 == 0 {
            let [top, at_hook] = [pull(&world, pins[0])?, pull(&world, held)?];
            let [x, y, _] = world.position_world(&end)?;
            let far = (x - hook[0]).hypot(y - hook[1]);
            let middle = world.position_world(&middle)?[1];
            println!("{t:6.2} {far:13.4} {top:17.1} {at_hook:18.1} {middle:10.3}");
        }
    }
    Ok(())
}
