//! Motion as binary glTF 2.0: one node for each body, its motion baked into keyframes.
//!
//! Rigid bodies have translations and rotations, interpolated linearly (rotations on the sphere, with
//! no jump of sign). Sheets deform: `x = t + A·X` is linear in the four numbers of A, so four morph
//! targets with weights `A − 1` give it exactly, in every viewer; a scale and a rotation would not,
//! because A shears. Traces are line strips. The world is turned so that up is +y, as glTF demands,
//! by a node above all others.

pub(super) mod appearance;
mod bake;
mod document;
pub(super) mod mesh;

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{self, Write};

use linkwork::math::{IDENTITY_QUAT, Quat, Vec3, add, norm, quat_normalize, scale, sub, unit};
use linkwork::prelude::*;

pub(crate) use self::appearance::{Part, Proportions};
pub(crate) use self::mesh::Shape;
use self::mesh::narrow;
use crate::format::CameraEntry;
use crate::scene::Scene;

/// How often a frame is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrameRate {
    /// So many frames per second, at most; each is a state that was stepped to, none is made up.
    PerSecond(f64),
    /// Every state that is shown to the recorder.
    EveryStep,
}

impl Default for FrameRate {
    /// 60 per second.
    fn default() -> Self {
        Self::PerSecond(60.0)
    }
}

/// Gathers the motion of a scene and writes it as a `.glb` file.
///
/// ```
/// use linkwork::prelude::*;
/// use linkwork_scene::{Scene, export::{FrameRate, Recorder}};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut scene = Scene::from(linkwork_scene::scene("four-bar")?);
/// let mut simulator = Simulator::new();
/// let mut recorder = Recorder::new(&scene, FrameRate::default());
/// for _ in 0..30 {
///     simulator.step(&mut scene.world, &scene.options)?;
///     recorder.record(&scene);
/// }
/// assert_eq!(recorder.n_frames(), 31);
/// let mut file = Vec::new();
/// recorder.finish(&scene, &mut file)?;
/// assert_eq!(file[..4], *b"glTF");
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Recorder {
    rate: FrameRate,
    name: String,
    /// Turns the world so that up is +y.
    to_y_up: Quat,
    up: Vec3,
    camera: Option<CameraEntry>,
    /// What is drawn of the ground.
    ground: Track,
    start: f64,
    /// Seconds since the start, strictly increasing.
    times: Vec<f32>,
    /// How many frames were due by now.
    n_due: f64,
    /// A typical size of the scene, m.
    extent: f64,
    bodies: BTreeMap<BodyId, Track>,
    traces: Vec<Path>,
}

/// The motion of one body.
#[derive(Debug, Default)]
struct Track {
    name: String,
    parts: Vec<Part>,
    /// `"#rrggbb"`, if hints say so.
    colour: Option<String>,
    /// The frame it was first there.
    first: usize,
    /// From the first frame on.
    translations: Vec<[f32; 3]>,
    /// From the first frame on: x, y, z, w.
    rotations: Vec<[f32; 4]>,
    /// Of a sheet: A − 1, from the first frame on.
    weights: Vec<[f32; 4]>,
    is_sheet: bool,
    /// Frames at which it was there.
    n_present: usize,
    is_present: Vec<bool>,
}

/// The path of a point.
#[derive(Debug)]
struct Path {
    name: String,
    of: Connector,
    colour: Option<String>,
    points: Vec<[f32; 3]>,
}

impl Recorder {
    /// Begins with the scene as it is: that is the first frame.
    pub fn new(scene: &Scene, rate: FrameRate) -> Self {
        let up = up(scene);
        let path = |trace: &crate::scene::Trace| Path {
            name: trace.name.clone(),
            of: trace.of,
            colour: trace.colour.clone(),
            points: Vec::new(),
        };
        let ground = scene.body_views.get("ground");
        let mut recorder = Self {
            rate,
            name: scene.name.clone().unwrap_or_else(|| "scene".into()),
            to_y_up: appearance::turn_between(up, [0.0, 1.0, 0.0]),
            up,
            camera: scene.view.camera.clone(),
            ground: Track {
                name: "ground".into(),
                parts: ground.map(appearance::drawn_parts).unwrap_or_default(),
                colour: ground.and_then(|view| view.colour.clone()),
                ..Track::default()
            },
            start: scene.world.state().t,
            times: Vec::new(),
            n_due: 0.0,
            extent: extent(&scene.world),
            bodies: BTreeMap::new(),
            traces: scene.traces.iter().map(path).collect(),
        };
        recorder.take(scene);
        recorder
    }

    /// Shows the recorder the scene after a step; a frame is taken if one is due.
    pub fn record(&mut self, scene: &Scene) {
        if let FrameRate::PerSecond(rate) = self.rate {
            // Steps that add up to a frame may fall short of it by round-off.
            let passed = (scene.world.state().t - self.start) * rate + 1e-6;
            if passed < self.n_due {
                return;
            }
            self.n_due = passed.floor() + 1.0;
        }
        self.take(scene);
    }

