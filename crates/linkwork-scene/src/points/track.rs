//! Bodies brought to points, one frame after the other.
//!
//! In each frame whose the points are is found and bodies go a few steps towards them, by turns, until both stay;
//! points that keep their places need one turn. Bodies begin each frame where the last one left them.

use linkwork::prelude::*;
use linkwork::step::{Found, MinimizeOptions};

use super::own::{as_pull, find_owners};
use crate::fault::Fault;
use crate::scene::Scene;

/// How long a frame may take.
#[derive(Clone, Copy, Debug)]
pub struct TrackOptions {
    /// Turns at the most.
    pub rounds: usize,
    /// Steps in each turn but the last, and when a minimum is one.
    pub minimize: MinimizeOptions,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self {
            rounds: 20,
            minimize: MinimizeOptions::default(),
        }
    }
}

/// Steps that bodies go while owners are still being found.
const STEPS: usize = 2;
/// Scatter that changes by less is settled.
const SETTLED: f64 = 1e-2;

/// How a frame ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The moment, seconds.
    pub time: f64,
    /// Turns, and the steps of all of them.
    pub rounds: usize,
    /// Steps.
    pub iterations: usize,
    /// How the last turn ended.
    pub found: Found,
    /// The slope that was left there.
    pub slope: f64,
    /// Largest gap of exact joints, meters.
    pub position_error: f64,
    /// Points that are nobody's.
    pub strays: usize,
}

/// The moments of all frames of points that pull bodies, ascending.
pub fn times(scene: &Scene) -> Vec<f64> {
    let pulls = scene.world.constraints().iter().filter_map(as_pull);
    let frames = pulls.flat_map(|own| own.sequence().frames.iter().map(|own| own.time));
    let mut times: Vec<f64> = frames.collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Brings bodies to where the points of a moment are.
pub fn fit_frame(
    scene: &mut Scene,
    simulator: &mut Simulator,
    time: f64,
    options: &TrackOptions,
) -> Result<Fitted, Fault> {
    scene.world.set_time(time)?;
    let few = options
        .minimize
        .with_max_iterations(STEPS.min(options.minimize.max_iterations));
    let (mut rounds, mut iterations) = (0, 0);
    loop {
        rounds += 1;
        let owners = find_owners(scene)?;
        let is_settled = owners.changed == 0 && owners.rescaled <= SETTLED;
        let is_last = owners.pulls == 0 || is_settled || rounds >= options.rounds;
        let options = if is_last { &options.minimize } else { &few };
        let report = simulator.minimize(&mut scene.world, options)?;
        iterations += report.iterations;
        if is_last {
            return Ok(Fitted {
                time,
                rounds,
                iterations,
                found: report.found,
                slope: report.slope,
                position_error: report.position_error,
                strays: owners.strays,
            });
        }
    }
}
