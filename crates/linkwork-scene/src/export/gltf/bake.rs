//! From a recording to a glTF document.

use std::collections::HashMap;

use linkwork::math::{
    IDENTITY_QUAT, Quat, complete_basis, cross, norm, quat_from_matrix, sub, transpose, unit,
};
use serde_json::{Value, json};

use super::document::{Document, Part, short};
use super::mesh::{Mesh, narrow};
use super::surface::{Key, Surface, moved};
use super::{Frame, Path, Recorder, Track, x_y_z_w};
use crate::export::look::{PartLook, ShapeLook};

/// Paul Tol's "bright" scheme: bodies without a color take turns.
const COLORS: [&str; 7] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb",
];
/// Of traces without a color.
const TRACE_COLOR: &str = "#cc3311";

const UNLIT: &str = "KHR_materials_unlit";
/// Modes of drawing.
const LINE_STRIP: u32 = 3;
const TRIANGLES: u32 = 4;

/// What was made so far.
#[derive(Default)]
struct Baker {
    document: Document,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Triangles by shape: equal shapes share them.
    geometries: HashMap<String, Value>,
    /// Meshes by shape and material.
    meshes: HashMap<(String, usize), usize>,
    /// Materials by color, whether both sides are seen, and whether light matters.
    materials: HashMap<(String, bool, bool), usize>,
}

/// The document, and the node that is above all others.
pub(super) fn bake(recorder: &Recorder) -> (Document, usize) {
    let mut baker = Baker::default();
    let mut children = Vec::new();
    let n_frames = recorder.times.len();
    let times: Vec<[f32; 1]> = recorder.times.iter().map(|&time| [time]).collect();
    let times = (n_frames > 1).then(|| baker.document.add_floats(Part::Animation, &times, true));
    if !recorder.ground.parts.is_empty() {
        let node = baker.body(&recorder.ground, COLORS[6]);
        children.push(baker.document.add("nodes", node));
    }
    for (at, track) in recorder.bodies.values().enumerate() {
        let mut node = baker.body(track, COLORS[at % COLORS.len()]);
        let keys = baker.surface(track, COLORS[at % COLORS.len()], &mut node);
        let is_mesh = node.get("mesh").is_some();
        let is_first = track.frames.contains_key(&0);
        if times.is_some() && track.frames.len() < n_frames {
            node["scale"] = json!(size(is_first));
        }
        let node = baker.document.add("nodes", node);
        children.push(node);
        if let Some(times) = times {
            baker.animate(track, (node, is_mesh), times, n_frames);
            baker.bend(node, &keys, &recorder.times);
        }
    }
    for path in recorder.traces.iter().filter(|path| path.points.len() > 1) {
        children.push(baker.add_trace(path));
    }
    children.extend(baker.add_camera(recorder));
    if recorder.traces.iter().any(|path| path.points.len() > 1) {
        baker.document.add("extensionsUsed", json!(UNLIT));
    }
    let mut root = json!({ "name": recorder.name });
    if !children.is_empty() {
        root["children"] = json!(children);
    }
    turn(&mut root, recorder.to_y_up);
    let root = baker.document.add("nodes", root);
    if !baker.channels.is_empty() {
        let (channels, samplers) = (baker.channels, baker.samplers);
        let motion = json!({ "name": "motion", "channels": channels, "samplers": samplers });
        baker.document.add("animations", motion);
    }
    (baker.document, root)
}

/// Turns a node, if it is turned.
fn turn(node: &mut Value, rotation: Quat) {
    if rotation != IDENTITY_QUAT {
        node["rotation"] = short(x_y_z_w(rotation));
    }
}

/// What is not there is nothing in size.
fn size(is_there: bool) -> [f32; 3] {
    [f32::from(u8::from(is_there)); 3]
}

