//! Null spaces of `J` by sparse solves.
//!
//! With the factor of `A + μ`, `A = J·Jᵀ` in a metric of unit bodies, the map
//!
//! ```text
//!     n ← (A + μ)⁻¹·μ·n
//! ```
//!
//! keeps the vectors with `Jᵀ·n = 0` (self-stresses: dependencies of rows) and shrinks the component
//! along an eigenvalue σ by μ/(σ + μ). A few applications to pseudo-random vectors give the whole
//! null space, one vector at a time, until nothing new is left. The remaining motions are the
//! projections of pseudo-random velocities onto `J·v = 0`.

use super::tolerances::{APPLICATIONS, NAMES, NOTHING_NEW, TAKES_PART};
use crate::linalg::dense::dot;
use crate::math::Sym3;
use crate::solve::{Elimination, Order, RowFactor};
use crate::system::{Filler, Layout, MassBlock, Motion, Soft, System};
use crate::topology::Topology;
use crate::world::World;

/// The Jacobian of a world at one pose, factored in a metric in which all bodies weigh the same.
pub(super) struct Geometry {
    layout: Layout,
    filler: Filler,
    system: System,
    elimination: Elimination,
    hard: Vec<bool>,
    random: Random,
    b: Vec<f64>,
    y: Vec<f64>,
}

impl Geometry {
    pub(super) fn new(world: &World) -> Self {
        let mut system = System::default();
        let mut layout = Layout::default();
        layout.compile(world, &mut system);
        // Rows that push elsewhere restrict motion like any other.
        for (node, block) in layout
            .incidence
            .constraints
            .iter_mut()
            .zip(&mut system.constraints)
        {
            block.pushes = false;
            node.primary = block.priority == 0;
        }
        let mut topology = Topology::default();
        topology.update(&layout.incidence);
        let mut hard = vec![false; system.n_rows()];
        for c in topology.primary() {
            hard[system.row_range(c)].fill(true);
        }
        for record in world.constraints() {
            for (row, &compliance) in record.row_range().zip(record.compliance()) {
                hard[row] &= compliance == 0.0;
            }
        }
        let mut filler = Filler::default();
        filler.size(&layout);
        let mut out = Self {
            filler,
            elimination: Elimination::new(&system, &topology, Order::CoreOnly),
            hard,
            random: Random(0x2545_F491_4F6C_DD1D),
            b: vec![0.0; system.n_rows()],
            y: vec![0.0; system.n_v()],
            layout,
            system,
        };
        out.factor(world);
        out
    }

    /// Factors the Jacobian at the pose of `world`, which must have the same structure.
    pub(super) fn factor(&mut self, world: &World) {
        self.filler.fill(
            (world, world.state()),
            &self.layout,
            Motion::Velocity,
            Soft::Explicit,
            &mut self.system,
        );
        let length = self.system.characteristic_length();
        let sphere: Sym3 = [
            length * length,
            length * length,
            length * length,
            0.0,
            0.0,
            0.0,
        ];
        for rigid in &mut self.system.rigid {
            rigid.mass = 1.0;
            rigid.inv_mass = 1.0;
            rigid.inertia_world = sphere;
        }
        for block in &self.system.bodies {
            let n = block.n_v as usize;
            match block.mass {
                MassBlock::Dense(offset) => {
                    // Its own shape, but of unit mass: lengths and angles keep their proportion.
                    let mass = &mut self.system.mass[offset as usize..][..n * n];
                    let unit = 1.0 / mass[0];
                    mass.iter_mut().for_each(|m| *m *= unit);
                }
                MassBlock::Diagonal(offset) => {
                    let mass = &mut self.system.mass[offset as usize..][..n];
                    let unit = 1.0 / mass[0];
                    mass.iter_mut().for_each(|m| *m *= unit);
                }
                _ => {}
            }
        }
        self.elimination.factor(&self.system);
        self.elimination.factor_proximal(&self.system, 1.0);
    }

    /// A typical size of the bodies.
    pub(super) fn length(&self) -> f64 {
        self.system.characteristic_length()
    }

    /// Velocity coordinates that take part.
    pub(super) fn n_v(&self) -> usize {
        self.system
            .bodies
            .iter()
            .map(|block| block.n_v as usize)
            .sum()
    }

    /// Hard rows of priority 0 that take part.
    pub(super) fn n_hard_rows(&self) -> usize {
        self.hard.iter().filter(|hard| **hard).count()
    }

