//! The rows of a [`FramePair`] between planar bodies: which relative translations and whether the
//! relative rotation of two frames in the plane are held.
//!
//! | joint          | rows held | free                                  | inputs          |
//! |----------------|-----------|---------------------------------------|-----------------|
//! | ball: a pin    | 2 t       | rotation                              | point and point |
//! | weld           | 2 t + 1 r | nothing                               | frame and frame |
//! | prismatic      | 1 t + 1 r | translation along x of a              | frame and frame |
//! | point-in-slot  | 1 t       | translation along x of a, rotation    | frame and point |
//! | point-on-plane | 1 t       | translation along y of a, rotation    | frame and point |
//! | parallel       | 1 r       | translation                           | frame and frame |
//!
//! With `d = p_b − p_a`, the translation rows are `d` itself in world axes when both are held, else
//! the held component of `R_aᵀ·d`. The rotation row is `θ_b − θ_a`. Angles in the plane are
//! unbounded, they count turns, so this row has one root only: a body one turn ahead is not
//! parallel but 2π away. With `E` the quarter turn, `Ṙ_a = θ̇_a·E·R_a`:
//!
//! ```text
//!     ċ_t = R_aᵀ·(ḋ − θ̇_a·E·d)       γ_t = −R_aᵀ·(θ̇_a²·d + 2·θ̇_a·E·ḋ)
//! ```

use super::{FramePair, RotationRows, Rows};
use crate::connector::{ConnectorKind, Input};

impl FramePair {
    /// What it takes in the plane; nothing if it would hold nothing there, or if its axis lies in the
    /// plane and is held.
    pub(super) fn planar_inputs(&self) -> &'static [ConnectorKind] {
        match (self.n_planar_translations(), self.rotation()) {
            (_, RotationRows::Universal | RotationRows::Axis) | (0, RotationRows::Free) => &[],
            (2, RotationRows::Free) => &[ConnectorKind::Point2; 2],
            (_, RotationRows::Free) => &[ConnectorKind::Frame2, ConnectorKind::Point2],
            (_, RotationRows::Full) => &[ConnectorKind::Frame2; 2],
        }
    }

    /// Whether it is a pin in the plane: a point is held, and nothing else.
    pub(crate) fn is_pin(&self) -> bool {
        self.planar_inputs() == [ConnectorKind::Point2; 2]
    }

    /// Number of translation rows in the plane.
    pub(super) fn n_planar_translations(&self) -> usize {
        let [x, y, _] = self.translation();
        usize::from(x) + usize::from(y)
    }

    pub(super) fn write_planar_rows(&self, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        match self.translation() {
            [true, true, _] => hold_point(inputs, out),
            [true, false, _] => AlongRow::new(0, &inputs[0], &inputs[1]).write(out),
            [false, true, _] => AlongRow::new(1, &inputs[0], &inputs[1]).write(out),
            [false, false, _] => {}
        }
        if self.rotation() == RotationRows::Full {
            angle_row(self.n_planar_translations(), inputs, out);
        }
    }
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

/// `θ_b − θ_a` into row `i`.
pub(super) fn angle_row(i: usize, inputs: &[Input<'_>], out: &mut Rows<'_>) {
    out.c[i] = inputs[1].x[2] - inputs[0].x[2];
    out.c_dot[i] = inputs[1].x_dot[2] - inputs[0].x_dot[2];
    out.dc_dx(0).set(i, 2, -1.0);
    out.dc_dx(1).set(i, 2, 1.0);
}

/// The displacement of a point along an axis of a frame in the plane, `c = e·(p − p_a)`.
pub(super) struct AlongRow {
    c: f64,
    c_dot: f64,
    gamma: f64,
    /// `∂c/∂x` of the frame.
    d_frame: [f64; 3],
    /// `∂c/∂x` of the point.
    d_point: [f64; 2],
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

    /// Writes it as the first row.
    pub(super) fn write(&self, out: &mut Rows<'_>) {
        out.c[0] = self.c;
        out.c_dot[0] = self.c_dot;
        out.gamma[0] = self.gamma;
        out.dc_dx(0).set3(0, 0, self.d_frame);
        out.dc_dx(1).row_mut(0)[..2].copy_from_slice(&self.d_point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Constraint, check_constraint};

    #[test]
    fn every_joint_keeps_the_contract() {
        for (seed, pair) in (0..).zip([
            FramePair::ball(),
            FramePair::weld(),
            FramePair::prismatic(),
            FramePair::point_in_slot(),
            FramePair::point_on_plane(),
            FramePair::parallel(),
            FramePair::new([true, false, false], RotationRows::Full),
        ]) {
            assert!(!pair.inputs_in_plane().is_empty(), "{pair:?}");
            check_constraint(&pair, seed).unwrap_or_else(|violation| {
                panic!("{pair:?}: {violation}");
            });
        }
    }

    #[test]
    fn a_pair_that_holds_nothing_or_its_axis_is_not_for_the_plane() {
        let across = FramePair::new([false, false, true], RotationRows::Free);
        for pair in [across, FramePair::hinge(), FramePair::universal()] {
            assert!(pair.inputs_in_plane().is_empty(), "{pair:?}");
        }
    }
}
