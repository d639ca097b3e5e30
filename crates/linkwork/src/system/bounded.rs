//! Rows whose force is bounded. They are part neither of the factor nor of the topology; their effect is laid
//! over the factor (`integrate::bounds`).

use super::compile::Builder;
use super::numbers::{JacobianKind, System};
use super::rows::Rows;
use super::touch::Softness;
use crate::constraint::{Bound, Level};
use crate::linalg::bounded::Set;
use crate::topology::NONE;

/// The kind of bound on the force of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// c ≥ 0: its force pushes and never pulls.
    Stop { restitution: f64 },
    /// ċ = 0 within these forces. A position that lags is corrected with this gain.
    Force { least: f64, most: f64, gain: f64 },
    /// c = 0, with a force in a ball; `n_more` further rows follow.
    Hand { most: f64, n_more: usize },
    /// A further row of a hand.
    More,
    /// A stop with friction. Tangential rows follow it, and their impulses together lie in a set.
    Normal {
        restitution: f64,
        set: Set,
        n_across: usize,
    },
    /// ċ = 0, within the set of the normal row before it.
    Across,
}

impl Role {
    /// Coefficient of restitution of a stop.
    pub(crate) fn restitution(self) -> Option<f64> {
        match self {
            Self::Stop { restitution } | Self::Normal { restitution, .. } => Some(restitution),
            Self::Force { .. } | Self::Hand { .. } | Self::More | Self::Across => None,
        }
    }
}

impl From<Bound> for Role {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Stop { restitution } => Self::Stop { restitution },
            Bound::Force { least, most, gain } => Self::Force { least, most, gain },
        }
    }
}

/// A row whose force is bounded, and the location of its `J`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundedRow {
    pub(crate) role: Role,
    place: Place,
}

/// The location of the numbers of a bounded row.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A row of a constraint: its index among all rows, its dense blocks, and its index in them.
    Constraint {
        row: u32,
        first: u32,
        n: u32,
        of_constraint: u32,
    },
    /// A row of a contact: along the normal or a tangent, or about one of them.
    Touch { touch: u32, axis: u32 },
}

impl Builder<'_> {
    /// Lays out the constraint at `position`, whose slots were found.
    pub(super) fn bounded_constraint(
        &mut self,
        position: usize,
        roles: &[Role],
        rows: &mut Rows,
        system: &mut System,
    ) {
        let JacobianKind::Blocks { first, n } = self.generic_constraint(position, NONE, system)
        else {
            return;
        };
        let record = &self.world.constraints()[position];
        for (i, unit) in record.rows().iter().enumerate() {
            let row = record.row0 + i;
            rows.add_bounded(row, *unit);
            system.row_scale[row] = unit.in_meters(system.characteristic_length);
            system.velocity_level[row] = record.constraint.level() == Level::Velocity;
            system.bounded.push(BoundedRow {
                role: roles[i],
                place: Place::Constraint {
                    row: row as u32,
                    first,
                    n,
                    of_constraint: i as u32,
                },
            });
        }
    }
}

impl System {
    /// Adds the forces `lambda` of bounded rows.
    pub(crate) fn push_bounded(&mut self, lambda: &[f64]) {
        let mut force = std::mem::take(&mut self.force);
        for row in &self.bounded {
            let r = row.force(self, lambda) / row.scale(self);
            row.push(self, r, &mut force);
        }
        self.force = force;
    }
}

impl BoundedRow {
    pub(super) fn of_touch(touch: u32, axis: u32, role: Role) -> Self {
        let place = Place::Touch { touch, axis };
        Self { role, place }
    }

    pub(crate) fn is_touch(&self) -> bool {
        matches!(self.place, Place::Touch { .. })
    }

    /// Index among all rows, if it is a row of a constraint.
    pub(crate) fn row(&self) -> Option<usize> {
        match self.place {
            Place::Constraint { row, .. } => Some(row as usize),
            Place::Touch { .. } => None,
        }
    }

    /// Contact and axis, if it is a row of a contact.
    pub(crate) fn touch(&self) -> Option<(u32, u32)> {
        match self.place {
            Place::Constraint { .. } => None,
            Place::Touch { touch, axis } => Some((touch, axis)),
        }
    }

    /// Factor that converts it to meters.
    pub(crate) fn scale(&self, system: &System) -> f64 {
        match self.place {
            Place::Constraint { row, .. } => system.row_scale[row as usize],
            Place::Touch { touch, axis } => system.touches.scale(touch, axis),
        }
    }

    /// Its last force, in its own unit.
    pub(crate) fn force(&self, system: &System, lambda: &[f64]) -> f64 {
        match self.place {
            Place::Constraint { row, .. } => lambda[row as usize],
            Place::Touch { touch, axis } => system.touches.force(touch, axis),
        }
    }

    /// Its rate, m/s.
    pub(crate) fn rate(&self, system: &System) -> f64 {
        match self.place {
            Place::Constraint { row, .. } => self.scale(system) * system.c_dot[row as usize],
            Place::Touch { touch, axis } => system.touches.rate(touch, axis),
        }
    }

    /// The softness of a stop, if it is soft.
    pub(crate) fn softness(&self, system: &System) -> Option<Softness> {
        match self.place {
            Place::Touch { touch, axis: 0 } => system.touches.softness(touch),
            _ => None,
        }
    }

    /// Whether it is a hard stop.
    pub(crate) fn is_hard_stop(&self, system: &System) -> bool {
        self.is_stop() && self.softness(system).is_none()
    }

    pub(crate) fn is_stop(&self) -> bool {
        self.role.restitution().is_some()
    }

    /// Whether it is a stop of a constraint, not a contact.
    pub(crate) fn is_limit(&self) -> bool {
        self.is_stop() && !self.is_touch()
    }

    /// Whether it is a row of a hand.
    pub(crate) fn is_hand(&self) -> bool {
        matches!(self.role, Role::Hand { .. } | Role::More)
    }

    /// Distance of a stop from contact, or of a hand from what it holds, meters.
    pub(crate) fn gap(&self, system: &System) -> f64 {
        match self.place {
            Place::Constraint { row, .. } => self.scale(system) * system.c[row as usize],
            Place::Touch { touch, .. } => system.touches.gap(touch),
        }
    }

    /// `s·J·y`, in meters.
    pub(crate) fn motion(&self, system: &System, y: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.for_each(system, |at, j| sum += j * y[at]);
        self.scale(system) * sum
    }

    /// `f ← f + s·Jᵀ·r`.
    pub(crate) fn push(&self, system: &System, r: f64, f: &mut [f64]) {
        let r = self.scale(system) * r;
        self.for_each(system, |at, j| f[at] += j * r);
    }

    /// Visits every entry of the row: index of the velocity, and value.
    pub(crate) fn for_each(&self, system: &System, mut visit: impl FnMut(usize, f64)) {
        let (first, n, of_constraint) = match self.place {
            Place::Touch { touch, axis } => return system.touches.for_each(touch, axis, visit),
            Place::Constraint {
                first,
                n,
                of_constraint,
                ..
            } => (first as usize, n as usize, of_constraint as usize),
        };
        for block in &system.blocks[first..][..n] {
            let v0 = system.bodies[block.body as usize].v0 as usize;
            let n = block.n_cols as usize;
            let row = &system.jacobian[block.offset as usize + of_constraint * n..][..n];
            for (k, &j) in row.iter().enumerate() {
                let column = match block.columns {
                    NONE => k,
                    columns => system.columns[columns as usize + k] as usize,
                };
                visit(v0 + column, j);
            }
        }
    }
}