impl Baker {
    /// A node with what it looks like: one part at the origin is its own mesh, others are children.
    fn body(&mut self, track: &Track, color: &str) -> Value {
        let color = track.color.as_deref().unwrap_or(color);
        let mut node = json!({ "name": track.name });
        let first = track.frames.values().next();
        if let Some(first) = first {
            node["translation"] = short(first.translation);
            node["rotation"] = short(first.rotation);
        }
        let mut children = Vec::new();
        for part in &track.parts {
            let Some(mesh) = self.mesh(part, part.color.as_deref().unwrap_or(color)) else {
                continue;
            };
            let is_at_origin = part.position == [0.0; 3] && part.quaternion == IDENTITY_QUAT;
            if track.parts.len() == 1 && is_at_origin {
                node["mesh"] = json!(mesh);
                if let Some(first) = first.filter(|_| track.deforms) {
                    node["weights"] = short(first.weights);
                }
                continue;
            }
            let position = short(narrow(part.position));
            let mut child = json!({ "mesh": mesh, "translation": position });
            turn(&mut child, part.quaternion);
            children.push(self.document.add("nodes", child));
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    }

    /// Gives a node the surface of a body. Tells at which frames it has keys.
    fn surface(&mut self, track: &Track, color: &str, node: &mut Value) -> Vec<usize> {
        let keys = track.surface.as_ref().map_or(Vec::new(), Surface::keys);
        let Some(Key { mesh: first, .. }) = keys.first() else {
            return Vec::new();
        };
        let color = track.color.as_deref().unwrap_or(color);
        let material = self.material(color, true, false);
        let document = &mut self.document;
        let mut primitive = json!({
            "attributes": {
                "POSITION": document.add_floats(Part::Vertices, &first.positions, true),
                "NORMAL": document.add_floats(Part::Vertices, &first.normals, false),
            },
            "indices": document.add_indices(&first.indices),
            "material": material,
            "mode": TRIANGLES,
        });
        let targets = keys[1..].iter().map(|Key { mesh, .. }| {
            let positions = moved(&first.positions, &mesh.positions);
            let normals = moved(&first.normals, &mesh.normals);
            json!({
                "POSITION": document.add_floats(Part::Vertices, &positions, true),
                "NORMAL": document.add_floats(Part::Vertices, &normals, false),
            })
        });
        let targets: Vec<Value> = targets.collect();
        let mut mesh = json!({});
        if !targets.is_empty() {
            mesh["weights"] = json!(vec![0; targets.len()]);
            primitive["targets"] = json!(targets);
        }
        mesh["primitives"] = json!([primitive]);
        node["mesh"] = json!(self.document.add("meshes", mesh));
        keys.iter().map(|own| own.frame).collect()
    }

    /// Lets each key of a surface have its turn.
    fn bend(&mut self, node: usize, keys: &[usize], times: &[f32]) {
        if keys.len() < 2 {
            return;
        }
        let own: Vec<[f32; 1]> = keys.iter().map(|frame| [times[*frame]]).collect();
        let input = self.document.add_floats(Part::Animation, &own, true);
        let weight = |key: usize, target: usize| [f32::from(u8::from(key == target + 1))];
        let weights = (0..keys.len())
            .flat_map(|key| (0..keys.len() - 1).map(move |target| weight(key, target)));
        let weights: Vec<_> = weights.collect();
        self.add_channel(node, "weights", input, &weights, "LINEAR");
    }

    /// The mesh of a part, made if there is none yet; none if it has no triangles.
    fn mesh(&mut self, part: &PartLook, color: &str) -> Option<usize> {
        let is_sheet = part.shape.is_sheet();
        let material = self.material(color, is_sheet, false);
        let key = (serde_json::to_string(&part.shape).ok()?, material);
        if let Some(&mesh) = self.meshes.get(&key) {
            return Some(mesh);
        }
        let mut primitive = self.geometry(&part.shape, &key.0)?;
        primitive["material"] = json!(material);
        let mesh = json!({ "primitives": [primitive] });
        let mesh = self.document.add("meshes", mesh);
        self.meshes.insert(key, mesh);
        Some(mesh)
    }

    fn geometry(&mut self, shape: &ShapeLook, key: &str) -> Option<Value> {
        if let Some(primitive) = self.geometries.get(key) {
            return Some(primitive.clone());
        }
        let mesh = Mesh::of(shape);
        if mesh.indices.is_empty() {
            return None;
        }
        let document = &mut self.document;
        let position = document.add_floats(Part::Vertices, &mesh.positions, true);
        let normal = document.add_floats(Part::Vertices, &mesh.normals, false);
        let mut primitive = json!({
            "attributes": { "POSITION": position, "NORMAL": normal },
            "indices": document.add_indices(&mesh.indices),
            "mode": TRIANGLES,
        });
        if shape.is_sheet() {
            // One for each of a₁₁, a₁₂, a₂₁, a₂₂: how x moves when that number grows by one.
            let targets = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(to, from)| {
                let moved = mesh.positions.iter().map(|x| {
                    let mut moved = [0.0; 3];
                    moved[to] = x[from];
                    moved
                });
                let moved: Vec<[f32; 3]> = moved.collect();
                json!({ "POSITION": document.add_floats(Part::Vertices, &moved, true) })
            });
            primitive["targets"] = json!(targets);
        }
        self.geometries.insert(key.to_owned(), primitive.clone());
        Some(primitive)
    }

    fn material(&mut self, color: &str, double_sided: bool, is_unlit: bool) -> usize {
        let document = &mut self.document;
        let known = (self.materials).entry((color.to_owned(), double_sided, is_unlit));
        *known.or_insert_with(|| {
            let [red, green, blue] = linear(color).unwrap_or([0.5; 3]);
            let mut material = json!({ "pbrMetallicRoughness": {
                "baseColorFactor": short([red, green, blue, 1.0]),
                "metallicFactor": 0.0,
                "roughnessFactor": 0.6,
            } });
            if double_sided {
                material["doubleSided"] = json!(true);
            }
            if is_unlit {
                material["extensions"] = json!({ UNLIT: {} });
            }
            document.add("materials", material)
        })
    }

