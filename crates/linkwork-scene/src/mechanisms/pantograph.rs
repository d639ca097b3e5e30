//! A linkage that copies.

use std::f64::consts::PI;

use linkwork::Error;
use linkwork::prelude::*;

use super::{apart, gravity_down_y, moving, pin, planar_bar};

/// A pantograph about the origin that copies `ratio` times as large: a crank leads the pen (the end
/// of "inner") round a circle once in two seconds, and the end of "outer" draws it enlarged.
///
/// The pen is at w + u and the copy at ratio times that, w and u the directions of the two long bars.
/// A ratio below 2 is taken as 2.
pub fn pantograph(ratio: usize) -> Result<World, Error> {
    let ratio = ratio.max(2) as f64;
    let far = |p: [f64; 2]| [ratio * p[0], ratio * p[1]];
    let (pole, axle, pen) = ([0.0, 0.0], [1.2, 0.0], [1.5_f64, 0.0]);
    // Bars of 1 m from the pole and from the pen meet here.
    let elbow = [0.5 * pen[0], (1.0 - 0.25 * pen[0] * pen[0]).sqrt()];
    let guide = [0, 1].map(|k: usize| far(elbow)[k] + pen[k] - elbow[k]);
    let mut world = gravity_down_y()?;
    let mut bar = |label: &str, from, to| planar_bar(&mut world, label, from, to);
    let crank = bar("crank", axle, pen)?;
    let arm = bar("arm", pole, far(elbow))?;
    let inner = bar("inner", elbow, pen)?;
    let outer = bar("outer", far(elbow), far(pen))?;
    let link = bar("link", pen, guide)?;
    let reach = |from, at, to| [apart(from, at) - 0.5 * apart(from, to), 0.0];
    let on_arm = arm.body.at(reach(pole, elbow, far(elbow)));
    let on_outer = outer.body.at(reach(far(elbow), guide, far(pen)));
    for (label, a, b) in [
        ("axle crank", GROUND.at(axle), crank.from),
        ("pole arm", GROUND.at(pole), arm.from),
        ("elbow inner", on_arm, inner.from),
        ("pen inner", crank.to, inner.to),
        ("far elbow outer", arm.to, outer.from),
        ("pen link", crank.to, link.from),
        ("guide link", on_outer, link.to),
    ] {
        pin(&mut world, label, a, b)?;
    }
    let start = world.q(crank.body)?[2];
    let drive = AngleDrive::new(Ramp { start, rate: PI });
    let frames = [GROUND, crank.body].map(|body| body.frame2([0.0; 2], 0.0));
    world.add_constraint("drive", drive, &frames)?;
    moving(world)
}
