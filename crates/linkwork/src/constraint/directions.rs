//! Two directions that stay parallel, perpendicular or at an angle (Witkin 1990, §3.2).
//!
//! They are the rotation rows of a [`FramePair`] between frames whose axes x are the directions a and b:
//!
//! | relation      | rows                                                            | singular where      |
//! |---------------|-----------------------------------------------------------------|---------------------|
//! | parallel      | 2: the arc from a to b, along y and z; half a turn off is no root | nowhere closed    |
//! | perpendicular | 1: `θ − π/2`                                                    | parallel, opposite  |
//! | at an angle   | 1: `θ − f(t)`                                                   | parallel, opposite  |
//!
//! With `cos θ = a·b`, the gradient of θ is of length one also where that of a·b vanishes: parallel directions are
//! turned square about a fixed side. A direction has no axes across it. Those of a are the axes of a fixed frame
//! (e, f, g), brought to a by the smallest rotation that takes e there. That frame turns with
//!
//! ```text
//!     ω_a = a × ȧ + σ·a      σ = p·ȧ      p = −(e × a)/(1 + e·a)      ω_b = b × ḃ
//! ```
//!
//! so that with `ċ = g·(ω_b − ω_a)` of the pair, `∂c/∂a = −g × a − (g·a)·p` and `∂c/∂b = g × b`. Near a = −e these
//! axes turn fast, and at it they jump: e is far from what people choose.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use super::tolerances::NO_BASIS;
use super::{
    Constant, Constraint, DriveFunction, FrameMotion, FramePair, RotationRows, RowUnit, Rows,
};
use crate::connector::{ConnectorKind, Input};
use crate::error::Error;
use crate::math::{Vec3, add, cross, dot, scale, sub};

/// A relation of two directions.
#[derive(Clone, Debug)]
pub enum Directions {
    /// They point the same way. For the opposite way give one of them the other sign.
    Parallel,
    /// They are at a right angle.
    Perpendicular,
    /// The angle between them in radians as a function of time, which stays between 0 and π: at either end
    /// any way to turn changes it alike.
    Angle(Arc<dyn DriveFunction>),
}

impl Directions {
    /// At a fixed angle, radians.
    pub fn at(angle: f64) -> Self {
        Self::Angle(Arc::new(Constant { value: angle }))
    }

    /// At an angle that a function of time gives, radians.
    pub fn driven(function: impl DriveFunction) -> Self {
        Self::Angle(Arc::new(function))
    }
}

/// The frame pairs whose rotation rows these are.
const PARALLEL: FramePair = FramePair::new([false; 3], RotationRows::Axis);
const AT_AN_ANGLE: FramePair = FramePair::new([false; 3], RotationRows::Universal);

/// The fixed frame (e, f, g), right-handed. −e is 24° from the nearest of the axes and of their diagonals.
const E: Vec3 = [2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0];
const F: Vec3 = [3.0 / 7.0, -6.0 / 7.0, 2.0 / 7.0];
const G: Vec3 = [6.0 / 7.0, 2.0 / 7.0, -3.0 / 7.0];

