//! Convex solids with flat faces, and spheres and capsules against them.
//!
//! The axis of largest separation (faces of both, pairs of edges whose normal lies in the normal cones of both)
//! determines whether they are apart. If its features face each other they are the nearest ones; otherwise
//! these are a corner and an edge or two corners, found by `nearest`. The faces most along the normal give
//! further pairs: corners over the other face, and crossing edges.

use super::core::Core;
use super::mesh::Piece;
use super::nearest::{Near, corner_near, nearest, segments};

use super::{Feature, Found, Pair, Touch, name};
use crate::collide::tolerances::{FREE, LEANS, NEARLY_FLAT, NEARLY_FREE, NEARLY_PARALLEL};
use crate::math::{Vec3, add, cross, dot, neg, norm, scale, sub, unit};

/// The axis of a cylinder, in its frame.
const AXIS: Vec3 = [1.0, 0.0, 0.0];

/// The axis of largest separation of two solids.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    /// A face of a or b, and the corner of the other that is lowest over it.
    Face {
        of_b: bool,
        face: usize,
        corner: usize,
    },
    Edges(usize, usize),
}

/// Pairs of two solids, or of a sphere or capsule a and a solid b.
pub(super) fn find(a: &Core, b: &Core, found: &mut Found) {
    let radius = a.radius + b.radius;
    // Cylinders extend slightly beyond the faces of their prisms.
    let radius = radius + a.bulge + b.bulge;
    let limit = found.reach + radius;
    let tolerance = 1e-9 * a.size.min(b.size) + 1e-13 * a.size.max(b.size);
    found.same = 1e-6 * a.size.min(b.size);
    let Some((axis, normal, separation)) = separate(a, b, limit, tolerance, &|_, _| true) else {
        return;
    };
    let mut list = List {
        a,
        b,
        low: -tolerance - radius,
        tolerance,
        sharp: a.radius + b.radius == 0.0,
        piece: None,
        found,
    };
    if a.round > 0.0 && b.round > 0.0 && list.cylinders(normal, separation <= tolerance) {
        return;
    }
    let facing = list.faces_each_other(axis);
    if separation <= tolerance {
        // They touch or penetrate: only pairs of this axis.
        list.sharp = true;
        list.low = f64::NEG_INFINITY;
        if facing {
            list.axis(axis, normal);
        }
        list.low = 2.0 * separation.min(0.0) - tolerance - radius;
        list.around(normal);
        if list.found.pairs.is_empty() {
            list.low = f64::NEG_INFINITY;
            list.axis(axis, normal);
        }
        return;
    }
    if facing {
        list.axis(axis, normal);
        list.around(normal);
    } else {
        let near = nearest(a, b, normal);
        let apart = sub(near.b, near.a);
        let length = norm(apart);
        // The distance is that of the axis: its normal is exact, although other features are nearest.
        let same = length <= separation + tolerance;
        let normal = if same {
            normal
        } else {
            scale(1.0 / length, apart)
        };
        if !same {
            list.near(&near, normal);
        }
        list.around(normal);
        let listed = |(_, touch): &(Pair, Touch)| touch.gap <= length - radius + 10.0 * tolerance;
        if same && !list.found.pairs.iter().any(listed) {
            list.near(&near, normal);
        }
    }
    if a.normals.is_empty() {
        list.ends();
    }
}

