//! Elasticity of shape bodies: strains that are linear in the numbers, and what of them a curve has.
//!
//! ```text
//!     membrane  ½·T·∫ |x_s|² ds      plate  ½·B·∫ |x_ss|² ds      reach  D = M + ℓ⁴·(m/length)·∫ N_ss·N_ss ds
//! ```
//!
//! s is the length along the curve at birth: with σ = |x_u| there, `x_s = x_u/σ`, `x_ss = x_uu/σ² − x_u·σ_u/σ³`,
//! `ds = σ·du`. A membrane pulls like a string under the tension T, a plate resists bending like a rod of bending
//! stiffness B that is straight at rest. Both are strains at the points of Gauss, so a step takes them implicitly.
//! *Reach* is felt in worlds without momentum: a pull moves the curve over that length.

use super::ShapeBody;
use crate::body::Strain;
use crate::error::Error;
use crate::math::{dot, norm};
use crate::shape::{Of, ShapeMotion, Spline, gauss_legendre};

/// A strain `s = Σ slope·q − rest`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearStrain {
    /// The numbers it depends on, ascending.
    pub numbers: Vec<u32>,
    /// `∂s/∂q` of each.
    pub slope: Vec<f64>,
    /// Where it is zero.
    pub rest: f64,
    /// `k`.
    pub stiffness: f64,
    /// `d`.
    pub damping: f64,
}

impl LinearStrain {
    fn of(&self, x: &[f64]) -> f64 {
        let terms = self.numbers.iter().zip(&self.slope);
        terms
            .map(|(&number, slope)| slope * x[number as usize])
            .sum()
    }

    pub(super) fn at(&self, q: &[f64], v: &[f64], rest: f64, S: &mut [f64]) -> Strain {
        S.copy_from_slice(&self.slope);
        Strain {
            value: self.of(q) - rest,
            rate: self.of(v),
            gamma: 0.0,
            stiffness: self.stiffness,
            damping: self.damping,
        }
    }

    /// How far it is from a rest.
    pub(super) fn beyond(&self, q: &[f64], rest: f64) -> f64 {
        self.of(q) - rest
    }

    pub(super) fn energy(&self, q: &[f64], rest: f64) -> f64 {
        let s = self.of(q) - rest;
        0.5 * self.stiffness * s * s
    }

    pub(super) fn push(&self, q: &[f64], v: &[f64], rest: f64, f: &mut [f64]) {
        let push = self.stiffness * (self.of(q) - rest) + self.damping * self.of(v);
        for (&number, slope) in self.numbers.iter().zip(&self.slope) {
            f[number as usize] -= slope * push;
        }
    }
}

/// How a curve resists, and over which length it is pulled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elasticity {
    /// `T`, newtons.
    pub membrane: f64,
    /// `B`, N·m².
    pub plate: f64,
    /// Damping of both as a time: `d = damping·k`, seconds.
    pub damping: f64,
    /// ℓ, meters.
    pub reach: f64,
}

impl ShapeBody {
    /// The same with strains.
    pub fn with_strains(mut self, strains: Vec<LinearStrain>) -> Result<Self, Error> {
        let n = self.map.n_numbers();
        for strain in &strains {
            let is_own = |pair: &[u32]| pair[0] < pair[1];
            let numbers = &strain.numbers;
            if numbers.is_empty()
                || numbers.len() != strain.slope.len()
                || !numbers.windows(2).all(is_own)
                || numbers.iter().any(|&number| number as usize >= n)
            {
                let problem =
                    "must name numbers of the shape, in ascending order, with a slope each";
                return Err(Error::field("strains", problem));
            }
            Error::require_finite("strains", &strain.slope)?;
            Error::require_finite("strains", &strain.rest)?;
            Error::require_not_negative("stiffness", &strain.stiffness)?;
            Error::require_not_negative("damping", &strain.damping)?;
        }
        self.strains = strains;
        Ok(self)
    }

