//! The spanning forest in linear time. The rows laid over it close loops:
//!
//! ```text
//!     Â·λ_l = b̂      Â = J_l·M̂⁻¹·J_lᵀ + C_l      b̂ = b_l − J_l·y₀      (Faure 1999, eq. 13)
//! ```
//!
//! `M̂⁻¹·f` is the response of the bodies to a force with the forest's constraints in effect
//! (Baraff 1996, §8.1), `y₀` the motion with the loops left open.

use super::branch::mobility::{self, Mobility};
use super::elimination::{Elimination, Order};
use super::mass::MassInverse;
use super::products::Products;
use super::refine::RowFactor;
use super::rows::{Laid, Rows, Underlay, copy_or_zero};
use super::tolerances::TOO_LIGHT;
use crate::linalg::order::{Key, sort};
use crate::system::{MassBlock, System};
use crate::topology::{NONE, Topology};

/// The forest's factor.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    elimination: Elimination,
    inverse: MassInverse,
    /// Its own rows.
    trees: Rows,
    /// For each loop, the first step of one of its bodies; the loop moves no body of an earlier step.
    first_step: Vec<usize>,
    /// The matrix of loops by products, if that is less work.
    products: Option<Products>,
    /// Scratch over velocities and rows.
    force: Vec<f64>,
    y: Vec<f64>,
    lambda: Vec<f64>,
    /// The response of each rigid body to a force on itself.
    mobilities: Vec<Mobility>,
    /// Rigid bodies outside the branches.
    unbranched: Vec<u32>,
}

impl RowFactor for Forest {
    fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        self.elimination.solve(system, force, b, lambda, y);
    }

    fn keeps_rows(&self) -> bool {
        !self.is_proximal()
    }

    fn is_proximal(&self) -> bool {
        self.elimination.is_proximal()
    }

    fn factor_proximal(&mut self, system: &System, strength: f64) {
        self.elimination.factor_proximal(system, strength);
    }

    fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        self.elimination.proximal_terms(system, mu);
    }
}

impl Forest {
    /// Loops nearest to the leaves come first.
    pub(super) fn laid(system: &System, topology: &Topology) -> Laid {
        let (forest, left) = Self::new(system, topology);
        (Box::new(forest), left)
    }

    fn new(system: &System, topology: &Topology) -> (Self, Vec<u32>) {
        let elimination = Elimination::new(system, topology, Order::Forest);
        let step_of = elimination.steps_of_bodies(system);
        let first = |c: u32| {
            let steps = Elimination::steps_at(system, c, &step_of);
            let first = steps.iter().fold(NONE, |first, &step| first.min(step));
            if first == NONE || elimination.has_core() {
                0
            } else {
                first
            }
        };
        let closing = topology.loops();
        let mut loops: Vec<Key> = closing.iter().map(|&c| (first(c).into(), c)).collect();
        sort(&mut loops);
        let mut trees = topology.primary();
        trees.retain(|c| closing.binary_search(c).is_err());
        let mut unbranched: Vec<u32> = (0..system.bodies.len() as u32).collect();
        unbranched.retain(|&body| {
            let is_rigid = matches!(system.bodies[body as usize].mass, MassBlock::Rigid(_));
            is_rigid && step_of[body as usize] == NONE
        });
        let forest = Self {
            unbranched,
            elimination,
            inverse: MassInverse::new(system),
            trees: Rows::new(system, trees, |_, _| 1.0),
            first_step: loops.iter().map(|&(first, _)| first as usize).collect(),
            products: None,
            force: vec![0.0; system.n_v()],
            y: vec![0.0; system.n_v()],
            lambda: vec![0.0; system.n_rows()],
            mobilities: vec![Mobility::default(); system.bodies.len()],
        };
        (forest, loops.into_iter().map(|(_, c)| c).collect())
    }
}

impl Underlay for Forest {
    fn is_scaled(&self) -> bool {
        true
    }

    fn factor(&mut self, system: &System) {
        self.elimination.factor(system);
        self.inverse.factor(system);
    }

