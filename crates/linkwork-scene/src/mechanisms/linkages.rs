//! Rows and stacks of bars of the plane.

use linkwork::Error;
use linkwork::constraint::FramePair;
use linkwork::prelude::*;

use super::{PlanarBar, gravity_down_y, moving, pin, planar_bar};

/// `n` squares of thin rods side by side, 1 m and 1 kg each, hung on the ground at their feet and
/// started upright at 1 m/s to the right (IFToMM A02, the double four-bar for n = 2).
///
/// Where the rods lie level, mobility jumps from 1 to n + 1.
pub fn n_four_bar(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let mut previous: Option<PlanarBar> = None;
    for i in 0..=n {
        let x = i as f64;
        let post = planar_bar(&mut world, &format!("post {i}"), [x, 0.0], [x, 1.0])?;
        world.set_v(post.body, &[0.5, 0.0, -1.0])?;
        let foot = GROUND.at([x, 0.0]);
        pin(&mut world, &format!("foot {i}"), foot, post.from)?;
        if let Some(left) = previous {
            let beam = planar_bar(&mut world, &format!("beam {i}"), [x - 1.0, 1.0], [x, 1.0])?;
            world.set_v(beam.body, &[1.0, 0.0, 0.0])?;
            pin(&mut world, &format!("left {i}"), left.to, beam.from)?;
            pin(&mut world, &format!("right {i}"), post.to, beam.to)?;
        }
        previous = Some(post);
    }
    Ok(world)
}

/// A scissor lift of `n` cells: crossed thin bars of 1 m at 30°, a table of 10 kg on top. The left
/// foot is pinned, the right foot slides on the floor ("slide").
pub fn scissor(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (width, height) = (0.75f64.sqrt(), 0.5);
    let (mut left, mut right) = (GROUND.at([0.0, 0.0]), None);
    for k in 0..n {
        let (low, high) = (height * k as f64, height * (k + 1) as f64);
        let mut bar =
            |label: &str, from, to| planar_bar(&mut world, &format!("{label} {k}"), from, to);
        let rising = bar("rising", [0.0, low], [width, high])?;
        let falling = bar("falling", [0.0, high], [width, low])?;
        let middles = [rising.body, falling.body].map(|bar| bar.at([0.0, 0.0]));
        pin(&mut world, &format!("middle {k}"), middles[0], middles[1])?;
        pin(&mut world, &format!("left {k}"), left, rising.from)?;
        match right {
            Some(right) => pin(&mut world, &format!("right {k}"), right, falling.to)?,
            None => {
                let floor = GROUND.frame2([0.0, 0.0], 0.0);
                let slot = FramePair::point_in_slot();
                world.add_constraint("slide", slot, &[floor, falling.to])?
            }
        };
        (left, right) = (falling.from, Some(rising.to));
    }
    let table = PlanarBox {
        size: [width, 0.05],
        mass: 10.0,
    };
    let pose = Pose::in_plane([0.5 * width, height * n as f64], 0.0);
    let table = world.add_body_at("table", table, pose)?;
    pin(&mut world, "table pin", left, table.at([-0.5 * width, 0.0]))?;
    if let Some(right) = right {
        let along = table.frame2([0.0, 0.0], 0.0);
        world.add_constraint("table slide", FramePair::point_in_slot(), &[along, right])?;
    }
    Ok(world)
}

/// [`scissor`] with its sliding foot pushed to and fro, between 0.95 and 0.6 of a bar from the
/// other and back; it starts where [`scissor`] does.
pub fn scissor_driven(n: usize) -> Result<World, Error> {
    let mut world = scissor(n)?;
    if let Some(bar) = world.find_body("falling 0") {
        let foot = bar.at([0.5, 0.0]);
        let start = world.position_world(&foot)?[0];
        let (offset, amplitude) = (0.775, 0.175);
        let function = Sine {
            amplitude,
            frequency: 0.5,
            phase: libm::asin((start - offset) / amplitude),
            offset,
        };
        let ends = [GROUND.frame2([0.0; 2], 0.0), foot];
        world.add_constraint("drive", LengthDrive::new(function), &ends)?;
    }
    moving(world)
}
