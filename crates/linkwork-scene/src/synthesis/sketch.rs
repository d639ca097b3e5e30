//! A linkage of a scene whose lengths and pivots are numbers of a design.
//!
//! Bars are bodies of the plane, and pins are hinges. A bar's own frame has its origin at its first pin and its second
//! pin along x, so that a bar with two pins has one number, its length, and every further place has two. Pivots on the
//! ground have two. Places that are one share their numbers.

use std::any::Any;

use linkwork::constraint::{AngleDrive, AngleServo, FramePair};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;

use super::linkage::Coordinate::{self, Fixed, Number};
use super::linkage::{Linkage, Pin, Place, Pose};
use super::path::{distance, size};
use crate::build::connector::is_planar;
use crate::fault::Fault;
use crate::scene::Scene;

/// Places nearer to each other than this part of the linkage are one.
const ONE_PLACE: f64 = 1e-9;

/// What is taken of a scene.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The trace or connector that draws; the only trace unless it is said.
    pub pen: Option<String>,
    /// The bar that is turned; the one with a drive unless it is said.
    pub crank: Option<String>,
    /// Measures that stay as they are: names of numbers, of pins, or of bars.
    pub kept: Vec<String>,
}

/// A linkage as it is in a scene.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    pub(super) linkage: Linkage,
    pub(super) design: Vec<f64>,
    pub(super) pose: Pose,
    /// Whether each number stays as it is.
    pub(super) is_kept: Vec<bool>,
}

/// A place of a bar, or of the ground, in the world.
struct Found {
    name: String,
    /// None for the ground.
    bar: Option<usize>,
    at: [f64; 2],
}

impl Sketch {
    /// Reads the linkage of a scene.
    pub(super) fn of(scene: &Scene, choice: &Choice) -> Result<Self, Fault> {
        let (pins, drives) = joints(scene)?;
        let crank = crank(scene, choice, &drives)?;
        let mut bars = vec![crank];
        for (_, ends) in &pins {
            for body in ends.iter().filter_map(|(body, _)| *body) {
                if !bars.contains(&body) {
                    bars.push(body);
                }
            }
        }
        let (on, at) = pen(scene, choice)?;
        let Some(on) = bars.iter().position(|own| *own == on) else {
            let fault = Fault::at("pen", "is on no bar of the linkage");
            return Err(fault.hint("name a trace or a connector on a bar that pins hold"));
        };
        let bar = |body: &Option<BodyId>| body.and_then(|own| bars.iter().position(|b| *b == own));
        let mut places: Vec<[Found; 2]> = Vec::new();
        for (name, ends) in &pins {
            let [a, b] = ends;
            let found = |(body, at): &(Option<BodyId>, [f64; 2])| Found {
                name: name.clone(),
                bar: bar(body),
                at: *at,
            };
            places.push([found(a), found(b)]);
        }
        let pen = Found {
            name: "pen".to_owned(),
            bar: Some(on),
            at,
        };
        let mut names = Vec::new();
        for body in &bars {
            names.push(scene.world.body_record(*body)?.label().to_owned());
        }
        Measured::default().whole(names, &places, &pen, &choice.kept)
    }

    /// The same moved, turned and scaled: `z ↦ to + w·(z − from)` in complex numbers.
    pub(super) fn laid(&self, from: [f64; 2], to: [f64; 2], w: [f64; 2]) -> Self {
        let map = |z: [f64; 2]| {
            let (x, y) = (z[0] - from[0], z[1] - from[1]);
            [to[0] + w[0] * x - w[1] * y, to[1] + w[0] * y + w[1] * x]
        };
        let (scale, turned) = (libm::hypot(w[0], w[1]), libm::atan2(w[1], w[0]));
        let mut own = self.clone();
        own.design.iter_mut().for_each(|number| *number *= scale);
        for place in self.linkage.pins.iter().flat_map(|pin| pin.places) {
            // Pivots on the ground are places of the world.
            if let (None, [Number(x), Number(y)]) = (place.bar, place.at) {
                [own.design[x], own.design[y]] = map([self.design[x], self.design[y]]);
            }
        }
        for bar in own.pose.as_chunks_mut::<3>().0 {
            [bar[0], bar[1]] = map([bar[0], bar[1]]);
            bar[2] += turned;
        }
        own
    }

