//! Descent to the least sum of squared errors: Newton's method in a trust region.
//!
//! Used where displacement solves no longer help, because rows contradict each other or a singular pose is in
//! between. It minimizes
//!
//! ```text
//!     φ(q) = ½·‖S·c‖²      g = Jᵀ·S²·c      H·p ≈ (g(q ⊞ ε·p) − g(q))/ε
//!     min g·y + ½·y·H·y    with ‖y‖ ≤ Δ,  ‖y‖² = Σ y·M·y/m over bodies
//! ```
//!
//! S turns rows into meters, M/m turns a body's motion into meters. The model is minimized by conjugate
//! gradients that stop at the boundary or where the curvature is negative (Steihaug). H includes the curvature
//! of the rows. The descent therefore also converges where rows contradict each other, and leaves saddles.
//! Cost: one fill for each product; no factor.

use super::tolerances::{APART, FIRST_RADIUS, LEAST_RADIUS, MODEL_PRODUCTS};
use crate::equations::{MassInverse, Motion, Soft};
use crate::frame::Frame;
use crate::linalg::dense::dot;
use crate::stabilize::{MOST_TURN, most_turn};
use crate::system::System;
use crate::world::State;

/// Buffers of the descent; those without a comment have n_v numbers.
#[derive(Debug, Default)]
pub(super) struct Descent {
    /// Total mass of each body, and `S²·c` by row.
    mass: Vec<f64>,
    pub(super) inverse: MassInverse,
    trial: State,
    dq: Vec<f64>,
    pub(super) weighted: Vec<f64>,
    pub(super) radius: f64,
    pub(super) gradient: Vec<f64>,
    there: Vec<f64>,
    pub(super) r: Vec<f64>,
    pub(super) z: Vec<f64>,
    pub(super) p: Vec<f64>,
    h_p: Vec<f64>,
    y: Vec<f64>,
    h_y: Vec<f64>,
    /// Whether violated limits count as errors.
    has_limits: bool,
}

/// How a step of the descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// The state moved.
    Moved,
    /// The state did not move; the next step will be shorter.
    Refused,
    /// No step reduces the error, however short.
    Stuck,
}

impl Descent {
    /// Allocates the buffers.
    pub(super) fn new(frame: &Frame<'_, '_>) -> Self {
        let system = frame.equations.system();
        let records = frame.world.bodies();
        let mass = system.bodies.iter().map(|block| {
            let v0 = block.v0 as usize;
            let at = records.partition_point(|record| record.v_range().end <= v0);
            let q = &frame.state.q[records[at].q_range()];
            match records[at].body.center_of_mass(q) {
                (mass, _) if mass > 0.0 => mass,
                // Bodies of plain numbers have no mass: take the smallest entry of their metric.
                _ if block.most_mobile > 0.0 => 1.0 / block.most_mobile,
                _ => f64::MIN_POSITIVE,
            }
        });
        let zero = vec![0.0; system.n_v()];
        Self {
            mass: mass.collect(),
            inverse: MassInverse::new(system),
            trial: frame.state.clone(),
            dq: zero.clone(),
            weighted: vec![0.0; system.n_rows()],
            radius: 0.0,
            gradient: zero.clone(),
            there: zero.clone(),
            r: zero.clone(),
            z: zero.clone(),
            p: zero.clone(),
            h_p: zero.clone(),
            y: zero.clone(),
            h_y: zero,
            has_limits: false,
        }
    }

    /// The same, with violated limits counted as errors.
    pub(super) fn with_limits(self) -> Self {
        let has_limits = true;
        Self { has_limits, ..self }
    }

    /// Fills the probe at the state. Returns `‖S·c‖²` and keeps `g`.
    pub(super) fn begin(&mut self, frame: &mut Frame<'_, '_>) -> f64 {
        let length = frame.system().bar_length();
        self.radius = FIRST_RADIUS * length * (self.mass.len() as f64).sqrt();
        let system = frame.fill_probe(Motion::Displacement, Soft::Explicit);
        gradient(system, &mut self.weighted, &mut self.gradient);
        system.hard_square() + add_limits(system, self.has_limits, &mut self.gradient)
    }

