//! Full turns: the part of an angle in space that is state.
//!
//! A pose tells an angle θ only between −π and π. The whole turns `k` that a joint has made besides are
//! state. Its angle over full turns is
//!
//! ```text
//!     φ = θ + 2π·k
//! ```
//!
//! Within a frame, `k` is that of the φ nearest to where the angle was last seen, moved on with the mean of
//! its rates then and now; so a spin of many turns a frame is counted right.

use std::f64::consts::TAU;

use crate::error::Error;
use crate::linalg::clone_in_room;

/// More turns than these leave an angle too few digits.
const MOST: f64 = 1e12;

/// The full turns of all angles that joints and springs measure in space.
#[derive(Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Turns {
    /// Turns made by the angles of constraints, whole numbers. Infinite where nobody has counted yet: then
    /// it is the turn for which the joint is nearest to closed.
    pub joints: Vec<f64>,
    /// Likewise of behaviors.
    pub springs: Vec<f64>,
    /// During a frame: where the angles of joints and then of springs were last seen.
    seen: Vec<Seen>,
    /// When that was.
    seen_at: f64,
}

/// An angle when it was last seen: its part of a turn, and turns per second.
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

    /// Room for as many as another.
    pub(crate) fn size(&mut self, like: &Self) {
        self.joints.clone_from(&like.joints);
        self.springs.clone_from(&like.springs);
        self.seen.clear();
        let n = self.joints.len() + self.springs.len();
        self.seen.resize(n, Seen::default());
    }

    /// Counts on from where angles have been seen; what nobody has counted stays so unless it `begins`.
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

    /// The frame is over: only counts stay.
    pub(crate) fn settle(&mut self) {
        self.seen.clear();
        self.seen_at = 0.0;
    }

    /// Angles are about to be seen at `t`. What takes no part keeps its count.
    pub(crate) fn see_at(&mut self, t: f64, now: &Self) {
        self.joints.copy_from_slice(&now.joints);
        self.springs.copy_from_slice(&now.springs);
        self.seen_at = t;
    }

    /// An angle over full turns where it was last seen, rad, and its rate.
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

    /// The turns of an angle that is now `part` of a turn, at `rate`; nothing where nobody has counted.
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

    /// `Ok` when there are as many as now.
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
    /// Where turns are counted from, and the time of the angles. Without it none was counted.
    pub(crate) from: Option<(&'a Turns, f64)>,
    /// Where the counts go.
    pub(crate) into: Option<&'a mut Turns>,
    /// Where its angles begin.
    pub(crate) first: usize,
}

impl Counter<'_> {
    /// `2π·k` of angle number `angle`, which is `theta` within a turn and moves at `theta_dot`. Where
    /// nobody has counted, the turn that brings it nearest to `closed`.
    pub fn full_turns(&mut self, angle: usize, theta: f64, theta_dot: f64, closed: f64) -> f64 {
        let angle = self.first + angle;
        let (part, rate) = (theta / TAU, theta_dot / TAU);
        let counted = self
            .from
            .and_then(|(turns, t)| turns.nearest(angle, t, part, rate));
        // Not −0: a count has one zero.
        let count = counted.unwrap_or_else(|| libm::round((closed - theta) / TAU)) + 0.0;
        if let Some(turns) = &mut self.into {
            *turns.count_mut(angle) = count;
            turns.seen[angle] = Seen { part, rate };
        }
        TAU * count
    }
}
