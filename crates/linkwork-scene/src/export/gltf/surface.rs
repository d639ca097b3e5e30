//! Surfaces that deform: their corners at key frames, in the frame of the body.
//!
//! A viewer blends morph targets, `x = x₀ + Σ wₖ·(xₖ − x₀)`. With one target for each key after the first, whose weight
//! is one at that key and zero at all others, corners are exact at keys and go straight in between. Rigid motion is
//! that of the node.

use linkwork::math::{Vec3, add, cross, mat_t_vec, norm, quat_to_matrix, scale, sub, unit};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;

use super::mesh::{Mesh, narrow};
use crate::export::look::{self, Corners};

/// Keys that a surface has at the most: when there are more, every other one is left out.
const MOST_KEYS: usize = 120;
/// Corners that move by no more than this part of the size of the surface do not move.
const STILL: f64 = 1e-7;

/// The surface of a body.
#[derive(Debug)]
pub(super) struct Surface {
    triangles: Vec<[u32; 3]>,
    /// The corners that triangles have, of all that the body sends.
    used: Vec<u32>,
    /// Frames between keys.
    every: usize,
    /// Keys by their frames, and the last frame of all.
    keys: Vec<(usize, Vec<Vec3>)>,
    last: Option<(usize, Vec<Vec3>)>,
}

/// The corners and their normals at a key.
pub(super) struct Key {
    pub(super) frame: usize,
    pub(super) mesh: Mesh,
}

impl Surface {
    /// The surface of a body, if it has one that deforms.
    pub(super) fn of(record: &BodyRecord) -> Option<Self> {
        let mut triangles = look::triangles_of(record.body())?;
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for corner in triangles.iter_mut().flatten() {
            *corner = used.partition_point(|own| own < corner) as u32;
        }
        Some(Self {
            triangles,
            used,
            every: 1,
            keys: Vec::new(),
            last: None,
        })
    }

    /// Takes a frame.
    pub(super) fn take(&mut self, world: &World, record: &BodyRecord, pose: &Pose, frame: usize) {
        let mut numbers = Vec::new();
        look::corners(world, record, Corners::Now, &mut numbers);
        let all: &[Vec3] = numbers.as_chunks().0;
        let rows = quat_to_matrix(pose.rotation);
        let own = |corner: &u32| mat_t_vec(&rows, sub(all[*corner as usize], pose.position));
        let corners: Vec<Vec3> = self.used.iter().map(own).collect();
        let first = self.keys.first().map_or(frame, |own| own.0);
        if (frame - first).is_multiple_of(self.every) {
            self.keys.push((frame, corners.clone()));
        }
        self.last = Some((frame, corners));
        if self.keys.len() > 2 * MOST_KEYS {
            let mut at = 0;
            self.keys.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.every *= 2;
        }
    }

    /// All keys, the first frame and the last among them; one where nothing deforms.
    pub(super) fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<&(usize, Vec<Vec3>)> = self.keys.iter().collect();
        if keys.len() > MOST_KEYS {
            keys = keys.into_iter().step_by(2).collect();
        }
        let end = keys.last().map_or(0, |own| own.0);
        keys.extend(self.last.iter().filter(|own| own.0 > end));
        let Some(first) = keys.first() else {
            return Vec::new();
        };
        let size = first.1.iter().map(|own| norm(*own)).fold(0.0, f64::max);
        let is_same = |own: &Vec<Vec3>| {
            let pairs = own.iter().zip(&first.1);
            pairs
                .into_iter()
                .all(|(a, b)| norm(sub(*a, *b)) <= STILL * size)
        };
        if keys.iter().all(|own| is_same(&own.1)) {
            keys.truncate(1);
        }
        let key = |own: &&(usize, Vec<Vec3>)| Key {
            frame: own.0,
            mesh: self.mesh(&own.1),
        };
        keys.iter().map(key).collect()
    }

    fn mesh(&self, corners: &[Vec3]) -> Mesh {
        let mut normals = vec![[0.0; 3]; corners.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
            // As long as the triangle is large.
            let normal = cross(sub(b, a), sub(c, a));
            for corner in triangle {
                let own = &mut normals[*corner as usize];
                *own = add(*own, normal);
            }
        }
        let of_length_one = |own: &Vec3| unit(*own).unwrap_or([0.0, 0.0, 1.0]);
        Mesh {
            positions: corners.iter().map(|own| narrow(*own)).collect(),
            normals: normals
                .iter()
                .map(|own| narrow(of_length_one(own)))
                .collect(),
            indices: self.triangles.as_flattened().to_vec(),
        }
    }
}

/// How far corners, or normals, of one key are from those of the first.
pub(super) fn moved(first: &[[f32; 3]], key: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let pairs = key.iter().zip(first);
    let moved = pairs.map(|(key, first)| {
        let wide = |own: &[f32; 3]| own.map(f64::from);
        narrow(add(wide(key), scale(-1.0, wide(first))))
    });
    moved.collect()
}
