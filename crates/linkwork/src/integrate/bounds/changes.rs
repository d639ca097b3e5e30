//! Finds where something begins or ceases to slip, or to give way. A step of `Precise` ends there.
//!
//! A step is of second order if each part of a set either slips or sticks during the whole step. A part slips at the
//! start if its rates `u₀` exceed ε. Let `w = u₀/|u₀|`, and `lack` the amount by which its friction is below its bound.
//! Then
//!
//! ```text
//!     s(h) = w·u(h) − √W·Σ √W·lack        as if everything slipped on
//! ```
//!
//! is smooth in h and zero where slipping ceases. If a step passes that zero, it is repeated with the length that the
//! secant gives. (The sum is over all parts that cease in the step. So s is never too large, and the step never too
//! long.) From a step that ends before the zero, Newton's method gives the length of the next one from the rates at
//! both ends.
//!
//! A part that sticks begins to slip within the step if the whole impulse is at its bound, or that of the second half,
//! which belongs to the end of the step. The place is found by bisection, until the error in rates is below ε: the rate
//! at the end, or W times the impulse of the second half beyond the bound. This error is of second order in h, so a few
//! halvings suffice.

use super::super::tolerances::{AT_BOUND, MOMENT, NOISE, TOUCHES};
use super::{BoundedSteps, Try};
use crate::linalg::bounded::Set;
use crate::system::System;
use std::ops::Range;

/// How a try looks for changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slips {
    /// What is slower does not slip, m/s or rad/s; infinite where changes are not looked for.
    pub(super) slow: f64,
    /// What happened where the step begins.
    pub(super) begins: Begins,
}

impl Slips {
    /// Changes are not looked for.
    pub(super) const IGNORED: Self = Self {
        slow: f64::INFINITY,
        begins: Begins::Alike,
    };
}

/// What happened to slipping where a step begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Begins {
    /// Nothing.
    #[default]
    Alike,
    /// Something ceased to slip, or nobody knows: what sticks there may slip at once.
    Anew,
    /// Something began to slip.
    Slipping,
}

/// What becomes of slipping in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Change {
    /// What slips slips on, what sticks sticks.
    #[default]
    Nothing,
    /// Something changes where the step ends, so that the next one begins otherwise.
    AtEnd(Begins),
    /// Something changes before: a step of so many seconds is next.
    Within(f64),
}

/// Rows of a set that slip together, among those chosen.
struct Part {
    rows: Range<usize>,
    law: Law,
}

/// What a part pushes with.
#[derive(Clone, Copy)]
enum Law {
    Between {
        least: f64,
        most: f64,
    },
    /// At the most this part of what a row pushes with.
    Friction {
        normal: usize,
        coefficient: f64,
    },
}

impl Part {
    /// By how much less it is braked along `way` than it could be.
    fn lack(&self, impulse: &[f64], way: impl Fn(usize) -> f64) -> f64 {
        let along: f64 = self.rows.clone().map(|row| way(row) * impulse[row]).sum();
        match self.law {
            Law::Between { most, .. } if way(self.rows.start) < 0.0 => most + along,
            Law::Between { least, .. } => along - least,
            Law::Friction {
                normal,
                coefficient,
            } => along + coefficient * impulse[normal],
        }
    }

    /// How far the impulse of a step and those of its halves are within bounds; less than nothing beyond them. A half
    /// has half of what bounds a step: what keeps bodies out of stops is in the first alone.
    fn room(&self, whole: &[f64], first: impl Fn(usize) -> f64) -> Room {
        let start = self.rows.start;
        match self.law {
            Law::Between { least, most } => {
                let (r, first) = (whole[start], first(start));
                let is_low = r - least < most - r;
                let room = |r: f64, part: f64| match is_low {
                    true => r - part * least,
                    false => part * most - r,
                };
                let is_stop = most == f64::INFINITY;
                let second = if is_stop { 0.0 } else { room(r - first, 0.5) };
                Room {
                    most: if is_low { least.abs() } else { most },
                    whole: room(r, 1.0),
                    first: room(first, 0.5),
                    second,
                    has_second: !is_stop,
                }
            }
            Law::Friction {
                normal,
                coefficient,
            } => {
                let most = coefficient * whole[normal];
                let rows = || self.rows.clone();
                let size = |r: &dyn Fn(usize) -> f64| {
                    let squares = rows().map(|k| r(k) * r(k));
                    squares.sum::<f64>().sqrt()
                };
                Room {
                    most,
                    whole: most - size(&|k| whole[k]),
                    first: 0.5 * most - size(&first),
                    second: 0.5 * most - size(&|k| whole[k] - first(k)),
                    has_second: true,
                }
            }
        }
    }
}

/// How far impulses are within bounds.
struct Room {
    /// What the bound is.
    most: f64,
    whole: f64,
    first: f64,
    second: f64,
    has_second: bool,
}

impl Room {
    /// Whether it pushes as much as it can, in all or where the step ends.
    fn is_none(&self) -> bool {
        let least = if self.most.is_finite() {
            (1.0 - AT_BOUND) * self.most
        } else {
            0.0
        };
        self.whole <= least || self.has_second && self.second <= 0.5 * least
    }
}

