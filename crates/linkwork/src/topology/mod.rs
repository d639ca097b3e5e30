//! Topology: integers only.
//!
//! From the graph of bodies and constraints to components, spanning forest, loops and elimination
//! plans. Updated only after structural edits, and then only the changed components are analyzed again.

mod core_plan;
mod forest;
mod incidence;
mod min_degree;
mod order;
mod plan;
mod strip;

use std::sync::{Arc, OnceLock};

pub(crate) use core_plan::{Core, CoreMatrix, CoreNode};
pub(crate) use incidence::{BodyNode, ConstraintNode, Incidence, Turn};
pub(crate) use min_degree::minimum_degree;
pub(crate) use order::sort_indices;
pub(crate) use plan::{Hubs, NONE, Plan, PlanOptions};
pub(crate) use strip::Branch;

/// In place of a body, for a constraint that closes a loop.
pub(crate) const LOOP: u32 = NONE - 1;

/// A connected part of the world and how it is eliminated.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// Bodies and primary constraints, ascending.
    pub(crate) bodies: Vec<u32>,
    pub(crate) constraints: Vec<u32>,
    pub(crate) plans: Arc<Plans>,
}

/// The plans of a component; indices are positions in its `bodies` and `constraints`.
#[derive(Debug)]
pub(crate) struct Plans {
    /// The graph that was planned, with which a plan is found again.
    incidence: Incidence,
    /// Over the whole graph.
    pub(crate) direct: Plan,
    forest: OnceLock<Forest>,
}

/// The spanning forest of a component, for the forest methods.
#[derive(Debug)]
pub(crate) struct Forest {
    /// Over the spanning forest alone.
    pub(crate) plan: Plan,
    /// The constraints that close loops.
    loops: Vec<u32>,
}

impl Plans {
    fn new(incidence: Incidence) -> Self {
        let all: Vec<u32> = (0..incidence.constraints.len() as u32).collect();
        Self {
            direct: plan::plan(&incidence, &all, PlanOptions::DEFAULT),
            forest: OnceLock::new(),
            incidence,
        }
    }

    /// A plan of the whole graph in another legal order.
    pub(crate) fn plan(&self, options: PlanOptions) -> Plan {
        let all: Vec<u32> = (0..self.incidence.constraints.len() as u32).collect();
        plan::plan(&self.incidence, &all, options)
    }

    /// The spanning forest and its plan, found when first asked for.
    pub(crate) fn forest(&self) -> &Forest {
        self.forest.get_or_init(|| {
            let (forest, loops) = forest::split(&self.incidence);
            let plan = plan::plan(&self.incidence, &forest, PlanOptions::DEFAULT);
            Forest { plan, loops }
        })
    }
}

/// Components, forests and plans of a world.
#[derive(Debug, Default)]
pub struct Topology {
    /// Ordered by their first bodies.
    components: Vec<Component>,
    overlay: Vec<u32>,
    n_analyzed: usize,
}

impl Topology {
    /// Follows a structural edit: finds the components, and plans those that are new.
    pub(crate) fn update(&mut self, incidence: &Incidence) {
        self.overlay = (0..incidence.constraints.len() as u32)
            .filter(|&c| !incidence.constraints[c as usize].primary)
            .collect();
        let before = std::mem::take(&mut self.components);
        self.n_analyzed = 0;
        for (bodies, constraints, local) in components(incidence) {
            // A body's key identifies its former component.
            let first = |part: &Component| part.plans.incidence.bodies[0].key;
            let plans = match before.binary_search_by_key(&local.bodies[0].key, first) {
                Ok(at) if before[at].plans.incidence == local => Arc::clone(&before[at].plans),
                _ => {
                    self.n_analyzed += 1;
                    Arc::new(Plans::new(local))
                }
            };
            self.components.push(Component {
                bodies,
                constraints,
                plans,
            });
        }
    }

    pub(crate) fn components(&self) -> &[Component] {
        &self.components
    }

    /// All constraints that are part of the factor, ascending.
    pub(crate) fn primary(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self
            .components
            .iter()
            .flat_map(|part| part.constraints.iter().copied())
            .collect();
        sort_indices(&mut all);
        all
    }

    /// The constraints that close loops, ascending.
    pub(crate) fn loops(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self
            .components
            .iter()
            .flat_map(|part| {
                let loops = part.plans.forest().loops.iter();
                loops.map(|&c| part.constraints[c as usize])
            })
            .collect();
        sort_indices(&mut all);
        all
    }

