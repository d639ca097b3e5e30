//! The geometry of contact: shapes and poses in, pairs of features out.
//!
//! A contact is a pair of *features* of two shapes: corners, edges, faces, rims, each a material part in the
//! frame of its shape. The gap between two features is a closed form of the two poses (`feature`), which is
//! valid at any pose near the one where `Finder::find` listed the pair.
//!
//! Rules of a list:
//! - Every pair is a separate condition. Shapes that do not penetrate have no negative gap, so all conditions
//!   can hold together.
//! - The smallest gap is the distance of the shapes, if they are apart and within `reach`. If they penetrate,
//!   it is that of the axis of least depth; other pairs of the same faces are listed with it.
//! - Sharp corners that meet a corner or an edge have no normal when they touch. They are listed as a corner
//!   over a supporting plane that is fixed in the other shape: equal gap, points and rates at this pose,
//!   signed, and at other poses less than the true distance.
//! - The list is a function of shapes, poses and reach alone, ordered by id, with equal bits on every machine.
//!
//! Cylinders are exact against planes, spheres and capsules. Against boxes, hulls and cylinders, prisms of 16
//! sides whose corners lie on the rims determine the near parts; rims over faces, and sides beside corners,
//! edges and sides, are then exact, while rims beside edges are those of the prism. Planar shapes collide with
//! each other and with planes only.
//!
//! The only feature of a superquadric is its surface (`smooth`): one pair of nearest points with each convex
//! shape, several if it is bent. Superquadrics do not collide with triangle surfaces.
//!
//! Nodes and triangles of soft bodies are balls and planes (`system/nodes.rs`).

mod broad;
mod climb;
mod convex;
mod core;
mod cylinder;
mod feature;
mod height_field;
mod mesh;
mod nearest;
mod patch;
mod planar;
mod plane;
mod polygon;
mod polyhedron;
mod query;
mod round;
mod shape;
mod smooth;
mod solid;
mod sweep;
mod tree;
mod triangles;
mod wrap;

#[cfg(test)]
mod tests;
mod tolerances;

use crate::math::{Vec3, complete_basis, dot, sub};
use tolerances::PARALLEL;

pub(crate) use broad::Broad;
use core::Core;
pub(crate) use feature::{Feature, Pair, Place, Touch};
pub use height_field::HeightField;
pub(crate) use nearest::on_triangle;
pub(crate) use patch::Patch;
pub(crate) use plane::points_of;
pub use polygon::Polygon;
pub use polyhedron::Polyhedron;
pub(crate) use query::{cast, distance};
pub use shape::Shape;
pub(crate) use shape::{Aabb, bounds};
pub(crate) use sweep::{Way, thickness};
pub use triangles::Triangles;

/// Largest number of pairs of two shapes, except with a plane.
const MOST_PAIRS: usize = 8;

/// Lists pairs that may touch. Keeps only buffers between calls.
#[derive(Clone, Debug)]
pub(crate) struct Finder {
    point: Polyhedron,
    segment: Polyhedron,
    cube: Polyhedron,
    prism: Polyhedron,
    cores: [Core; 2],
    /// Nearby triangles.
    near: Vec<u32>,
    found: Found,
}

/// The pairs of two shapes, as they are found.
#[derive(Clone, Debug)]
struct Found {
    places: [Place; 2],
    reach: f64,
    /// Points closer than this are the same.
    same: f64,
    pairs: Vec<(Pair, Touch)>,
}

impl Default for Finder {
    fn default() -> Self {
        let corner = |k: u32| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(SIDES);
            [libm::cos(angle), libm::sin(angle)]
        };
        Self {
            point: Polyhedron::point(),
            segment: Polyhedron::segment(),
            cube: Polyhedron::cube(),
            prism: Polyhedron::prism(&(0..SIDES).map(corner).collect::<Vec<_>>()),
            cores: [Core::default(), Core::default()],
            near: vec![],
            found: Found {
                places: [Place::at([0.0; 3]); 2],
                reach: 0.0,
                same: 0.0,
                pairs: vec![],
            },
        }
    }
}

/// Sides of the prism that approximates a cylinder.
const SIDES: u32 = 16;

