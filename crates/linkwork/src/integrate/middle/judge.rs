//! How fast tension is, which decides whether a step is taken along its middle.

use super::super::landing::Landing;
use super::super::tolerances::HOPELESS;
use super::Middle;
use crate::equations::{Motion, Soft};
use crate::frame::Frame;

/// How fast tension turns bodies or springs, compared with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::integrate) enum Tension {
    /// h·ω < 1: RATTLE follows.
    Slow,
    /// h·ω < 2: halving does.
    Fast,
    /// Faster: halving would not do, a step along the middle does.
    Taut,
    /// it cannot be taken along the middle, which needs exact solves and no goals.
    TooFast,
}

impl Middle {
    /// Whether strains of soft bodies are taut already where a step begins, which was filled: then a prediction,
    /// and the factor it takes, would tell nothing new. The impulses to start from are those of the forces of the last
    /// step.
    pub(in crate::integrate) fn find_taut_start(
        &self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        h: f64,
    ) -> bool {
        let system = frame.equations.system();
        let is_taut = self.is_soft
            && self.can_be_taken(frame)
            && !frame.is_open()
            && frame
                .springs
                .find_taut_start((frame.world, frame.state), system, h);
        if is_taut {
            for (impulse, lambda) in landing.impulse.iter_mut().zip(&frame.state.lambda) {
                *impulse = 0.5 * h * lambda;
            }
        }
        is_taut
    }

    /// It takes exact solves, and no goals.
    fn can_be_taken(&self, frame: &Frame<'_, '_>) -> bool {
        let has_lower = frame.equations.system().rows.has_lower();
        !frame.method.is_iterative() && !has_lower && frame.measured.contradiction == 0.0
    }

    /// Whether what was judged slow is not far from fast: h·ω > 1/2.
    pub(in crate::integrate) fn is_nearly_fast(&self, frame: &Frame<'_, '_>, h: f64) -> bool {
        let system = frame.equations.system();
        self.stiffness.exceeds_inertia(system, 4.0 * h * h)
    }

    /// How fast tension is, after a prediction, compared with h·ω of this limit. The landing holds its impulses.
    /// Sub-steps are parts of `whole` seconds.
    pub(in crate::integrate) fn judge(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &Landing,
        (h, limit, whole): (f64, f64, f64),
    ) -> Tension {
        let square = h * h / (limit * limit);
        let shortest = HOPELESS * (whole * whole / (limit * limit));
        let can_be_taken = self.can_be_taken(frame);
        let system = frame.equations.system();
        let impulse = &landing.impulse;
        self.stiffness.fill(system, impulse, 2.0 / h);
        self.stiffness.relieve_by_rotors(system, h * h);
        let mut is_fast = self.stiffness.exceeds_inertia(system, square);
        let mut is_taut = is_fast && self.stiffness.exceeds_inertia(system, 0.25 * square);
        if is_taut && !system.frames.is_empty() && self.stiffness.exceeds_inertia(system, shortest)
        {
            // No sub-step would be short enough. On a ball a body so light turns by itself, and the step along
            // its middle is for that; on a hinge or slider it turns with those it is joined to.
            self.stiffness.fill(system, impulse, 2.0 / h);
            let stiffness = &self.stiffness;
            is_fast = frame.equations.compare_with_inertia(stiffness, square);
            is_taut = is_fast
                && frame
                    .equations
                    .compare_with_inertia(stiffness, 0.25 * square);
        }
        let system = frame.equations.system();
        if can_be_taken && !is_taut && !frame.springs.is_empty() {
            let at = (frame.world, &*frame.state);
            is_taut = frame.springs.find_taut_strains(at, system, h);
            if let Some((across, equations)) = &mut self.across {
                let may_be = across.may_be_taut(system, impulse, h);
                is_taut |= may_be && {
                    let terms = frame.terms(Motion::Velocity, Soft::Rows);
                    let (pull, own) = across.at_start(equations, (frame.state, terms), impulse);
                    self.stiffness.fill(own, pull, 2.0 / h);
                    self.stiffness.exceeds_inertia(own, h * h) || across.is_taut(own, impulse, h)
                };
            }
            is_fast |= is_taut;
        }
        match is_fast {
            false => Tension::Slow,
            true if !can_be_taken => Tension::TooFast,
            true if is_taut => Tension::Taut,
            true => Tension::Fast,
        }
    }
}
