//! The state: everything that changes with time.

use super::Unfinished;
use crate::connector::Turns;
use crate::linalg::clone_in_room;
use crate::math::{Vec3, add, dot, norm, scale, sub};

/// A contact of two bodies at the end of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Touching {
    /// The colliders, by their places among those of the world, and the number of the feature.
    pub key: [u32; 3],
    /// The point of contact, world coordinates.
    pub point_world: Vec3,
    /// Unit normal, from the first body to the second.
    pub normal_world: Vec3,
    /// Force on the second body, N.
    pub force_world: Vec3,
    /// Moment of rolling and spinning resistance on the second body, N·m.
    pub moment_world: Vec3,
}

impl Touching {
    /// The same with force and moment multiplied.
    pub(crate) fn times(&self, times: f64) -> Self {
        Self {
            force_world: scale(times, self.force_world),
            moment_world: scale(times, self.moment_world),
            ..*self
        }
    }

    /// The same with force and moment of another added.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            force_world: add(self.force_world, other.force_world),
            moment_world: add(self.moment_world, other.moment_world),
            ..*self
        }
    }

    /// Ratio of friction to the normal force.
    pub(crate) fn slope(&self) -> f64 {
        let normal = dot(self.force_world, self.normal_world);
        let across = sub(self.force_world, scale(normal, self.normal_world));
        norm(across) / normal.abs().max(f64::MIN_POSITIVE)
    }
}

/// Time, coordinates, velocities and the last multipliers of a world.
///
/// Bodies and constraints follow each other in the order of their ids.
#[derive(Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// Time.
    pub t: f64,
    /// Position coordinates, `n_q`.
    pub q: Vec<f64>,
    /// Velocity coordinates, `n_v`.
    pub v: Vec<f64>,
    /// Multipliers of the last solve or the last step, `n_rows`: forces and torques, and the warm
    /// start of the iterative methods.
    pub lambda: Vec<f64>,
    /// Data with which an iteration that was cut short continues.
    pub unfinished: Unfinished,
    /// Full turns of the angles that joints and springs measure.
    pub turns: Turns,
    /// Contacts, in the order of their keys.
    pub touching: Vec<Touching>,
    /// The sub-step that suited the last step, seconds; zero if unknown.
    pub substep: f64,
}

impl Touching {
    /// A contact without a moment.
    pub fn new(key: [u32; 3], point_world: Vec3, normal_world: Vec3, force_world: Vec3) -> Self {
        Self {
            key,
            point_world,
            normal_world,
            force_world,
            moment_world: [0.0; 3],
        }
    }

    /// The same with a moment of rolling and spinning resistance.
    #[must_use]
    pub fn with_moment(mut self, moment_world: Vec3) -> Self {
        self.moment_world = moment_world;
        self
    }
}

clone_in_room!(State {
    t,
    q,
    v,
    lambda,
    unfinished,
    turns,
    touching,
    substep,
});

impl State {
    /// Clears the state, and sizes it for the motion of states like this one. It takes no memory until it is
    /// written.
    pub(crate) fn make_room(&mut self, like: &Self) {
        let room = |own: &mut Vec<f64>, of: &Vec<f64>| {
            own.clear();
            own.reserve(of.len());
        };
        room(&mut self.q, &like.q);
        room(&mut self.v, &like.v);
        room(&mut self.lambda, &like.lambda);
        self.turns.size(&like.turns);
        self.touching.clear();
        self.touching.reserve(like.touching.len());
    }

    /// Copies the motion of another state: all but `unfinished`.
    pub(crate) fn copy_motion(&mut self, from: &Self) {
        (self.t, self.substep) = (from.t, from.substep);
        self.q.clone_from(&from.q);
        self.v.clone_from(&from.v);
        self.lambda.clone_from(&from.lambda);
        self.turns.clone_from(&from.turns);
        self.touching.clone_from(&from.touching);
    }

    /// Swaps time, coordinates, velocities, multipliers and turns with a trial.
    pub(crate) fn swap_motion(&mut self, trial: &mut Self) {
        std::mem::swap(&mut self.t, &mut trial.t);
        std::mem::swap(&mut self.q, &mut trial.q);
        std::mem::swap(&mut self.v, &mut trial.v);
        std::mem::swap(&mut self.lambda, &mut trial.lambda);
        std::mem::swap(&mut self.turns, &mut trial.turns);
        std::mem::swap(&mut self.touching, &mut trial.touching);
    }

    /// The direction along which an iteration continues, zero if none was cut short.
    pub(crate) fn direction(&mut self) -> &mut [f64] {
        self.unfinished.go_on(self.lambda.len())
    }

    /// Copies time, coordinates and the last angles of another state.
    pub(crate) fn begin_at(&mut self, from: &Self) {
        self.t = from.t;
        self.q.copy_from_slice(&from.q);
        self.turns.clone_from(&from.turns);
    }
}
