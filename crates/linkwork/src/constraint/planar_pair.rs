//! Joints of planar bodies, all by one mechanism: which relative translations and whether the
//! relative rotation of two frames in the plane are held.
//!
//! | joint         | rows held | free                                  | inputs          |
//! |---------------|-----------|---------------------------------------|-----------------|
//! | pin           | 2 t       | rotation                              | point and point |
//! | weld          | 2 t + 1 r | nothing                               | frame and frame |
//! | slider        | 1 t + 1 r | translation along x of a              | frame and frame |
//! | point-in-slot | 1 t       | translation along x of a, rotation    | frame and point |
//! | parallel      | 1 r       | translation                           | frame and frame |
//!
//! With `d = p_b − p_a`, the translation rows are `d` itself in world axes when both are held, else
//! the held component of `R_aᵀ·d`. The rotation row is `θ_b − θ_a`. Angles in the plane are
//! unbounded, they count turns, so this row has one root only: a body one turn ahead is not
//! parallel but 2π away. With `E` the quarter turn, `Ṙ_a = θ̇_a·E·R_a`:
//!
//! ```text
//!     ċ_t = R_aᵀ·(ḋ − θ̇_a·E·d)       γ_t = −R_aᵀ·(θ̇_a²·d + 2·θ̇_a·E·ḋ)
//! ```

use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;

/// A joint between two frames in the plane (or a frame and a point, or two points).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanarPair {
    translation: [bool; 2],
    rotation: bool,
    units: [RowUnit; 3],
}

const POINTS: [ConnectorKind; 2] = [ConnectorKind::Point2, ConnectorKind::Point2];
const FRAME_POINT: [ConnectorKind; 2] = [ConnectorKind::Frame2, ConnectorKind::Point2];
const FRAMES: [ConnectorKind; 2] = [ConnectorKind::Frame2, ConnectorKind::Frame2];

impl PlanarPair {
    /// A pair that holds the given translations (along x, y of frame a) and perhaps the rotation.
    pub const fn new(translation: [bool; 2], rotation: bool) -> Self {
        let n_t = translation[0] as usize + translation[1] as usize;
        let mut units = [RowUnit::Radian; 3];
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
    pub const fn pin() -> Self {
        Self::new([true; 2], false)
    }

    /// Frames coincide.
    pub const fn weld() -> Self {
        Self::new([true; 2], true)
    }

    /// Slides along x of frame a without turning.
    pub const fn slider() -> Self {
        Self::new([false, true], true)
    }

    /// A point of b stays on the axis x of frame a.
    pub const fn point_in_slot() -> Self {
        Self::new([false, true], false)
    }

    /// Frames stay parallel.
    pub const fn parallel() -> Self {
        Self::new([false; 2], true)
    }

    /// Translations held, along x, y of frame a.
    pub fn translation(&self) -> [bool; 2] {
        self.translation
    }

    /// Whether the rotation is held.
    pub fn rotation(&self) -> bool {
        self.rotation
    }

    fn n_translation_rows(&self) -> usize {
        usize::from(self.translation[0]) + usize::from(self.translation[1])
    }

    /// Rows along the world's axes.
    fn hold_point(inputs: &[Input<'_>], out: &mut Rows<'_>) {
        for k in 0..2 {
            out.c[k] = inputs[1].x[k] - inputs[0].x[k];
            out.c_dot[k] = inputs[1].x_dot[k] - inputs[0].x_dot[k];
            out.dc_dx(0).set(k, k, -1.0);
            out.dc_dx(1).set(k, k, 1.0);
        }
    }

    /// The row along axis `k` of frame a.
    fn hold_along(k: usize, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let row = AlongRow::new(k, &inputs[0], &inputs[1]);
        out.c[0] = row.c;
        out.c_dot[0] = row.c_dot;
        out.gamma[0] = row.gamma;
        out.dc_dx(0).set3(0, 0, row.d_frame);
        out.dc_dx(1).row_mut(0)[..2].copy_from_slice(&row.d_point);
    }
}

/// The displacement of a point along an axis of a frame in the plane, `c = e·(p − p_a)`.
pub(super) struct AlongRow {
    pub(super) c: f64,
    pub(super) c_dot: f64,
    pub(super) gamma: f64,
    /// `∂c/∂x` of the frame.
    pub(super) d_frame: [f64; 3],
    /// `∂c/∂x` of the point.
    pub(super) d_point: [f64; 2],
}

impl AlongRow {
    /// Along axis `k` (x or y) of `frame`.
    pub(super) fn new(k: usize, frame: &Input<'_>, point: &Input<'_>) -> Self {
        let (sin, cos) = (libm::sin(frame.x[2]), libm::cos(frame.x[2]));
        let spin = frame.x_dot[2];
        let axis = if k == 0 { [cos, sin] } else { [-sin, cos] };
        // e·(E·d) = (Eᵀ·e)·d: the axis turned back by a quarter.
        let back = [axis[1], -axis[0]];
        let along = |e: [f64; 2], p: &[f64], q: &[f64]| e[0] * (p[0] - q[0]) + e[1] * (p[1] - q[1]);
        let (d, d_dot) = (
            along(axis, point.x, frame.x),
            along(axis, point.x_dot, frame.x_dot),
        );
        let (d_back, d_dot_back) = (
            along(back, point.x, frame.x),
            along(back, point.x_dot, frame.x_dot),
        );
        Self {
            c: d,
            c_dot: d_dot - spin * d_back,
            gamma: -spin * spin * d - 2.0 * spin * d_dot_back,
            d_frame: [-axis[0], -axis[1], -d_back],
            d_point: axis,
        }
    }
}

impl Constraint for PlanarPair {
    fn inputs(&self) -> &[ConnectorKind] {
        match (self.translation, self.rotation) {
            ([true, true], false) => &POINTS,
            (_, false) => &FRAME_POINT,
            (_, true) => &FRAMES,
        }
    }

    fn rows(&self) -> &[RowUnit] {
        &self.units[..self.n_translation_rows() + usize::from(self.rotation)]
    }

    fn validate(&self) -> Result<(), Invalid> {
        if self.rows().is_empty() {
            return Err(Invalid::new(
                "translation",
                "and rotation hold nothing; hold something",
            ));
        }
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        match self.translation {
            [true, true] => Self::hold_point(inputs, out),
            [true, false] => Self::hold_along(0, inputs, out),
            [false, true] => Self::hold_along(1, inputs, out),
            [false, false] => {}
        }
        if self.rotation {
            let i = self.n_translation_rows();
            out.c[i] = inputs[1].x[2] - inputs[0].x[2];
            out.c_dot[i] = inputs[1].x_dot[2] - inputs[0].x_dot[2];
            out.dc_dx(0).set(i, 2, -1.0);
            out.dc_dx(1).set(i, 2, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;

    #[test]
    fn every_joint_keeps_the_contract() {
        for (seed, pair) in (0..).zip([
            PlanarPair::pin(),
            PlanarPair::weld(),
            PlanarPair::slider(),
            PlanarPair::point_in_slot(),
            PlanarPair::parallel(),
            PlanarPair::new([true, false], false),
            PlanarPair::new([true, false], true),
        ]) {
            check_constraint(&pair, seed).unwrap_or_else(|violation| {
                panic!("{pair:?}: {violation}");
            });
        }
    }

    #[test]
    fn a_pair_that_holds_nothing_is_refused() {
        let nothing = PlanarPair::new([false; 2], false);
        assert_eq!(nothing.validate().unwrap_err().field, "translation");
    }
}