    /// How far the state is from a stationary point: `‖Jᵀ·S²·c‖/‖S·c‖`, in velocity coordinates or in meters,
    /// whichever is larger.
    pub(super) fn slope(&mut self, frame: &Frame<'_, '_>, size: f64) -> f64 {
        let system = frame.equations.probe();
        self.inverse.factor(system);
        self.z.copy_from_slice(&self.gradient);
        self.precondition(system);
        let g = &self.gradient;
        let square = dot(g, g).max(dot(g, &self.z));
        (square / size.max(f64::MIN_POSITIVE)).sqrt()
    }

    /// Tries one step. `size` is the error of the state, whose gradient is known, and is updated with it.
    pub(super) fn step(&mut self, frame: &mut Frame<'_, '_>, size: &mut f64) -> Tried {
        let length = frame.system().bar_length();
        if self.radius < LEAST_RADIUS * length {
            return Tried::Stuck;
        }
        let slope = self.slope(frame, *size);
        let reached = self.minimize_model(frame, slope);
        let turn = most_turn(frame.world, &self.y);
        let part = if turn > MOST_TURN {
            MOST_TURN / turn
        } else {
            1.0
        };
        self.y.iter_mut().for_each(|y| *y *= part);
        let predicted = -dot(&self.gradient, &self.y) - 0.5 * part * dot(&self.h_y, &self.y);
        let moved = part * reached;

        let now = self.fill_probe(frame, None);
        let gained = 0.5 * (*size - now);
        // If the predicted decrease is below the round-off of φ, compare gradients.
        let is_better = if predicted.abs() < 1e-13 * *size {
            norm(&self.there) < 0.9 * norm(&self.gradient)
        } else {
            gained > 0.1 * predicted
        };
        if !now.is_finite() || !is_better {
            self.radius = 0.25 * moved.min(self.radius);
            return Tried::Refused;
        }
        if gained > 0.7 * predicted && moved > 0.9 * self.radius {
            self.radius *= 2.0;
        } else if gained < 0.3 * predicted {
            self.radius = 0.5 * moved;
        }
        std::mem::swap(&mut frame.state.q, &mut self.trial.q);
        std::mem::swap(&mut self.gradient, &mut self.there);
        *size = now;
        Tried::Moved
    }

    /// Minimizes the model within the trust region: `y` and `H·y`. Returns the length of `y`.
    fn minimize_model(&mut self, frame: &mut Frame<'_, '_>, slope: f64) -> f64 {
        let radius2 = self.radius * self.radius;
        self.y.fill(0.0);
        self.h_y.fill(0.0);
        self.r.copy_from_slice(&self.gradient);
        for (p, z) in self.p.iter_mut().zip(&self.z) {
            *p = -z;
        }
        let mut r_z = dot(&self.r, &self.z);
        let enough = r_z * (0.01f64).min(slope * slope).max(1e-12);
        // ‖y‖², y·p and ‖p‖² in the metric M/m, by recurrence.
        let (mut yy, mut yp, mut pp) = (0.0, 0.0, r_z);
        for _ in 0..MODEL_PRODUCTS {
            if r_z <= enough || pp <= 0.0 || !pp.is_finite() {
                break;
            }
            self.bend(frame, pp.sqrt());
            let bent = dot(&self.p, &self.h_p);
            let alpha = r_z / bent;
            let next = yy + 2.0 * alpha * yp + alpha * alpha * pp;
            let leaves = bent <= 1e-12 * pp || next >= radius2 || !next.is_finite();
            let alpha = if leaves {
                // To the boundary: ‖y + α·p‖ = Δ.
                let root = (yp * yp + pp * (radius2 - yy).max(0.0)).sqrt();
                (root - yp) / pp
            } else {
                alpha
            };
            for i in 0..self.y.len() {
                self.y[i] += alpha * self.p[i];
                self.h_y[i] += alpha * self.h_p[i];
                self.r[i] += alpha * self.h_p[i];
            }
            yy += 2.0 * alpha * yp + alpha * alpha * pp;
            if leaves {
                break;
            }
            self.z.copy_from_slice(&self.r);
            self.precondition(frame.equations.probe());
            let was = std::mem::replace(&mut r_z, dot(&self.r, &self.z));
            let beta = r_z / was;
            for (p, z) in self.p.iter_mut().zip(&self.z) {
                *p = beta * *p - z;
            }
            yp = beta * (yp + alpha * pp);
            pp = r_z + beta * beta * pp;
        }
        yy.max(0.0).sqrt()
    }

