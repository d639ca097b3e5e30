//! Four-bars in closed form: crank, coupler, rocker, and a point of the coupler.
//!
//! ```text
//!     A = o + a·(cos t, sin t)      B = A + b·(cos s, sin s) = p + c·(cos r, sin r)      pen = A + R(s)·(m, n)
//! ```

use std::f64::consts::TAU;

use super::linkage::Coordinate::{Fixed, Number};
use super::linkage::{Linkage, Pin, Place, Pose};

/// A four-bar. Lengths in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBar {
    /// The pivot of the crank.
    pub crank_pivot: [f64; 2],
    /// The pivot of the rocker.
    pub rocker_pivot: [f64; 2],
    /// Lengths of crank, coupler and rocker.
    pub lengths: [f64; 3],
    /// The point that draws, on the coupler: along it from the crank pin, and to its left.
    pub pen: [f64; 2],
    /// 1 or −1: on which side of the line from crank pin to rocker pivot the coupler is.
    pub branch: f64,
}

/// What turns fully in a four-bar (Grashof).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grashof {
    /// The crank turns fully, the rocker swings.
    CrankRocker,
    /// Both turn fully.
    DoubleCrank,
    /// The crank does not turn fully.
    NoFullTurn,
}

impl Grashof {
    /// As it is said in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::CrankRocker => "crank-rocker",
            Self::DoubleCrank => "double crank",
            Self::NoFullTurn => "no full turn",
        }
    }
}

impl FourBar {
    /// Numbers of the design, in the order of [`FourBar::linkage`].
    pub(super) fn design(&self) -> [f64; 9] {
        let ([ox, oy], [px, py]) = (self.crank_pivot, self.rocker_pivot);
        let ([a, b, c], [m, n]) = (self.lengths, self.pen);
        [ox, oy, px, py, a, b, c, m, n]
    }

    pub(super) fn of_design(design: &[f64], branch: f64) -> Self {
        let &[ox, oy, px, py, a, b, c, m, n, ..] = design else {
            unreachable!("a four-bar has nine numbers");
        };
        Self {
            crank_pivot: [ox, oy],
            rocker_pivot: [px, py],
            lengths: [a, b, c],
            pen: [m, n],
            branch,
        }
    }

    /// Bars and pins whose measures are all numbers of the design.
    pub(super) fn linkage() -> Linkage {
        let bar = |bar, u| Place {
            bar: Some(bar),
            at: [u, Fixed(0.0)],
        };
        let ground = |x, y| Place {
            bar: None,
            at: [Number(x), Number(y)],
        };
        let pin = |name: &str, a, b| Pin {
            name: name.to_owned(),
            places: [a, b],
        };
        let start = Fixed(0.0);
        Linkage {
            bars: ["crank", "coupler", "rocker"].map(str::to_owned).into(),
            pins: vec![
                pin("crank pivot", ground(0, 1), bar(0, start)),
                pin("crank pin", bar(0, Number(4)), bar(1, start)),
                pin("rocker pin", bar(1, Number(5)), bar(2, Number(6))),
                pin("rocker pivot", ground(2, 3), bar(2, start)),
            ],
            pen: Place {
                bar: Some(1),
                at: [Number(7), Number(8)],
            },
            numbers: [
                "crank pivot x",
                "crank pivot y",
                "rocker pivot x",
                "rocker pivot y",
                "crank length",
                "coupler length",
                "rocker length",
                "pen along",
                "pen across",
            ]
            .map(str::to_owned)
            .into(),
        }
    }