    fn weigh_bodies(&mut self, system: &System) {
        for &body in &self.unbranched {
            self.mobilities[body as usize] = mobility::alone(system, &self.inverse, body);
        }
        let branches = self.elimination.branches();
        branches.mobilities(system, &self.inverse, &mut self.mobilities);
    }

    fn respond_alone(&self, system: &System, body: u32, f: &mut [f64]) {
        if !matches!(system.bodies[body as usize].mass, MassBlock::Rigid(_)) {
            return self.inverse.apply(system, body, f);
        }
        let y = self.mobilities[body as usize].times(f);
        f.copy_from_slice(&y);
    }

    fn constraints(&self) -> &[u32] {
        self.trees.constraints()
    }

    fn inverse(&self) -> &MassInverse {
        &self.inverse
    }

    /// A body that is nearly a point has a rotational mobility far beyond what the trees allow, beside which
    /// every pivot would look lost. It counts with its mass at the characteristic length.
    fn mobility(
        &self,
        system: &System,
        (c, i): (u32, usize),
        entry: f64,
        force: &mut [f64],
    ) -> f64 {
        let alone = self.inverse.mobility(system, c, i, force);
        let mut by_mass = entry.max(system.compliance[system.row_range(c).start + i]);
        system.for_each_side(c, false, |body, _| {
            if let MassBlock::Rigid(at) = system.bodies[body as usize].mass {
                let scale = system.row_scale[system.row_range(c).start + i];
                let inv_mass = system.rigid[at as usize].inv_mass;
                by_mass = by_mass.max(inv_mass / (scale * scale));
            }
        });
        if alone * TOO_LIGHT > by_mass && by_mass > 0.0 {
            by_mass
        } else {
            alone
        }
    }

    fn expect_fill(&mut self, system: &System, over: &Rows) {
        self.products = Products::new(system, &self.elimination, over.constraints());
    }

    /// By products of forward sweeps (`products`), or else column by column, by responses. Columns are in the
    /// order of their loops' first steps, so that each response runs only over the steps after that, and only
    /// the lower triangle is evaluated (Baraff 1996, §10).
    fn fill(&mut self, system: &System, rows: &Rows, a: &mut [f64]) {
        let n = rows.len();
        self.force.fill(0.0);
        for (at, (c, columns)) in rows.iter().enumerate() {
            for column in columns.clone() {
                let row = (c, column - columns.start);
                push(system, row, 1.0, &mut self.force);
                if let Some(products) = &mut self.products {
                    products.fill(system, &mut self.elimination, (at, column), &self.force, a);
                } else {
                    self.respond(system, at);
                }
                // Subtracts the force again: the same numbers, so that zero remains.
                push(system, row, -1.0, &mut self.force);
                if self.products.is_some() {
                    continue;
                }
                let mut motion = [0.0; super::MAX_ROWS];
                for (d, places) in rows.iter().skip(at) {
                    let motion = &mut motion[..places.len()];
                    system.constraint_motion(d, &self.y, motion);
                    for (row, value) in places.zip(motion) {
                        a[row * n + column] = *value;
                        a[column * n + row] = *value;
                    }
                }
            }
        }
    }

    /// Its own rows count as well.
    fn size(
        &mut self,
        system: &System,
        (force, b): (Option<&[f64]>, Option<&[f64]>),
        over: &Rows,
        _: &[f64],
    ) -> f64 {
        copy_or_zero(force, &mut self.y);
        self.inverse.apply_all(system, &mut self.y);
        let mut largest = 0.0f64;
        for rows in [&self.trees, over] {
            let errors = &mut self.lambda[..rows.len()];
            rows.errors(system, b, &self.y, errors);
            largest = largest.max(rows.largest(errors));
        }
        largest
    }
}

impl Forest {
    /// The response to the present force of a loop.
    fn respond(&mut self, system: &System, at: usize) {
        let (force, lambda, y) = (&self.force[..], &mut self.lambda, &mut self.y);
        if self.elimination.has_core() {
            self.elimination.solve(system, Some(force), None, lambda, y);
        } else {
            let from = self.first_step[at];
            self.elimination
                .respond_from(system, from, force, lambda, y);
        }
    }
}

