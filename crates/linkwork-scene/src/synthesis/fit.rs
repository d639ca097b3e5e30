//! One design, many poses: Gauss–Newton on a world without momentum (Witkin 1990, §5.3).
//!
//! The design is a body of numbers, and so is every pose. Pins are hard rows, and the pen of each pose is pulled to its
//! point of the path. A frame of the world is one proximal step:
//!
//! ```text
//!     min ½·Σ |pen_k − z_k|² + |Δ|²_D/2h      such that all pins of all poses are closed
//! ```
//!
//! Poses meet only in the design, so the matrix is an arrow and the work is linear in their number.

use linkwork::body::{Number, Numbers};
use linkwork::connector::ConnectorKind;
use linkwork::prelude::*;

use super::linkage::{Linkage, Pose};
use super::path::distance;
use super::rows::{CRANK, Ordered, Pinned, Timed, Wanted};

/// The metric of a step for a path of size one: steps are long, and what no point of the path decides stays where it
/// is.
const METRIC: f64 = 1e-6;
/// That of the coordinates of poses: pins decide them, so that they need not resist too.
const OF_POSES: f64 = 1e-9;
/// What equal turns of the crank between poses weigh against the path, where timing is free.
const ORDER: f64 = 1e-6;
/// A frame that improves the distance by less than this part of it is the last one.
const SETTLED: f64 = 1e-2;
/// Distances that are round-off.
const ROUND_OFF: f64 = 1e-13;

/// What a fit begins with.
pub(super) struct Begin<'a> {
    pub(super) linkage: &'a Linkage,
    pub(super) design: &'a [f64],
    pub(super) poses: &'a [Pose],
    /// Where the pen of each pose shall be.
    pub(super) wanted: &'a [[f64; 2]],
    /// How far the crank turns from the first pose to each; none where timing is free.
    pub(super) lags: Option<&'a [f64]>,
    pub(super) most_frames: usize,
}

/// What it ends with.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// The design's numbers.
    pub(super) design: Vec<f64>,
    pub(super) poses: Vec<Pose>,
    /// Root of the mean square distance between pens and points.
    pub(super) rms: f64,
    pub(super) n_frames: usize,
}

/// The world of a fit.
struct Fit<'a> {
    begin: &'a Begin<'a>,
    world: World,
    design: BodyId,
    poses: Vec<BodyId>,
}

/// Fits a design.
pub(super) fn fit(begin: &Begin<'_>) -> Result<End, Error> {
    let mut fit = Fit::new(begin)?;
    let mut simulator = Simulator::new();
    let mut best = fit.end(0)?;
    for n_frames in 1..=begin.most_frames {
        // A frame that is refused changes nothing: what is there is what was found.
        let options = StepOptions::interactive(FRAME_SECONDS);
        if simulator.step(&mut fit.world, &options).is_err() {
            break;
        }
        let now = fit.end(n_frames)?;
        let gain = best.rms - now.rms;
        let is_first = n_frames == 1;
        if now.rms < best.rms || is_first {
            best = now;
        }
        if !is_first && (gain < SETTLED * best.rms || best.rms < ROUND_OFF) {
            break;
        }
    }
    Ok(best)
}

/// The length of a frame; with the metric it decides how far a step goes.
const FRAME_SECONDS: f64 = 1.0 / 60.0;

impl<'a> Fit<'a> {
    fn new(begin: &'a Begin<'a>) -> Result<Self, Error> {
        let mut world = World::new();
        world.set_dynamics(Dynamics::FirstOrder);
        let number = |name: String, start: f64, drag: f64| Number::new(name, start).with_drag(drag);
        let first = begin.poses.first().map_or(0.0, |pose| pose[CRANK]);
        // The phase is the last number of the design.
        let named = begin.linkage.numbers.iter().zip(begin.design);
        let lengths = named.map(|(name, start)| number(name.clone(), *start, METRIC));
        let phase = number("phase".to_owned(), first, METRIC);
        let design = Numbers::new(lengths.chain([phase]));
        let design = world.add_body("design", design)?;
        let mut poses = Vec::new();
        for (k, pose) in begin.poses.iter().enumerate() {
            let each = pose.iter().enumerate().map(|(at, start)| {
                let (bar, which) = (&begin.linkage.bars[at / 3], ["x", "y", "angle"][at % 3]);
                number(format!("{which} of {bar}"), *start, OF_POSES)
            });
            poses.push(world.add_body(&format!("pose {}", k + 1), Numbers::new(each))?);
        }
        let mut fit = Self {
            begin,
            world,
            design,
            poses,
        };
        fit.add_rows()?;
        Ok(fit)
    }

