//! Paths of linkages in the plane.

use std::f64::consts::TAU;

use crate::{TURN, alike, place, turn};

/// The smallest and the largest of what was seen.
struct Range(f64, f64);

impl Range {
    fn new() -> Self {
        Self(f64::INFINITY, f64::NEG_INFINITY)
    }
    fn add(&mut self, value: f64) {
        *self = Self(self.0.min(value), self.1.max(value));
    }
}

/// The foot's places at the quarters, in centimeters (references: Jansen).
#[test]
fn jansen_foot_at_the_quarters() {
    let quarters = [
        [-43.160111, -91.756933],
        [-7.689066, -90.389351],
        [-33.729730, -73.517097],
        [-70.670563, -89.642837],
        [-43.160111, -91.756933],
    ];
    turn("jansen", TURN, |world, part| {
        let foot = place(world, "i", [0.245, 0.0]).map(|x| 100.0 * x);
        if (4.0 * part).fract() == 0.0 {
            let wanted = quarters[(4.0 * part) as usize];
            alike(&format!("foot at {part}"), &foot, &wanted, 1e-6);
        }
    });
}

/// The foot's whole path: its box, and how long and how far it walks on the level.
#[test]
fn jansen_foot_walks() {
    let (n, mut seen) = (1200, vec![]);
    turn("jansen", n, |world, _| {
        seen.push(place(world, "i", [0.245, 0.0]).map(|x| 100.0 * x));
    });
    for path in seen.chunks(n + 1) {
        let (mut x, mut y, mut stride) = (Range::new(), Range::new(), Range::new());
        for foot in path {
            x.add(foot[0]);
            y.add(foot[1]);
        }
        let mut n_down = 0;
        for foot in &path[1..] {
            if foot[1] < y.0 + 1.0 {
                n_down += 1;
                stride.add(foot[0]);
            }
        }
        alike("x", &[x.0, x.1], &[-71.5215, -3.6131], 1e-3);
        alike("y", &[y.0, y.1], &[-91.8339, -69.3767], 1e-3);
        alike(
            "part on the level",
            &[n_down as f64 / n as f64],
            &[0.431],
            1e-3,
        );
        alike("stride", &[stride.1 - stride.0], &[57.4], 0.2);
    }
}

/// Half a turn on a line that is straight to 0.24 %, and the box of the whole path.
#[test]
fn chebyshev_lambda() {
    let (mut x, mut y) = (Range::new(), Range::new());
    turn("chebyshev", 4 * TURN, |world, part| {
        let p = place(world, "coupler", [2.5, 0.0]);
        x.add(p[0]);
        y.add(p[1]);
        if (0.25..=0.75).contains(&part) {
            assert!(p[1] > 4.0 - 1e-9 && p[1] < 4.009755, "{part}: {p:?}");
            assert!(p[0] > -1e-9 && p[0] < 4.0 + 1e-9, "{part}: {p:?}");
        }
        if part == 0.5 {
            alike("tracer at 180°", &p, &[2.0, 4.0], 1e-9);
        }
    });
    alike("x", &[x.0, x.1], &[-0.351807, 4.351807], 1e-4);
    alike("y", &[y.0, y.1], &[4.0, 24f64.sqrt()], 1e-8);
}

/// The same line as the lambda's, exact at x = 0, 2 and 4.
#[test]
fn chebyshev_crossed() {
    let mut y = Range::new();
    turn("chebyshev-crossed", 4 * TURN, |world, part| {
        let p = place(world, "coupler", [0.0, 0.0]);
        alike("drive", &p[..1], &[2.0 + 2.0 * (TAU * part).sin()], 2e-9);
        assert!(p[1] > 4.0 - 2e-9 && p[1] < 4.009755, "{part}: {p:?}");
        y.add(p[1]);
        if (4.0 * part).fract() == 0.0 {
            alike("the line", &p[1..], &[4.0], 2e-9);
        }
    });
    alike("y", &[y.1], &[4.009754], 1e-5);
}

/// Straight to a thousandth over the middle half, to 13 thousandths further out.
#[test]
fn watt() {
    // The bow where the middle is at y = 0.5 and 0.8: roots of the loop's two equations.
    let (half, end) = (0.001_045_781_9, 0.012_570_431_0);
    turn("watt", 4 * TURN, |world, part| {
        let [x, y] = place(world, "coupler", [0.0, 0.0]);
        alike("drive", &[y], &[0.8 * (TAU * part).sin()], 2e-9);
        let bow = if y.abs() <= 0.5 { half } else { end };
        assert!(x.abs() <= bow + 2e-9, "{part}: {x} {y}");
        if part == 0.25 || part == 0.75 {
            alike("end", &[x.abs()], &[end], 3e-9);
        }
    });
}

/// OB·OD = L² − s², and D is on the line x = (L² − s²)/2r.
#[test]
fn peaucellier() {
    turn("peaucellier-driven", TURN, |world, _| {
        let (b, d) = (
            place(world, "AB", [1.5, 0.0]),
            place(world, "CD", [1.5, 0.0]),
        );
        alike("line", &d[..1], &[4.0], 1e-8);
        let product = b[0].hypot(b[1]) * d[0].hypot(d[1]);
        alike("inverse", &[product], &[16.0], 1e-7);
    });
}

/// The copy is the pen's place times the ratio.
#[test]
fn pantograph() {
    for ratio in [2, 3, 5] {
        turn(&format!("pantograph:{ratio}"), TURN, |world, part| {
            let k = f64::from(ratio);
            let (sin, cos) = (TAU * part).sin_cos();
            let pen = [1.2 + 0.3 * cos, 0.3 * sin];
            alike("pen", &place(world, "inner", [0.5, 0.0]), &pen, 3e-9);
            let copy = place(world, "outer", [0.5 * k, 0.0]);
            alike("copy", &copy, &pen.map(|x| k * x), 1e-8);
        });
    }
}

/// Height n·L·sin θ with the feet L·cos θ apart.
#[test]
fn scissor() {
    for n in [1, 4] {
        turn(&format!("scissor-driven:{n}"), TURN, |world, _| {
            let [width, floor] = place(world, "falling 0", [0.5, 0.0]);
            assert!((0.59..0.96).contains(&width) && floor.abs() < 1e-9);
            let table = place(world, "table", [-0.5 * 0.75f64.sqrt(), 0.0]);
            let height = f64::from(n) * (1.0 - width * width).sqrt();
            alike("table", &table, &[0.0, height], 1e-7);
        });
    }
}

/// x = r·cos ωt, the purest sine.
#[test]
fn scotch_yoke() {
    turn("scotch-yoke", TURN, |world, part| {
        let (sin, cos) = (TAU * part).sin_cos();
        let yoke = world.find_body("yoke").unwrap();
        alike("x", world.q(yoke).unwrap(), &[0.5 * cos, 0.0, 0.0], 2e-9);
        let rate = -0.25 * TAU * sin;
        alike("v", world.v(yoke).unwrap(), &[rate, 0.0, 0.0], 1e-8);
    });
}
