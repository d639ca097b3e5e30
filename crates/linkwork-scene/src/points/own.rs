//! The assignment of points to bodies, and the scatter of a body's points.
//!
//! A point belongs to the body whose surface is nearest; the one that it belonged to stays a fifth longer, so that
//! points between two bodies do not change sides at every step. Points scatter by σ = 1.48·median|r|, which half of
//! them may not spoil. What is further off than 4σ is nobody's, until it is nearer again.

use std::any::Any;

use linkwork::prelude::*;
use linkwork::world::ConstraintRecord;

use super::{PointPull, Seen};
use crate::fault::Fault;
use crate::formula::with_inputs;
use crate::scene::Scene;

/// What a point's own body counts its distance as.
const STAYS: f64 = 0.8;
/// Points further off, in scatters, are nobody's.
const STRAYS: f64 = 4.0;
/// Scatter is no less than this part of how far points extend: round-off is no scatter.
const LEAST: f64 = 1e-9;
/// Where no more than this part is left, the scatter is that of what is left.
const MOST_LEFT: f64 = 2.0 / 3.0;

/// What was found of owners.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Owners {
    /// How many points changed sides.
    pub changed: usize,
    /// How many are nobody's.
    pub strays: usize,
    /// By which part a scatter changed, at the most; infinite where there was none.
    pub rescaled: f64,
    /// How many pulls it was found for.
    pub pulls: usize,
}

/// A pull of points by a surface, or of points that may be off.
struct Candidate {
    id: ConstraintId,
    pull: PointPull,
    /// Points of the moment, and how far each is off.
    seen: Vec<Seen>,
    off: Vec<f64>,
}

/// The pull that a joint is.
pub(crate) fn as_pull(record: &ConstraintRecord) -> Option<&PointPull> {
    let law: &dyn Any = record.constraint();
    law.downcast_ref::<PointPull>().filter(|_| record.enabled())
}

/// Finds whose each point of the present moment is, and how far those of each body scatter.
pub fn find_owners(scene: &mut Scene) -> Result<Owners, Fault> {
    let world = &scene.world;
    let mut candidates = Vec::new();
    for record in world.constraints() {
        let Some(pull) = as_pull(record) else {
            continue;
        };
        if pull.said().keeps_places && pull.said().sigma.is_none() {
            continue;
        }
        let seen = pull.sequence().frame_at(world.state().t).points.clone();
        let all = pull.with_own(None, None);
        let off = with_inputs(world, record, |inputs| all.errors(world.state().t, inputs));
        let off = off.map_or(Vec::new(), |own| {
            own.rows.iter().map(|own| own.error).collect()
        });
        candidates.push(Candidate {
            id: record.id(),
            pull: pull.clone(),
            seen,
            off,
        });
    }
    let mut found = Owners {
        pulls: candidates.len(),
        ..Owners::default()
    };
    for at in 0..candidates.len() {
        let (own, sigma) = settle(&candidates, at, &mut found);
        let Candidate { id, pull, .. } = &candidates[at];
        let was = pull.said().sigma;
        let rescaled = was.map_or(f64::INFINITY, |was| (sigma / was - 1.0).abs());
        found.rescaled = found.rescaled.max(rescaled);
        if pull.said().own.as_ref() == Some(&own) && was == Some(sigma) {
            continue;
        }
        let record = scene.world.constraint_record(*id)?;
        let (connectors, compliance) = (record.connectors().to_vec(), record.compliance().to_vec());
        let law = pull.with_own(Some(own), Some(sigma));
        scene.world.replace_constraint(*id, law, &connectors)?;
        scene.world.set_compliance(*id, &compliance)?;
    }
    Ok(found)
}

/// The points of one pull, ascending, and their scatter.
fn settle(candidates: &[Candidate], at: usize, found: &mut Owners) -> (Vec<u32>, f64) {
    let one = &candidates[at];
    let said = one.pull.said();
    let rivals = candidates.iter().enumerate().filter(|(other, own)| {
        let is_same = own.pull.said().table == said.table && own.seen.len() == one.seen.len();
        *other != at && is_same && !own.pull.said().keeps_places && !said.keeps_places
    });
    let rivals: Vec<(usize, &Candidate)> = rivals.collect();
    let owns = |own: &Candidate, seen: &Seen| {
        let held = own.pull.said().own.as_ref();
        held.is_some_and(|own| own.binary_search(&(seen.id as u32)).is_ok())
    };
    let counted = |own: &Candidate, k: usize| {
        let stays = if owns(own, &own.seen[k]) { STAYS } else { 1.0 };
        stays * own.off[k]
    };
    let mut nearest = Vec::new();
    for k in 0..one.seen.len() {
        let mine = counted(one, k);
        // Of two that are equally near, the first has it.
        let is_mine = rivals.iter().all(|(other, own)| {
            let theirs = counted(own, k);
            mine < theirs || (mine == theirs && at < *other)
        });
        if is_mine {
            nearest.push(k);
        }
    }
    let mut sigma = spread(one, &nearest);
    let keeps = |sigma: f64| {
        let kept = nearest.iter().filter(|k| one.off[**k] <= STRAYS * sigma);
        kept.copied().collect::<Vec<usize>>()
    };
    let mut kept = keeps(sigma);
    if (kept.len() as f64) < MOST_LEFT * nearest.len() as f64 {
        sigma = spread(one, &kept);
        kept = keeps(sigma);
    }
    found.strays += nearest.len() - kept.len();
    let own: Vec<u32> = kept.iter().map(|k| one.seen[*k].id as u32).collect();
    found.changed += match &said.own {
        Some(was) => {
            let new = own
                .iter()
                .filter(|id| was.binary_search(id).is_err())
                .count();
            let gone = was
                .iter()
                .filter(|id| own.binary_search(id).is_err())
                .count();
            new + gone
        }
        None => own.len(),
    };
    (own, sigma)
}

/// How far points scatter about a body.
fn spread(of: &Candidate, points: &[usize]) -> f64 {
    let mut off: Vec<f64> = points.iter().map(|k| of.off[*k]).collect();
    let [low, high] = bounds(of.seen.iter().map(|own| own.at));
    let extent = linkwork::math::norm(linkwork::math::sub(high, low));
    super::scatter::scatter(&mut off)
        .max(LEAST * extent)
        .max(f64::MIN_POSITIVE)
}

/// The corners of a box around points.
pub(super) fn bounds(points: impl Iterator<Item = [f64; 3]>) -> [[f64; 3]; 2] {
    let nothing = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    points.fold(nothing, |[low, high], at| {
        [
            std::array::from_fn(|k| low[k].min(at[k])),
            std::array::from_fn(|k| high[k].max(at[k])),
        ]
    })
}
