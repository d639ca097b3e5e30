//! Blocks for tests: written as anybody outside the crate would.

#![allow(dead_code, non_snake_case)] // Not every test uses all of them. D, R: the letters of the papers.

use linkwork::block::{Block, BlockMut};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::math::{Vec3, add, cross, dot, norm, scale, sub};
use linkwork::prelude::*;

/// `Σ wᵢ·xᵢ` of inputs of one kind: points, or scalars.
#[derive(Debug)]
pub(crate) struct Sum {
    weights: Vec<f64>,
    kinds: Vec<ConnectorKind>,
}

impl Sum {
    pub(crate) fn of(kind: ConnectorKind, weights: &[f64]) -> Self {
        Self {
            weights: weights.to_vec(),
            kinds: vec![kind; weights.len()],
        }
    }

    /// The mean of `n` points in space.
    pub(crate) fn mean(n: usize) -> Self {
        Self::of(ConnectorKind::Point3, &vec![1.0 / n as f64; n])
    }
}

impl Block for Sum {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &self.kinds[..1]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("weights", &self.weights)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        let n = self.kinds[0].n_x();
        for (i, (input, w)) in inputs.iter().zip(&self.weights).enumerate() {
            for k in 0..n {
                out.x[k] += w * input.x[k];
                out.x_dot[k] += w * input.x_dot[k];
                out.D.set(k, i * n + k, *w);
            }
        }
    }
}

/// The distance of two points in space.
#[derive(Debug)]
pub(crate) struct Length;

impl Block for Length {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3; 2]
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Scalar]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        let d = sub(inputs[1].position(), inputs[0].position());
        let d_dot = sub(inputs[1].velocity(), inputs[0].velocity());
        let length = norm(d);
        let n = scale(1.0 / length, d);
        let rate = dot(n, d_dot);
        out.x[0] = length;
        out.x_dot[0] = rate;
        out.gamma[0] = (dot(d_dot, d_dot) - rate * rate) / length;
        out.D.set3(0, 0, scale(-1.0, n));
        out.D.set3(0, 3, n);
    }
}

/// The product of all numbers of a vector.
#[derive(Debug)]
pub(crate) struct Product(pub(crate) [ConnectorKind; 1]);

impl Product {
    pub(crate) fn of(n: u32) -> Self {
        Self([ConnectorKind::Vector(n)])
    }
}

impl Block for Product {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.0
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Scalar]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        let (x, v) = (inputs[0].x, inputs[0].x_dot);
        let without = |skip: &[usize]| -> f64 {
            let kept = x.iter().enumerate().filter(|(k, _)| !skip.contains(k));
            kept.map(|(_, x)| x).product()
        };
        out.x[0] = without(&[]);
        for i in 0..x.len() {
            let d = without(&[i]);
            out.D.set(0, i, d);
            out.x_dot[0] += d * v[i];
            for j in (0..x.len()).filter(|&j| j != i) {
                out.gamma[0] += without(&[i, j]) * v[i] * v[j];
            }
        }
    }
}

/// A mistake to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    None,
    WrongD,
    WrongRate,
    NoGamma,
    LongDirection,
    ByRates,
    NotFinite,
    MirroredFrame,
}

/// Every kind of input and output that a block of space has, and time. With `d = R·u`, `r = p − o`:
///
/// ```text
///     point      o + s·d + sin(t)·e_z
///     scalar     r·d + a·b
///     direction  d
///     frame      at o + s·d, turned as R
/// ```
#[derive(Debug)]
pub(crate) struct Mixed(pub(crate) Fault);

const U: Vec3 = [0.6, 0.0, -0.8];

