//! Diagnosis: degrees of freedom, redundant rows, contradictions, and undetermined reactions.
//!
//! Everything is computed from the rank of the constraint Jacobian `J` of priority 0, at the pose in which the
//! mechanism closes (the current one, if it is closed). The rank is geometric: masses do not matter. Cost: four
//! sparse solves per redundant row and about three per requested motion, each linear in the size of the world,
//! plus O(r²·rows) products for r dependencies. Trees cost nothing: only rows that remain after stripping them
//! are searched. Long loops have rows that are nearly dependent, and each such combination costs as much as a
//! redundant row: none in loops of up to 3,000 bars on ball joints, 2 % of the bodies in loops of hinges. In
//! loops of up to 3,000 hinges they are distinguished from redundant rows; longer ones are not tested.
//!
//! Measured by `cargo run --release -q -p linkwork-bench -- diagnose --scene chain:1000 --scene ladder:6,96
//! --scene chain:20000 --scene sheet:10 --scene sheet:20` on one core of a 2-core cloud machine, with 32
//! motions: 11 ms for 1,000 bodies, 17 ms for 1,248 and 0.3 s for 20,000 without redundancy; 70 ms for 81
//! redundant rows among 1,557, and 6 s for 361 among 6,117. `linkwork check chain:20000`, which asks for no
//! motions, takes 0.4 to 0.5 s and 180 MB, the building of the world included.

mod closure;
mod echelon;
mod geometry;
mod held;
mod motions;
mod null_space;
mod powerless;
mod ties;
mod tolerances;

pub use powerless::powerless;

use std::fmt;

use crate::world::{ConstraintId, World};
use closure::Closed;
use geometry::Geometry;
pub use held::{Held, Holds, OneSided};

/// One row of a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowName {
    /// The constraint.
    pub id: ConstraintId,
    /// Its label.
    pub label: String,
    /// Which of its rows, from zero.
    pub row: usize,
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" row {}", self.label, self.row)
    }
}

/// Whether a redundancy stays when the mechanism moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permanence {
    /// Still there at a nearby assembled pose, or there is no such pose.
    Permanent,
    /// Gone at a nearby assembled pose.
    Momentary,
}

/// A row that repeats others. Harmless for the motion; statics does not determine the reactions of the rows
/// involved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Redundancy {
    /// The row: the one added last among those involved.
    pub row: RowName,
    /// The rows it repeats together, each with its share.
    pub with: Vec<RowName>,
    /// Whether it stays when the mechanism moves.
    pub permanence: Permanence,
}

impl fmt::Display for Redundancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} repeats", self.row)?;
        for (i, row) in self.with.iter().enumerate() {
            write!(f, "{} {row}", if i == 0 { "" } else { "," })?;
        }
        match self.permanence {
            Permanence::Permanent => Ok(()),
            Permanence::Momentary => f.write_str(" (only in this pose)"),
        }
    }
}

/// A constraint that cannot hold together with others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contradiction {
    /// The constraint.
    pub id: ConstraintId,
    /// Its label.
    pub label: String,
    /// Its error at the best compromise, in meters (radians times the typical body size); for a contradiction
    /// of speeds, in meters per second.
    pub residual: f64,
    /// True when positions can be met but prescribed speeds cannot.
    pub of_speeds: bool,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.of_speeds { "m/s" } else { "m" };
        write!(
            f,
            "\"{}\" cannot hold: {:.3e} {unit} remain",
            self.label, self.residual
        )
    }
}

/// Whether all constraints can be met at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// They are, now.
    Closed,
    /// Not now, but nearby; the diagnosis is of that pose.
    Closable,
    /// They contradict each other; the diagnosis is of the best compromise.
    Contradictory,
    /// Unknown: the parts are too far apart (assemble first), or a joint is not finite here.
    Unknown,
}

