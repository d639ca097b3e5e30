//! Bounded rows laid over the factor of everything else.
//!
//! The factor solves for joints, springs and masses. The rows that take part are divided into islands: bodies that
//! touch, and bodies that joints connect to them. Each island is a separate problem (`linalg::bounded`). Rows are
//! scaled to meters, and impulses accordingly: a row pushes with `s·r`.
//!
//! Of a small island, `W = G·M̂⁻¹·Gᵀ` is found by one response of each row on the factor (Baraff 1996, §8); one solve
//! serves a row of every island. Of a large one it is known by bodies: joints are rows of the problem there, whose
//! impulses have no bounds. Either way the impulses that are found go through the factor, so that joints are as exact
//! as without bounds.
//!
//! By bodies, a joint is as stiff as the lightest body on it allows. Where a body of a milligram holds a robot
//! together, the law is not found so; the factor does not care. What misses the law by bodies is therefore solved again
//! on the factor, and all islands with joints for the rest of the frame.

use crate::equations::{ContactSolver, Equations, Meter};
use crate::frame::Frame;
use crate::linalg::bounded::{BoundedProblem, Group, MOST_V, Set, inverse};
use crate::linalg::size;
use crate::system::{BoundedRow, MassBlock, Role, System};

use super::super::tolerances::{
    FEW_ROWS, FEW_ROWS_OF_JOINTS, HELD, JOINTS_A_ROW, LIGHT, MISSED, MOST_ROWS_OF_JOINTS,
    MOST_ROWS_ON_FACTOR, STEPS_BY_BODIES,
};
use super::columns::Columns;

/// The rows that take part in a solve.
#[derive(Debug, Default)]
pub(in crate::integrate) struct Over {
    /// Their places in `System::bounded`.
    pub(in crate::integrate) chosen: Vec<usize>,
    pub(in crate::integrate) groups: Vec<Group>,
    /// Rates without impulses.
    pub(in crate::integrate) rate: Vec<f64>,
    /// Where to start, and the answer; rates of the answer.
    pub(in crate::integrate) impulse: Vec<f64>,
    pub(in crate::integrate) left: Vec<f64>,
    /// The diagonal of W; in islands with blocks by body, that of free bodies.
    pub(super) own_response: Vec<f64>,
    /// The unit of a row's impulse, N·s, and its compliance in that unit.
    unit: Vec<f64>,
    compliance: Vec<f64>,
    /// The first `n_islands` are in use.
    islands: Vec<Island>,
    n_islands: usize,
    /// An island with joints missed its law by bodies in this frame.
    missed: bool,
    map: Map,
    load: Vec<f64>,
    motion: Vec<f64>,
    lambda: Vec<f64>,
    pub(super) columns: Columns,
}

/// The compliance of a row in a solve: `u + C·r` in place of `u`.
///
/// The C of a soft contact is far larger than the responses of its other rows. So the normal row is scaled,
/// `u_n ← σ·u_n`, `r_n ← r_n/σ`, `μ ← σ·μ`: the law is the same, and the numbers become comparable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::integrate) struct Give {
    /// C, 1/kg.
    pub(in crate::integrate) compliance: f64,
    /// C as a multiple of the row's response on free bodies.
    pub(in crate::integrate) times: f64,
}

/// Rows that respond to each other, and to no others.
#[derive(Debug, Default)]
struct Island {
    /// Indices among those of all islands.
    groups: Vec<u32>,
    rows: Vec<u32>,
    /// Components of the world: bodies that joints connect.
    components: Vec<u32>,
    problem: BoundedProblem,
    /// By bodies, with joints: the factor is there if that fails.
    has_way_out: bool,
    /// Responses on the factor are to be found.
    is_to_respond: bool,
    /// What is left of the law, m/s.
    residual: f64,
}

