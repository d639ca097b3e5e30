//! A linkage that was found as a scene: three bars, a motor, the path, and the trace of the pen.

use std::fmt::Write;

use super::judge::Found;
use super::path::{Path, corners, size};
use crate::fault::Fault;

/// How fast the crank turns, degrees per second.
pub(super) const SPEED_DEG: f64 = 90.0;
/// Kilograms for each meter of a bar.
pub(super) const LINE_DENSITY: f64 = 1.0;
/// How far the camera is from the picture, by its size.
const FAR: f64 = 1.4;

impl Found {
    /// The text of a scene in which a motor on the crank draws the path. It begins at the path's first point.
    pub fn scene(&self, name: &str) -> Result<String, Fault> {
        let text = self.text(name);
        let scene = crate::load(&text)?;
        crate::save(&scene)
    }

    fn text(&self, name: &str) -> String {
        let refused = || vec![0.0; 9];
        let pose = self.bar.pose(self.angles[0]).unwrap_or_else(refused);
        let ([o, p], [a, b, c]) = (
            [self.bar.crank_pivot, self.bar.rocker_pivot],
            self.bar.lengths,
        );
        let (sin, cos) = libm::sincos(pose[5]);
        let on_coupler = |[u, v]: [f64; 2]| {
            let (x, y) = (pose[3] + cos * u - sin * v, pose[4] + sin * u + cos * v);
            [x, y]
        };
        let (crank_pin, rocker_pin) = ([pose[3], pose[4]], on_coupler([b, 0.0]));
        let pen = [self.bar.pen[0] - 0.5 * b, self.bar.pen[1]];
        let way = (self.angles[self.angles.len() - 1] - self.angles[0]).signum();
        let mut around: Vec<[f64; 2]> = vec![o, p, crank_pin, rocker_pin];
        around.extend(self.path.points());
        let width = 0.02 * (a + b + c) / 3.0;
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            r##"{{"linkwork": 1, "name": {name}, "why": "A four-bar that draws a given path",
"world": {{"gravity": [0, -9.81, 0]}},
"bodies": [
{crank}, {coupler}, {rocker},
{{"name": "path", "type": "kinematic", "motion": {{"type": "fixed"}}, "view": {{"hidden": false, "draw": [{{"type": "sphere", "radius": {dot:?}, "position": [{first}, 0]}}],
  "drawing": [{{"points": [{stroke}], "color": "#8a8f98"}}]}}}}],
"connectors": [{{"name": "pen", "body": "coupler", "point": [{pen}]}}],
"joints": [
{{"name": "crank pivot", "type": "hinge", "a": {{"body": "ground", "point": [{o}]}}, "b": {{"body": "crank", "point": [{minus_a:?}, 0]}}, "motor": {{"speed_deg": {speed:?}}}}},
{{"name": "crank pin", "type": "hinge", "a": {{"body": "crank", "point": [{half_a:?}, 0]}}, "b": {{"body": "coupler", "point": [{minus_b:?}, 0]}}}},
{{"name": "rocker pin", "type": "hinge", "a": {{"body": "coupler", "point": [{half_b:?}, 0]}}, "b": {{"body": "rocker", "point": [{half_c:?}, 0]}}}},
{{"name": "rocker pivot", "type": "hinge", "a": {{"body": "ground", "point": [{p}]}}, "b": {{"body": "rocker", "point": [{minus_c:?}, 0]}}}}],
"traces": [{{"name": "pen", "of": "pen", "color": "#e07a3f"}}],
"view": {{"flat": true, "camera": {camera}}}}}"##,
            name = quoted(name),
            crank = bar(
                "crank",
                "#c0504d",
                [0.5 * (o[0] + crank_pin[0]), 0.5 * (o[1] + crank_pin[1])],
                pose[2],
                a,
                None
            ),
            coupler = bar(
                "coupler",
                "#3b6ea8",
                on_coupler([0.5 * b, 0.0]),
                pose[5],
                b,
                Some((pen, width))
            ),
            rocker = bar(
                "rocker",
                "#d9a441",
                [0.5 * (p[0] + rocker_pin[0]), 0.5 * (p[1] + rocker_pin[1])],
                pose[8],
                c,
                None
            ),
            first = pair(self.path.points()[0]),
            dot = 0.6 * width,
            stroke = stroke(&self.path),
            pen = pair(pen),
            o = pair(o),
            p = pair(p),
            half_a = 0.5 * a,
            minus_a = -0.5 * a,
            half_b = 0.5 * b,
            minus_b = -0.5 * b,
            half_c = 0.5 * c,
            minus_c = -0.5 * c,
            speed = way * SPEED_DEG,
            camera = camera(&around),
        );
        text
    }
}

/// The path as a line in space; closed ones return.
pub(super) fn stroke(path: &Path) -> String {
    let points = path.points();
    let back = path.is_closed().then(|| &points[0]);
    let each: Vec<String> = points
        .iter()
        .chain(back)
        .map(|point| format!("[{}, 0]", pair(*point)))
        .collect();
    each.join(", ")
}

/// The entry of a bar; a coupler has a plate to its pen, so that one sees what draws.
fn bar(
    name: &str,
    color: &str,
    position: [f64; 2],
    angle: f64,
    length: f64,
    pen: Option<([f64; 2], f64)>,
) -> String {
    let plate = pen.map_or(String::new(), |([x, y], width)| {
        let half = 0.5 * length;
        let deep = 0.5 * width;
        let corners: Vec<String> = [-deep, deep]
            .iter()
            .flat_map(|z| {
                [[-half, 0.0], [half, 0.0], [x, y]].map(|p| format!("[{}, {z:?}]", pair(p)))
            })
            .collect();
        let thick = 2.0 * width;
        format!(
            r##", "draw": [{{"type": "box", "size": [{length:?}, {thick:?}, {width:?}]}}, {{"type": "mesh", "vertices": [{}], "triangles": [[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 3], [2, 3, 0]]}}]"##,
            corners.join(", "),
        )
    });
    let mass = LINE_DENSITY * length;
    format!(
        r##"{{"name": "{name}", "type": "planar-rod", "length": {length:?}, "mass": {mass:?}, "position": [{}], "angle": {angle:?}, "view": {{"color": "{color}"{plate}}}}}"##,
        pair(position),
    )
}

pub(super) fn camera(points: &[[f64; 2]]) -> String {
    let far = FAR * size(points);
    let [least, most] = corners(points);
    let at = pair([0, 1].map(|k| 0.5 * (least[k] + most[k])));
    format!(r#"{{"eye": [{at}, {far:?}], "target": [{at}, 0]}}"#)
}

/// Two numbers, exactly.
pub(super) fn pair([x, y]: [f64; 2]) -> String {
    format!("{x:?}, {y:?}")
}

/// A text of JSON.
pub(super) fn quoted(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_control() && !"\"\\".contains(*c))
        .collect();
    format!("\"{plain}\"")
}
