//! An atlas of four-bars, and those of its curves that lie best on a path.
//!
//! Every curve is moved, turned and scaled onto the path in closed form. With points as complex numbers, centers taken
//! off, and z wanted, the best similarity of a curve c is
//!
//! ```text
//!     w = Σ c̄·z / Σ |c|²        left over: Σ |z|² − |Σ c̄·z|²/Σ |c|²
//! ```

use std::f64::consts::TAU;

use super::four_bar::{FourBar, Grashof};
use super::path::{Path, spread};

/// So many four-bars are in it.
const N_BARS: usize = 1200;
/// Every curve is known at so many angles of the crank.
const N_ANGLES: usize = 120;
/// Curves are compared at so many points.
pub(super) const N_COMPARED: usize = 24;
/// Parts of a turn in which an open path may be drawn.
pub(super) const PARTS: [f64; 6] = [0.15, 0.25, 0.35, 0.5, 0.7, 0.9];

/// A four-bar that lies on the path, and where its crank is at each point of it.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) bar: FourBar,
    /// Angles of the crank, one for each compared point, going one way.
    pub(super) angles: Vec<f64>,
    /// What is left over, relative to the path's own spread.
    pub(super) left: f64,
}

/// The best of the atlas, best first, no two from one four-bar.
pub(super) fn starts(path: &Path, is_timed: bool, n: usize) -> Vec<Start> {
    let wanted = Centered::of(match is_timed {
        true => super::wanted(path, is_timed, N_COMPARED),
        false => path.spread(N_COMPARED),
    });
    let mut random = Random(0x6C69_6E6B);
    let mut found: Vec<Start> = Vec::new();
    for _ in 0..N_BARS {
        let bar = four_bar(&mut random);
        let ways = match path.is_closed() {
            true => turns(&bar, is_timed),
            false => parts(&bar, is_timed),
        };
        let Some(best) = best_of(&bar, &ways, &wanted, path.is_closed()) else {
            continue;
        };
        let at = found.partition_point(|own| own.left <= best.left);
        if at < n {
            found.insert(at, best);
            found.truncate(n);
        }
    }
    found
}

/// Points of a curve and the crank's angles there.
pub(super) type Way = Vec<([f64; 2], f64)>;

/// A full turn, forward and backward.
fn turns(bar: &FourBar, is_timed: bool) -> Vec<Way> {
    let angles: Vec<f64> = (0..N_ANGLES)
        .map(|k| TAU * k as f64 / N_ANGLES as f64)
        .collect();
    let Some(points) = angles
        .iter()
        .map(|t| bar.pen_at(*t))
        .collect::<Option<Vec<_>>>()
    else {
        return vec![];
    };
    let forward = match is_timed {
        true => {
            let step = N_ANGLES / N_COMPARED;
            (0..N_COMPARED)
                .map(|k| (points[step * k], angles[step * k]))
                .collect()
        }
        false => spread(&points, &angles, true, N_COMPARED),
    };
    both_ways(forward)
}

/// Parts of a turn, forward and backward.
fn parts(bar: &FourBar, is_timed: bool) -> Vec<Way> {
    let mut ways = Vec::new();
    for part in PARTS {
        let n = (part * N_ANGLES as f64) as usize;
        for first in (0..N_ANGLES).step_by(5) {
            let angles: Vec<f64> = (0..n)
                .map(|k| TAU * (first + k) as f64 / N_ANGLES as f64)
                .collect();
            let points = angles
                .iter()
                .map(|t| bar.pen_at(*t))
                .collect::<Option<Vec<_>>>();
            let Some(points) = points else { continue };
            let way = match is_timed {
                true => {
                    let (from, to) = (angles[0], angles[n - 1]);
                    let at = |k: usize| from + (to - from) * k as f64 / (N_COMPARED - 1) as f64;
                    let pens = (0..N_COMPARED).filter_map(|k| Some((bar.pen_at(at(k))?, at(k))));
                    pens.collect()
                }
                false => spread(&points, &angles, false, N_COMPARED),
            };
            ways.extend(both_ways(way));
        }
    }
    ways
}