/// From velocities to bodies, from bodies to components, from components to islands.
#[derive(Debug, Default)]
struct Map {
    body_of_v: Vec<u32>,
    component_of_body: Vec<u32>,
    /// Union–find: another component of the same island; itself at the root.
    parent: Vec<u32>,
    island_of_root: Vec<u32>,
    /// Place of a body in the island at hand.
    node_of_body: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Map {
    fn fill(&mut self, equations: &Equations) {
        let system = equations.system();
        self.body_of_v.clear();
        self.body_of_v.resize(system.n_v(), NOWHERE);
        for body in 0..system.bodies.len() as u32 {
            self.body_of_v[system.v_range(body)].fill(body);
        }
        self.component_of_body.clear();
        self.component_of_body.resize(system.bodies.len(), NOWHERE);
        let components = equations.components();
        for (at, component) in components.iter().enumerate() {
            for &body in &component.bodies {
                self.component_of_body[body as usize] = at as u32;
            }
        }
        self.parent.clear();
        self.parent.extend(0..components.len() as u32);
        self.island_of_root.clear();
        self.island_of_root.resize(components.len(), NOWHERE);
        self.node_of_body.clear();
        self.node_of_body.resize(system.bodies.len(), NOWHERE);
    }

    fn root(&mut self, mut component: u32) -> u32 {
        while self.parent[component as usize] != component {
            let up = self.parent[self.parent[component as usize] as usize];
            self.parent[component as usize] = up;
            component = up;
        }
        component
    }

    /// Puts two components into one island: the root is the earlier one.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// A component that a row touches, if any; all that it touches become one island.
    fn join_row(&mut self, system: &System, row: &BoundedRow) -> Option<u32> {
        let mut first = None;
        row.for_each(system, |v, _| {
            let body = self.body_of_v[v];
            let component = self.component_of_body[body as usize];
            match first {
                None => first = Some(component),
                Some(first) if first != component => self.join(first, component),
                Some(_) => {}
            }
        });
        first
    }
}

impl Over {
    pub(in crate::integrate) fn size(&mut self, system: &System) {
        let n = system.bounded.len();
        self.chosen.clear();
        self.chosen.reserve(n);
        self.groups.reserve(n);
        for buffer in [
            &mut self.rate,
            &mut self.impulse,
            &mut self.left,
            &mut self.own_response,
            &mut self.unit,
            &mut self.compliance,
        ] {
            buffer.reserve(n);
        }
        size(&mut self.load, system.n_v());
        size(&mut self.motion, system.n_v());
        size(&mut self.lambda, system.n_rows());
    }

    /// Begins a frame: what was found out in another one is forgotten.
    pub(in crate::integrate) fn begin_frame(&mut self) {
        self.missed = false;
    }

    /// Each chosen row with its place among them.
    pub(in crate::integrate) fn iter<'s>(
        &self,
        system: &'s System,
    ) -> impl Iterator<Item = (usize, &'s BoundedRow)> + use<'_, 's> {
        let chosen = self.chosen.iter().enumerate();
        chosen.map(|(i, &at)| (i, &system.bounded[at]))
    }

    /// The same as `prepare` for displacements, of which none are across.
    pub(in crate::integrate) fn prepare_without_friction(&mut self, frame: &mut Frame<'_, '_>) {
        self.prepare(frame, 1.0);
        for group in &mut self.groups {
            group.set = Set::ONE_SIDED;
        }
    }

    /// Finds how the chosen rows respond to each other, and bounds their impulses for `h` seconds. None gives way.
    pub(in crate::integrate) fn prepare(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.prepare_giving(frame, h, &[]);
    }

    /// The same for rows that give way as `gives` says, by their places in `System::bounded`.
    pub(in crate::integrate) fn prepare_giving(
        &mut self,
        frame: &mut Frame<'_, '_>,
        h: f64,
        gives: &[Give],
    ) {
        let n = self.chosen.len();
        self.unit.clear();
        self.compliance.clear();
        for at in &self.chosen {
            let give = gives.get(*at).copied().unwrap_or_default();
            let unit = 1.0 / (1.0 + give.times).sqrt();
            self.unit.push(unit);
            self.compliance.push(unit * unit * give.compliance);
        }
        for buffer in [
            &mut self.rate,
            &mut self.impulse,
            &mut self.left,
            &mut self.own_response,
        ] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.groups.clear();
        let system = frame.equations.system();
        for i in 0..n {
            let own = system.bounded[self.chosen[i]];
            self.begin_group(i, own.role, h / own.scale(system));
        }
        self.find_islands(frame.equations);
        for at in 0..self.n_islands {
            let pivots = frame.contact_solver == ContactSolver::Pivoting;
            self.islands[at].problem.pivots = pivots;
            self.begin_island(at, frame.equations);
        }
        self.respond_on_factor(frame);
        for at in 0..self.n_islands {
            self.note_responses(at);
        }
    }

