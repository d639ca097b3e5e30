//! Masses that a rigid body can have.

use linkwork::body::MassProperties;
use linkwork::math::{sym_eigen, sym_rotate_diagonal};

use crate::report::Notes;

/// A body's moments are at least those of a ball of this radius with its mass, m.
const SMALLEST_RADIUS: f64 = 1e-3;

/// The nearest mass properties that a body can have; none if there is no mass.
///
/// Models round their numbers, and some give a point's moments. Principal moments that are too small
/// are raised; where the largest is greater than the sum of the others, both of these are raised by
/// the same amount.
pub(crate) fn mend(mass: MassProperties, name: &str, notes: &mut Notes) -> Option<MassProperties> {
    if mass.mass <= 0.0 {
        if mass.mass < 0.0 {
            notes.refuse("mass that is negative: taken as none", name);
        } else if mass.inertia_body.iter().any(|&moment| moment != 0.0) {
            notes.refuse("inertia without a mass", name);
        }
        return None;
    }
    if mass.validate().is_ok() {
        return Some(mass);
    }
    let (mut moments, axes) = sym_eigen(&mass.inertia_body);
    let least = 0.4 * mass.mass * SMALLEST_RADIUS * SMALLEST_RADIUS;
    let points = moments.iter().any(|&moment| moment < 1e-12 * least);
    for moment in &mut moments {
        *moment = moment.max(if points { least } else { 0.0 });
    }
    let largest = (0..3).max_by(|&i, &j| moments[i].total_cmp(&moments[j]))?;
    let excess = 2.0 * moments[largest] - moments.iter().sum::<f64>();
    if excess > 0.0 {
        for (k, moment) in moments.iter_mut().enumerate() {
            *moment += if k == largest { 0.0 } else { 0.5 * excess };
        }
    }
    notes.approximate(
        "principal moments that no body has: the small ones are raised",
        name,
    );
    Some(MassProperties {
        inertia_body: sym_rotate_diagonal(&axes, moments),
        ..mass
    })
}
