//! Motors go with their joints.

use linkwork::prelude::*;

use super::change::{
    Change, Named, all, joint_named, old_behavior, old_joint, remove, swap_behavior, swap_joint,
};
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
    let joint = Named::Joint(name);
    match motor::of(world, world.constraint_record(id)?) {
        Some(part) => {
            let motor = named(world, part)?;
            all(scene, vec![Change::Remove(motor), Change::Remove(joint)])
        }
        None => remove(scene, joint),
    }
}

fn add(world: &mut World, joint: &str, said: &Fields) -> Result<Change, Fault> {
    let (id, now) = (joint_named(world, joint)?, world.state().t);
    let part = motor::put(world, id, said, now)?;
    Ok(Change::Remove(named(world, part)?))
}

/// Makes the motor of a joint what an entry says, or takes it away. One that stays what it is keeps its place, its
/// multiplier and its full turns.
pub(super) fn set(
    scene: &mut Scene,
    joint: &str,
    before: Option<Part>,
    said: Option<Fields>,
) -> Result<Option<Change>, Fault> {
    let world = &mut scene.world;
    let id = joint_named(world, joint)?;
    if let (Some(before), Some(said)) = (before, &said) {
        let now = world.state().t;
        let (made, enabled) = motor::make(world, id, said, now)?;
        let enabled = enabled && world.constraint_record(id)?.enabled();
        match (made, before) {
            (Made::Drive(law, zero), Part::Drive(drive)) => {
                let record = world.constraint_record(drive)?;
                let takes = law.inputs_of(record.in_plane());
                let connectors = motor::sides(world, id, takes, zero.unwrap_or(0.0))?;
                let mut new = old_joint(world, record.label(), drive)?;
                (new.law, new.connectors, new.enabled) = (law, connectors, enabled);
                new.rows = None;
                return swap_joint(scene, new).map(Some);
            }
            (Made::Torque(law), Part::Torque(torque)) => {
                let record = world.behavior_record(torque)?;
                let takes = law.inputs_of(record.in_plane());
                let connectors = motor::sides(world, id, takes, 0.0)?;
                let mut new = old_behavior(world, record);
                (new.law, new.connectors, new.enabled) = (law, connectors, enabled);
                return swap_behavior(scene, new).map(Some);
            }
            _ => {}
        }
    }
    let removed = match before {
        Some(part) => {
            let name = named(world, part)?;
            Some(remove(scene, name)?)
        }
        None => None,
    };
    let added = said.map(|said| add(&mut scene.world, joint, &said));
    match (added.transpose(), removed) {
        (Ok(Some(added)), Some(removed)) => Ok(Some(Change::All(vec![added, removed]))),
        (Ok(added), removed) => Ok(added.or(removed)),
        (Err(fault), Some(removed)) => {
            removed.apply(scene)?;
            Err(fault)
        }
        (Err(fault), None) => Err(fault),
    }
}
