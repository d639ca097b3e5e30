//! Watches a throw: is all finite, is energy made, does anything sink in, does a joint open, is what failed said?
//!
//! `bench/src/throws.rs` takes this file too, hence no `unwrap`.

use linkwork::prelude::*;
use linkwork::world::BodyRecord;

use super::throw::{Throw, throw};

/// How long a frame is, s.
const DT: f64 = 1.0 / 60.0;
/// A frame without drives may gain this part of the largest energy so far, beyond what it gains without contact.
pub(crate) const GAIN: f64 = 1e-3;
/// Bodies may be this deep in each other after a frame, m.
pub(crate) const OVERRUN: f64 = 1e-6;
/// Joints may be open by this after a frame, m.
pub(crate) const OPEN: f64 = 1e-6;
/// What a report tells of places is what there is but for round-off, m and rad.
pub(crate) const TOLD: f64 = 1e-12;
/// What is left of the law counts as said if it is more, m/s.
pub(crate) const LAW: f64 = 1e-6;

/// What was found along a throw.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) n_frames: usize,
    pub(crate) is_driven: bool,
    /// Why the throw ended early.
    pub(crate) refused: Option<String>,
    pub(crate) not_finite: bool,
    /// The largest gain of a frame without drives, as a part of the largest energy so far, beyond what it gains
    /// without contact; and in which frame.
    pub(crate) gain: f64,
    pub(crate) gain_frame: usize,
    /// Frames that gained too much, and those that do so without contact too.
    pub(crate) gaining: usize,
    pub(crate) excused: usize,
    pub(crate) overrun: f64,
    pub(crate) sunk: usize,
    pub(crate) law: f64,
    pub(crate) said: usize,
    /// Of the frames that gained too much or sank in: those of whose law nothing is said.
    pub(crate) unsaid: usize,
    pub(crate) gap: f64,
    /// Frames after which a joint is open.
    pub(crate) open: usize,
    /// By how much joints and ropes are further open than reports say, m and rad.
    pub(crate) untold: f64,
    pub(crate) blows: usize,
    /// Most iterations in a frame.
    pub(crate) iterations: usize,
}

/// One frame, for whoever looks at a single throw.
pub(crate) struct Frame<'a> {
    pub(crate) world: &'a World,
    pub(crate) report: &'a StepReport,
    pub(crate) energy: f64,
    /// As [`Found::gain`].
    pub(crate) gain: f64,
}

/// Throws, and watches.
pub(crate) fn judge(seed: u64, mut each: impl FnMut(&Frame<'_>)) -> Found {
    let mut found = Found::default();
    let Throw {
        mut world,
        n_frames,
        is_driven,
    } = match throw(seed) {
        Ok(thrown) => thrown,
        Err(error) => {
            found.refused = Some(format!("not built: {error}"));
            return found;
        }
    };
    found.is_driven = is_driven;
    let options = StepOptions::interactive(DT);
    let mut simulator = Simulator::new();
    let mut last = energy(&world);
    let mut largest = last.abs();
    for frame in 0..n_frames {
        let report = match simulator.step(&mut world, &options) {
            Ok(report) => report,
            Err(error) => {
                found.refused = Some(format!("frame {frame}: {error}"));
                return found;
            }
        };
        found.n_frames += 1;
        let now = energy(&world);
        let mut state = world.state().q.iter().chain(&world.state().v);
        if !now.is_finite() || !state.all(|value| value.is_finite()) {
            found.not_finite = true;
            return found;
        }
        let mut gain = (now - last) / largest;
        let mut is_wrong = report.overrun > OVERRUN;
        if gain > GAIN && !is_driven {
            let free = gain_without_contact(seed, frame) / largest;
            gain -= free.max(0.0);
            let too_much = gain > GAIN;
            found.gaining += usize::from(too_much);
            found.excused += usize::from(!too_much);
            is_wrong |= too_much;
        }
        if gain > found.gain && !is_driven {
            (found.gain, found.gain_frame) = (gain, frame);
        }
        note(&mut found, &report, is_wrong);
        found.untold = found.untold.max(untold(&world, &report));
        each(&Frame {
            world: &world,
            report: &report,
            energy: now,
            gain,
        });
        largest = largest.max(now.abs());
        last = now;
    }
    found
}

fn note(found: &mut Found, report: &StepReport, is_wrong: bool) {
    found.overrun = found.overrun.max(report.overrun);
    found.sunk += usize::from(report.overrun > OVERRUN);
    found.law = found.law.max(report.law_error);
    found.said += usize::from(report.law_error > LAW);
    found.unsaid += usize::from(is_wrong && report.law_error <= LAW);
    found.gap = found.gap.max(report.position_error);
    found.open += usize::from(report.position_error > OPEN);
    found.blows += report.blows;
    found.iterations = found.iterations.max(report.effort.iterations);
}

/// By how much what a report tells of joints is not what the world is measured to be, or a rope is longer than it
/// tells, m and rad.
fn untold(world: &World, report: &StepReport) -> f64 {
    let Ok(errors) = world.constraint_errors() else {
        return f64::INFINITY;
    };
    let (mut position, mut angle, mut beyond) = (0.0f64, 0.0f64, 0.0f64);
    for error in errors {
        // Limits of angles are told in meters.
        if error.label.starts_with("rope") {
            beyond = beyond.max(error.position);
        } else if error.label.starts_with("hinge") || error.label.starts_with("ball") {
            position = position.max(error.position);
            angle = angle.max(error.angle);
        }
    }
    let joints = (position - report.position_error).abs();
    let angles = (angle - report.angle_error).abs();
    joints.max(angles).max(beyond - report.overrun)
}

/// What a frame gains if nothing collides in it, J: the same throw again until then.
fn gain_without_contact(seed: u64, frame: usize) -> f64 {
    let gain = || -> Result<f64, Error> {
        let mut world = throw(seed)?.world;
        let options = StepOptions::interactive(DT);
        let mut simulator = Simulator::new();
        for _ in 0..frame {
            simulator.step(&mut world, &options)?;
        }
        let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
        for id in ids.into_iter().chain([GROUND]) {
            world.set_colliders(id, vec![])?;
        }
        let before = energy(&world);
        simulator.step(&mut world, &options)?;
        Ok(energy(&world) - before)
    };
    gain().unwrap_or(0.0)
}

/// Above the floor, J.
fn energy(world: &World) -> f64 {
    world.energy().map_or(f64::NAN, |energy| energy.total())
}
