//! Balls and thin discs on a plane: standing on it, and rolling without slip.
//!
//! Inputs: the plane (a frame whose x is the normal; it may move), the wheel (a frame at its
//! center; the axle of a disc is its x). With `n` the normal and `r·a` the arm from the wheel's
//! center to its lowest point P,
//!
//! ```text
//!     ball  a = −n          disc  a = −q/s,  q = n − (n·k)·k,  s = |q|,  k the axle
//!     height of P over the plane:  c = n·(p_wheel + r·a − p_plane)              one row, position
//!     slip at P, along the plane's axes y and z:
//!     ċ = t·(v_wheel + ω_wheel × r·a − v_plane − ω_plane × (P − p_plane))       two rows, rates
//! ```
//!
//! Use both: `BallOnPlane` with `RollingBall`, `DiscOnPlane` with `RollingDisc`. A disc that lies
//! flat touches all around its rim (s = 0): there its rows are singular but finite.

use super::frame_pair::Displacement;
use super::tolerances::SMALLEST_SINE;
use super::{Constraint, FrameMotion, Level, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;
use crate::math::{Vec3, add, column, cross, dot, neg, norm, scale, sub};

/// The lowest point of a ball stays on a plane; the ball may slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallOnPlane {
    /// Radius.
    pub radius: f64,
}

/// The lowest point of a thin disc's rim stays on a plane; the disc may lean and slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscOnPlane {
    /// Radius.
    pub radius: f64,
}

/// A ball rolls on a plane without slip. It may spin about the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingBall {
    /// Radius.
    pub radius: f64,
}

/// A thin disc rolls on a plane without slip. It may lean and spin about the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingDisc {
    /// Radius.
    pub radius: f64,
}

/// The arm from a wheel's center to its lowest point, and its rate.
struct Arm {
    arm: Vec3,
    arm_dot: Vec3,
}

impl Arm {
    fn of_ball(radius: f64, plane: &FrameMotion) -> Self {
        let n = column(&plane.rotation, 0);
        Self {
            arm: scale(-radius, n),
            arm_dot: scale(-radius, cross(plane.omega, n)),
        }
    }

    fn of_disc(radius: f64, plane: &FrameMotion, wheel: &FrameMotion) -> Self {
        let lean = Lean::new(plane, wheel);
        let (n, k) = (lean.normal, lean.axle);
        let q = sub(n, scale(lean.u, k));
        let down = if norm(q) < SMALLEST_SINE {
            // Flat on the plane: any point of the rim will do.
            neg(column(&wheel.rotation, 1))
        } else {
            scale(-1.0 / norm(q), q)
        };
        // a = −q/s:  ȧ = −(q̇ + ṡ·a)/s,  q̇ = ṅ − u̇·k − u·k̇,  ṡ = −u·u̇/s.
        let q_dot = sub(
            sub(cross(plane.omega, n), scale(lean.u_dot, k)),
            scale(lean.u, cross(wheel.omega, k)),
        );
        let s_dot = -lean.u * lean.u_dot / lean.s;
        let down_dot = scale(-1.0 / lean.s, add(q_dot, scale(s_dot, down)));
        Self {
            arm: scale(radius, down),
            arm_dot: scale(radius, down_dot),
        }
    }
}

/// How an axle leans: `u = k·n`, `s = √(1 − u²)`, `u̇ = (ω_wheel − ω_plane)·(k × n)`.
struct Lean {
    normal: Vec3,
    axle: Vec3,
    u: f64,
    s: f64,
    /// `k × n`.
    turn: Vec3,
    u_dot: f64,
    /// The part of ü that does not depend on angular accelerations.
    u_bend: f64,
}

impl Lean {
    fn new(plane: &FrameMotion, wheel: &FrameMotion) -> Self {
        let (normal, axle) = (column(&plane.rotation, 0), column(&wheel.rotation, 0));
        let turn = cross(axle, normal);
        let turn_dot = add(
            cross(cross(wheel.omega, axle), normal),
            cross(axle, cross(plane.omega, normal)),
        );
        let spin = sub(wheel.omega, plane.omega);
        Self {
            normal,
            axle,
            u: dot(axle, normal),
            s: norm(turn).max(SMALLEST_SINE),
            turn,
            u_dot: dot(spin, turn),
            u_bend: dot(spin, turn_dot),
        }
    }
}

