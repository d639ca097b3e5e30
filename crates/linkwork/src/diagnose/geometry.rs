//! The Jacobian of a world at one pose, in a metric in which all bodies have equal mass. Dependencies of rows
//! and remaining motions are computed from it.

use super::ties::{self, Ties};
use crate::linalg::dense::dot;
use crate::math::Sym3;
use crate::solve::{Elimination, MassInverse, Order, RowFactor};
use crate::system::{Filler, Layout, MassBlock, Motion, Soft, System};
use crate::topology::Topology;
use crate::world::World;

/// The Jacobian of a world at one pose, in a metric in which all bodies have equal mass.
pub(super) struct Geometry {
    pub(super) layout: Layout,
    pub(super) filler: Filler,
    pub(super) system: System,
    pub(super) topology: Topology,
    pub(super) inverse: MassInverse,
    pub(super) hard: Vec<bool>,
    /// The root mean square of a hard row, in meters over unit bodies.
    pub(super) size: f64,
    /// The constraints that are searched, their hard rows, and their factor.
    pub(super) tied: Vec<u32>,
    pub(super) tied_rows: Vec<usize>,
    pub(super) tied_factor: Elimination,
    /// How many hard rows are tied together, by row.
    pub(super) n_together: Vec<f64>,
    /// Rows that motions may violate, the order of elimination of the others, and their factor, computed for
    /// the first motion.
    pub(super) left_out: Vec<usize>,
    pub(super) order: Order,
    pub(super) whole_factor: Option<Elimination>,
    pub(super) random: Random,
    pub(super) b: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    pub(super) y: Vec<f64>,
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
            // Rows with K ≠ Jᵀ restrict motion like any other.
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
        // A formula without a derivative does not restrict motion.
        for derivative in &mut self.system.jacobian {
            *derivative = if derivative.is_finite() {
                *derivative
            } else {
                0.0
            };
        }
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
        if !ties.tied.contains(&true) {
            // In a tree nothing is searched.
            (self.tied, self.tied_rows) = (Vec::new(), Vec::new());
            self.n_together.fill(0.0);
            self.tied_factor = Elimination::default();
            return;
        }
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
    system.masses_are_own = false;
    for block in &system.bodies {
        let n = block.n_v as usize;
        let (offset, n_values) = match block.mass {
            // Its own shape: lengths and angles keep their proportion.
            MassBlock::Dense(offset) => (offset as usize, n * n),
            MassBlock::Diagonal(offset) => (offset as usize, n),
            MassBlock::Patterned { pattern, offset } => {
                let sparse = &system.patterns[pattern as usize].sparse;
                (offset as usize, sparse.n_values())
            }
            _ => continue,
        };
        let mass = &mut system.mass[offset..offset + n_values];
        let unit = 1.0 / mass[0];
        mass.iter_mut().for_each(|m| *m *= unit);
    }
}

/// Makes `x` orthogonal to an orthonormal basis and of length one; returns its length before scaling.
pub(super) fn make_orthonormal(x: &mut [f64], basis: &[Vec<f64>]) -> f64 {
    // Gram–Schmidt with one repetition is orthogonal to round-off.
    for other in basis.iter().chain(basis) {
        let s = dot(x, other);
        add(x, -s, other);
    }
    normalize(x)
}

/// `x ← x + times·other`.
pub(super) fn add(x: &mut [f64], times: f64, other: &[f64]) {
    x.iter_mut().zip(other).for_each(|(x, o)| *x += times * o);
}

/// Scales to length one; returns the length before.
pub(super) fn normalize(x: &mut [f64]) -> f64 {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        x.iter_mut().for_each(|x| *x /= length);
        return length;
    }
    0.0
}

/// A fixed sequence of numbers in (−1, 1).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
