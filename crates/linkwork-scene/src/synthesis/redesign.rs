//! The linkage of a scene with other measures, so that its pen follows a path.
//!
//! The linkage is turned once; the part of its curve that lies best on the path says where the crank is at each point.
//! From there all poses share the design that is sought, as for four-bars.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::atlas::{Centered, PARTS, Way, best_way, both_ways};
use super::fit::{self, Begin, End};
use super::judge::{is_in_order, to_curve};
use super::linkage::{Coordinate, Place, Pose};
use super::offer::{LINE_DENSITY, SPEED_DEG, camera, pair, quoted, stroke};
use super::path::{Path, distance, spread};
use super::rows::CRANK;
use super::sketch::{Choice, Sketch};
use super::{Wish, turn, wanted};
use crate::fault::Fault;
use crate::scene::Scene;

/// The crank is looked at in so many places of a turn.
const N_ANGLES: usize = 240;
/// Frames of a fit at most.
const N_FRAMES: usize = 60;
/// Colors of bars, in turn.
const COLORS: [&str; 6] = [
    "#c0504d", "#3b6ea8", "#d9a441", "#6a9a5b", "#8064a2", "#4bacc6",
];

/// A linkage whose measures were sought.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Redesigned {
    /// Names of the measures, and what they are, m.
    pub measures: Vec<(String, f64)>,
    /// Root of the mean square distance between the pen and its points of the path, m: as the scene is, laid on the
    /// path, and now.
    pub rms_before: f64,
    /// See [`Redesigned::rms_before`].
    pub rms: f64,
    /// The largest distance of a point of the path from the curve of a full turn, m; none if there is no full turn.
    pub worst: Option<f64>,
    /// Whether the crank passes the points in their order, going one way.
    pub is_in_order: bool,
    /// Whether it turns fully without being taken apart, and every pose of the fit is on its way.
    pub is_one_branch: bool,
    /// Frames of the fit.
    pub n_frames: usize,
    sketch: Sketch,
    way: f64,
    path: Path,
}

/// Finds measures of a scene's linkage with which its pen follows a path. The crank must turn fully as the scene is.
pub fn redesign(
    scene: &Scene,
    path: &Path,
    wish: &Wish,
    choice: &Choice,
) -> Result<Redesigned, Fault> {
    wish.check()?;
    let own = Sketch::of(scene, choice)?;
    let mobility = turn::mobility(&own.linkage);
    if mobility != 1 {
        let problem = format!("has {mobility} freedoms in {} pins", own.linkage.pins.len());
        return Err(Fault::at("joints", problem).hint("a linkage that a crank moves has one"));
    }
    // Of size one, as for four-bars.
    let (center, size) = (path.center(), path.size());
    let unit = path.of_size_one();
    let own = own.laid(center, [0.0; 2], [1.0 / size, 0.0]);
    let (own, angles) = start(&own, &unit, wish, choice.kept.is_empty())?;
    let (linkage, design) = own.free();
    let poses = turn::poses(&own.linkage, &own.design, &own.pose, &angles);
    let poses = poses.ok_or_else(no_turn)?;
    let points = wanted(&unit, wish.is_timed, angles.len());
    let lags: Vec<f64> = (0..angles.len())
        .map(|k| lag(&angles, k, unit.is_closed()))
        .collect();
    let begin = |most_frames| Begin {
        linkage: &linkage,
        design: &design,
        poses: &poses,
        wanted: &points,
        lags: wish.is_timed.then_some(&lags[..]),
        most_frames,
    };
    let fitted =
        |frames| fit::fit(&begin(frames)).map_err(|error| Fault::at("path", error.to_string()));
    let before = fitted(0)?.rms;
    let end = fitted(N_FRAMES)?;
    let found = own.with(&end.design, end.poses[0].clone());
    let mut judged = judge(found, &unit, &end);
    // Back to where the path is.
    judged.sketch = judged.sketch.laid([0.0; 2], center, [size, 0.0]);
    let names = judged.sketch.linkage.numbers.iter().cloned();
    judged.measures = names.zip(judged.sketch.design.iter().copied()).collect();
    (judged.rms_before, judged.rms) = (size * before, size * end.rms);
    judged.worst = judged.worst.map(|worst| size * worst);
    judged.path = path.clone();
    Ok(judged)
}

fn no_turn() -> Fault {
    let fault = Fault::at("crank", "does not turn fully in the scene");
    fault.hint("begin with a linkage whose crank turns round")
}

/// How far the crank turns from the first pose to each, in equal parts.
fn lag(angles: &[f64], k: usize, is_closed: bool) -> f64 {
    let n = angles.len();
    let whole = angles[n - 1] - angles[0];
    match is_closed {
        true => whole.signum() * TAU * k as f64 / n as f64,
        false => whole * k as f64 / (n - 1) as f64,
    }
}

