//! Riders: soft rows across a joint with one free direction `S`, eliminated with it.
//!
//! A row `g·(u − u_p) + C·λ = b` depends on the motion of the body relative to its parent at the joint, which
//! is `N⁺·b_joint + S·z`. With `w = 1/C` and `β = b − g·N⁺·b_joint` the row is
//!
//! ```text
//!     λ = w·(β − g·S·z)      D = Sᵀ·M̂·S + Σ w·(g·S)²      z = (Sᵀ·p − hᵀ·u₀ + Σ w·(g·S)·β)/D
//! ```
//!
//! Nothing else in the step changes. `D` is a sum of positive terms, so no digit of `z` is lost, however large
//! an armature is beside the links; nor of λ, which is computed without the difference `β − g·S·z`.

use crate::linalg::order::Key;
use crate::math::{Vec3, add, cross, dot, scale, sub};
use crate::system::System;
use crate::topology::NONE;

/// A row that rides on the joint of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Rider {
    constraint: u32,
    row: usize,
    /// `g`, as force and torque at the joint.
    force: Vec3,
    torque: Vec3,
    /// `g·S` and `1/C`.
    along: f64,
    weight: f64,
    /// `β` of the last forward sweep.
    due: f64,
}

/// The riders of one joint.
#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    first: usize,
    end: usize,
    /// `Sᵀ·M̂·S`, `1/D`, and `Sᵀ·p` of the last forward sweep.
    inertia: f64,
    inv_d: f64,
    load: f64,
}

/// All riders of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Riders {
    riders: Vec<Rider>,
    seats: Vec<Seat>,
}

impl Riders {
    /// Lays out the riders of one step and returns their seat.
    pub(super) fn add(&mut self, system: &System, riders: &[Key]) -> u32 {
        if riders.is_empty() {
            return NONE;
        }
        let first = self.riders.len();
        for &(_, constraint) in riders {
            self.riders.push(Rider {
                constraint,
                row: system.constraints[constraint as usize].row0 as usize,
                ..Rider::default()
            });
        }
        self.seats.push(Seat {
            first,
            end: self.riders.len(),
            ..Seat::default()
        });
        self.seats.len() as u32 - 1
    }

    /// `Σ w·(g·S)²` for a body whose joint is `r` away from its center of mass; `s` is `S`.
    #[inline(never)]
    pub(super) fn weigh(
        &mut self,
        system: &System,
        (seat, body): (u32, u32),
        r: Vec3,
        s: (Vec3, Vec3),
    ) -> f64 {
        let Seat { first, end, .. } = self.seats[seat as usize];
        let n_v = system.bodies[body as usize].n_v as usize;
        let mut sum = 0.0;
        for rider in &mut self.riders[first..end] {
            let mut j = [0.0; 6];
            let side = system.side(rider.constraint, body);
            side.expand(n_v, &mut j[..n_v]);
            let [x, y, z, ..] = j;
            (rider.force, rider.torque) = match n_v {
                3 => ([x, y, 0.0], [0.0, 0.0, z]),
                _ => ([x, y, z], [j[3], j[4], j[5]]),
            };
            rider.torque = sub(rider.torque, cross(r, rider.force));
            rider.along = dot(rider.force, s.0) + dot(rider.torque, s.1);
            rider.weight = 1.0 / system.compliance[rider.row];
            sum += rider.weight * rider.along * rider.along;
        }
        sum
    }

    /// Notes `Sᵀ·M̂·S` and `1/D`.
    pub(super) fn note(&mut self, seat: u32, inertia: f64, inv_d: f64) {
        let seat = &mut self.seats[seat as usize];
        (seat.inertia, seat.inv_d) = (inertia, inv_d);
    }

    /// `Σ w·(g·S)·β`, for a load `Sᵀ·p`; `b` is what all rows must be, `(u, w)` is `N⁺·b_joint`.
    #[inline(never)]
    pub(super) fn push(
        &mut self,
        seat: u32,
        load: f64,
        b: Option<&[f64]>,
        (u, w): (Vec3, Vec3),
    ) -> f64 {
        let seat = &mut self.seats[seat as usize];
        seat.load = load;
        let mut sum = 0.0;
        for rider in &mut self.riders[seat.first..seat.end] {
            rider.due = match b {
                Some(b) => b[rider.row] - dot(rider.force, u) - dot(rider.torque, w),
                None => 0.0,
            };
            sum += rider.weight * rider.along * rider.due;
        }
        sum
    }

    /// The same for the last loads.
    #[inline(never)]
    pub(super) fn pushed(&self, seat: u32) -> f64 {
        let seat = &self.seats[seat as usize];
        let riders = &self.riders[seat.first..seat.end];
        riders
            .iter()
            .map(|own| own.weight * own.along * own.due)
            .sum()
    }

    /// Writes `λ` for `hᵀ·u₀` and returns force and torque of the riders at the joint:
    ///
    /// ```text
    ///     D·λᵢ/wᵢ = βᵢ·Sᵀ·M̂·S − gᵢ·S·(Sᵀ·p − hᵀ·u₀) + Σⱼ wⱼ·gⱼ·S·(βᵢ·gⱼ·S − βⱼ·gᵢ·S)
    /// ```
    #[inline(never)]
    pub(super) fn multipliers(&self, seat: u32, h_u: f64, lambda: &mut [f64]) -> (Vec3, Vec3) {
        let seat = &self.seats[seat as usize];
        let riders = &self.riders[seat.first..seat.end];
        let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
        for own in riders {
            let mut sum = own.due * seat.inertia - own.along * (seat.load - h_u);
            for other in riders {
                let across = own.due * other.along - other.due * own.along;
                sum += other.weight * other.along * across;
            }
            let push = own.weight * seat.inv_d * sum;
            lambda[own.row] = push;
            force = add(force, scale(push, own.force));
            torque = add(torque, scale(push, own.torque));
        }
        (force, torque)
    }
}
