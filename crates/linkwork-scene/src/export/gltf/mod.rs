//! Motion as binary glTF 2.0: one node for each body, its motion baked into keyframes.
//!
//! Rigid bodies have translations and rotations, interpolated linearly (rotations on the sphere, with
//! no jump of sign). Sheets deform: `x = t + A·X` is linear in the four numbers of A, so four morph
//! targets with weights `A − 1` give it exactly, in every viewer; a scale and a rotation would not,
//! because A shears. Superquadrics, shells, soft solids and surfaces by formulas have a morph target for each key frame
//! (`surface.rs`). Traces are line strips. The world is turned so that up is +y, as glTF demands,
//! by a node above all others.

mod bake;
mod document;
mod mesh;
mod surface;

use std::collections::BTreeMap;
use std::io::{self, Write};

use linkwork::connector::Connector;
use linkwork::math::{IDENTITY_QUAT, Quat, Vec3, complete_basis, cross, dot, quat_normalize};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;

use self::mesh::narrow;
use self::surface::Surface;
use super::look::{self, PartLook, Proportions};
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
    parts: Vec<PartLook>,
    /// `"#rrggbb"`, if hints say so.
    color: Option<String>,
    /// Whether its shape deforms with it.
    deforms: bool,
    /// Its surface, if that deforms by itself.
    surface: Option<Surface>,
    /// Where it was, by the numbers of the frames at which it was there.
    frames: BTreeMap<usize, Frame>,
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
struct Frame {
    translation: [f32; 3],
    /// x, y, z, w.
    rotation: [f32; 4],
    /// Of what deforms: A − 1.
    weights: [f32; 4],
}

/// The path of a point.
#[derive(Debug)]
struct Path {
    name: String,
    of: Connector,
    color: Option<String>,
    points: Vec<[f32; 3]>,
}

impl Recorder {
    /// Begins with the scene as it is: that is the first frame.
    pub fn new(scene: &Scene, rate: FrameRate) -> Self {
        let up = look::up(scene);
        let path = |trace: &crate::scene::Trace| Path {
            name: trace.name.clone(),
            of: trace.of,
            color: trace.color.clone(),
            points: Vec::new(),
        };
        let ground = scene.body_views.get("ground");
        let mut recorder = Self {
            rate,
            name: scene.name.clone().unwrap_or_else(|| "scene".into()),
            to_y_up: turn_between(up, [0.0, 1.0, 0.0]),
            up,
            camera: scene.view.camera.clone(),
            ground: Track {
                name: "ground".into(),
                parts: ground.map(look::drawn_parts).unwrap_or_default(),
                color: ground.and_then(|view| view.color.clone()),
                ..Track::default()
            },
            start: scene.world.state().t,
            times: Vec::new(),
            n_due: 0.0,
            extent: look::extent(&scene.world),
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
        let (document, root) = bake::bake(&self);
        document.write(root, out)
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
            let track = track.or_insert_with(|| Track::begin(scene, record, like));
            track.take(world, record, frame);
        }
        for path in &mut self.traces {
            if let Ok(point) = world.position_world(&path.of) {
                path.points.push(narrow(point));
            }
        }
    }
}

impl Track {
    fn begin(scene: &Scene, record: &BodyRecord, like: Proportions) -> Self {
        let view = scene.body_views.get(record.label());
        let is_drawn = view.is_some_and(|view| !view.draw.is_empty());
        let is_hidden = view.is_some_and(|view| view.hidden);
        Self {
            name: record.label().to_owned(),
            parts: look::parts(record.body(), view, like),
            color: view.and_then(|view| view.color.clone()),
            deforms: look::deforms(record.body()) && !is_drawn,
            surface: Surface::of(record).filter(|_| !is_drawn && !is_hidden),
            frames: BTreeMap::new(),
        }
    }

    fn take(&mut self, world: &World, record: &BodyRecord, frame: usize) {
        let (state, body) = (world.state(), record.body());
        let q = &state.q[record.q_range()];
        let pose = body.pose(state.t, q);
        let mut pose = pose.unwrap_or_else(|| Pose::at(body.center_of_mass(q).1));
        let mut weights = [0.0; 4];
        if self.deforms {
            let [x, y, _] = look::affine_pose(world, record);
            weights = [x[0] - 1.0, x[1], y[0], y[1] - 1.0].map(|a| a as f32);
            pose.rotation = IDENTITY_QUAT;
        }
        if let Some(surface) = &mut self.surface {
            surface.take(world, record, &pose, frame);
        }
        let mut rotation = x_y_z_w(pose.rotation);
        if let Some((_, last)) = self.frames.last_key_value() {
            // q and −q are the same turn: the nearer one does not go round the long way.
            let cos: f32 = (last.rotation.iter().zip(&rotation))
                .map(|(a, b)| a * b)
                .sum();
            if cos < 0.0 {
                rotation = rotation.map(|r| -r);
            }
        }
        let translation = narrow(pose.position);
        self.frames.insert(
            frame,
            Frame {
                translation,
                rotation,
                weights,
            },
        );
    }
}

/// The order of glTF, of length one.
fn x_y_z_w(rotation: Quat) -> [f32; 4] {
    let [w, x, y, z] = quat_normalize(rotation);
    [x, y, z, w].map(|r| r as f32)
}

/// The shortest turn from one unit vector to another.
fn turn_between(from: Vec3, to: Vec3) -> Quat {
    let axis = cross(from, to);
    let cos = dot(from, to);
    if cos < -1.0 + 1e-12 {
        // Half a turn about anything across.
        let (across, _) = complete_basis(from);
        return [0.0, across[0], across[1], across[2]];
    }
    quat_normalize([1.0 + cos, axis[0], axis[1], axis[2]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::math::{mat_vec, norm, quat_to_matrix, sub};

    #[test]
    fn turns_lead_from_one_to_the_other() {
        let y = [0.0, 1.0, 0.0];
        for from in [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], y, [0.6, 0.0, -0.8]] {
            let turned = mat_vec(&quat_to_matrix(turn_between(from, y)), from);
            assert!(norm(sub(turned, y)) < 1e-12, "{from:?} {turned:?}");
        }
    }
}
