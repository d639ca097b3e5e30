//! The momentum and the center of mass of a world.

use crate::body::Momentum;
use crate::math::{Vec3, add, scale};
use crate::world::World;

impl World {
    /// Linear momentum, and angular momentum about the world's origin, of all enabled bodies.
    pub fn momentum(&self) -> Momentum {
        let state = self.state();
        let mut sum = Momentum::default();
        for record in self.bodies().iter().filter(|record| record.enabled()) {
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            let part = record.body().momentum(q, v);
            sum.linear = add(sum.linear, part.linear);
            sum.angular = add(sum.angular, part.angular);
        }
        sum
    }

    /// Mass and center of mass, in world coordinates, of all enabled bodies; `None` when nothing
    /// has mass.
    pub fn center_of_mass(&self) -> Option<(f64, Vec3)> {
        let (mut mass, mut moment) = (0.0, [0.0; 3]);
        for record in self.bodies().iter().filter(|record| record.enabled()) {
            let q = &self.state().q[record.q_range()];
            let (part, center) = record.body().center_of_mass(q);
            mass += part;
            moment = add(moment, scale(part, center));
        }
        (mass > 0.0).then(|| (mass, scale(1.0 / mass, moment)))
    }
}
