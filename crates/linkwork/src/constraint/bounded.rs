//! Constraints whose force is bounded: limits, motors that give way, dry friction, one-way clutches.
//!
//! A limit keeps a coordinate φ within a range and pushes only at its ends:
//!
//! ```text
//!     c = φ − lower ≥ 0,  upper − φ ≥ 0      λ ≥ 0      λ·c = 0
//! ```
//!
//! A servo brings the rate of a coordinate to that of a function, with a force of its range and no more. Where that is
//! not enough it gives way, and with a gain it comes back without a jerk:
//!
//! ```text
//!     ċ = φ̇ − ḟ(t) + gain·(φ − f(t)) = 0      least ≤ λ ≤ most
//! ```
//!
//! How far a ball joint swings and twists is limited by a cone (`cone_limit`).
//!
//! With `ḟ = 0` it is dry friction; with `0 ≤ λ`, a clutch that turns one way only. How a step finds forces that obey
//! these laws: `docs/adr/0027-bounded-rows.md`.

use std::sync::Arc;

use super::drive::{apart_row, length_row, turn_row};
use super::{Constant, Constraint, DriveFunction, Level, Ramp, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::{Error, Shown};

/// How the force of a constraint's rows is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `c ≥ 0` and `λ ≥ 0`: it pushes where c is zero. A blow rebounds with this part of its speed.
    Stop {
        /// Between 0 and 1.
        restitution: f64,
    },
    /// `ċ = 0`, as far as a force between these allows: N, or N·m.
    Force {
        /// The least force.
        least: f64,
        /// The largest force.
        most: f64,
        /// What of ċ grows with what the row is behind by, 1/s: a part `gain·(φ − f)`; zero where there is none.
        gain: f64,
    },
}

/// A limit on one output of its two connectors; `$output` writes the output's row, `$check` refuses ranges that make
/// no sense for it.
macro_rules! limit {
    (
        $(#[$doc:meta])* $name:ident: $of:literal,
        $space:expr, $plane:expr, $unit:ident, $output:ident, $n_angles:literal, $check:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            #[doc = concat!("The least ", $of, "; none if that is infinite.")]
            pub lower: f64,
            #[doc = concat!("The largest ", $of, "; none if that is infinite.")]
            pub upper: f64,
            /// The part of its speed with which a blow rebounds, from 0 to 1.
            pub restitution: f64,
        }

        impl Constraint for $name {
            takes!($space, in_plane: $plane);

            fn rows(&self) -> &[RowUnit] {
                let n = usize::from(self.lower.is_finite()) + usize::from(self.upper.is_finite());
                &[RowUnit::$unit; 2][..n]
            }

            fn validate(&self) -> Result<(), Error> {
                $check(self.lower, self.upper)?;
                check_restitution(self.restitution)
            }

            fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
                let in_plane = inputs[0].kind.is_planar();
                $output(in_plane, inputs, out);
                if !in_plane && $n_angles > 0 {
                    let nearest = nearest_to_zero(self.lower, self.upper);
                    out.c[0] += out.full_turns(0, out.c[0], out.c_dot[0], nearest);
                }
                write_limits(self.lower, self.upper, out);
            }

            fn n_angles(&self) -> usize {
                $n_angles
            }

            fn is_relative(&self) -> bool {
                true
            }

            fn bound(&self) -> Option<Bound> {
                let restitution = self.restitution;
                Some(Bound::Stop { restitution })
            }
        }
    };
}

limit!(
    /// Keeps the angle of frame b about x of frame a within a range; in the plane, from frame a to frame b. Full
    /// turns are counted, so that the range may be as wide as one likes.
    AngleLimit: "angle, rad",
    [Frame3, Frame3], [Frame2, Frame2], Radian, turn_row, 1, check_range
);

limit!(
    /// Keeps the position of a point along x of frame a within a range.
    LengthLimit: "position, m",
    [Frame3, Point3], [Frame2, Point2], Meter, length_row, 0, check_range
);

limit!(
    /// Keeps the distance between two points within a range: a rope with an upper limit, a strut with a lower one.
    DistanceLimit: "distance, m",
    [Point3, Point3], [Point2, Point2], Meter, apart_row, 0, check_distances
);

/// A servo on one output of its two connectors.
macro_rules! servo {
    (
        $(#[$doc:meta])* $name:ident: $of_time:literal, $force:literal,
        $space:expr, $plane:expr, $unit:ident, $output:ident, $n_angles:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            #[doc = $of_time]
            pub function: Arc<dyn DriveFunction>,
            /// How fast it makes up for what it is behind, 1/s. Zero: it keeps a speed, whatever the position.
            pub gain: f64,
            #[doc = concat!("The least ", $force)]
            pub least: f64,
            #[doc = concat!("The largest ", $force)]
            pub most: f64,
        }

        impl $name {
            /// Keeps a speed, with a force of at most `most` either way.
            pub fn speed(speed: f64, most: f64) -> Self {
                let function = Ramp { start: 0.0, rate: speed };
                Self { function: Arc::new(function), gain: 0.0, least: -most, most }
            }

            /// Follows a position, with a force of at most `most` either way.
            pub fn position(function: impl DriveFunction, gain: f64, most: f64) -> Self {
                Self { function: Arc::new(function), gain, least: -most, most }
            }

            /// Dry friction: resists any motion with a force of at most `most`.
            pub fn friction(most: f64) -> Self {
                let function = Constant { value: 0.0 };
                Self { function: Arc::new(function), gain: 0.0, least: -most, most }
            }

            /// A clutch that lets the coordinate grow and not fall; the other way round if `backward`.
            pub fn one_way(backward: bool) -> Self {
                let function = Arc::new(Constant { value: 0.0 });
                let (least, most) = match backward {
                    false => (0.0, f64::INFINITY),
                    true => (f64::NEG_INFINITY, 0.0),
                };
                Self { function, gain: 0.0, least, most }
            }
        }

        impl Constraint for $name {
            takes!($space, in_plane: $plane, rows: [$unit]);

            fn level(&self) -> Level {
                Level::Velocity
            }

            fn validate(&self) -> Result<(), Error> {
                self.function.validate()?;
                Error::require_not_negative("gain", &self.gain)?;
                check_forces(self.least, self.most)
            }

            fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
                let in_plane = inputs[0].kind.is_planar();
                $output(in_plane, inputs, out);
                let (value, rate) = (self.function.value(t), self.function.rate(t));
                let turns = match in_plane || $n_angles == 0 {
                    true => 0.0,
                    false => out.full_turns(0, out.c[0], out.c_dot[0], value),
                };
                let behind = out.c[0] + turns - value;
                let slip = out.c_dot[0] - rate;
                out.c[0] = 0.0;
                out.c_dot[0] = slip + self.gain * behind;
                out.gamma[0] += self.gain * slip - self.function.acceleration(t);
            }

            fn n_angles(&self) -> usize {
                $n_angles
            }

            fn is_relative(&self) -> bool {
                true
            }

            fn bound(&self) -> Option<Bound> {
                let Self { least, most, gain, .. } = *self;
                Some(Bound::Force { least, most, gain })
            }
        }
    };
}

