//! A world's equations at one instant: empty → filled → factored, and solved.
//!
//! The simulator and every scheme use this type. The state may be the world's own or a trial. A factor serves
//! several right-hand sides, also while a second system, the probe, is filled at another state.
//!
//! The factor is stored with its key: the state it was computed at, and its terms. Asking for a factor that
//! exists already costs nothing. Code that changes the numbers goes through [`Equations::modify`], which clears
//! the key. If no body rotates (sheets, splines, numbers), M and J may be the same at every state: the numbers
//! are then part of the key, and one factor serves all states (Witkin 1990, §5.4).

use crate::solve::{Ask, Elimination, Factor, Factored, Memo, Order};
use crate::system::{BlockFault, Contacts, Curvature, Filler, GeometricStiffness, Layout, System};
use crate::topology::{Component, Topology};
use crate::world::{Revision, State, Touching, World};

pub(crate) use crate::solve::{
    Care, ContactSolver, Limit, Lower, MassInverse, Meter, Method, Outcome, Solution,
};
pub(crate) use crate::system::{Motion, Soft};

/// Counts of the work that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Evaluations of the whole system.
    pub fills: usize,
    /// Numeric factorizations.
    pub factors: usize,
    /// Solves with a factor.
    pub solves: usize,
    /// Iterations within the solves, and in the responses on which lower priorities are built. With direct
    /// methods, each correction counts as one.
    pub iterations: usize,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.fills += other.fills;
        self.factors += other.factors;
        self.solves += other.solves;
        self.iterations += other.iterations;
    }
}

/// Which terms are filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terms {
    /// The motion that the equations describe.
    pub(crate) motion: Motion,
    /// How soft rows enter.
    pub(crate) soft: Soft,
    /// Damping of lower priorities; see [`System`].
    pub(crate) damping: f64,
    /// Forces of behaviors are those of this much later, seconds.
    pub(crate) ahead: f64,
}

impl Terms {
    pub(crate) fn new(motion: Motion, soft: Soft, damping: f64) -> Self {
        Self {
            motion,
            soft,
            damping,
            ahead: 0.0,
        }
    }

    /// The same terms with forces of behaviors `ahead` seconds later.
    pub(crate) fn ahead(self, ahead: f64) -> Self {
        Self { ahead, ..self }
    }

    /// Whether armatures are left out: in displacements.
    fn leaves_rotors(&self, system: &System) -> bool {
        let has_rotors = !system.rotors.is_empty();
        has_rotors && self.motion == Motion::Displacement && self.soft != Soft::Rows
    }
}

/// The load on bodies in a solve.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Load<'a> {
    #[default]
    None,
    /// The filled forces.
    Filled,
    Given(&'a [f64]),
}

impl<'a> From<Option<&'a [f64]>> for Load<'a> {
    fn from(force: Option<&'a [f64]>) -> Self {
        force.map_or(Self::None, Self::Given)
    }
}

/// A solve of `M·y = load + Jᵀ·λ`, `J·y + C·λ = rows`. What is not given is zero.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    pub(crate) load: Load<'a>,
    pub(crate) rows: Option<&'a [f64]>,
    /// How lower priorities are treated if iterations are cut short.
    pub(crate) lower: Lower,
    /// Multipliers with which iterations start.
    pub(crate) start: Option<&'a [f64]>,
    /// Direction with which an iteration continues, zero for a new one; updated for the next.
    pub(crate) direction: Option<&'a mut [f64]>,
    /// Largest number of iterations.
    pub(crate) most: Option<usize>,
    pub(crate) care: Care,
}

/// The stage that the equations have reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    #[default]
    Empty,
    Filled,
    Factored,
}

/// The state and terms of the filled numbers.
#[derive(Debug, Default)]
struct Key {
    is_flow: bool,
    /// Whether masses are the bodies' drag metrics.
    by_drag: bool,
    leaves_rotors: bool,
    damping: f64,
    t: f64,
    q: Vec<f64>,
    /// Whether the numbers are as filled. Springs change them, depending on the step.
    is_pure: bool,
}

