//! A body at a random state, and differences taken there.

use super::{BodyViolation, largest, pose_distance, refused, require};
use crate::body::Body;

/// A state of the body under test, and the generator it is drawn from.
pub(super) struct Probe<'a> {
    pub(super) body: &'a dyn Body,
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    random: u64,
}

/// Step of the differences: a power of two, so that multiplying by it is exact.
const STEP: f64 = 1.0 / 1024.0;

impl<'a> Probe<'a> {
    pub(super) fn new(body: &'a dyn Body, seed: u64) -> Self {
        Self {
            body,
            t: 0.0,
            q: vec![0.0; body.n_q()],
            v: vec![0.0; body.n_v()],
            // Xorshift stands still at zero, and small seeds must not give small numbers.
            random: (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1,
        }
    }

    /// Uniform in [−1, 1): Marsaglia's xorshift, its upper 53 bits.
    pub(super) fn uniform(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(super) fn uniform_vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.uniform()).collect()
    }

    /// Moves to a random time, velocity, and coordinates that the body accepts: those it is born
    /// with, displaced as far as `check_q` allows and all is smooth.
    pub(super) fn draw_state(&mut self) -> Result<(), BodyViolation> {
        let n_v = self.body.n_v();
        self.t = self.uniform();
        self.v = self.uniform_vector(n_v);
        let mut born = vec![f64::NAN; self.body.n_q()];
        self.body.initial_q(&mut born);
        let mut dq = self.uniform_vector(n_v);
        for _ in 0..20 {
            let mut q = born.clone();
            self.body.displace(&mut q, &dq);
            if self.body.check_q(&mut q).is_ok() && self.body.is_smooth_at(&q) {
                self.q = q;
                return Ok(());
            }
            dq.iter_mut().for_each(|value| *value *= 0.5);
        }
        match self.body.check_q(&mut born) {
            Err(problem) => Err(refused(format!("check_q refuses initial_q: {problem}"))),
            Ok(()) => Err(refused("check_q refuses every displacement of initial_q")),
        }
    }

    /// `q ⊞ s·dq`.
    pub(super) fn displaced(&self, dq: &[f64], s: f64) -> Vec<f64> {
        let scaled: Vec<f64> = dq.iter().map(|value| s * value).collect();
        let mut q = self.q.clone();
        self.body.displace(&mut q, &scaled);
        q
    }

    /// The derivative of `value(t, q)` at `s = 0`, q moving along `dq` and t with the clock when
    /// the body has no coordinates:
    /// `(8·(f(h) − f(−h)) − (f(2h) − f(−2h)))/(12·h)`.
    pub(super) fn derivative(
        &self,
        dq: &[f64],
        value: impl Fn(f64, &[f64]) -> Vec<f64>,
    ) -> Vec<f64> {
        let clock = if self.body.n_v() == 0 { 1.0 } else { 0.0 };
        let at = |s: f64| value(self.t + clock * s, &self.displaced(dq, s));
        let (far_back, back) = (at(-2.0 * STEP), at(-STEP));
        let (ahead, far_ahead) = (at(STEP), at(2.0 * STEP));
        (0..ahead.len())
            .map(|i| (8.0 * (ahead[i] - back[i]) - (far_ahead[i] - far_back[i])) / (12.0 * STEP))
            .collect()
    }

    /// A displacement along velocity coordinate `j` alone.
    pub(super) fn along(&self, j: usize) -> Vec<f64> {
        let mut dq = vec![0.0; self.body.n_v()];
        dq[j] = 1.0;
        dq
    }

    pub(super) fn check_displace(&self) -> Result<(), BodyViolation> {
        let still = self.displaced(&self.v, 0.0);
        for (i, (&a, &b)) in still.iter().zip(&self.q).enumerate() {
            let promise = || format!("displace by zero leaves coordinate {i} alone");
            require(promise, a, b, 1e-12 * (1.0 + b.abs()))?;
        }
        let mut moved = self.displaced(&self.v, STEP);
        if let Err(problem) = self.body.check_q(&mut moved) {
            return Err(refused(format!(
                "check_q refuses coordinates that displace gave: {problem}"
            )));
        }
        Ok(())
    }

    /// `q_from_pose`, where there is one, finds coordinates with that pose.
    pub(super) fn check_pose(&self) -> Result<(), BodyViolation> {
        let Some(pose) = self.body.pose(self.t, &self.q) else {
            return Ok(());
        };
        let mut q = vec![f64::NAN; self.body.n_q()];
        if self.body.q_from_pose(&pose, &mut q).is_err() {
            return Ok(());
        }
        let Some(again) = self.body.pose(self.t, &q) else {
            return Err(refused("pose exists after q_from_pose"));
        };
        let tolerance = 1e-9 * (1.0 + largest(&pose.position));
        require(
            || "q_from_pose finds coordinates with the pose asked for".into(),
            pose_distance(&pose, &again),
            0.0,
            tolerance,
        )
    }
}
