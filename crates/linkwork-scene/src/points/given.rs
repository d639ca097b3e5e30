//! Points of a file that is dropped on an open scene.

use linkwork::math::Vec3;

use super::own::as_pull;
use super::{CLOCKS, PointPull, Sequence};
use crate::command::Command;
use crate::describe::joint_of;
use crate::fault::Fault;
use crate::format::{Cell, JointEntry, TableEntry};
use crate::scene::Scene;

/// The command that puts a table into a scene. Where points like these pull bodies, they pull with these from now on:
/// the first frame is now, and markers keep the places on bodies that they have by their names. Else the table is
/// added.
pub fn given(scene: &Scene, mut entry: TableEntry) -> Result<Command, Fault> {
    crate::table::check(&entry)?;
    let add = |entry: TableEntry| Ok(Command::AddTable(Box::new(entry)));
    let Ok(new) = Sequence::of(&entry, 1.0, &[]) else {
        return add(entry);
    };
    let records = scene.world.constraints().iter();
    let pulls = records.filter_map(|own| Some((own, as_pull(own)?)));
    let pulls = pulls.filter(|(_, own)| own.sequence().has_labels() == new.has_labels());
    let mut pulls: Vec<_> = pulls.collect();
    let Some(table) = pulls.first().map(|(_, own)| own.said().table.clone()) else {
        return add(entry);
    };
    pulls.retain(|(_, own)| own.said().table == table);
    let (mut commands, mut joints) = (Vec::new(), Vec::new());
    for (record, pull) in pulls {
        let mut joint = joint_of(scene, record)?;
        match new.has_labels() {
            true => keep_known(&mut joint, pull, &new)?,
            // Rows of another cloud are other points.
            false => joint.fields.retain(|name| name != "own"),
        }
        commands.push(Command::Detach(record.label().to_owned()));
        joints.push(Command::Join(Box::new(joint)));
    }
    begin_at(&mut entry, &new, scene.world.state().t);
    entry.name = table;
    commands.push(Command::SetTable(Box::new(entry)));
    commands.append(&mut joints);
    Ok(Command::Together(commands))
}

/// Lets a pull go on with the markers that its body knows.
fn keep_known(joint: &mut JointEntry, pull: &PointPull, new: &Sequence) -> Result<(), Fault> {
    let known = &pull.sequence().labels;
    let mut names = Vec::new();
    let mut places: Vec<Vec3> = Vec::new();
    for label in &new.labels {
        if let Some(at) = known.iter().position(|own| own == label) {
            names.push(label.clone());
            places.extend(pull.said().places.get(at));
        }
    }
    if names.is_empty() {
        let body = &pull.said().body;
        let problem = format!("no marker is one of those that \"{body}\" follows");
        let hint = format!("it follows {}", known.join(", "));
        return Err(Fault::at(joint.name.clone(), problem).hint(hint));
    }
    joint.set("only", names)?;
    if pull.said().keeps_places {
        joint.set("places", places)?;
    }
    Ok(())
}

/// Moves a recording in time, so that it begins now.
fn begin_at(entry: &mut TableEntry, new: &Sequence, now: f64) {
    let column = |name: &str| entry.columns.iter().position(|own| own == name);
    let (Some(clock), Some(first)) = (CLOCKS.into_iter().find_map(column), new.frames.first())
    else {
        return;
    };
    for row in &mut entry.rows {
        row[clock] = Cell(row[clock].0.map(|time| now + (time - first.time)));
    }
}