impl Key {
    fn set(&mut self, (world, state): (&World, &State), terms: &Terms, system: &System) {
        self.is_flow = terms.motion == Motion::Flow;
        self.by_drag = terms.motion.is_by_drag(world);
        self.leaves_rotors = terms.leaves_rotors(system);
        self.damping = terms.damping;
        self.t = state.t;
        self.q.clone_from(&state.q);
        self.is_pure = !system.has_springs();
    }

    /// Whether a factor of these numbers is one of the given terms at the given state.
    fn serves(&self, (world, state): (&World, &State), terms: &Terms, system: &System) -> bool {
        self.is_pure
            && self.is_flow == (terms.motion == Motion::Flow)
            && self.by_drag == terms.motion.is_by_drag(world)
            && self.leaves_rotors == terms.leaves_rotors(system)
            && self.damping == terms.damping
            && self.is_at(state)
    }

    fn is_at(&self, state: &State) -> bool {
        self.t == state.t && self.q == state.q
    }
}

/// A world's equations, and everything needed to fill and solve them.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    compiled: Option<(Revision, bool)>,
    pub(crate) layout: Layout,
    pub(crate) topology: Topology,
    system: System,
    key: Key,
    /// A second system, filled at another state while the factor stays valid.
    probe: System,
    probe_key: Key,
    probe_is_sized: bool,
    /// Whether the buffers for numbers are allocated.
    is_sized: bool,
    filler: Filler,
    contacts: Contacts,
    inverse: MassInverse,
    factor: Option<(Method, Factor)>,
    factored: Factored,
    /// Elimination of the trees alone, for `compare_with_inertia`.
    trees: Option<Elimination>,
    order: Order,
    progress: Progress,
    solution: Solution,
    /// Known responses of bodies to loads, by factor.
    memo: Memo,
    n_factors: usize,
    pub(crate) effort: Effort,
}

impl Equations {
    /// The system filled by [`Equations::fill`], which the factor belongs to.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// The system filled by [`Equations::fill_probe`].
    pub(crate) fn probe(&self) -> &System {
        &self.probe
    }

    /// The connected components: bodies and constraints of each.
    pub(crate) fn components(&self) -> &[Component] {
        self.topology.components()
    }

    /// The last solution.
    pub(crate) fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Compiles if the world was edited; integers only. Returns whether it was.
    pub(crate) fn compile(&mut self, world: &World) -> bool {
        let compiled = Some(world.compiled_as());
        if self.compiled == compiled {
            return false;
        }
        self.layout.compile(world, &mut self.system);
        self.topology.update(&self.layout.incidence);
        (self.is_sized, self.probe_is_sized) = (false, false);
        (self.factor, self.trees) = (None, None);
        self.progress = Progress::Empty;
        self.memo.clear();
        self.compiled = compiled;
        true
    }

    /// Allocates the buffers for numbers, which callers that need only integers do without.
    fn make_room(&mut self) {
        if !self.is_sized {
            self.filler.size(&self.layout);
            self.solution.size(&self.system);
            self.inverse.size(&self.system);
            self.is_sized = true;
        }
    }

    /// Begins a step. Resets the counts and the known responses, so that the cost of a step does not depend on
    /// the one before.
    pub(crate) fn begin(&mut self) {
        self.effort = Effort::default();
        self.filler.forget_fault();
        self.forget_responses();
    }

    /// The first block that was not finite since then.
    pub(crate) fn blame(&self, world: &World) -> Option<Box<BlockFault>> {
        self.filler.blame(world)
    }

    /// Forgets the known responses.
    pub(crate) fn forget_responses(&mut self) {
        if let Some((_, factor)) = &mut self.factor {
            factor.forget_responses();
        }
    }

    /// Fills the system: M, J, c and f at this instant (Witkin 1990, §3). The factor is kept if it belongs to
    /// this state and these terms.
    pub(crate) fn fill(&mut self, (world, state): (&World, &State), terms: Terms) {
        self.compile(world);
        self.make_room();
        if !self.is_factored_at((world, state), &terms) {
            self.system.lower_damping = terms.damping;
            self.progress = Progress::Filled;
            self.key.set((world, state), &terms, &self.system);
        }
        let (layout, system) = (&self.layout, &mut self.system);
        system.ahead = terms.ahead;
        self.filler
            .fill((world, state), layout, terms.motion, terms.soft, system);
        self.effort.fills += 1;
    }

