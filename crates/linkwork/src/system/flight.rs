//! Motion of all bodies of a world over a step or a displacement.

use std::ops::Range;

use super::layout::Layout;
use crate::body::rigid_free_flight;
use crate::math::{quat_conjugate, quat_log, quat_mul};
use crate::world::{State, World};

impl Layout {
    /// Free flight of every enabled body for `h` seconds, which conserves momentum. `dq` is scratch, n_v.
    pub(crate) fn free_flight(&self, world: &World, state: &mut State, h: f64, dq: &mut [f64]) {
        for (source, inertia) in self.rigid.iter().zip(&self.principal) {
            let q = &mut state.q[source.q0 as usize..source.q0 as usize + 7];
            let v = &mut state.v[source.v0 as usize..source.v0 as usize + 6];
            rigid_free_flight(inertia, q, v, h);
        }
        for position in self.others() {
            let record = &world.bodies()[position as usize];
            let (q, v) = (record.q_range(), record.v_range());
            let (q, dq) = (&mut state.q[q], &mut dq[v.clone()]);
            record.body.free_flight(q, &mut state.v[v], h, dq);
        }
        self.follow(world, state, h);
        state.t += h;
    }

    /// The angular velocities of bodies without torques, as ranges of the velocities.
    pub(crate) fn free_turns(&self) -> impl Iterator<Item = Range<usize>> {
        let first = |&at: &u32| self.rigid[at as usize].v0 as usize + 3;
        self.unturned
            .iter()
            .map(first)
            .map(|first| first..first + 3)
    }

    /// Rotates the bodies without torques for `h` seconds, in place.
    pub(crate) fn turn_freely(&self, state: &mut State, h: f64) {
        for &at in &self.unturned {
            let (source, inertia) = (&self.rigid[at as usize], &self.principal[at as usize]);
            let q = &mut state.q[source.q0 as usize..source.q0 as usize + 7];
            let v = &mut state.v[source.v0 as usize..source.v0 as usize + 6];
            let place = [q[0], q[1], q[2]];
            rigid_free_flight(inertia, q, v, h);
            q[..3].copy_from_slice(&place);
        }
    }

    /// Positions in the world of the bodies that move through their trait.
    fn others(&self) -> impl Iterator<Item = u32> {
        let generic = self.generic_bodies.iter().map(|&(position, _)| position);
        generic.chain(self.planar.iter().map(|source| source.record))
    }

    /// Moves the bodies that follow a goal, which no force moves.
    pub(crate) fn follow(&self, world: &World, state: &mut State, h: f64) {
        for &position in &self.followers {
            let record = &world.bodies()[position as usize];
            let q = &mut state.q[record.q_range()];
            record.body.free_flight(q, &mut [], h, &mut []);
        }
    }

    /// `q ← q ⊞ dq` for every enabled body.
    pub(crate) fn displace(&self, world: &World, q: &mut [f64], dq: &[f64]) {
        for record in world.bodies().iter().filter(|record| record.enabled) {
            let (q, dq) = (&mut q[record.q_range()], &dq[record.v_range()]);
            if !dq.is_empty() {
                record.body.displace(q, dq);
            }
        }
    }

    /// `dq` with `q = base ⊞ dq` for rigid bodies; others keep what `dq` accumulated.
    pub(crate) fn difference(&self, world: &World, q: &[f64], base: &[f64], dq: &mut [f64]) {
        for record in world.bodies() {
            if record.enabled && record.body.as_rigid().is_some() {
                let (q, base) = (&q[record.q_range()], &base[record.q_range()]);
                let dq = &mut dq[record.v_range()];
                for k in 0..3 {
                    dq[k] = q[k] - base[k];
                }
                let turn = quat_mul(
                    [q[3], q[4], q[5], q[6]],
                    quat_conjugate([base[3], base[4], base[5], base[6]]),
                );
                dq[3..].copy_from_slice(&quat_log(turn));
            }
        }
    }

    /// `dq = q − base` of coordinates that do not rotate, for every enabled body; zero for the rest.
    pub(crate) fn straight_difference(
        &self,
        world: &World,
        q: &[f64],
        base: &[f64],
        dq: &mut [f64],
    ) {
        for source in &self.rigid {
            let (q0, v0) = (source.q0 as usize, source.v0 as usize);
            for k in 0..3 {
                dq[v0 + k] = q[q0 + k] - base[q0 + k];
                dq[v0 + 3 + k] = 0.0;
            }
        }
        for position in self.others() {
            let record = &world.bodies()[position as usize];
            let (at, dq) = (record.q_range(), &mut dq[record.v_range()]);
            record.body.way(&base[at.clone()], &q[at], dq);
        }
    }

    /// The displacement between two states, for the work of forces: `q = base ⊞ dq`.
    pub(crate) fn way(&self, world: &World, q: &[f64], base: &[f64], dq: &mut [f64]) {
        self.straight_difference(world, q, base, dq);
        self.difference(world, q, base, dq);
    }

    /// The rate of `dq` in `base ⊞ dq` for bodies with velocities `v`.
    pub(crate) fn chart_rate(&self, world: &World, dq: &[f64], v: &[f64], rate: &mut [f64]) {
        for record in world.bodies().iter().filter(|record| record.enabled) {
            let range = record.v_range();
            let body = &record.body;
            body.chart_rate(&dq[range.clone()], &v[range.clone()], &mut rate[range]);
        }
    }

    /// Gives bodies that follow a goal, and bodies that yield, the length of the step.
    pub(crate) fn begin_step(&self, world: &World, q: &mut [f64], dt: f64) {
        let others = self.generic_bodies.iter().map(|&(position, _)| position);
        for position in self.followers.iter().copied().chain(others) {
            let record = &world.bodies()[position as usize];
            record.body.begin_step(&mut q[record.q_range()], dt);
        }
    }
}
