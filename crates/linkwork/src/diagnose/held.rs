//! One-sided constraints in effect: limits at their stops, and bodies that touch.
//!
//! With P the projection onto the motions that joints leave and g the rows of what touches, along their normals,
//!
//! ```text
//!     W = G·P·Gᵀ      rank W = rank [J; G] − rank J
//! ```
//!
//! Combinations with W·s = 0 are self-stresses of joints and contacts: statics does not determine the forces of
//! their rows. Friction is not counted, because it depends on normal forces.

use super::geometry::Geometry;
use super::tolerances::{MOST_HELD, SHARES, TOUCHES};
use crate::system::{BoundedRow, Contacts};
use crate::world::{ConstraintId, World};

/// A one-sided constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OneSided {
    /// A limit that is at its stop.
    Limit {
        /// The constraint.
        id: ConstraintId,
        /// Its label.
        label: String,
    },
    /// Two bodies that touch.
    Touch {
        /// Their labels; that of the ground is "ground".
        labels: [String; 2],
    },
}

/// A one-sided constraint in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// What it is.
    pub by: OneSided,
    /// Number of its rows, or of points of contact.
    pub n_rows: usize,
    /// Whether statics leaves its forces undetermined. `None` if there are too many contacts to find out.
    pub is_shared: Option<bool>,
}

/// All one-sided constraints in effect.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Holds {
    /// The constraints, limits first.
    pub by: Vec<Held>,
    /// Their rows.
    pub n_rows: usize,
    /// Number of independent rows among them. `None` if there are too many contacts to find out.
    pub rank: Option<usize>,
}

/// Finds limits at their stops and contacts at the pose of `world`, and their rank.
pub(super) fn find(world: &World, geometry: &mut Geometry) -> Holds {
    if geometry.layout.has_colliders() {
        let at = (world, world.state());
        let mut contacts = Contacts::default();
        contacts.find(at, &geometry.layout, 0.0, &mut geometry.system);
    }
    let system = &geometry.system;
    let is_there = |row: &&BoundedRow| row.is_stop() && row.gap(system) <= TOUCHES;
    let rows: Vec<BoundedRow> = system.bounded.iter().filter(is_there).copied().collect();
    let (rank, shared) = match rows.len() {
        0 => (Some(0), Vec::new()),
        1..=MOST_HELD => {
            let responses = responses(&rows, geometry);
            let (rank, shared) = eliminate(responses, rows.len());
            (Some(rank), shared)
        }
        _ => (None, Vec::new()),
    };
    let mut out = Holds {
        by: Vec::new(),
        n_rows: rows.len(),
        rank,
    };
    for (k, row) in rows.iter().enumerate() {
        let by = name(world, geometry, row);
        let is_shared = rank.map(|_| shared[k]);
        match out.by.iter_mut().find(|own| own.by == by) {
            Some(own) => {
                own.n_rows += 1;
                own.is_shared = own.is_shared.max(is_shared);
            }
            None => out.by.push(Held {
                by,
                n_rows: 1,
                is_shared,
            }),
        }
    }
    out
}

fn name(world: &World, geometry: &Geometry, row: &BoundedRow) -> OneSided {
    if let Some(row) = row.row() {
        let records = world.constraints();
        let record = &records[records.partition_point(|r| r.row_range().end <= row)];
        return OneSided::Limit {
            id: record.id(),
            label: record.label().to_owned(),
        };
    }
    let touch = row.touch().map_or(0, |(touch, _)| touch);
    let records = geometry.system.touching_records(&geometry.layout, touch);
    let label = |record: Option<usize>| match record {
        None => "ground".to_owned(),
        Some(record) => world.bodies()[record].label().to_owned(),
    };
    OneSided::Touch {
        labels: records.map(label),
    }
}

/// `W`, scaled to a diagonal of ones for rows that can move.
fn responses(rows: &[BoundedRow], geometry: &mut Geometry) -> Vec<f64> {
    let n = rows.len();
    let mut w = vec![0.0; n * n];
    let mut own = Vec::with_capacity(n);
    for (k, row) in rows.iter().enumerate() {
        let mut force = vec![0.0; geometry.system.n_v()];
        row.push(&geometry.system, 1.0, &mut force);
        // Response of free bodies to the row, relative to which the constrained response may be round-off.
        let free: f64 = force.iter().map(|f| f * f).sum();
        own.push(free);
        let y = geometry.project(force);
        for (i, other) in rows.iter().enumerate() {
            w[i * n + k] = other.motion(&geometry.system, &y);
        }
    }
    for i in 0..n {
        for k in 0..n {
            w[i * n + k] /= (own[i] * own[k]).sqrt().max(f64::MIN_POSITIVE);
        }
    }
    w
}

/// The rank of a positive semidefinite matrix, and the rows that take part in its null space: Gauss–Jordan with
/// diagonal pivoting.
fn eliminate(mut w: Vec<f64>, n: usize) -> (usize, Vec<bool>) {
    let mut pivots = Vec::new();
    let mut is_pivot = vec![false; n];
    loop {
        let left = (0..n).filter(|&k| !is_pivot[k]);
        let best = left.reduce(|best, k| {
            if w[k * n + k] > w[best * n + best] {
                k
            } else {
                best
            }
        });
        let Some(p) = best.filter(|&p| w[p * n + p] > SHARES) else {
            break;
        };
        is_pivot[p] = true;
        pivots.push(p);
        let diagonal = w[p * n + p];
        w[p * n..(p + 1) * n]
            .iter_mut()
            .for_each(|x| *x /= diagonal);
        for i in (0..n).filter(|&i| i != p) {
            let times = w[i * n + p];
            if times != 0.0 {
                for k in 0..n {
                    w[i * n + k] -= times * w[p * n + k];
                }
            }
        }
    }
    let mut shared = vec![false; n];
    for k in (0..n).filter(|&k| !is_pivot[k]) {
        shared[k] = true;
        for &p in &pivots {
            shared[p] |= w[p * n + k].abs() > SHARES;
        }
    }
    (pivots.len(), shared)
}
