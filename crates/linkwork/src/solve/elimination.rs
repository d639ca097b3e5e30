//! Branches and cores: the factorization of `H` for any plan.

use super::branch::{Branches, Over};
use super::core::CoreFactor;
use super::refine::RowFactor;
use super::tolerances::PROXIMAL;
use crate::linalg::small::Pivot;
use crate::system::System;
use crate::topology::{Branch, CoreNode, Hubs, NONE, Plan, PlanOptions, Topology};

/// The graph that is eliminated, and the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// All primary constraints; hubs are kept.
    #[default]
    Whole,
    /// All primary constraints; every body before its constraints.
    BodiesFirst,
    /// All primary constraints, in another legal order.
    Shuffled(u64),
    /// The spanning forest only.
    Forest,
    /// All primary constraints, all in the core.
    CoreOnly,
}

impl Order {
    fn options(self) -> PlanOptions {
        match self {
            Self::Whole | Self::Forest => PlanOptions::DEFAULT,
            Self::BodiesFirst => PlanOptions {
                hubs: Hubs::Early,
                ..PlanOptions::DEFAULT
            },
            Self::Shuffled(seed) => PlanOptions {
                seed,
                ..PlanOptions::DEFAULT
            },
            Self::CoreOnly => PlanOptions {
                strip: false,
                ..PlanOptions::DEFAULT
            },
        }
    }
}

/// A factorization of `H`, and the workspace of its solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    branches: Branches,
    cores: Vec<CoreFactor>,
    /// Forces of core rows, over velocities; all cores share it.
    load: Vec<f64>,
    /// Whether a branch or a core has the proximal term because a pivot was lost.
    proximal: bool,
}

impl Elimination {
    /// Lays out the factor of every component.
    pub(crate) fn new(system: &System, topology: &Topology, order: Order) -> Self {
        let (mut branches, mut absorbed) = (Vec::new(), Vec::new());
        let mut riders = Vec::new();
        let mut cores = Vec::new();
        for part in topology.components() {
            let other;
            let plan = match order {
                Order::Whole => &part.plans.direct,
                Order::Forest => &part.plans.forest().plan,
                _ => {
                    other = part.plans.plan(order.options());
                    &other
                }
            };
            let linked = plan
                .absorbed
                .iter()
                .map(|&(c, body)| (part.constraints[c as usize], part.bodies[body as usize]));
            absorbed.extend(linked);
            for &(c, branch) in &plan.riders {
                let step = branches.len() as u64 + u64::from(branch);
                riders.push((step, part.constraints[c as usize]));
            }
            // The forest's plan uses the same numbering for its constraints.
            let core = link(plan, &part.bodies, &part.constraints, &mut branches);
            if !core.nodes.is_empty() {
                cores.push(CoreFactor::new(system, core));
            }
        }
        Self {
            branches: Branches::new(system, &branches, &absorbed, riders),
            cores,
            load: vec![0.0; system.n_v()],
            proximal: false,
        }
    }

    /// The step that eliminates each body (by system index), `NONE` in a core.
    pub(super) fn steps_of_bodies(&self, system: &System) -> Vec<u32> {
        let mut steps = vec![NONE; system.bodies.len()];
        for (step, body) in self.branches.bodies().enumerate() {
            steps[body as usize] = step as u32;
        }
        steps
    }

    /// The steps of the bodies of a constraint; `NONE` in a core.
    #[inline(never)]
    pub(super) fn steps_at(system: &System, c: u32, step_of: &[u32]) -> Vec<u32> {
        let mut steps = Vec::new();
        system.for_each_side(c, false, |body, _| steps.push(step_of[body as usize]));
        steps
    }

    /// Block operations of one factor.
    pub(super) fn n_operations(&self) -> usize {
        self.branches.len()
            + self
                .cores
                .iter()
                .map(CoreFactor::n_operations)
                .sum::<usize>()
    }

