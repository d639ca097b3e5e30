//! Lateral stiffness of springs under tension.
//!
//! A spring of length l and direction n under tension T resists lateral displacements of its ends with the
//! stiffness
//!
//! ```text
//!     G = T/l·(1 − n·nᵀ)        on the difference of its ends' displacements
//! ```
//!
//! which couples two bodies, so it cannot be added to the mass of one. It is in separate equations: those of
//! the world with three more soft rows of stiffness T/l for every such spring, on the difference of its ends.
//! Along n they add little, because the spring itself is stiffer by l/(l − l₀).
//!
//! With soft bodies, exact distances count too: a string of light particles that holds a balloon swings fast,
//! and a step along the middle that is taken for the balloon must be stable for its string.

use std::sync::Arc;

use crate::constraint::FramePair;
use crate::equations::{Equations, MassInverse, Motion, Soft, Terms};
use crate::math::{Vec3, ascending, norm, sym_eigen};
use crate::springs::tolerances::{EXACT, SLACK};
use crate::system::{Layout, MassBlock, SoftRow, System};
use crate::world::{State, World};

/// A spring, and the rows across it.
#[derive(Clone, Copy, Debug)]
struct Spring {
    row: usize,
    rest_length: f64,
    stiffness: f64,
    first: usize,
    n: usize,
    /// Mobility of its ends, `J·M⁻¹·Jᵀ` of the lateral rows, and the largest `|r|/I` of an end: angular
    /// acceleration by unit tension.
    mobility: f64,
    turning: f64,
}

/// The world with rows across its springs.
#[derive(Debug)]
pub(crate) struct Across {
    pub(crate) world: World,
    springs: Vec<Spring>,
    /// Impulses of all rows, with those of springs as vectors in their lateral rows.
    pull: Vec<f64>,
}

impl Across {
    /// The springs of a world, and the equations; `None` without springs between points of two bodies.
    pub(crate) fn of(
        world: &World,
        state: &State,
        layout: &Layout,
        has_strains: bool,
    ) -> Option<(Self, Equations)> {
        let is_spring = |soft: &&SoftRow| soft.rest_length.is_some();
        let springs = layout.soft_rows.iter().filter(is_spring);
        let mut found: Vec<Found> = springs
            .filter_map(|soft| Some((soft.record, soft.rest_length?, 1.0 / soft.alpha)))
            .collect();
        if has_strains {
            found.extend(exact_distances(world));
        }
        let mut with_rows = world.clone();
        let mut springs = Vec::new();
        for &(record, rest_length, stiffness) in &found {
            let record = &world.constraints()[record as usize];
            let label = format!("{} (across)", record.label());
            let law = Arc::new(FramePair::ball());
            // A spring on one body couples nothing.
            let added = with_rows.add_shared_constraint(&label, law, &record.connectors);
            let Ok(id) = added else { continue };
            let n = with_rows.constraint_record(id).ok()?.rows().len();
            with_rows.set_compliance(id, &[1.0; 3][..n]).ok()?;
            springs.push(Spring {
                row: record.row_range().start,
                rest_length,
                stiffness,
                first: with_rows.constraint_record(id).ok()?.row_range().start,
                n,
                mobility: 0.0,
                turning: 0.0,
            });
        }
        if springs.is_empty() {
            return None;
        }
        let mut equations = Equations::default();
        let terms = Terms::new(Motion::Velocity, Soft::Rows, 0.0);
        equations.fill((&with_rows, state), terms);
        let system = equations.system();
        let mut inverse = MassInverse::new(system);
        inverse.factor(system);
        let mut scratch = vec![0.0; system.n_v()];
        for spring in &mut springs {
            spring.measure(system, &inverse, &mut scratch);
        }
        let pull = vec![0.0; system.n_rows()];
        let own = Self {
            world: with_rows,
            springs,
            pull,
        };
        Some((own, equations))
    }

    /// A cheap test that excludes most cases, by the least inertia and the longest arms.
    pub(crate) fn may_be_taut(&self, system: &System, impulse: &[f64], h: f64) -> bool {
        self.springs.iter().any(|spring| {
            let length = spring.rest_length + system.c[spring.row];
            let mobility = spring.mobility / length + spring.turning;
            -2.0 * h * impulse[spring.row] * mobility > 1.0
        })
    }

