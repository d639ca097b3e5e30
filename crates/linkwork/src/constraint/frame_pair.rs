//! The lower pairs, all by one mechanism: which relative translations and rotations of two frames
//! are held (Faure 1998, Table 1). Their rows in the plane are in `planar_pair.rs`.
//!
//! The ball joint is the point-to-point constraint of Metaxas 1993, eq. 29.
//!
//! | joint         | rows held      | free                                        |
//! |---------------|----------------|---------------------------------------------|
//! | weld          | 3 t + 3 r      | nothing                                     |
//! | hinge         | 3 t + 2 r      | rotation about x                            |
//! | universal     | 3 t + 1 r      | rotation about x of a and about y of b      |
//! | ball          | 3 t            | rotation                                    |
//! | prismatic     | 2 t + 3 r      | translation along x                         |
//! | cylindrical   | 2 t + 2 r      | translation along and rotation about x      |
//! | planar        | 1 t + 2 r      | translation across and rotation about x     |
//! | point-in-slot | 2 t            | translation along x of a, rotation          |
//! | point-on-plane| 1 t            | translation across x of a, rotation         |
//! | parallel      | 3 r            | translation                                 |
//!
//! The main axis is x of either frame, Faure's *i*. With `d = p_b − p_a`, the translation rows are
//! `d` itself in world axes when all three are held, else the held components of `R_aᵀ·d`. The
//! rotation rows are the smallest rotation that restores the joint, its free part factored out, in
//! frame a: the rotation vector (weld, prismatic), the arc from axis a to axis b (hinge,
//! cylindrical, planar), or π/2 minus the angle between the axes (universal). They are smooth
//! through every free angle, and their Jacobian is exact off the constraint too:
//!
//! ```text
//!     ċ_t = T·(ṗ_b − ṗ_a − ω_a × arm)         arm = 0 (world axes) or d (axes of frame a)
//!     ċ_r = G·(ω_b − ω_a)
//! ```

use std::f64::consts::{FRAC_PI_2, PI};

use super::tolerances::{PARALLEL_AXES, SMALLEST_SINE};
use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Error;
use crate::math::{
    IDENTITY3, Mat3, Vec3, add, column, complete_basis, cross, dot, left_jacobian_inverse,
    left_jacobian_inverse_rate, mat_mul, mat_t_mul, mat_t_vec, mat_vec, neg, norm, rotation_log,
    scale, sub, transpose,
};

/// Which relative rotations a pair holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationRows {
    /// None.
    Free,
    /// One: the axis x of frame a stays perpendicular to the axis y of frame b.
    Universal,
    /// Two: the axes x of both frames stay parallel.
    Axis,
    /// Three: the frames stay parallel.
    Full,
}

impl RotationRows {
    /// How many rows.
    pub const fn n_rows(self) -> usize {
        match self {
            Self::Free => 0,
            Self::Universal => 1,
            Self::Axis => 2,
            Self::Full => 3,
        }
    }
}

/// A joint between two frames (or a frame and a point, or two points).
///
/// Between connectors in the plane it holds x, y and the angle, as `planar_pair.rs` says; a pair
/// that holds one or two rotations has no counterpart there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramePair {
    translation: [bool; 3],
    rotation: RotationRows,
    units: [RowUnit; 6],
}

/// A frame at one instant, as [`FramePair::evaluate`] reads it.
#[derive(Clone, Copy, Debug)]
pub struct FrameMotion {
    /// Origin.
    pub position: Vec3,
    /// `rot_world_frame`; not read when the pair leaves this frame's axes alone.
    pub rotation: Mat3,
    /// Velocity of the origin.
    pub velocity: Vec3,
    /// Angular velocity, world axes.
    pub omega: Vec3,
}

impl FrameMotion {
    /// The world's axes, at rest.
    pub(super) const STILL: Self = Self {
        position: [0.0; 3],
        rotation: IDENTITY3,
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };

    /// A frame, or a point taken as a frame parallel to the world's that does not turn.
    #[inline]
    pub fn of(input: &Input<'_>) -> Self {
        let frame = input.kind == ConnectorKind::Frame3;
        Self {
            position: input.position(),
            rotation: if frame { input.rotation() } else { IDENTITY3 },
            velocity: input.velocity(),
            omega: if frame { input.omega() } else { [0.0; 3] },
        }
    }
}

/// The displacement of a point along an axis of frame a, `c = e·d` with `d = p − p_a`.
///
/// With `w = ḋ − ω_a × d`: ċ = e·w, and
/// c̈ = e·(d̈ − ω̇_a × d) + e·(ω_a × (ω_a × d) − 2·ω_a × ḋ).
pub(super) struct Displacement {
    pub(super) d: Vec3,
    /// The velocity seen from frame a, world axes.
    pub(super) w: Vec3,
    /// What the turning of frame a adds to the acceleration.
    pub(super) bend: Vec3,
}

impl Displacement {
    #[inline(always)]
    pub(super) fn of(a: &FrameMotion, position: Vec3, velocity: Vec3) -> Self {
        let d = sub(position, a.position);
        let d_dot = sub(velocity, a.velocity);
        Self {
            d,
            w: sub(d_dot, cross(a.omega, d)),
            bend: sub(
                cross(a.omega, cross(a.omega, d)),
                scale(2.0, cross(a.omega, d_dot)),
            ),
        }
    }

    /// Writes `e·d`, its rate, γ and `∂c/∂x` into row `i` between frame a and a point or frame.
    pub(super) fn write(&self, i: usize, e: Vec3, out: &mut Rows<'_>) {
        out.c[i] = dot(e, self.d);
        out.c_dot[i] = dot(e, self.w);
        out.gamma[i] = dot(e, self.bend);
        out.dc_dx(0).set3(i, 0, neg(e));
        // −e·(ω_a × d) = −(d × e)·ω_a.
        out.dc_dx(0).set3(i, 3, neg(cross(self.d, e)));
        out.dc_dx(1).set3(i, 0, e);
    }
}

/// The rows of a frame pair at one instant.
#[derive(Clone, Copy, Debug)]
pub struct PairRows {
    /// Translation directions `T`, world axes, orthonormal; the first `n_t` count.
    pub t: [Vec3; 3],
    /// Rotation directions `G`, world axes; the first `n_r` count.
    pub g: [Vec3; 3],
    /// From the origin of frame a to where its material point is held.
    pub arm_a: Vec3,
    /// `c`, translations first.
    pub c: [f64; 6],
    /// `ċ`.
    pub c_dot: [f64; 6],
    /// `γ`.
    pub gamma: [f64; 6],
}

impl PairRows {
    /// All zero, translations along the world's axes.
    pub const ZERO: Self = Self {
        t: IDENTITY3,
        g: [[0.0; 3]; 3],
        arm_a: [0.0; 3],
        c: [0.0; 6],
        c_dot: [0.0; 6],
        gamma: [0.0; 6],
    };
}

const POINTS: [ConnectorKind; 2] = [ConnectorKind::Point3, ConnectorKind::Point3];
const FRAME_POINT: [ConnectorKind; 2] = [ConnectorKind::Frame3, ConnectorKind::Point3];
const FRAMES: [ConnectorKind; 2] = [ConnectorKind::Frame3, ConnectorKind::Frame3];

impl FramePair {
    /// A pair that holds the given translations (along x, y, z of frame a) and rotations.
    pub const fn new(translation: [bool; 3], rotation: RotationRows) -> Self {
        let n_t = translation[0] as usize + translation[1] as usize + translation[2] as usize;
        let mut units = [RowUnit::Radian; 6];
        let mut i = 0;
        while i < n_t {
            units[i] = RowUnit::Meter;
            i += 1;
        }
        Self {
            translation,
            rotation,
            units,
        }
    }

