//! Convex shapes against surfaces of triangles.
//!
//! Each nearby triangle is a solid without thickness, with its front on the side of the other shape's middle
//! (or up, for ground). Of the pairs that `solid` lists, only those with an accessible part of the surface are
//! kept (`triangles`): a triangle by its plane, an edge or a corner only along a direction that is free there.
//! Inner and concave edges are never touched, so a shape that slides over a floor of triangles touches only its
//! plane.
//!
//! If the nearest part of a triangle is in a concave corner, its plane is listed too, if the shape is in front
//! of it and can reach the triangle: a ball that rolls along the bottom of a bowl reaches the next triangle
//! within a step.

use super::core::Core;
use super::nearest::{nearest, on_triangle};
use super::plane;
use super::shape::bounds;
use super::solid::{Axis, List, separate};
use super::tree::Visit;
use super::triangles::{Part, Triangles};
use super::{Found, HeightField, Pair, Place, Shape};
use crate::collide::tolerances::{FREE, LEAST_REACH};
use crate::math::{Vec3, add, dot, neg, norm, scale, sub};

/// If more triangles are in reach, the reach is halved, and so on.
const MOST_NEAR: usize = 256;

/// One triangle, and the ids of its parts: corners, then edges, then the face.
pub(super) struct Piece<'a> {
    surface: &'a Triangles,
    triangle: usize,
    /// Of the surface.
    place: Place,
    /// Number of ids of the other shape.
    n_names: u32,
}

fn part(name: usize) -> Part {
    match name {
        0..3 => Part::Corner(name),
        3..6 => Part::Edge(name - 3),
        _ => Part::Face,
    }
}

impl Piece<'_> {
    /// Whether a direction of the world is free at a part, to an angle of this sine.
    pub(super) fn is_free(&self, name: usize, n: Vec3, sine: f64) -> bool {
        let n = self.place.local_direction(n);
        self.surface.is_free(self.triangle, part(name), n, sine)
    }

    /// The name of a pair, from those of its parts.
    pub(super) fn name(&self, other: usize, own: usize) -> u32 {
        let own = self.surface.name(self.triangle, part(own));
        own.wrapping_mul(self.n_names).wrapping_add(other as u32)
    }
}

/// The pairs of a shape, loaded as `core`, and a surface.
pub(super) struct Mesh<'a> {
    pub(super) shape: &'a Shape,
    pub(super) surface: &'a Triangles,
    /// The height field, if everything below the surface is solid.
    pub(super) field: Option<&'a HeightField>,
    pub(super) core: &'a Core,
}

impl Mesh<'_> {
    /// Lists them; `near` is room.
    pub(super) fn find(&self, triangle: &mut Core, near: &mut Vec<u32>, found: &mut Found) {
        let middle = self.find_near(near, found);
        found.same = 1e-6 * self.core.size;
        if let Some(field) = self.field
            && let Some((height, under)) = field.above(middle)
            && height < 0.0
        {
            // Below ground: the plane of the triangle above.
            triangle.load_triangle((self.surface, under), 1.0, &found.places);
            self.at(under, 1.0, triangle, found, true);
            return;
        }
        for &at in near.iter() {
            let at = at as usize;
            let [corner, ..] = self.surface.corners(at);
            let height = dot(self.surface.normal(at), sub(middle, corner));
            let is_front = self.field.is_some() || height >= 0.0;
            let side = if is_front { 1.0 } else { -1.0 };
            triangle.load_triangle((self.surface, at), side, &found.places);
            self.at(at, side, triangle, found, false);
        }
    }

    /// Finds the triangles in reach; the middle of the shape, as the surface sees it.
    fn find_near(&self, near: &mut Vec<u32>, found: &mut Found) -> Vec3 {
        let [place, surface] = &found.places;
        let own = &self.core.points;
        let sum = own.iter().fold([0.0; 3], |sum, &point| add(sum, point));
        let middle = scale(1.0 / own.len() as f64, sum);
        let out = own.iter().map(|&point| norm(sub(point, middle)));
        let radius = out.fold(0.0, f64::max) + self.core.radius + self.core.bulge;
        let middle = surface.local_point(add(place.origin, middle));
        let around = bounds(self.shape, &place.seen_from(surface));
        loop {
            near.clear();
            let reach = found.reach;
            let is_least = reach <= LEAST_REACH;
            let within = around.grown(reach);
            self.surface.tree.visit(&mut |visit| match visit {
                Visit::Box(own) => {
                    (is_least || near.len() <= MOST_NEAR)
                        && own.overlaps(&within)
                        && own.distance(middle) <= radius + reach
                }
                Visit::Thing(triangle) => {
                    near.push(triangle);
                    true
                }
            });
            if is_least || near.len() <= MOST_NEAR {
                return middle;
            }
            found.reach = (0.5 * reach).max(LEAST_REACH);
        }
    }

    /// Lists the pairs of one triangle; its plane, if the whole shape is below it.
    fn at(&self, triangle: usize, side: f64, core: &Core, found: &mut Found, is_under: bool) {
        let a = self.core;
        let piece = Piece {
            surface: self.surface,
            triangle,
            place: found.places[1],
            n_names: a.n_names() as u32,
        };
        let tolerance = 1e-9 * a.size;
        let mut list = List {
            a,
            b: core,
            low: -tolerance - a.radius - a.bulge,
            tolerance,
            sharp: a.radius == 0.0,
            piece: Some(&piece),
            found,
        };
        let one = One {
            mesh: self,
            piece: &piece,
            side,
        };
        if is_under {
            list.low = f64::NEG_INFINITY;
            one.over(&mut list, &Over::All);
        } else {
            one.list(&mut list);
        }
    }
}

