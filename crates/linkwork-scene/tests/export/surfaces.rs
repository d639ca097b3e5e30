//! Surfaces that deform in recordings, by a reader of our own.

use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::export::{FrameRate, Recorder, affine_poses, look};
use serde_json::Value;

/// A binary glTF file: its JSON, and its bytes.
struct File {
    json: Value,
    bytes: Vec<u8>,
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

impl File {
    fn read(file: &[u8]) -> Self {
        assert_eq!((&file[..4], number(file, 4)), (&b"glTF"[..], 2));
        assert_eq!(number(file, 8), file.len());
        let n = number(file, 12);
        assert_eq!(&file[16..20], b"JSON");
        let json = serde_json::from_slice(&file[20..20 + n]).unwrap();
        let rest = &file[20 + n..];
        assert_eq!(
            (&rest[4..8], number(rest, 0)),
            (&b"BIN\0"[..], rest.len() - 8)
        );
        Self {
            json,
            bytes: rest[8..].to_vec(),
        }
    }

    fn at(&self, list: &str, index: &Value) -> &Value {
        &self.json[list][index.as_u64().unwrap() as usize]
    }

    /// The floats of an accessor, which lie within its view, and within its bounds where it has any.
    fn floats(&self, accessor: &Value) -> Vec<f32> {
        let accessor = self.at("accessors", accessor);
        assert_eq!(accessor["componentType"], 5126);
        let view = self.at("bufferViews", &accessor["bufferView"]);
        let number = |of: &Value, name: &str| of[name].as_u64().unwrap_or(0) as usize;
        let width = match accessor["type"].as_str() {
            Some("VEC4") => 4,
            Some("VEC3") => 3,
            _ => 1,
        };
        let n = width * number(accessor, "count");
        let from = number(accessor, "byteOffset");
        assert!(from + 4 * n <= number(view, "byteLength"));
        let from = from + number(view, "byteOffset");
        let bytes = &self.bytes[from..from + 4 * n];
        let floats: Vec<f32> = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|own| f32::from_le_bytes(*own))
            .collect();
        if let (Some(min), Some(max)) = (accessor["min"].as_array(), accessor["max"].as_array()) {
            for (k, own) in floats.iter().enumerate() {
                let bound = |of: &[Value]| of[k % width].as_f64().unwrap() as f32;
                assert!(bound(min) <= *own && *own <= bound(max));
            }
        }
        floats
    }

    /// The values of a channel of a node at a frame, and the times of its keys.
    fn channel(&self, node: usize, path: &str) -> Option<(Vec<f32>, Vec<f32>)> {
        let motion = &self.json["animations"][0];
        let mut channels = motion["channels"].as_array().unwrap().iter();
        let channel = channels
            .find(|own| own["target"]["node"] == node as u64 && own["target"]["path"] == path)?;
        let sampler = &motion["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        assert_eq!(sampler["interpolation"], "LINEAR");
        Some((
            self.floats(&sampler["input"]),
            self.floats(&sampler["output"]),
        ))
    }
}

fn turned(q: &[f32], x: [f32; 3]) -> [f64; 3] {
    let [x_, y, z, w] = [q[0], q[1], q[2], q[3]].map(f64::from);
    linkwork::math::mat_vec(
        &linkwork::math::quat_to_matrix([w, x_, y, z]),
        x.map(f64::from),
    )
}

/// Corners of a body that triangles use, world.
fn corners(scene: &Scene, body: &str) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    affine_poses(scene, &mut out);
    let look = look(scene);
    let mut from = 12 * look.bodies.len();
    for own in &look.bodies {
        if own.name == body {
            return out[from..from + 3 * own.corners].as_chunks().0.to_vec();
        }
        from += 3 * own.corners;
    }
    Vec::new()
}

/// Records a scene, and compares a body's corners in the file with those of the world at all keys.
fn check(scene: &mut Scene, body: &str, n: usize) -> usize {
    let mut simulator = Simulator::new();
    let mut recorder = Recorder::new(scene, FrameRate::EveryStep);
    let mut worlds = vec![corners(scene, body)];
    for _ in 0..n {
        simulator.step(&mut scene.world, &scene.options).unwrap();
        recorder.record(scene);
        worlds.push(corners(scene, body));
    }
    let mut file = Vec::new();
    recorder.finish(scene, &mut file).unwrap();
    let file = File::read(&file);
    let nodes = file.json["nodes"].as_array().unwrap();
    let node = nodes.iter().position(|own| own["name"] == body).unwrap();
    let mesh = file.at("meshes", &nodes[node]["mesh"]);
    let primitive = &mesh["primitives"][0];
    let base = file.floats(&primitive["attributes"]["POSITION"]);
    let normals = file.floats(&primitive["attributes"]["NORMAL"]);
    assert_eq!(base.len(), normals.len());
    let targets = primitive["targets"].as_array().unwrap();
    let moved: Vec<Vec<f32>> = targets
        .iter()
        .map(|own| {
            assert_eq!(file.floats(&own["NORMAL"]).len(), base.len());
            file.floats(&own["POSITION"])
        })
        .collect();
    let (times, weights) = file.channel(node, "weights").unwrap();
    assert_eq!(times.len(), targets.len() + 1);
    assert_eq!(weights.len(), times.len() * targets.len());
    let (all, places) = file.channel(node, "translation").unwrap();
    let turns = file.channel(node, "rotation").map(|own| own.1);
    let still: Vec<f32> = match nodes[node]["rotation"].as_array() {
        Some(own) => own.iter().map(|own| own.as_f64().unwrap() as f32).collect(),
        None => vec![0.0, 0.0, 0.0, 1.0],
    };
    assert_eq!((times[0], times.last()), (all[0], all.last()));
    for (key, time) in times.iter().enumerate() {
        let frame = all.iter().position(|own| own == time).unwrap();
        let own = &weights[key * targets.len()..][..targets.len()];
        for at in 0..base.len() / 3 {
            let x: [f32; 3] = std::array::from_fn(|k| {
                let sum = own.iter().zip(&moved).map(|(w, by)| w * by[3 * at + k]);
                base[3 * at + k] + sum.sum::<f32>()
            });
            let turn = turns
                .as_ref()
                .map_or(&still[..], |own| &own[4 * frame..][..4]);
            let x = turned(turn, x);
            let x: [f64; 3] = std::array::from_fn(|k| x[k] + f64::from(places[3 * frame + k]));
            let nearest = worlds[frame]
                .iter()
                .map(|own| linkwork::math::norm(linkwork::math::sub(*own, x)))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-5, "frame {frame}, corner {at}: {nearest}");
        }
    }
    targets.len()
}

#[test]
fn a_superquadric_that_bends_is_where_it_is() {
    let mut scene = linkwork_scene::library::open("superquadrics").unwrap();
    assert_eq!(check(&mut scene, "rope", 20), 20);
}

#[test]
fn a_balloon_is_where_its_nodes_are() {
    let mut scene = linkwork_scene::library::open("balloon").unwrap();
    assert_eq!(check(&mut scene, "balloon", 12), 12);
}

/// Long recordings have fewer keys, the first frame and the last among them.
#[test]
fn keys_are_thinned_out() {
    let mut scene = linkwork_scene::library::open("superquadrics").unwrap();
    let n = check(&mut scene, "rope", 150);
    assert!((60..=120).contains(&n), "{n}");
}
