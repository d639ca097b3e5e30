//! The true residual, from the unmodified `M`, `J` and `C`.

use super::tolerances::TINY_ERROR;
use crate::math::sym_vec;
use crate::system::{JacobianKind, MassBlock, RigidBlock, System};

/// The residual of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Residual {
    /// Largest `|J·y + C·λ − b|` over the rows, in meters (or m/s, m/s²).
    pub rows: f64,
    /// `rows` relative to the size of the motion.
    pub rows_relative: f64,
    /// Largest `|M·y − f − Jᵀ·λ|` relative to the largest force.
    pub force_relative: f64,
}

/// Evaluates residuals without allocating.
#[derive(Clone, Debug, Default)]
pub(super) struct Checker {
    /// `f + Jᵀ·λ − M·y`, n_v.
    pub(super) force: Vec<f64>,
    /// `b − J·y − C·λ`, n_rows.
    pub(super) rows: Vec<f64>,
    /// `M·y` of one body.
    product: Vec<f64>,
    zero: [f64; super::MAX_ROWS],
    /// Largest motion of a free body by the force error, relative to the motion. Between heavy bodies a light
    /// one can be far off while forces balance to round-off.
    pub(super) motion_relative: f64,
}

/// The largest magnitude seen, infinite once anything was not finite.
#[derive(Clone, Copy, Debug, Default)]
struct Largest {
    largest: f64,
    sum: f64,
}

impl Largest {
    #[inline(always)]
    fn see(&mut self, value: f64) {
        let value = value.abs();
        if value > self.largest {
            self.largest = value;
        }
        // A maximum drops NaN; a sum does not.
        self.sum += value;
    }

    /// For values that would show elsewhere if they were not finite.
    #[inline(always)]
    fn see_size(&mut self, value: f64) {
        let value = value.abs();
        if value > self.largest {
            self.largest = value;
        }
    }

    fn value(self) -> f64 {
        if self.sum.is_finite() {
            self.largest
        } else {
            f64::INFINITY
        }
    }
}

impl Checker {
    pub(super) fn new(system: &System) -> Self {
        let largest = system
            .bodies
            .iter()
            .map(|block| block.n_v as usize)
            .max()
            .unwrap_or(0);
        Self {
            force: vec![0.0; system.n_v()],
            rows: vec![0.0; system.n_rows()],
            product: vec![0.0; largest],
            zero: [0.0; super::MAX_ROWS],
            motion_relative: 0.0,
        }
    }

