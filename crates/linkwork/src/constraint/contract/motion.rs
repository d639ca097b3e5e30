//! Motions with exact derivatives, for differences to be compared with.

use super::Law;
use crate::connector::ConnectorKind;
use crate::math::{
    IDENTITY3, Mat3, Vec3, add, cross, mat_mul, mat_vec, norm, rotation_exp, scale, unit,
};

/// How one input moves, as a function of the time `s` since the moment of the check:
///
/// ```text
///     place(s)    = place + s·velocity + ½s²·acceleration
///     rotation(s) = exp(s·spin)·exp(½s²·spin_growth)·rotation
/// ```
///
/// A point or frame in space is at `place`. A direction is `rotation·place`. A point in the plane
/// uses two components of `place`, a frame in the plane three (the last is its angle), a scalar
/// one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputMotion {
    /// The input's kind.
    pub kind: ConnectorKind,
    /// Where it is at s = 0.
    pub place: Vec3,
    /// Rate of `place` at s = 0.
    pub velocity: Vec3,
    /// Constant second derivative of `place`.
    pub acceleration: Vec3,
    /// `rot_world_frame` at s = 0.
    pub rotation: Mat3,
    /// Angular velocity at s = 0, world axes.
    pub spin: Vec3,
    /// Angular acceleration at s = 0, world axes.
    pub spin_growth: Vec3,
}

/// An input at one instant; the leading `n_x` or `n_x_dot` numbers count.
#[derive(Clone, Copy, Debug)]
pub(in crate::constraint) struct Sample {
    pub(in crate::constraint) kind: ConnectorKind,
    pub(in crate::constraint) x: [f64; 12],
    pub(in crate::constraint) x_dot: [f64; 6],
    pub(in crate::constraint) x_ddot: [f64; 6],
}

impl InputMotion {
    /// An input at rest at `place`, not rotated.
    pub const fn at_rest(kind: ConnectorKind, place: Vec3) -> Self {
        Self {
            kind,
            place,
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            rotation: IDENTITY3,
            spin: [0.0; 3],
            spin_growth: [0.0; 3],
        }
    }

    /// Output, rate and second rate at time `s`.
    pub(in crate::constraint) fn at(&self, s: f64) -> Sample {
        let place = add(
            add(self.place, scale(s, self.velocity)),
            scale(0.5 * s * s, self.acceleration),
        );
        let velocity = add(self.velocity, scale(s, self.acceleration));
        // R = E₁·E₂·R₀ with E₁ = exp(s·σ), E₂ = exp(½s²·τ):
        // ω = σ + E₁·(s·τ),  ω̇ = E₁·τ + σ × (E₁·(s·τ)).
        let turn = rotation_exp(scale(s, self.spin));
        let turn_on = rotation_exp(scale(0.5 * s * s, self.spin_growth));
        let rotation = mat_mul(&turn, &mat_mul(&turn_on, &self.rotation));
        let growth = mat_vec(&turn, self.spin_growth);
        let omega = add(self.spin, scale(s, growth));
        let omega_dot = add(growth, cross(self.spin, scale(s, growth)));

        let mut sample = Sample {
            kind: self.kind,
            x: [0.0; 12],
            x_dot: [0.0; 6],
            x_ddot: [0.0; 6],
        };
        sample.x[..3].copy_from_slice(&place);
        sample.x_dot[..3].copy_from_slice(&velocity);
        sample.x_ddot[..3].copy_from_slice(&self.acceleration);
        match self.kind {
            ConnectorKind::Frame3 => {
                sample.x[3..].copy_from_slice(rotation.as_flattened());
                sample.x_dot[3..].copy_from_slice(&omega);
                sample.x_ddot[3..].copy_from_slice(&omega_dot);
            }
            ConnectorKind::Direction3 => {
                let d = mat_vec(&rotation, self.place);
                let d_dot = cross(omega, d);
                let d_ddot = add(cross(omega_dot, d), cross(omega, d_dot));
                sample.x[..3].copy_from_slice(&d);
                sample.x_dot[..3].copy_from_slice(&d_dot);
                sample.x_ddot[..3].copy_from_slice(&d_ddot);
            }
            _ => {}
        }
        sample
    }

    /// The motion, displaced: `x ⊞ dx`. A direction is turned by the rotation vector `dx`.
    pub(in crate::constraint) fn displaced(&self, dx: &[f64; 6]) -> Self {
        let mut moved = *self;
        let first = [dx[0], dx[1], dx[2]];
        match self.kind {
            ConnectorKind::Direction3 => {
                moved.rotation = mat_mul(&rotation_exp(first), &self.rotation);
            }
            ConnectorKind::Frame3 => {
                moved.place = add(self.place, first);
                moved.rotation = mat_mul(&rotation_exp([dx[3], dx[4], dx[5]]), &self.rotation);
            }
            _ => moved.place = add(self.place, first),
        }
        moved
    }