    /// The system at the start of a step, and the impulses of all its rows; see [`Across::pull`].
    pub(crate) fn at_start<'s, 'e>(
        &'s mut self,
        equations: &'e mut Equations,
        (state, terms): (&State, Terms),
        impulse: &[f64],
    ) -> (&'s [f64], &'e System) {
        equations.fill((&self.world, state), terms);
        let system = equations.system();
        fill_pull(&self.springs, system, impulse, &mut self.pull);
        (&self.pull, system)
    }

    /// Whether lateral vibration of a spring is faster than the step: `h²·T/l·J·M⁻¹·Jᵀ > 1`.
    pub(crate) fn is_taut(&self, system: &System, impulse: &[f64], h: f64) -> bool {
        self.springs.iter().any(|spring| {
            let (_, length) = spring.direction(system);
            -2.0 * h * impulse[spring.row] * spring.mobility > length
        })
    }

    /// The impulses of all rows, for the geometric stiffness of single bodies. Those of springs are vectors, in
    /// their lateral rows.
    pub(crate) fn pull(&mut self, system: &System, impulse: &[f64]) -> &[f64] {
        fill_pull(&self.springs, system, impulse, &mut self.pull);
        &self.pull
    }

    /// Writes `C` of the lateral rows for the impulses of half a step: a part of `h²/4·T/l`.
    pub(crate) fn soften(&self, system: &mut System, h: f64, impulse: &[f64], part: f64) {
        for spring in &self.springs {
            let (_, length) = spring.direction(system);
            let stiffness = -2.0 * impulse[spring.row] / (h * length);
            let stiffness = stiffness.max(SLACK * spring.stiffness);
            let compliance = 4.0 / (part * h * h * stiffness);
            system.compliance[spring.first..][..spring.n].fill(compliance);
        }
    }
}

/// A distance or spring between two points: its position in the world, rest length and stiffness.
type Found = (u32, f64, f64);

/// Exact distances between points.
fn exact_distances(world: &World) -> impl Iterator<Item = Found> {
    let records = world.constraints().iter().enumerate();
    records.filter_map(|(at, record)| {
        let is_exact = record.enabled && record.compliance.iter().all(|&c| c == 0.0);
        let rest_length = record.constraint.rest_length().filter(|_| is_exact)?;
        Some((at as u32, rest_length, EXACT))
    })
}

fn fill_pull(springs: &[Spring], system: &System, impulse: &[f64], pull: &mut [f64]) {
    pull.fill(0.0);
    let n = impulse.len();
    pull[..n].copy_from_slice(impulse);
    for spring in springs {
        let (d, length) = spring.direction(system);
        for k in 0..spring.n {
            pull[spring.first + k] = impulse[spring.row] * d[k] / length;
        }
    }
}

impl Spring {
    /// Unit vector from one end to the other, and the distance.
    fn direction(&self, system: &System) -> (Vec3, f64) {
        let mut d = [0.0; 3];
        d[..self.n].copy_from_slice(&system.c[self.first..][..self.n]);
        (d, norm(d).max(f64::MIN_POSITIVE))
    }

    /// Computes mobility and `|r|/I`. The inverse is that of the system; `scratch` is n_v.
    fn measure(&mut self, system: &System, inverse: &MassInverse, scratch: &mut [f64]) {
        let is_own = |c: &u32| system.row_range(*c).start == self.first;
        let Some(c) = (0..system.constraints.len() as u32).find(is_own) else {
            return;
        };
        for i in 0..self.n {
            let compliance = system.compliance[self.first + i];
            let mobility = inverse.mobility(system, c, i, scratch) - compliance;
            self.mobility = self.mobility.max(mobility);
        }
        let unit = [1.0, 0.0, 0.0];
        system.for_each_side(c, false, |body, side| {
            let Some((_, arm)) = side.pull(&unit[..self.n]) else {
                return;
            };
            let least = match system.bodies[body as usize].mass {
                MassBlock::Rigid(at) => {
                    let (moments, _) = sym_eigen(&system.rigid[at as usize].inertia_world);
                    moments[ascending(&moments)[0]]
                }
                MassBlock::Dense(offset) => system.mass[offset as usize + 8],
                _ => return,
            };
            self.turning = self.turning.max(norm(arm) / least);
        });
    }
}