/// What [`diagnose`] found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// Degrees of freedom left.
    pub mobility: usize,
    /// Velocity coordinates of all enabled bodies.
    pub n_v: usize,
    /// Active hard rows of priority 0.
    pub n_rows: usize,
    /// Their rank.
    pub rank: usize,
    /// Rows that repeat others; `n_rows − rank` of them.
    pub redundant: Vec<Redundancy>,
    /// Constraints that cannot hold together.
    pub contradictory: Vec<Contradiction>,
    /// Reaction components that rigid statics cannot determine.
    pub undetermined: Vec<RowName>,
    /// Multipliers that balance each other, `Jᵀ·λ = 0`, in the layout of [`State::lambda`](crate::world::State): a
    /// basis, one for each redundant row. Statics determines multipliers up to sums of these; see
    /// [`Diagnosis::leaves_open`].
    pub self_stresses: Vec<Vec<f64>>,
    /// Whether the constraints can be met.
    pub closure: Closure,
    /// One-sided constraints in effect: limits at their stops and contacts. `mobility` and `motions` do not
    /// include them; see [`Diagnosis::held_mobility`].
    pub holds: Holds,
    /// Remaining motions as velocities in the layout of [`State::v`](crate::world::State): a basis
    /// when `mobility` is at most [`DiagnoseOptions::max_motions`], else as many independent ones.
    pub motions: Vec<Vec<f64>>,
}

impl Diagnosis {
    /// Degrees of freedom that keep all contacts, and limits at their stops. `None` if there are too many
    /// contacts to find out.
    pub fn held_mobility(&self) -> Option<usize> {
        self.holds.rank.map(|rank| self.mobility - rank)
    }

    /// Which of n quantities statics leaves undetermined: those that a self-stress changes. A quantity that is
    /// linear in λ, such as a component of a reaction, is determined if it vanishes on the null space of `Jᵀ`,
    /// even if multipliers in it are not.
    ///
    /// `numbers` writes them for given multipliers. They must be affine, or the length of an affine vector.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), linkwork::Error> {
    /// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    /// let beam = world.add_body("beam", Cuboid { size: [1.0, 0.1, 0.1], mass: 2.0 })?;
    /// let left = world.join("left", Ball, GROUND.at([-0.5, 0.0, 0.0]), beam.at([-0.5, 0.0, 0.0]))?;
    /// world.join("right", Ball, GROUND.at([0.5, 0.0, 0.0]), beam.at([0.5, 0.0, 0.0]))?;
    /// let is_open = diagnose(&world).leaves_open(3, |lambda, out| {
    ///     if let Ok(on_beam) = world.reaction(left, lambda, ReactionOptions::default()) {
    ///         out.copy_from_slice(&on_beam.force);
    ///     }
    /// });
    /// assert_eq!(is_open, [true, false, false]); // both may press against each other, along the beam
    /// # Ok(()) }
    /// ```
    pub fn leaves_open(&self, n: usize, mut numbers: impl FnMut(&[f64], &mut [f64])) -> Vec<bool> {
        let n_rows = self.self_stresses.first().map_or(0, Vec::len);
        let (mut constant, mut own) = (vec![0.0; n], vec![0.0; n]);
        numbers(&vec![0.0; n_rows], &mut constant);
        let mut is_open = vec![false; n];
        for stress in &self.self_stresses {
            let least = tolerances::TAKES_PART * echelon::largest(stress);
            numbers(stress, &mut own);
            for (is_open, (own, constant)) in is_open.iter_mut().zip(own.iter().zip(&constant)) {
                *is_open |= (own - constant).abs() > least;
            }
        }
        is_open
    }
}

/// Options of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiagnoseOptions {
    /// Largest number of remaining motions returned.
    pub max_motions: usize,
    /// Whether to look for a nearby pose, which distinguishes momentary from permanent redundancy.
    pub look_nearby: bool,
}

impl Default for DiagnoseOptions {
    fn default() -> Self {
        Self {
            max_motions: 32,
            look_nearby: true,
        }
    }
}

impl DiagnoseOptions {
    /// At most `max_motions` remaining motions.
    pub fn max_motions(self, max_motions: usize) -> Self {
        Self {
            max_motions,
            ..self
        }
    }

    /// Whether to look for a nearby pose, which distinguishes momentary from permanent redundancy.
    pub fn look_nearby(self, look_nearby: bool) -> Self {
        Self {
            look_nearby,
            ..self
        }
    }
}