    /// `ẋ` of a displacement that grows at rate `dx`.
    pub(super) fn rate_of_displacement(&self, dx: &[f64; 6]) -> [f64; 6] {
        if self.kind != ConnectorKind::Direction3 {
            return *dx;
        }
        let d = mat_vec(&self.rotation, self.place);
        let rate = cross([dx[0], dx[1], dx[2]], d);
        [rate[0], rate[1], rate[2], 0.0, 0.0, 0.0]
    }
}

/// How far apart random inputs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Every coordinate lies within this of a common point.
    pub distance: f64,
    /// Any two frames differ by at most this angle. Keep it below π: there the smallest rotation
    /// from one frame to the other jumps.
    pub turn: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            distance: 1.0,
            turn: 2.0,
        }
    }
}

/// A reproducible source of numbers (SplitMix64) and of motions.
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    /// The same seed gives the same numbers, everywhere.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // 53 bits are exactly an f64 in [0, 1).
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A vector with components between −`size` and `size`.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        [
            self.between(-size, size),
            self.between(-size, size),
            self.between(-size, size),
        ]
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let length = norm(v);
            if length > 0.1 && length <= 1.0 {
                return unit(v).unwrap_or([1.0, 0.0, 0.0]);
            }
        }
    }

    /// Sets an input in motion: rates and their rates of the order of one.
    pub fn moving(&mut self, mut motion: InputMotion) -> InputMotion {
        motion.velocity = self.vector(1.0);
        motion.acceleration = self.vector(1.0);
        motion.spin = self.vector(1.5);
        motion.spin_growth = self.vector(1.5);
        motion
    }

    /// Random motions of inputs of the given kinds.
    pub fn motions(&mut self, kinds: &[ConnectorKind], spread: Spread) -> Vec<InputMotion> {
        let base_place = self.vector(1.0);
        let base_axis = self.direction();
        let base = rotation_exp(scale(self.between(0.0, 3.0), base_axis));
        kinds
            .iter()
            .map(|&kind| {
                let place = match kind {
                    ConnectorKind::Direction3 => self.direction(),
                    _ => add(base_place, self.vector(spread.distance)),
                };
                let axis = self.direction();
                let angle = self.between(0.0, 0.5 * spread.turn);
                let mut motion = InputMotion::at_rest(kind, place);
                motion.rotation = mat_mul(&rotation_exp(scale(angle, axis)), &base);
                let moving = self.moving(motion);
                InputMotion {
                    // A direction keeps its length: only its rotation moves.
                    velocity: match kind {
                        ConnectorKind::Direction3 => [0.0; 3],
                        _ => moving.velocity,
                    },
                    ..moving
                }
            })
            .collect()
    }
}

/// The motions, displaced onto the constraint by Gauss–Newton steps
/// `dx = −Dᵀ·(D·Dᵀ + ε)⁻¹·c`, `D = ∂c/∂x`, none longer than 0.5 (meters or radians).
pub(super) fn nearer(law: &Law<'_>, t: f64, motions: &[InputMotion]) -> Vec<InputMotion> {
    let mut near = motions.to_vec();
    for _ in 0..30 {
        let samples: Vec<Sample> = near.iter().map(|motion| motion.at(0.0)).collect();
        let here = law.evaluate(t, &samples);
        let n = here.c.len();
        // D by rows, with respect to displacements (a direction is displaced by a rotation).
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut start = 0;
        for motion in &near {
            let n_cols = motion.kind.n_x_dot();
            for k in 0..n_cols {
                let mut step = [0.0; 6];
                step[k] = 1.0;
                let rate = motion.rate_of_displacement(&step);
                let column = (0..n).map(|i| {
                    (0..n_cols)
                        .map(|j| here.dc_dx[start + i * n_cols + j] * rate[j])
                        .sum()
                });
                columns.push(column.collect());
            }
            start += n * n_cols;
        }
        let mut gram = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                gram[i][j] = columns.iter().map(|column| column[i] * column[j]).sum();
            }
            gram[i][i] += 1e-12;
        }
        let multiplier = solve(gram, here.c.clone());
        let mut step: Vec<f64> = columns
            .iter()
            .map(|column| {
                -column
                    .iter()
                    .zip(&multiplier)
                    .map(|(d, m)| d * m)
                    .sum::<f64>()
            })
            .collect();
        let longest = step.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        if longest > 0.5 {
            for d in &mut step {
                *d *= 0.5 / longest;
            }
        }
        let mut rest = &step[..];
        for motion in &mut near {
            let (mine, others) = rest.split_at(motion.kind.n_x_dot());
            let mut dx = [0.0; 6];
            dx[..mine.len()].copy_from_slice(mine);
            *motion = motion.displaced(&dx);
            rest = others;
        }
        if longest < 1e-14 {
            break;
        }
    }
    near
}

/// Gaussian elimination without pivoting; the matrix is positive definite.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b
}
