//! Strings of short rods and ball joints.

use linkwork::Error;
use linkwork::connector::Connector;
use linkwork::math::{Vec3, add, complete_basis, norm, scale, sub, unit};
use linkwork::prelude::*;

use crate::mechanisms::along;

/// What a string is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Twine {
    /// Number of rods; even, if there is slack.
    pub(crate) n: usize,
    /// How much longer the string is than the way it spans, as a part of that way.
    pub(crate) slack: f64,
    /// Of each rod.
    pub(crate) radius: f64,
    /// Of each rod.
    pub(crate) mass: f64,
}

/// A rod between two points. Returns it and its half length.
pub(crate) fn rod(
    world: &mut World,
    label: &str,
    (from, to): (Vec3, Vec3),
    radius: f64,
    mass: f64,
) -> Result<(BodyId, f64), Error> {
    let length = norm(sub(to, from));
    let rod = Rod {
        length,
        radius,
        mass,
    };
    let body = world.add_body_at(label, rod, along(from, to))?;
    Ok((body, 0.5 * length))
}

/// A string between two points of bodies, where they are now: straight, or in zigzag if it has
/// slack. Rods are "label 0", "label 1", …; joints have the name of the rod above them, the last
/// that of the string.
pub(crate) fn string(
    world: &mut World,
    label: &str,
    (from, to): (Connector, Connector),
    twine: &Twine,
) -> Result<(), Error> {
    let (start, end) = (world.position_world(&from)?, world.position_world(&to)?);
    let way = sub(end, start);
    let aside = complete_basis(unit(way).unwrap_or([0.0, 1.0, 0.0])).0;
    let advance = norm(way) / twine.n as f64;
    let amplitude = advance
        * ((1.0 + twine.slack) * (1.0 + twine.slack) - 1.0)
            .max(0.0)
            .sqrt();
    let knot = |i: usize| {
        let on_way = add(start, scale(i as f64 / twine.n as f64, way));
        let off = if i % 2 == 1 { amplitude } else { 0.0 };
        add(on_way, scale(off, aside))
    };
    let mut held = from;
    for i in 0..twine.n {
        let label = format!("{label} {i}");
        let ends = (knot(i), knot(i + 1));
        let (body, half) = rod(world, &label, ends, twine.radius, twine.mass)?;
        world.join(&label, Ball, held, body.at([-half, 0.0, 0.0]))?;
        held = body.at([half, 0.0, 0.0]);
    }
    world.join(label, Ball, held, to)?;
    Ok(())
}
