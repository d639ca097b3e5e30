//! Topology: integers only.
//!
//! From who-touches-whom to components, spanning forest, loops, and elimination plans. Updated only
//! on structural edits, and then only the components that were touched are analysed again.

mod core_plan;
mod forest;
mod incidence;
mod min_degree;
mod plan;
mod strip;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use core_plan::{Core, CoreNode};
pub use incidence::{BodyNode, ConstraintNode, Incidence};
pub(crate) use plan::{Hubs, NONE, Plan, PlanOptions};
pub(crate) use strip::Branch;

/// A connected part of the world and how it is eliminated.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// Bodies and primary constraints, ascending.
    pub(crate) bodies: Vec<u32>,
    pub(crate) constraints: Vec<u32>,
    /// The spanning forest and the constraints that close loops.
    pub(crate) loops: Vec<u32>,
    pub(crate) plans: Arc<Plans>,
}

/// The plans of a component; indices are positions in its `bodies` and `constraints`.
#[derive(Debug)]
pub(crate) struct Plans {
    incidence: Incidence,
    /// Over the whole graph.
    pub(crate) direct: Plan,
    /// Over the spanning forest alone.
    pub(crate) forest: Plan,
    loops: Vec<u32>,
}

impl Plans {
    /// A plan of the whole graph in another legal order.
    pub(crate) fn plan(&self, options: PlanOptions) -> Plan {
        let bodies: Vec<u32> = (0..self.incidence.bodies.len() as u32).collect();
        let constraints: Vec<u32> = (0..self.incidence.constraints.len() as u32).collect();
        plan::plan(&self.incidence, &bodies, &constraints, options)
    }
}

/// What identifies a component: the keys and shapes of its parts and who touches whom.
type Signature = Vec<u64>;

/// Components, forests and plans of a world.
#[derive(Debug, Default)]
pub struct Topology {
    components: Vec<Component>,
    overlay: Vec<u32>,
    cache: BTreeMap<Signature, Arc<Plans>>,
    n_analysed: usize,
}

impl Topology {
    /// Follows a structural edit: finds the components, and plans those that are new.
    pub fn update(&mut self, incidence: &Incidence) {
        self.overlay = (0..incidence.constraints.len() as u32)
            .filter(|&c| !incidence.constraints[c as usize].primary)
            .collect();
        let parts = components(incidence);
        let mut kept = BTreeMap::new();
        self.n_analysed = 0;
        self.components = parts
            .into_iter()
            .map(|(bodies, constraints)| {
                let (local, signature) = extract(incidence, &bodies, &constraints);
                let plans = match self
                    .cache
                    .remove(&signature)
                    .or_else(|| kept.get(&signature).cloned())
                {
                    Some(plans) => plans,
                    None => {
                        self.n_analysed += 1;
                        Arc::new(analyse(local))
                    }
                };
                kept.insert(signature, Arc::clone(&plans));
                let loops = plans
                    .loops
                    .iter()
                    .map(|&c| constraints[c as usize])
                    .collect();
                Component {
                    bodies,
                    constraints,
                    loops,
                    plans,
                }
            })
            .collect();
        self.cache = kept;
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
        all.sort_unstable();
        all
    }

    /// The constraints that close loops, ascending.
    pub(crate) fn loops(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self
            .components
            .iter()
            .flat_map(|part| part.loops.iter().copied())
            .collect();
        all.sort_unstable();
        all
    }

    /// Constraints that overlay the factor: lower priorities, and rows that push elsewhere.
    pub(crate) fn overlay(&self) -> &[u32] {
        &self.overlay
    }

    /// Number of connected parts.
    pub fn n_components(&self) -> usize {
        self.components.len()
    }

    /// How many components the last update had to analyse anew.
    pub fn n_analysed(&self) -> usize {
        self.n_analysed
    }

    /// Rows that close loops, by component.
    pub fn n_loop_rows(&self) -> usize {
        let rows = |part: &Component| -> u32 {
            part.plans
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
            .map(|part| part.plans.direct.core.block.len())
            .sum()
    }
}

/// Connected components over primary constraints, each as (bodies, constraints), ascending.
fn components(incidence: &Incidence) -> Vec<(Vec<u32>, Vec<u32>)> {
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
    let mut place = vec![NONE; n];
    let mut parts: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    for b in 0..n as u32 {
        let leader = sets.find(b) as usize;
        if place[leader] == NONE {
            place[leader] = parts.len() as u32;
            parts.push((Vec::new(), Vec::new()));
        }
        parts[place[leader] as usize].0.push(b);
    }
    for c in all.filter(primary) {
        let leader = sets.find(incidence.bodies_of(c)[0]) as usize;
        parts[place[leader] as usize].1.push(c);
    }
    parts
}

/// The incidence of one component in its own numbering, and its signature.
fn extract(incidence: &Incidence, bodies: &[u32], constraints: &[u32]) -> (Incidence, Signature) {
    let mut local = Incidence::default();
    let mut signature = Vec::with_capacity(2 * bodies.len() + 4 * constraints.len());
    for &b in bodies {
        let node = incidence.bodies[b as usize];
        signature.extend([
            node.key,
            u64::from(node.n_v) << 1 | u64::from(node.foldable),
        ]);
        local.bodies.push(node);
    }
    signature.push(u64::MAX);
    for &c in constraints {
        let node = incidence.constraints[c as usize];
        signature.extend([node.key, u64::from(node.n_rows), u64::from(node.n_bodies)]);
        let start = local.touched.len() as u32;
        for body in incidence.bodies_of(c) {
            let at = bodies.binary_search(body).map_or(NONE, |at| at as u32);
            signature.push(u64::from(at));
            local.touched.push(at);
        }
        local.constraints.push(ConstraintNode { start, ..node });
    }
    (local, signature)
}

fn analyse(incidence: Incidence) -> Plans {
    let bodies: Vec<u32> = (0..incidence.bodies.len() as u32).collect();
    let constraints: Vec<u32> = (0..incidence.constraints.len() as u32).collect();
    let (forest, loops) = forest::split(&incidence, &constraints);
    let direct = plan::plan(&incidence, &bodies, &constraints, PlanOptions::DEFAULT);
    let forest = if loops.is_empty() {
        direct.clone()
    } else {
        plan::plan(&incidence, &bodies, &forest, PlanOptions::DEFAULT)
    };
    Plans {
        incidence,
        direct,
        forest,
        loops,
    }
}
