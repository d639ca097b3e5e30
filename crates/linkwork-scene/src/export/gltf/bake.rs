//! From a recording to a glTF document.

use std::collections::HashMap;

use linkwork::math::{
    IDENTITY_QUAT, Quat, complete_basis, cross, norm, quat_from_matrix, sub, transpose, unit,
};

use super::appearance::{Part, linear};
use super::document::{
    Animation, Attributes, Binary, Camera, Channel, Document, Material, MeshEntry, Node, Pbr,
    Perspective, Primitive, Sampler, SceneNodes, Target, Unlit,
};
use super::mesh::{Shape, narrow};
use super::{Path, Recorder, Track, x_y_z_w};

/// Paul Tol's "bright" scheme: bodies without a colour take turns.
const COLOURS: [&str; 7] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb",
];
/// Of traces without a colour.
const TRACE_COLOUR: &str = "#cc3311";

/// What was made so far.
#[derive(Default)]
struct Baker {
    document: Document,
    binary: Binary,
    animation: Animation,
    /// Triangles by shape: equal shapes share them.
    geometries: HashMap<Vec<u64>, Primitive>,
    /// Meshes by shape and material.
    meshes: HashMap<(Vec<u64>, usize), usize>,
    /// Materials by colour, whether both sides are seen, and whether light matters.
    materials: HashMap<([u32; 3], bool, bool), usize>,
}

pub(super) fn bake(recorder: &Recorder) -> (Document, Binary) {
    let mut baker = Baker::default();
    let mut children = Vec::new();
    let times = (recorder.times.len() > 1).then(|| baker.binary.add_times(&recorder.times));
    if !recorder.ground.parts.is_empty() {
        children.push(baker.add_body(&recorder.ground, COLOURS[6]));
    }
    for (at, track) in recorder.bodies.values().enumerate() {
        let node = baker.add_body(track, COLOURS[at % COLOURS.len()]);
        if let Some(times) = times {
            baker.animate(track, node, times, recorder.times.len());
        }
        children.push(node);
    }
    for path in recorder.traces.iter().filter(|path| path.points.len() > 1) {
        children.push(baker.add_trace(path));
    }
    children.extend(baker.add_camera(recorder));

    let mut root = Node {
        name: Some(recorder.name.clone()),
        children,
        ..Node::default()
    };
    root.rotation = turn(recorder.to_y_up);
    let root = baker.add_node(root);
    let mut document = baker.document;
    document.scenes.push(SceneNodes { nodes: vec![root] });
    if !baker.animation.channels.is_empty() {
        baker.animation.name = "motion";
        document.animations.push(baker.animation);
    }
    (document, baker.binary)
}

/// None for no turn, which is what a node has without one.
fn turn(rotation: Quat) -> Option<[f32; 4]> {
    (rotation != IDENTITY_QUAT).then(|| x_y_z_w(rotation))
}

impl Baker {
    fn add_node(&mut self, node: Node) -> usize {
        self.document.nodes.push(node);
        self.document.nodes.len() - 1
    }

    /// A node with what it looks like: one part at the origin is its own mesh, others are children.
    fn add_body(&mut self, track: &Track, colour: &str) -> usize {
        let colour = track.colour.as_deref().unwrap_or(colour);
        let mut node = Node {
            name: Some(track.name.clone()),
            translation: track.translations.first().copied(),
            rotation: track.rotations.first().copied(),
            ..Node::default()
        };
        for part in &track.parts {
            let colour = part.colour.as_deref().unwrap_or(colour);
            let Some(mesh) = self.mesh(part, colour) else {
                continue;
            };
            let is_own = track.parts.len() == 1
                && part.pose.position == [0.0; 3]
                && part.pose.rotation == IDENTITY_QUAT;
            if is_own {
                node.mesh = Some(mesh);
                node.weights = track.weights.first().copied();
                continue;
            }
            let child = self.add_node(Node {
                mesh: Some(mesh),
                translation: Some(narrow(part.pose.position)),
                rotation: turn(part.pose.rotation),
                ..Node::default()
            });
            node.children.push(child);
        }
        self.add_node(node)
    }

    /// The mesh of a part, made if there is none yet; none if it has no triangles.
    fn mesh(&mut self, part: &Part, colour: &str) -> Option<usize> {
        let is_sheet = matches!(part.shape, Shape::Sheet { .. });
        let material = self.material(colour, is_sheet, false);
        let key = part.shape.key();
        if let Some(&mesh) = self.meshes.get(&(key.clone(), material)) {
            return Some(mesh);
        }
        let mut primitive = self.geometry(&part.shape, &key)?;
        primitive.material = material;
        self.document.meshes.push(MeshEntry {
            primitives: [primitive],
        });
        let mesh = self.document.meshes.len() - 1;
        self.meshes.insert((key, material), mesh);
        Some(mesh)
    }

