//! glTF 2.0 while it grows, and the binary container (specification, §4.4, §5).

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

/// Parts of the bytes, each in a view of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Vertices,
    Indices,
    Animation,
}

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;

/// The JSON part and the bytes.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// Nodes, meshes and so on. A list that stays empty is left out, as the specification demands.
    lists: BTreeMap<&'static str, Vec<Value>>,
    accessors: Vec<(Part, Value)>,
    /// By part. Everything begins at a multiple of four.
    bytes: [Vec<u8>; 3],
}

impl Document {
    /// Adds an entry to a list, and says which it is there.
    pub(super) fn add(&mut self, list: &'static str, entry: Value) -> usize {
        let list = self.lists.entry(list).or_default();
        list.push(entry);
        list.len() - 1
    }

    /// Adds numbers in groups of `N`. The specification asks for the bounds of positions and of times.
    pub(super) fn add_floats<const N: usize>(
        &mut self,
        part: Part,
        values: &[[f32; N]],
        is_bounded: bool,
    ) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let mut accessor = json!({ "componentType": FLOAT, "count": values.len(), "type": kind });
        if is_bounded {
            let bound = |start: f32, pick: fn(f32, f32) -> f32| {
                let group =
                    |own: [f32; N], next: &[f32; N]| std::array::from_fn(|k| pick(own[k], next[k]));
                short(values.iter().fold([start; N], group))
            };
            accessor["min"] = bound(f32::INFINITY, f32::min);
            accessor["max"] = bound(f32::NEG_INFINITY, f32::max);
        }
        let bytes = values.as_flattened().iter();
        self.add_bytes(part, accessor, bytes.flat_map(|value| value.to_le_bytes()))
    }

    /// Adds indices of corners, in shorts where that is enough; the largest short is reserved.
    pub(super) fn add_indices(&mut self, indices: &[u32]) -> usize {
        let is_short = indices.iter().all(|&index| index < u32::from(u16::MAX));
        let (kind, width) = match is_short {
            true => (UNSIGNED_SHORT, 2),
            false => (UNSIGNED_INT, 4),
        };
        let accessor = json!({ "componentType": kind, "count": indices.len(), "type": "SCALAR" });
        let bytes = indices.iter().flat_map(|index| index.to_le_bytes());
        let bytes = bytes.enumerate().filter(|(at, _)| at % 4 < width);
        self.add_bytes(Part::Indices, accessor, bytes.map(|(_, byte)| byte))
    }

    fn add_bytes(
        &mut self,
        part: Part,
        mut accessor: Value,
        content: impl Iterator<Item = u8>,
    ) -> usize {
        let bytes = &mut self.bytes[part as usize];
        accessor["byteOffset"] = json!(bytes.len());
        bytes.extend(content);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        self.accessors.push((part, accessor));
        self.accessors.len() - 1
    }

    /// Writes the container: a header, the JSON filled up with spaces, the bytes. All nodes are below the
    /// root.
    pub(super) fn write(mut self, root: usize, out: &mut dyn Write) -> io::Result<()> {
        let bytes = self.join_parts();
        let mut document = json!(self.lists);
        document["asset"] = json!({ "version": "2.0", "generator": "Linkwork" });
        document["scene"] = json!(0);
        document["scenes"] = json!([{ "nodes": [root] }]);
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

    /// Makes a view of every part that has bytes, and one buffer of all.
    fn join_parts(&mut self) -> Vec<u8> {
        let (mut bytes, mut view_of) = (Vec::new(), [0; 3]);
        let views = [
            json!({ "byteStride": 12, "target": 34962 }),
            json!({ "target": 34963 }),
            json!({}),
        ];
        for (part, mut view) in views.into_iter().enumerate() {
            let own = std::mem::take(&mut self.bytes[part]);
            if !own.is_empty() {
                view["buffer"] = json!(0);
                view["byteOffset"] = json!(bytes.len());
                view["byteLength"] = json!(own.len());
                view_of[part] = self.add("bufferViews", view);
                bytes.extend(own);
            }
        }
        for (part, mut accessor) in std::mem::take(&mut self.accessors) {
            accessor["bufferView"] = json!(view_of[part as usize]);
            self.add("accessors", accessor);
        }
        if !bytes.is_empty() {
            self.add("buffers", json!({ "byteLength": bytes.len() }));
        }
        bytes
    }
}

/// Numbers in as few digits as they have.
pub(super) fn short<const N: usize>(numbers: [f32; N]) -> Value {
    let digits = |number: f32| number.to_string().parse().unwrap_or(f64::NAN);
    json!(numbers.map(digits).as_slice())
}