/// The linkage laid on the path, and where its crank is at each point: as the scene is where measures are kept, else by
/// the best similarity.
fn start(
    own: &Sketch,
    path: &Path,
    wish: &Wish,
    is_laid: bool,
) -> Result<(Sketch, Vec<f64>), Fault> {
    let n = wish.n_points;
    let first = own.pose[CRANK];
    let turned: Vec<f64> = (0..N_ANGLES)
        .map(|k| first + TAU * k as f64 / N_ANGLES as f64)
        .collect();
    let poses = turn::poses(&own.linkage, &own.design, &own.pose, &turned).ok_or_else(no_turn)?;
    let pens: Vec<[f64; 2]> = poses
        .iter()
        .map(|pose| own.linkage.pen.world(pose, &own.design))
        .collect();
    let ways = ways(&pens, &turned, path.is_closed(), wish.is_timed, n);
    let wanted = wanted(path, wish.is_timed, n);
    if is_laid {
        let wanted = Centered::of(wanted);
        let laid = best_way(&ways, &wanted, path.is_closed()).ok_or_else(no_turn)?;
        return Ok((own.laid(laid.from, wanted.center, laid.w), laid.angles));
    }
    let mut best: Option<(f64, Vec<f64>)> = None;
    for way in &ways {
        let sign = (way[n - 1].1 - way[0].1).signum();
        for shift in 0..if path.is_closed() { n } else { 1 } {
            let at = |k: usize| way[(k + shift) % n];
            let apart = wanted
                .iter()
                .enumerate()
                .map(|(k, z)| distance(at(k).0, *z));
            let left: f64 = apart.map(|own| own * own).sum();
            if best.as_ref().is_none_or(|own| left < own.0) {
                let wraps = |k: usize| if k + shift >= n { sign * TAU } else { 0.0 };
                best = Some((left, (0..n).map(|k| at(k).1 + wraps(k)).collect()));
            }
        }
    }
    let (_, angles) = best.ok_or_else(no_turn)?;
    Ok((own.clone(), angles))
}

/// Parts of a turn, or all of it, with n points each.
fn ways(pens: &[[f64; 2]], angles: &[f64], is_closed: bool, is_timed: bool, n: usize) -> Vec<Way> {
    let at = |place: f64| {
        let (k, part) = (place as usize, place.fract());
        let [a, b] = [k, k + 1].map(|own| pens[own % N_ANGLES]);
        let pen = [0, 1].map(|x| a[x] + part * (b[x] - a[x]));
        (pen, angles[0] + TAU * place / N_ANGLES as f64)
    };
    if is_closed {
        let whole = match is_timed {
            true => (0..n)
                .map(|k| at((k * N_ANGLES) as f64 / n as f64))
                .collect(),
            false => spread(pens, angles, true, n),
        };
        return both_ways(whole);
    }
    let mut ways = Vec::new();
    for part in PARTS {
        let count = (part * N_ANGLES as f64) as usize;
        for first in (0..N_ANGLES).step_by(5) {
            let way = match is_timed {
                true => {
                    let place = |k: usize| first as f64 + (count * k) as f64 / (n - 1) as f64;
                    (0..n).map(|k| at(place(k))).collect()
                }
                false => {
                    let each = (first..first + count).map(|k| at(k as f64));
                    let (pens, angles): (Vec<_>, Vec<_>) = each.unzip();
                    spread(&pens, &angles, false, n)
                }
            };
            ways.extend(both_ways(way));
        }
    }
    ways
}

/// Drives what a fit ended with through a turn.
fn judge(sketch: Sketch, path: &Path, end: &End) -> Redesigned {
    let angles: Vec<f64> = end.poses.iter().map(|pose| pose[CRANK]).collect();
    let way = (angles[angles.len() - 1] - angles[0]).signum();
    let (linkage, design) = (&sketch.linkage, &sketch.design);
    let whole: Vec<f64> = (1..=N_ANGLES)
        .map(|k| angles[0] + way * TAU * k as f64 / N_ANGLES as f64)
        .collect();
    let turned = turn::poses(linkage, design, &end.poses[0], &whole);
    // Where the turn comes by at the angles of the poses, all bars are turned as in the fit.
    let along = turn::poses(linkage, design, &end.poses[0], &angles);
    let is_same = |(a, b): (&Pose, &Pose)| {
        let turns = (CRANK..a.len()).step_by(3);
        turns.into_iter().all(|at| libm::cos(a[at] - b[at]) > 0.99)
    };
    let is_on_way = along.is_some_and(|along| along.iter().zip(&end.poses).all(is_same));
    let worst = turned.as_ref().map(|poses| {
        let curve: Vec<[f64; 2]> = poses
            .iter()
            .map(|pose| linkage.pen.world(pose, design))
            .collect();
        let far = path.points().iter().map(|point| to_curve(*point, &curve));
        far.fold(0.0, f64::max)
    });
    Redesigned {
        measures: Vec::new(),
        rms_before: 0.0,
        rms: end.rms,
        worst,
        is_in_order: is_in_order(&angles),
        is_one_branch: turned.is_some() && is_on_way,
        n_frames: end.n_frames,
        sketch,
        way,
        path: path.clone(),
    }
}

impl Redesigned {
    /// Whether a motor on the crank draws the path.
    pub fn is_sound(&self) -> bool {
        self.is_in_order && self.is_one_branch
    }

