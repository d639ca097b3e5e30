//! `Simulator::assemble`: from parts strewn anywhere to a closed structure, committed once.

use std::ops::ControlFlow;

use crate::assembly::{self, AssembleOptions, AssemblyProgress, AssemblyReport};
use crate::equations::{Meter, Motion, Soft};
use crate::error::Error;
use crate::frame::Frame;
use crate::simulator::Simulator;
use crate::stabilize::TRIED_DAMPING;
use crate::world::World;

impl Simulator {
    /// Brings parts together until every constraint holds, wherever they are now, and makes their
    /// velocities consistent. Time stands still; the ground and bodies with prescribed motion stay
    /// where they are.
    ///
    /// Priority 0 is closed exactly; lower priorities come as close as that allows. Compliant rows pull
    /// without being required to close. Rows on rates hold the displacements as long as they can:
    /// a wheel rolls into place if rolling gets it there. Limits are met where a pose that meets them is found;
    /// else joints come first, and [`residuals`](crate::assembly::AssemblyReport::residuals) has the limits
    /// that are passed.
    ///
    /// The world keeps the result of an assembly that ends as
    /// [`Assembled`](crate::assembly::AssemblyOutcome::Assembled) or
    /// [`LeastSquares`](crate::assembly::AssemblyOutcome::LeastSquares).
    /// One that is interrupted or fails keeps the best state found, if that is better than
    /// the first; else the world stays as it was. An error leaves it untouched.
    ///
    /// ```
    /// use linkwork::assembly::AssemblyOutcome;
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let rod = Rod { length: 1.0, radius: 0.02, mass: 1.0 };
    /// let upper = world.add_body_at("upper", rod, Pose::at([5.0, 2.0, 0.0]))?;
    /// let lower = world.add_body_at("lower", rod, Pose::turned([-3.0, 0.0, 1.0], [0.0, 2.0, 1.0]))?;
    /// world.join("hook", Ball, GROUND.at([0.0; 3]), upper.at([-0.5, 0.0, 0.0]))?;
    /// world.join("elbow", Ball, upper.at([0.5, 0.0, 0.0]), lower.at([-0.5, 0.0, 0.0]))?;
    ///
    /// let report = Simulator::new().assemble(&mut world, &AssembleOptions::default())?;
    /// assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    /// assert!(report.position_error <= 1e-9 && report.residuals.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn assemble(
        &mut self,
        world: &mut World,
        options: &AssembleOptions,
    ) -> Result<AssemblyReport, Error> {
        self.assemble_with(world, options, &mut |_| ControlFlow::Continue(()))
    }

    /// [`Simulator::assemble`], which tells `progress` of every displacement and ends when that
    /// breaks.
    pub fn assemble_with(
        &mut self,
        world: &mut World,
        options: &AssembleOptions,
        progress: &mut dyn FnMut(&AssemblyProgress<'_>) -> ControlFlow<()>,
    ) -> Result<AssemblyReport, Error> {
        options.validate()?;
        self.ready(world);

        // From here on the assembly works on a copy of the state.
        let (method, tolerance) = (options.method, options.tolerance);
        let meter = &mut Meter::unlimited();
        let (mut frame, schemes, _) = self.frame(world, method, tolerance, TRIED_DAMPING, meter);
        // Scattered parts have made no turns yet.
        frame.counts_turns = false;
        frame.prepare(Motion::Displacement, Soft::Explicit);
        if let Some(refusal) = frame.not_finite() {
            return Err(refusal);
        }
        frame.note_strains();
        let closing = &mut schemes.closing;
        let most = options.max_iterations;
        let mut ended = assembly::assemble(&mut frame, closing, most, progress);
        let is_kept = ended.is_kept;
        if is_kept && frame.has_bounds() {
            let start = frame.state.clone();
            schemes.keep_limits(&mut frame);
            let push = &mut |frame: &mut Frame<'_, '_>| schemes.close_within_limits(frame);
            let from = (&start, most);
            if assembly::meet_limits(&mut frame, &mut ended, from, push, progress) {
                schemes.closing.make_rates_right(&mut frame, false);
            }
        }
        let report = frame.assembly_report(ended);
        frame.state.turns.settle();

        // Commit: the only write to `world`.
        if let Some(refusal) = self.refusal(world) {
            return Err(refusal);
        }
        if is_kept {
            world.keep_unmoved_touching(world.state(), &mut self.state);
            world.commit(&mut self.state);
        }
        Ok(report)
    }
}
