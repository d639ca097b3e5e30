//! Things that hang or stand still.

use std::f64::consts::PI;

use linkwork::Error;
use linkwork::math::{Vec3, add, norm, scale, sub, unit};
use linkwork::prelude::*;

use super::{gravity_down_y, join_at, moving};

/// A chain of `n` uniform links and ball joints between two points at the same height, `span`
/// apart, in its exact equilibrium; `length` is that of the whole chain, 1 kg per meter.
///
/// Link i of a chain at rest slopes by tan φᵢ = ((n − 1)/2 − i)·W/H, W the weight of a link and H
/// the horizontal force. H follows from the span, which must be less than the length; a longer one
/// is cut to 0.999 of it.
pub fn catenary(n: usize, length: f64, span: f64) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let link = length / n as f64;
    let span = span.min(0.999 * length);
    let slope = |i: usize, h: f64| (0.5 * (n as f64 - 1.0) - i as f64) / h;
    let reach = |h: f64| -> f64 { (0..n).map(|i| link / libm::hypot(slope(i, h), 1.0)).sum() };
    // The reach grows with H: halve the bracket to the last bit.
    let (mut low, mut high) = (0.0, 1.0);
    while reach(high) < span && high < 1e300 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if reach(middle) < span {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut at = [0.0, 0.0, 0.0];
    let mut end = GROUND.at(at);
    for i in 0..n {
        let angle = -libm::atan(slope(i, high));
        let (sin, cos) = libm::sincos(angle);
        let next = add(at, [link * cos, link * sin, 0.0]);
        let rod = Rod {
            length: link,
            radius: 0.05 * link,
            mass: link,
        };
        let center = scale(0.5, add(at, next));
        let pose = Pose::turned(center, [0.0, 0.0, angle]);
        let body = world.add_body_at(&format!("link {i}"), rod, pose)?;
        let inner = body.at([-0.5 * link, 0.0, 0.0]);
        world.join(&format!("joint {i}"), Ball, end, inner)?;
        (at, end) = (next, body.at([0.5 * link, 0.0, 0.0]));
    }
    world.join(&format!("joint {n}"), Ball, end, GROUND.at(at))?;
    Ok(world)
}

/// A square plate of 4 kg level on four strings of 1 m from above: one string too many, so that
/// their forces are not unique but their sum is.
pub fn plate_on_strings() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let plate = Cuboid {
        size: [2.0, 0.1, 2.0],
        mass: 4.0,
    };
    let plate = world.add_body("plate", plate)?;
    for (i, (x, z)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .into_iter()
        .enumerate()
    {
        let string = Distance { length: 1.0 };
        let ends = [GROUND.at([x, 1.0, z]), plate.at([x, 0.0, z])];
        world.add_constraint(&format!("string {i}"), string, &ends)?;
    }
    Ok(world)
}

/// A Stewart platform: six legs, each a universal joint on the ground, a prismatic pair and a ball
/// joint under the platform. The drives "drive 0" to "drive 5" hold the legs' lengths.
pub fn stewart() -> Result<World, Error> {
    stewart_with(|_, length| Constant { value: length })
}

/// [`stewart`] with legs that change their lengths, all together in four seconds and each by an
/// amount of its own, so that the platform moves in all six ways.
pub fn stewart_driven() -> Result<World, Error> {
    let world = stewart_with(|i, length| Sine {
        amplitude: 0.12 * libm::cos(PI / 3.0 * (i as f64 + 0.3)),
        frequency: 0.25,
        phase: 0.0,
        offset: length,
    })?;
    moving(world)
}

/// A Stewart platform whose legs have lengths that are functions of time.
fn stewart_with<F: DriveFunction + 'static>(
    drive: impl Fn(usize, f64) -> F,
) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let height = 1.0;
    let plate = Cylinder {
        radius: 0.6,
        length: 0.1,
        mass: 20.0,
    };
    // The cylinder's axis is x of its body frame; here it stands along y.
    let pose = Pose::turned([0.0, height, 0.0], [0.0, 0.0, 0.5 * PI]);
    let platform = world.add_body_at("platform", plate, pose)?;
    let on_circle = |radius: f64, degrees: f64, y: f64| -> Vec3 {
        let (sin, cos) = libm::sincos(degrees * PI / 180.0);
        [radius * cos, y, radius * sin]
    };
    for i in 0..6 {
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        let foot = on_circle(1.0, 120.0 * (i / 2) as f64 + side * 15.0, 0.0);
        let head = on_circle(0.6, 120.0 * (i / 2) as f64 + side * 45.0, height);
        let function = drive(i, norm(sub(head, foot)));
        let ends = leg(&mut world, platform, i, (foot, head))?;
        world.add_constraint(&format!("drive {i}"), LengthDrive::new(function), &ends)?;
    }
    Ok(world)
}

/// One leg of the platform: a lower and an upper rod, each 0.6 of the way, that slide in each other.
/// Returns what a drive of its length acts on.
fn leg(
    world: &mut World,
    platform: BodyId,
    i: usize,
    (foot, head): (Vec3, Vec3),
) -> Result<[Connector; 2], Error> {
    let way = sub(head, foot);
    let (length, axis_world) = (norm(way), unit(way).unwrap_or([0.0, 1.0, 0.0]));
    let rod = Rod {
        length: 0.6 * length,
        radius: 0.03,
        mass: 1.0,
    };
    let inner = add(foot, scale(0.6, way));
    let outer = sub(head, scale(0.6, way));
    let lower = world.add_body_at(&format!("lower {i}"), rod, super::along(foot, inner))?;
    let upper = world.add_body_at(&format!("upper {i}"), rod, super::along(outer, head))?;
    let across = linkwork::math::complete_basis(axis_world);
    let cross = Universal {
        axis_a_world: across.0,
        axis_b_world: across.1,
    };
    join_at(world, &format!("foot {i}"), cross, (GROUND, lower), foot)?;
    let slide = Prismatic { axis_world };
    join_at(world, &format!("slide {i}"), slide, (lower, upper), outer)?;
    join_at(world, &format!("head {i}"), Ball, (upper, platform), head)?;
    let half = 0.3 * length;
    Ok([
        lower.frame_at([-half, 0.0, 0.0]),
        upper.at([half, 0.0, 0.0]),
    ])
}
