//! Null spaces of `J` by sparse solves.
//!
//! With the factor of `A + μ`, `A = J·Jᵀ` in a metric of unit bodies, the map
//!
//! ```text
//!     n ← (A + μ)⁻¹·μ·n
//! ```
//!
//! keeps the vectors with `Jᵀ·n = 0` (self-stresses: dependencies of rows) and shrinks the component
//! along an eigenvalue σ by μ/(σ + μ). A few applications to pseudo-random vectors give candidates, one
//! at a time, until nothing new is left. Only constraints that `ties` leaves are searched.
//!
//! Long structures have eigenvalues that are small and not zero, `√σ ≈ 1/n` in an arch of n bars on ball
//! joints and `1/n²` on hinges, and what belongs to them is among the candidates. So their combinations
//! that have the least `‖Jᵀ·n‖` are found (Rayleigh and Ritz), and those are kept where it is zero.
//!
//! The remaining motions are the projections of pseudo-random velocities onto `J·v = 0`, without the rows
//! that repeat others.

use super::ties::{self, Ties};
use super::tolerances::{
    APPLICATIONS, CLEAN, CLOSED, DEPENDENT, LEFT_OUT, LONG, MAX_PROJECTIONS, NOTHING_NEW,
};
use crate::linalg::dense::dot;
use crate::linalg::eigen;
use crate::math::Sym3;
use crate::solve::{Elimination, MassInverse, Order, RowFactor};
use crate::system::{Filler, Layout, MassBlock, Motion, Soft, System};
use crate::topology::Topology;
use crate::world::World;

/// The Jacobian of a world at one pose, in a metric in which all bodies weigh the same.
pub(super) struct Geometry {
    layout: Layout,
    filler: Filler,
    system: System,
    topology: Topology,
    inverse: MassInverse,
    hard: Vec<bool>,
    /// The root mean square of a hard row, in meters over unit bodies.
    size: f64,
    /// The constraints that are searched, their hard rows, and their factor.
    tied: Vec<u32>,
    tied_rows: Vec<usize>,
    tied_factor: Elimination,
    /// How many hard rows are tied together, by row.
    n_together: Vec<f64>,
    /// Rows that motions need not heed, how the others are eliminated, and their factor, made when a
    /// motion is asked for.
    left_out: Vec<usize>,
    order: Order,
    whole_factor: Option<Elimination>,
    random: Random,
    b: Vec<f64>,
    lambda: Vec<f64>,
    y: Vec<f64>,
}

