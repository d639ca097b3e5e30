//! The names that formulas of a scene know: the time, named connectors, bodies, and the numbers of bodies.

use std::sync::Arc;

use linkwork::connector::{Connector, ConnectorKind};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;
use linkwork_formula::{Field, Function, Kind, Named, Resolver};

use super::Shared;
use super::each::{Along, Each};
use super::fit::{MOST_ALONG, MOST_FREE};
use crate::build::connector::{is_planar, lone_point};
use crate::catalogue::body::{numbers_of, scalar_index};
use crate::scene::Scene;

/// The names of a scene, and the connectors that were asked for.
pub(crate) struct Names<'s> {
    scene: &'s Scene,
    /// Functions that are known.
    functions: &'s [Shared],
    /// Quantities whose formulas stand in their place.
    inlined: Vec<BlockId>,
    /// With their kinds, and the input of each one's first number.
    pub(super) used: Vec<(Connector, ConnectorKind, u16)>,
    n_inputs: u16,
    /// Names of a table, while its rows are gone through.
    pub(super) each: Option<Each>,
}

/// The input of the time.
pub(super) const TIME: u16 = 0;

impl<'s> Names<'s> {
    pub(crate) fn of(scene: &'s Scene) -> Self {
        Self {
            functions: &scene.functions,
            ..Self::without_functions(scene)
        }
    }

    /// The same without functions: they are what is looked at.
    pub(super) fn without_functions(scene: &'s Scene) -> Self {
        Self {
            scene,
            functions: &[],
            inlined: Vec::new(),
            used: Vec::new(),
            n_inputs: TIME + 1,
            each: None,
        }
    }

    /// The same, where the formulas of these quantities stand in their place. They stay among what is taken, so that
    /// what is built on them goes with them.
    pub(super) fn inlining(scene: &'s Scene, inlined: Vec<BlockId>) -> Self {
        let mut own = Self::of(scene);
        for &quantity in &inlined {
            own.take(quantity.output(0));
        }
        own.inlined = inlined;
        own
    }

    /// The same, with a connector that comes first.
    pub(super) fn on(scene: &'s Scene, first: Connector) -> Self {
        let mut own = Self::of(scene);
        own.take(first);
        own
    }

    /// The same, and names that differ from row to row.
    pub(super) fn each(scene: &'s Scene, each: Each) -> Self {
        Self {
            each: Some(each),
            ..Self::of(scene)
        }
    }

    /// How many texts came before that which is compiled.
    pub(super) fn n_before(&self) -> u16 {
        self.inlined.len() as u16
    }

    /// Gives a connector inputs.
    fn take(&mut self, connector: Connector) -> Option<Named> {
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

    /// An input that is no connector's.
    fn input(&mut self, n: usize) -> Option<u16> {
        let first = self.n_inputs;
        self.n_inputs = first.checked_add(n as u16)?;
        Some(first)
    }

    /// A column, or the number that each row has of its own.
    fn own(&mut self, path: &[&str]) -> Option<Named> {
        let each = self.each.as_ref()?;
        let named = |input| Some(Named::Input(Kind::Scalar, input));
        let free = each.free.iter().position(|own| path == [own.0.as_str()]);
        if let Some(at) = free {
            if let Some(input) = each.free[at].1 {
                return named(input);
            }
            let input = self.input(1)?;
            self.each.as_mut()?.free[at].1 = Some(input);
            return named(input);
        }
        let column = each.column(path)?;
        if let Some((_, input)) = each.columns.iter().find(|own| own.0 == column) {
            return named(*input);
        }
        let input = self.input(1)?;
        self.each.as_mut()?.columns.push((column, input));
        named(input)
    }

    /// The inputs that move: numbers of connectors, and points of curves in rows of a table.
    pub(super) fn moving(&self) -> Vec<u16> {
        let connectors = self.used.iter();
        let connectors = connectors.flat_map(|own| own.2..own.2 + own.1.n_x() as u16);
        let points = self.each.iter().flat_map(Each::points);
        connectors.chain(points).collect()
    }

    /// The inputs that differ from row to row of a table: columns, free numbers, and points of curves.
    pub(super) fn own_of_rows(&self) -> Vec<u16> {
        let Some(each) = &self.each else {
            return Vec::new();
        };
        let free = each.free.iter().filter_map(|own| own.1);
        let columns = each.columns.iter().map(|own| own.1);
        free.chain(columns).chain(each.points()).collect()
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
        let quantity = world.find_block(&whole);
        if let Some(quantity) = quantity.filter(|own| !self.inlined.contains(own)) {
            return Some(quantity.output(0));
        }
        // A number of a body: design.a.
        let (number, of) = path.split_last()?;
        let body = body(world, &of.join("."))?;
        let own = world.body_record(body).ok()?.body();
        Some(body.scalar(scalar_index(own, number)?))
    }
}

fn body(world: &World, name: &str) -> Option<BodyId> {
    let id = world.find_body(name)?;
    let is_hand = world.grips().iter().any(|grip| grip.hand() == id);
    (!is_hand).then_some(id)
}

/// A body as a value: its frame where it has one, else its origin, or the point that it is.
fn origin(world: &World, body: BodyId) -> Connector {
    if let Some(point) = lone_point(world, body) {
        return point;
    }
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
        if let Some(own) = self.own(path) {
            return Some(own);
        }
        if path == ["t"] {
            return Some(Named::Input(Kind::Scalar, TIME));
        }
        if let ([name], parameters) = (path, &self.scene.parameters)
            && let Some(own) = parameters.find(name)
        {
            return Some(Named::Constant(own.value));
        }
        let connector = self.connector(path)?;
        self.take(connector)
    }