    /// Notes how the rows of an island respond to themselves, and to what was scaled.
    fn note_responses(&mut self, at: usize) {
        let island = &mut self.islands[at];
        for (local, &group) in island.groups.iter().enumerate() {
            let own = &mut island.problem.groups[local];
            // What nothing can move pushes with nothing.
            own.mobility = own.mobility.max(f64::MIN_POSITIVE);
            self.groups[group as usize].mobility = own.mobility;
        }
        island.note_own_responses(&self.groups, &mut self.own_response);
    }

    /// Tells which rows have to do with each other.
    fn find_islands(&mut self, equations: &Equations) {
        let system = equations.system();
        self.map.fill(equations);
        self.n_islands = 0;
        // Hands and forces along other rows reach across.
        let one = system.rows.has_lower() || system.constraints.iter().any(|own| own.pushes);
        if one {
            (1..self.map.parent.len() as u32).for_each(|component| self.map.join(0, component));
        }
        for &at in &self.chosen {
            self.map.join_row(system, &system.bounded[at]);
        }
        for (at, group) in self.groups.iter().enumerate() {
            let row = &system.bounded[self.chosen[group.start]];
            let root = match self.map.join_row(system, row) {
                Some(component) => self.map.root(component),
                // On nothing that moves: with the first, it does nothing there.
                None if self.map.parent.is_empty() => continue,
                None => self.map.root(0),
            };
            let island = &mut self.map.island_of_root[root as usize];
            if *island == NOWHERE {
                *island = self.n_islands as u32;
                if self.islands.len() == self.n_islands {
                    self.islands.push(Island::default());
                }
                self.islands[self.n_islands].clear();
                self.n_islands += 1;
            }
            let island = &mut self.islands[*island as usize];
            island.groups.push(at as u32);
            island.rows.extend(group.rows().map(|row| row as u32));
        }
        for component in 0..self.map.parent.len() as u32 {
            let root = self.map.root(component);
            let island = self.map.island_of_root[root as usize];
            if island != NOWHERE {
                self.islands[island as usize].components.push(component);
            }
        }
    }

    /// Lays out the problem of an island.
    fn begin_island(&mut self, at: usize, equations: &Equations) {
        let island = &mut self.islands[at];
        let components = island.components.iter();
        let constraints = components
            .flat_map(|&component| &equations.components()[component as usize].constraints);
        let system = equations.system();
        let n_joints: usize = constraints.map(|&own| system.row_range(own).len()).sum();
        let few = match n_joints {
            0 => FEW_ROWS,
            _ => (n_joints / JOINTS_A_ROW).clamp(FEW_ROWS_OF_JOINTS, MOST_ROWS_OF_JOINTS),
        };
        // By bodies, a row that gives way is alone in its group.
        let is_mixed = island.groups.iter().any(|&group| {
            let own = &self.groups[group as usize];
            own.n > 1 && self.compliance[own.start] > 0.0
        });
        let may_be_large =
            !island.problem.pivots && !is_mixed && is_of_small_bodies(equations, island);
        let fits = n_joints > 0 && island.rows.len() <= MOST_ROWS_ON_FACTOR;
        let by_bodies = island.rows.len() > few && may_be_large && !(fits && self.missed);
        island.has_way_out = by_bodies && fits;
        island.is_to_respond = !by_bodies;
        match by_bodies {
            true => island.problem.size_by_bodies(island.rows.len()),
            false => island.problem.size(island.rows.len()),
        }
        island.list_groups(&self.groups);
        if by_bodies {
            self.fill_bodies(at, equations);
        }
    }

