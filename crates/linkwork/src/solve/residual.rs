//! The true residual: from `M`, `J` and `C` as they are, whatever the factor was told.

use crate::assemble::{MassBlock, System};

/// How far a solution is from the equations, both parts relative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Largest `|J·y + C·λ − b|` over the rows, in metres (or m/s, m/s²).
    pub rows: f64,
    /// `rows` relative to the size of the motion, with and without constraints.
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
    /// How much the force error could move a body if nothing held it, relative to the motion.
    /// Between heavy bodies a light one can be far off while forces balance to round-off.
    pub(super) motion_relative: f64,
}

impl Checker {
    pub(super) fn new(system: &System) -> Self {
        let n_v = system.bodies.iter().map(|block| block.n_v as usize);
        Self {
            force: vec![0.0; system.n_v()],
            rows: vec![0.0; system.n_rows()],
            product: vec![0.0; n_v.max().unwrap_or(0)],
            motion_relative: 0.0,
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
        let mut all_finite = true;
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
                all_finite &= rows[i].is_finite();
                largest_row = largest_row.max(scale * rows[i].abs());
                largest_b = largest_b.max(scale * b.abs());
            }
        }
        // The size of forces includes what cancels: loads, and the multipliers that carry them.
        let loads = force.unwrap_or(&[]).iter();
        let mut largest_force = loads.fold(f64::MIN_POSITIVE, |s, f| s.max(f.abs()));
        let mut largest_error = 0.0f64;
        let mut largest_motion = 0.0f64;
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            let y = &y[range.clone()];
            let product = &mut self.product[..y.len()];
            system.multiply_mass(body, y, product);
            for ((error, product), y) in self.force[range].iter_mut().zip(product).zip(y) {
                largest_motion = largest_motion.max(y.abs());
                largest_force = largest_force.max(product.abs()).max(error.abs());
                *error -= *product;
                all_finite &= error.is_finite();
                largest_error = largest_error.max(error.abs());
            }
        }
        // What is held at rest is compared with how it would move if it were free.
        let free = force.map_or(0.0, |force| free_motion(system, force));
        let size = largest_b.max(largest_motion).max(free);
        let size = size.max(f64::MIN_POSITIVE);
        self.motion_relative = free_motion(system, &self.force) / size;
        if !all_finite {
            // The largest of anything and NaN is not NaN: say it.
            return Residual {
                rows: f64::INFINITY,
                rows_relative: f64::INFINITY,
                force_relative: f64::INFINITY,
            };
        }
        Residual {
            rows: largest_row,
            rows_relative: largest_row / size,
            force_relative: largest_error / largest_force,
        }
    }
}

/// Largest `|f_k/M_kk|`: a size of the motion without constraints.
fn free_motion(system: &System, force: &[f64]) -> f64 {
    let mut largest = 0.0f64;
    for block in &system.bodies {
        let n = block.n_v as usize;
        let force = &force[block.v0 as usize..][..n];
        for k in 0..n {
            let mass = match block.mass {
                MassBlock::Rigid(at) if k < 3 => system.rigid[at as usize].mass,
                MassBlock::Rigid(at) => system.rigid[at as usize].inertia_world[k - 3],
                MassBlock::Dense(offset) => system.mass[offset as usize + k * n + k],
                MassBlock::Diagonal(offset) => system.mass[offset as usize + k],
                // Only the body knows; what it carries tells the size as well.
                MassBlock::Opaque { .. } => continue,
            };
            largest = largest.max((force[k] / mass).abs());
        }
    }
    largest
}