impl BoundedSteps {
    /// Visits what slips or sticks together in the last solve. What was not met yet does neither.
    fn for_each_part(&self, system: &System, mut visit: impl FnMut(&Part)) {
        for group in &self.over.groups {
            let at = self.over.chosen[group.start];
            let row = &system.bounded[at];
            if row.is_stop() && (self.gap[at] > TOUCHES || !row.is_hard_stop(system)) {
                continue;
            }
            let law = match group.set {
                Set::Between { least, most } => Law::Between { least, most },
                Set::Cone { .. } | Set::Cones(_) => Law::Between {
                    least: 0.0,
                    most: f64::INFINITY,
                },
                Set::Nothing | Set::Ball { .. } => continue,
            };
            let rows = group.start..group.start + 1;
            visit(&Part { rows, law });
            let pushes = self.over.impulse[group.start] > 0.0;
            for (rows, coefficient) in group.set.slips(group.n).filter(|_| pushes) {
                let normal = group.start;
                let rows = normal + rows.start..normal + rows.end;
                let law = Law::Friction {
                    normal,
                    coefficient,
                };
                visit(&Part { rows, law });
            }
        }
    }

    /// What a part slips with where the step begins, m/s; none if that is slow.
    fn slip(&self, system: &System, part: &Part, slow: f64) -> Option<f64> {
        let at = self.over.chosen[part.rows.start];
        let rates = part
            .rows
            .clone()
            .map(|row| self.rate[self.over.chosen[row]]);
        let slip = rates.map(|u| u * u).sum::<f64>().sqrt();
        let least = slow * system.bounded[at].scale(system);
        (slip > least.max(self.noise)).then_some(slip)
    }

    /// Whether something ceased to slip in a step of `h` seconds: when, and how much its rate is off by, in units of
    /// what is slow. Notes when something will.
    fn ceases(&mut self, system: &System, h: f64, slow: f64) -> Option<(f64, f64)> {
        let after = |part: &Part, slip: f64| {
            let way = |row: usize| self.rate[self.over.chosen[row]] / slip;
            let rows = part.rows.clone();
            let s: f64 = rows.map(|row| way(row) * self.over.left[row]).sum();
            let scale = system.bounded[self.over.chosen[part.rows.start]].scale(system);
            let root = self.over.own_response[part.rows.start].sqrt();
            (s, slow * scale, root, part.lack(&self.over.impulse, way))
        };
        let (mut sum, mut soonest) = (0.0, f64::INFINITY);
        self.for_each_part(system, |part| {
            if let Some(slip) = self.slip(system, part, slow) {
                let (s, slow, root, lack) = after(part, slip);
                if s > slow {
                    let left = if s < slip {
                        h * s / (slip - s)
                    } else {
                        f64::INFINITY
                    };
                    soonest = left.min(soonest);
                } else if lack.is_finite() {
                    sum += root * lack;
                }
            }
        });
        let mut found: Option<(f64, f64)> = None;
        self.for_each_part(system, |part| {
            let Some(slip) = self.slip(system, part, slow) else {
                return;
            };
            let (s, slow, root, lack) = after(part, slip);
            if s > slow || !lack.is_finite() {
                return;
            }
            let on = s - root * sum;
            let (t, off) = (h * slip / (slip - on), on.abs() / slow);
            found = Some(match found {
                Some((first, most)) => (t.min(first), off.max(most)),
                None => (t, off),
            });
        });
        self.soonest = soonest;
        found
    }

    /// What becomes of slipping in the step whose second half was solved.
    pub(super) fn see_change(&mut self, system: &System, own: &Try) {
        self.change = Change::Nothing;
        self.soonest = f64::INFINITY;
        let slips = own.slips;
        if slips.slow == f64::INFINITY || self.struck {
            return;
        }
        // Impulses are found with responses.
        let chosen = self.over.chosen.iter();
        let most = chosen.fold(0.0f64, |most, &at| most.max(self.slope[at].abs()));
        self.noise = NOISE * own.dt * most;
        let mut change = match self.ceases(system, own.h, slips.slow) {
            Some((t, off)) if off > 1.0 => Change::Within(t),
            Some(_) => Change::AtEnd(Begins::Anew),
            None => Change::Nothing,
        };
        self.for_each_part(system, |part| {
            if self.slip(system, part, slips.slow).is_some() {
                return;
            }
            let first = |row: usize| self.first[self.over.chosen[row]];
            let room = part.room(&self.over.impulse, first);
            if !room.is_none() || slips.begins == Begins::Slipping {
                return;
            }
            let left = part.rows.clone().map(|row| self.over.left[row]);
            let rate = left.map(|u| u * u).sum::<f64>().sqrt();
            let response = self.over.own_response[part.rows.start];
            let scale = system.bounded[self.over.chosen[part.rows.start]].scale(system);
            let slow = slips.slow * scale;
            let off = match slips.begins {
                // What it could be pushed with more where the step begins, before it slips: nothing, if it slips at
                // once.
                Begins::Anew if rate > slow => {
                    let short = response * room.first.max(0.0);
                    short * short / (rate + 2.0 * short)
                }
                _ => rate.max(-response * room.second),
            };
            change = match (off <= slow, change) {
                (true, Change::Within(t)) => Change::Within(t),
                (true, _) if slips.begins == Begins::Anew && rate > slow => change,
                (true, _) => Change::AtEnd(Begins::Slipping),
                (false, Change::Within(t)) => Change::Within(t.min(0.5 * own.h)),
                (false, _) => Change::Within(0.5 * own.h),
            };
        });
        self.change = match change {
            Change::Within(t) if t <= MOMENT * own.dt => Change::AtEnd(Begins::Anew),
            change => change,
        };
    }
}
