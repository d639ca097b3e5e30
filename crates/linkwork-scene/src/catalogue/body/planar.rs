//! Any rigid body of the plane.

use super::*;

const HEAVY: Field = MASS.required();
const MOMENT: Field = INERTIA.required();

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        130,
        "planar",
        "Any rigid body of the plane.",
        &[&[HEAVY, COM, MOMENT], PLANAR_POSE, PLANAR_MOVING],
    )
    .called("planar body"),
    build: |fields| {
        plain(PlanarBody {
            mass: fields.need(&HEAVY)?,
            inertia: fields.need(&MOMENT)?,
            com_body: fields.or(&COM, [0.0; 2])?,
            outline: None,
        })
    },
    describe: |body| {
        let planar = planar_of(body).filter(|planar| planar.outline.is_none())?;
        let fields = Fields::default().with(&HEAVY, planar.mass);
        let fields = fields.unless(&COM, planar.com_body, [0.0; 2]);
        Some(fields.with(&MOMENT, planar.inertia))
    },
    pose: PoseForm::Coordinates,
    draw: |fields, like| {
        // The disc with the same inertia.
        let radius = (2.0 * number(fields, &MOMENT)? / number(fields, &HEAVY)?).sqrt();
        Some(flat_disc(radius, fields.or(&COM, [0.0; 2]).ok()?, like))
    },
    ..PLANAR
};