    /// How many frames were taken.
    pub fn n_frames(&self) -> usize {
        self.times.len()
    }

    /// Takes the last frame, if it was not taken yet, and writes the file.
    pub fn finish(mut self, scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
        self.take(scene);
        let (document, binary) = bake::bake(&self);
        document::write(document, binary, out)
    }

    /// Takes a frame, unless time has not passed since the last.
    fn take(&mut self, scene: &Scene) {
        let world = &scene.world;
        let time = (world.state().t - self.start) as f32;
        if self.times.last().is_some_and(|&last| time <= last) {
            return;
        }
        let frame = self.times.len();
        self.times.push(time);
        if frame == 0 {
            self.n_due = 1.0;
        }
        for record in world.bodies() {
            let like = Proportions {
                extent: self.extent,
                order: self.bodies.len(),
            };
            let track = self.bodies.entry(record.id());
            let track = track.or_insert_with(|| Track::begin(scene, record, frame, like));
            track.take(world.state(), record, frame);
        }
        for path in &mut self.traces {
            if let Ok(point) = world.position_world(&path.of) {
                path.points.push(narrow(point));
            }
        }
    }
}

impl Track {
    fn begin(scene: &Scene, record: &BodyRecord, frame: usize, like: Proportions) -> Self {
        let view = scene.body_views.get(record.label());
        let body: &dyn Any = record.body();
        let parts = appearance::parts(record.body(), view, like);
        let is_sheet = body.is::<Troid>() && view.is_none_or(|view| view.draw.is_empty());
        Self {
            name: record.label().to_owned(),
            parts,
            colour: view.and_then(|view| view.colour.clone()),
            first: frame,
            is_sheet,
            ..Self::default()
        }
    }

    fn take(&mut self, state: &State, record: &BodyRecord, frame: usize) {
        self.fill_to(frame);
        let q = &state.q[record.q_range()];
        let pose = record.body().pose(state.t, q);
        let pose = pose.unwrap_or_else(|| Pose::at(record.body().center_of_mass(q).1));
        let rotation = if self.is_sheet {
            let a = [q[2] - 1.0, q[3], q[4], q[5] - 1.0];
            self.weights.push(a.map(|a| a as f32));
            IDENTITY_QUAT
        } else {
            pose.rotation
        };
        let mut rotation = x_y_z_w(rotation);
        if let Some(last) = self.rotations.last() {
            // q and −q are the same turn: the nearer one does not go round the long way.
            let cos: f32 = last.iter().zip(&rotation).map(|(a, b)| a * b).sum();
            if cos < 0.0 {
                rotation = rotation.map(|r| -r);
            }
        }
        self.translations.push(narrow(pose.position));
        self.rotations.push(rotation);
        self.is_present.push(true);
        self.n_present += 1;
    }

    /// Holds still where the body was not there.
    fn fill_to(&mut self, frame: usize) {
        while self.first + self.translations.len() < frame {
            self.translations
                .extend_from_within(self.translations.len() - 1..);
            self.rotations
                .extend_from_within(self.rotations.len() - 1..);
            if self.is_sheet {
                self.weights.extend_from_within(self.weights.len() - 1..);
            }
            self.is_present.push(false);
        }
    }
}

/// The order of glTF, of length one.
fn x_y_z_w(rotation: Quat) -> [f32; 4] {
    let [w, x, y, z] = quat_normalize(rotation);
    [x, y, z, w].map(|r| r as f32)
}

/// What hints say, else against gravity, else y.
pub(super) fn up(scene: &Scene) -> Vec3 {
    let mut gravity = [0.0; 3];
    for record in scene.world.behaviors().iter().filter(|own| own.enabled()) {
        if let Some(field) = record.behavior().as_uniform_field() {
            gravity = add(gravity, field);
        }
    }
    let up = scene.view.up.and_then(unit);
    up.or_else(|| unit(scale(-1.0, gravity)))
        .unwrap_or([0.0, 1.0, 0.0])
}

/// How far bodies reach from the middle of all of them; one meter if they do not.
pub(super) fn extent(world: &World) -> f64 {
    let state = world.state();
    let mut places = Vec::new();
    for record in world.bodies() {
        let q = &state.q[record.q_range()];
        let pose = record.body().pose(state.t, q);
        let place = pose.map_or_else(|| record.body().center_of_mass(q).1, |pose| pose.position);
        places.push((place, record.body().gyration_radius().unwrap_or(0.0)));
    }
    let share = 1.0 / places.len().max(1) as f64;
    let sum = places
        .iter()
        .fold([0.0; 3], |sum, (place, _)| add(sum, *place));
    let middle = scale(share, sum);
    let reach = |(place, radius): &(Vec3, f64)| norm(sub(*place, middle)) + radius;
    let extent = places.iter().map(reach).fold(0.0, f64::max);
    if extent > 0.0 { extent } else { 1.0 }
}
