//! Films that a snake follows, volcanoes that push, springs that pull (Witkin 1990, §5.3).

use linkwork_scene::command::{Command, Session};
use linkwork_scene::{library, save};

use super::snake::png;
use super::*;

/// Pictures are so many pixels wide and high; a pixel is a centimeter.
const WIDE: usize = 96;
const RATE: f64 = 30.0;
const N_FRAMES: usize = 20;
/// The radius of the disc, pixels.
const RADIUS: f64 = 22.0;

/// Where the middle of the disc is in a picture of the film, pixels from the middle: on a part of a circle.
fn middle(frame: usize) -> [f64; 2] {
    let angle = 0.07 * frame as f64;
    [12.0 * angle.sin(), 12.0 * (1.0 - angle.cos())]
}

/// A bright disc on a dark ground, its border smooth over a pixel.
fn disc([cx, cy]: [f64; 2]) -> String {
    let half = 0.5 * (WIDE as f64 - 1.0);
    let mut gray = Vec::with_capacity(WIDE * WIDE);
    for y in 0..WIDE {
        for x in 0..WIDE {
            let away = (x as f64 - half - cx).hypot(half - y as f64 - cy);
            let part = (RADIUS + 0.5 - away).clamp(0.0, 1.0);
            gray.push((40.0 + 160.0 * part) as u8);
        }
    }
    png(WIDE as u32, WIDE as u32, &gray)
}

/// A snake of so many pixels radius, and more joints.
fn snake(picture: &str, radius: f64, joints: &str) -> Scene {
    let points: Vec<[f64; 2]> = (0..10)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 10.0;
            [0.01 * radius * angle.cos(), 0.01 * radius * angle.sin()]
        })
        .collect();
    let places: Vec<Vec<f64>> = (0..40).map(|k| vec![f64::from(k) / 40.0]).collect();
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order", "dt": {} }},
        "bodies": [ {{ "name": "snake", "type": "spline", "closed": true, "points": {points:?}, "mass": 1e-4, "plate": 1e-4 }} ],
        "tables": [ {{ "name": "places", "columns": ["u"], "rows": {places:?} }} ],
        "pictures": [ {{ "name": "photo", {picture}, "position": [0, 0], "width": 0.96, "blur": 4 }} ],
        "joints": [ {{ "name": "edges", "type": "formula", "is": "photo.edge(snake(u)) ~ 1", "for": "places" }} {joints} ] }}"#,
        1.0 / RATE
    );
    load(&text).unwrap_or_else(|fault| panic!("{fault}"))
}

