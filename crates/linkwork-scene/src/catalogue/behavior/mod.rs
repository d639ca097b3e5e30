//! Behaviors: forces.

use std::any::Any;
use std::sync::Arc;

use linkwork::behavior::{Axes, Behavior, JointFriction, OutputForce, PointForce, TorsionSpring};
use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::math::{Vec3, complete_basis, transpose};
use linkwork::prelude::*;
use linkwork::world::{BehaviorRecord, ConstraintRecord};

use super::field::{InLab, Start};
use super::fields::*;
use super::glyph::{Glyph, Link, Sign};
use super::mirror::{Mirror, mirror};
use super::offer::Offer;
use super::{Entry, Field, Fields, Form, Law, Sort, Type, Value, law};
use crate::build::connector::{in_plane, resolve};
use crate::fault::{Fault, Under};
use crate::format::ConnectorRef;
use crate::scene::Scene;

/// A law, or what is wrong with its fields.
type Built = Result<Arc<dyn Behavior>, Fault>;

/// All that is known of a type of behavior.
pub struct BehaviorType {
    pub(super) kind: Type,
    /// What it acts on.
    sides: Sides,
    /// The law of an entry that acts on these.
    build: fn(&Scene, &Fields, &[Connector]) -> Built,
    /// The fields of a law, in space or in the plane; none if it is of another type.
    describe: fn(&dyn Any, bool) -> Option<Fields>,
    /// How it is drawn.
    pub(super) glyph: Glyph,
    /// The palette's buttons that put it at a joint.
    pub(super) offers: &'static [Offer],
}

impl BehaviorType {
    /// The type of a struct of the engine's, which is the same in space and in the plane.
    const fn of<T: Mirror + Behavior>(kind: Type, sides: Sides) -> Self {
        Self {
            kind,
            sides,
            build: |_, fields, _| Ok(Arc::new(T::read(fields)?)),
            describe: |law, _| law.downcast_ref::<T>()?.write(),
            glyph: Glyph::NOTHING,
            offers: &[],
        }
    }
}

/// A law that is a formula, and what it takes.
type Named = Result<(Arc<dyn Behavior>, Vec<Connector>), Fault>;

/// What a behavior acts on.
#[derive(Clone, Copy)]
enum Sides {
    /// Everything.
    Everywhere,
    /// One connector.
    On,
    /// Two connectors.
    Between,
    /// What a formula names.
    Formula(fn(&Scene, &Fields) -> Named),
    /// One connector, and what a formula names.
    OnByFormula(fn(&Scene, &Fields) -> Named),
}

const ON: Field = Field::new("on", Form::Connector, "What it acts on.").required();
const A: Field = Field::new("a", Form::Connector, "The first side.");
const B: Field = Field::new("b", Form::Connector, "The second side.");
/// The sides of what acts between two frames.
const BETWEEN: &[Field] = &[A, B, JOINT];
const JOINT: Field = Field::new(
    "joint",
    Form::Text,
    "The joint whose frames are the two sides.",
);

pub(crate) static SORT: Sort = Sort {
    word: "behavior",
    help: "A behavior. What acts between two frames takes \"a\" and \"b\", or the name of a \"joint\" \
           whose frames it uses.",
    entry: "BehaviorEntry",
    named: true,
    common: &[ENABLED],
    types: || BehaviorType::all().iter().map(|own| own.kind()).collect(),
};

law!(BehaviorType, "behavior", SORT);

impl Entry<BehaviorType> {
    /// The behavior it describes, and what it acts on.
    pub(crate) fn make(&self, scene: &Scene) -> Result<(Arc<dyn Behavior>, Vec<Connector>), Fault> {
        if let Sides::Formula(read) | Sides::OnByFormula(read) = self.kind.sides {
            return read(scene, &self.fields);
        }
        let mut connectors = self.connectors(scene)?;
        let planar = connectors.iter().any(|own| in_plane(&scene.world, own));
        let law = (self.kind.build)(scene, &self.fields, &connectors)?;
        for (connector, kind) in connectors.iter_mut().zip(law.inputs_of(planar)) {
            *connector = fitted(&scene.world, *connector, *kind)?;
        }
        Ok((law, connectors))
    }