    /// The linkage with numbers that stay fixed, and the numbers that do not.
    pub(super) fn free(&self) -> (Linkage, Vec<f64>) {
        let mut numbers = Vec::new();
        let mut places = vec![0; self.design.len()];
        for (at, place) in places.iter_mut().enumerate() {
            *place = numbers.len();
            if !self.is_kept[at] {
                numbers.push(at);
            }
        }
        let coordinate = |own: Coordinate| match own {
            Number(at) if self.is_kept[at] => Fixed(self.design[at]),
            Number(at) => Number(places[at]),
            fixed => fixed,
        };
        let place = |own: Place| Place {
            bar: own.bar,
            at: own.at.map(coordinate),
        };
        let pin = |own: &Pin| Pin {
            name: own.name.clone(),
            places: own.places.map(place),
        };
        let named = numbers.iter().map(|at| self.linkage.numbers[*at].clone());
        let linkage = Linkage {
            bars: self.linkage.bars.clone(),
            pins: self.linkage.pins.iter().map(pin).collect(),
            pen: place(self.linkage.pen),
            numbers: named.collect(),
        };
        (linkage, numbers.iter().map(|at| self.design[*at]).collect())
    }

    /// The same with other values of the numbers that do not stay.
    pub(super) fn with(&self, free: &[f64], pose: Pose) -> Self {
        let mut own = self.clone();
        let numbers = own.design.iter_mut().zip(&self.is_kept);
        let numbers = numbers.filter(|own| !own.1).map(|own| own.0);
        for (number, value) in numbers.zip(free) {
            *number = *value;
        }
        own.pose = pose;
        own
    }
}

/// Pins with where they are and on what, and bodies that drives turn about the ground.
type Joints = (Vec<(String, [(Option<BodyId>, [f64; 2]); 2])>, Vec<BodyId>);

fn joints(scene: &Scene) -> Result<Joints, Fault> {
    let world = &scene.world;
    let (mut pins, mut drives) = (Vec::new(), Vec::new());
    for record in world.constraints().iter().filter(|own| own.enabled()) {
        if world
            .grips()
            .iter()
            .any(|own| own.constraint() == record.id())
        {
            continue;
        }
        let law: &dyn Any = record.constraint();
        let refuse = |problem: &str| {
            let path = format!("joints.{}", record.label());
            let hint = "a linkage of bars and pins is sought: hinges of the plane, and a drive on one of them";
            Err(Fault::at(path, problem).hint(hint))
        };
        let mut ends = Vec::new();
        for connector in record.connectors() {
            let Some(body) = connector.body() else {
                return refuse("hangs on a quantity");
            };
            let is_ground = world.body_record(body).is_err();
            if !is_ground && !is_planar(world, body) {
                return refuse("holds a body that is not in the plane");
            }
            let [x, y, _] = world.position_world(connector)?;
            ends.push(((!is_ground).then_some(body), [x, y]));
        }
        let is_drive = law.is::<AngleDrive>() || law.is::<AngleServo>();
        match (&ends[..], is_drive) {
            ([a, b], true) => match (a.0, b.0) {
                (None, Some(body)) | (Some(body), None) => drives.push(body),
                _ => return refuse("drives a bar about another one, not about the ground"),
            },
            ([a, b], false) if law.is::<FramePair>() && record.row_range().len() == 2 => {
                if (a.0, b.0) == (None, None) {
                    continue;
                }
                pins.push((record.label().to_owned(), [*a, *b]));
            }
            _ => return refuse("is neither a pin nor the drive of an angle"),
        }
    }
    Ok((pins, drives))
}

fn crank(scene: &Scene, choice: &Choice, drives: &[BodyId]) -> Result<BodyId, Fault> {
    match (&choice.crank, drives) {
        (Some(name), _) => scene.world.find_body(name).ok_or_else(|| {
            let bodies = scene.world.bodies().iter().map(BodyRecord::label);
            Fault::at("crank", format!("no body is called \"{name}\"")).meant(name, bodies)
        }),
        (None, [one]) => Ok(*one),
        (None, _) => {
            let problem = format!("is not clear: {} bars are driven", drives.len());
            Err(Fault::at("crank", problem).hint("say which bar is turned"))
        }
    }
}

/// The body that the pen is on, and where it is.
fn pen(scene: &Scene, choice: &Choice) -> Result<(BodyId, [f64; 2]), Fault> {
    let find = |name: &str| {
        let trace = scene.traces.iter().find(|own| own.name == name);
        trace.map(|own| own.of).or(scene.connector(name).copied())
    };
    let connector = match (&choice.pen, &scene.traces[..], &scene.connectors[..]) {
        (Some(name), _, _) => find(name).ok_or_else(|| {
            let known = scene.traces.iter().map(|own| own.name.as_str());
            let known = known.chain(scene.connectors.iter().map(|own| own.0.as_str()));
            let problem = format!("no trace or connector is called \"{name}\"");
            Fault::at("pen", problem).meant(name, known)
        })?,
        (None, [one], _) => one.of,
        (None, [], [one]) => one.1,
        _ => {
            let fault = Fault::at("pen", "is not clear: the scene has not one trace");
            return Err(fault.hint("name the trace or the connector that draws"));
        }
    };
    let Some(body) = connector.body() else {
        return Err(Fault::at("pen", "is on no body"));
    };
    let [x, y, _] = scene.world.position_world(&connector)?;
    Ok((body, [x, y]))
}