    /// The bodies of an island, its bounded rows, and its joints.
    fn fill_bodies(&mut self, at: usize, equations: &Equations) {
        let system = equations.system();
        let (island, map) = (&mut self.islands[at], &mut self.map);
        let problem = &mut island.problem;
        let components = || {
            let components = island.components.iter();
            components.map(|&component| &equations.components()[component as usize])
        };
        let bodies = components().flat_map(|component| &component.bodies);
        for (node, &body) in (0u32..).zip(bodies) {
            map.node_of_body[body as usize] = node;
            let (mass, inverse) = blocks_of(system, body);
            problem.bodies.add_body(mass, inverse);
        }
        for (local, &group) in island.groups.iter().enumerate() {
            let own = self.groups[group as usize];
            problem.bodies.add_group(own.n, 0.0);
            problem.bodies.give_way(self.compliance[own.start]);
            for (k, row) in own.rows().enumerate() {
                let unit = self.unit[row];
                let row = &system.bounded[self.chosen[row]];
                let scale = unit * row.scale(system);
                row.for_each(system, |v, j| {
                    let body = map.body_of_v[v];
                    let column = v - system.bodies[body as usize].v0 as usize;
                    let node = map.node_of_body[body as usize];
                    problem.bodies.add(k, node, column, scale * j);
                });
            }
            let gives = self.compliance[own.start] / own.n as f64;
            problem.groups[local].mobility = problem.bodies.mobility(local) + gives;
        }
        for &constraint in components().flat_map(|component| &component.constraints) {
            for (k, row) in system.row_range(constraint).enumerate() {
                let scale = system.row_scale[row];
                let compliance = scale * scale * system.compliance[row];
                problem.bodies.add_group(1, compliance);
                system.for_each_side(constraint, false, |body, side| {
                    let mut unit = [0.0; MOST_ROWS_OF_JOINT];
                    let n_rows = system.row_range(constraint).len();
                    unit[k] = scale;
                    let mut columns = [0.0; MOST_V];
                    let n_v = system.v_range(body).len();
                    side.apply_transposed(&unit[..n_rows], &mut columns[..n_v]);
                    let node = map.node_of_body[body as usize];
                    for (column, &j) in columns[..n_v].iter().enumerate() {
                        problem.bodies.add(0, node, column, j);
                    }
                });
                let mobility = problem.bodies.mobility(problem.groups.len());
                problem.add_free_row(mobility + compliance);
            }
        }
        problem.bodies.analyze();
    }

    /// Finds how the rows of small islands respond to each other on the factor: a row of every island at once.
    fn respond_on_factor(&mut self, frame: &mut Frame<'_, '_>) {
        let islands = &mut self.islands[..self.n_islands];
        let dense = islands.iter().filter(|island| island.is_to_respond);
        let most = dense.map(|island| island.rows.len()).max().unwrap_or(0);
        // Rows of several islands push at once: what each does is not told apart.
        self.columns.clear();
        let are_told_apart = islands.len() == 1 && most == self.chosen.len();
        if most > 0 {
            frame.equations.factor_inverse_mass();
        }
        for i in 0..most {
            let system = frame.equations.system();
            self.load.fill(0.0);
            let takes_part = |island: &Island| island.is_to_respond && i < island.rows.len();
            for island in islands.iter().filter(|island| takes_part(island)) {
                let own = &system.bounded[self.chosen[island.rows[i] as usize]];
                own.push(system, 1.0, &mut self.load);
            }
            let out = (&mut self.motion[..], &mut self.lambda);
            frame.equations.respond(&self.load, frame.meter, out);
            if are_told_apart {
                self.columns.add(&self.motion, &self.lambda);
            }
            let system = frame.equations.system();
            for island in islands.iter_mut().filter(|island| takes_part(island)) {
                let n = island.rows.len();
                for (j, &row) in island.rows.iter().enumerate() {
                    let other = &system.bounded[self.chosen[row as usize]];
                    island.problem.response[j * n + i] = other.motion(system, &self.motion);
                }
            }
            frame.equations.apply_factored_mass(&mut self.load);
            let system = frame.equations.system();
            for island in islands.iter_mut().filter(|island| takes_part(island)) {
                let row = island.rows[i] as usize;
                let (own, unit) = (&system.bounded[self.chosen[row]], self.unit[row]);
                let free = unit * unit * own.motion(system, &self.load);
                let mobility = free + self.compliance[row];
                let mut groups = island.problem.groups.iter_mut();
                if let Some(group) = groups.find(|group| group.rows().contains(&i)) {
                    group.mobility += mobility / group.n as f64;
                }
            }
        }
        for island in islands {
            if !std::mem::take(&mut island.is_to_respond) {
                continue;
            }
            // Symmetric but for round-off.
            let n = island.rows.len();
            let response = &mut island.problem.response;
            for i in 0..n {
                for j in 0..i {
                    let mean = 0.5 * (response[i * n + j] + response[j * n + i]);
                    response[i * n + j] = mean;
                    response[j * n + i] = mean;
                }
            }
            for (i, &row) in island.rows.iter().enumerate() {
                let unit = self.unit[row as usize];
                if unit != 1.0 {
                    for j in 0..n {
                        response[i * n + j] *= unit;
                        response[j * n + i] *= unit;
                    }
                    response[i * n + i] += self.compliance[row as usize];
                }
            }
            // What joints carry along with a light body is a part of what moves.
            let most = (0..n).fold(0.0f64, |most, i| most.max(response[i * n + i]));
            for group in &mut island.problem.groups {
                let own = group.rows().map(|i| response[i * n + i]);
                let mean = own.sum::<f64>() / group.n as f64;
                let carried = (LIGHT * mean).max(HELD * most);
                group.mobility = group.mobility.min(carried);
            }
        }
    }

