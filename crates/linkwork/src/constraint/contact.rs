//! The contact pair of two implicit surfaces, by Newton's method.
//!
//! Both points stay on their surfaces and move in their tangent planes. With `T` the two tangents
//! at `x_a`, a step `(δ_a, δ_b)` solves, to first order,
//!
//! ```text
//!     Tᵀ·(x_b − x_a)  + Tᵀ·(δ_b − δ_a − g·S_a·δ_a) = 0          the gap lies along the normal
//!     Tᵀ·(n_a + n_b)  + Tᵀ·(S_a·δ_a + S_b·δ_b)     = 0          the normals oppose each other
//! ```
//!
//! then both points are put back on their surfaces. No normal turns by more than a third of a
//! radian per step. The same 4 × 4 matrix gives the slidings of the contact points in a motion.

use super::tolerances::{
    ALONG_A_LINE, CONVERGED, FOUND, MAX_CONTACT_STEPS, MAX_HALVINGS, MAX_NORMAL_TURN, MAX_WALK,
};
use super::{FrameMotion, Surface};
use crate::math::{
    Vec3, add, complete_basis, cross, dot, mat_t_vec, mat_vec, norm, scale, sub, sym_vec,
};

/// A surface in the world.
pub(super) struct Placed<'a> {
    surface: &'a dyn Surface,
    frame: &'a FrameMotion,
}

/// A point of a surface, and how the normal turns there.
#[derive(Clone, Copy)]
pub(super) struct SurfacePoint {
    /// World position.
    pub(super) x: Vec3,
    /// Unit normal outwards, world axes.
    pub(super) normal: Vec3,
    /// Tangents that complete the normal.
    tangents: [Vec3; 2],
    /// `S` applied to the tangents: rates of the normal, world axes.
    turns: [Vec3; 2],
}

impl<'a> Placed<'a> {
    pub(super) fn new(surface: &'a dyn Surface, frame: &'a FrameMotion) -> Self {
        Self { surface, frame }
    }

    fn local(&self, x: Vec3) -> Vec3 {
        mat_t_vec(&self.frame.rotation, sub(x, self.frame.position))
    }

    fn world(&self, p: Vec3) -> Vec3 {
        add(self.frame.position, mat_vec(&self.frame.rotation, p))
    }

    /// A point of the surface on the side of `x`.
    fn start_near(&self, x: Vec3) -> Vec3 {
        self.world(self.surface.start_near(self.local(x)))
    }

    /// The point of the surface that Newton's method along the gradient reaches from `x`.
    fn point(&self, x: Vec3) -> SurfacePoint {
        let mut p = self.local(x);
        for _ in 0..8 {
            let (value, gradient) = (self.surface.value(p), self.surface.gradient(p));
            let step = scale(value / dot(gradient, gradient).max(1e-24), gradient);
            p = sub(p, step);
            if dot(step, step) <= 1e-30 * dot(p, p) {
                break;
            }
        }
        let gradient = self.surface.gradient(p);
        let length = norm(gradient).max(1e-12);
        let n = scale(1.0 / length, gradient);
        let (t0, t1) = complete_basis(n);
        let hessian = self.surface.hessian(p);
        let shape = |t: Vec3| {
            let turn = scale(1.0 / length, sym_vec(&hessian, t));
            sub(turn, scale(dot(n, turn), n))
        };
        let out = |v: Vec3| mat_vec(&self.frame.rotation, v);
        SurfacePoint {
            x: self.world(p),
            normal: out(n),
            tangents: [out(t0), out(t1)],
            turns: [out(shape(t0)), out(shape(t1))],
        }
    }
}

impl Placed<'_> {
    /// A point of this surface on the side of `other`, or, if its normal would look the same way
    /// (deep overlap), on the side that looks against the other's normal.
    fn facing(&self, other: &SurfacePoint) -> SurfacePoint {
        let near = self.point(self.start_near(other.x));
        if dot(near.normal, other.normal) <= 0.0 {
            return near;
        }
        let away = 2.0 * norm(sub(other.x, self.frame.position));
        let against = sub(self.frame.position, scale(away, other.normal));
        self.point(self.start_near(against))
    }

    /// A point of the surface nearer to `goal` than `from`: a step down the distance, as long as
    /// the curvature allows.
    fn walk(&self, from: &SurfacePoint, goal: Vec3) -> SurfacePoint {
        let d = sub(goal, from.x);
        let curvature = norm(from.turns[0]).max(norm(from.turns[1]));
        let mut share = 1.0 / (1.0 + curvature * norm(d));
        let aside = sub(d, scale(dot(from.normal, d), from.normal));
        for _ in 0..MAX_HALVINGS {
            let next = self.point(add(from.x, scale(share, aside)));
            if norm(sub(goal, next.x)) < norm(d) {
                return next;
            }
            share *= 0.5;
        }
        *from
    }
}