    /// The pose at an angle of the crank, if the bars reach.
    pub(super) fn pose(&self, t: f64) -> Option<Pose> {
        let ([ox, oy], [px, py], [a, b, c]) = (self.crank_pivot, self.rocker_pivot, self.lengths);
        let (sin, cos) = libm::sincos(t);
        let (ax, ay) = (ox + a * cos, oy + a * sin);
        let (dx, dy) = (px - ax, py - ay);
        let far = libm::hypot(dx, dy);
        // The law of cosines in the triangle of A, B and the rocker's pivot.
        let bent = (b * b + far * far - c * c) / (2.0 * b * far);
        if bent.is_nan() || bent.abs() > 1.0 {
            return None;
        }
        let s = libm::atan2(dy, dx) + self.branch * libm::acos(bent);
        let (sin, cos) = libm::sincos(s);
        let r = libm::atan2(ay + b * sin - py, ax + b * cos - px);
        Some(vec![ox, oy, t, ax, ay, s, px, py, r])
    }

    /// Where the pen is at an angle of the crank.
    pub(super) fn pen_at(&self, t: f64) -> Option<[f64; 2]> {
        let pose = self.pose(t)?;
        let (sin, cos) = libm::sincos(pose[5]);
        let [m, n] = self.pen;
        Some([pose[3] + cos * m - sin * n, pose[4] + sin * m + cos * n])
    }

    /// What turns fully.
    pub fn grashof(&self) -> Grashof {
        let ([a, b, c], ground) = (self.lengths, self.ground());
        let mut sorted = [a, b, c, ground];
        sorted.sort_by(f64::total_cmp);
        let [shortest, second, third, longest] = sorted;
        match shortest + longest < second + third {
            true if ground == shortest => Grashof::DoubleCrank,
            true if a == shortest => Grashof::CrankRocker,
            _ => Grashof::NoFullTurn,
        }
    }

    /// The least and the largest angle between coupler and rocker in a full turn, folded to at most a right angle's
    /// distance from 90 degrees; none if the crank does not turn fully.
    pub fn transmission_deg(&self) -> Option<[f64; 2]> {
        let [a, b, c] = self.lengths;
        let ground = self.ground();
        if self.grashof() == Grashof::NoFullTurn {
            return None;
        }
        // The distance from crank pin to rocker pivot is between |g − a| and g + a.
        let angle = |far: f64| {
            let cos = (b * b + c * c - far * far) / (2.0 * b * c);
            libm::acos(cos.clamp(-1.0, 1.0)).to_degrees()
        };
        Some([angle((ground - a).abs()), angle(ground + a)])
    }

    /// How far the worst transmission angle is from a right angle, and so how near the linkage is to jamming: 0 is
    /// best, 90 jams.
    pub fn worst_transmission_deg(&self) -> Option<f64> {
        let [least, most] = self.transmission_deg()?;
        Some((90.0 - least).abs().max((most - 90.0).abs()))
    }

    fn ground(&self) -> f64 {
        let [o, p] = [self.crank_pivot, self.rocker_pivot];
        libm::hypot(p[0] - o[0], p[1] - o[1])
    }

    /// The same moved, turned and scaled: `z ↦ to + w·(z − from)` in complex numbers.
    pub(super) fn laid(&self, from: [f64; 2], to: [f64; 2], w: [f64; 2]) -> Self {
        let map = |z: [f64; 2]| {
            let (x, y) = (z[0] - from[0], z[1] - from[1]);
            [to[0] + w[0] * x - w[1] * y, to[1] + w[0] * y + w[1] * x]
        };
        let scale = libm::hypot(w[0], w[1]);
        Self {
            crank_pivot: map(self.crank_pivot),
            rocker_pivot: map(self.rocker_pivot),
            lengths: self.lengths.map(|length| scale * length),
            pen: self.pen.map(|along| scale * along),
            branch: self.branch,
        }
    }
}

/// The turn of `angle` that is nearest to `like`.
pub(super) fn near(angle: f64, like: f64) -> f64 {
    angle + TAU * ((like - angle) / TAU).round()
}

/// Angles of poses follow each other without jumps.
pub(super) fn unwind(pose: &mut [f64], before: &[f64]) {
    for at in (2..pose.len()).step_by(3) {
        pose[at] = near(pose[at], before[at]);
    }
}