    fn function(&mut self, path: &[&str]) -> Option<Arc<Function>> {
        let name = path.join(".");
        let found = self
            .functions
            .iter()
            .find(|own| own.function.name() == name);
        found.map(|own| own.function.clone())
    }

    fn time(&mut self) -> Option<u16> {
        Some(TIME)
    }

    fn field(&mut self, path: &[&str]) -> Option<Arc<dyn Field>> {
        let pictures = &self.scene.pictures;
        let find = |name: &str| pictures.iter().find(|own| own.entry.name == name);
        if let Some(picture) = find(&path.join(".")) {
            return picture.field(None);
        }
        let (part, name) = path.split_last()?;
        find(&name.join("."))?.field(Some(part))
    }

    fn place(&mut self, path: &[&str], at: &[f64]) -> Option<Named> {
        let world = &self.scene.world;
        let body = body(world, &path.join("."))?;
        let map = world.body_record(body).ok()?.body().shape()?;
        let connector = match (at, map.domains(), map.dimension()) {
            (&[u], [_], 2) => body.curve2(u),
            (&[u], [_], _) => body.curve(u),
            (&[u, v], [_, _], _) => body.surface(u, v),
            _ => return None,
        };
        self.take(connector)
    }

    fn along(&mut self, path: &[&str], at: &[u16]) -> Option<Named> {
        let is_own = |own: &&Each| at.iter().all(|at| own.is_own(*at));
        let each = self.each.as_ref().filter(is_own)?;
        let world = &self.scene.world;
        let body = body(world, &path.join("."))?;
        let map = world.body_record(body).ok()?.body().shape()?.clone();
        let (d, n) = (map.dimension(), map.n_numbers());
        let kind = if d == 2 { Kind::Vector2 } else { Kind::Vector3 };
        let is_known = (1..=MOST_FREE).contains(&at.len()) && map.domains().len() == at.len();
        if !is_known || each.along.len() == MOST_ALONG {
            return None;
        }
        let connector = body.coordinates();
        let found = self.used.iter().position(|own| own.0 == connector);
        let index = found.unwrap_or(self.used.len());
        if found.is_none() {
            let first = self.input(n)?;
            self.used
                .push((connector, ConnectorKind::Vector(n as u32), first));
        }
        let numbers = self.used[index].2;
        let each = self.each.as_ref()?;
        let known = each
            .along
            .iter()
            .find(|own| own.connector == index && own.at == at);
        if let Some(known) = known {
            return Some(Named::Input(kind, known.point));
        }
        let point = self.input(d)?;
        self.each.as_mut()?.along.push(Along {
            map,
            connector: index,
            numbers,
            at: at.to_vec(),
            point,
        });
        Some(Named::Input(kind, point))
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        let world = &self.scene.world;
        offer("t");
        for own in &self.scene.pictures {
            offer(&own.entry.name);
        }
        if let Some(each) = &self.each {
            each.free.iter().for_each(|own| offer(&own.0));
            each.table.columns.iter().for_each(|own| offer(own));
        }
        self.functions
            .iter()
            .for_each(|own| offer(own.function.name()));
        world.blocks().iter().for_each(|own| offer(own.label()));
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
            let Ok(record) = world.body_record(id) else {
                continue;
            };
            for (number, _) in numbers_of(record.body()) {
                offer(&format!("{name}.{number}"));
            }
        }
    }
}