    /// Two points coincide.
    pub const fn ball() -> Self {
        Self::new([true; 3], RotationRows::Free)
    }

    /// Origins coincide, axes x are parallel.
    pub const fn hinge() -> Self {
        Self::new([true; 3], RotationRows::Axis)
    }

    /// Origins coincide, x of a is perpendicular to y of b.
    pub const fn universal() -> Self {
        Self::new([true; 3], RotationRows::Universal)
    }

    /// Slides along and turns about x.
    pub const fn cylindrical() -> Self {
        Self::new([false, true, true], RotationRows::Axis)
    }

    /// Slides along x.
    pub const fn prismatic() -> Self {
        Self::new([false, true, true], RotationRows::Full)
    }

    /// Slides across and turns about x.
    pub const fn planar() -> Self {
        Self::new([true, false, false], RotationRows::Axis)
    }

    /// A point of b stays on the axis x of frame a.
    pub const fn point_in_slot() -> Self {
        Self::new([false, true, true], RotationRows::Free)
    }

    /// A point of b stays in the plane across x of frame a.
    pub const fn point_on_plane() -> Self {
        Self::new([true, false, false], RotationRows::Free)
    }

    /// Frames coincide.
    pub const fn weld() -> Self {
        Self::new([true; 3], RotationRows::Full)
    }

    /// Frames stay parallel.
    pub const fn parallel() -> Self {
        Self::new([false; 3], RotationRows::Full)
    }

    /// Translations held, along x, y, z of frame a.
    pub fn translation(&self) -> [bool; 3] {
        self.translation
    }

    /// Rotations held.
    pub fn rotation(&self) -> RotationRows {
        self.rotation
    }

    /// Number of translation rows.
    #[inline]
    pub fn n_translation_rows(&self) -> usize {
        self.translation.iter().filter(|held| **held).count()
    }

    /// True when all three translations are held: the rows are then along the world's axes.
    #[inline]
    pub fn holds_point(&self) -> bool {
        self.translation == [true; 3]
    }

    /// `T`, `G`, `c`, `ċ` and `γ` for two frames.
    ///
    /// A pair that holds a point leaves `t` and `arm_a` as [`PairRows::ZERO`] has them.
    #[inline(always)]
    pub fn evaluate(&self, a: &FrameMotion, b: &FrameMotion, out: &mut PairRows) {
        let d = sub(b.position, a.position);
        let d_dot = sub(b.velocity, a.velocity);
        let n_t = if self.holds_point() {
            // c = d in world axes: nothing of frame a's rotation enters.
            out.c[..3].copy_from_slice(&d);
            out.c_dot[..3].copy_from_slice(&d_dot);
            out.gamma[..3].fill(0.0);
            3
        } else {
            self.translation_rows_of_frame_a(a, b, out)
        };
        let (c, c_dot, gamma) = (
            &mut out.c[n_t..],
            &mut out.c_dot[n_t..],
            &mut out.gamma[n_t..],
        );
        match self.rotation {
            RotationRows::Free => {}
            RotationRows::Universal => {
                let row = universal_row(a, b);
                (out.g[0], c[0], c_dot[0], gamma[0]) = row;
            }
            RotationRows::Axis => {
                let rows = axis_rows(a, b);
                out.g[..2].copy_from_slice(&rows.g);
                c[..2].copy_from_slice(&rows.c);
                c_dot[..2].copy_from_slice(&rows.c_dot);
                gamma[..2].copy_from_slice(&rows.gamma);
            }
            RotationRows::Full => {
                full_rows(a, b, &mut out.g, c, c_dot, gamma);
            }
        }
    }

    /// Rows `e_k·R_aᵀ·d`, for each held axis k of frame a.
    fn translation_rows_of_frame_a(
        &self,
        a: &FrameMotion,
        b: &FrameMotion,
        out: &mut PairRows,
    ) -> usize {
        let Displacement { d, w, bend } = Displacement::of(a, b.position, b.velocity);
        out.arm_a = d;
        let mut n = 0;
        for k in 0..3 {
            if self.translation[k] {
                let t = column(&a.rotation, k);
                out.t[n] = t;
                out.c[n] = dot(t, d);
                out.c_dot[n] = dot(t, w);
                out.gamma[n] = dot(t, bend);
                n += 1;
            }
        }
        n
    }
}

