//! Linkages from drawings: a path is drawn, and a four-bar is found whose coupler point follows it.
//!
//! Curves of an atlas that lie best on the path (atlas) are starts; each is fitted with all its measures free (fit),
//! and what was found is driven through a full turn (judge) before it is offered as a scene that runs (offer).
//!
//! Any other linkage begins as a scene (sketch), is turned once (turn), and fitted and judged likewise (redesign).
//!
//! ```
//! use linkwork_scene::synthesis::{Path, Wish, four_bars};
//!
//! let ellipse: Vec<[f64; 2]> = (0..60)
//!     .map(|k| f64::from(k) / 60.0 * std::f64::consts::TAU)
//!     .map(|t| [0.6 * t.cos(), 0.2 * t.sin()])
//!     .collect();
//! let found = four_bars(&Path::new(&ellipse, None)?, &Wish::default())?;
//! assert!(found[0].rms < 0.01);
//! assert!(linkwork_scene::load(&found[0].scene("ellipse")?).is_ok());
//! # Ok::<(), linkwork_scene::Fault>(())
//! ```

mod atlas;
mod fit;
mod four_bar;
mod judge;
mod linkage;
mod offer;
mod path;
mod redesign;
mod rows;
mod sketch;
mod turn;

use std::f64::consts::TAU;

pub use four_bar::{FourBar, Grashof};
pub use judge::Found;
pub use linkage::Linkage;
pub use path::Path;
pub use redesign::{Redesigned, redesign};
pub use sketch::Choice;

use crate::fault::Fault;
use atlas::Start;
use fit::{Begin, End};
use linkage::Pose;

/// What is wanted of a linkage besides its path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wish {
    /// How many points of the path are compared.
    pub n_points: usize,
    /// Whether the points of the path are equal turns of the crank apart. Else only the shape counts.
    pub is_timed: bool,
    /// How many linkages are offered at most.
    pub n_found: usize,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            n_points: 40,
            is_timed: false,
            n_found: 5,
        }
    }
}

impl Wish {
    /// The same with so many points compared.
    #[must_use]
    pub fn with_points(mut self, n_points: usize) -> Self {
        self.n_points = n_points;
        self
    }

    /// The same with so many linkages offered at most.
    #[must_use]
    pub fn with_found(mut self, n_found: usize) -> Self {
        self.n_found = n_found;
        self
    }

    /// The same, with points that are equal turns of the crank apart, or not.
    #[must_use]
    pub fn timed(mut self, is_timed: bool) -> Self {
        self.is_timed = is_timed;
        self
    }

    fn check(&self) -> Result<(), Fault> {
        let refuse = |path, problem: &str| Err(Fault::at(path, problem));
        match (self.n_points, self.n_found) {
            (0..12 | 1001.., _) => refuse("points", "must be between 12 and 1,000"),
            (_, 0 | 101..) => refuse("found", "must be between 1 and 100"),
            _ => Ok(()),
        }
    }
}

/// So many starts are fitted for each linkage that is offered.
const STARTS: usize = 3;
/// Frames of a fit that chooses among starts, and of one that ends it.
const N_ROUGH: usize = 12;
const N_FINE: usize = 60;
/// Bars of a linkage are no shorter than this part of the path's size.
const SHORTEST: f64 = 1e-3;

/// Four-bars whose coupler point follows a path, the best first. Those that do not turn through it come last, and say
/// so.
pub fn four_bars(path: &Path, wish: &Wish) -> Result<Vec<Found>, Fault> {
    wish.check()?;
    // Of size one, lengths and angles are alike, and no digits are lost where the path is small or far away.
    let [center, size] = [path.center(), [path.size(), 0.0]];
    let found = of_size_one(&path.of_size_one(), wish)?;
    Ok(found
        .into_iter()
        .map(|own| own.laid(path, center, size))
        .collect())
}

