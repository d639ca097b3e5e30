//! The pose of a soft body: the rigid motion nearest to that of its nodes, `Σ m·|x − c − R·(X − C)|²` least. It is
//! there for flat bodies too.

use super::{At, SoftBody};
use crate::body::{Pose, nearest_turn};
use crate::math::{Mat3, Quat, Vec3, add, mat_mul, mat_vec, quat_to_matrix, scale, sub, transpose};

/// What carries places of birth near to where they are now.
pub(super) struct Fitted {
    origin: Vec3,
    rotation: Mat3,
    quaternion: Quat,
}

impl Fitted {
    pub(super) fn place(&self, p: Vec3) -> Vec3 {
        add(self.origin, self.turn(p))
    }

    pub(super) fn turn(&self, d: Vec3) -> Vec3 {
        mat_vec(&self.rotation, d)
    }

    pub(super) fn pose(&self) -> Pose {
        Pose {
            position: self.origin,
            rotation: self.quaternion,
        }
    }
}

impl SoftBody {
    pub(super) fn center_at(&self, at: At<'_>) -> Vec3 {
        let mut moment = [0.0; 3];
        for (node, mass) in self.masses.iter().enumerate() {
            moment = add(moment, scale(*mass, at.place(node as u32)));
        }
        scale(1.0 / self.total_mass, moment)
    }

    pub(super) fn fitted(&self, at: At<'_>) -> Fitted {
        let center = self.center_at(at);
        let mut s = [[0.0; 3]; 3];
        for (node, mass) in self.masses.iter().enumerate() {
            let born = sub(self.born(node as u32), self.center);
            let now = sub(at.place(node as u32), center);
            for (row, born) in s.iter_mut().zip(born) {
                *row = add(*row, scale(mass * born, now));
            }
        }
        let (quaternion, _) = nearest_turn(&s);
        let rotation = quat_to_matrix(quaternion);
        Fitted {
            origin: sub(center, mat_vec(&rotation, self.center)),
            rotation,
            quaternion,
        }
    }

    /// Moves the body as one, so that its frame is at `pose`; from birth if it is nowhere yet.
    pub(super) fn move_to(&self, pose: &Pose, q: &mut [f64]) {
        if q.iter().any(|q| !q.is_finite()) {
            q.copy_from_slice(self.mesh.vertices.as_flattened());
        }
        let old = self.fitted(At::still(q));
        let turn = mat_mul(&quat_to_matrix(pose.rotation), &transpose(&old.rotation));
        for x in q.chunks_exact_mut(3) {
            let arm = sub([x[0], x[1], x[2]], old.origin);
            x.copy_from_slice(&add(pose.position, mat_vec(&turn, arm)));
        }
    }
}