    /// Whether the row after the `i`-th is one across it.
    fn has_across(&self, i: usize) -> bool {
        self.chosen
            .get(i + 1)
            .is_some_and(|next| *next == self.chosen[i] + 1)
    }

    /// Says what the impulse of row `i` may be, where it is the first of a set; forces count for `h` seconds.
    fn begin_group(&mut self, i: usize, role: Role, h: f64) {
        let (set, n) = match role {
            Role::Stop { .. } => (Set::ONE_SIDED, 1),
            Role::Force { least, most, .. } => {
                let (least, most) = (least * h, most * h);
                (Set::Between { least, most }, 1)
            }
            Role::Hand { most, n_more } => (Set::Ball { most: most * h }, 1 + n_more),
            Role::Normal { set, n_across, .. } => match self.has_across(i) {
                true => (set, 1 + n_across),
                // Where only normals take part, there is nothing across.
                false => (Set::ONE_SIDED, 1),
            },
            Role::Across | Role::More => return,
        };
        self.groups.push(Group {
            set: set.in_unit(self.unit[i]),
            start: i,
            n,
            mobility: 0.0,
        });
    }

    /// Finds impulses that obey the law, from those that are there, as far as the budget goes. What is left of the law,
    /// m/s.
    pub(in crate::integrate) fn solve(&mut self, frame: &mut Frame<'_, '_>) -> f64 {
        let left = self.solve_as_laid(frame.meter);
        if !self.has_missed() {
            return left;
        }
        self.lay_on_factor(frame);
        self.solve_as_laid(frame.meter)
    }

    /// The same where islands are as they were laid out.
    pub(super) fn solve_as_laid(&mut self, meter: &mut Meter<'_>) -> f64 {
        let mut worst = 0.0f64;
        for at in 0..self.n_islands {
            worst = worst.max(self.solve_island(at, meter));
        }
        worst
    }

    fn solve_island(&mut self, at: usize, meter: &mut Meter<'_>) -> f64 {
        let island = &mut self.islands[at];
        let (problem, is_hurried) = (&mut island.problem, island.has_way_out);
        for (local, &group) in island.groups.iter().enumerate() {
            problem.groups[local].set = self.groups[group as usize].set;
        }
        for (local, &row) in island.rows.iter().enumerate() {
            let unit = self.unit[row as usize];
            problem.rate[local] = unit * self.rate[row as usize];
            problem.impulse[local] = self.impulse[row as usize] / unit;
        }
        // What is not found soon by bodies is found on the factor.
        let own = problem
            .solve(&mut |more| is_hurried && more > STEPS_BY_BODIES || meter.out_of_budget(more));
        meter.count(own.steps + own.iterations);
        for (local, &row) in island.rows.iter().enumerate() {
            let unit = self.unit[row as usize];
            self.impulse[row as usize] = unit * problem.impulse[local];
            self.left[row as usize] = problem.left[local] / unit;
        }
        island.residual = island.residual.max(own.residual);
        own.residual
    }