/// Adds the force of a row of a constraint.
#[inline(never)]
fn push(system: &System, (c, i): (u32, usize), lambda: f64, force: &mut [f64]) {
    let mut unit = [0.0; super::MAX_ROWS];
    unit[i] = lambda;
    let n_rows = system.row_range(c).len();
    system.add_constraint_force(c, &unit[..n_rows], force);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{PlanarRod, Rod};
    use crate::constraint::{AngleArmature, Distance, FramePair};
    use crate::simulator::{Simulator, SolveOptions};
    use crate::system::Motion;
    use crate::world::{GROUND, World};

    /// A chain of rods on joints of all kinds, with armatures, another one in the plane, and bars that close
    /// loops from rod i to rod i + 2 where `is_closed` says so.
    fn chains(n: usize, is_closed: impl Fn(usize) -> bool) -> World {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        let (rod, flat) = (
            Rod {
                length: 1.0,
                radius: 0.1,
                mass: 1.0,
            },
            PlanarRod {
                length: 1.0,
                mass: 1.0,
            },
        );
        let (mut rods, mut flats) = (vec![GROUND], vec![GROUND]);
        let x = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for i in 0..n {
            let name = |what: &str| format!("{what} {i}");
            let at = i as f64;
            let rod = world.add_body(&name("rod"), rod).unwrap();
            let side = 0.1 * (at * 1.7).sin();
            let pose = [at + 0.5, side, 0.2 * at, 1.0, 0.0, 0.0, 0.0];
            world.set_q(rod, &pose).unwrap();
            let flat = world.add_body(&name("flat"), flat).unwrap();
            world.set_q(flat, &[at + 0.5, side, 0.3 * side]).unwrap();
            let end = if i == 0 { 0.0 } else { 0.5 };
            let ends = [rods[i].at([end, 0.0, 0.0]), rod.at([-0.5, 0.0, 0.0])];
            let frames = [
                rods[i].frame([end, 0.0, 0.0], x),
                rod.frame([-0.5, 0.0, 0.0], x),
            ];
            match i % 4 {
                0 | 3 => world.add_constraint(&name("ball"), FramePair::ball(), &ends),
                1 => world.add_constraint(&name("hinge"), FramePair::hinge(), &frames),
                _ => world.add_constraint(&name("bar"), Distance { length: 0.5 }, &ends),
            }
            .unwrap();
            if i % 4 == 1 {
                let armature = AngleArmature { inertia: 0.7 };
                world
                    .add_constraint(&name("rotor"), armature, &frames)
                    .unwrap();
            }
            let pins = [flats[i].at([end, 0.0]), flat.at([-0.5, 0.0])];
            world
                .add_constraint(&name("pin"), FramePair::ball(), &pins)
                .unwrap();
            if is_closed(i) {
                let ends = [rods[i - 1].at([0.1, 0.2, 0.3]), rod.at([0.0, 0.3, 0.0])];
                let bar = Distance { length: 2.0 };
                world.add_constraint(&name("loop"), bar, &ends).unwrap();
                let ends = [flats[i - 1].at([0.1, 0.2]), flat.at([0.0, 0.3])];
                world
                    .add_constraint(&name("flat loop"), bar, &ends)
                    .unwrap();
            }
            rods.push(rod);
            flats.push(flat);
        }
        world
    }

    /// The forest, the rows over it, and the matrix it fills.
    fn filled(world: &World, by_products: bool) -> (Forest, Rows, Vec<f64>) {
        let mut simulator = Simulator::new();
        simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
        let system = simulator.system();
        let (mut forest, left) = Forest::new(system, simulator.topology());
        let rows = Rows::new(system, left, |_, _| 1.0);
        if by_products {
            forest.expect_fill(system, &rows);
        }
        forest.factor(system);
        let mut a = vec![0.0; rows.len() * rows.len()];
        forest.elimination.branches_mut().visits = [0; 2];
        forest.fill(system, &rows, &mut a);
        (forest, rows, a)
    }

    #[test]
    fn products_are_responses_to_round_off() {
        for n in [3, 6, 13, 40] {
            let world = chains(n, |i| i >= 2 && i % 3 == 2);
            let (forest, rows, products) = filled(&world, true);
            assert!(forest.products.is_some() && rows.len() > 0);
            let (_, _, responses) = filled(&world, false);
            let n = rows.len();
            for i in 0..n {
                for j in 0..n {
                    let size = (responses[i * n + i] * responses[j * n + j]).sqrt();
                    let off = (products[i * n + j] - responses[i * n + j]).abs();
                    assert!(off < 1e-12 * size, "{i} {j}: {off:e} of {size}");
                }
            }
        }
    }

    /// Baraff 1996, §10: no backward sweep, and a forward sweep only from the loop to its root. Two loops near
    /// the root of two chains of a thousand rods.
    #[test]
    fn products_visit_only_the_ways_to_the_roots() {
        let world = chains(1000, |i| i == 4);
        let (forest, rows, _) = filled(&world, true);
        assert_eq!(rows.len(), 2);
        // Rods 0 to 4 of either chain.
        assert_eq!(forest.elimination.branches().visits, [2 * 5, 0]);
        let (forest, ..) = filled(&world, false);
        let [forward, backward] = forest.elimination.branches().visits;
        assert_eq!(forward, backward);
        assert!(forward >= 10, "{forward}");
    }

    /// Free roots, balls, hinges and what hangs on them: the response of a body to a force on itself is that of
    /// the factor.
    #[test]
    fn mobilities_are_responses() {
        let mut world = World::new();
        let rod = Rod {
            length: 1.0,
            radius: 0.1,
            mass: 1.0,
        };
        let joints = [FramePair::ball, FramePair::hinge, FramePair::prismatic];
        for first in [true, false] {
            let mut parent = GROUND;
            for (i, joint) in joints.iter().cycle().take(7).enumerate() {
                let name = format!("{first} {i}");
                let body = world.add_body(&name, rod).unwrap();
                let turned = [0.8, 0.1 * i as f64, 0.4, 0.2];
                let size = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
                let [w, x, y, z] = turned.map(|x| x / size);
                world
                    .set_q(body, &[0.3 * i as f64, 0.1, 0.2, w, x, y, z])
                    .unwrap();
                if i > 0 || first {
                    let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
                    let (on, own) = ([0.2, 0.1, -0.3], [-0.5, 0.05, 0.0]);
                    let points = [parent.at(on), body.at(own)];
                    let frames = [parent.frame(on, axes), body.frame(own, axes)];
                    let inputs = if i % 3 == 0 { points } else { frames };
                    world.add_constraint(&name, joint(), &inputs).unwrap();
                }
                parent = body;
            }
        }
        let mut simulator = Simulator::new();
        simulator.fill(&world, Motion::Acceleration, &SolveOptions::default());
        let system = simulator.system();
        let (mut forest, _) = Forest::new(system, simulator.topology());
        assert!(forest.unbranched.is_empty());
        forest.factor(system);
        forest.weigh_bodies(system);
        let (mut force, mut y) = (vec![0.0; system.n_v()], vec![0.0; system.n_v()]);
        let mut lambda = vec![0.0; system.n_rows()];
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            for k in range.clone() {
                force[k] = 1.0;
                forest.solve(system, Some(&force), None, &mut lambda, &mut y);
                let mut own = force[range.clone()].to_vec();
                forest.respond_alone(system, body, &mut own);
                force[k] = 0.0;
                for (own, y) in own.iter().zip(&y[range.clone()]) {
                    assert!((own - y).abs() < 1e-11, "{body} {k}: {own} {y}");
                }
            }
        }
    }

    #[test]
    fn many_loops_on_long_ways_take_responses() {
        let world = chains(200, |i| i >= 2);
        let (forest, ..) = filled(&world, true);
        assert!(forest.products.is_none());
        let few = chains(200, |i| i == 100 || i == 150);
        let (forest, ..) = filled(&few, true);
        assert!(forest.products.is_some());
    }
}