/// The slip rows. With `e = d + arm`, `d = p_wheel − p_plane`, and the slip
/// `σ = ḋ + ω_w × arm − ω_p × e`:  `ċ = t·σ`,  `γ = ṫ·σ + t·(ω_w × ȧ − ω_p × (ḋ + ȧ))`.
fn slip_rows(plane: &FrameMotion, wheel: &FrameMotion, arm: &Arm, out: &mut Rows<'_>) {
    let d_dot = sub(wheel.velocity, plane.velocity);
    let e = add(sub(wheel.position, plane.position), arm.arm);
    let slip = sub(
        add(d_dot, cross(wheel.omega, arm.arm)),
        cross(plane.omega, e),
    );
    let bend = sub(
        cross(wheel.omega, arm.arm_dot),
        cross(plane.omega, add(d_dot, arm.arm_dot)),
    );
    for i in 0..2 {
        let t = column(&plane.rotation, 1 + i);
        out.c_dot[i] = dot(t, slip);
        out.gamma[i] = dot(cross(plane.omega, t), slip) + dot(t, bend);
        out.dc_dx(0).set3(i, 0, neg(t));
        out.dc_dx(0).set3(i, 3, neg(cross(e, t)));
        out.dc_dx(1).set3(i, 0, t);
        out.dc_dx(1).set3(i, 3, cross(arm.arm, t));
    }
}

/// `c = n·d` and its derivatives, as the translation rows of a frame pair.
fn height_row(plane: &FrameMotion, wheel: &FrameMotion, out: &mut Rows<'_>) {
    let displacement = Displacement::of(plane, wheel.position, wheel.velocity);
    displacement.write(0, column(&plane.rotation, 0), out);
}

impl BallOnPlane {
    fn write(&self, plane: &FrameMotion, wheel: &FrameMotion, out: &mut Rows<'_>) {
        height_row(plane, wheel, out);
        out.c[0] -= self.radius;
    }
}

impl DiscOnPlane {
    /// `c = n·d − r·s`:  `−ṡ = (u/s)·u̇`,  `d(u/s)/du = 1/s³`.
    fn write(&self, plane: &FrameMotion, wheel: &FrameMotion, out: &mut Rows<'_>) {
        height_row(plane, wheel, out);
        let lean = Lean::new(plane, wheel);
        let slope = self.radius * lean.u / lean.s;
        let curvature = self.radius / (lean.s * lean.s * lean.s);
        out.c[0] -= self.radius * lean.s;
        out.c_dot[0] += slope * lean.u_dot;
        out.gamma[0] += slope * lean.u_bend + curvature * lean.u_dot * lean.u_dot;
        let turn = scale(slope, lean.turn);
        for k in 0..3 {
            out.dc_dx(0).add(0, 3 + k, -turn[k]);
            out.dc_dx(1).add(0, 3 + k, turn[k]);
        }
    }
}

impl RollingBall {
    fn write(&self, plane: &FrameMotion, wheel: &FrameMotion, out: &mut Rows<'_>) {
        slip_rows(plane, wheel, &Arm::of_ball(self.radius, plane), out);
    }
}

impl RollingDisc {
    fn write(&self, plane: &FrameMotion, wheel: &FrameMotion, out: &mut Rows<'_>) {
        slip_rows(plane, wheel, &Arm::of_disc(self.radius, plane, wheel), out);
    }
}

macro_rules! on_plane {
    ($name:ident, $level:ident, $n_rows:literal) => {
        impl Constraint for $name {
            takes!([Frame3; 2], rows: [Meter; $n_rows]);

            fn level(&self) -> Level {
                Level::$level
            }

            fn validate(&self) -> Result<(), Error> {
                Error::require_positive("radius", &self.radius)
            }

            fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
                let plane = FrameMotion::of(&inputs[0]);
                let wheel = FrameMotion::of(&inputs[1]);
                self.write(&plane, &wheel, out);
            }
        }
    };
}