/// `c = asin(u)`, `u = a·b`, for axes `a` of frame a and `b` of frame b:
/// `u̇ = (ω_b − ω_a)·(b × a)`.
fn universal_row(a: &FrameMotion, b: &FrameMotion) -> (Vec3, f64, f64, f64) {
    let (axis_a, axis_b) = (column(&a.rotation, 0), column(&b.rotation, 1));
    let omega = sub(b.omega, a.omega);
    let u = dot(axis_a, axis_b).clamp(-1.0, 1.0);
    let normal = cross(axis_b, axis_a);
    let sine = norm(normal);
    if sine < PARALLEL_AXES {
        // The axes are parallel and turning about either side helps: take a fixed one.
        let (side, _) = complete_basis(axis_a);
        let (c, side) = (u.signum() * FRAC_PI_2, scale(-u.signum(), side));
        return (side, c, dot(side, omega), 0.0);
    }
    let u_dot = dot(omega, normal);
    let normal_dot = add(
        cross(cross(b.omega, axis_b), axis_a),
        cross(axis_b, cross(a.omega, axis_a)),
    );
    let gamma = dot(omega, normal_dot) / sine + u * u_dot * u_dot / (sine * sine * sine);
    (
        scale(1.0 / sine, normal),
        libm::atan2(u, sine),
        u_dot / sine,
        gamma,
    )
}

/// The two rows that keep the main axes of two frames parallel.
pub(crate) struct AxisRows {
    pub(crate) g: [Vec3; 2],
    pub(crate) c: [f64; 2],
    pub(crate) c_dot: [f64; 2],
    pub(crate) gamma: [f64; 2],
}

/// The arc from axis x of frame a to axis x of frame b, as components along y and z of frame a.
///
/// With the axes `a_k` of frame a, `b = x_b`, `u_k = a_k·b` and `κ = θ/sin θ`, `cos θ = u₀`:
/// `c = κ·(−u₂, u₁)`. Of each product,
///
/// ```text
///     u̇_k = (ω_b − ω_a)·(b × a_k)
///     ü_k = (ω̇_b − ω̇_a)·(b × a_k)
///           + (ω_a·a_k)·(ω_a·b) + (ω_b·a_k)·(ω_b·b − 2·ω_a·b) − |ω_b − ω_a|²·u_k
/// ```
#[inline(always)]
pub(crate) fn axis_rows(a: &FrameMotion, b: &FrameMotion) -> AxisRows {
    let axes = [
        column(&a.rotation, 0),
        column(&a.rotation, 1),
        column(&a.rotation, 2),
    ];
    let axis_b = column(&b.rotation, 0);
    let omega = sub(b.omega, a.omega);
    let (wa_b, wb_b) = (dot(a.omega, axis_b), dot(b.omega, axis_b));
    let omega2 = dot(omega, omega);
    let (mut u, mut u_dot, mut u_ddot) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let mut normal = [[0.0; 3]; 3];
    for k in 0..3 {
        u[k] = dot(axes[k], axis_b);
        normal[k] = cross(axis_b, axes[k]);
        u_dot[k] = dot(omega, normal[k]);
        u_ddot[k] = dot(a.omega, axes[k]) * wa_b + dot(b.omega, axes[k]) * (wb_b - 2.0 * wa_b)
            - omega2 * u[k];
    }
    // Not from 1 − cos²: near half a turn that leaves no digits.
    let sine2 = u[1] * u[1] + u[2] * u[2];
    if u[0] < 0.0 && sine2 < SMALLEST_SINE * SMALLEST_SINE {
        // Turned right round, every arc is as short: take the one about y, or c = κ·0 would be a
        // false root. The limit's rows, the second one bounded in length.
        return AxisRows {
            g: [axes[1], neg(axes[2])],
            c: [PI, 0.0],
            c_dot: [dot(axes[1], omega), -dot(axes[2], omega)],
            gamma: [0.0; 2],
        };
    }
    let (k, dk, ddk) = arc_over_sine(u[0], sine2);
    let k_dot = dk * u_dot[0];
    let k_ddot = ddk * u_dot[0] * u_dot[0] + dk * u_ddot[0];
    // s = (−u₂, u₁), and its derivatives likewise.
    let s = |v: Vec3| [-v[2], v[1]];
    let (s0, s1, s2) = (s(u), s(u_dot), s(u_ddot));
    let gamma = |i: usize| k * s2[i] + 2.0 * k_dot * s1[i] + k_ddot * s0[i];
    AxisRows {
        g: [
            add(scale(-k, normal[2]), scale(dk * s0[0], normal[0])),
            add(scale(k, normal[1]), scale(dk * s0[1], normal[0])),
        ],
        c: [k * s0[0], k * s0[1]],
        c_dot: [k * s1[0] + k_dot * s0[0], k * s1[1] + k_dot * s0[1]],
        gamma: [gamma(0), gamma(1)],
    }
}

