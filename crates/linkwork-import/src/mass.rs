//! Masses that a rigid body can have.

use linkwork::body::MassProperties;
use linkwork::math::{norm, sym_eigen, sym_rotate_diagonal};

use crate::model::Model;
use crate::report::Notes;

/// The radius of a ball that stands for a point, relative to the size of the robot.
///
/// What it adds to the inertia of a joint is wrong by its square, and joints that only points hang on may have
/// 1e-9 of the inertia of others. No digit is lost by smaller ones: trees divide by bodies with all that hangs
/// on them.
const POINT_RADIUS: f64 = 1e-10;
/// The least moment relative to the largest: ten times what the engine asks for.
const LEAST_RATIO: f64 = 1e-13;

/// What a link weighs, as the model gives it; none if there is no mass.
pub(crate) fn given(mass: MassProperties, name: &str, notes: &mut Notes) -> Option<MassProperties> {
    if mass.mass > 0.0 {
        return Some(mass);
    }
    if mass.mass < 0.0 {
        notes.lose("its mass is negative", name);
    } else if mass.inertia_body.iter().any(|&moment| moment != 0.0) {
        notes.refuse("inertia without a mass", name);
    }
    None
}

/// Gives every link the nearest mass properties that a body can have.
///
/// Models round their numbers, and some give a point's moments. Principal moments that are too small
/// are raised; where the largest is greater than the sum of the others, both of these are raised by
/// the same amount.
pub(crate) fn mend(model: &mut Model, notes: &mut Notes) {
    let mut size: f64 = 0.0;
    for link in &model.links {
        size = size.max(norm(link.place.position));
        size = size.max(link.mass.map_or(0.0, |mass| norm(mass.com_body)));
    }
    let radius = POINT_RADIUS * if size > 0.0 { size } else { 1.0 };
    for link in &mut model.links {
        let Some(mass) = link.mass.as_mut().filter(|own| own.validate().is_err()) else {
            continue;
        };
        let (mut moments, axes) = sym_eigen(&mass.inertia_body);
        let most = moments.iter().fold(0.0, |most: f64, &own| most.max(own));
        let least = (0.4 * mass.mass * radius * radius).max(LEAST_RATIO * most);
        link.is_point = most <= least;
        for moment in &mut moments {
            *moment = moment.max(least);
        }
        let excess = 2.0 * most - moments.iter().sum::<f64>();
        if excess > 0.0 {
            for moment in &mut moments {
                *moment += if *moment == most { 0.0 } else { 0.5 * excess };
            }
        }
        let kind = match link.is_point {
            true => "points: moments of balls of 1e-10 of the robot's size",
            false => "impossible principal moments: the small ones are raised",
        };
        notes.approximate(kind, &link.name);
        mass.inertia_body = sym_rotate_diagonal(&axes, moments);
    }
}