/// The axis of largest separation of those that are wanted, its direction from a to b and how far it separates;
/// `None` beyond the limit.
pub(super) fn separate(
    a: &Core,
    b: &Core,
    limit: f64,
    tolerance: f64,
    is_wanted: &dyn Fn(Axis, Vec3) -> bool,
) -> Option<(Axis, Vec3, f64)> {
    let mut best = f64::NEG_INFINITY;
    let mut axis = Axis::Edges(0, 0);
    let mut normal = [1.0, 0.0, 0.0];
    for (of_b, own, other) in [(false, a, b), (true, b, a)] {
        for face in 0..own.normals.len() {
            let m = own.normals[face];
            let at = dot(m, own.points[own.face(face)[0] as usize]);
            let (mut low, mut corner) = (f64::INFINITY, 0);
            for (k, &point) in other.points.iter().enumerate() {
                let height = dot(m, point) - at;
                if height < low {
                    (low, corner) = (height, k);
                }
            }
            if low > limit {
                return None;
            }
            // Of nearly equal ones the first, so that the choice does not depend on round-off.
            let own = Axis::Face { of_b, face, corner };
            let out = if of_b { neg(m) } else { m };
            if low > best + tolerance && is_wanted(own, out) {
                (best, axis, normal) = (low, own, out);
            }
        }
    }
    // Faces are preferred to nearly equal edges, because they give more pairs.
    let mut edges = best;
    for (i, p) in a.edges.iter().enumerate() {
        for (k, q) in b.edges.iter().enumerate() {
            let c = cross(p.along, q.along);
            // c along the normal cone of a's edge, with one sign or the other, and −c in that of b's.
            let (x, y) = (dot(c, p.into[0]), dot(c, p.into[1]));
            let (z, w) = (dot(c, q.into[0]), dot(c, q.into[1]));
            let plus = x <= 0.0 && y <= 0.0 && z >= 0.0 && w >= 0.0;
            let minus = x >= 0.0 && y >= 0.0 && z <= 0.0 && w <= 0.0;
            if !(plus || minus) {
                continue;
            }
            let length = norm(c);
            if length <= 1e-6 * norm(p.along) * norm(q.along) {
                continue;
            }
            let n = scale(if plus { 1.0 } else { -1.0 } / length, c);
            let between = sub(b.points[q.ends[0] as usize], a.points[p.ends[0] as usize]);
            let separation = dot(n, between);
            if separation > limit {
                return None;
            }
            let own = Axis::Edges(i, k);
            if separation > edges + tolerance && is_wanted(own, n) {
                (edges, axis, normal) = (separation, own, n);
            }
        }
    }
    Some((axis, normal, edges))
}

/// The pairs that `find` lists, and their context.
pub(super) struct List<'a> {
    pub(super) a: &'a Core,
    pub(super) b: &'a Core,
    /// The smallest gap of cores that is listed.
    pub(super) low: f64,
    pub(super) tolerance: f64,
    /// Whether corners and edges have no rounding that would give them a normal.
    pub(super) sharp: bool,
    /// The surface if b is one of its triangles: only accessible parts are listed.
    pub(super) piece: Option<&'a Piece<'a>>,
    pub(super) found: &'a mut Found,
}

/// Between which places of a line its distance from the x axis is at most `radius`.
pub(super) fn within_circle(at: Vec3, along: Vec3, radius: f64) -> Option<[f64; 2]> {
    let across = |u: Vec3, v: Vec3| u[1] * v[1] + u[2] * v[2];
    let (square, half) = (across(along, along), across(at, along));
    let root = half * half - square * (across(at, at) - radius * radius);
    (square > 0.0 && root > 0.0).then(|| {
        let root = root.sqrt();
        [(-half - root) / square, (-half + root) / square]
    })
}

