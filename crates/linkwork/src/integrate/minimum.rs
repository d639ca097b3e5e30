//! The search for a minimum: steps of the flow that grow while they help (Witkin 1990, §5.3).
//!
//! ```text
//!     q ← argmin E − f·q + |q ⊖ q₀|²_D/2h      h ← 10·h if E fell, else back, and h ← h/10
//! ```
//!
//! It ends where the measured slope with joints and stops held is negligible beside the slope without them; or
//! where steps no longer help and a Newton step would be negligible. Then everything is displaced a little: if
//! the energy ends lower, this was no minimum, and the search continues.

use super::Schemes;
use super::tolerances::{
    BOLD, BOLDER, BOLDEST, FALLS, FIRST_STRIDE, FLOW_ROUND_OFF, KICK, KICKED_STEPS, KICKS, PATIENT,
    TIMID, TOUCHES, VAIN,
};
use crate::equations::{Motion, Soft};
use crate::frame::Frame;
use crate::stabilize::CLOSINGS;
use crate::system::BoundedRow;
use crate::world::State;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// At a minimum: the slope is negligible, and displaced states did not end lower.
    Minimum,
    /// Steps no longer help, and the slope is above the tolerance.
    Stalled,
    /// The largest number of iterations was reached.
    Spent,
    /// Joints or inequalities contradict each other.
    Open,
}

/// A search that has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    pub(crate) found: Found,
    pub(crate) iterations: usize,
    pub(crate) refused: usize,
    /// The slope with joints and stops held, and without.
    pub(crate) slope: f64,
    pub(crate) steepest: f64,
}

/// A search in progress.
struct Search {
    /// The state before a step, and the best state.
    kept: State,
    force: Vec<f64>,
    way: Vec<f64>,
    h: f64,
    /// The longest step.
    boldest: f64,
    iterations: usize,
    refused: usize,
    /// Whether the last step decreased the stored energy by more than round-off.
    fell: bool,
}

impl Search {
    /// Keeps the state and its forces, which are in the probe.
    fn begin(&mut self, frame: &Frame<'_, '_>) {
        self.kept.clone_from(frame.state);
        self.force.copy_from_slice(&frame.equations.probe().force);
    }

    /// Work of forces since then: `f·(q ⊖ q₀)`.
    fn work(&mut self, frame: &Frame<'_, '_>) -> f64 {
        let layout = &frame.equations.layout;
        layout.way(frame.world, &frame.state.q, &self.kept.q, &mut self.way);
        self.way.iter().zip(&self.force).map(|(d, f)| d * f).sum()
    }
}

impl Schemes {
    /// Searches for a minimum of the objectives.
    pub(crate) fn seek(
        &mut self,
        frame: &mut Frame<'_, '_>,
        tolerance: f64,
        max_iterations: usize,
    ) -> Sought {
        frame.state.v.fill(0.0);
        let n_v = frame.state.v.len();
        let mut search = Search {
            kept: frame.state.clone(),
            force: vec![0.0; n_v],
            way: vec![0.0; n_v],
            h: FIRST_STRIDE,
            // Where stops push, impulses must not outgrow what bodies alone would answer to them.
            boldest: if frame.has_bounds() { BOLD } else { BOLDEST },
            iterations: 0,
            refused: 0,
            fell: false,
        };
        if !stored(frame, 0.0).is_finite() {
            // The energy is not finite: the search is refused.
            frame.state.lambda.fill(f64::NAN);
            return Sought {
                found: Found::Stalled,
                iterations: 0,
                refused: 0,
                slope: f64::NAN,
                steepest: f64::NAN,
            };
        }
        self.make_feasible(frame);
        let mut kicks = 0;
        loop {
            let (found, slope, steepest) =
                self.go_down(frame, &mut search, tolerance, max_iterations);
            let ended = Sought {
                found,
                iterations: search.iterations,
                refused: search.refused,
                slope,
                steepest,
            };
            if found != Found::Minimum || kicks == KICKS {
                return ended;
            }
            kicks += 1;
            if !self.fall_deeper(frame, &mut search, kicks) {
                return ended;
            }
        }
    }

    /// Steps until nothing decreases. Returns why it ended, and the slopes.
    fn go_down(
        &mut self,
        frame: &mut Frame<'_, '_>,
        search: &mut Search,
        tolerance: f64,
        max_iterations: usize,
    ) -> (Found, f64, f64) {
        let (mut least, mut vain) = (f64::INFINITY, 0);
        loop {
            let first_order = self.first_order.sized(|own| own.size(frame));
            let (slope, steepest) = first_order.slope(frame);
            if slope.is_finite() && slope <= tolerance * (1.0 + steepest) {
                let found = match check_closed(frame) {
                    true => Found::Minimum,
                    false => Found::Open,
                };
                return (found, slope, steepest);
            }
            // Without progress the search ends. Along a narrow valley slopes hardly change for many steps.
            let is_better = slope < 0.9 * least || search.fell;
            vain = if is_better { 0 } else { vain + 1 };
            if vain % VAIN == VAIN - 1 && frame.has_bounds() {
                // A place is known to the round-off of h·D⁻¹·r, what stops alone would move: a shorter step knows it
                // better.
                search.boldest /= BOLDER;
            }
            least = least.min(slope);
            let found = if search.iterations >= max_iterations {
                Found::Spent
            } else if vain > PATIENT || search.h < TIMID || !slope.is_finite() {
                // If the remaining slope would move nothing, it is round-off of large numbers, such as points
                // in micrometers.
                let first_order = self.first_order.sized(|own| own.size(frame));
                match slope.is_finite() && first_order.left_to_go(frame) <= tolerance {
                    true => Found::Minimum,
                    false => Found::Stalled,
                }
            } else {
                self.try_step(frame, search);
                continue;
            };
            let found = if check_closed(frame) {
                found
            } else {
                Found::Open
            };
            return (found, slope, steepest);
        }
    }

