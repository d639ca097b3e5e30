//! A solid whose shape is held is a rigid body, and flies as one.

use super::ShapeBody;
use super::frame::FRAME_V;
use crate::body::mass_properties::inertia_from_second_moments;
use crate::body::{PrincipalInertia, rigid_free_flight};
use crate::math::{Vec3, add, cross, mat_vec, quat_to_matrix, scale, sub};

/// Where the mass is, in the frame, and its principal moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Still {
    center: Vec3,
    principal: PrincipalInertia,
}

impl Still {
    /// Of a shape that has no numbers.
    pub(super) fn of(body: &ShapeBody) -> Self {
        let points = || {
            let points = body.points.iter();
            points.map(|point| (body.map.place(point.u, &[]), point.mass))
        };
        let mut center = [0.0; 3];
        for (x, mass) in points() {
            center = add(center, scale(mass / body.total_mass, x));
        }
        let mut second = [0.0; 6];
        for (x, mass) in points() {
            let [x, y, z] = sub(x, center);
            let outer = [x * x, y * y, z * z, x * y, x * z, y * z];
            second
                .iter_mut()
                .zip(outer)
                .for_each(|(s, o)| *s += mass * o);
        }
        Self {
            center,
            principal: PrincipalInertia::of(&inertia_from_second_moments(&second)).alone(),
        }
    }

    pub(super) fn fly(&self, q: &mut [f64], v: &mut [f64], h: f64) {
        let arm = |q: &[f64]| {
            let rotation = quat_to_matrix([q[3], q[4], q[5], q[6]]);
            mat_vec(&rotation, self.center)
        };
        let turning = |v: &[f64]| [v[3], v[4], v[5]];
        let before = arm(q);
        shift(q, before);
        shift(v, cross(turning(v), before));
        rigid_free_flight(&self.principal, q, &mut v[..FRAME_V], h);
        let after = arm(q);
        shift(q, scale(-1.0, after));
        shift(v, cross(after, turning(v)));
    }
}

fn shift(x: &mut [f64], by: Vec3) {
    x.iter_mut().zip(by).for_each(|(x, by)| *x += by);
}