on_plane!(BallOnPlane, Position, 1);
on_plane!(DiscOnPlane, Position, 1);
on_plane!(RollingBall, Velocity, 2);
on_plane!(RollingDisc, Velocity, 2);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint_at;
    use crate::constraint::contract::{InputMotion, Seeded, evaluate};
    use crate::math::{mat_mul, rotation_exp};

    /// Plane and wheel, the axle 0.3 to 1.5 rad from the normal.
    fn motions(seeded: &mut Seeded) -> [InputMotion; 2] {
        let mut plane = InputMotion::at_rest(ConnectorKind::Frame3, seeded.vector(1.0));
        plane.rotation = rotation_exp(seeded.vector(1.5));
        let mut wheel = InputMotion::at_rest(ConnectorKind::Frame3, seeded.vector(1.0));
        let lean = seeded.between(0.3, 1.5);
        let turned = mat_mul(
            &rotation_exp([seeded.between(0.0, 6.0), 0.0, 0.0]),
            &rotation_exp([0.0, lean, 0.0]),
        );
        let spun = mat_mul(&turned, &rotation_exp([seeded.between(0.0, 6.0), 0.0, 0.0]));
        wheel.rotation = mat_mul(&plane.rotation, &spun);
        [seeded.moving(plane), seeded.moving(wheel)]
    }

    #[test]
    fn keep_the_contract() {
        let mut seeded = Seeded::new(4);
        for _ in 0..20 {
            let motions = motions(&mut seeded);
            let radius = 0.4;
            check_constraint_at(&BallOnPlane { radius }, 0.0, &motions).unwrap();
            check_constraint_at(&RollingBall { radius }, 0.0, &motions).unwrap();
            check_constraint_at(&DiscOnPlane { radius }, 0.0, &motions).unwrap();
            check_constraint_at(&RollingDisc { radius }, 0.0, &motions).unwrap();
        }
    }

    /// Upright and leaning discs of known height; the lowest point is not above any rim point.
    #[test]
    fn height_is_of_the_lowest_rim_point() {
        let radius = 0.4;
        let mut seeded = Seeded::new(6);
        for _ in 0..10 {
            let [plane, wheel] = motions(&mut seeded);
            let rows = evaluate(
                &DiscOnPlane { radius },
                0.0,
                &[plane.at(0.0), wheel.at(0.0)],
            );
            let n = column(&plane.rotation, 0);
            let lowest = (0..100_000)
                .map(|i| {
                    let angle = f64::from(i) * 6.283_185_307_179_586e-5;
                    let y = column(&wheel.rotation, 1);
                    let z = column(&wheel.rotation, 2);
                    let rim = add(scale(libm::cos(angle), y), scale(libm::sin(angle), z));
                    let point = add(wheel.place, scale(radius, rim));
                    dot(n, sub(point, plane.place))
                })
                .fold(f64::INFINITY, f64::min);
            assert!((rows.c[0] - lowest).abs() < 1e-8);
        }
    }

    /// A wheel of radius r at speed v turns at v/r; the rows then vanish, and only then.
    #[test]
    fn rolling_speed() {
        let radius = 0.5;
        // The plane's normal is x; the wheel's axle is y of the plane; it runs along z.
        let plane = InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]);
        let mut wheel = InputMotion::at_rest(ConnectorKind::Frame3, [radius, 0.0, 0.0]);
        wheel.rotation = rotation_exp([0.0, 0.0, 0.5 * std::f64::consts::PI]);
        wheel.velocity = [0.0, 0.0, 2.0];
        for (spin, slip) in [(-4.0, 0.0), (4.0, 4.0), (0.0, 2.0)] {
            wheel.spin = [0.0, spin, 0.0];
            let samples = [plane.at(0.0), wheel.at(0.0)];
            let disc = evaluate(&RollingDisc { radius }, 0.0, &samples);
            let ball = evaluate(&RollingBall { radius }, 0.0, &samples);
            assert!((disc.c_dot[1] - slip).abs() < 1e-12, "{}", disc.c_dot[1]);
            assert!((ball.c_dot[1] - slip).abs() < 1e-12, "{}", ball.c_dot[1]);
            assert!(disc.c_dot[0].abs() < 1e-12 && ball.c_dot[0].abs() < 1e-12);
        }
    }

    #[test]
    fn a_flat_disc_gives_finite_rows() {
        let mut seeded = Seeded::new(7);
        let plane = seeded.moving(InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]));
        let wheel = seeded.moving(plane);
        for constraint in [
            &DiscOnPlane { radius: 0.4 } as &dyn Constraint,
            &RollingDisc { radius: 0.4 },
        ] {
            let rows = evaluate(constraint, 0.0, &[plane.at(0.0), wheel.at(0.0)]);
            for part in [&rows.c, &rows.c_dot, &rows.gamma, &rows.dc_dx] {
                assert!(part.iter().all(|value| value.is_finite()));
            }
        }
    }
}