/// `Σ coefficient·vector`.
fn combine(coefficients: [f64; 2], vectors: [Vec3; 2]) -> Vec3 {
    add(
        scale(coefficients[0], vectors[0]),
        scale(coefficients[1], vectors[1]),
    )
}

/// A contact pair.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub(super) a: SurfacePoint,
    pub(super) b: SurfacePoint,
    /// `n·(x_b − x_a)`.
    pub(super) gap: f64,
    /// How far the conditions are from holding.
    error: f64,
}

impl Contact {
    /// The contact pair of two surfaces.
    pub(super) fn find(a: &Placed<'_>, b: &Placed<'_>) -> Self {
        // Two starts: from b's origin towards a, and from a's origin towards b. Either is good
        // unless the origin says nothing of where the surface is, as that of a plane.
        let toward_a = a.start_near(b.frame.position);
        let on_a = a.point(toward_a);
        let first = Self::refine(a, b, on_a, b.facing(&on_a));
        if first.error <= FOUND && first.gap > 0.0 {
            // Apart: for convex surfaces the pair is unique.
            return first;
        }
        let toward_b = b.start_near(a.frame.position);
        let on_b = b.point(toward_b);
        let second = Self::refine(a, b, a.facing(&on_b), on_b);
        let best = first.or(second);
        if best.error <= FOUND {
            return best;
        }
        // Long thin bodies: let the points walk towards each other first.
        let (mut on_a, mut on_b) = (on_a, on_b);
        for _ in 0..MAX_WALK {
            on_a = a.walk(&on_a, on_b.x);
            on_b = b.walk(&on_b, on_a.x);
        }
        best.or(Self::refine(a, b, on_a, on_b))
    }

    /// The pair that is found; if both are, the one with the larger gap.
    fn or(self, other: Self) -> Self {
        let better = match (self.error <= FOUND, other.error <= FOUND) {
            (true, true) => other.gap > self.gap,
            (false, false) => other.error < self.error,
            (_, other_found) => other_found,
        };
        if better { other } else { self }
    }

    fn at(a: SurfacePoint, b: SurfacePoint, size: f64) -> Self {
        let d = sub(b.x, a.x);
        let gap = dot(a.normal, d);
        let aside = norm(sub(d, scale(gap, a.normal)));
        Self {
            a,
            b,
            gap,
            error: aside / size + norm(add(a.normal, b.normal)),
        }
    }

    fn refine(a: &Placed<'_>, b: &Placed<'_>, on_a: SurfacePoint, on_b: SurfacePoint) -> Self {
        // Positions are known to round-off of the coordinates they are computed from.
        let size = norm(sub(a.frame.position, b.frame.position))
            .max(norm(sub(on_a.x, a.frame.position)))
            .max(norm(sub(on_b.x, b.frame.position)))
            .max(1e-300);
        let mut contact = Self::at(on_a, on_b, size);
        for _ in 0..MAX_CONTACT_STEPS {
            if contact.error <= CONVERGED {
                break;
            }
            let d = sub(contact.b.x, contact.a.x);
            let n = add(contact.a.normal, contact.b.normal);
            let (along_a, along_b) = contact.solve(d, n);
            let turn = norm(combine(along_a, contact.a.turns))
                .max(norm(combine(along_b, contact.b.turns)));
            let step = |point: &SurfacePoint, along: [f64; 2], share: f64| {
                add(point.x, scale(share, combine(along, point.tangents)))
            };
            let mut share = if turn > MAX_NORMAL_TURN {
                MAX_NORMAL_TURN / turn
            } else {
                1.0
            };
            let mut next = contact;
            for _ in 0..MAX_HALVINGS {
                next = Self::at(
                    a.point(step(&contact.a, along_a, share)),
                    b.point(step(&contact.b, along_b, share)),
                    size,
                );
                if next.error < contact.error {
                    break;
                }
                share *= 0.5;
            }
            if next.error >= contact.error {
                // Round-off, or a place Newton's method does not lead out of.
                break;
            }
            contact = next;
        }
        contact
    }