pub(super) fn both_ways(forward: Way) -> Vec<Way> {
    let backward = forward.iter().rev().copied().collect();
    vec![forward, backward]
}

/// Points about their center.
pub(super) struct Centered {
    pub(super) center: [f64; 2],
    points: Vec<[f64; 2]>,
    /// Σ |z|².
    spread: f64,
}

impl Centered {
    pub(super) fn of(points: Vec<[f64; 2]>) -> Self {
        let n = points.len() as f64;
        let center = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / n);
        let points: Vec<[f64; 2]> = points
            .into_iter()
            .map(|p| [p[0] - center[0], p[1] - center[1]])
            .collect();
        let spread = points.iter().map(|p| p[0] * p[0] + p[1] * p[1]).sum();
        Self {
            center,
            points,
            spread,
        }
    }
}

fn best_of(bar: &FourBar, ways: &[Way], wanted: &Centered, is_closed: bool) -> Option<Start> {
    let laid = best_way(ways, wanted, is_closed)?;
    Some(Start {
        bar: bar.laid(laid.from, wanted.center, laid.w),
        angles: laid.angles,
        left: laid.left,
    })
}

/// How a curve lies best on the path.
pub(super) struct Laid {
    /// `z ↦ center of the path + w·(z − from)`.
    pub(super) from: [f64; 2],
    pub(super) w: [f64; 2],
    /// Angles of the crank at the points of the path, turned along.
    pub(super) angles: Vec<f64>,
    left: f64,
}

/// The way that lies best on the path, and how.
pub(super) fn best_way(ways: &[Way], wanted: &Centered, is_closed: bool) -> Option<Laid> {
    let mut best: Option<(f64, usize, usize, [f64; 2])> = None;
    let curves: Vec<Centered> = ways
        .iter()
        .map(|way| Centered::of(way.iter().map(|(point, _)| *point).collect()))
        .collect();
    for (which, curve) in curves.iter().enumerate() {
        let n = curve.points.len();
        let shifts = if is_closed { n } else { 1 };
        for shift in 0..shifts {
            // Σ c̄·z
            let (mut re, mut im) = (0.0, 0.0);
            for (k, z) in wanted.points.iter().enumerate() {
                let c = curve.points[(k + shift) % n];
                re += c[0] * z[0] + c[1] * z[1];
                im += c[0] * z[1] - c[1] * z[0];
            }
            let left = 1.0 - (re * re + im * im) / (curve.spread * wanted.spread);
            if best.is_none_or(|best| left < best.0) {
                best = Some((left, which, shift, [re / curve.spread, im / curve.spread]));
            }
        }
    }
    let (left, which, shift, w) = best?;
    let (curve, way) = (&curves[which], &ways[which]);
    let turned = libm::atan2(w[1], w[0]);
    let n = way.len();
    // Angles go on beyond a full turn where the shift wraps.
    let sign = (way[n - 1].1 - way[0].1).signum();
    let angle = |k: usize| {
        let wraps = if k + shift >= n { sign * TAU } else { 0.0 };
        turned + way[(k + shift) % n].1 + wraps
    };
    Some(Laid {
        from: curve.center,
        w,
        angles: (0..n).map(angle).collect(),
        left,
    })
}

/// A four-bar whose crank turns fully, with some room to spare.
fn four_bar(random: &mut Random) -> FourBar {
    loop {
        let lengths = [
            random.between(0.15, 1.6),
            random.between(0.4, 2.2),
            random.between(0.4, 2.2),
        ];
        let bar = FourBar {
            crank_pivot: [0.0; 2],
            rocker_pivot: [1.0, 0.0],
            lengths,
            pen: [random.between(-1.0, 2.0), random.between(-1.5, 1.5)],
            branch: if random.between(0.0, 1.0) < 0.5 {
                1.0
            } else {
                -1.0
            },
        };
        let has_room = bar
            .worst_transmission_deg()
            .is_some_and(|worst| worst < 70.0);
        if has_room && bar.grashof() != Grashof::NoFullTurn {
            return bar;
        }
    }
}

/// A linear congruential generator: the atlas is the same everywhere.
struct Random(u64);

impl Random {
    fn between(&mut self, least: f64, most: f64) -> f64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        least + (most - least) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}