    /// Evaluates both parts over the given constraints and all bodies.
    pub(super) fn evaluate(
        &mut self,
        (system, natural_size): (&System, f64),
        constraints: &[u32],
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &[f64],
        y: &[f64],
    ) -> Residual {
        match force {
            Some(force) => self.force.copy_from_slice(force),
            None => self.force.fill(0.0),
        }
        let mut rows = Largest::default();
        let mut size = Largest::default();
        // The size of forces includes terms that cancel: multipliers and M·y.
        let mut forces = Largest::default();
        for &c in constraints {
            let range = system.row_range(c);
            if let JacobianKind::Ball(at) = system.constraints[c as usize].jacobian {
                // Ball joints are hard and their rows are meters.
                let joint = &system.balls[at as usize];
                let lambda = &lambda[range.start..range.start + 3];
                joint.add_force([lambda[0], lambda[1], lambda[2]], &mut self.force);
                let motion = joint.motion(y);
                let error = &mut self.rows[range.start..range.start + 3];
                let b = b.map_or(&self.zero[..3], |b| &b[range.start..range.start + 3]);
                for k in 0..3 {
                    error[k] = b[k] - motion[k];
                    rows.see(error[k]);
                    size.see_size(b[k]);
                    forces.see_size(lambda[k]);
                }
                continue;
            }
            let lambda = &lambda[range.clone()];
            let error = &mut self.rows[range.clone()];
            system.add_constraint_force(c, lambda, &mut self.force);
            system.constraint_motion(c, y, error);
            let scale = &system.row_scale[range.clone()];
            let soft = &system.compliance[range.clone()];
            let zero = &self.zero[..range.len()];
            let b = b.map_or(zero, |b| &b[range]);
            for ((((error, lambda), b), scale), soft) in
                error.iter_mut().zip(lambda).zip(b).zip(scale).zip(soft)
            {
                *error = b - *error - soft * lambda;
                rows.see(scale * *error);
                size.see_size(scale * b);
                forces.see_size(*lambda);
            }
        }
        let (mut errors, mut motions) = (Largest::default(), Largest::default());
        for (body, block) in system.bodies.iter().enumerate() {
            let v0 = block.v0 as usize;
            if let MassBlock::Rigid(at) = block.mass {
                let rigid = &system.rigid[at as usize];
                let (y, force) = (&y[v0..v0 + 6], &mut self.force[v0..v0 + 6]);
                let spin = sym_vec(&rigid.inertia_world, [y[3], y[4], y[5]]);
                let mut own = Largest::default();
                for k in 0..3 {
                    let push = rigid.mass * y[k];
                    size.see_size(y[k]);
                    size.see_size(y[3 + k]);
                    forces.see_size(push);
                    forces.see_size(spin[k]);
                    force[k] -= push;
                    force[3 + k] -= spin[k];
                    own.see(force[k]);
                    own.see(force[3 + k]);
                }
                errors.see(own.largest);
                errors.sum += own.sum;
                let least = least_inertia(rigid);
                // Few bodies exceed the largest so far, so there are few divisions.
                if own.largest > motions.largest * least {
                    motions.see(own.largest / least);
                }
                continue;
            }
            let range = v0..v0 + block.n_v as usize;
            let (y, force) = (&y[range.clone()], &mut self.force[range]);
            let product = &mut self.product[..y.len()];
            system.multiply_mass(body as u32, y, product);
            let mut own = Largest::default();
            for ((y, force), product) in y.iter().zip(force).zip(product) {
                size.see_size(*y);
                forces.see_size(*product);
                *force -= *product;
                own.see(*force);
            }
            errors.see(own.largest);
            errors.sum += own.sum;
            motions.see(own.largest * block.most_mobile);
        }
        let (largest_row, largest_force) = (rows.value(), forces.value());
        // Relative to the motion, or to its terms if these cancel.
        let mut size = size.value().max(natural_size);
        if largest_row > TINY_ERROR * size
            && let Some(force) = force
        {
            for (body, block) in system.bodies.iter().enumerate() {
                let range = block.v0 as usize..(block.v0 + block.n_v) as usize;
                size = size.max(least_response(system, body as u32, &force[range]));
            }
        }
        self.motion_relative = ratio(motions.value(), size);
        Residual {
            rows: largest_row,
            rows_relative: ratio(largest_row, size),
            force_relative: ratio(errors.value(), largest_force),
        }
    }
}

/// The least diagonal entry of a rigid body's mass matrix.
#[inline(always)]
fn least_inertia(rigid: &RigidBlock) -> f64 {
    let [xx, yy, zz, ..] = rigid.inertia_world;
    let smaller = |a: f64, b: f64| if a < b { a } else { b };
    smaller(smaller(xx, yy), smaller(zz, rigid.mass))
}

/// A lower bound of the largest entry of `M⁻¹·f`, without an inverse: at least `|f|/tr(M)`. Zero for opaque
/// masses.
fn least_response(system: &System, body: u32, f: &[f64]) -> f64 {
    let largest = |f: &[f64]| f.iter().fold(0.0f64, |m, f| m.max(f.abs()));
    match system.bodies[body as usize].mass {
        MassBlock::Rigid(at) => {
            let rigid = &system.rigid[at as usize];
            let [xx, yy, zz, ..] = rigid.inertia_world;
            (largest(&f[..3]) / rigid.mass).max(largest(&f[3..]) / (xx + yy + zz))
        }
        MassBlock::Dense(offset) => {
            let n = f.len();
            let mass = &system.mass[offset as usize..][..n * n];
            largest(f) / mass.iter().step_by(n + 1).sum::<f64>()
        }
        MassBlock::Diagonal(offset) => {
            let mass = &system.mass[offset as usize..][..f.len()];
            f.iter()
                .zip(mass)
                .fold(0.0, |m, (f, mass)| m.max((f / mass).abs()))
        }
        MassBlock::Patterned { pattern, offset } => {
            let diagonal = system.patterns[pattern as usize].sparse.diagonal();
            let values = diagonal.map(|(at, _)| system.mass[offset as usize + at]);
            largest(f) / values.sum::<f64>()
        }
        MassBlock::Opaque { .. } => 0.0,
    }
}

/// `a/b`; zero over zero is zero, and the result is infinite if either is.
fn ratio(a: f64, b: f64) -> f64 {
    if a.is_finite() && b.is_finite() {
        a / b.max(f64::MIN_POSITIVE)
    } else {
        f64::INFINITY
    }
}