    fn is_factored_at(&self, at: (&World, &State), terms: &Terms) -> bool {
        let altered = self.factor.as_ref().is_none_or(|(_, f)| f.is_altered());
        self.progress == Progress::Factored && !altered && self.key.serves(at, terms, &self.system)
    }

    /// Whether the system was filled at the coordinates of this state.
    pub(crate) fn is_filled_at(&self, state: &State) -> bool {
        self.progress != Progress::Empty && self.key.is_at(state)
    }

    /// Fills the probe; the factor and its system stay valid.
    pub(crate) fn fill_probe(&mut self, at: (&World, &State), terms: Terms) -> &System {
        self.begin_probe(at, terms);
        let (layout, probe) = (&self.layout, &mut self.probe);
        self.filler
            .fill(at, layout, terms.motion, terms.soft, probe);
        &self.probe
    }

    /// Fills only rows and strains of the probe. It must be filled completely before it is accepted.
    pub(crate) fn fill_probe_rows(&mut self, at: (&World, &State), terms: Terms) -> &System {
        self.begin_probe(at, terms);
        let (layout, probe) = (&self.layout, &mut self.probe);
        self.filler.fill_rows(at, layout, terms.motion, probe);
        &self.probe
    }

    fn begin_probe(&mut self, (world, state): (&World, &State), terms: Terms) {
        self.make_room();
        if !self.probe_is_sized {
            self.probe.clone_from(&self.system);
            self.probe_is_sized = true;
        }
        self.probe.lower_damping = terms.damping;
        self.probe.ahead = terms.ahead;
        self.probe_key.set((world, state), &terms, &self.system);
        self.effort.fills += 1;
    }

    /// Fills a system of the caller, of the same size; the factor and its system stay valid.
    pub(crate) fn fill_other(
        &mut self,
        (world, state): (&World, &State),
        terms: Terms,
        other: &mut System,
    ) {
        self.make_room();
        other.lower_damping = terms.damping;
        other.ahead = terms.ahead;
        if self.layout.has_colliders() {
            other.share_touches(&self.system);
        }
        let layout = &self.layout;
        self.filler
            .fill((world, state), layout, terms.motion, terms.soft, other);
        self.effort.fills += 1;
    }

    /// Swaps the system with one that was filled by `fill_other` at a state.
    pub(crate) fn take(&mut self, at: (&World, &State), terms: Terms, other: &mut System) {
        std::mem::swap(&mut self.system, other);
        self.key.set(at, &terms, &self.system);
        self.progress = Progress::Filled;
    }

    /// Finds what may touch within `h` seconds of a state, and adds rows of contact to both systems.
    pub(crate) fn find_contacts(&mut self, at: (&World, &State), h: f64) {
        self.compile(at.0);
        let (layout, system) = (&self.layout, &mut self.system);
        self.contacts.find(at, layout, h, system);
        if self.probe_is_sized {
            self.probe.share_touches(&self.system);
        }
    }

    /// Takes over the contact candidates of other equations with the same bodies and fewer constraints.
    pub(crate) fn share_contacts(&mut self, from: &Self) {
        for system in [&mut self.system, &mut self.probe] {
            system.take_touches(&from.system);
        }
    }

    /// The fraction of the motion from one state to another after which something passes through something.
    /// Contacts were found at the first state.
    pub(crate) fn find_passing(
        &mut self,
        world: &World,
        ways: (&State, &State),
        h: f64,
    ) -> Option<f64> {
        match self.layout.has_colliders() {
            true => self.contacts.find_passing(world, &self.layout, ways, h),
            false => None,
        }
    }

    /// Notes the impulses of contacts.
    pub(crate) fn remember_contacts(&mut self, touching: &[Touching]) {
        self.system.touches.remember(touching);
        if self.probe_is_sized {
            self.probe.touches.remember(touching);
        }
    }

    /// Adds the contact forces of the last step.
    pub(crate) fn push_touching(&mut self, at: (&World, &State)) {
        self.system.push_touching(at, &self.layout);
    }

    /// Removes all rows of contact, for a solve at one instant.
    pub(crate) fn forget_contacts(&mut self) {
        self.system.forget_touches();
        self.probe.forget_touches();
    }

