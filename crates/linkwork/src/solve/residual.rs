//! The true residual: from `M`, `J` and `C` as they are, whatever the factor was told.

use crate::assemble::{MassBlock, System};

/// How far a solution is from the equations, both parts relative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Largest `|J·y + C·λ − b|` over the rows, in metres (or m/s, m/s²).
    pub rows: f64,
    /// `rows` relative to the size of the motion, with or without constraints: at equilibrium only
    /// the motion the constraints prevent tells how large round-off is.
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
}

impl Checker {
    pub(super) fn new(system: &System) -> Self {
        Self {
            force: vec![0.0; system.n_v()],
            rows: vec![0.0; system.n_rows()],
        }
    }

    /// Evaluates both parts over the given constraints and all bodies.
    pub(super) fn evaluate(
        &mut self,
        system: &System,
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
        let mut largest_force = f64::MIN_POSITIVE;
        let mut largest_motion = 0.0f64;
        if force.is_some() {
            for body in 0..system.bodies.len() as u32 {
                let force = &self.force[system.v_range(body)];
                largest_motion = largest_motion.max(least_response(system, body, force));
                largest_force = force.iter().fold(largest_force, |m, f| m.max(f.abs()));
            }
        }
        let mut largest_row = 0.0f64;
        let mut largest_b = 0.0f64;
        for &c in constraints {
            let range = system.row_range(c);
            let lambda = &lambda[range.clone()];
            let rows = &mut self.rows[range.clone()];
            system.add_constraint_force(c, lambda, &mut self.force);
            system.constraint_motion(c, y, rows);
            for (i, row) in range.enumerate() {
                let b = b.map_or(0.0, |b| b[row]);
                let scale = system.row_scale[row];
                rows[i] = b - rows[i] - system.compliance[row] * lambda[i];
                largest_row = largest_row.max(scale * rows[i].abs());
                largest_b = largest_b.max(scale * b.abs());
            }
        }
        let mut largest_error = 0.0f64;
        let mut product = [0.0; 16];
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            let y = &y[range.clone()];
            for y in y {
                largest_motion = largest_motion.max(y.abs());
            }
            let n = y.len();
            if n <= product.len() {
                system.multiply_mass(body, y, &mut product[..n]);
                for (error, product) in self.force[range].iter_mut().zip(&product) {
                    largest_force = largest_force.max(product.abs()).max(error.abs());
                    *error -= product;
                    largest_error = largest_error.max(error.abs());
                }
            } else {
                let (force, error) = (&mut self.force[range], &mut largest_error);
                subtract_mass(system, body, y, force, &mut largest_force, error);
            }
        }
        let size = largest_b.max(largest_motion).max(f64::MIN_POSITIVE);
        Residual {
            rows: largest_row,
            rows_relative: largest_row / size,
            force_relative: largest_error / largest_force,
        }
    }
}

/// A lower bound of the largest entry of `M⁻¹·f`, without an inverse: `|f|/tr(M)` at worst. Zero for
/// a body that keeps its own factor.
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
        MassBlock::Opaque { .. } => 0.0,
    }
}

/// `f ← f − M·y` for a large body, whose mass is diagonal or its own affair.
fn subtract_mass(
    system: &System,
    body: u32,
    y: &[f64],
    force: &mut [f64],
    largest_force: &mut f64,
    largest_error: &mut f64,
) {
    // Large bodies are rare; their product needs room that only they know.
    let mut product = vec![0.0; y.len()];
    system.multiply_mass(body, y, &mut product);
    for (error, product) in force.iter_mut().zip(&product) {
        *largest_force = largest_force.max(product.abs()).max(error.abs());
        *error -= product;
        *largest_error = largest_error.max(error.abs());
    }
}
