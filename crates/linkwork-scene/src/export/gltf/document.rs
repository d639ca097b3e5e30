//! glTF 2.0 as types, and the binary container (specification, §4.4, §5).

use std::io::{self, Write};

use serde::Serialize;

/// The JSON part. Empty lists are left out, as the specification demands.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    pub(super) scene: usize,
    pub(super) scenes: Vec<SceneNodes>,
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<MeshEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<BufferEntry>,
}

#[derive(Debug, Serialize)]
pub(super) struct Asset {
    version: &'static str,
    generator: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self {
            version: "2.0",
            generator: "Linkwork",
        }
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct SceneNodes {
    pub(super) nodes: Vec<usize>,
}

/// Rotations are x, y, z, w.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) camera: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<[f32; 4]>,
}

#[derive(Debug, Serialize)]
pub(super) struct Camera {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) perspective: Perspective,
}

#[derive(Debug, Serialize)]
pub(super) struct Perspective {
    pub(super) yfov: f32,
    pub(super) znear: f32,
}

#[derive(Debug, Serialize)]
pub(super) struct MeshEntry {
    pub(super) primitives: [Primitive; 1],
}

/// Mode 3 is a line strip, 4 are triangles.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) indices: Option<usize>,
    pub(super) material: usize,
    pub(super) mode: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<Attributes>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Attributes {
    pub(super) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) pbr_metallic_roughness: Pbr,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Unlit>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pbr {
    pub(super) base_color_factor: [f32; 4],
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Unlit {
    #[serde(rename = "KHR_materials_unlit")]
    unlit: Nothing,
}

#[derive(Debug, Default, Serialize)]
struct Nothing {}

#[derive(Debug, Default, Serialize)]
pub(super) struct Animation {
    pub(super) name: &'static str,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Serialize)]
pub(super) struct Target {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    buffer_view: usize,
    byte_offset: usize,
    component_type: u32,
    count: usize,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Vec<f32>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferEntry {
    byte_length: usize,
}

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;

/// The binary part while it grows: vertices, indices and animation, each in a view of its own.
/// Everything begins at a multiple of four.
#[derive(Debug, Default)]
pub(super) struct Binary {
    vertices: Vec<u8>,
    indices: Vec<u8>,
    animation: Vec<u8>,
    /// The view is the number of the part here; parts that stay empty are taken out at the end.
    accessors: Vec<Accessor>,
}

const VERTICES: usize = 0;
const INDICES: usize = 1;
const ANIMATION: usize = 2;

impl Binary {
    /// Positions of vertices: the specification asks for their bounds.
    pub(super) fn add_positions(&mut self, positions: &[[f32; 3]]) -> usize {
        let bounds = bounds::<3>(positions.as_flattened());
        self.add_vertices(positions, Some(bounds))
    }

    pub(super) fn add_normals(&mut self, normals: &[[f32; 3]]) -> usize {
        self.add_vertices(normals, None)
    }

    pub(super) fn add_indices(&mut self, indices: &[u32]) -> usize {
        let byte_offset = self.indices.len();
        // The largest short is reserved.
        let is_short = indices.iter().all(|&index| index < u32::from(u16::MAX));
        for &index in indices {
            if is_short {
                self.indices.extend((index as u16).to_le_bytes());
            } else {
                self.indices.extend(index.to_le_bytes());
            }
        }
        self.indices
            .resize(self.indices.len().next_multiple_of(4), 0);
        self.add(Accessor {
            buffer_view: INDICES,
            byte_offset,
            component_type: if is_short {
                UNSIGNED_SHORT
            } else {
                UNSIGNED_INT
            },
            count: indices.len(),
            kind: "SCALAR",
            min: None,
            max: None,
        })
    }

    /// Times of keyframes: the specification asks for their bounds.
    pub(super) fn add_times(&mut self, times: &[f32]) -> usize {
        self.add_animation("SCALAR", times, 1, Some(bounds::<1>(times)))
    }

    /// Values of keyframes, in groups of `width`: "SCALAR", "VEC3" or "VEC4".
    pub(super) fn add_keyframes(&mut self, kind: &'static str, values: &[f32]) -> usize {
        let width = match kind {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        self.add_animation(kind, values, width, None)
    }

    fn add_vertices(
        &mut self,
        vectors: &[[f32; 3]],
        bounds: Option<(Vec<f32>, Vec<f32>)>,
    ) -> usize {
        let byte_offset = self.vertices.len();
        extend(&mut self.vertices, vectors.as_flattened());
        let (min, max) = bounds.unzip();
        self.add(Accessor {
            buffer_view: VERTICES,
            byte_offset,
            component_type: FLOAT,
            count: vectors.len(),
            kind: "VEC3",
            min,
            max,
        })
    }

    fn add_animation(
        &mut self,
        kind: &'static str,
        values: &[f32],
        width: usize,
        bounds: Option<(Vec<f32>, Vec<f32>)>,
    ) -> usize {
        let byte_offset = self.animation.len();
        extend(&mut self.animation, values);
        let (min, max) = bounds.unzip();
        self.add(Accessor {
            buffer_view: ANIMATION,
            byte_offset,
            component_type: FLOAT,
            count: values.len() / width,
            kind,
            min,
            max,
        })
    }

    fn add(&mut self, accessor: Accessor) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Moves accessors and views into the document, and gives the bytes.
    fn finish(self, document: &mut Document) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut view_of = [0; 3];
        let parts = [
            (self.vertices, Some(12), Some(34962)),
            (self.indices, None, Some(34963)),
            (self.animation, None, None),
        ];
        for (at, (part, byte_stride, target)) in parts.into_iter().enumerate() {
            if part.is_empty() {
                continue;
            }
            view_of[at] = document.buffer_views.len();
            document.buffer_views.push(BufferView {
                buffer: 0,
                byte_offset: bytes.len(),
                byte_length: part.len(),
                byte_stride,
                target,
            });
            bytes.extend(part);
        }
        document.accessors = self.accessors;
        for accessor in &mut document.accessors {
            accessor.buffer_view = view_of[accessor.buffer_view];
        }
        if !bytes.is_empty() {
            let byte_length = bytes.len();
            document.buffers.push(BufferEntry { byte_length });
        }
        bytes
    }
}

fn extend(bytes: &mut Vec<u8>, values: &[f32]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

/// The smallest and the largest of each of `N` components.
fn bounds<const N: usize>(values: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let (mut min, mut max) = (vec![f32::INFINITY; N], vec![f32::NEG_INFINITY; N]);
    for group in values.chunks_exact(N) {
        for k in 0..N {
            min[k] = min[k].min(group[k]);
            max[k] = max[k].max(group[k]);
        }
    }
    (min, max)
}

/// Writes the container: a header, the JSON filled up with spaces, the bytes.
pub(super) fn write(mut document: Document, binary: Binary, out: &mut dyn Write) -> io::Result<()> {
    let bytes = binary.finish(&mut document);
    let mut json = serde_json::to_vec(&document)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let of_bytes = if bytes.is_empty() { 0 } else { 8 + bytes.len() };
    let length = |n: usize| {
        let problem = "the recording is larger than 4 GiB, the most a glTF file can hold; \
                       record fewer frames";
        u32::try_from(n).map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, problem))
    };
    out.write_all(b"glTF")?;
    out.write_all(&2u32.to_le_bytes())?;
    out.write_all(&length(12 + 8 + json.len() + of_bytes)?.to_le_bytes())?;
    let mut chunk = |kind: &[u8; 4], content: &[u8]| {
        out.write_all(&length(content.len())?.to_le_bytes())?;
        out.write_all(kind)?;
        out.write_all(content)
    };
    chunk(b"JSON", &json)?;
    if !bytes.is_empty() {
        chunk(b"BIN\0", &bytes)?;
    }
    Ok(())
}
