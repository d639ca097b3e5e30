//! Any rigid body.

use super::*;
use linkwork::math::{quat_from_matrix, sym_eigen};

const HEAVY: Field = MASS.required();
const MOMENTS: Field = INERTIA.required();

fn moments(fields: &Fields) -> Result<[f64; 6], Fault> {
    match *fields.need::<&[f64]>(&MOMENTS)? {
        [xx, yy, zz] => Ok([xx, yy, zz, 0.0, 0.0, 0.0]),
        [xx, yy, zz, xy, xz, yz] => Ok([xx, yy, zz, xy, xz, yz]),
        ref other => Err(Fault::at("inertia", format!("has {} numbers", other.len()))
            .hint("give [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]")),
    }
}

/// The block with the same mass and inertia: `m·(y² + z²)/12 = I_xx` and so on, about its principal
/// axes.
fn equal_in_inertia(properties: &MassProperties) -> PartLook {
    let (moments, axes) = sym_eigen(&properties.inertia_body);
    let half_sum = 0.5 * (moments[0] + moments[1] + moments[2]);
    let size = moments.map(|moment| {
        (12.0 / properties.mass * (half_sum - moment))
            .max(0.0)
            .sqrt()
    });
    // A block without thickness is not seen.
    let largest = size.iter().fold(0.0, |a: f64, &b| a.max(b));
    let size = size.map(|edge| edge.max(0.02 * largest));
    let rotation = quat_from_matrix(&axes);
    PartLook::at(ShapeLook::Box { size }, properties.com_body, rotation)
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        80,
        "rigid",
        "Any rigid body.",
        &[&[HEAVY, COM, MOMENTS], POSE, MOVING],
    )
    .called("rigid body"),
    build: |fields| {
        plain(RigidBody::new(MassProperties {
            mass: fields.need(&HEAVY)?,
            com_body: fields.or(&COM, [0.0; 3])?,
            inertia_body: moments(fields)?,
        }))
    },
    describe: |body| {
        let rigid = body.as_rigid().filter(|rigid| rigid.solid().is_none())?;
        let MassProperties {
            mass,
            com_body,
            inertia_body,
        } = *rigid.properties();
        let is_diagonal = inertia_body[3..] == [0.0; 3];
        let inertia = &inertia_body[..if is_diagonal { 3 } else { 6 }];
        let fields = Fields::default().with(&HEAVY, mass);
        let fields = fields.unless(&COM, com_body, [0.0; 3]);
        Some(fields.with(&MOMENTS, inertia))
    },
    draw: |fields, _| {
        equal_in_inertia(&MassProperties {
            mass: number(fields, &HEAVY)?,
            com_body: fields.or(&COM, [0.0; 3]).ok()?,
            inertia_body: moments(fields).ok()?,
        })
        .into()
    },
    ..SPATIAL
};

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::math::{mat_vec, quat_to_matrix};

    #[test]
    fn blocks_have_the_inertia_they_stand_for() {
        let cuboid = Cuboid {
            size: [0.3, 0.1, 0.2],
            mass: 2.0,
        };
        let part = equal_in_inertia(&cuboid.mass_properties().unwrap());
        let ShapeLook::Box { size } = part.shape else {
            panic!("not a block");
        };
        let turned = mat_vec(&quat_to_matrix(part.quaternion), size);
        for (edge, expected) in turned.map(f64::abs).iter().zip([0.3, 0.1, 0.2]) {
            assert!((edge - expected).abs() < 1e-12, "{turned:?}");
        }
    }
}