    fn geometry(&mut self, shape: &Shape, key: &[u64]) -> Option<Primitive> {
        if let Some(primitive) = self.geometries.get(key) {
            return Some(primitive.clone());
        }
        let mesh = shape.mesh();
        if mesh.indices.is_empty() {
            return None;
        }
        let attributes = Attributes {
            position: self.binary.add_positions(&mesh.positions),
            normal: Some(self.binary.add_normals(&mesh.normals)),
        };
        let indices = Some(self.binary.add_indices(&mesh.indices));
        let mut targets = Vec::new();
        if matches!(shape, Shape::Sheet { .. }) {
            // One for each of a₁₁, a₁₂, a₂₁, a₂₂: how x moves when that number grows by one.
            for (to, from) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let moved = mesh.positions.iter().map(|x| {
                    let mut moved = [0.0; 3];
                    moved[to] = x[from];
                    moved
                });
                let moved: Vec<[f32; 3]> = moved.collect();
                targets.push(Attributes {
                    position: self.binary.add_positions(&moved),
                    normal: None,
                });
            }
        }
        let primitive = Primitive {
            attributes,
            indices,
            material: 0,
            mode: 4,
            targets,
        };
        self.geometries.insert(key.to_vec(), primitive.clone());
        Some(primitive)
    }

    fn material(&mut self, colour: &str, double_sided: bool, is_unlit: bool) -> usize {
        let [red, green, blue] = linear(colour).unwrap_or([0.5; 3]);
        let key = [red, green, blue].map(f32::to_bits);
        let materials = &mut self.document.materials;
        let known = self.materials.entry((key, double_sided, is_unlit));
        *known.or_insert_with(|| {
            materials.push(Material {
                pbr_metallic_roughness: Pbr {
                    base_color_factor: [red, green, blue, 1.0],
                    metallic_factor: 0.0,
                    roughness_factor: 0.6,
                },
                double_sided,
                extensions: is_unlit.then(Unlit::default),
            });
            materials.len() - 1
        })
    }

    /// Channels for what moves.
    fn animate(&mut self, track: &Track, node: usize, times: usize, n_frames: usize) {
        let (first, n) = (track.first, n_frames);
        if moves(&track.translations) {
            let output = whole(&track.translations, first, n);
            let output = self.binary.add_keyframes("VEC3", output.as_flattened());
            self.add_channel(node, "translation", times, output, "LINEAR");
        }
        if moves(&track.rotations) {
            let output = whole(&track.rotations, first, n);
            let output = self.binary.add_keyframes("VEC4", output.as_flattened());
            self.add_channel(node, "rotation", times, output, "LINEAR");
        }
        if moves(&track.weights) && self.document.nodes[node].mesh.is_some() {
            let output = whole(&track.weights, first, n);
            let output = self.binary.add_keyframes("SCALAR", output.as_flattened());
            self.add_channel(node, "weights", times, output, "LINEAR");
        }
        if track.n_present < n {
            // What is not there is nothing in size.
            let is_present = |frame: usize| {
                let at = frame.checked_sub(first);
                at.is_some_and(|at| track.is_present.get(at) == Some(&true))
            };
            let size = |frame| [if is_present(frame) { 1.0 } else { 0.0 }; 3];
            let sizes: Vec<[f32; 3]> = (0..n).map(size).collect();
            self.document.nodes[node].scale = sizes.first().copied();
            let output = self.binary.add_keyframes("VEC3", sizes.as_flattened());
            self.add_channel(node, "scale", times, output, "STEP");
        }
    }

    fn add_channel(
        &mut self,
        node: usize,
        path: &'static str,
        input: usize,
        output: usize,
        interpolation: &'static str,
    ) {
        self.animation.samplers.push(Sampler {
            input,
            output,
            interpolation,
        });
        self.animation.channels.push(Channel {
            sampler: self.animation.samplers.len() - 1,
            target: Target { node, path },
        });
    }

    fn add_trace(&mut self, path: &Path) -> usize {
        let colour = path.colour.as_deref().unwrap_or(TRACE_COLOUR);
        let material = self.material(colour, false, true);
        let extension = "KHR_materials_unlit";
        if !self.document.extensions_used.contains(&extension) {
            self.document.extensions_used.push(extension);
        }
        let attributes = Attributes {
            position: self.binary.add_positions(&path.points),
            normal: None,
        };
        self.document.meshes.push(MeshEntry {
            primitives: [Primitive {
                attributes,
                indices: None,
                material,
                mode: 3,
                targets: Vec::new(),
            }],
        });
        self.add_node(Node {
            name: Some(path.name.clone()),
            mesh: Some(self.document.meshes.len() - 1),
            ..Node::default()
        })
    }

    /// The camera of the hints: it looks along its −z, with its y up.
    fn add_camera(&mut self, recorder: &Recorder) -> Option<usize> {
        let camera = recorder.camera.as_ref()?;
        let back = sub(camera.eye, camera.target);
        let z = unit(back)?;
        let x = unit(cross(recorder.up, z)).unwrap_or_else(|| complete_basis(z).0);
        let y = cross(z, x);
        let znear = (1e-3 * norm(back)) as f32;
        self.document.cameras.push(Camera {
            kind: "perspective",
            perspective: Perspective { yfov: 0.7, znear },
        });
        Some(self.add_node(Node {
            name: Some("camera".into()),
            camera: Some(self.document.cameras.len() - 1),
            translation: Some(narrow(camera.eye)),
            rotation: turn(quat_from_matrix(&transpose(&[x, y, z]))),
            ..Node::default()
        }))
    }
}

fn moves<T: PartialEq>(values: &[T]) -> bool {
    values.windows(2).any(|pair| pair[0] != pair[1])
}

/// From the first frame to the last: what came later or left early holds still.
fn whole<T: Copy>(values: &[T], first: usize, n: usize) -> Vec<T> {
    let before = values.first().into_iter().cycle().take(first);
    let after = values.last().into_iter().cycle();
    before.chain(values).chain(after).take(n).copied().collect()
}