    /// Factors `system`. Where pivots are lost, the proximal term is added.
    pub(crate) fn factor(&mut self, system: &System) {
        self.proximal = false;
        if self.branches.factor(system, 0.0) == Pivot::Lost {
            self.branches.factor(system, PROXIMAL);
            self.proximal = true;
        }
        for core in &mut self.cores {
            core.assemble(system, &self.branches);
            if core.factor(system, 0.0) == Pivot::Lost {
                core.assemble(system, &self.branches);
                core.factor(system, 1.0);
                self.proximal = true;
            }
        }
    }

    /// The response to a force that acts on bodies of steps `from..` only, correct for those bodies.
    /// The plan must have no core.
    pub(super) fn respond_from(
        &mut self,
        system: &System,
        from: usize,
        force: &[f64],
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        debug_assert!(self.cores.is_empty());
        let over = Over::From(from);
        self.branches.forward(system, over, Some(force), None);
        self.branches.backward(system, from, None, lambda, y);
    }

    /// Forward sweep of a force along the paths of its bodies to their roots. The plan must have no core.
    pub(super) fn sweep_along(&mut self, system: &System, path: &[u32], force: &[f64]) {
        debug_assert!(self.cores.is_empty());
        let over = Over::Path(path);
        self.branches.forward(system, over, Some(force), None);
    }

    #[cfg(test)]
    pub(super) fn branches_mut(&mut self) -> &mut Branches {
        &mut self.branches
    }

    /// Whether the factored matrix is positive definite on the motions that the branches allow. With a core
    /// this is unknown, and the answer is no.
    pub(crate) fn is_positive(&self) -> bool {
        self.cores.is_empty() && self.branches.is_positive()
    }

    pub(super) fn branches(&self) -> &Branches {
        &self.branches
    }

    pub(super) fn has_core(&self) -> bool {
        !self.cores.is_empty()
    }
}

impl RowFactor for Elimination {
    fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        for core in &self.cores {
            core.clear_loads(system, &mut self.branches);
        }
        self.branches.forward(system, Over::From(0), force, b);
        if !self.cores.is_empty() {
            self.load.fill(0.0);
        }
        for core in &mut self.cores {
            core.solve(
                system,
                &self.branches,
                &mut self.load,
                (force, b),
                lambda,
                y,
            );
        }
        self.branches.backward(system, 0, b, lambda, y);
    }

    fn is_proximal(&self) -> bool {
        self.proximal
    }

    // Pivots of branches ignore `strength`: only one joint holds a branch.
    fn factor_proximal(&mut self, system: &System, strength: f64) {
        for core in &mut self.cores {
            core.assemble(system, &self.branches);
            core.factor(system, strength);
            self.proximal = true;
        }
    }

    fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        mu.fill(0.0);
        self.branches.proximal_terms(system, mu);
        for core in &self.cores {
            core.proximal_terms(system, mu);
        }
    }
}

/// Turns a component's plan into system indices; appends its branches to the common list.
fn link(
    plan: &Plan,
    bodies: &[u32],
    constraints: &[u32],
    branches: &mut Vec<Branch>,
) -> crate::topology::Core {
    let base = branches.len() as u32;
    let body = |b: u32| if b == NONE { NONE } else { bodies[b as usize] };
    let constraint = |c: u32| {
        if c == NONE {
            NONE
        } else {
            constraints[c as usize]
        }
    };
    branches.extend(plan.branches.iter().map(|branch| Branch {
        body: body(branch.body),
        constraint: constraint(branch.constraint),
        parent: body(branch.parent),
        parent_branch: if branch.parent_branch == NONE {
            NONE
        } else {
            branch.parent_branch + base
        },
        ..*branch
    }));
    let mut core = plan.core.clone();
    for early in &mut core.early {
        early.body = body(early.body);
    }
    for c in &mut core.early_constraints {
        *c = constraint(*c);
    }
    for (hub, _) in &mut core.hubs {
        *hub = body(*hub);
    }
    for edge in &mut core.hub_edges {
        edge.hub = body(edge.hub);
        edge.constraint = constraint(edge.constraint);
    }
    for node in &mut core.nodes {
        *node = match *node {
            CoreNode::Constraint(c) => CoreNode::Constraint(constraint(c)),
            CoreNode::Hub(b) => CoreNode::Hub(body(b)),
        };
    }
    core
}