    /// `H·p` by a difference of gradients.
    fn bend(&mut self, frame: &mut Frame<'_, '_>, size: f64) {
        let epsilon = APART * frame.system().bar_length() / size;
        self.fill_probe(frame, Some(epsilon));
        for i in 0..self.p.len() {
            self.h_p[i] = (self.there[i] - self.gradient[i]) / epsilon;
        }
    }

    /// Fills the probe at `q ⊞ ε·p`, or at `q ⊞ y`; keeps the gradient there, returns `‖S·c‖²`.
    fn fill_probe(&mut self, frame: &mut Frame<'_, '_>, epsilon: Option<f64>) -> f64 {
        let dq = &mut self.dq;
        match epsilon {
            Some(epsilon) => {
                for (dq, p) in dq.iter_mut().zip(&self.p) {
                    *dq = epsilon * p;
                }
            }
            None => dq.copy_from_slice(&self.y),
        }
        self.trial.begin_at(frame.state);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut self.trial.q, dq);
        let terms = frame.terms(Motion::Displacement, Soft::Explicit);
        let at = (frame.world, &self.trial);
        let system = frame.equations.fill_probe(at, terms);
        gradient(system, &mut self.weighted, &mut self.there);
        system.hard_square() + add_limits(system, self.has_limits, &mut self.there)
    }

    /// `z ← m·M⁻¹·z` for each body.
    pub(super) fn precondition(&mut self, system: &System) {
        for (body, mass) in self.mass.iter().enumerate() {
            let z = &mut self.z[system.v_range(body as u32)];
            self.inverse.apply(system, body as u32, z);
            z.iter_mut().for_each(|z| *z *= mass);
        }
    }
}

/// `g ← Jᵀ·S²·c`; `weighted` is scratch over rows.
fn gradient(system: &System, weighted: &mut [f64], g: &mut [f64]) {
    weighted.fill(0.0);
    g.fill(0.0);
    for &(row, scale) in &system.rows.hard {
        weighted[row as usize] = scale * scale * system.c[row as usize];
    }
    for (c, block) in system.constraints.iter().enumerate() {
        let error = &weighted[system.row_range(c as u32)];
        if block.pushes {
            // Its force acts elsewhere (K ≠ Jᵀ). The gradient needs J.
            system.for_each_side(c as u32, false, |body, side| {
                side.apply_transposed(error, &mut g[system.v_range(body)]);
            });
        } else if error.iter().any(|error| *error != 0.0) {
            system.add_constraint_force(c as u32, error, g);
        }
    }
}

/// `g ← g + Σ s·Jᵀ·min(gap, 0)` over limits, if they count. Returns `Σ min(gap, 0)²`.
fn add_limits(system: &System, count: bool, g: &mut [f64]) -> f64 {
    let mut square = 0.0;
    let limits = system.bounded.iter().filter(|row| count && row.is_limit());
    for row in limits {
        let lacks = row.gap(system).min(0.0);
        square += lacks * lacks;
        row.push(system, lacks, g);
    }
    square
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