    /// The probe becomes the system.
    pub(crate) fn accept_probe(&mut self) {
        std::mem::swap(&mut self.system, &mut self.probe);
        std::mem::swap(&mut self.key, &mut self.probe_key);
        self.progress = Progress::Filled;
    }

    /// The filled numbers, to be changed before they are factored. Clears the key.
    pub(crate) fn modify(&mut self) -> &mut System {
        self.key.is_pure = false;
        self.progress = Progress::Filled;
        &mut self.system
    }

    /// Adds the curvature of rows with multipliers `lambda` to the masses.
    pub(crate) fn stiffen_rows(
        &mut self,
        at: (&World, &State),
        lambda: &[f64],
        room: &mut Curvature,
    ) {
        let (layout, system) = (&self.layout, &mut self.system);
        self.filler.stiffen_rows(at, layout, lambda, room, system);
    }

    /// `f ← M⁻¹·f` for all bodies, without constraints.
    pub(crate) fn apply_inverse_mass(&mut self, f: &mut [f64]) {
        self.factor_inverse_mass();
        self.apply_factored_mass(f);
    }

    /// Factors the present masses, body by body.
    pub(crate) fn factor_inverse_mass(&mut self) {
        self.inverse.factor(&self.system);
    }

    /// [`Equations::apply_inverse_mass`] with the existing factor.
    pub(crate) fn apply_factored_mass(&self, f: &mut [f64]) {
        self.inverse.apply_all(&self.system, f);
    }

    /// The largest `w²·J·M⁻¹·Jᵀ` of rows of lower priorities, to which damping is relative. `scratch` is n_v.
    pub(crate) fn lower_mobility(&mut self, scratch: &mut [f64]) -> f64 {
        self.inverse.factor(&self.system);
        let system = &self.system;
        let mut largest = 0.0f64;
        for (c, block) in system.constraints.iter().enumerate() {
            if block.priority == 0 {
                continue;
            }
            for (i, row) in system.row_range(c as u32).enumerate() {
                let scale = block.weight * system.row_scale[row];
                let mobility = self.inverse.mobility(system, c as u32, i, scratch);
                largest = largest.max(scale * scale * mobility);
            }
        }
        largest
    }

    /// Factors the filled numbers, unless they are factored already.
    pub(crate) fn factor(&mut self, method: &Method) {
        let (system, topology, order) = (&self.system, &self.topology, self.order);
        let keep = self.factor.as_ref().is_some_and(|(kept, _)| kept == method);
        if keep && self.progress == Progress::Factored {
            return;
        }
        let is_altered = |(_, factor): &(Method, Factor)| factor.is_altered();
        let is_whole = keep && !self.factor.as_ref().is_none_or(is_altered);
        if is_whole && self.factored.is_of(system) {
            if self.factored.damping != system.lower_damping {
                self.factored.damping = system.lower_damping;
                self.forget_responses();
            }
            self.progress = Progress::Factored;
            return;
        }
        if !keep {
            self.factor = Some((*method, Factor::new(system, topology, method, order)));
        }
        if let Some((_, factor)) = &mut self.factor {
            factor.factor(system);
            self.factored.keep(system);
            self.progress = Progress::Factored;
            self.effort.factors += 1;
            self.n_factors += 1;
        }
    }

    /// Whether `M − s·K` is not positive definite on the motions that joints allow, with loops open.
    pub(crate) fn compare_with_inertia(&mut self, stiffness: &GeometricStiffness, s: f64) -> bool {
        self.probe.clone_from(&self.system);
        stiffness.take_off(&mut self.probe, s);
        let trees = self
            .trees
            .get_or_insert_with(|| Elimination::new(&self.system, &self.topology, Order::Forest));
        trees.factor(&self.probe);
        !trees.is_positive()
    }

    /// Fills and factors.
    pub(crate) fn prepare(&mut self, at: (&World, &State), terms: Terms, method: &Method) {
        self.fill(at, terms);
        self.factor(method);
    }