    /// Channels for what moves.
    fn animate(
        &mut self,
        track: &Track,
        (node, is_mesh): (usize, bool),
        times: usize,
        n_frames: usize,
    ) {
        // What came later or left early holds still.
        let first = track.frames.values().next();
        let held = (0..n_frames).filter_map(|at| {
            let before = track.frames.range(..=at).next_back();
            before.map(|(_, frame)| frame).or(first)
        });
        let held: Vec<&Frame> = held.collect();
        let moves = |same: fn(&Frame, &Frame) -> bool| {
            let mut pairs = held.windows(2);
            pairs.any(|pair| !same(pair[0], pair[1]))
        };
        if moves(|a, b| a.translation == b.translation) {
            let values: Vec<_> = held.iter().map(|frame| frame.translation).collect();
            self.add_channel(node, "translation", times, &values, "LINEAR");
        }
        if moves(|a, b| a.rotation == b.rotation) {
            let values: Vec<_> = held.iter().map(|frame| frame.rotation).collect();
            self.add_channel(node, "rotation", times, &values, "LINEAR");
        }
        if is_mesh && moves(|a, b| a.weights == b.weights) {
            let values = held.iter().flat_map(|frame| frame.weights.map(|own| [own]));
            let values: Vec<_> = values.collect();
            self.add_channel(node, "weights", times, &values, "LINEAR");
        }
        if track.frames.len() < n_frames {
            let sizes = (0..n_frames).map(|at| size(track.frames.contains_key(&at)));
            let sizes: Vec<_> = sizes.collect();
            self.add_channel(node, "scale", times, &sizes, "STEP");
        }
    }

    fn add_channel<const N: usize>(
        &mut self,
        node: usize,
        path: &str,
        input: usize,
        values: &[[f32; N]],
        interpolation: &str,
    ) {
        let output = self.document.add_floats(Part::Animation, values, false);
        let target = json!({ "node": node, "path": path });
        let channel = json!({ "sampler": self.samplers.len(), "target": target });
        self.channels.push(channel);
        let sampler = json!({ "input": input, "output": output, "interpolation": interpolation });
        self.samplers.push(sampler);
    }

    fn add_trace(&mut self, path: &Path) -> usize {
        let color = path.color.as_deref().unwrap_or(TRACE_COLOR);
        let material = self.material(color, false, true);
        let points = (self.document).add_floats(Part::Vertices, &path.points, true);
        let attributes = json!({ "POSITION": points });
        let primitive =
            json!({ "attributes": attributes, "material": material, "mode": LINE_STRIP });
        let mesh = json!({ "primitives": [primitive] });
        let mesh = self.document.add("meshes", mesh);
        let node = json!({ "name": path.name, "mesh": mesh });
        self.document.add("nodes", node)
    }

    /// The camera of the hints: it looks along its −z, with its y up.
    fn add_camera(&mut self, recorder: &Recorder) -> Option<usize> {
        let camera = recorder.camera.as_ref()?;
        let back = sub(camera.eye, camera.target);
        let z = unit(back)?;
        let x = unit(cross(recorder.up, z)).unwrap_or_else(|| complete_basis(z).0);
        let y = cross(z, x);
        let near = short([0.7, (1e-3 * norm(back)) as f32]);
        let perspective = json!({ "yfov": near[0], "znear": near[1] });
        let lens = json!({ "type": "perspective", "perspective": perspective });
        let lens = self.document.add("cameras", lens);
        let eye = short(narrow(camera.eye));
        let mut node = json!({ "name": "camera", "camera": lens, "translation": eye });
        turn(&mut node, quat_from_matrix(&transpose(&[x, y, z])));
        Some(self.document.add("nodes", node))
    }
}

/// Red, green and blue of `"#rrggbb"`, linear.
fn linear(color: &str) -> Option<[f32; 3]> {
    let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    Some([16, 8, 0].map(|shift| {
        let value = f64::from((number >> shift) & 255) / 255.0;
        // The transfer function of sRGB.
        let linear = if value <= 0.04045 {
            value / 12.92
        } else {
            libm::pow((value + 0.055) / 1.055, 2.4)
        };
        linear as f32
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_linear() {
        assert_eq!(linear("#ffffff"), Some([1.0; 3]));
        let gray = linear("#808080").unwrap()[0];
        assert!((gray - 0.2158605).abs() < 1e-6);
        assert_eq!(linear("red"), None);
        assert_eq!(linear("#12345ü"), None);
    }
}
