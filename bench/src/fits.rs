//! `fits`: frames in which numbers are fitted to the rows of a table, from somewhere else in each frame.

use std::time::Instant;

use linkwork::prelude::*;
use linkwork_scene::synthesis::{Choice, Path, Wish, redesign};

use crate::table::table;
use crate::timing::fastest;

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
    for n in [50, 400] {
        let time = dragged(n)?;
        lines.push(vec![
            "ellipse, places free, while a hand drags it".to_owned(),
            n.to_string(),
            format!("{:.3}", 1e3 * time),
            format!("{:.0}", 1e9 * time / n as f64),
            String::new(),
        ]);
    }
    let (time, n_frames) = synthesis(60)?;
    lines.push(vec![
        format!("four-bar for a path, {n_frames} frames"),
        "60".to_owned(),
        format!("{:.3}", 1e3 * time),
        String::new(),
        String::new(),
    ]);
    let head = ["fit", "rows", "ms a frame", "ns a row", "fills"];
    Ok(table(&head, &lines))
}

/// Seconds for a frame of a fitted ellipse that a hand leads about.
fn dragged(n: usize) -> Result<f64, String> {
    let mut scene = scene(ELLIPSE, ELLIPSE_ROW, n)?;
    let told = |error: linkwork::Error| error.to_string();
    let id = scene.world.find_body("p").ok_or("no body")?;
    let mut simulator = Simulator::new();
    for _ in 0..FRAMES {
        simulator
            .step(&mut scene.world, &scene.options)
            .map_err(told)?;
    }
    let held = id.curve2(0.8);
    let start = scene.world.position_world(&held).map_err(told)?;
    let drag = Drag::Force {
        stiffness: 2.0,
        damping: 0.0,
    };
    let grip = scene.world.grab(held, drag).map_err(told)?;
    let mut angle = 0.0f64;
    let frame = || {
        angle += 0.05;
        let goal = [
            start[0] + 0.2 * angle.sin(),
            start[1] + 0.1 * angle.sin(),
            0.0,
        ];
        scene.world.drag(grip, goal)?;
        simulator.step(&mut scene.world, &scene.options).map(drop)
    };
    fastest(frame).map_err(told)
}

/// Seconds for a frame in which one design and so many poses are brought to a path, all of the search about them
/// counted, and how many frames there were.
fn synthesis(n: usize) -> Result<(f64, usize), String> {
    let told = |fault: linkwork_scene::Fault| fault.to_string();
    let scene = linkwork_scene::library::open("hoecken").map_err(|error| error.to_string())?;
    let path = (0..90).map(|k| {
        let t = std::f64::consts::TAU * f64::from(k) / 90.0;
        [
            3.0 * t.cos() + 0.3 * (2.0 * t).cos(),
            0.8 * t.sin() + 0.2 * (2.0 * t).sin(),
        ]
    });
    let path = Path::new(&path.collect::<Vec<_>>(), Some(true)).map_err(told)?;
    let wish = Wish::default().with_points(n);
    let mut best = (f64::INFINITY, 0);
    for _ in 0..BATCHES {
        let clock = Instant::now();
        let found = redesign(&scene, &path, &wish, &Choice::default()).map_err(told)?;
        let n_frames = found.n_frames.max(1);
        best.0 = best.0.min(clock.elapsed().as_secs_f64() / n_frames as f64);
        best.1 = n_frames;
    }
    Ok(best)
}

/// A body and a fit of it to n points.
fn scene(body: &str, row: &str, n: usize) -> Result<linkwork_scene::Scene, String> {
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
    linkwork_scene::load(&text).map_err(|fault| fault.to_string())
}

/// Seconds for a frame, and how often the last one evaluated the rows.
fn frame(body: &str, row: &str, n: usize) -> Result<(f64, usize), String> {
    let mut scene = scene(body, row, n)?;
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
