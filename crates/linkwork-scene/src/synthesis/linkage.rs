//! A linkage of the plane whose measures are numbers of a design.
//!
//! Bars are joined by pins. A pin is a place on each of two bars, or on a bar and the ground; a coordinate of a place
//! is fixed or a number of the design, such as a length. In each *pose* a bar is at (x, y) and turned by θ:
//!
//! ```text
//!     X = (x, y) + R(θ)·(u, v)        on the ground: X = (u, v)
//! ```

use linkwork::connector::Input;

/// A coordinate of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coordinate {
    Fixed(f64),
    /// A number of the design.
    Number(usize),
}

impl Coordinate {
    pub(super) fn of(self, design: &[f64]) -> f64 {
        match self {
            Self::Fixed(value) => value,
            Self::Number(at) => design[at],
        }
    }
}

/// A point of a bar, or of the ground, in its own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// None for the ground.
    pub(super) bar: Option<usize>,
    pub(super) at: [Coordinate; 2],
}

/// Two places that are one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pin {
    pub(super) name: String,
    pub(super) places: [Place; 2],
}

/// Bars, pins, the pin about which the first bar is turned, and the point that draws.
#[derive(Clone, Debug)]
pub struct Linkage {
    /// Names of bars; the first is the crank.
    pub(super) bars: Vec<String>,
    pub(super) pins: Vec<Pin>,
    pub(super) pen: Place,
    /// Names of the design's numbers, all of them lengths or coordinates in meters.
    pub(super) numbers: Vec<String>,
}

/// The coordinates of all bars in one pose: x, y, θ of each.
pub(super) type Pose = Vec<f64>;

/// How a place moves.
pub(super) struct Moving {
    pub(super) x: [f64; 2],
    pub(super) rate: [f64; 2],
    /// The part of the second rate that does not depend on second rates of the coordinates.
    pub(super) rest: [f64; 2],
}

impl Place {
    /// Where it is.
    pub(super) fn world(&self, pose: &[f64], design: &[f64]) -> [f64; 2] {
        let [u, v] = self.at.map(|own| own.of(design));
        let Some(bar) = self.bar else { return [u, v] };
        let [x, y, theta] = [0, 1, 2].map(|k| pose[3 * bar + k]);
        let (sin, cos) = libm::sincos(theta);
        [x + cos * u - sin * v, y + sin * u + cos * v]
    }

    /// Where it is and how it moves; `add` gets the slopes: pose or design (0, 1), column, dX/dcolumn.
    pub(super) fn moving(
        &self,
        pose: &Input<'_>,
        design: &Input<'_>,
        mut add: impl FnMut(usize, usize, [f64; 2]),
    ) -> Moving {
        let x = self.world(pose.x, design.x);
        let [u_dot, v_dot] = self.at.map(|own| match own {
            Coordinate::Fixed(_) => 0.0,
            Coordinate::Number(at) => design.x_dot[at],
        });
        let Some(bar) = self.bar else {
            self.slopes_of_design([1.0, 0.0], [0.0, 1.0], &mut add);
            return Moving {
                x,
                rate: [u_dot, v_dot],
                rest: [0.0; 2],
            };
        };
        let at = 3 * bar;
        let (sin, cos) = libm::sincos(pose.x[at + 2]);
        let arm = [x[0] - pose.x[at], x[1] - pose.x[at + 1]];
        let turned = [-arm[1], arm[0]];
        add(0, at, [1.0, 0.0]);
        add(0, at + 1, [0.0, 1.0]);
        add(0, at + 2, turned);
        self.slopes_of_design([cos, sin], [-sin, cos], &mut add);
        // Ẍ = … − θ̇²·arm + 2·θ̇·(u̇·∂/∂θ R e_x + v̇·∂/∂θ R e_y)
        let spin = pose.x_dot[at + 2];
        let along = [cos * u_dot - sin * v_dot, sin * u_dot + cos * v_dot];
        let rate = |k: usize| pose.x_dot[at + k] + spin * turned[k] + along[k];
        let across = [-along[1], along[0]];
        let rest = |k: usize| -spin * spin * arm[k] + 2.0 * spin * across[k];
        Moving {
            x,
            rate: [rate(0), rate(1)],
            rest: [rest(0), rest(1)],
        }
    }

    fn slopes_of_design(
        &self,
        along_u: [f64; 2],
        along_v: [f64; 2],
        add: &mut impl FnMut(usize, usize, [f64; 2]),
    ) {
        for (own, slope) in self.at.iter().zip([along_u, along_v]) {
            if let Coordinate::Number(at) = own {
                add(1, *at, slope);
            }
        }
    }
}