impl Geometry {
    pub(super) fn new(world: &World) -> Self {
        let mut system = System::default();
        let mut layout = Layout::default();
        layout.compile(world, &mut system);
        let mut hard = vec![false; system.n_rows()];
        for record in world.constraints() {
            for (row, &compliance) in record.row_range().zip(record.compliance()) {
                hard[row] = compliance == 0.0;
            }
        }
        let mut takes_part = vec![false; system.n_rows()];
        let nodes = layout.incidence.constraints.iter_mut();
        for (c, node) in nodes.enumerate() {
            let rows = system.row_range(c as u32);
            let block = &mut system.constraints[c];
            // Rows that push elsewhere restrict motion like any other.
            block.pushes = false;
            node.primary = block.priority == 0 && hard[rows.clone()].contains(&true);
            takes_part[rows].fill(node.primary);
        }
        for (hard, takes_part) in hard.iter_mut().zip(takes_part) {
            *hard &= takes_part;
        }
        let mut topology = Topology::default();
        topology.update(&layout.incidence);
        let mut filler = Filler::default();
        filler.size(&layout);
        let mut out = Self {
            filler,
            topology,
            inverse: MassInverse::new(&system),
            hard,
            size: 0.0,
            tied: Vec::new(),
            tied_rows: Vec::new(),
            tied_factor: Elimination::default(),
            n_together: vec![0.0; system.n_rows()],
            left_out: Vec::new(),
            order: Order::Whole,
            whole_factor: None,
            random: Random(0x2545_F491_4F6C_DD1D),
            b: vec![0.0; system.n_rows()],
            lambda: vec![0.0; system.n_rows()],
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
        make_bodies_alike(&mut self.system);
        self.inverse.factor(&self.system);
        self.size = self.row_size();
        let ties = ties::find(
            &self.system,
            &self.layout.incidence,
            &self.inverse,
            &self.hard,
            self.size,
        );
        self.search_among(&ties);
        // Branches are exact where each holds its body; elsewhere the proximal term decides.
        self.order = if ties.is_regular {
            Order::Whole
        } else {
            Order::CoreOnly
        };
        self.whole_factor = None;
    }

    /// Factors the constraints that are searched.
    fn search_among(&mut self, ties: &Ties) {
        let mut incidence = self.layout.incidence.clone();
        let nodes = incidence.constraints.iter_mut().zip(&ties.tied);
        nodes.for_each(|(node, &tied)| node.primary = tied);
        let mut topology = Topology::default();
        topology.update(&incidence);
        self.tied = topology.primary();
        let rows = self.tied.iter().flat_map(|&c| self.system.row_range(c));
        self.tied_rows = rows.filter(|&row| self.hard[row]).collect();
        self.n_together.fill(0.0);
        for part in topology.components() {
            let rows = part.constraints.iter();
            let rows: Vec<usize> = rows.flat_map(|&c| self.system.row_range(c)).collect();
            let n_together = rows.iter().filter(|&&row| self.hard[row]).count();
            rows.iter()
                .for_each(|&row| self.n_together[row] = n_together as f64);
        }
        self.tied_factor = Elimination::new(&self.system, &topology, Order::CoreOnly);
        self.tied_factor.factor(&self.system);
        self.tied_factor.factor_proximal(&self.system, 1.0);
    }

    fn row_size(&mut self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for c in 0..self.system.constraints.len() as u32 {
            for (i, row) in self.system.row_range(c).enumerate() {
                if self.hard[row] {
                    let scale = self.system.row_scale[row];
                    let mobility = self.inverse.mobility(&self.system, c, i, &mut self.y);
                    sum += scale * scale * mobility;
                    count += 1.0;
                }
            }
        }
        if count > 0.0 {
            f64::sqrt(sum / count)
        } else {
            0.0
        }
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

    /// An orthonormal basis of `Jᵀ·n = 0` over the hard rows, all of them in meters.
    pub(super) fn dependencies(&mut self) -> Vec<Vec<f64>> {
        let candidates = self.candidates();
        let n = candidates.len();
        let gram = self.gram(&candidates);
        if largest(n, &gram) <= CLEAN * self.size {
            return candidates;
        }
        // Candidates have a little of everything, which is shrunk once more.
        let mut near: Vec<Vec<f64>> = Vec::new();
        for mut n in self.combinations(candidates, gram, DEPENDENT, |_| DEPENDENT) {
            self.shrink(&mut n);
            make_orthonormal(&mut n, &near);
            near.push(n);
        }
        let longest = self.n_together.iter().fold(0.0, |m: f64, n| m.max(*n));
        let gram = self.gram(&near);
        self.combinations(near, gram, tolerance(longest), |n| {
            let weights = n.iter().zip(&self.n_together);
            tolerance(weights.map(|(n, together)| n * n * together).sum())
        })
    }

    /// Those orthonormal combinations of orthonormal vectors whose `‖Jᵀ·n‖` is not above their limit, a part of
    /// a row's size; the vectors themselves, if no combination is above `least`. `gram` is theirs.
    fn combinations(
        &self,
        vectors: Vec<Vec<f64>>,
        mut gram: Vec<f64>,
        least: f64,
        limit: impl Fn(&[f64]) -> f64,
    ) -> Vec<Vec<f64>> {
        let n = vectors.len();
        if largest(n, &gram) <= least * self.size {
            return vectors;
        }
        let mut shares = vec![0.0; n * n];
        eigen::diagonalize(n, &mut gram, &mut shares);
        let values = gram.iter().step_by(n + 1);
        let mut found = Vec::new();
        for (value, shares) in values.zip(shares.chunks_exact(n)) {
            let mut own = vec![0.0; self.system.n_rows()];
            for (share, vector) in shares.iter().zip(&vectors) {
                add(&mut own, *share, vector);
            }
            if value.max(0.0).sqrt() <= limit(&own) * self.size {
                found.push(own);
            }
        }
        found
    }

    /// Orthonormal vectors among whose combinations are all with `Jᵀ·n = 0`.
    fn candidates(&mut self) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::new();
        while found.len() < self.tied_rows.len() {
            let mut n = vec![0.0; self.system.n_rows()];
            for &row in &self.tied_rows {
                n[row] = self.random.next();
            }
            normalize(&mut n);
            self.shrink(&mut n);
            if make_orthonormal(&mut n, &found) < NOTHING_NEW {
                break;
            }
            found.push(n);
        }
        found
    }

    /// Shrinks what `n`, in meters, has beside the null space.
    fn shrink(&mut self, n: &mut [f64]) {
        let scale = &self.system.row_scale;
        for _ in 0..APPLICATIONS {
            self.tied_factor.proximal_terms(&self.system, &mut self.b);
            for (b, (n, scale)) in self.b.iter_mut().zip(n.iter().zip(scale)) {
                *b *= scale * n;
            }
            self.tied_factor.solve(
                &self.system,
                None,
                Some(&self.b),
                &mut self.lambda,
                &mut self.y,
            );
            for &row in &self.tied_rows {
                n[row] = self.lambda[row] / scale[row];
            }
        }
    }

    /// `(Jᵀ·nᵢ)ᵀ·M⁻¹·(Jᵀ·nⱼ)` of vectors in meters.
    fn gram(&self, vectors: &[Vec<f64>]) -> Vec<f64> {
        let forces: Vec<Vec<f64>> = vectors.iter().map(|n| self.force(n)).collect();
        let mut gram = vec![0.0; vectors.len() * vectors.len()];
        for (i, force) in forces.iter().enumerate() {
            let mut motion = force.clone();
            self.inverse.apply_all(&self.system, &mut motion);
            for (j, other) in forces[..=i].iter().enumerate() {
                let product = dot(&motion, other);
                gram[i * vectors.len() + j] = product;
                gram[j * vectors.len() + i] = product;
            }
        }
        gram
    }

    /// `Jᵀ·n` of a vector in meters.
    fn force(&self, n: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; self.system.n_v()];
        let mut own = Vec::new();
        for &c in &self.tied {
            let rows = self.system.row_range(c);
            own.clear();
            own.extend(rows.map(|row| self.system.row_scale[row] * n[row]));
            self.system.add_constraint_force(c, &own, &mut force);
        }
        force
    }

