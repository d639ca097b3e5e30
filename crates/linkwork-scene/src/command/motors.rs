//! Motors go with their joints.

use linkwork::prelude::*;

use super::change::{Change, Named, all, joint_named, old_joint};
use crate::catalogue::Fields;
use crate::catalogue::joint::motor::{self, Made, Part};
use crate::fault::Fault;
use crate::scene::Scene;

/// What a motor is called.
fn named(world: &World, part: Part) -> Result<Named, Fault> {
    Ok(match part {
        Part::Drive(id) => Named::Joint(world.constraint_record(id)?.label().to_owned()),
        Part::Torque(id) => Named::Behavior(world.behavior_record(id)?.label().to_owned()),
    })
}

/// A motor does not outlive its joint.
pub(super) fn detach(scene: &mut Scene, name: String) -> Result<Change, Fault> {
    let world = &scene.world;
    let id = joint_named(world, &name)?;
    let mut changes = vec![Change::Remove(Named::Joint(name))];
    if let Some(part) = motor::of(world, world.constraint_record(id)?) {
        changes.insert(0, Change::Remove(named(world, part)?));
    }
    all(scene, changes)
}

/// Gives a joint without a motor one.
pub(super) fn add(world: &mut World, joint: &str, said: &Fields) -> Result<Change, Fault> {
    let (id, now) = (joint_named(world, joint)?, world.state().t);
    let part = motor::put(world, id, said, now)?;
    Ok(Change::Remove(named(world, part)?))
}

/// What makes the motor of a joint as an entry says, or takes it away. A drive that stays one keeps its place, its
/// multiplier and its full turns.
pub(super) fn changes(
    world: &World,
    joint: &str,
    before: Option<Part>,
    said: Option<Fields>,
) -> Result<Vec<Change>, Fault> {
    let mut changes = Vec::new();
    if let Some(part) = before {
        changes.push(Change::Remove(named(world, part)?));
    }
    let Some(said) = said else {
        return Ok(changes);
    };
    let id = joint_named(world, joint)?;
    let (made, enabled) = motor::make(world, id, &said, world.state().t)?;
    let enabled = enabled && world.constraint_record(id)?.enabled();
    let change = match (made, before) {
        (Made::Drive(law, zero), Some(Part::Drive(drive))) => {
            let record = world.constraint_record(drive)?;
            let mut new = old_joint(world, record.label(), drive)?;
            let takes = law.inputs_of(record.in_plane());
            new.connectors = motor::sides(world, id, takes, zero.unwrap_or(0.0))?;
            (new.law, new.enabled, new.rows) = (law, enabled, None);
            Change::Joint(Box::new(new))
        }
        _ => {
            changes.push(Change::AddMotor(joint.to_owned(), said));
            return Ok(changes);
        }
    };
    Ok(vec![change])
}