/// Diagnoses a world.
///
/// ```
/// use linkwork::prelude::*;
/// # fn main() -> Result<(), linkwork::Error> {
/// let mut world = World::new();
/// let door = world.add_body("door", Cuboid { size: [1.0, 2.0, 0.05], mass: 20.0 })?;
/// let hinge = Hinge { axis_world: [0.0, 1.0, 0.0] };
/// for (label, y) in [("lower hinge", -0.8), ("upper hinge", 0.8)] {
///     world.join(label, hinge, GROUND.at([-0.5, y, 0.0]), door.at([-0.5, y, 0.0]))?;
/// }
/// let diagnosis = diagnose(&world);
/// assert_eq!(diagnosis.mobility, 1);
/// assert_eq!(diagnosis.redundant.len(), 5); // the second hinge repeats the first, row by row
/// assert_eq!(diagnosis.redundant[0].row.label, "upper hinge");
/// # Ok(()) }
/// ```
pub fn diagnose(world: &World) -> Diagnosis {
    diagnose_with(world, &DiagnoseOptions::default())
}

/// [`diagnose`] with options.
pub fn diagnose_with(world: &World, options: &DiagnoseOptions) -> Diagnosis {
    // Close: the pose to diagnose.
    let Closed {
        world: closed,
        closure,
        errors,
    } = closure::close(world);
    let names = RowNames::new(&closed);
    let contradictory = if closure == Closure::Contradictory {
        names.contradictions(&errors, false)
    } else {
        drop(errors);
        names.contradictions(&closure::speed_errors(&closed), true)
    };
    let mut geometry = Geometry::new(&closed);

    // Rank: the rows' linear dependencies, one vector each.
    let stresses = geometry.dependencies();
    let self_stresses = geometry.multipliers(&stresses);
    let n_rows = geometry.n_hard_rows();
    let rank = n_rows - stresses.len();
    let mobility = geometry.n_v() - rank;

    // Name: each dependency by its last row.
    let groups = echelon::echelon(stresses.clone());
    geometry.leave_out(groups.iter().map(|group| group.pivot));
    let nearby = if options.look_nearby && !groups.is_empty() && closure != Closure::Contradictory {
        closure::nearby_dependencies(&closed, &mut geometry)
    } else {
        None
    };
    // As many are momentary as are gone nearby: those without a row there.
    let mut n_gone = nearby
        .as_ref()
        .map_or(0, |rows| groups.len().saturating_sub(rows.len()));
    let mut is_gone = |pivot: usize| {
        let gone = n_gone > 0 && nearby.as_ref().is_some_and(|rows| !rows.contains(&pivot));
        n_gone -= usize::from(gone);
        gone
    };
    let redundant = groups
        .iter()
        .map(|group| Redundancy {
            row: names.name(group.pivot),
            with: group.rows.iter().map(|&row| names.name(row)).collect(),
            permanence: if is_gone(group.pivot) {
                Permanence::Momentary
            } else {
                Permanence::Permanent
            },
        })
        .collect();
    let undetermined = echelon::involved_rows(&stresses)
        .into_iter()
        .map(|row| names.name(row))
        .collect();

    let holds = held::find(&closed, &mut geometry);
    Diagnosis {
        mobility,
        n_v: geometry.n_v(),
        n_rows,
        rank,
        redundant,
        contradictory,
        undetermined,
        self_stresses,
        closure,
        holds,
        motions: geometry.motions(mobility.min(options.max_motions)),
    }
}

/// Who owns which row.
struct RowNames<'a> {
    world: &'a World,
}

impl<'a> RowNames<'a> {
    fn new(world: &'a World) -> Self {
        Self { world }
    }

    fn name(&self, row: usize) -> RowName {
        let records = self.world.constraints();
        let record = &records[records.partition_point(|r| r.row_range().end <= row)];
        RowName {
            id: record.id(),
            label: record.label().to_owned(),
            row: row - record.row_range().start,
        }
    }

    /// The constraints with significant errors (meters, per row).
    fn contradictions(&self, errors: &[f64], of_speeds: bool) -> Vec<Contradiction> {
        let largest = errors.iter().fold(0.0f64, |m, e| m.max(e.abs()));
        let mut out = Vec::new();
        for record in self.world.constraints() {
            let own = errors[record.row_range()]
                .iter()
                .fold(0.0f64, |m, e| m.max(e.abs()));
            if own > tolerances::STANDS_OUT * largest && own > 0.0 {
                out.push(Contradiction {
                    id: record.id(),
                    label: record.label().to_owned(),
                    residual: own,
                    of_speeds,
                });
            }
        }
        out
    }
}