    fn add_rows(&mut self) -> Result<(), Error> {
        let begin = self.begin;
        let (n_pose, n_design) = (3 * begin.linkage.bars.len(), begin.design.len() + 1);
        let vector = |n: usize| ConnectorKind::Vector(n as u32);
        let kinds = [vector(n_pose), vector(n_design)];
        for (k, pose) in self.poses.iter().enumerate() {
            let ends = [pose.coordinates(), self.design.coordinates()];
            for (at, pin) in begin.linkage.pins.iter().enumerate() {
                let name = format!("{} {} of pose {}", pin.name, at + 1, k + 1);
                let places = pin.places;
                self.world
                    .add_constraint(&name, Pinned { kinds, places }, &ends)?;
            }
            let wanted = Wanted {
                kinds,
                pen: begin.linkage.pen,
                wanted: begin.wanted[k],
            };
            let id = self
                .world
                .add_constraint(&format!("point {}", k + 1), wanted, &ends)?;
            self.world.set_compliance(id, &[1.0; 2])?;
            if let Some(lags) = begin.lags {
                let timed = Timed {
                    kinds,
                    phase: n_design - 1,
                    lag: lags[k],
                };
                self.world
                    .add_constraint(&format!("time {}", k + 1), timed, &ends)?;
            }
        }
        if begin.lags.is_none() {
            self.add_order(vector(n_pose))?;
        }
        Ok(())
    }

    fn add_order(&mut self, kind: ConnectorKind) -> Result<(), Error> {
        let poses = self.begin.poses;
        let last = poses.len() - 1;
        let turn = (poses[last][CRANK] - poses[0][CRANK]) / last as f64;
        for (k, pair) in self.poses.windows(2).enumerate() {
            let kinds = [kind, kind];
            let ends = [pair[0].coordinates(), pair[1].coordinates()];
            let ordered = Ordered { kinds, turn };
            let id = self
                .world
                .add_constraint(&format!("order {}", k + 1), ordered, &ends)?;
            self.world.set_compliance(id, &[1.0 / ORDER])?;
        }
        Ok(())
    }

    fn end(&self, n_frames: usize) -> Result<End, Error> {
        let design = self.world.q(self.design)?;
        let design = design[..design.len() - 1].to_vec();
        let mut poses = Vec::new();
        let mut squares = 0.0;
        for (pose, wanted) in self.poses.iter().zip(self.begin.wanted) {
            let pose = self.world.q(*pose)?.to_vec();
            let apart = distance(self.begin.linkage.pen.world(&pose, &design), *wanted);
            squares += apart * apart;
            poses.push(pose);
        }
        Ok(End {
            rms: (squares / poses.len() as f64).sqrt(),
            design,
            poses,
            n_frames,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::super::four_bar::FourBar;
    use super::super::poses;
    use super::*;

    /// One design, forty poses, timing given, from a start that is far off: the design to nine digits.
    #[test]
    fn a_design_is_found_again() {
        const TRUTH: [f64; 9] = [0.0, 0.0, 2.0, 0.2, 0.6, 2.1, 1.5, 1.1, 0.9];
        const START: [f64; 9] = [0.2, -0.15, 1.8, 0.3, 0.45, 2.3, 1.7, 0.9, 0.7];
        const K: usize = 40;
        let lags: Vec<f64> = (0..K).map(|k| TAU * k as f64 / K as f64).collect();
        let truth = FourBar::of_design(&TRUTH, 1.0);
        let wanted: Vec<_> = lags
            .iter()
            .map(|lag| truth.pen_at(0.4 + lag).unwrap())
            .collect();
        let start = FourBar::of_design(&START, 1.0);
        let begin = Begin {
            linkage: &FourBar::linkage(),
            design: &START,
            poses: &poses(&start, &lags).unwrap(),
            wanted: &wanted,
            lags: Some(&lags),
            most_frames: 20,
        };
        let end = fit(&begin).unwrap();
        for (found, wanted) in end.design.iter().zip(TRUTH) {
            assert!(
                (found - wanted).abs() < 1e-9,
                "{:?} after {} frames",
                end.design,
                end.n_frames
            );
        }
    }
}