fn film() -> String {
    let frames: Vec<String> = (0..N_FRAMES).map(|k| disc(middle(k))).collect();
    format!(r#""film": {{ "png": {frames:?}, "rate": {RATE} }}"#)
}

/// Points of the snake, pixels.
fn points(scene: &Scene) -> Vec<[f64; 2]> {
    let body = scene.world.find_body("snake").unwrap();
    let point = |k: u32| {
        let own = body.curve2(f64::from(k) / 64.0);
        let [x, y, _] = scene.world.position_world(&own).unwrap();
        [100.0 * x, 100.0 * y]
    };
    (0..64).map(point).collect()
}

/// The largest distance of the snake from the border of a disc, pixels.
fn away(scene: &Scene, [cx, cy]: [f64; 2]) -> f64 {
    let far = points(scene)
        .into_iter()
        .map(|[x, y]| ((x - cx).hypot(y - cy) - RADIUS).abs());
    far.fold(0.0, f64::max)
}

/// The library's film: the spot goes by up to 4.4 pixels from picture to picture, and before the next one is shown the
/// snake is within a pixel of its border.
#[test]
fn the_snake_of_the_library_follows_its_film() {
    let mut session = Session::new(library::open("snake-film").unwrap()).unwrap();
    for frame in 0..16_usize {
        // The first picture is shown from the start on; a frame begins with its own step.
        let until = (60 * (frame + 1)).div_ceil(8) - 1;
        let done = (session.scene().world.state().t * 60.0).round() as usize;
        let steps = format!(r#"{{"step": {{"count": {}}}}}"#, until - done);
        session.apply(&steps.parse().unwrap()).unwrap();
        let angle = frame as f64 * std::f64::consts::TAU / 16.0;
        let [cx, cy] = [8.0 * angle.sin(), 4.0 * (2.0 * angle).sin()];
        let far = points(session.scene())
            .into_iter()
            .map(|[x, y]| ((x - cx).hypot(y - cy) - 11.0).abs());
        let off = far.fold(0.0, f64::max);
        assert!(off < 1.0, "{off} pixels off in picture {frame}");
    }
}

/// The disc moves by 0.84 pixels a picture, and the snake is within a pixel of it in every one.
#[test]
fn a_snake_follows_a_film() {
    let mut session = Session::new(snake(&film(), RADIUS + 2.0, "")).unwrap();
    let step: Command = r#"{"step": {}}"#.parse().unwrap();
    for frame in 1..N_FRAMES {
        session.apply(&step).unwrap();
        let off = away(session.scene(), middle(frame));
        assert!(off < 1.0, "{off} pixels off in picture {frame}");
    }
    // It is not where it was, and the film goes on where a rewind led.
    let there = points(session.scene());
    assert!(away(session.scene(), middle(0)) > 8.0);
    let back = format!(r#"{{"rewind": {{"time": {}}}}}"#, 5.0 / RATE);
    session.apply(&back.parse().unwrap()).unwrap();
    let again = format!(r#"{{"step": {{"count": {}}}}}"#, N_FRAMES - 6);
    session.apply(&again.parse().unwrap()).unwrap();
    assert_eq!(points(session.scene()), there);
}

#[test]
fn films_are_saved_and_refused() {
    let scene = snake(&film(), RADIUS, "");
    let text = save(&scene).unwrap();
    assert_eq!(save(&load(&text).unwrap()).unwrap(), text);
    let first = disc(middle(0));
    let small = png(8, 8, &[0; 64]);
    for (film, told) in [
        (r#""film": { "rate": 30 }"#.to_owned(), "has 0 pictures"),
        (
            format!(r#""film": {{ "png": ["{first}"], "rate": 0 }}"#),
            "is 0; give pictures a second",
        ),
        (
            format!(r#""film": {{ "png": ["{first}", "{small}"], "rate": 1 }}"#),
            "is 8 × 8 pixels",
        ),
        (
            r#""film": { "files": "cell-%03d.png", "rate": 1 }"#.to_owned(),
            "are not at hand here",
        ),
        (
            format!(r#""png": "{first}", "film": {{ "png": ["{first}"], "rate": 1 }}"#),
            "stands beside",
        ),
    ] {
        let text = format!(
            r#"{{ "linkwork": 1, "pictures": [ {{ "name": "p", {film}, "width": 1 }} ] }}"#
        );
        let fault = load(&text).unwrap_err();
        assert!(fault.to_string().contains(told), "{fault}");
    }
}

/// A volcano holds the snake off, a spring pulls it out: each by what it is, the rest stays on the border.
#[test]
fn volcanoes_push_and_springs_pull() {
    let still = format!(r#""png": "{}""#, disc([0.0; 2]));
    let settle = |joints: &str| {
        let mut scene = snake(&still, RADIUS + 2.0, joints);
        let mut simulator = Simulator::new();
        for _ in 0..20 {
            step(&mut scene, &mut simulator);
        }
        points(&scene)
    };
    let nearest = |points: &[[f64; 2]], at: [f64; 2]| {
        let far = points.iter().map(|[x, y]| (x - at[0]).hypot(y - at[1]));
        far.fold(f64::INFINITY, f64::min)
    };
    let free = settle("");
    let peak = [RADIUS - 2.0, 0.0];
    assert!((nearest(&free, peak) - 2.0).abs() < 0.5);
    let pushed = settle(
        r#", { "name": "volcano", "type": "formula", "is": "volcano(snake(u), [0.20, 0]) ~ 0 weight 5e-4", "for": "places" }"#,
    );
    assert!(nearest(&pushed, peak) > 4.0, "{}", nearest(&pushed, peak));
    // The other side stays.
    assert!((nearest(&pushed, [-RADIUS, 0.0])) < 1.0);
    let outside = |points: &[[f64; 2]]| points.iter().map(|own| own[0]).fold(0.0, f64::max);
    let pulled = [100, 2000].map(|weight| {
        settle(&format!(
            r#", {{ "name": "spring", "type": "formula", "is": "snake(0) ~ [0.30, 0] weight {weight}" }}"#
        ))
    });
    let [free, little, much] = [&free, &pulled[0], &pulled[1]].map(|own| outside(own));
    assert!(
        free + 0.05 < little && little + 1.0 < much,
        "{free} {little} {much}"
    );
    assert!(much > RADIUS + 4.0, "{much}");
    assert!(nearest(&pulled[0], [-RADIUS, 0.0]) < 1.0);
}

/// What a volcano pushes away flies as the law `r̈ = k/(m·r³)` says: `r² = r₀² + k·t²/(m·r₀²)`.
#[test]
fn a_volcano_pushes_with_the_third_power() {
    let text = r#"{ "linkwork": 1, "world": { "gravity": [0, 0, 0], "dt": 0.01, "preset": "precise" },
        "bodies": [ { "name": "bob", "type": "particle", "mass": 2, "position": [0.3, 0.4, 0] } ],
        "joints": [ { "name": "volcano", "type": "formula", "is": "volcano(bob, [0, 0, 0]) ~ 0 weight 0.5" } ] }"#;
    let mut scene = load(text).unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..100 {
        step(&mut scene, &mut simulator);
    }
    let id = scene.world.find_body("bob").unwrap();
    let [x, y, z] = scene.world.position_world(&id.at([0.0; 3])).unwrap();
    let wanted = (0.25f64 + 0.5 / (2.0 * 0.25)).sqrt();
    assert!(
        (x.hypot(y) - wanted).abs() < 1e-6,
        "{} {wanted}",
        x.hypot(y)
    );
    assert!((y / x - 4.0 / 3.0).abs() < 1e-6 && z.abs() < 1e-9);
}