fn of_size_one(path: &Path, wish: &Wish) -> Result<Vec<Found>, Fault> {
    let mut rough: Vec<(End, Start)> = Vec::new();
    for start in atlas::starts(path, wish.is_timed, STARTS * wish.n_found) {
        if let Some(end) = fitted(path, wish, &start, atlas::N_COMPARED, N_ROUGH)? {
            rough.push((end, start));
        }
    }
    rough.sort_by(|a, b| a.0.rms.total_cmp(&b.0.rms));
    let mut found: Vec<Found> = Vec::new();
    for (end, start) in &rough {
        if found.len() == wish.n_found {
            break;
        }
        let bar = FourBar::of_design(&end.design, start.bar.branch);
        let angles = end.poses.iter().map(|pose| pose[rows::CRANK]).collect();
        let again = Start {
            bar,
            angles,
            left: 0.0,
        };
        let Some(end) = fitted(path, wish, &again, wish.n_points, N_FINE)? else {
            continue;
        };
        // Two pins at one place are no linkage.
        let lengths = FourBar::of_design(&end.design, bar.branch).lengths;
        if !lengths.iter().all(|length| *length > SHORTEST) {
            continue;
        }
        let judged = judge::judge(path, &end, bar.branch);
        match found.iter_mut().find(|own| own.is_like(&judged)) {
            Some(own) if judged.order(own).is_lt() => *own = judged,
            Some(_) => {}
            None => found.push(judged),
        }
    }
    found.sort_by(Found::order);
    match found.is_empty() {
        true => Err(Fault::at("path", "was matched by no four-bar")
            .hint("draw a smoother path, or a shorter one")),
        false => Ok(found),
    }
}

/// Fits a start with so many points; none if its bars do not reach.
fn fitted(
    path: &Path,
    wish: &Wish,
    start: &Start,
    n: usize,
    most_frames: usize,
) -> Result<Option<End>, Fault> {
    let angles = resampled(&start.angles, path.is_closed(), n);
    let Some(poses) = poses(&start.bar, &angles) else {
        return Ok(None);
    };
    // A full turn in equal parts, or the part of a turn that the start takes.
    let turn = match path.is_closed() {
        true => (angles[n - 1] - angles[0]).signum() * TAU / n as f64,
        false => (angles[n - 1] - angles[0]) / (n - 1) as f64,
    };
    let lags: Vec<f64> = (0..n).map(|k| turn * k as f64).collect();
    let design = start.bar.design();
    let begin = Begin {
        linkage: &FourBar::linkage(),
        design: &design,
        poses: &poses,
        wanted: &wanted(path, wish.is_timed, n),
        lags: wish.is_timed.then_some(&lags[..]),
        most_frames,
    };
    let end = fit::fit(&begin).map_err(|error| Fault::at("path", error.to_string()))?;
    Ok(Some(end))
}

/// Points of the path: in equal times as it was drawn, or at equal lengths.
fn wanted(path: &Path, is_timed: bool, n: usize) -> Vec<[f64; 2]> {
    if !is_timed {
        return path.spread(n);
    }
    let points = path.points();
    let n_edges = if path.is_closed() {
        points.len()
    } else {
        points.len() - 1
    };
    let n_steps = if path.is_closed() { n } else { n - 1 };
    let at = |k: usize| {
        let place = n_edges as f64 * k as f64 / n_steps as f64;
        let edge = (place as usize).min(n_edges - 1);
        let part = place - edge as f64;
        let (a, b) = (points[edge], points[(edge + 1) % points.len()]);
        [0, 1].map(|x| a[x] + part * (b[x] - a[x]))
    };
    (0..n).map(at).collect()
}

/// Angles at as many points: those between are taken evenly.
fn resampled(angles: &[f64], is_closed: bool, n: usize) -> Vec<f64> {
    let (count, first) = (angles.len(), angles[0]);
    let sign = (angles[count - 1] - first).signum();
    let end = |k: usize| angles.get(k).copied().unwrap_or(first + sign * TAU);
    let n_edges = if is_closed { count } else { count - 1 };
    let n_steps = if is_closed { n } else { n - 1 };
    let at = |k: usize| {
        let place = n_edges as f64 * k as f64 / n_steps as f64;
        let edge = (place as usize).min(n_edges - 1);
        let part = place - edge as f64;
        end(edge) + part * (end(edge + 1) - end(edge))
    };
    (0..n).map(at).collect()
}

/// Poses at these angles of the crank, none if the bars do not reach at one of them.
fn poses(bar: &FourBar, angles: &[f64]) -> Option<Vec<Pose>> {
    let mut poses: Vec<Pose> = Vec::new();
    for angle in angles {
        let mut pose = bar.pose(*angle)?;
        if let Some(before) = poses.last() {
            four_bar::unwind(&mut pose, before);
        }
        poses.push(pose);
    }
    Some(poses)
}
