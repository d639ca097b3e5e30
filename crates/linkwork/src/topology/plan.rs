//! The elimination plan of one component: absorbed constraints, then branches (`strip`) with what rides on
//! their joints, then the core (`core_plan`).

use super::core_plan::Core;
use super::incidence::Incidence;
use super::strip::Branch;

/// No index.
pub(crate) const NONE: u32 = u32::MAX;

/// The order of elimination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Constraints that are eliminated first, each within the block of its body.
    pub(crate) absorbed: Vec<(u32, u32)>,
    /// Children before parents.
    pub(crate) branches: Vec<Branch>,
    /// Constraints that ride on the joint of a branch, and the place of the branch.
    pub(crate) riders: Vec<(u32, u32)>,
    pub(crate) core: Core,
}

/// How a plan treats hubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hubs {
    /// Bodies of high degree stay in the core matrix.
    Kept,
    /// Every body is eliminated before its constraints: always regular, possibly dense.
    Early,
}

/// Options of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanOptions {
    pub(crate) hubs: Hubs,
    /// Whether branches are stripped; else everything with a constraint is core.
    pub(crate) strip: bool,
    /// Reorders what the plan is free to choose; zero is the default order. Tests use it to compare
    /// random legal orders.
    pub(crate) seed: u64,
}

impl PlanOptions {
    pub(crate) const DEFAULT: Self = Self {
        hubs: Hubs::Kept,
        strip: true,
        seed: 0,
    };
}

/// Plans the elimination of all bodies and the given constraints of a component (all, or its
/// forest).
pub(crate) fn plan(incidence: &Incidence, constraints: &[u32], options: PlanOptions) -> Plan {
    let mut graph = Graph::new(incidence, constraints);
    let absorbed = graph.absorb();
    let lifted = graph.lift_riders();
    let branches = graph.strip(options);
    let riders = graph.seat_riders(&lifted, &branches);
    let core = graph.core(options.hubs, options.seed);
    Plan {
        absorbed,
        branches,
        riders,
        core,
    }
}

/// The part of the graph still to be eliminated. A constraint's index is its position in
/// `constraints`.
pub(super) struct Graph<'a> {
    incidence: &'a Incidence,
    pub(super) constraints: &'a [u32],
    /// Constraints of body `b`: `at_body[start[b]..start[b + 1]]`, ascending.
    start: Vec<u32>,
    at_body: Vec<u32>,
    pub(super) degree: Vec<u32>,
    pub(super) body_done: Vec<bool>,
    pub(super) constraint_done: Vec<bool>,
    pub(super) has_children: Vec<bool>,
    pub(super) branch_of: Vec<u32>,
}

impl<'a> Graph<'a> {
    fn new(incidence: &'a Incidence, constraints: &'a [u32]) -> Self {
        let n = incidence.bodies.len();
        let mut degree = vec![0; n];
        for &c in constraints {
            for &b in incidence.bodies_of(c) {
                degree[b as usize] += 1;
            }
        }
        // Each body's list ends where the next begins; filled from its end.
        let mut start = Vec::with_capacity(n + 1);
        let mut end = 0;
        for degree in &degree {
            end += degree;
            start.push(end);
        }
        start.push(end);
        let mut at_body = vec![0; end as usize];
        for (at, &c) in constraints.iter().enumerate().rev() {
            for &b in incidence.bodies_of(c) {
                start[b as usize] -= 1;
                at_body[start[b as usize] as usize] = at as u32;
            }
        }
        Self {
            body_done: vec![false; n],
            constraint_done: vec![false; constraints.len()],
            has_children: vec![false; n],
            branch_of: vec![NONE; n],
            incidence,
            constraints,
            start,
            at_body,
            degree,
        }
    }

    /// Removes absorbed constraints, and returns them with their bodies. Later stages treat them as children of
    /// these.
    fn absorb(&mut self) -> Vec<(u32, u32)> {
        let mut absorbed = Vec::new();
        for (at, &c) in self.constraints.iter().enumerate() {
            if self.incidence.constraints[c as usize].absorbed {
                let body = self.incidence.bodies_of(c)[0];
                self.constraint_done[at] = true;
                self.degree[body as usize] -= 1;
                self.has_children[body as usize] = true;
                absorbed.push((c, body));
            }
        }
        absorbed
    }

    /// Removes riders, so that they close no loop; returns their positions in `constraints`.
    fn lift_riders(&mut self) -> Vec<u32> {
        let mut lifted = Vec::new();
        for (at, &c) in self.constraints.iter().enumerate() {
            let node = &self.incidence.constraints[c as usize];
            if node.rides_on != NONE && !node.absorbed {
                lifted.push(at as u32);
                self.set_lifted(at as u32, true);
            }
        }
        lifted
    }

    /// Assigns each rider to the branch of its joint. If the joint is on a loop, so is the rider.
    fn seat_riders(&mut self, lifted: &[u32], branches: &[Branch]) -> Vec<(u32, u32)> {
        let mut riders = Vec::new();
        for &at in lifted {
            let c = self.constraints[at as usize];
            let joint = self.incidence.constraints[c as usize].rides_on;
            let own = self.incidence.bodies_of(c).iter();
            let seat = own
                .map(|&b| self.branch_of[b as usize])
                .find(|&branch| branch != NONE && branches[branch as usize].constraint == joint);
            match seat {
                Some(branch) => riders.push((c, branch)),
                None => self.set_lifted(at, false),
            }
        }
        riders
    }

    fn set_lifted(&mut self, at: u32, lifted: bool) {
        self.constraint_done[at as usize] = lifted;
        for &b in self.incidence.bodies_of(self.constraints[at as usize]) {
            let degree = &mut self.degree[b as usize];
            *degree = if lifted { *degree - 1 } else { *degree + 1 };
        }
    }

    pub(super) fn n_bodies(&self) -> u32 {
        self.incidence.bodies.len() as u32
    }

    /// All constraints of body `b`.
    pub(super) fn at_body(&self, b: u32) -> &[u32] {
        &self.at_body[self.start[b as usize] as usize..self.start[b as usize + 1] as usize]
    }

    /// The bodies of constraint `c`.
    pub(super) fn at_constraint(&self, c: u32) -> &[u32] {
        self.incidence.bodies_of(self.constraints[c as usize])
    }

    pub(super) fn n_v(&self, b: u32) -> u32 {
        self.incidence.bodies[b as usize].n_v
    }

    pub(super) fn foldable(&self, b: u32) -> bool {
        self.incidence.bodies[b as usize].foldable
    }

    pub(super) fn n_rows(&self, c: u32) -> u32 {
        self.incidence.constraints[self.constraints[c as usize] as usize].n_rows
    }
}

/// A deterministic shuffle; seed zero leaves the order alone.
pub(super) fn shuffle(items: &mut [u32], seed: u64) {
    if seed == 0 {
        return;
    }
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for i in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(i, (state % (i as u64 + 1)) as usize);
    }
}