impl Constraint for Directions {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Direction3; 2]
    }

    fn rows(&self) -> &[RowUnit] {
        match self {
            Self::Parallel => &[RowUnit::Radian; 2],
            Self::Perpendicular | Self::Angle(_) => &[RowUnit::Radian],
        }
    }

    fn validate(&self) -> Result<(), Error> {
        let Self::Angle(function) = self else {
            return Ok(());
        };
        function.validate()?;
        let start = function.value(0.0);
        if start > 0.0 && start < PI {
            return Ok(());
        }
        let problem = "does not start between 0 and π; there make the directions parallel";
        Err(Error::field("function", problem))
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (inputs[0].position(), inputs[1].position());
        let (a_dot, b_dot) = (inputs[0].velocity(), inputs[1].velocity());
        // 1 + e·a = |e + a|²/2, which leaves digits near a = −e.
        let middle = add(E, a);
        let square = dot(middle, middle);
        let k = match square > NO_BASIS * NO_BASIS {
            true => 2.0 / square,
            false => 0.0,
        };
        // R·f = f − (e + a)·(f·a)/(1 + e·a), and likewise of g. Of frame b only the one axis is read, x or y.
        let (f, g) = (k * dot(F, a), k * dot(G, a));
        let mut frame_a = FrameMotion::STILL;
        let mut frame_b = FrameMotion::STILL;
        for r in 0..3 {
            frame_a.rotation[r] = [a[r], F[r] - f * middle[r], G[r] - g * middle[r]];
            frame_b.rotation[r] = [b[r]; 3];
        }
        // σ = p·ȧ, and σ̇ = p·ä + growth.
        let p = scale(-k, cross(E, a));
        let spin = dot(p, a_dot);
        let growth = -spin * k * dot(E, a_dot);
        frame_a.omega = add(cross(a, a_dot), scale(spin, a));
        frame_b.omega = cross(b, b_dot);
        let (pair, sign) = match self {
            Self::Parallel => (&PARALLEL, 1.0),
            _ => (&AT_AN_ANGLE, -1.0),
        };
        let rows = pair.rows_at(&frame_a, &frame_b);
        // The pair's one row is π/2 − θ.
        let mut target = [0.0; 3];
        if let Self::Angle(function) = self {
            target = [
                function.value(t) - FRAC_PI_2,
                function.rate(t),
                function.acceleration(t),
            ];
        }
        for i in 0..out.n_rows() {
            let g = scale(sign, rows.g[i]);
            let along = dot(g, a);
            out.c[i] = sign * rows.c[i] - target[0];
            out.c_dot[i] = sign * rows.c_dot[i] - target[1];
            out.gamma[i] = sign * rows.gamma[i] - target[2] - along * growth - spin * dot(g, a_dot);
            out.dc_dx(0).set3(i, 0, sub(cross(a, g), scale(along, p)));
            out.dc_dx(1).set3(i, 0, cross(g, b));
        }
    }

    fn is_relative(&self) -> bool {
        self.rows().len() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::contract::{InputMotion, evaluate};
    use crate::constraint::{Ramp, Sine, check_constraint};
    use crate::math::neg;

    const SWING: Sine = Sine {
        amplitude: 0.4,
        frequency: 0.7,
        phase: 0.3,
        offset: 1.1,
    };

    #[test]
    fn every_relation_keeps_the_contract() {
        for seed in 0..20 {
            for relation in [
                Directions::Parallel,
                Directions::Perpendicular,
                Directions::at(0.7),
                Directions::driven(SWING),
            ] {
                check_constraint(&relation, seed).unwrap_or_else(|v| panic!("{relation:?}: {v}"));
            }
        }
    }

    fn of(relation: &Directions, directions: [Vec3; 2]) -> crate::constraint::Evaluation {
        let still = directions.map(|d| InputMotion::at_rest(ConnectorKind::Direction3, d).at(0.0));
        evaluate(relation, 0.0, &still)
    }

    #[test]
    fn opposite_directions_are_half_a_turn_from_parallel() {
        let rows = of(&Directions::Parallel, [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]);
        assert_eq!(rows.c, [PI, 0.0]);
        let rows = of(&Directions::Parallel, [[0.0, 1.0, 0.0]; 2]);
        assert!(rows.c.iter().all(|c| c.abs() < 1e-16), "{:?}", rows.c);
    }

    /// Where a·b has no gradient, the angle has one of length one.
    #[test]
    fn parallel_directions_know_how_to_become_perpendicular() {
        for b in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] {
            let rows = of(&Directions::Perpendicular, [[0.0, 0.0, 1.0], b]);
            assert!((rows.c[0] + b[2] * FRAC_PI_2).abs() < 1e-15, "{:?}", rows.c);
            for side in rows.dc_dx.chunks(3) {
                assert!((dot([side[0], side[1], side[2]], b)).abs() < 1e-15);
                assert!((side.iter().map(|d| d * d).sum::<f64>() - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn finite_where_the_basis_is_singular() {
        for nudge in [0.0, 1e-12, 1e-7] {
            let a = crate::math::unit(add(neg(E), [nudge, 0.0, 0.0])).unwrap();
            for b in [a, neg(a), [1.0, 0.0, 0.0]] {
                let rows = of(&Directions::Parallel, [a, b]);
                let arc = libm::acos(dot(a, b).clamp(-1.0, 1.0));
                let found = (rows.c[0] * rows.c[0] + rows.c[1] * rows.c[1]).sqrt();
                assert!((found - arc).abs() < 1e-7, "{nudge}: {found} {arc}");
                assert!(rows.dc_dx.iter().all(|d| d.is_finite()));
            }
        }
    }

    #[test]
    fn angles_that_are_none_are_refused_in_words() {
        for angle in [0.0, PI, -0.1, 4.0, f64::NAN] {
            assert!(Directions::at(angle).validate().is_err(), "{angle}");
        }
        let ramp = Ramp {
            start: 0.0,
            rate: 1.0,
        };
        let refused = Directions::driven(ramp).validate().unwrap_err().to_string();
        assert!(refused.contains("parallel"), "{refused}");
        Directions::driven(SWING).validate().unwrap();
    }
}