    /// For each of `n` constraints, the body that it holds in the spanning forest, `LOOP` if it closes a loop,
    /// `NONE` if it is not in the factor.
    pub(crate) fn standings(&self, n: usize) -> Vec<u32> {
        let mut all = vec![NONE; n];
        for part in &self.components {
            let Forest { plan, loops } = part.plans.forest();
            for (c, &own) in part.constraints.iter().enumerate() {
                // A constraint without a branch counts for its first body.
                let body = part.plans.incidence.bodies_of(c as u32)[0];
                all[own as usize] = part.bodies[body as usize];
            }
            for &(c, body) in &plan.absorbed {
                all[part.constraints[c as usize] as usize] = part.bodies[body as usize];
            }
            for branch in plan.branches.iter().filter(|own| own.constraint != NONE) {
                let c = part.constraints[branch.constraint as usize];
                all[c as usize] = part.bodies[branch.body as usize];
            }
            for &c in loops {
                all[part.constraints[c as usize] as usize] = LOOP;
            }
        }
        all
    }

    /// Constraints that overlay the factor: lower priorities, and those with K ≠ Jᵀ.
    pub(crate) fn overlay(&self) -> &[u32] {
        &self.overlay
    }

    /// Number of connected parts.
    pub fn n_components(&self) -> usize {
        self.components.len()
    }

    /// How many components the last update had to analyze anew.
    pub fn n_analyzed(&self) -> usize {
        self.n_analyzed
    }

    /// Constraints that close loops: as many as there are independent loops.
    pub fn n_loops(&self) -> usize {
        let loops = |part: &Component| part.plans.forest().loops.len();
        self.components.iter().map(loops).sum()
    }

    /// Rows that close loops, by component.
    pub fn n_loop_rows(&self) -> usize {
        let rows = |part: &Component| -> u32 {
            part.plans
                .forest()
                .loops
                .iter()
                .map(|&c| part.plans.incidence.constraints[c as usize].n_rows)
                .sum()
        };
        self.components.iter().map(|part| rows(part) as usize).sum()
    }

    /// Off-diagonal blocks of the core factors: zero on a forest.
    pub fn n_core_blocks(&self) -> usize {
        self.components
            .iter()
            .map(|part| part.plans.direct.core.matrix.block.len())
            .sum()
    }
}

/// Connected components over primary constraints, by their first bodies: bodies and constraints,
/// ascending, and their incidence in the component's own numbering.
fn components(incidence: &Incidence) -> Vec<(Vec<u32>, Vec<u32>, Incidence)> {
    let n = incidence.bodies.len();
    let mut sets = forest::DisjointSets::new(n);
    let primary = |c: &u32| incidence.constraints[*c as usize].primary;
    let all = 0..incidence.constraints.len() as u32;
    for c in all.clone().filter(primary) {
        let bodies = incidence.bodies_of(c);
        for &b in &bodies[1..] {
            sets.join(bodies[0], b);
        }
    }
    // The component of each leader, and the place of each body in its component.
    let (mut part_of, mut place) = (vec![NONE; n], vec![NONE; n]);
    let mut parts: Vec<(Vec<u32>, Vec<u32>, Incidence)> = Vec::new();
    for b in 0..n as u32 {
        let leader = sets.find(b) as usize;
        if part_of[leader] == NONE {
            part_of[leader] = parts.len() as u32;
            parts.push(Default::default());
        }
        let (bodies, _, local) = &mut parts[part_of[leader] as usize];
        place[b as usize] = bodies.len() as u32;
        bodies.push(b);
        local.bodies.push(incidence.bodies[b as usize]);
    }
    for c in all.filter(primary) {
        let touched = incidence.bodies_of(c);
        let leader = sets.find(touched[0]) as usize;
        let (_, constraints, local) = &mut parts[part_of[leader] as usize];
        constraints.push(c);
        let start = local.touched.len() as u32;
        let node = incidence.constraints[c as usize];
        local.constraints.push(ConstraintNode { start, ..node });
        local
            .touched
            .extend(touched.iter().map(|&b| place[b as usize]));
    }
    for (_, constraints, local) in &mut parts {
        for node in &mut local.constraints {
            if node.rides_on != NONE
                && let Ok(at) = constraints.binary_search(&node.rides_on)
            {
                node.rides_on = at as u32;
            }
        }
    }
    parts
}
