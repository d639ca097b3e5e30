//! Full turns: the part of an angle in space that is state.
//!
//! A pose determines an angle θ only between −π and π. The number k of full turns of a joint is state. Its
//! angle with full turns is
//!
//! ```text
//!     φ = θ + 2π·k
//! ```
//!
//! Within a frame, `k` is chosen such that φ is nearest to its last value plus the mean of the last and the
//! present rate times the elapsed time; so a spin of many turns a frame is counted correctly.

use std::f64::consts::TAU;

use crate::error::Error;
use crate::linalg::clone_in_room;

/// Largest number of turns: more would leave an angle too few digits.
const MOST: f64 = 1e12;

/// The full turns of all angles that joints and springs measure in space.
#[derive(Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Turns {
    /// Full turns of the angles of constraints, whole numbers. Infinite for an angle that is not counted yet,
    /// which is at the turn nearest to closed.
    pub joints: Vec<f64>,
    /// Likewise of behaviors.
    pub springs: Vec<f64>,
    /// During a frame: the last angles of joints, then of springs.
    seen: Vec<Seen>,
    /// The time of these.
    seen_at: f64,
}

/// The last value of an angle: its fraction of a turn, and turns per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    part: f64,
    rate: f64,
}

clone_in_room!(Turns {
    joints,
    springs,
    seen,
    seen_at,
});

impl Turns {
    /// Whether no angle is measured.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.springs.is_empty()
    }

    /// Whether any turn was made.
    pub(crate) fn any(&self) -> bool {
        let mut counts = self.joints.iter().chain(&self.springs);
        counts.any(|&count| count.is_finite() && count != 0.0)
    }

    /// Sizes it like another.
    pub(crate) fn size(&mut self, like: &Self) {
        self.joints.clone_from(&like.joints);
        self.springs.clone_from(&like.springs);
        self.seen.clear();
        let n = self.joints.len() + self.springs.len();
        self.seen.resize(n, Seen::default());
    }

    /// Continues from the last angles. Uncounted angles stay uncounted unless `begins`.
    pub(crate) fn follow(&mut self, seen: &Self, begins: bool) {
        if self.is_empty() {
            return;
        }
        let counts = self.joints.iter_mut().chain(&mut self.springs);
        for (count, seen) in counts.zip(seen.joints.iter().chain(&seen.springs)) {
            if begins || count.is_finite() {
                *count = *seen;
            }
        }
        self.seen.clone_from(&seen.seen);
        self.seen_at = seen.seen_at;
    }

    /// Ends a frame: keeps only the counts.
    pub(crate) fn settle(&mut self) {
        self.seen.clear();
        self.seen_at = 0.0;
    }

    /// Prepares for new angles at `t`. Inactive angles keep their counts.
    pub(crate) fn see_at(&mut self, t: f64, now: &Self) {
        self.joints.copy_from_slice(&now.joints);
        self.springs.copy_from_slice(&now.springs);
        self.seen_at = t;
    }

    /// The last value of an angle with full turns, rad, and its rate.
    pub(crate) fn angle(&self, angle: usize) -> Option<[f64; 2]> {
        let count = self.joints.get(angle)?;
        let seen = self.seen.get(angle)?;
        Some([TAU * (seen.part + count), TAU * seen.rate])
    }

    fn count_mut(&mut self, angle: usize) -> &mut f64 {
        let n = self.joints.len();
        if angle < n {
            &mut self.joints[angle]
        } else {
            &mut self.springs[angle - n]
        }
    }

    /// The full turns of an angle whose fraction of a turn is now `part`, at `rate`; `None` if not counted.
    fn nearest(&self, angle: usize, t: f64, part: f64, rate: f64) -> Option<f64> {
        let n = self.joints.len();
        let made = match angle < n {
            true => self.joints[angle],
            false => self.springs[angle - n],
        };
        match self.seen.get(angle) {
            _ if made.is_infinite() => None,
            None => Some(made),
            Some(seen) => {
                let moved = 0.5 * (t - self.seen_at) * (seen.rate + rate);
                Some(libm::round(made + (seen.part - part + moved)))
            }
        }
    }

    /// Refuses lists of other lengths.
    pub(crate) fn check_lengths(&self, now: &Self) -> Result<(), Error> {
        Error::require_length("state.turns.joints", self.joints.len(), now.joints.len())?;
        let (springs, now) = (self.springs.len(), now.springs.len());
        Error::require_length("state.turns.springs", springs, now)
    }

    /// What is wrong with counts that should be whole numbers of turns, or infinite for none.
    pub fn problem(counts: &[f64]) -> Option<String> {
        let is_wrong = |count: &f64| {
            let is_whole = libm::rint(*count) == *count && count.abs() <= MOST;
            !is_whole && *count != f64::INFINITY
        };
        let count = counts.iter().copied().find(is_wrong)?;
        let least = -MOST;
        let wanted = format!("give a whole number from {least:e} to {MOST:e}");
        Some(format!("is {count}; {wanted}"))
    }
}

/// Counts the full turns of the angles of one constraint or behavior.
#[derive(Debug, Default)]
pub struct Counter<'a> {
    /// The last counts, and the time of the angles; `None` if nothing was counted.
    pub(crate) from: Option<(&'a Turns, f64)>,
    /// The destination of the counts.
    pub(crate) into: Option<&'a mut Turns>,
    /// Where its angles begin.
    pub(crate) first: usize,
}

impl Counter<'_> {
    /// `2π·k` of angle number `angle`, which is `theta` within a turn, with rate `theta_dot`. If uncounted, the
    /// turn that brings it nearest to `closed`.
    pub fn full_turns(&mut self, angle: usize, theta: f64, theta_dot: f64, closed: f64) -> f64 {
        let angle = self.first + angle;
        let (part, rate) = (theta / TAU, theta_dot / TAU);
        let counted = self
            .from
            .and_then(|(turns, t)| turns.nearest(angle, t, part, rate));
        // Avoids −0.
        let count = counted.unwrap_or_else(|| libm::round((closed - theta) / TAU)) + 0.0;
        if let Some(turns) = &mut self.into {
            *turns.count_mut(angle) = count;
            turns.seen[angle] = Seen { part, rate };
        }
        TAU * count
    }
}
