//! A scene: a world, how to step it, and what a file says beside it.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use linkwork::connector::Connector;
use linkwork::prelude::*;
use linkwork::world::BodyRecord;

use crate::format::{BodyView, TableEntry, ViewEntry};
use crate::formula::{Fit, Shared};
use crate::parameter::Parameters;
use crate::picture::Picture;
use crate::points::PointPull;

/// A world with the names and hints of its file.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it is called.
    pub name: Option<String>,
    /// One line: what it is for.
    pub why: Option<String>,
    /// Named numbers, and what was written over them.
    pub parameters: Parameters,
    /// Bodies, joints, behaviors, hands, and the state.
    pub world: World,
    /// How steps are taken, the length of a frame among it.
    pub options: StepOptions,
    /// Connectors by name, in the order of the file.
    pub connectors: Vec<(String, Connector)>,
    /// Functions that all formulas share, in the order of the file.
    pub functions: Vec<Shared>,
    /// Data that formulas go through row by row, in the order of the file.
    pub tables: Vec<Arc<TableEntry>>,
    /// Pictures that formulas read, in the order of the file.
    pub pictures: Vec<Arc<Picture>>,
    /// Points whose path is recorded.
    pub traces: Vec<Trace>,
    /// Hints for viewers.
    pub view: ViewEntry,
    /// Hints for viewers, by body.
    pub body_views: BTreeMap<String, BodyView>,
    /// Names of the groups that do not collide among themselves, in the order of their bits.
    pub groups: Vec<String>,
}

/// A point whose path is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its name.
    pub name: String,
    /// The point.
    pub of: Connector,
    /// Its color, `"#rrggbb"`.
    pub color: Option<String>,
}

/// The length of a frame where a scene does not say, s.
pub const FRAME: f64 = 1.0 / 60.0;

impl From<World> for Scene {
    fn from(world: World) -> Self {
        let groups = group_names(&world);
        let tables = tables(&world);
        Self {
            name: None,
            why: None,
            parameters: Parameters::default(),
            world,
            options: StepOptions::interactive(FRAME),
            connectors: Vec::new(),
            functions: Vec::new(),
            tables,
            pictures: Vec::new(),
            traces: Vec::new(),
            view: ViewEntry::default(),
            body_views: BTreeMap::new(),
            groups,
        }
    }
}

/// The table that a law goes through.
pub(crate) fn table_of(law: &dyn Any) -> Option<&Arc<TableEntry>> {
    let pulled = || law.downcast_ref::<PointPull>().map(PointPull::table);
    law.downcast_ref::<Fit>().map(Fit::table).or_else(pulled)
}

/// The tables that fits of a world go through.
fn tables(world: &World) -> Vec<Arc<TableEntry>> {
    let mut tables: Vec<Arc<TableEntry>> = Vec::new();
    for record in world.constraints() {
        let law: &dyn Any = record.constraint();
        if let Some(table) = table_of(law)
            && tables.iter().all(|own| own.name != table.name)
        {
            tables.push(table.clone());
        }
    }
    tables
}

/// Names for the groups of colliders, which a world knows as bits. The first bit is that of all.
fn group_names(world: &World) -> Vec<String> {
    let mut bodies = world.bodies().iter();
    let used = bodies.try_fold(0, |used, record| {
        let own = world.colliders(record.id()).ok()?.iter();
        Some(own.fold(used, |used: u32, own| used | own.groups | own.not_with))
    });
    let n = 31 - (used.unwrap_or_default() | 1).leading_zeros();
    let name = |at: u32| {
        let mut name = format!("group {}", at + 1);
        // The name of a body is a group of its own.
        while world.find_body(&name).is_some() {
            name.push('*');
        }
        name
    };
    (0..n).map(name).collect()
}

impl Scene {
    /// The connector with this name.
    pub fn connector(&self, name: &str) -> Option<&Connector> {
        let found = self.connectors.iter().find(|(own, _)| own == name);
        found.map(|(_, connector)| connector)
    }
}

/// Things by the body they are on. The ground's are last.
pub(crate) struct ByBody<T>(Vec<Vec<T>>);

impl<T: Clone> ByBody<T> {
    /// Nothing on any body.
    pub(crate) fn new(world: &World) -> Self {
        Self(vec![Vec::new(); world.bodies().len() + 1])
    }

    pub(crate) fn push(&mut self, world: &World, body: BodyId, own: T) {
        self.0[place(world, body)].push(own);
    }

    pub(crate) fn of(&self, world: &World, body: BodyId) -> &[T] {
        &self.0[place(world, body)]
    }
}

/// Where a body is among all, which are by id; the ground is behind them.
fn place(world: &World, body: BodyId) -> usize {
    let bodies = world.bodies();
    let found = bodies.binary_search_by_key(&body, BodyRecord::id);
    found.unwrap_or(bodies.len())
}