/// `κ = θ/sin θ` and its first two derivatives, as functions of `u = cos θ`.
///
/// Near u = 1 from the series `Σ 2ⁿ·n!²/(2n+1)!·(1−u)ⁿ`. Infinite at u = −1, where the direction of
/// the arc is not defined; the caller chooses one.
#[inline(always)]
fn arc_over_sine(u: f64, sin2: f64) -> (f64, f64, f64) {
    let z = 1.0 - u;
    if z < 1e-5 {
        // A closed joint: three terms are exact to round-off.
        let k = 1.0 + z * (1.0 / 3.0 + z * (2.0 / 15.0));
        return (
            k,
            -1.0 / 3.0 - z * (4.0 / 15.0 + z * (6.0 / 35.0)),
            4.0 / 15.0 + z * (12.0 / 35.0),
        );
    }
    arc_over_sine_open(u, sin2)
}

/// [`arc_over_sine`] away from u = 1.
#[inline(never)]
fn arc_over_sine_open(u: f64, sin2: f64) -> (f64, f64, f64) {
    let z = 1.0 - u;
    if z < 1e-2 {
        const K: [f64; 7] = [
            1.0,
            1.0 / 3.0,
            2.0 / 15.0,
            2.0 / 35.0,
            8.0 / 315.0,
            8.0 / 693.0,
            16.0 / 3003.0,
        ];
        let k = K[0] + z * (K[1] + z * (K[2] + z * (K[3] + z * (K[4] + z * (K[5] + z * K[6])))));
        let dz = K[1]
            + z * (2.0 * K[2]
                + z * (3.0 * K[3] + z * (4.0 * K[4] + z * (5.0 * K[5] + z * 6.0 * K[6]))));
        let ddz =
            2.0 * K[2] + z * (6.0 * K[3] + z * (12.0 * K[4] + z * (20.0 * K[5] + z * 30.0 * K[6])));
        return (k, -dz, ddz);
    }
    let sin = sin2.sqrt();
    let theta = libm::atan2(sin, u);
    let rest = sin - theta * u;
    (
        theta / sin,
        -rest / (sin2 * sin),
        (theta / sin2 - 3.0 * u * rest / (sin2 * sin2)) / sin,
    )
}