    /// An orthonormal basis of `Jᵀ·n = 0` over the hard rows.
    pub(super) fn dependencies(&mut self) -> Vec<Vec<f64>> {
        let n_hard = self.n_hard_rows();
        let mut found: Vec<Vec<f64>> = Vec::new();
        while found.len() < n_hard {
            let mut n: Vec<f64> = self
                .hard
                .iter()
                .map(|&hard| if hard { self.random.next() } else { 0.0 })
                .collect();
            if normalize(&mut n) == 0.0 {
                break;
            }
            for _ in 0..APPLICATIONS {
                self.elimination.proximal_terms(&self.system, &mut self.b);
                self.b.iter_mut().zip(&n).for_each(|(mu, n)| *mu *= n);
                self.elimination
                    .solve(&self.system, None, Some(&self.b), &mut n, &mut self.y);
            }
            // Gram–Schmidt with one repetition is orthogonal to round-off.
            orthogonalize(&mut n, &found);
            orthogonalize(&mut n, &found);
            if normalize(&mut n) < NOTHING_NEW {
                break;
            }
            found.push(n);
        }
        found
    }

    /// Independent motions with `J·v = 0`, of length one each.
    pub(super) fn motions(&mut self, n: usize) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for _ in 0..2 * n {
            if found.len() == n {
                break;
            }
            let mut v = self.motion();
            orthogonalize(&mut v, &found);
            orthogonalize(&mut v, &found);
            if normalize(&mut v) > NOTHING_NEW {
                found.push(v);
            }
        }
        found
    }

    /// A pseudo-random velocity, projected onto `J·v = 0`.
    pub(super) fn motion(&mut self) -> Vec<f64> {
        let mut v = vec![0.0; self.system.n_v()];
        for block in &self.system.bodies {
            for v in &mut v[block.v0 as usize..(block.v0 + block.n_v) as usize] {
                *v = self.random.next();
            }
        }
        let mut lambda = vec![0.0; self.system.n_rows()];
        let mut force = vec![0.0; self.system.n_v()];
        // Twice, because the proximal factor gives way a little.
        for _ in 0..3 {
            for body in 0..self.system.bodies.len() as u32 {
                let range = self.system.v_range(body);
                self.system
                    .multiply_mass(body, &v[range.clone()], &mut force[range]);
            }
            self.elimination
                .solve(&self.system, Some(&force), None, &mut lambda, &mut self.y);
            v.copy_from_slice(&self.y);
        }
        v
    }
}

/// A dependency, named by its last row.
pub(super) struct Group {
    pub(super) pivot: usize,
    /// The other rows that take part.
    pub(super) rows: Vec<usize>,
}

/// Brings a basis of dependencies into the form in which each has a row of its own: the last one
/// possible, because what was added last is what repeats.
pub(super) fn echelon(mut basis: Vec<Vec<f64>>) -> Vec<Group> {
    let n_rows = basis.first().map_or(0, Vec::len);
    let mut pivots: Vec<usize> = Vec::new();
    let mut next = 0;
    for row in (0..n_rows).rev() {
        if next == basis.len() {
            break;
        }
        let best = (next..basis.len())
            .max_by(|&i, &j| basis[i][row].abs().total_cmp(&basis[j][row].abs()));
        let Some(best) = best.filter(|&best| basis[best][row].abs() > NAMES) else {
            continue;
        };
        basis.swap(next, best);
        let pivot = basis[next][row];
        basis[next].iter_mut().for_each(|value| *value /= pivot);
        let pivot_row = basis[next].clone();
        for (other, vector) in basis.iter_mut().enumerate() {
            let factor = vector[row];
            if other != next && factor != 0.0 {
                vector
                    .iter_mut()
                    .zip(&pivot_row)
                    .for_each(|(v, p)| *v -= factor * p);
            }
        }
        pivots.push(row);
        next += 1;
    }
    basis
        .iter()
        .zip(&pivots)
        .map(|(vector, &pivot)| {
            let largest = vector.iter().fold(0.0f64, |m, v| m.max(v.abs()));
            let rows = (0..n_rows)
                .filter(|&row| row != pivot && vector[row].abs() > TAKES_PART * largest)
                .collect();
            Group { pivot, rows }
        })
        .collect()
}

/// The rows that take part in any dependency.
pub(super) fn involved_rows(basis: &[Vec<f64>]) -> Vec<usize> {
    let n_rows = basis.first().map_or(0, Vec::len);
    (0..n_rows)
        .filter(|&row| basis.iter().any(|n| n[row].abs() > TAKES_PART))
        .collect()
}

fn orthogonalize(x: &mut [f64], basis: &[Vec<f64>]) {
    for other in basis {
        let s = dot(x, other);
        x.iter_mut().zip(other).for_each(|(x, o)| *x -= s * o);
    }
}

/// Scales to length one; returns the length there was.
fn normalize(x: &mut [f64]) -> f64 {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        x.iter_mut().for_each(|x| *x /= length);
        return length;
    }
    0.0
}

/// A fixed sequence of numbers in (−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