    /// Whether an island missed its law by bodies that may be found on the factor.
    pub(super) fn has_missed(&self) -> bool {
        let mut islands = self.islands[..self.n_islands].iter();
        islands.any(|island| island.has_way_out && island.residual > MISSED)
    }

    /// Lays the islands that missed their law by bodies on the factor.
    pub(super) fn lay_on_factor(&mut self, frame: &mut Frame<'_, '_>) {
        self.missed = true;
        for island in &mut self.islands[..self.n_islands] {
            island.is_to_respond = island.has_way_out && island.residual > MISSED;
            if island.is_to_respond {
                island.has_way_out = false;
                island.problem.size(island.rows.len());
                island.list_groups(&self.groups);
                island
                    .problem
                    .groups
                    .iter_mut()
                    .for_each(|own| own.mobility = 0.0);
            }
        }
        self.respond_on_factor(frame);
        // Some rows' responses are known, of others not.
        self.columns.clear();
        for at in 0..self.n_islands {
            self.note_responses(at);
        }
    }

    /// `f ← f + Gᵀ·r`.
    pub(in crate::integrate) fn push(&self, system: &System, r: &[f64], f: &mut [f64]) {
        for (i, row) in self.iter(system) {
            row.push(system, r[i], f);
        }
    }
}

/// Rows of the largest joint that bodies can be told of.
const MOST_ROWS_OF_JOINT: usize = 16;

/// Whether the bodies of an island have at most six velocities each, and nothing in them gives way.
fn is_of_small_bodies(equations: &Equations, island: &Island) -> bool {
    let system = equations.system();
    let is_small = |body: &u32| {
        let block = &system.bodies[*body as usize];
        let is_dense = matches!(block.mass, MassBlock::Rigid(_) | MassBlock::Dense(_));
        is_dense && block.n_v as usize <= MOST_V
    };
    let is_plain = |constraint: &u32| {
        let block = &system.constraints[*constraint as usize];
        block.priority == 0 && !block.pushes && block.n_rows as usize <= MOST_ROWS_OF_JOINT
    };
    let components = island.components.iter();
    let mut components = components.map(|&at| &equations.components()[at as usize]);
    system.strains.is_empty()
        && components.all(|component| {
            component.bodies.iter().all(is_small) && component.constraints.iter().all(is_plain)
        })
}

type Block = [f64; MOST_V * MOST_V];

/// The mass of a body and its inverse, as blocks of six.
fn blocks_of(system: &System, body: u32) -> (Block, Block) {
    let n = system.v_range(body).len();
    let mut mass = [0.0; MOST_V * MOST_V];
    for k in 0..MOST_V {
        mass[k * MOST_V + k] = 1.0;
    }
    for k in 0..n {
        let (mut unit, mut column) = ([0.0; MOST_V], [0.0; MOST_V]);
        unit[k] = 1.0;
        system.multiply_mass(body, &unit[..n], &mut column[..n]);
        for (row, m) in column[..n].iter().enumerate() {
            mass[row * MOST_V + k] = *m;
        }
    }
    (mass, inverse(&mass))
}

impl Island {
    fn clear(&mut self) {
        self.groups.clear();
        self.rows.clear();
        self.components.clear();
        self.residual = 0.0;
    }

    /// Lists its groups in its problem.
    fn list_groups(&mut self, groups: &[Group]) {
        let mut start = 0;
        for &group in &self.groups {
            let own = groups[group as usize];
            self.problem.groups.push(Group { start, ..own });
            start += own.n;
        }
    }

    /// Notes how each of its rows responds to itself.
    fn note_own_responses(&self, groups: &[Group], out: &mut [f64]) {
        if self.problem.is_by_bodies() {
            for group in self.groups.iter().map(|&group| &groups[group as usize]) {
                out[group.rows()].fill(group.mobility);
            }
            return;
        }
        let diagonal = self.problem.response.iter().step_by(self.rows.len() + 1);
        for (&row, own) in self.rows.iter().zip(diagonal) {
            out[row as usize] = own.max(0.0);
        }
    }
}