    /// A spline with mass, elasticity and reach.
    pub fn spline(spline: Spline, mass: f64, elasticity: Elasticity) -> Result<Self, Error> {
        let Elasticity {
            membrane,
            plate,
            damping,
            reach,
        } = elasticity;
        Error::require_not_negative("membrane", &membrane)?;
        Error::require_not_negative("plate", &plate)?;
        Error::require_not_negative("damping", &damping)?;
        Error::require_not_negative("reach", &reach)?;
        crate::shape::ShapeMap::validate(&spline)?;
        let (n_spans, degree) = (spline.n_spans(), spline.degree());
        let map: std::sync::Arc<dyn crate::shape::ShapeMap> = std::sync::Arc::new(spline);
        let points = super::MaterialPoint::along(&*map, mass, (n_spans, degree + 1), true)?;
        let mut body = Self::new(map, points)?.given(mass, true);
        body.elasticity = elasticity;
        let length = body.length_at_birth(n_spans, degree);
        let mut strains = Vec::new();
        for (order, stiffness) in [(1, membrane), (2, plate)] {
            if stiffness == 0.0 || order > degree {
                continue;
            }
            for (numbers, slope, weight) in body.derivatives(n_spans, order, length) {
                let k = stiffness * weight;
                strains.push(LinearStrain {
                    numbers,
                    slope,
                    rest: 0.0,
                    stiffness: k,
                    damping: damping * k,
                });
            }
        }
        if reach > 0.0 && degree >= 2 {
            let square = reach * reach;
            let weight = square * square * mass / length;
            let mut rows = body.derivatives(n_spans, 2, length);
            rows.iter_mut().for_each(|row| row.2 *= weight);
            body.lay_out(&rows);
        }
        body.with_strains(strains)
    }

    /// The length of a curve of so many parts, at birth.
    fn length_at_birth(&self, n_parts: usize, degree: usize) -> f64 {
        let q = self.born.clone();
        let tangent = |u: f64| {
            let motion = ShapeMotion::at([u, 0.0, 0.0], &q, &q);
            norm(self.map.eval(Of::Tangent(0), &motion, &mut |_, _, _| {}).x)
        };
        let step = 1.0 / n_parts as f64;
        let gauss = gauss_legendre(degree + 3);
        let mut length = 0.0;
        for part in 0..n_parts {
            for (x, weight) in &gauss {
                length += 0.5 * step * weight * tangent(step * (part as f64 + 0.5 * (1.0 + x)));
            }
        }
        length.max(f64::MIN_POSITIVE)
    }

    /// Numbers, slopes and weights of `x_s` or `x_ss` along each axis, at points of Gauss. They integrate squares
    /// exactly where the parameter runs evenly.
    fn derivatives(
        &self,
        n_spans: usize,
        order: usize,
        length: f64,
    ) -> Vec<(Vec<u32>, Vec<f64>, f64)> {
        let map = self.map.as_ref();
        let any: &dyn std::any::Any = map;
        let Some(spline) = any.downcast_ref::<Spline>() else {
            return Vec::new();
        };
        let (q, step) = (self.born.clone(), 1.0 / n_spans as f64);
        let mut rows = Vec::new();
        for part in 0..n_spans {
            for (x, weight) in gauss_legendre((spline.degree() + 1 - order).max(1)) {
                let u = step * (part as f64 + 0.5 * (1.0 + x));
                let motion = ShapeMotion::at([u, 0.0, 0.0], &q, &q);
                let tangent = map.eval(Of::Tangent(0), &motion, &mut |_, _, _| {});
                // A curve may begin with points in one place; its length says how small is none.
                let sigma = norm(tangent.x).max(1e-6 * length);
                let sigma_u = dot(tangent.x, tangent.x_u[0]) / sigma;
                for axis in 0..map.dimension() {
                    let (numbers, mut slope) = spline.derivative(order, u, axis);
                    if order == 2 {
                        let (_, first) = spline.derivative(1, u, axis);
                        for (slope, first) in slope.iter_mut().zip(first) {
                            *slope = (*slope - first * sigma_u / sigma) / (sigma * sigma);
                        }
                    } else {
                        slope.iter_mut().for_each(|slope| *slope /= sigma);
                    }
                    rows.push((numbers, slope, 0.5 * step * weight * sigma));
                }
            }
        }
        rows
    }
}
