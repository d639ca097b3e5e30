//! The names that formulas of a scene know: the time, named connectors, bodies, and the numbers of bodies.

use std::any::Any;

use linkwork::body::Numbers;
use linkwork::connector::{Connector, ConnectorKind};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;
use linkwork_formula::{Kind, Named, Resolver};

use crate::build::connector::is_planar;
use crate::scene::Scene;

/// The names of a scene, and the connectors that were asked for.
pub(crate) struct Names<'s> {
    scene: &'s Scene,
    /// With their kinds, and the input of each one's first number.
    pub(super) used: Vec<(Connector, ConnectorKind, u16)>,
    n_inputs: u16,
}

/// The input of the time.
pub(super) const TIME: u16 = 0;

impl<'s> Names<'s> {
    pub(crate) fn of(scene: &'s Scene) -> Self {
        Self {
            scene,
            used: Vec::new(),
            n_inputs: TIME + 1,
        }
    }

    /// How many inputs were given numbers.
    pub(super) fn n_inputs(&self) -> usize {
        usize::from(self.n_inputs)
    }

    /// The connector that a path stands for.
    fn connector(&self, path: &[&str]) -> Option<Connector> {
        let whole = path.join(".");
        if let Some(found) = self.scene.connector(&whole) {
            return Some(*found);
        }
        let world = &self.scene.world;
        if let Some(body) = body(world, &whole) {
            return Some(origin(world, body));
        }
        // A number of a body: design.a.
        let (number, of) = path.split_last()?;
        let body = body(world, &of.join("."))?;
        let own: &dyn Any = world.body_record(body).ok()?.body();
        let index = own.downcast_ref::<Numbers>()?.find(number)?;
        Some(body.scalar(index))
    }
}

fn body(world: &World, name: &str) -> Option<BodyId> {
    let id = world.find_body(name)?;
    let is_hand = world.grips().iter().any(|grip| grip.hand() == id);
    (!is_hand).then_some(id)
}

/// A body as a value: its frame where it has one, else its origin.
fn origin(world: &World, body: BodyId) -> Connector {
    let (frame, point) = match is_planar(world, body) {
        true => (body.frame2([0.0; 2], 0.0), body.at([0.0; 2])),
        false => (body.frame_at([0.0; 3]), body.at([0.0; 3])),
    };
    match world.connector_value(&frame) {
        Ok(_) => frame,
        Err(_) => point,
    }
}

/// How a formula sees a connector.
pub(super) fn kind(of: ConnectorKind) -> Option<Kind> {
    Some(match of {
        ConnectorKind::Scalar => Kind::Scalar,
        ConnectorKind::Point2 => Kind::Vector2,
        ConnectorKind::Point3 | ConnectorKind::Direction3 => Kind::Vector3,
        ConnectorKind::Frame2 => Kind::Frame2,
        ConnectorKind::Frame3 => Kind::Frame3,
        _ => return None,
    })
}

impl Resolver for Names<'_> {
    fn name(&mut self, path: &[&str]) -> Option<Named> {
        if path == ["t"] {
            return Some(Named::Input(Kind::Scalar, TIME));
        }
        if let ([name], parameters) = (path, &self.scene.parameters)
            && let Some(own) = parameters.find(name)
        {
            return Some(Named::Constant(own.value));
        }
        let connector = self.connector(path)?;
        let known = self.used.iter().find(|(own, ..)| *own == connector);
        if let Some(&(_, of, first)) = known {
            return Some(Named::Input(kind(of)?, first));
        }
        let of = self.scene.world.connector_value(&connector).ok()?.kind;
        let own = kind(of)?;
        let first = self.n_inputs;
        self.n_inputs = first.checked_add(own.n_inputs() as u16)?;
        self.used.push((connector, of, first));
        Some(Named::Input(own, first))
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        let world = &self.scene.world;
        offer("t");
        self.scene
            .parameters
            .list()
            .iter()
            .for_each(|own| offer(&own.name));
        self.scene
            .connectors
            .iter()
            .for_each(|(name, _)| offer(name));
        for name in world.bodies().iter().map(BodyRecord::label) {
            let Some(id) = body(world, name) else {
                continue;
            };
            offer(name);
            let own: Option<&dyn Any> = world.body_record(id).ok().map(|own| own.body() as _);
            if let Some(numbers) = own.and_then(|own| own.downcast_ref::<Numbers>()) {
                for number in numbers.numbers() {
                    offer(&format!("{name}.{}", number.name));
                }
            }
        }
    }
}
