//! A solution, by the user's ids.

use crate::connector::Connector;
use crate::error::Error;
use crate::solve::Solution;
use crate::world::{BodyId, ConstraintId, GROUND, World};

impl Solution {
    /// The motion of one body, in its velocity coordinates: its acceleration, when the solution is
    /// one of accelerations. Empty for the ground; zero for what is disabled.
    ///
    /// `world` must be the one that was solved, not edited since.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), linkwork::Error> {
    /// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    /// let ball = world.add_body("ball", Particle { mass: 2.0 })?;
    /// let mut simulator = Simulator::new();
    /// let solution = simulator.accelerations(&world, Method::Direct);
    /// let acceleration = solution.of_body(&world, ball)?;
    /// assert!((acceleration[1] + 9.81).abs() < 1e-14);
    /// # Ok(()) }
    /// ```
    pub fn of_body(&self, world: &World, id: BodyId) -> Result<&[f64], Error> {
        Error::require_length("solution.motion", self.motion.len(), world.state().v.len())?;
        if id == GROUND {
            return Ok(&[]);
        }
        Ok(&self.motion[world.body_record(id)?.v_range()])
    }

    /// The multipliers of one constraint, one per row.
    ///
    /// `world` must be the one that was solved, not edited since. For forces and torques in a frame
    /// of one's choice, see [`World::reaction`].
    pub fn of_constraint(&self, world: &World, id: ConstraintId) -> Result<&[f64], Error> {
        let n_rows = world.state().lambda.len();
        Error::require_length("solution.lambda", self.lambda.len(), n_rows)?;
        Ok(&self.lambda[world.constraint_record(id)?.row_range()])
    }
}

impl World {
    /// `ẍ = Σ L·v̇ + ℓ` of a connector (Metaxas 1993, eq. 11), for accelerations `v_dot` of the whole
    /// world, such as [`Solution::motion`]. As many numbers as the connector's rate has: three for
    /// a point; for a frame, the acceleration of its origin and the angular acceleration.
    pub fn connector_acceleration(
        &self,
        connector: &Connector,
        v_dot: &[f64],
    ) -> Result<Vec<f64>, Error> {
        Error::require_length("v_dot", v_dot.len(), self.state().v.len())?;
        let motion = self.connector_motion(connector)?;
        let mut x_ddot = motion.ell;
        for side in &motion.sides {
            let v_dot = &v_dot[self.body_record(side.body)?.v_range()];
            for (x_ddot, row) in x_ddot.iter_mut().zip(side.L.chunks_exact(v_dot.len())) {
                for (entry, v_dot) in row.iter().zip(v_dot) {
                    *x_ddot += entry * v_dot;
                }
            }
        }
        Ok(x_ddot)
    }
}