/// The rotation vector from frame a to frame b, in frame a: `φ = log(R_aᵀ·R_b)`,
/// `φ̇ = J_l⁻¹(φ)·R_aᵀ·(ω_b − ω_a)`.
fn full_rows(
    a: &FrameMotion,
    b: &FrameMotion,
    g: &mut [Vec3; 3],
    c: &mut [f64],
    c_dot: &mut [f64],
    gamma: &mut [f64],
) {
    let rot_a = &a.rotation;
    let phi = rotation_log(&mat_t_mul(rot_a, &b.rotation));
    let w = mat_t_vec(rot_a, sub(b.omega, a.omega));
    // The rate of ω_b − ω_a seen from frame a lacks this.
    let drag = neg(cross(a.omega, b.omega));
    let inverse = left_jacobian_inverse(phi);
    let phi_dot = mat_vec(&inverse, w);
    let rate = left_jacobian_inverse_rate(phi, phi_dot);
    let bend = add(mat_vec(&rate, w), mat_vec(&inverse, mat_t_vec(rot_a, drag)));
    *g = mat_mul(&inverse, &transpose(rot_a));
    c[..3].copy_from_slice(&phi);
    c_dot[..3].copy_from_slice(&phi_dot);
    gamma[..3].copy_from_slice(&bend);
}

impl Constraint for FramePair {
    fn inputs(&self) -> &[ConnectorKind] {
        match (self.holds_point(), self.rotation) {
            (true, RotationRows::Free) => &POINTS,
            (false, RotationRows::Free) => &FRAME_POINT,
            _ => &FRAMES,
        }
    }

    fn rows(&self) -> &[RowUnit] {
        &self.units[..self.n_translation_rows() + self.rotation.n_rows()]
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        self.planar_inputs()
    }

    fn rows_in_plane(&self) -> &[RowUnit] {
        // Meters come first: leave out that of z, and all turns but one.
        let (n, n_planar) = (self.n_translation_rows(), self.n_planar_translations());
        let turns = usize::from(self.rotation == RotationRows::Full);
        &self.units[n - n_planar..n + turns]
    }

    fn validate(&self) -> Result<(), Error> {
        if self.rows().is_empty() {
            return Err(Error::field(
                "translation",
                "and rotation hold nothing; hold something",
            ));
        }
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        if inputs[0].kind.is_planar() {
            return self.write_planar_rows(inputs, out);
        }
        let (a, b) = (FrameMotion::of(&inputs[0]), FrameMotion::of(&inputs[1]));
        self.write_rows(&a, &b, inputs[0].kind == ConnectorKind::Frame3, out);
    }

    fn as_frame_pair(&self) -> Option<&FramePair> {
        Some(self)
    }
}

impl FramePair {
    /// [`FramePair::evaluate`], once for all that is not in a pool.
    #[inline(never)]
    pub(super) fn rows_at(&self, a: &FrameMotion, b: &FrameMotion) -> PairRows {
        let mut rows = PairRows::ZERO;
        self.evaluate(a, b, &mut rows);
        rows
    }

    /// Evaluates the pair into the first rows of `out`.
    pub(super) fn write_rows(
        &self,
        a: &FrameMotion,
        b: &FrameMotion,
        a_is_frame: bool,
        out: &mut Rows<'_>,
    ) {
        let rows = self.rows_at(a, b);
        let n_t = self.n_translation_rows();
        let n = n_t + self.rotation.n_rows();
        out.c[..n].copy_from_slice(&rows.c[..n]);
        out.c_dot[..n].copy_from_slice(&rows.c_dot[..n]);
        out.gamma[..n].copy_from_slice(&rows.gamma[..n]);
        for i in 0..n_t {
            out.dc_dx(0).set3(i, 0, neg(rows.t[i]));
            out.dc_dx(1).set3(i, 0, rows.t[i]);
            if a_is_frame {
                // −t·(ω_a × arm) = −(arm × t)·ω_a.
                out.dc_dx(0).set3(i, 3, neg(cross(rows.arm_a, rows.t[i])));
            }
        }
        for i in n_t..n {
            out.dc_dx(0).set3(i, 3, neg(rows.g[i - n_t]));
            out.dc_dx(1).set3(i, 3, rows.g[i - n_t]);
        }
    }
}

#[cfg(test)]
mod tests;