impl Finder {
    /// Adds to `out` every pair of features of `a` and `b` whose gap is at most `reach`.
    pub(crate) fn find(
        &mut self,
        a: (&Shape, &Place),
        b: (&Shape, &Place),
        reach: f64,
        out: &mut Vec<Pair>,
    ) {
        let swap = self.seek(a, b, reach);
        for (pair, _) in &self.found.pairs {
            let pair = if swap { pair.swapped() } else { *pair };
            out.push(pair);
        }
        // Few, and nearly in order: an insertion sort keeps the browser's module small.
        let n = self.found.pairs.len();
        let own = out.len() - n;
        let own = &mut out[own..];
        for k in 1..n {
            let mut at = k;
            while at > 0 && own[at - 1].id > own[at].id {
                own.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    /// Finds the pairs. Returns whether they are those of b and a.
    fn seek(&mut self, a: (&Shape, &Place), b: (&Shape, &Place), reach: f64) -> bool {
        self.found.pairs.clear();
        self.found.reach = reach;
        self.found.same = 0.0;
        // Kinds have a fixed order: code for (a, b) serves (b, a).
        let swap = rank(a.0) > rank(b.0);
        let (first, second) = if swap { (b, a) } else { (a, b) };
        self.found.places = [*first.1, *second.1];
        self.list(first.0, second.0);
        let are_convex = second.0.surface().is_none();
        self.found.keep_outermost(are_convex);
        swap
    }

    fn list(&mut self, a: &Shape, b: &Shape) {
        use Shape::{Capsule, Cylinder, Plane, Sphere};
        let found = &mut self.found;
        match (a, b) {
            (Plane, Plane) | (Shape::Nodes, _) | (_, Shape::Nodes) => {}
            (Plane, Shape::Superquadric(_)) => smooth::find(a, b, found),
            (Plane, _) => plane::find(b, found),
            _ if a.is_planar() && b.is_planar() => planar::find(a, b, &mut self.cores, found),
            _ if a.is_planar() || b.is_planar() || a.surface().is_some() => {}
            (_, Shape::Superquadric(_)) => smooth::find(a, b, found),
            (Shape::Superquadric(_), _) => {}
            (Sphere { .. } | Capsule { .. }, Sphere { .. } | Capsule { .. }) => {
                round::find(a, b, found);
            }
            (Sphere { .. }, Cylinder { .. }) => cylinder::sphere(a, b, found),
            (Capsule { .. }, Cylinder { .. }) if cylinder::capsule(a, b, found) => {}
            _ => {
                let models = [a, b].map(|shape| match shape {
                    Shape::Hull(hull) => &**hull,
                    Sphere { .. } => &self.point,
                    Capsule { .. } => &self.segment,
                    Cylinder { .. } => &self.prism,
                    _ => &self.cube,
                });
                let [core_a, core_b] = &mut self.cores;
                core_a.load(a, models[0], &found.places, 0);
                if let Some(surface) = b.surface() {
                    let mesh = mesh::Mesh {
                        shape: a,
                        surface,
                        field: match b {
                            Shape::HeightField(own) => Some(own),
                            _ => None,
                        },
                        core: core_a,
                    };
                    mesh.find(core_b, &mut self.near, found);
                    return;
                }
                core_b.load(b, models[1], &found.places, 1);
                solid::find(core_a, core_b, found);
            }
        }
    }
}

/// The order of kinds in a pair.
fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Plane => 0,
        Shape::Sphere { .. } | Shape::Disc { .. } => 1,
        Shape::Capsule { .. } | Shape::Polygon(_) => 2,
        Shape::Box { .. } => 3,
        Shape::Hull(_) => 4,
        Shape::Cylinder { .. } => 5,
        Shape::Superquadric(_) => 6,
        Shape::Mesh(_) => 7,
        Shape::HeightField(_) => 8,
        Shape::Nodes => 9,
    }
}

impl Found {
    /// Adds a pair whose gap is between `low` and the reach, unless there is an equal one.
    fn offer(&mut self, pair: Pair, low: f64) {
        let touch = pair.touch_at(&self.places[0], &self.places[1]);
        self.offer_at(pair, touch, low);
    }

    /// The same with a known touch.
    fn offer_at(&mut self, pair: Pair, touch: Touch, low: f64) {
        if !(touch.gap <= self.reach && touch.gap >= low) {
            return;
        }
        for (known, other) in &self.pairs {
            let apart = sub(touch.point_a, other.point_a);
            let same = dot(apart, apart) < self.same * self.same
                && dot(touch.normal, other.normal) > 0.999;
            if known.id == pair.id || same && other.gap <= touch.gap + self.same {
                return;
            }
        }
        self.pairs.push((pair, touch));
    }

    /// Of many pairs with equal normals, keeps the nearest and the outermost in eight tangential directions.
    /// All pairs of two convex shapes count as having equal normals.
    fn keep_outermost(&mut self, are_convex: bool) {
        let mut from = 0;
        while self.pairs.len() - from > MOST_PAIRS {
            let mut end = self.pairs.len();
            if !are_convex {
                // Moves pairs with the normal of the first next to it.
                let normal = self.pairs[from].1.normal;
                end = from + 1;
                for k in from + 1..self.pairs.len() {
                    if dot(self.pairs[k].1.normal, normal) > PARALLEL {
                        self.pairs.swap(k, end);
                        end += 1;
                    }
                }
            }
            let kept = MOST_PAIRS.min(end - from);
            if end - from > MOST_PAIRS {
                keep_outermost(&mut self.pairs[from..end]);
            }
            self.pairs.drain(from + kept..end);
            from += kept;
        }
    }
}

/// Moves the pairs to keep to the front.
fn keep_outermost(pairs: &mut [(Pair, Touch)]) {
    let nearest = (0..pairs.len()).reduce(|best, k| {
        let nearer = pairs[k].1.gap < pairs[best].1.gap;
        if nearer { k } else { best }
    });
    pairs.swap(0, nearest.unwrap_or(0));
    let least = pairs[0].1.gap;
    let (y, z) = complete_basis(pairs[0].1.normal);
    for kept in 1..MOST_PAIRS {
        let angle = std::f64::consts::TAU * kept as f64 / (MOST_PAIRS - 1) as f64;
        let (cos, sin) = (libm::cos(angle), libm::sin(angle));
        let out = |at: Vec3| cos * dot(y, at) + sin * dot(z, at);
        // A pair must be farther out by ten times its additional height.
        let worth = |touch: &Touch| out(touch.point_b) - 10.0 * (touch.gap - least);
        let mut best = kept;
        for k in kept..pairs.len() {
            if worth(&pairs[k].1) > worth(&pairs[best].1) {
                best = k;
            }
        }
        pairs.swap(kept, best);
    }
}

/// The name of a pair of features, from their names within each shape.
fn name(a: usize, b: usize) -> u32 {
    (a as u32) << 16 | b as u32
}
