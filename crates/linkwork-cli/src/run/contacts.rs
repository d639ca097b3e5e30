//! What begins and ends in a run: bodies touch and come into sensors, joints reach their stops, motors and friction
//! their bounds.

use std::collections::BTreeSet;
use std::fmt::Write;

use linkwork::constraint::Bound;
use linkwork::prelude::*;
use serde::Serialize;

use crate::numbers::time;

/// Something that lasts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lasting {
    /// Two bodies touch.
    Touch(String, String),
    /// A joint pushes at a stop.
    Stop(String),
    /// A motor or friction gives all it can.
    Bound(String),
    /// A sensor has a body in it.
    Inside(String, String),
}

/// How often each sort began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Begun {
    /// Bodies that touched.
    pub(crate) touches: u64,
    /// Stops that joints reached.
    pub(crate) stops: u64,
    /// Bounds that motors and friction reached.
    pub(crate) bounds: u64,
    /// Bodies that came into sensors.
    pub(crate) entries: u64,
}

/// Compares each step with the one before.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    now: BTreeSet<Lasting>,
    pub(crate) begun: Begun,
    /// A table, if one is asked for.
    pub(crate) rows: Option<String>,
}

impl Contacts {
    /// With a table, or without.
    pub(crate) fn new(has_table: bool) -> Self {
        Self {
            rows: has_table.then(|| "time,event,first,second\n".to_owned()),
            ..Self::default()
        }
    }

    /// Takes a step that was made.
    pub(crate) fn step(&mut self, world: &World) {
        let now = lasting(world);
        let t = time(world.state().t);
        for own in now.difference(&self.now) {
            match own {
                Lasting::Touch(..) => self.begun.touches += 1,
                Lasting::Stop(_) => self.begun.stops += 1,
                Lasting::Bound(_) => self.begun.bounds += 1,
                Lasting::Inside(..) => self.begun.entries += 1,
            }
            write_row(&mut self.rows, &t, own, true);
        }
        for own in self.now.difference(&now) {
            write_row(&mut self.rows, &t, own, false);
        }
        self.now = now;
    }
}

fn write_row(rows: &mut Option<String>, t: &str, own: &Lasting, begins: bool) {
    let Some(rows) = rows else {
        return;
    };
    let (sort, first, second) = match own {
        Lasting::Touch(a, b) => ("touch", a.as_str(), b.as_str()),
        Lasting::Stop(joint) => ("stop", joint.as_str(), ""),
        Lasting::Bound(joint) => ("bound", joint.as_str(), ""),
        Lasting::Inside(sensor, body) => ("inside", sensor.as_str(), body.as_str()),
    };
    let event = if begins { "begins" } else { "ends" };
    let (first, second) = (quoted(first), quoted(second));
    let _ = writeln!(rows, "{t},{sort} {event},{first},{second}");
}

/// A name as a cell of a table.
fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

fn lasting(world: &World) -> BTreeSet<Lasting> {
    let label = |id: BodyId| match world.body_record(id) {
        Ok(record) => record.label().to_owned(),
        Err(_) => "ground".to_owned(),
    };
    let mut all = BTreeSet::new();
    for touching in &world.state().touching {
        if let Some([a, b]) = world.touching_bodies(touching)
            && touching.force_world != [0.0; 3]
        {
            all.insert(Lasting::Touch(label(a), label(b)));
        }
    }
    for own in world.sensed() {
        all.insert(Lasting::Inside(label(own.sensor), label(own.body)));
    }
    for record in world.constraints() {
        let rows = record.row_range();
        let Some(lambda) = world.state().lambda.get(rows) else {
            continue;
        };
        let name = || record.label().to_owned();
        match record.constraint().bound() {
            Some(Bound::Stop { .. }) if lambda.iter().any(|own| *own > 0.0) => {
                all.insert(Lasting::Stop(name()));
            }
            Some(Bound::Force { least, most, .. }) => {
                let at = |own: &f64| {
                    let near = |bound: f64| (own - bound).abs() <= 1e-9 * bound.abs();
                    (most > 0.0 && near(most)) || (least < 0.0 && near(least))
                };
                if lambda.iter().any(at) {
                    all.insert(Lasting::Bound(name()));
                }
            }
            _ => {}
        }
    }
    all
}
