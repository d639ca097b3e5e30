//! Contacts that give way: a spring with a damper along the normal, which pushes and does not pull.
//!
//! The rule of soft rows (`docs/adr/0012-soft-rows-in-rattle.md`) with a law in place of an equation. With compliance α
//! and damping time τ,
//!
//! ```text
//!     e = gap + φ·(gap′ − gap)                                     φ = ½ + s/2 + τ/h
//!     e + (2α/h)·r₁ ≥ 0  ⊥  r₁ ≥ 0                                 first half: implicit in gap′
//!     e + s·(h/2)·u′ + (2α/h)·(r − r₁) ≥ 0  ⊥  r ≥ 0               second half: implicit in u′
//!     s = x/(16 + x),   x = h²·w/α                                 w: what the row could do if nothing held the bodies
//! ```
//!
//! Divided by φ·h and by s·h/2 these are rows of rates that give way, beside the others of their contact: friction has
//! the cone of the force that is found with it. Where s is small, a step is the trapezoidal rule, which keeps energy;
//! where it is one, it is implicit, and the limit α → 0 is what is hard. Nothing hits what gives way, but a step ends
//! where a damper begins to act: before that it would push from afar.

use super::super::tolerances::{LEAST_BLEND, TOUCHES};
use super::BoundedSteps;
use super::over::Give;
use crate::frame::Frame;
use crate::system::{Softness, System};

/// How a row gives way in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    h: f64,
    compliance: f64,
    /// φ and s.
    part: f64,
    blend: f64,
    /// x.
    stiffness: f64,
}

impl Rule {
    /// Of a row with a mobility w, 1/kg, in a step of `h` seconds.
    fn new(own: Softness, mobility: f64, h: f64) -> Self {
        let stiffness = (h * h * mobility / own.compliance).max(f64::MIN_POSITIVE);
        let blend = (stiffness / (16.0 + stiffness)).max(LEAST_BLEND);
        Self {
            h,
            compliance: own.compliance,
            part: 0.5 + 0.5 * blend + own.damping_time / h,
            blend,
            stiffness,
        }
    }

    /// e, m.
    fn error(&self, gap: f64, then: f64) -> f64 {
        gap + self.part * (then - gap)
    }

    fn first(&self) -> Give {
        Give {
            compliance: 2.0 * self.compliance / (self.part * self.h * self.h),
            times: 2.0 / (self.part * self.stiffness),
        }
    }

    fn second(&self) -> Give {
        Give {
            compliance: 4.0 * self.compliance / (self.blend * self.h * self.h),
            times: 4.0 / (self.blend * self.stiffness),
        }
    }

    /// What is to be added to the rate of the row in the first half, where no impulse acts yet, m/s.
    pub(super) fn closing(&self, gap: f64) -> f64 {
        gap / (self.part * self.h)
    }

    /// The rate of the row in the first half, as far as a flight shows it, with what its impulse gives way by, m/s.
    pub(super) fn rate(&self, gap: f64, then: f64, impulse: f64) -> f64 {
        self.error(gap, then) / (self.part * self.h) + self.first().compliance * impulse
    }

    /// What is to be added to the rate of the row in the second half, of which the law is on the whole impulse, m/s.
    pub(super) fn landing(&self, gap: f64, then: f64, first: f64) -> f64 {
        2.0 * self.error(gap, then) / (self.blend * self.h) - self.second().compliance * first
    }

    /// How far the force is from what the spring says, m.
    pub(super) fn open(&self, gap: f64, then: f64, impulse: f64) -> f64 {
        self.error(gap, then) + 2.0 * self.compliance / self.h * impulse
    }
}

impl BoundedSteps {
    /// Says how the chosen rows give way in a step of `h` seconds.
    pub(super) fn note_soft(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.rules.fill(None);
        self.gives.fill(Give::default());
        for i in 0..self.over.chosen.len() {
            let at = self.over.chosen[i];
            let system = frame.equations.system();
            let row = system.bounded[at];
            let Some(own) = row.softness(system) else {
                continue;
            };
            self.load.fill(0.0);
            row.push(system, 1.0, &mut self.load);
            frame.equations.apply_inverse_mass(&mut self.load);
            let mobility = row.motion(frame.equations.system(), &self.load);
            let rule = Rule::new(self.touched(at, own), mobility, h);
            self.rules[at] = Some(rule);
            self.gives[at] = rule.first();
        }
    }

    /// A damper begins where things touch: a step that reaches it ends there (`locate`).
    fn touched(&self, at: usize, own: Softness) -> Softness {
        let damping_time = match self.gap[at] > TOUCHES {
            true => 0.0,
            false => own.damping_time,
        };
        Softness {
            damping_time,
            ..own
        }
    }

    /// Whether a damper begins to act within a step.
    pub(super) fn begins_to_damp(&self, system: &System, at: usize, h: f64) -> bool {
        let softness = system.bounded[at].softness(system);
        softness.is_some_and(|own| own.damping_time > 0.0)
            && self.gap[at] > TOUCHES
            && self.gap[at] + h * (self.rate[at] + 0.5 * h * self.slope[at]) < 0.0
    }

    /// The second half begins.
    pub(super) fn turn_soft(&mut self, system: &System) {
        for (at, row) in system.bounded.iter().enumerate() {
            if row.softness(system).is_some()
                && let Some(rule) = self.rules[at]
            {
                self.gives[at] = rule.second();
            }
        }
    }
}
