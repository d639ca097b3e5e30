//! Back to where time last left its start.

use std::sync::Arc;

use linkwork::constraint::Constraint;
use linkwork::prelude::*;
use linkwork::step::Event;
use linkwork::world::State;

use super::before::{Before, Part, copy, state_of};
use super::change::{Change, body_named, old_joint};
use crate::fault::Fault;
use crate::parameter::{Start, at_start};
use crate::scene::Scene;

/// The world as it was when time left its start, and what has come since.
#[derive(Debug)]
pub(super) struct Left {
    world: World,
    /// Where bodies were that have been added since, and how they moved.
    added: Vec<(BodyId, Vec<f64>, Vec<f64>)>,
    /// Where bodies started, if their entries say so.
    start: Option<Start>,
    /// Joints that broke since.
    broken: Vec<ConstraintId>,
}

impl Left {
    pub(super) fn new(scene: &Scene) -> Self {
        Self {
            world: scene.world.clone(),
            // Without it nothing starts elsewhere than where it was.
            start: at_start(scene).ok().flatten(),
            added: Vec::new(),
            broken: Vec::new(),
        }
    }

    /// When time left.
    pub(super) fn time(&self) -> f64 {
        self.world.state().t
    }

    /// Remembers where new bodies are.
    pub(super) fn note_bodies(&mut self, world: &World) {
        for record in world.bodies() {
            let id = record.id();
            if self.world.body_record(id).is_err() && self.added(id).is_none() {
                let state = world.state();
                let q = state.q[record.q_range()].to_vec();
                self.added.push((id, q, state.v[record.v_range()].to_vec()));
            }
        }
    }

    pub(super) fn note_events(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Broke { constraint, .. } = event {
                self.broken.push(*constraint);
            }
        }
    }

    /// What brings a world back there. Edits stay: what was added since is where it was put, what broke is whole.
    pub(super) fn changes(&self, scene: &Scene) -> Result<Change, Fault> {
        let world = &scene.world;
        let mut changes = Vec::new();
        for record in world.constraints() {
            let now = record.shared_constraint();
            let law = self.law(record.id(), &now);
            let enabled = record.enabled() || self.broken.contains(&record.id());
            if enabled != record.enabled() || !Arc::ptr_eq(&law, &now) {
                let mut joint = old_joint(world, record.label(), record.id())?;
                (joint.law, joint.enabled) = (law, enabled);
                changes.push(Change::Joint(Box::new(joint)));
            }
        }
        let mut there = world.clone();
        there.set_state(self.state_for(world))?;
        // What parameters have put elsewhere since begins there.
        if let (Some(then), Some(now)) = (&self.start, at_start(scene)?) {
            for (name, q, v) in then.moved(&now, &there) {
                let id = body_named(&there, &name)?;
                there.set_q(id, &q)?;
                there.set_v(id, &v)?;
            }
        }
        changes.push(Before::change(there, Some(Part::All)));
        Ok(Change::All(changes))
    }

    /// A joint that was closing when time left closes again; one that began to since is an ordinary joint.
    fn law(&self, id: ConstraintId, now: &Arc<dyn Constraint>) -> Arc<dyn Constraint> {
        if let Ok(record) = self.world.constraint_record(id) {
            let then = record.shared_constraint();
            let closed = then.as_closing().map(|own| &own.joint);
            if Arc::ptr_eq(&then, now) || closed.is_some_and(|own| Arc::ptr_eq(own, now)) {
                return then;
            }
        }
        let closing = now.as_closing().map(|own| &own.joint);
        closing.unwrap_or(now).clone()
    }

    fn added(&self, id: BodyId) -> Option<&(BodyId, Vec<f64>, Vec<f64>)> {
        self.added.iter().find(|own| own.0 == id)
    }

    fn state_for(&self, world: &World) -> State {
        let mut state = state_of(&self.world, world, Part::All);
        for record in world.bodies() {
            if let Some((_, q, v)) = self.added(record.id()) {
                copy(&mut state.q, record.q_range(), q, 0..q.len());
                copy(&mut state.v, record.v_range(), v, 0..v.len());
            }
        }
        // Joints that are new have carried nothing yet, and made no turns.
        for record in world.constraints() {
            if self.world.constraint_record(record.id()).is_err() {
                state.lambda[record.row_range()].fill(0.0);
                state.direction[record.row_range()].fill(0.0);
                state.turns.joints[record.angle_range()].fill(f64::INFINITY);
            }
        }
        for record in world.behaviors() {
            if self.world.behavior_record(record.id()).is_err() {
                state.turns.springs[record.angle_range()].fill(f64::INFINITY);
            }
        }
        state
    }
}