    fn connectors(&self, scene: &Scene) -> Result<Vec<Connector>, Fault> {
        let side = |field: &Field| {
            let missing = || Fault::missing(field.name, "what it acts on");
            let reference = self
                .fields
                .get::<&ConnectorRef>(field)?
                .ok_or_else(missing)?;
            resolve(scene, reference).under(field.name)
        };
        match self.kind.sides {
            Sides::Everywhere | Sides::Formula(_) | Sides::OnByFormula(_) => {
                return Ok(Vec::new());
            }
            Sides::On => return Ok(vec![side(&ON)?]),
            Sides::Between => {}
        }
        let Some(name) = self.fields.get::<&str>(&JOINT)? else {
            return Ok(vec![side(&A)?, side(&B)?]);
        };
        if self.fields.has(&A) || self.fields.has(&B) {
            return Err(
                Fault::at("joint", "brings its own sides").hint("leave \"a\" and \"b\" out")
            );
        }
        let Some(id) = scene.world.find_constraint(name) else {
            let known = scene
                .world
                .constraints()
                .iter()
                .map(ConstraintRecord::label);
            let fault = Fault::at("joint", format!("no joint is called \"{name}\""));
            return Err(fault.meant(name, known));
        };
        let connectors = scene.world.constraint_record(id)?.connectors();
        if connectors.len() != 2 {
            let problem = format!("\"{name}\" has {} sides", connectors.len());
            return Err(Fault::at("joint", problem).hint("give \"a\" and \"b\""));
        }
        Ok(connectors.to_vec())
    }

    /// The same, acting on these.
    pub(crate) fn on(mut self, connectors: Vec<ConnectorRef>) -> Self {
        let sides = match self.kind.sides {
            Sides::Everywhere => Fields::default(),
            Sides::Formula(_) => Fields::default(),
            // What it acts on comes first; the rest its formula names.
            Sides::On | Sides::OnByFormula(_) => {
                let first: Vec<ConnectorRef> = connectors.into_iter().take(1).collect();
                Fields::of([ON], first)
            }
            Sides::Between => Fields::of([A, B], connectors),
        };
        self.fields = sides.and(self.fields);
        self
    }
}

/// The entry of a gravity.
pub(crate) fn gravity(acceleration: [f64; 3]) -> Entry<BehaviorType> {
    r#gravity::entry(acceleration)
}

/// A law as a file has it, without its sides; none if it is of a program's making.
pub(crate) fn describe(record: &BehaviorRecord) -> Option<Entry<BehaviorType>> {
    let mut all = BehaviorType::all().iter();
    let (law, in_plane) = (record.behavior(), record.in_plane());
    let mut entry =
        all.find_map(|kind| Some(Entry::new(*kind, (kind.describe)(law, in_plane)?)))?;
    record.label().clone_into(&mut entry.name);
    Some(entry)
}

/// A frame taken for its point, a direction for a frame along it, or a point for a frame parallel to its body's.
fn fitted(world: &World, connector: Connector, kind: ConnectorKind) -> Result<Connector, Fault> {
    const Z: Vec3 = [0.0, 0.0, 1.0];
    let Some((body, site)) = connector.place() else {
        return Ok(connector);
    };
    Ok(match (site, kind) {
        (Site::Frame { origin, .. }, ConnectorKind::Point3) => body.at(origin),
        (Site::Frame2 { origin, .. }, ConnectorKind::Point2) => body.at(origin),
        (Site::SurfaceFrame([u, v]), ConnectorKind::Point3) => body.surface(u, v),
        (Site::Direction(d), ConnectorKind::Frame3) => body.frame_along([0.0; 3], d),
        (Site::Point2(_), ConnectorKind::Frame2) => world.planar_frame_on(connector, 0.0)?,
        (site, ConnectorKind::Frame3) if site.is_point_in_space() => {
            let (x, y) = complete_basis(Z);
            world.frame_on(connector, &transpose(&[x, y, Z]))?
        }
        _ => connector,
    })
}
