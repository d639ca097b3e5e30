//! The geometry of contact: shapes and poses in, pairs of features out.
//!
//! What may touch is a pair of *features* of two shapes: corners, edges, faces, rims, each a material part in the
//! frame of its shape. The gap between two features is a closed form of the two poses (`feature`), so that it can
//! be asked for at any pose near the one where `Finder::find` listed the pair.
//!
//! Rules of a list:
//! - Every pair is a condition of its own: what does not penetrate has no negative gap. All can hold at once.
//! - The least gap is the distance of the shapes, if they are apart and nearer than `reach`. Where they penetrate, it
//!   is that of the axis of least depth, with the neighbors of the same faces.
//! - Sharp corners and edges that meet at a corner (corner to corner, corner to edge) have no normal when they touch.
//!   They are listed as a corner over a plane that supports the other shape, fixed in it: the same gap, points and
//!   rates at this pose, signed, and less than the true distance at others.
//! - It is a function of shapes, poses and reach alone, ordered by id, the same bits everywhere.
//!
//! Cylinders are exact against planes, spheres and capsules. Against boxes, hulls and cylinders prisms of 16 sides,
//! whose corners lie on the rims, tell which parts are near; rims over faces, and sides beside corners, edges and
//! parallel or crossing sides are exact, rims beside edges those of the prism. Shapes of the plane meet each other and
//! planes only.
//!
//! Superquadrics have no features but their surface (`smooth`): one pair of nearest points with each convex shape,
//! several where they are bent. They do not meet surfaces of triangles.
//!
//! Nodes and triangles of soft bodies are balls and planes at places of their own (`system/nodes.rs`).

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

/// A list of at most so many pairs for two shapes, but for those with a plane.
const MOST_PAIRS: usize = 8;

/// Lists what may touch. Keeps buffers, and nothing else, between calls.
#[derive(Clone, Debug)]
pub(crate) struct Finder {
    point: Polyhedron,
    segment: Polyhedron,
    cube: Polyhedron,
    prism: Polyhedron,
    cores: [Core; 2],
    /// Triangles that are near.
    near: Vec<u32>,
    found: Found,
}

/// The pairs of two shapes, as they are found.
#[derive(Clone, Debug)]
struct Found {
    places: [Place; 2],
    reach: f64,
    /// Points nearer than this are one.
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

/// Sides of the prism that stands for a cylinder.
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
        // Few, and nearly in order: no sort of its own for the browser.
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

    /// Finds the pairs; whether they are those of b and a.
    fn seek(&mut self, a: (&Shape, &Place), b: (&Shape, &Place), reach: f64) -> bool {
        self.found.pairs.clear();
        self.found.reach = reach;
        self.found.same = 0.0;
        // One order of kinds: what is written for (a, b) serves (b, a).
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

/// The order in which kinds come in a pair.
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
    /// Takes a pair whose gap is from `low` to the reach, unless there is one like it.
    fn offer(&mut self, pair: Pair, low: f64) {
        let touch = pair.touch_at(&self.places[0], &self.places[1]);
        self.offer_at(pair, touch, low);
    }

    /// The same, where it is known how the pair stands.
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

    /// Of many pairs with one normal the nearest, and those farthest out in eight directions across it. Pairs of two
    /// convex shapes all count as having one.
    fn keep_outermost(&mut self, are_convex: bool) {
        let mut from = 0;
        while self.pairs.len() - from > MOST_PAIRS {
            let mut end = self.pairs.len();
            if !are_convex {
                // Those with the normal of the first come next.
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

/// Puts the pairs that are kept first.
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
        // Higher ones count less: what is ten times as far out as high is worth keeping.
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