    /// A step, which is kept if the sum decreases.
    fn try_step(&mut self, frame: &mut Frame<'_, '_>, search: &mut Search) {
        search.iterations += 1;
        let w = weight(frame);
        let before = stored(frame, w);
        let was_closed = check_closed(frame);
        search.begin(frame);
        let first_order = self.first_order.sized(|own| own.size(frame));
        let moved = first_order.descend(frame, &mut self.closing, search.h);
        self.keep_limits(frame);
        let after = stored(frame, w);
        let work = search.work(frame);
        let round_off = 10.0 * FLOW_ROUND_OFF * (before.abs() + after.abs() + work.abs());
        // Stops are met only to the distance that counts as contact.
        let allowed = round_off + w * TOUCHES * frame.system().bounded.len() as f64;
        let is_lower = allowed.is_finite() && after - work <= before + allowed;
        let is_good = moved && is_lower && (check_closed(frame) || !was_closed);
        search.fell = is_good && before - (after - work) > FALLS * (before.abs() + after.abs());
        if is_good && frame.state.q.iter().all(|q| q.is_finite()) {
            search.h = (BOLDER * search.h).min(search.boldest);
        } else {
            frame.state.clone_from(&search.kept);
            search.h /= BOLDER;
            search.refused += 1;
        }
    }

    /// Displaces everything and searches again. Returns false, and restores the state, if the result is not
    /// lower.
    fn fall_deeper(&mut self, frame: &mut Frame<'_, '_>, search: &mut Search, kick: usize) -> bool {
        let w = weight(frame);
        // The work of forces on the way counts as stored.
        let mut least = stored(frame, w);
        search.begin(frame);
        let found = search.kept.clone();
        let length = KICK * frame.system().bar_length();
        for (k, way) in search.way.iter_mut().enumerate() {
            // A fixed direction, along no axis.
            *way = length * libm::sin(1.0 + 2.4 * (k + 17 * kick) as f64);
        }
        frame.displace(&search.way);
        self.make_feasible(frame);
        search.h = FIRST_STRIDE;
        least += search.work(frame);
        for _ in 0..KICKED_STEPS {
            self.try_step(frame, search);
            least += search.work(frame);
            if check_closed(frame)
                && stored(frame, w) < least - KICK * KICK * KICK * (1.0 + least.abs())
            {
                return true;
            }
        }
        frame.state.clone_from(&found);
        let first_order = self.first_order.sized(|own| own.size(frame));
        first_order.slope(frame);
        false
    }

    /// Closes joints, and pushes out violations of stops.
    fn make_feasible(&mut self, frame: &mut Frame<'_, '_>) {
        self.closing.close(frame, CLOSINGS, f64::INFINITY);
        self.keep_limits(frame);
    }
}

/// Stored energy at the state, plus `w` times the gaps of joints and stops. Fills the probe there.
fn stored(frame: &mut Frame<'_, '_>, w: f64) -> f64 {
    frame.fill_probe(Motion::Displacement, Soft::Rows);
    let probe = frame.equations.probe();
    let gaps = probe
        .rows
        .hard
        .iter()
        .map(|own| probe.c[own.0 as usize].abs());
    let stops = probe.bounded.iter().filter(|row| row.is_stop());
    let beyond = stops.map(|row| (-row.gap(probe)).max(0.0) / row.scale(probe));
    let open = gaps.sum::<f64>() + beyond.sum::<f64>();
    frame.springs.stored_energy(probe) + w * open
}

/// Twice the largest force of a hard row.
fn weight(frame: &Frame<'_, '_>) -> f64 {
    let system = frame.system();
    let hard = system.rows.hard.iter().map(|own| own.0 as usize);
    let stops = system.bounded.iter().filter_map(BoundedRow::row);
    let forces = hard.chain(stops).map(|row| frame.state.lambda[row].abs());
    2.0 * forces.fold(0.0f64, f64::max)
}

/// Whether joints and stops hold at the state. Fills the probe there.
fn check_closed(frame: &mut Frame<'_, '_>) -> bool {
    let tolerance = frame.tolerance;
    let probe = frame.fill_probe(Motion::Displacement, Soft::Rows);
    let stops = probe.bounded.iter().filter(|row| row.is_stop());
    let beyond = stops.map(|row| -row.gap(probe)).fold(0.0, f64::max);
    probe.gap().max(beyond) <= 2.0 * tolerance
}
