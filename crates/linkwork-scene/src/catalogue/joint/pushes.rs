//! What pushes in place of a joint: another one, of which only the force counts.

use linkwork::connector::Connector;

use super::*;

/// Any type with rows of its own; what is soft by its law, and armatures, push nothing else.
static SORT: Sort = Sort {
    word: "joint",
    help: "A joint of which only the force counts.",
    entry: "PushEntry",
    named: false,
    common: &[],
    types: || {
        let all = JointType::all().iter();
        all.filter(|own| !own.soft).map(|own| own.kind()).collect()
    },
};

pub(super) const PUSHES: Field = Field::new(
    "pushes",
    Form::Entry(&SORT),
    "A joint whose force holds it in place of its own: any type with as many rows, with its sides.",
);

/// A law, whether it is in the plane, and what it holds.
type Part = (Arc<dyn Constraint>, bool, Vec<Connector>);

fn part(world: &World, id: ConstraintId) -> Result<Part, Fault> {
    let record = world.constraint_record(id)?;
    let connectors = record.connectors().to_vec();
    Ok((record.shared_constraint(), record.in_plane(), connectors))
}

/// The law that pushes in place of an entry's, if it says so. It is built like a joint and taken out again.
pub(super) fn find(scene: &mut Scene, entry: &Entry<JointType>) -> Result<Option<Part>, Fault> {
    let Some((kind, fields)) = entry.fields.entry::<JointType>(&PUSHES) else {
        return Ok(None);
    };
    let held = [&MOTOR, &DRIVE, &ARMATURE, &CLOSE_OVER, &CLOSING];
    if let Some(field) = held.into_iter().find(|field| fields.has(field)) {
        let problem = "is of what is held; this only pushes";
        return Err(Fault::at(field.name, problem).under(PUSHES.name));
    }
    let mut other = Entry::new(kind, fields.clone());
    other.name.clone_from(&entry.name);
    let id = build(scene, &other).under(PUSHES.name)?;
    let found = part(&scene.world, id)?;
    scene.world.remove_constraint(id)?;
    Ok(Some(found))
}

/// Has another law push in place of that of a joint.
pub(super) fn put(world: &mut World, id: ConstraintId, other: Part) -> Result<(), Fault> {
    let (law, in_plane, mut connectors) = part(world, id)?;
    let (other, other_in_plane, others) = other;
    connectors.extend(others);
    let law = PushedLike::new((law, in_plane), (other, other_in_plane));
    law.validate()?;
    Ok(world.replace_constraint(id, law, &connectors)?)
}

/// Gives what pushes its sides.
pub(super) fn held(fields: &mut Fields, connectors: Vec<ConnectorRef>) {
    if let Some((kind, own)) = fields.entry::<JointType>(&PUSHES) {
        let own = kind.sides_of(connectors).and(own.clone());
        let own = Entry::new(kind, own).in_order().fields;
        fields.set(&PUSHES, (kind, own));
    }
}
