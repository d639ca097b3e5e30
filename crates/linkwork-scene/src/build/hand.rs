//! Hands of entries.

use linkwork::prelude::*;
use linkwork::world::GripId;

use super::connector::resolve;
use crate::fault::{Fault, Under};
use crate::format::HandEntry;
use crate::scene::Scene;

/// Adds a hand that holds something.
pub(crate) fn add(scene: &mut Scene, entry: &HandEntry) -> Result<(), Fault> {
    let held = resolve(scene, &entry.held).under("held")?;
    let drag = entry.drag.make().under("drag")?;
    let world = &mut scene.world;
    let grip = world.grab_as(&entry.name, held, drag)?;
    let placed = place(world, grip, entry);
    if placed.is_err() {
        world.release(grip)?;
    }
    placed
}

fn place(world: &mut World, grip: GripId, entry: &HandEntry) -> Result<(), Fault> {
    if let Some(q) = &entry.q {
        let hand = world.grip_record(grip)?.hand();
        return world.set_q(hand, q).under("q");
    }
    if let Some(goal) = &entry.goal {
        aim(world, grip, &goal.0, entry.quaternion)?;
    }
    Ok(())
}

/// Moves the goal of a hand: one number of what is a number, two in the plane, three in space.
pub(crate) fn aim(
    world: &mut World,
    grip: GripId,
    goal: &[f64],
    quaternion: Option<[f64; 4]>,
) -> Result<(), Fault> {
    let is_number = world.grip_record(grip)?.is_number();
    let position = match *goal {
        [number] if is_number => return Ok(world.drag_scalar(grip, number)?),
        _ if is_number => {
            let problem = format!("has {} numbers, but holds one", goal.len());
            return Err(Fault::at("goal", problem).hint("give 1"));
        }
        [x, y] => [x, y, 0.0],
        [x, y, z] => [x, y, z],
        _ => {
            let problem = format!("has {} numbers", goal.len());
            return Err(Fault::at("goal", problem).hint("give 3, or 2 in the plane"));
        }
    };
    match quaternion {
        None => world.drag(grip, position)?,
        Some(rotation) => world.drag_frame(grip, Pose { position, rotation })?,
    }
    Ok(())
}