servo!(
    /// Turns frame b about x of frame a, with so much torque; in the plane, frame b against frame a.
    AngleServo: "Angle in radians as a function of time.", "torque, N·m.",
    [Frame3, Frame3], [Frame2, Frame2], Radian, turn_row, 1
);

servo!(
    /// Moves a point along x of frame a, with so much force.
    LengthServo: "Position along x in meters as a function of time.", "force, N.",
    [Frame3, Point3], [Frame2, Point2], Meter, length_row, 0
);

servo!(
    /// Moves two points apart, with so much force.
    DistanceServo: "Distance in meters as a function of time.", "force, N.",
    [Point3, Point3], [Point2, Point2], Meter, apart_row, 0
);

/// From `φ` in the first row to `φ − lower` and `upper − φ`.
fn write_limits(lower: f64, upper: f64, out: &mut Rows<'_>) {
    let (phi, phi_dot, gamma) = (out.c[0], out.c_dot[0], out.gamma[0]);
    let mut at = 0;
    if lower.is_finite() {
        out.c[0] = phi - lower;
        at = 1;
    }
    if upper.is_finite() {
        out.c[at] = upper - phi;
        out.c_dot[at] = -phi_dot;
        out.gamma[at] = -gamma;
        for input in 0..2 {
            let mut dc_dx = out.dc_dx(input);
            for k in 0..dc_dx.n_cols() {
                let own = dc_dx.get(0, k);
                dc_dx.set(at, k, -own);
            }
        }
    }
}

/// The angle of the range that is nearest to zero.
pub(super) fn nearest_to_zero(lower: f64, upper: f64) -> f64 {
    0.0f64.max(lower).min(upper)
}

pub(super) fn check_range(lower: f64, upper: f64) -> Result<(), Error> {
    let has_one = lower.is_finite() || upper.is_finite();
    let is_right = lower < f64::INFINITY && upper > f64::NEG_INFINITY && lower <= upper;
    if has_one && is_right {
        return Ok(());
    }
    Err(Error::field(
        "lower",
        format!(
            "is {}, and upper is {}; give a lower limit that is not above the upper one",
            Shown(lower),
            Shown(upper)
        ),
    ))
}

/// Checks a range of distances: they are never negative, and a rope of no length is a ball joint.
fn check_distances(lower: f64, upper: f64) -> Result<(), Error> {
    check_range(lower, upper)?;
    if upper > 0.0 {
        return Ok(());
    }
    let problem = format!(
        "is {}; give a length greater than zero (to keep two points together use a ball joint, a pin in the plane)",
        Shown(upper)
    );
    Err(Error::field("upper", problem))
}

pub(super) fn check_restitution(restitution: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&restitution) {
        return Ok(());
    }
    Err(Error::field(
        "restitution",
        format!(
            "is {}; give a number from 0 (no rebound) to 1 (no loss)",
            Shown(restitution)
        ),
    ))
}

fn check_forces(least: f64, most: f64) -> Result<(), Error> {
    if least <= 0.0 && most >= 0.0 {
        return Ok(());
    }
    Err(Error::field(
        "most",
        format!(
            "is {}, and least is {}; zero must lie between them",
            Shown(most),
            Shown(least)
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Sine, check_constraint};

    #[test]
    fn limits_and_servos_keep_the_contract() {
        let function = Sine {
            amplitude: 0.4,
            frequency: 0.7,
            phase: 0.3,
            offset: 1.1,
        };
        let (lower, upper, restitution) = (-0.4, 0.9, 0.0);
        let all: [Box<dyn Constraint>; 6] = [
            Box::new(AngleLimit {
                lower,
                upper,
                restitution,
            }),
            Box::new(LengthLimit {
                lower,
                upper,
                restitution,
            }),
            Box::new(DistanceLimit {
                lower,
                upper,
                restitution,
            }),
            Box::new(AngleServo::position(function, 5.0, 1.0)),
            Box::new(LengthServo::position(function, 5.0, 1.0)),
            Box::new(DistanceServo::position(function, 5.0, 1.0)),
        ];
        for (seed, law) in (0..).zip(&all) {
            check_constraint(&**law, seed).unwrap_or_else(|v| panic!("{law:?}: {v}"));
        }
    }
}