/// Which features of the shape are listed over the plane of a triangle.
enum Over {
    /// Those over the triangle itself.
    Triangle,
    /// Those that can reach it.
    Near,
    All,
}

/// One triangle.
struct One<'a> {
    mesh: &'a Mesh<'a>,
    piece: &'a Piece<'a>,
    side: f64,
}

impl One<'_> {
    fn list(&self, list: &mut List<'_>) {
        let (a, b, tolerance) = (list.a, list.b, list.tolerance);
        let limit = list.found.reach + a.radius + a.bulge;
        let all = |_: Axis, _: Vec3| true;
        let Some((axis, normal, separation)) = separate(a, b, limit, tolerance, &all) else {
            return;
        };
        if separation <= tolerance {
            self.inside(list);
        } else {
            self.apart(list, axis, normal);
        }
    }

    /// Pairs of a shape that does not touch the triangle, except by its rounding.
    fn apart(&self, list: &mut List<'_>, axis: Axis, normal: Vec3) {
        let (a, b) = (list.a, list.b);
        self.over(list, &Over::Triangle);
        if let (Axis::Face { .. }, true) = (axis, list.faces_each_other(axis)) {
            list.axis(axis, normal);
            list.around(normal);
        } else {
            let near = nearest(a, b, normal);
            let apart = sub(near.b, near.a);
            let normal = scale(1.0 / norm(apart), apart);
            let hidden = !self.piece.is_free(near.on_b, neg(normal), FREE);
            list.near(&near, normal);
            list.around(normal);
            let (at, part) = (self.piece.triangle, part(near.on_b));
            let is_front = |&point: &Vec3| b.height(0, point) >= a.radius - list.tolerance;
            if hidden
                && self.mesh.surface.is_hollow(at, part, self.side)
                && a.points.iter().all(is_front)
            {
                self.over(list, &Over::Near);
            }
        }
        if a.normals.is_empty() {
            list.ends();
        }
    }

    /// Pairs of a shape that intersects the triangle: along the free direction of least depth.
    fn inside(&self, list: &mut List<'_>) {
        let (a, b) = (list.a, list.b);
        let is_free = |axis: Axis, normal: Vec3| match axis {
            Axis::Face { of_b: true, .. } => true,
            Axis::Face { corner, .. } => self.piece.is_free(corner, neg(normal), FREE),
            Axis::Edges(_, k) => self.piece.is_free(3 + k, neg(normal), FREE),
        };
        let Some((axis, normal, depth)) = separate(a, b, f64::INFINITY, list.tolerance, &is_free)
        else {
            return;
        };
        list.sharp = true;
        list.low = f64::NEG_INFINITY;
        if list.faces_each_other(axis) {
            list.axis(axis, normal);
        }
        list.low = 2.0 * depth.min(0.0) - list.tolerance - a.radius - a.bulge;
        self.over(list, &Over::Triangle);
        list.around(normal);
    }

    /// Lists features of the shape over the plane of the triangle.
    fn over(&self, list: &mut List<'_>, which: &Over) {
        let (surface, at) = (self.mesh.surface, self.piece.triangle);
        let [place_a, place_b] = list.found.places;
        let normal = scale(self.side, surface.normal(at));
        let x = place_b.local_direction(place_a.direction([1.0, 0.0, 0.0]));
        let plane = surface.plane(at, self.side);
        let (low, tolerance) = (list.low, list.tolerance);
        let reach = list.found.reach;
        plane::features(
            self.mesh.shape,
            dot(normal, x),
            &mut |feature, radius, id| {
                let pair = Pair {
                    a: feature,
                    b: plane,
                    radii: [radius, 0.0],
                    sign: 1.0,
                    id: self.piece.name(id, 6),
                };
                let touch = pair.touch_at(&place_a, &place_b);
                let from_a = |point: Vec3| sub(point, place_a.origin);
                let is_there = match which {
                    Over::Triangle => list.b.faces(0, from_a(touch.point_b), tolerance),
                    Over::Near => {
                        let point = from_a(touch.point_a);
                        let [u, v, w] = list.b.points[..] else {
                            return;
                        };
                        norm(sub(point, on_triangle(point, [u, v, w]))) <= reach
                    }
                    Over::All => true,
                };
                if is_there {
                    list.found.offer(pair, low);
                }
            },
        );
    }
}
