//! The elimination plan of one component: branches first (`strip`), then the core (`core_plan`).

use super::core_plan::Core;
use super::incidence::Incidence;
use super::strip::Branch;

/// No index.
pub(crate) const NONE: u32 = u32::MAX;

/// What is eliminated, in which order, into what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Children before parents.
    pub(crate) branches: Vec<Branch>,
    pub(crate) core: Core,
}

/// How a plan treats hubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hubs {
    /// Bodies of high degree stay in the core matrix.
    Kept,
    /// Every body goes before its constraints: always regular, possibly dense.
    Early,
}

/// What a plan may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanOptions {
    pub(crate) hubs: Hubs,
    /// Branches are stripped; else everything that has a constraint is core.
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

/// Plans the elimination of the given bodies and constraints (a component, or its forest).
pub(crate) fn plan(
    incidence: &Incidence,
    bodies: &[u32],
    constraints: &[u32],
    options: PlanOptions,
) -> Plan {
    let mut graph = Graph::new(incidence, bodies, constraints);
    let branches = graph.strip(options);
    let core = graph.core(options.hubs, options.seed);
    Plan { branches, core }
}

/// The part of the graph still to be eliminated. Indices are positions in `bodies`, `constraints`.
pub(super) struct Graph<'a> {
    incidence: &'a Incidence,
    pub(super) bodies: &'a [u32],
    pub(super) constraints: &'a [u32],
    /// Constraints of each body / bodies of each constraint, by position.
    pub(super) at_body: Vec<Vec<u32>>,
    pub(super) at_constraint: Vec<Vec<u32>>,
    pub(super) degree: Vec<u32>,
    pub(super) body_done: Vec<bool>,
    pub(super) constraint_done: Vec<bool>,
    pub(super) has_children: Vec<bool>,
    pub(super) branch_of: Vec<u32>,
}

impl<'a> Graph<'a> {
    fn new(incidence: &'a Incidence, bodies: &'a [u32], constraints: &'a [u32]) -> Self {
        // `bodies` is ascending, so positions are found by bisection.
        let position = |body: u32| bodies.binary_search(&body).map_or(NONE, |at| at as u32);
        let mut at_body = vec![Vec::new(); bodies.len()];
        let mut at_constraint = Vec::with_capacity(constraints.len());
        for (c, &constraint) in constraints.iter().enumerate() {
            let touched: Vec<u32> = incidence
                .bodies_of(constraint)
                .iter()
                .map(|&body| position(body))
                .collect();
            for &b in &touched {
                at_body[b as usize].push(c as u32);
            }
            at_constraint.push(touched);
        }
        Self {
            degree: at_body.iter().map(|list| list.len() as u32).collect(),
            body_done: vec![false; bodies.len()],
            constraint_done: vec![false; constraints.len()],
            has_children: vec![false; bodies.len()],
            branch_of: vec![NONE; bodies.len()],
            incidence,
            bodies,
            constraints,
            at_body,
            at_constraint,
        }
    }

    pub(super) fn n_v(&self, b: u32) -> u32 {
        self.incidence.bodies[self.bodies[b as usize] as usize].n_v
    }

    pub(super) fn foldable(&self, b: u32) -> bool {
        self.incidence.bodies[self.bodies[b as usize] as usize].foldable
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
