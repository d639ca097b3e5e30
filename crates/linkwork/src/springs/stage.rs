//! Springs at a stage of an implicit Runge–Kutta step.
//!
//! Newton's method solves for the acceleration y of a stage with the present value a. Changes of other stages
//! displace the stage by e and its velocity by g; its own change `y − a` displaces them by `h²·(y − a)` and
//! `h·(y − a)`, with h the stage's own time. A spring `λ = −(c + τ·ċ)/α` is then the row
//!
//! ```text
//!     J·y + α/(h·(h + τ))·λ = J·a − (c + J·e + τ·(ċ + J·g))/(h·(h + τ))
//! ```
//!
//! a damper `λ = −ċ/α` is `J·y + (α/h)·λ = J·a − (ċ + J·g)/h`, and a strain is the same row, eliminated within
//! its body.

use super::Springs;
use crate::equations::MassInverse;
use crate::system::{MAX_ROWS, System};

/// A stage: accelerations a, and displacements e and velocities g by other stages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached<'a> {
    pub(crate) v_dot: &'a [f64],
    pub(crate) ahead: &'a [f64],
    pub(crate) rate_ahead: &'a [f64],
}

/// A spring, by its position in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SpringAt {
    Constraint(u32),
    Body(u32),
}

impl Springs {
    /// Writes `C`, `M` and forces for accelerations over a time `h`, and the right-hand side of soft rows.
    pub(crate) fn enter_stage(
        &self,
        system: &mut System,
        h: f64,
        reached: Reached<'_>,
        b: &mut [f64],
    ) {
        self.soften_over(system, h);
        for soft in &self.soft {
            let source = &soft.source;
            let n = system.row_range(source.constraint).len();
            let along = |y: &[f64]| {
                let mut rows = [0.0; MAX_ROWS];
                system.constraint_motion(source.constraint, y, &mut rows[..n]);
                rows[source.of_constraint as usize]
            };
            let rate = system.c_dot[soft.row] + along(reached.rate_ahead);
            let asked = if source.position_level {
                let place = system.c[soft.row] + along(reached.ahead);
                (place + source.tau * rate) / (h * (h + source.tau))
            } else {
                rate / h
            };
            b[soft.row] = along(reached.v_dot) - asked;
        }
        for at in 0..self.strains.len() {
            let strain = system.strains[at].now;
            let place = strain.value + system.strain_motion(at, reached.ahead);
            let rate = strain.rate + system.strain_motion(at, reached.rate_ahead);
            let taken = system.strains[at].weight * system.strain_motion(at, reached.v_dot);
            let push = taken - strain.stiffness * place - strain.damping * rate;
            system.gradient_force(at, push);
        }
    }

    /// Writes `C` and `M` for motion over a time `h`, with springs by backward Euler.
    pub(crate) fn soften_over(&self, system: &mut System, h: f64) {
        self.soften_displacements(system, h);
        system.strengthen_displacements(h);
    }

    /// The fastest spring at the filled state, and its frequency or decay rate with free bodies, 1/s.
    pub(crate) fn fastest(&mut self, system: &mut System) -> Option<(f64, SpringAt)> {
        let mut fastest = None;
        let mut most = 0.0;
        if !self.is_empty() {
            self.inverse.factor(system);
        }
        for soft in &self.soft {
            let source = &soft.source;
            system.compliance[soft.row] = 0.0;
            let i = source.of_constraint as usize;
            let (inverse, scratch) = (&self.inverse, &mut self.scratch);
            let mobility = inverse.mobility(system, source.constraint, i, scratch);
            let square = mobility / source.alpha;
            let rate = if source.position_level {
                square.sqrt().max(source.tau * square)
            } else {
                square
            };
            if rate > most {
                most = rate;
                fastest = Some((rate, SpringAt::Constraint(source.record)));
            }
        }
        for (at, own) in system.strains.iter().enumerate() {
            let mobility = strain_mobility(&self.inverse, system, at, &mut self.scratch);
            let rate = (mobility * own.now.stiffness).sqrt();
            let rate = rate.max(mobility * own.now.damping);
            if rate > most {
                most = rate;
                fastest = Some((rate, SpringAt::Body(own.record)));
            }
        }
        fastest
    }
}

/// `S·M⁻¹·Sᵀ`, or its estimate by the diagonal of a patterned mass: a solve for each strain would cost more
/// than the step.
pub(super) fn strain_mobility(
    inverse: &MassInverse,
    system: &System,
    at: usize,
    scratch: &mut [f64],
) -> f64 {
    if let Some(mobility) = system.strain_mobility_by_diagonal(at) {
        return mobility;
    }
    let body = system.strains[at].body;
    let range = system.v_range(body);
    scratch[range.clone()].fill(0.0);
    system.add_strain_force(at, 1.0, scratch);
    inverse.apply(system, body, &mut scratch[range]);
    system.strain_motion(at, scratch)
}