    /// Solves with the factor.
    pub(crate) fn solve(&mut self, request: Request<'_>, meter: &mut Meter<'_>) -> &Solution {
        let ask = Ask {
            force: match request.load {
                Load::None => None,
                Load::Filled => Some(&self.system.force[..]),
                Load::Given(force) => Some(force),
            },
            b: request.rows,
            warm: request.start,
            direction: request.direction,
            lower: request.lower,
            most: request.most,
            care: request.care,
        };
        let out = &mut self.solution;
        match &mut self.factor {
            Some((_, factor)) if self.progress == Progress::Factored => {
                factor.solve(&self.system, &self.topology, ask, meter, out);
                self.effort.solves += 1;
                self.effort.iterations += out.iterations;
            }
            _ => out.outcome = Outcome::NotConverged,
        }
        out
    }

    /// The response of bodies and rows to a load, with a right-hand side of zero; solved for unless known.
    pub(crate) fn respond(
        &mut self,
        load: &[f64],
        meter: &mut Meter<'_>,
        (motion, lambda): (&mut [f64], &mut Vec<f64>),
    ) {
        let is_pure = |own: &Self| {
            own.factor
                .as_ref()
                .is_some_and(|(_, own)| !own.is_altered())
        };
        if is_pure(self)
            && let Some((known, pushes, iterations)) = self.memo.find(self.n_factors, load)
        {
            motion.copy_from_slice(known);
            lambda.clear();
            lambda.extend_from_slice(pushes);
            meter.count(iterations);
            return;
        }
        let before = meter.iterations();
        let request = Request {
            load: Load::Given(load),
            care: Care::Response,
            ..Request::default()
        };
        let solution = self.solve(request, meter);
        motion.copy_from_slice(&solution.motion);
        lambda.clone_from(&solution.lambda);
        if is_pure(self) && meter.ended().is_none() {
            let iterations = meter.iterations() - before;
            self.memo
                .keep(self.n_factors, load, &self.solution, iterations);
        }
    }

    /// Replaces the solution by a combination of others.
    pub(crate) fn compose(&mut self, compose: impl FnOnce(&mut [f64], &mut [f64])) {
        let Solution { motion, lambda, .. } = &mut self.solution;
        compose(motion, lambda);
    }

    /// Whether the last solve was cut short and treated all priorities together.
    pub(crate) fn priorities_are_joined(&self) -> bool {
        let factor = self.factor.as_ref();
        factor.is_some_and(|(_, factor)| factor.is_joined())
    }

    /// Makes `Direct` eliminate in another order.
    pub(crate) fn set_order(&mut self, order: Order) {
        self.order = order;
        (self.factor, self.progress) = (None, Progress::Empty);
    }

    pub(crate) fn n_operations(&self) -> usize {
        let factor = self.factor.as_ref();
        factor.map_or(0, |(_, factor)| factor.n_operations())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::AngleArmature;
    use crate::prelude::*;

    /// Displacements leave armatures out: a factor that includes them is a different one, at the same state
    /// with the same damping.
    #[test]
    fn a_factor_is_kept_by_whether_armatures_take_part() {
        let mut world = World::new();
        let size = [1.0, 0.2, 0.2];
        let bar = world.add_body("bar", Cuboid { size, mass: 1.0 }).unwrap();
        let axis = [0.0, 0.0, 1.0];
        let frames = [
            GROUND.frame_along([-0.5, 0.0, 0.0], axis),
            bar.frame_along([-0.5, 0.0, 0.0], axis),
        ];
        let hinge = Hinge { axis_world: axis };
        let ends = (GROUND.at([-0.5, 0.0, 0.0]), bar.at([-0.5, 0.0, 0.0]));
        world.join("hinge", hinge, ends.0, ends.1).unwrap();
        let at = |world: &World| world.state().clone();
        let mut equations = Equations::default();
        let brings = Terms::new(Motion::Displacement, Soft::Absent, 0.0);
        let moves = Terms::new(Motion::Velocity, Soft::Absent, 0.0);
        // Without armatures a factor serves both …
        let state = at(&world);
        equations.prepare((&world, &state), moves, &Method::Direct);
        assert!(equations.is_factored_at((&world, &state), &brings));
        // … with one, only its own.
        let rotor = AngleArmature { inertia: 2.0 };
        world.add_constraint("rotor", rotor, &frames).unwrap();
        let state = at(&world);
        for (own, other) in [(moves, brings), (brings, moves)] {
            equations.prepare((&world, &state), own, &Method::Direct);
            assert!(equations.is_factored_at((&world, &state), &own));
            assert!(!equations.is_factored_at((&world, &state), &other));
        }
    }
}