    /// The text of a scene in which a motor on the crank draws the path. It begins at the path's first point.
    pub fn scene(&self, name: &str) -> Result<String, Fault> {
        let scene = crate::load(&self.text(name))?;
        crate::save(&scene)
    }

    fn text(&self, name: &str) -> String {
        let sketch = &self.sketch;
        let (linkage, design, pose) = (&sketch.linkage, &sketch.design, &sketch.pose);
        let bars: Vec<String> = (0..linkage.bars.len()).map(|bar| self.bar(bar)).collect();
        let mut joints = Vec::new();
        let mut has_motor = false;
        for pin in &linkage.pins {
            let [a, b] = pin.places.map(|place| self.end(place));
            let is_pivot = pin.places.iter().any(|own| own.bar.is_none())
                && pin.places.iter().any(|own| own.bar == Some(0));
            let motor = match is_pivot && !has_motor {
                true => format!(r#", "motor": {{"speed_deg": {:?}}}"#, self.way * SPEED_DEG),
                false => String::new(),
            };
            has_motor |= is_pivot;
            let name = quoted(&pin.name);
            joints.push(format!(
                r#"{{"name": {name}, "type": "hinge", "a": {a}, "b": {b}{motor}}}"#
            ));
        }
        let places = linkage.pins.iter().flat_map(|pin| pin.places);
        let mut around: Vec<[f64; 2]> = places.map(|place| place.world(pose, design)).collect();
        around.extend(self.path.points());
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            r##"{{"linkwork": 1, "name": {name}, "why": "A linkage that draws a given path",
"world": {{"gravity": [0, -9.81, 0]}},
"bodies": [{bars},
{{"name": "path", "type": "kinematic", "motion": {{"type": "fixed"}}, "view": {{"draw": [{{"type": "sphere", "radius": {dot:?}, "position": [{first}, 0]}}],
  "drawing": [{{"points": [{stroke}], "color": "#8a8f98"}}]}}}}],
"connectors": [{{"name": "pen", {pen}],
"joints": [{joints}],
"traces": [{{"name": "pen", "of": "pen", "color": "#e07a3f"}}],
"view": {{"flat": true, "camera": {camera}}}}}"##,
            name = quoted(name),
            bars = bars.join(",\n"),
            dot = 0.01 * self.path.size(),
            first = pair(self.path.points()[0]),
            stroke = stroke(&self.path),
            pen = &self.end(linkage.pen)[1..],
            joints = joints.join(",\n"),
            camera = camera(&around),
        );
        text
    }

    /// The length of a bar: how far its second place is from its first.
    fn length(&self, bar: usize) -> f64 {
        let is_second = |place: &Place| {
            place.bar == Some(bar)
                && matches!(place.at, [Coordinate::Number(_), Coordinate::Fixed(_)])
        };
        let linkage = &self.sketch.linkage;
        let places = linkage.pins.iter().flat_map(|pin| pin.places);
        let second = places.chain([linkage.pen]).find(is_second);
        second.map_or(0.0, |own| own.at[0].of(&self.sketch.design))
    }

    /// A place as an end of a joint; rods have their origin in their middle.
    fn end(&self, place: Place) -> String {
        let [u, v] = place.at.map(|own| own.of(&self.sketch.design));
        match place.bar {
            None => format!(r#"{{"body": "ground", "point": [{}]}}"#, pair([u, v])),
            Some(bar) => {
                let at = pair([u - 0.5 * self.length(bar), v]);
                let name = quoted(&self.sketch.linkage.bars[bar]);
                format!(r#"{{"body": {name}, "point": [{at}]}}"#)
            }
        }
    }

    /// The entry of a bar: a rod from its first place to its second, and lines to all others.
    fn bar(&self, bar: usize) -> String {
        let sketch = &self.sketch;
        let length = self.length(bar);
        let (size, half) = (length.abs(), 0.5 * length);
        let [x, y, angle] = [0, 1, 2].map(|k| sketch.pose[3 * bar + k]);
        let (sin, cos) = libm::sincos(angle);
        let linkage = &sketch.linkage;
        let places = linkage
            .pins
            .iter()
            .flat_map(|pin| pin.places)
            .chain([linkage.pen]);
        let points = places.filter(|own| own.bar == Some(bar)).map(|own| {
            let [u, v] = own.at.map(|own| own.of(&sketch.design));
            [u - half, v]
        });
        let strokes = points.flat_map(|point| {
            [[-half, 0.0], [half, 0.0]].map(|end| {
                format!(
                    r#"{{"points": [[{}, 0], [{}, 0]]}}"#,
                    pair(end),
                    pair(point)
                )
            })
        });
        let strokes: Vec<String> = strokes.collect();
        let (name, color) = (quoted(&linkage.bars[bar]), COLORS[bar % COLORS.len()]);
        format!(
            r##"{{"name": {name}, "type": "planar-rod", "length": {size:?}, "mass": {mass:?}, "position": [{at}], "angle": {angle:?}, "view": {{"color": "{color}", "drawing": [{strokes}]}}}}"##,
            mass = LINE_DENSITY * size,
            at = pair([x + cos * half, y + sin * half]),
            strokes = strokes.join(", "),
        )
    }
}