impl List<'_> {
    fn offer(&mut self, a: Feature, b: Feature, sign: f64, names: (usize, usize)) {
        self.offer_round((a, 0.0), (b, 0.0), sign, names);
    }

    /// The same with radii about the features.
    fn offer_round(
        &mut self,
        (a, round_a): (Feature, f64),
        (b, round_b): (Feature, f64),
        sign: f64,
        names: (usize, usize),
    ) {
        let pair = Pair {
            a,
            b,
            radii: [self.a.radius + round_a, self.b.radius + round_b],
            sign,
            id: match self.piece {
                Some(piece) => piece.name(names.0, names.1),
                None => name(names.0, names.1),
            },
        };
        self.found.offer(pair, self.low);
    }

    /// Whether a part of b is accessible from outside.
    fn is_free(&self, on_b: usize, normal: Vec3, sine: f64) -> bool {
        self.piece
            .is_none_or(|piece| piece.is_free(on_b, neg(normal), sine))
    }

    /// Whether the features of an axis face each other, so that they are the nearest.
    pub(super) fn faces_each_other(&self, axis: Axis) -> bool {
        match axis {
            Axis::Face { of_b, face, corner } => {
                let (own, other) = self.sides(of_b);
                own.faces(face, other.points[corner], self.tolerance)
            }
            Axis::Edges(i, k) => {
                let (s, t) = segments(self.a.ends(i), self.b.ends(k));
                s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0
            }
        }
    }

    pub(super) fn sides(&self, of_b: bool) -> (&Core, &Core) {
        if of_b {
            (self.b, self.a)
        } else {
            (self.a, self.b)
        }
    }

    pub(super) fn axis(&mut self, axis: Axis, normal: Vec3) {
        match axis {
            Axis::Face { of_b, face, corner } => self.over(of_b, face, corner),
            Axis::Edges(i, k) => {
                let (a, b) = (self.a, self.b);
                let (s, t) = segments(a.ends(i), b.ends(k));
                let near = Near {
                    a: add(a.ends(i)[0], scale(s, a.edges[i].along)),
                    b: add(b.ends(k)[0], scale(t, b.edges[k].along)),
                    on_a: a.edge_name(i),
                    on_b: b.edge_name(k),
                };
                self.near(&near, normal);
            }
        }
    }

    /// A corner over a face.
    fn over(&mut self, of_b: bool, face: usize, corner: usize) {
        let (a, b) = (self.a, self.b);
        if self.piece.is_none() && self.over_round(of_b, face, corner) {
            return;
        }
        if of_b {
            // Features of a over a triangle are listed separately.
            if self.piece.is_none() {
                let names = (corner, b.face_name(face));
                self.offer(a.corner(corner), b.plane(face), 1.0, names);
            }
        } else if self.is_free(corner, a.normals[face], NEARLY_FREE) {
            let names = (a.face_name(face), corner);
            self.offer(a.plane(face), b.corner(corner), 1.0, names);
        }
    }

    /// The same where the corner or the face stands for a part of a cylinder: its rim over the face, or the corner
    /// beside its side. False where it is no such part, or the rim is so flat on the face that its corners count too.
    fn over_round(&mut self, of_b: bool, face: usize, corner: usize) -> bool {
        let (own, other) = self.sides(of_b);
        let offer = |list: &mut Self, over: (Feature, f64, usize), under: (Feature, f64, usize)| {
            let (a, b) = if of_b { (over, under) } else { (under, over) };
            list.offer_round((a.0, a.1), (b.0, b.1), 1.0, (a.2, b.2));
        };
        match (own.is_side(face), other.round > 0.0) {
            (false, false) => false,
            (true, false) => {
                let side = Feature::Line {
                    at: [0.0; 3],
                    along: AXIS,
                };
                let point = (other.corner(corner), 0.0, corner);
                offer(self, point, (side, own.round, own.side_name()));
                true
            }
            (true, true) => {
                // Cylinders beside each other: ends of one axis beside the other, if they are parallel.
                let [place_a, place_b] = self.found.places;
                let across = cross(place_a.direction(AXIS), place_b.direction(AXIS));
                if norm(across) >= NEARLY_PARALLEL {
                    return false;
                }
                let cap = other.cap(corner);
                let side = Feature::Line {
                    at: [0.0; 3],
                    along: AXIS,
                };
                let end = Feature::Point([other.local[corner][0], 0.0, 0.0]);
                let end = (end, other.round, other.rim_name(cap));
                offer(self, end, (side, own.round, own.side_name()));
                true
            }
            (false, true) => {
                let cap = other.cap(corner);
                let rim = Feature::Circle {
                    center: [other.local[corner][0], 0.0, 0.0],
                    axis: AXIS,
                    radius: other.round,
                };
                let place = &self.found.places[usize::from(!of_b)];
                let origin = self.found.places[0].origin;
                let axis = place.direction(AXIS);
                let normal = own.normals[face];
                let down = sub(scale(dot(normal, axis), axis), normal);
                // Nearly on its cap: its corners too, which stay where they are.
                let is_flat = norm(down) < NEARLY_FLAT;
                if let Some(down) = unit(down) {
                    let center = place.point([other.local[corner][0], 0.0, 0.0]);
                    let lowest = sub(add(center, scale(other.round, down)), origin);
                    if own.faces(face, lowest, self.tolerance) {
                        let plane = (own.plane(face), 0.0, own.face_name(face));
                        offer(self, (rim, 0.0, other.rim_name(cap)), plane);
                    }
                }
                !is_flat
            }
        }
    }

    /// Two cylinders beside each other along their sides, or one whose side lies over a cap of the other: where what
    /// they share of a line begins and ends. Corners of prisms are on both sides of such a line by round-off alone.
    /// False where they do not lie so.
    fn cylinders(&mut self, normal: Vec3, touch: bool) -> bool {
        let places = self.found.places;
        let axes = places.map(|place| place.direction(AXIS));
        let along = axes.map(|axis| dot(axis, normal).abs());
        let cosine = dot(axes[0], axes[1]);
        if touch {
            self.low = f64::NEG_INFINITY;
        }
        let is_across = along.map(|along| along < NEARLY_PARALLEL);
        if is_across == [true, true] && norm(cross(axes[0], axes[1])) < NEARLY_PARALLEL {
            return self.sides_beside(axes, cosine);
        }
        let is_cap = along.map(|along| along > 1.0 - 0.5 * NEARLY_PARALLEL * NEARLY_PARALLEL);
        match (is_cap, is_across) {
            ([true, _], [_, true]) => self.side_over_cap(false, normal),
            ([_, true], [true, _]) => self.side_over_cap(true, neg(normal)),
            _ => false,
        }
    }

    /// Both ends of what two sides share, and the place between where their axes are nearest if they lean.
    fn sides_beside(&mut self, axes: [Vec3; 2], cosine: f64) -> bool {
        let places = self.found.places;
        let (a, b) = (self.a, self.b);
        let halves = [a, b].map(|own| own.local[0][0].abs());
        let apart = sub(places[1].origin, places[0].origin);
        // Of b's middle and half along a.
        let (middle, half) = (dot(apart, axes[0]), halves[1] * cosine.abs());
        let ends = [
            (-halves[0], middle - half, -1.0),
            (halves[0], middle + half, 1.0),
        ];
        let within = [ends[0].0.max(ends[0].1), ends[1].0.min(ends[1].1)];
        if within[0] >= within[1] {
            return false;
        }
        let side = Feature::Line {
            at: [0.0; 3],
            along: AXIS,
        };
        for (k, (of_a, of_b, out)) in ends.into_iter().enumerate() {
            let is_of_a = of_a * out <= of_b * out;
            if is_of_a {
                let end = (Feature::Point([of_a, 0.0, 0.0]), a.round);
                let names = (a.rim_name(k), b.side_name());
                self.offer_round(end, (side, b.round), 1.0, names);
            } else {
                let x = halves[1] * out * 1.0f64.copysign(cosine);
                let end = (Feature::Point([x, 0.0, 0.0]), b.round);
                let names = (a.side_name(), b.rim_name(usize::from(x > 0.0)));
                self.offer_round((side, a.round), end, 1.0, names);
            }
        }
        // Nearest where a's point is apart from b's axis at a right angle to the difference of the directions.
        let lean = sub(axes[0], scale(cosine, axes[1]));
        let square = dot(lean, lean);
        let x = dot(apart, lean) / square;
        if square > LEANS * LEANS && x > within[0] && x < within[1] {
            let point = (Feature::Point([x, 0.0, 0.0]), a.round);
            let names = (a.side_name(), b.side_name());
            self.offer_round(point, (side, b.round), 1.0, names);
        }
        true
    }

    /// What of a side lies over a cap: places of its axis over the plane of the cap. The normal leads out of the cap.
    fn side_over_cap(&mut self, of_b: bool, normal: Vec3) -> bool {
        let [place_a, place_b] = self.found.places;
        let (own, other) = self.sides(of_b);
        let (under, over) = match of_b {
            true => (place_b, place_a),
            false => (place_a, place_b),
        };
        let cap = usize::from(dot(under.direction(AXIS), normal) > 0.0);
        let out = [[-1.0, 1.0][cap], 0.0, 0.0];
        let half = other.local[0][0].abs();
        let middle = under.local_point(over.origin);
        let along = under.local_direction(over.direction(AXIS));
        let Some([low, high]) = within_circle(middle, along, own.round) else {
            return false;
        };
        let (low, high) = (low.max(-half), high.min(half));
        if low >= high {
            return false;
        }
        let plane = Feature::Plane {
            at: scale(own.local[0][0].abs(), out),
            normal: out,
        };
        let (name, first) = (own.rim_name(cap), other.side_name() + 1);
        let (plane, round) = ((plane, 0.0), other.round);
        for (k, x) in [low, high].into_iter().enumerate() {
            let point = (Feature::Point([x, 0.0, 0.0]), round);
            if of_b {
                self.offer_round(point, plane, 1.0, (first + k, name));
            } else {
                self.offer_round(plane, point, 1.0, (name, first + k));
            }
        }
        true
    }

    /// An edge, or the side of the cylinder that it stands for: a line, its radius and its name. Beside chords of rims
    /// edges stay edges: chords end where the prism's edges are.
    fn edge(&self, core: &Core, edge: usize, beside: (&Core, usize)) -> (Feature, f64, usize) {
        let is_chord = beside.0.round > 0.0 && beside.0.side(beside.1).is_none();
        match core.side(edge) {
            Some(side) if self.piece.is_none() && !is_chord => (side, core.round, core.side_name()),
            _ => (core.line(edge), 0.0, core.edge_name(edge)),
        }
    }

    /// Two edges that cross, or the sides that they stand for, if those cross too.
    fn offer_edges(&mut self, i: usize, k: usize, sign: f64) {
        let (a, b) = (self.a, self.b);
        let (p, q) = (self.edge(a, i, (b, k)), self.edge(b, k, (a, i)));
        if p.1 + q.1 > 0.0 {
            let [place_a, place_b] = self.found.places;
            let pair = Pair {
                a: p.0,
                b: q.0,
                radii: [0.0; 2],
                sign,
                id: 0,
            };
            let touch = pair.touch_at(&place_a, &place_b);
            let is_on = |core: &Core, edge: usize, at: Vec3| {
                let [u, v] = core.ends(edge);
                let along = sub(v, u);
                let at = sub(at, place_a.origin);
                let reach = self.tolerance * norm(along);
                let s = dot(sub(at, u), along);
                s >= -reach && s <= dot(along, along) + reach
            };
            if !(is_on(a, i, touch.point_a) && is_on(b, k, touch.point_b)) {
                return;
            }
        }
        self.offer_round((p.0, p.1), (q.0, q.1), sign, (p.2, q.2));
    }

    /// The nearest pair, with its normal: exact where it is rounded, over a plane that supports b or a where it is
    /// sharp.
    pub(super) fn near(&mut self, near: &Near, normal: Vec3) {
        let (a, b) = (self.a, self.b);
        let names = (near.on_a, near.on_b);
        let corner = |core: &Core, name: usize| name < core.points.len();
        let edge = |core: &Core, name: usize| name < core.points.len() + core.edges.len();
        if !edge(a, near.on_a) || !edge(b, near.on_b) {
            let of_b = corner(a, near.on_a);
            let (own, _) = self.sides(of_b);
            let (face, point) = if of_b {
                (near.on_b, near.on_a)
            } else {
                (near.on_a, near.on_b)
            };
            self.over(of_b, face - own.face_name(0), point);
            return;
        }
        if !self.is_free(near.on_b, normal, FREE) {
            return;
        }
        let [place_a, place_b] = self.found.places;
        let world = |at: Vec3| add(at, place_a.origin);
        let point_a = Feature::Point(place_a.local_point(world(near.a)));
        let point_b = Feature::Point(place_b.local_point(world(near.b)));
        let (on_a, on_b) = (corner(a, near.on_a), corner(b, near.on_b));
        let on_edges = !on_a && !on_b;
        let along = |core: &Core, edge: usize| core.edges[edge - core.points.len()].along;
        if on_edges {
            let (d, e) = (along(a, near.on_a), along(b, near.on_b));
            if norm(cross(d, e)) >= NEARLY_PARALLEL * norm(d) * norm(e) {
                let sign = if dot(cross(d, e), normal) < 0.0 {
                    -1.0
                } else {
                    1.0
                };
                self.offer_edges(near.on_a - a.points.len(), near.on_b - b.points.len(), sign);
                return;
            }
        }
        // Beside the side of a cylinder, along it: as far from its axis as the other's point is.
        let side = |core: &Core, name: usize| {
            let edge = name.checked_sub(core.points.len())?;
            let side = core.side(edge).filter(|_| self.piece.is_none())?;
            Some((side, core.round, core.side_name()))
        };
        match (side(a, near.on_a), side(b, near.on_b)) {
            (None, Some((line, round, name))) => {
                self.offer_round((point_a, 0.0), (line, round), 1.0, (names.0, name));
                return;
            }
            (Some((line, round, name)), None) => {
                self.offer_round((line, round), (point_b, 0.0), 1.0, (name, names.1));
                return;
            }
            _ => {}
        }
        if self.sharp {
            // On the body of the edge; of two corners or edges on b.
            let (first, second) = if on_b && !on_a {
                let plane = Feature::Plane {
                    at: place_a.local_point(world(near.a)),
                    normal: place_a.local_direction(normal),
                };
                (plane, point_b)
            } else {
                let plane = Feature::Plane {
                    at: place_b.local_point(world(near.b)),
                    normal: place_b.local_direction(neg(normal)),
                };
                (point_a, plane)
            };
            self.offer(first, second, 1.0, names);
        } else if on_b && !on_a {
            self.offer(a.line(near.on_a - a.points.len()), point_b, 1.0, names);
        } else if on_b {
            self.offer(point_a, point_b, 1.0, names);
        } else {
            self.offer(point_a, b.line(near.on_b - b.points.len()), 1.0, names);
        }
    }

    /// Further pairs along this normal: corners over the face of the other, and crossing edges of both faces.
    pub(super) fn around(&mut self, normal: Vec3) {
        let (a, b) = (self.a, self.b);
        let (face_a, face_b) = (a.toward(normal), b.toward(neg(normal)));
        for (of_b, face) in [(true, face_b), (false, face_a)] {
            let Some(face) = face else { continue };
            let (own, other) = if of_b { (b, a) } else { (a, b) };
            for corner in 0..other.points.len() {
                if own.faces(face, other.points[corner], self.tolerance) {
                    self.over(of_b, face, corner);
                }
            }
        }
        if self.piece.is_none() {
            self.beside();
        }
        let on = |core: &Core, face: Option<usize>, edge: usize| {
            face.is_none_or(|face| {
                let corners = core.face(face);
                core.edges[edge]
                    .ends
                    .iter()
                    .all(|end| corners.contains(end))
            })
        };
        for i in 0..a.edges.len() {
            if !on(a, face_a, i) {
                continue;
            }
            for k in 0..b.edges.len() {
                if on(b, face_b, k) {
                    self.cross(i, k, normal);
                }
            }
        }
    }

    /// Edges along the side of a cylinder: where both begin and where both end.
    fn beside(&mut self) {
        for of_b in [false, true] {
            let (own, other) = match of_b {
                true => (self.b, self.a),
                false => (self.a, self.b),
            };
            if own.round == 0.0 || other.round > 0.0 {
                continue;
            }
            let places = self.found.places;
            let (place, under) = (places[usize::from(of_b)], places[usize::from(!of_b)]);
            let axis = place.direction(AXIS);
            let middle = sub(place.origin, places[0].origin);
            let half = own.local[0][0].abs();
            for (k, edge) in other.edges.iter().enumerate() {
                let length = norm(edge.along);
                if norm(cross(edge.along, axis)) > NEARLY_PARALLEL * length {
                    continue;
                }
                let from = other.points[edge.ends[0] as usize];
                // Places along the axis of both ends of the edge, within the cylinder.
                let [u, v] = other.ends(k).map(|end| dot(sub(end, middle), axis));
                let (low, high) = (u.min(v).max(-half), u.max(v).min(half));
                if low >= high {
                    continue;
                }
                for (end, x) in [low, high].into_iter().enumerate() {
                    let at = add(from, scale((x - u) / (v - u), edge.along));
                    let out = sub(add(middle, scale(x, axis)), at);
                    if !unit(out).is_some_and(|out| other.cone(k, out, 0.1)) {
                        continue;
                    }
                    let point = Feature::Point(under.local_point(add(places[0].origin, at)));
                    let side = Feature::Line {
                        at: [0.0; 3],
                        along: AXIS,
                    };
                    let name = other.n_names() + 2 * k + end;
                    if of_b {
                        let names = (name, own.side_name());
                        self.offer_round((point, 0.0), (side, own.round), 1.0, names);
                    } else {
                        let names = (own.side_name(), name);
                        self.offer_round((side, own.round), (point, 0.0), 1.0, names);
                    }
                }
            }
        }
    }

    /// Two edges, if they cross seen along their own normal, and that is near the one of the solids.
    fn cross(&mut self, i: usize, k: usize, normal: Vec3) {
        let (a, b) = (self.a, self.b);
        let (d, e) = (a.edges[i].along, b.edges[k].along);
        let c = cross(d, e);
        let (length, product) = (norm(c), norm(d) * norm(e));
        if length <= 1e-6 * product {
            return;
        }
        let n = scale(if dot(c, normal) < 0.0 { -1.0 } else { 1.0 } / length, c);
        let w = sub(b.ends(k)[0], a.ends(i)[0]);
        let s = dot(cross(w, e), c) / (length * length);
        let t = dot(cross(w, d), c) / (length * length);
        let inside =
            |s: f64, d: Vec3| s * norm(d) > self.tolerance && (1.0 - s) * norm(d) > self.tolerance;
        let seen = dot(n, normal) > 0.9 && inside(s, d) && inside(t, e);
        if !(seen && a.cone(i, n, 0.1) && b.cone(k, neg(n), 0.1)) {
            return;
        }
        let names = (a.edge_name(i), b.edge_name(k));
        if !self.is_free(names.1, n, NEARLY_FREE) {
            return;
        }
        if length >= NEARLY_PARALLEL * product {
            let sign = if dot(c, n) < 0.0 { -1.0 } else { 1.0 };
            self.offer_edges(i, k, sign);
            return;
        }
        // Nearly parallel: the point of a's edge over b's face, or of b's under a's.
        let [place_a, place_b] = self.found.places;
        if let (Some(face), None) = (b.toward(neg(normal)), self.piece) {
            let at = add(place_a.origin, add(a.ends(i)[0], scale(s, d)));
            let point = Feature::Point(place_a.local_point(at));
            self.offer(point, b.plane(face), 1.0, names);
        } else if let Some(face) = a.toward(normal) {
            let at = add(place_a.origin, add(b.ends(k)[0], scale(t, e)));
            let point = Feature::Point(place_b.local_point(at));
            self.offer(a.plane(face), point, 1.0, names);
        }
    }

    /// The ends of a rod each by itself, and the corners of an edge beside the rod: what lies along it has two.
    pub(super) fn ends(&mut self) {
        let (a, b) = (self.a, self.b);
        for corner in 0..a.points.len() {
            if let Some(near) = corner_near(a, corner, b, self.tolerance)
                && let Some(normal) = unit(sub(near.b, near.a))
            {
                self.near(&near, normal);
            }
        }
        let Some(rod) = a.edges.first() else { return };
        let (along, from) = (rod.along, a.points[0]);
        for (k, edge) in b.edges.iter().enumerate() {
            if norm(cross(edge.along, along)) > NEARLY_PARALLEL * norm(edge.along) * norm(along) {
                continue;
            }
            for end in b.edges[k].ends {
                let corner = b.points[end as usize];
                let s = dot(sub(corner, from), along) / dot(along, along);
                let foot = add(from, scale(s, along));
                // Only corners that look at the rod: edges on the far side do not touch it.
                let Some(normal) = unit(sub(corner, foot)) else {
                    continue;
                };
                let looks =
                    b.cone(k, neg(normal), 0.1) && self.is_free(end as usize, normal, NEARLY_FREE);
                if s > 0.0 && s < 1.0 && looks {
                    let names = (a.edge_name(0), end as usize);
                    self.offer(a.line(0), b.corner(end as usize), 1.0, names);
                }
            }
        }
    }
}
