//! A chain at rest.

use linkwork::Error;
use linkwork::math::{add, scale};
use linkwork::prelude::*;

use super::gravity_down_y;

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