impl Block for Mixed {
    fn inputs(&self) -> &[ConnectorKind] {
        &[
            ConnectorKind::Frame3,
            ConnectorKind::Point3,
            ConnectorKind::Scalar,
            ConnectorKind::Vector(2),
        ]
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &[
            ConnectorKind::Point3,
            ConnectorKind::Scalar,
            ConnectorKind::Direction3,
            ConnectorKind::Frame3,
        ]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        // Columns: frame 0…5, point 6…8, scalar 9, vector 10 and 11.
        let [frame, point, s, ab] = inputs else {
            panic!("four inputs")
        };
        let R = frame.rotation();
        let (o, o_dot, omega) = (frame.position(), frame.velocity(), frame.omega());
        let d = linkwork::math::mat_vec(&R, U);
        let d_dot = cross(omega, d);
        let d_own = cross(omega, d_dot);
        let (s, s_dot) = (s.x[0], s.x_dot[0]);
        let r = sub(point.position(), o);
        let r_dot = sub(point.velocity(), o_dot);

        let place = add(o, scale(s, d));
        let rate = add(o_dot, add(scale(s_dot, d), scale(s, d_dot)));
        let own = add(scale(2.0 * s_dot, d_dot), scale(s, d_own));
        for (row, x0) in [(0, 0), (7, 7)] {
            out.x[x0..x0 + 3].copy_from_slice(&place);
            out.x_dot[row..row + 3].copy_from_slice(&rate);
            out.gamma[row..row + 3].copy_from_slice(&own);
            for k in 0..3 {
                out.D.set(row + k, k, 1.0);
                out.D.set(row + k, 9, d[k]);
                // ω × d = −[d]×·ω, column by column.
                for j in 0..3 {
                    let mut e = [0.0; 3];
                    e[j] = 1.0;
                    out.D.set(row + k, 3 + j, s * cross(e, d)[k]);
                    out.D.set(4 + k, 3 + j, cross(e, d)[k]);
                }
            }
        }
        out.x[2] += t.sin();
        out.x_dot[2] += t.cos();
        out.gamma[2] -= t.sin();

        let ([a, b], [a_dot, b_dot]) = ([ab.x[0], ab.x[1]], [ab.x_dot[0], ab.x_dot[1]]);
        out.x[3] = dot(r, d) + a * b;
        out.x_dot[3] = dot(r_dot, d) + dot(r, d_dot) + a_dot * b + a * b_dot;
        out.gamma[3] = 2.0 * dot(r_dot, d_dot) + dot(r, d_own) + 2.0 * a_dot * b_dot;
        out.D.set3(3, 0, scale(-1.0, d));
        out.D.set3(3, 3, cross(d, r));
        out.D.set3(3, 6, d);
        out.D.set(3, 10, b);
        out.D.set(3, 11, a);

        out.x[4..7].copy_from_slice(&d);
        out.x_dot[4..7].copy_from_slice(&d_dot);
        out.gamma[4..7].copy_from_slice(&d_own);

        out.x[10..19].copy_from_slice(R.as_flattened());
        out.x_dot[10..13].copy_from_slice(&omega);
        for k in 0..3 {
            out.D.set(10 + k, 3 + k, 1.0);
        }
        match self.0 {
            Fault::None => {}
            Fault::WrongD => out.D.add(3, 6, 0.01),
            Fault::WrongRate => out.x_dot[1] += 0.01,
            Fault::NoGamma => out.gamma[3] = 0.0,
            Fault::LongDirection => {
                for k in 4..7 {
                    out.x[k] *= 1.01;
                    out.x_dot[k] *= 1.01;
                    out.gamma[k] *= 1.01;
                    out.D.row_mut(k).iter_mut().for_each(|d| *d *= 1.01);
                }
            }
            Fault::ByRates => out.x[3] += 0.01 * s_dot,
            Fault::NotFinite => out.gamma[0] = f64::NAN,
            Fault::MirroredFrame => out.x[10..13].iter_mut().for_each(|x| *x = -*x),
        }
    }
}

/// The square root of a scalar, which is no number below zero.
#[derive(Debug)]
pub(crate) struct Root;

impl Block for Root {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Scalar]
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Scalar]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        let (x, v) = (inputs[0].x[0], inputs[0].x_dot[0]);
        let root = x.sqrt();
        out.x[0] = root;
        out.D.set(0, 0, 0.5 / root);
        out.x_dot[0] = 0.5 / root * v;
        out.gamma[0] = -0.25 * v * v / (root * x);
    }

    fn blame(&self, _t: f64, given: &[f64]) -> Option<String> {
        Some(format!("square root of {:.3}", given[0]))
    }
}