    /// Lets motions open these rows, which repeat others.
    pub(super) fn leave_out(&mut self, rows: impl Iterator<Item = usize>) {
        self.left_out = rows.collect();
        self.whole_factor = None;
    }

    /// Factors all constraints, without the rows that are left out.
    fn factor_whole(&mut self) -> Elimination {
        let system = &mut self.system;
        let before = (system.compliance.clone(), system.has_soft_rows);
        for &row in &self.left_out {
            system.compliance[row] = LEFT_OUT;
            system.has_soft_rows = true;
        }
        let mut factor = Elimination::new(system, &self.topology, self.order);
        factor.factor(system);
        (system.compliance, system.has_soft_rows) = before;
        factor
    }

    /// Independent motions with `J·v = 0`, of length one each.
    pub(super) fn motions(&mut self, n: usize) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for _ in 0..2 * n {
            if found.len() == n {
                break;
            }
            let mut v = self.motion();
            if make_orthonormal(&mut v, &found) > NOTHING_NEW {
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
        let mut factor = match self.whole_factor.take() {
            Some(factor) => factor,
            None => self.factor_whole(),
        };
        let system = &self.system;
        let mut heeded = self.hard.clone();
        self.left_out.iter().for_each(|&row| heeded[row] = false);
        let mut force = vec![0.0; system.n_v()];
        let mut opening = f64::INFINITY;
        // A factor with a proximal term gives way a little: again, while it helps.
        for _ in 0..MAX_PROJECTIONS {
            for body in 0..system.bodies.len() as u32 {
                let range = system.v_range(body);
                system.multiply_mass(body, &v[range.clone()], &mut force[range]);
            }
            factor.solve(system, Some(&force), None, &mut self.lambda, &mut self.y);
            let now = largest_rate(system, &heeded, &self.y);
            if now >= 0.5 * opening {
                break;
            }
            v.copy_from_slice(&self.y);
            opening = now;
        }
        self.whole_factor = Some(factor);
        v
    }
}

/// Gives all bodies unit mass; of rigid ones it makes spheres of a typical size.
fn make_bodies_alike(system: &mut System) {
    let square = system.characteristic_length() * system.characteristic_length();
    let sphere: Sym3 = [square, square, square, 0.0, 0.0, 0.0];
    for rigid in &mut system.rigid {
        rigid.mass = 1.0;
        rigid.inv_mass = 1.0;
        rigid.inertia_world = sphere;
    }
    for block in &system.bodies {
        let n = block.n_v as usize;
        let (offset, n_values) = match block.mass {
            // Its own shape: lengths and angles keep their proportion.
            MassBlock::Dense(offset) => (offset as usize, n * n),
            MassBlock::Diagonal(offset) => (offset as usize, n),
            _ => continue,
        };
        let mass = &mut system.mass[offset..offset + n_values];
        let unit = 1.0 / mass[0];
        mass.iter_mut().for_each(|m| *m *= unit);
    }
}

/// No combination of length one of vectors with this Gram matrix is longer.
fn largest(n: usize, gram: &[f64]) -> f64 {
    gram.iter().step_by(n + 1).sum::<f64>().sqrt()
}

/// The part of a row's size below which `‖Jᵀ·n‖` is zero, where so many rows are tied together.
fn tolerance(n_together: f64) -> f64 {
    let length = n_together / LONG;
    f64::max(DEPENDENT / (1.0 + length * length), CLOSED)
}

/// The fastest that a motion opens a row that it heeds, in meters.
fn largest_rate(system: &System, heeded: &[bool], v: &[f64]) -> f64 {
    let mut largest = 0.0f64;
    let mut rates = Vec::new();
    for c in 0..system.constraints.len() as u32 {
        let rows = system.row_range(c);
        rates.resize(rows.len(), 0.0);
        system.constraint_motion(c, v, &mut rates);
        for (row, rate) in rows.zip(&rates).filter(|(row, _)| heeded[*row]) {
            largest = largest.max((system.row_scale[row] * rate).abs());
        }
    }
    largest
}

/// Takes off `x` what it has of an orthonormal basis and scales it to length one; returns the length there
/// was left.
fn make_orthonormal(x: &mut [f64], basis: &[Vec<f64>]) -> f64 {
    // Gram–Schmidt with one repetition is orthogonal to round-off.
    for other in basis.iter().chain(basis) {
        let s = dot(x, other);
        add(x, -s, other);
    }
    normalize(x)
}

/// `x ← x + times·other`.
fn add(x: &mut [f64], times: f64, other: &[f64]) {
    x.iter_mut().zip(other).for_each(|(x, o)| *x += times * o);
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