    /// Steps along the tangents of a and of b that cancel an offset `d` of `x_b − x_a` and a
    /// deviation `n` of `n_a + n_b`. Surfaces that touch along a line (a cylinder on a plane, parallel cylinders) touch
    /// at any of its points: the matrix is singular, and one of the steps along the line is zero. For motions that keep
    /// the line, the gap and its derivatives are the same at all of its points.
    fn solve(&self, d: Vec3, n: Vec3) -> ([f64; 2], [f64; 2]) {
        let mut matrix = [[0.0; 4]; 4];
        let mut right = [0.0; 4];
        for (i, t) in self.a.tangents.into_iter().enumerate() {
            for k in 0..2 {
                let moved_a = add(self.a.tangents[k], scale(self.gap, self.a.turns[k]));
                matrix[i][k] = -dot(t, moved_a);
                matrix[i][2 + k] = dot(t, self.b.tangents[k]);
                matrix[2 + i][k] = dot(t, self.a.turns[k]);
                matrix[2 + i][2 + k] = dot(t, self.b.turns[k]);
            }
            right[i] = -dot(t, d);
            right[2 + i] = -dot(t, n);
        }
        let x = solve4(matrix, right);
        ([x[0], x[1]], [x[2], x[3]])
    }

    /// Slidings σ_a, σ_b of the contact points and ṅ, for angular velocities and the relative
    /// velocity `v = v_b − v_a` of the material points in contact.
    ///
    /// Differentiated contact equations: `Tᵀ·(v + σ_b − σ_a − g·(ω_a × n + S_a·σ_a)) = 0` and
    /// `Tᵀ·(ω_a × n_a + ω_b × n_b + S_a·σ_a + S_b·σ_b) = 0`. Where they cannot all be solved (two planes, concentric
    /// spheres, a line that is left), as many are as can be.
    pub(super) fn sliding(&self, omega_a: Vec3, omega_b: Vec3, v: Vec3) -> (Vec3, Vec3, Vec3) {
        let carried_a = cross(omega_a, self.a.normal);
        let carried_b = cross(omega_b, self.b.normal);
        let d = sub(v, scale(self.gap, carried_a));
        let (along_a, along_b) = self.solve(d, add(carried_a, carried_b));
        (
            combine(along_a, self.a.tangents),
            combine(along_b, self.b.tangents),
            add(carried_a, combine(along_a, self.a.turns)),
        )
    }
}

/// Gaussian elimination with full pivoting. The first two rows are lengths, the last two angles: each two are scaled
/// together, so that a row of round-off stays one. What is lost in it is left out: such unknowns are zero, and such
/// rows hold as well as the others let them.
fn solve4(mut matrix: [[f64; 4]; 4], mut right: [f64; 4]) -> [f64; 4] {
    for first in [0, 2] {
        let rows = first..first + 2;
        let entries = matrix[rows.clone()].as_flattened();
        let largest = entries.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let scale = match largest.is_finite() && largest >= 1e-300 {
            true => 1.0 / largest,
            false => 0.0,
        };
        for i in rows {
            matrix[i] = matrix[i].map(|v| if scale > 0.0 { v * scale } else { 0.0 });
            right[i] *= scale;
        }
    }
    let mut unknowns = [0, 1, 2, 3];
    let mut rank = 0;
    while rank < 4 {
        let (mut row, mut column) = (rank, rank);
        for i in rank..4 {
            for k in rank..4 {
                if matrix[i][k].abs() > matrix[row][column].abs() {
                    (row, column) = (i, k);
                }
            }
        }
        if matrix[row][column].abs() < ALONG_A_LINE {
            break;
        }
        matrix.swap(rank, row);
        right.swap(rank, row);
        for row in &mut matrix {
            row.swap(rank, column);
        }
        unknowns.swap(rank, column);
        for i in rank + 1..4 {
            let factor = matrix[i][rank] / matrix[rank][rank];
            for k in rank..4 {
                matrix[i][k] -= factor * matrix[rank][k];
            }
            right[i] -= factor * right[rank];
        }
        rank += 1;
    }
    let mut out = [0.0; 4];
    for k in (0..rank).rev() {
        for i in k + 1..rank {
            right[k] -= matrix[k][i] * right[i];
        }
        right[k] /= matrix[k][k];
        out[unknowns[k]] = right[k];
    }
    out
}
