//! Back to an earlier state: the one in which time left its start, or a frame of the film.

use std::sync::Arc;

use linkwork::constraint::Constraint;
use linkwork::prelude::*;
use linkwork::world::State;

use super::before::{Before, Part, copy, state_of};
use super::change::{Change, body_named, old_joint};
use super::film::Film;
use crate::fault::Fault;
use crate::parameter::{Start, at_start};
use crate::scene::Scene;

/// A state and the world it belongs to.
pub(super) type Frame<'f> = (&'f World, &'f State);

/// What is remembered when time leaves its start.
#[derive(Debug)]
pub(super) struct Leaving {
    pub(super) world: Box<World>,
    /// Where bodies start, if their entries say so.
    pub(super) begun: Option<Start>,
}

impl Leaving {
    pub(super) fn of(scene: &Scene) -> Self {
        Self {
            world: Box::new(scene.world.clone()),
            // Without it nothing starts elsewhere than where it was.
            begun: at_start(scene).ok().flatten(),
        }
    }
}

impl Film {
    /// What brings a scene back to where time left its start. What parameters have put elsewhere since begins there.
    pub(super) fn changes_to_start(&self, scene: &Scene) -> Result<Change, Fault> {
        let Some(start) = &self.start else {
            return Err(Fault::at("", "time is at its start"));
        };
        let frame = (&**start, start.state());
        let mut changes = self.joints_at(frame, &scene.world)?;
        let mut there = self.world_at(frame, &scene.world)?;
        if let (Some(then), Some(now)) = (&self.begun, at_start(scene)?) {
            for (name, q, v) in then.moved(&now, start, &there) {
                let id = body_named(&there, &name)?;
                there.set_q(id, &q)?;
                there.set_v(id, &v)?;
            }
        }
        changes.push(Before::change(there, Some(Part::All)));
        Ok(Change::All(changes))
    }

    /// What brings a world back to a frame. Edits stay: what was added since is where it was put, what broke since
    /// is whole.
    pub(super) fn changes(&self, frame: Frame<'_>, world: &World) -> Result<Change, Fault> {
        let mut changes = self.joints_at(frame, world)?;
        let there = self.world_at(frame, world)?;
        changes.push(Before::change(there, Some(Part::All)));
        Ok(Change::All(changes))
    }

    /// The world with the state of a frame.
    fn world_at(&self, frame: Frame<'_>, world: &World) -> Result<World, Fault> {
        let mut there = world.clone();
        there.set_state(self.state_for(frame, world))?;
        Ok(there)
    }

    /// Joints that are otherwise now than in a frame.
    fn joints_at(&self, (earlier, then): Frame<'_>, world: &World) -> Result<Vec<Change>, Fault> {
        let mut changes = Vec::new();
        for record in world.constraints() {
            let (id, now) = (record.id(), record.shared_constraint());
            let law = law(earlier, id, &now);
            let mut broken = self.broken.iter();
            let enabled = record.enabled() || broken.any(|own| own.0 > then.t && own.1 == id);
            if enabled != record.enabled() || !Arc::ptr_eq(&law, &now) {
                let mut joint = old_joint(world, record.label(), id)?;
                (joint.law, joint.enabled) = (law, enabled);
                changes.push(Change::Joint(Box::new(joint)));
            }
        }
        Ok(changes)
    }

    /// The state of a frame, for a world that has been edited since.
    pub(super) fn state_for(&self, (earlier, then): Frame<'_>, world: &World) -> State {
        let mut state = state_of(earlier, then, world, Part::All);
        for record in world.bodies() {
            let mut added = self.added.iter();
            if earlier.body_record(record.id()).is_err()
                && let Some((_, q, v)) = added.find(|own| own.0 == record.id())
            {
                copy(&mut state.q, record.q_range(), q, 0..q.len());
                copy(&mut state.v, record.v_range(), v, 0..v.len());
            }
        }
        // Joints that are new have carried nothing yet, and made no turns.
        for record in world.constraints() {
            if earlier.constraint_record(record.id()).is_err() {
                state.lambda[record.row_range()].fill(0.0);
                if let Some(rows) = state.unfinished.rows_mut().get_mut(record.row_range()) {
                    rows.fill(0.0);
                }
                state.turns.joints[record.angle_range()].fill(f64::INFINITY);
            }
        }
        for record in world.behaviors() {
            if earlier.behavior_record(record.id()).is_err() {
                state.turns.springs[record.angle_range()].fill(f64::INFINITY);
            }
        }
        state
    }
}

/// A joint that was closing then closes again; one that began to since is an ordinary joint.
fn law(earlier: &World, id: ConstraintId, now: &Arc<dyn Constraint>) -> Arc<dyn Constraint> {
    if let Ok(record) = earlier.constraint_record(id) {
        let then = record.shared_constraint();
        let closed = then.as_closing().map(|own| &own.joint);
        if Arc::ptr_eq(&then, now) || closed.is_some_and(|own| Arc::ptr_eq(own, now)) {
            return then;
        }
    }
    let closing = now.as_closing().map(|own| &own.joint);
    closing.unwrap_or(now).clone()
}
