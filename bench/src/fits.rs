//! `fits`: frames in which numbers are fitted to the rows of a table, from somewhere else in each frame.

use std::time::Instant;

use linkwork::prelude::*;

use crate::table::table;

/// Frames of a batch, and batches, of which the fastest counts.
const FRAMES: usize = 20;
const BATCHES: usize = 9;

const POLYNOMIAL: &str = r#"{ "name": "p", "type": "numbers", "names": ["a", "b", "c", "d", "e"], "values": [0, 0, 0, 0, 0] }"#;
const POLYNOMIAL_ROW: &str = r#""is": "p.a + p.b*x + p.c*x^2 + p.d*x^3 + p.e*x^4 ~ y""#;
const ELLIPSE: &str = r#"{ "name": "p", "type": "formula", "names": ["cx", "cy", "a", "b", "phi"], "values": [0, 0, 1.2, 1, 0],
    "curve": "[cx, cy] + turn([a*cos(u), b*sin(u)], phi)", "u": ["0", "tau"], "closed": true, "mass": 1e-4 }"#;
const ELLIPSE_ROW: &str = r#""is": "p(u) ~ [x, y]", "free": ["u"]"#;

/// Measures and lays out the result.
pub(crate) fn run() -> Result<String, String> {
    let mut lines = Vec::new();
    for (what, body, row) in [
        ("polynomial of 5 numbers", POLYNOMIAL, POLYNOMIAL_ROW),
        ("ellipse, places free", ELLIPSE, ELLIPSE_ROW),
    ] {
        for n in [50, 100, 200, 400] {
            let (time, fills) = frame(body, row, n)?;
            lines.push(vec![
                what.to_owned(),
                n.to_string(),
                format!("{:.3}", 1e3 * time),
                format!("{:.0}", 1e9 * time / n as f64),
                fills.to_string(),
            ]);
        }
    }
    let head = ["fit", "rows", "ms a frame", "ns a row", "fills"];
    Ok(table(&head, &lines))
}

/// Seconds for a frame, and how often the last one evaluated the rows.
fn frame(body: &str, row: &str, n: usize) -> Result<(f64, usize), String> {
    let points = (0..n).map(|k| {
        let u = std::f64::consts::TAU * k as f64 / n as f64;
        let (x, y) = (2.0 * u.cos(), 0.8 * u.sin());
        format!("[{}, {}]", 0.5 * x, 0.5 + y + 0.05 * (7.0 * u).sin())
    });
    let points: Vec<String> = points.collect();
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }}, "bodies": [{body}],
            "tables": [{{ "name": "data", "columns": ["x", "y"], "rows": [{}] }}],
            "joints": [{{ "name": "fit", "type": "formula", "for": "data", {row} }}] }}"#,
        points.join(", ")
    );
    let mut scene = linkwork_scene::load(&text).map_err(|fault| fault.to_string())?;
    let id = scene.world.find_body("p").ok_or("no body")?;
    let start = scene
        .world
        .q(id)
        .map_err(|error| error.to_string())?
        .to_vec();
    let mut simulator = Simulator::new();
    let (mut best, mut fills) = (f64::INFINITY, 0);
    for _ in 0..BATCHES {
        let mut time = 0.0;
        for k in 0..FRAMES {
            let away: Vec<f64> = start.iter().map(|q| q + 0.01 * k as f64).collect();
            scene
                .world
                .set_q(id, &away)
                .map_err(|error| error.to_string())?;
            let clock = Instant::now();
            let report = simulator
                .step(&mut scene.world, &scene.options)
                .map_err(|error| error.to_string())?;
            time += clock.elapsed().as_secs_f64();
            fills = report.effort.fills;
        }
        best = best.min(time / FRAMES as f64);
    }
    Ok((best, fills))
}
