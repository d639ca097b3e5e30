//! Several solids as one body.

use super::*;

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        70,
        "compound",
        "Several solids as one body.",
        &[&[PARTS], POSE, MOVING],
    ),
    build: |fields| {
        let parts: &[(&'static Type, Fields)] = fields.need(&PARTS)?;
        let mut view = BodyView::default();
        let mut placed = Vec::new();
        for (at, (kind, fields)) in parts.iter().enumerate() {
            let Some(part) = PartType::find(kind.word) else {
                continue;
            };
            let one = || Ok::<_, Fault>((part.weighed(fields)?.mass_properties()?, pose(fields)?));
            placed.push(one().under(&format!("parts[{at}]"))?);
            view.draw.push(Entry::new(part, fields.clone()));
        }
        Ok((
            Arc::new(RigidBody::new(MassProperties::combine(&placed)?)),
            view,
        ))
    },
    ..SPATIAL
};