/// A linkage while its places are measured.
#[derive(Default)]
struct Measured {
    numbers: Vec<String>,
    design: Vec<f64>,
    /// Places of each bar that have coordinates already, in the world; the ground is the last.
    known: Vec<Vec<([f64; 2], [Coordinate; 2])>>,
    pose: Pose,
}

impl Measured {
    fn whole(
        mut self,
        bars: Vec<String>,
        pins: &[[Found; 2]],
        pen: &Found,
        kept: &[String],
    ) -> Result<Sketch, Fault> {
        let all = || pins.iter().flatten().chain([pen]);
        let points: Vec<[f64; 2]> = all().map(|own| own.at).collect();
        let near = ONE_PLACE * size(&points);
        self.known = vec![Vec::new(); bars.len() + 1];
        for (at, name) in bars.iter().enumerate() {
            let own: Vec<[f64; 2]> = all()
                .filter(|own| own.bar == Some(at))
                .map(|own| own.at)
                .collect();
            let second = own.iter().find(|other| distance(own[0], **other) > near);
            let Some(second) = second else {
                let fault = Fault::at(format!("bodies.{name}"), "has one pin and nothing else");
                return Err(fault.hint("a bar of a linkage has at least two places"));
            };
            let [x, y] = own[0];
            let angle = libm::atan2(second[1] - y, second[0] - x);
            self.pose.extend([x, y, angle]);
            let zero = [Fixed(0.0), Fixed(0.0)];
            let along = self.number(format!("{name} length"), distance(own[0], *second));
            self.known[at].push((own[0], zero));
            self.known[at].push((*second, [along, Fixed(0.0)]));
        }
        let mut made = Vec::new();
        for [a, b] in pins {
            made.push(Pin {
                name: a.name.clone(),
                places: [self.place(a, &bars, near), self.place(b, &bars, near)],
            });
        }
        let pen = self.place(pen, &bars, near);
        let is_kept = self.kept(&bars, kept)?;
        Ok(Sketch {
            linkage: Linkage {
                bars,
                pins: made,
                pen,
                numbers: self.numbers,
            },
            design: self.design,
            pose: self.pose,
            is_kept,
        })
    }

    fn number(&mut self, name: String, value: f64) -> Coordinate {
        self.numbers.push(name);
        self.design.push(value);
        Number(self.design.len() - 1)
    }

    /// The coordinates of a place, made if there are none yet.
    fn place(&mut self, found: &Found, bars: &[String], near: f64) -> Place {
        let list = found.bar.unwrap_or(bars.len());
        let known = self.known[list]
            .iter()
            .find(|own| distance(own.0, found.at) <= near);
        if let Some((_, at)) = known {
            return Place {
                bar: found.bar,
                at: *at,
            };
        }
        let name = &found.name;
        let at = match found.bar {
            None => ["x", "y"].map(|which| format!("{name} {which}")),
            Some(bar) => ["along", "across"].map(|which| format!("{} {name} {which}", bars[bar])),
        };
        let value = match found.bar {
            None => found.at,
            Some(bar) => {
                let [x, y, angle] = [0, 1, 2].map(|k| self.pose[3 * bar + k]);
                let (sin, cos) = libm::sincos(angle);
                let (dx, dy) = (found.at[0] - x, found.at[1] - y);
                [cos * dx + sin * dy, cos * dy - sin * dx]
            }
        };
        let [first, second] = at;
        let at = [self.number(first, value[0]), self.number(second, value[1])];
        self.known[list].push((found.at, at));
        Place { bar: found.bar, at }
    }

    /// Which numbers stay as they are.
    fn kept(&self, bars: &[String], kept: &[String]) -> Result<Vec<bool>, Fault> {
        let mut is_kept = vec![false; self.numbers.len()];
        for name in kept {
            let is_of = |number: &String| {
                let rest = number.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            let mut is_any = false;
            for (own, number) in is_kept.iter_mut().zip(&self.numbers) {
                if is_of(number) {
                    (*own, is_any) = (true, true);
                }
            }
            if !is_any {
                let known = self.numbers.iter().chain(bars).map(String::as_str);
                let problem = format!("no measure is called \"{name}\"");
                return Err(Fault::at("keep", problem).meant(name, known));
            }
        }
        match is_kept.iter().all(|own| *own) {
            true => Err(Fault::at("keep", "leaves nothing to change")),
            false => Ok(is_kept),
        }
    }
}
