//! Linkages of scenes with other measures: a six-bar (Stephenson's third), whose path is known in closed form.

use std::f64::consts::TAU;

use linkwork::prelude::*;
use linkwork_scene::load;
use linkwork_scene::synthesis::{Choice, Path, Wish, redesign};

/// Measures: pivots of crank, rocker and swing; lengths of crank, coupler, rocker, link and swing; where on the coupler
/// the link is pinned, and where on the link the pen is.
#[derive(Clone, Copy)]
struct SixBar {
    pivots: [[f64; 2]; 3],
    lengths: [f64; 5],
    on_coupler: [f64; 2],
    pen: [f64; 2],
}

const TRUTH: SixBar = SixBar {
    pivots: [[0.0, 0.0], [2.0, 0.2], [3.1, 1.2]],
    lengths: [0.6, 2.1, 1.5, 2.0, 2.2],
    on_coupler: [1.1, 0.9],
    pen: [0.8, 0.5],
};

/// Where a circle about a of radius r and one about b of radius s meet, to the left of the way from a to b.
fn meet(a: [f64; 2], r: f64, b: [f64; 2], s: f64) -> [f64; 2] {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let far = dx.hypot(dy);
    let along = (far * far + r * r - s * s) / (2.0 * far);
    let beside = (r * r - along * along).sqrt();
    [
        a[0] + (along * dx - beside * dy) / far,
        a[1] + (along * dy + beside * dx) / far,
    ]
}

/// A point of a bar from a to b, along it and to its left.
fn on(a: [f64; 2], b: [f64; 2], [u, v]: [f64; 2]) -> [f64; 2] {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx.hypot(dy);
    let (c, s) = (dx / length, dy / length);
    [a[0] + c * u - s * v, a[1] + s * u + c * v]
}

impl SixBar {
    /// Pins at an angle of the crank: crank, rocker, link, swing; and the pen.
    fn at(&self, t: f64) -> [[f64; 2]; 5] {
        let [o, p, q] = self.pivots;
        let [a, b, c, d, e] = self.lengths;
        let crank = [o[0] + a * t.cos(), o[1] + a * t.sin()];
        let rocker = meet(crank, b, p, c);
        let link = on(crank, rocker, self.on_coupler);
        let swing = meet(link, d, q, e);
        [crank, rocker, link, swing, on(link, swing, self.pen)]
    }

    fn scene(&self) -> String {
        let [o, p, q] = self.pivots;
        let [crank, rocker, link, swing, pen] = self.at(0.4);
        let rods = [
            ("crank", o, crank),
            ("coupler", crank, rocker),
            ("rocker", p, rocker),
            ("link", link, swing),
            ("swing", q, swing),
        ];
        let entry = |(name, a, b): (&str, [f64; 2], [f64; 2])| {
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            let (length, angle) = (dx.hypot(dy), dy.atan2(dx));
            format!(
                r#"{{"name": "{name}", "type": "planar-rod", "length": {length}, "mass": 1, "position": {middle:?}, "angle": {angle}}}"#
            )
        };
        let bodies: Vec<String> = rods.into_iter().map(entry).collect();
        let end = |name: &str, at: [f64; 2]| {
            let Some((_, a, b)) = rods.iter().find(|own| own.0 == name) else {
                return format!(r#"{{"body": "{name}", "point": {at:?}}}"#);
            };
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            let length = dx.hypot(dy);
            let [x, y] = [at[0] - 0.5 * (a[0] + b[0]), at[1] - 0.5 * (a[1] + b[1])];
            let local = [(x * dx + y * dy) / length, (y * dx - x * dy) / length];
            format!(r#"{{"body": "{name}", "point": {local:?}}}"#)
        };
        let pin = |(name, a, b, at, more): (&str, &str, &str, [f64; 2], &str)| {
            let ends = [end(a, at), end(b, at)];
            format!(
                r#"{{"name": "{name}", "type": "hinge", "a": {}, "b": {}{more}}}"#,
                ends[0], ends[1]
            )
        };
        let motor = r#", "motor": {"speed_deg": 90}"#;
        let pins = [
            ("A", "ground", "crank", o, motor),
            ("B", "crank", "coupler", crank, ""),
            ("C", "coupler", "rocker", rocker, ""),
            ("D", "ground", "rocker", p, ""),
            ("E", "coupler", "link", link, ""),
            ("F", "link", "swing", swing, ""),
            ("G", "ground", "swing", q, ""),
        ];
        let joints: Vec<String> = pins.into_iter().map(pin).collect();
        format!(
            r#"{{"linkwork": 1, "bodies": [{}], "joints": [{}], "traces": [{{"name": "pen", "of": {}}}]}}"#,
            bodies.join(", "),
            joints.join(", "),
            end("link", pen)
        )
    }

    /// Every measure off by some percent.
    fn disturbed(&self) -> Self {
        let mut own = *self;
        let mut k = 0.0;
        let mut off = |x: &mut f64| {
            k += 1.0;
            *x *= 1.0 + 0.06 * f64::sin(2.3 * k);
        };
        own.lengths.iter_mut().for_each(&mut off);
        own.pivots.as_flattened_mut().iter_mut().for_each(&mut off);
        own.on_coupler
            .iter_mut()
            .chain(&mut own.pen)
            .for_each(&mut off);
        own
    }
}

fn drawn(bar: &SixBar, n: usize) -> Vec<[f64; 2]> {
    (0..n)
        .map(|k| bar.at(TAU * k as f64 / n as f64)[4])
        .collect()
}

fn size(points: &[[f64; 2]]) -> f64 {
    Path::new(points, Some(true)).unwrap().size()
}

/// A six-bar that is off by some percent in all its measures draws the path again, as the scene that is written shows.
#[test]
fn a_six_bar_is_brought_to_a_path() {
    let wanted = drawn(&TRUTH, 90);
    let wish = Wish::default().with_points(16);
    let path = Path::new(&wanted, Some(true)).unwrap();
    let scene = load(&TRUTH.disturbed().scene()).unwrap_or_else(|fault| panic!("{fault}"));
    let found = redesign(&scene, &path, &wish, &Choice::default()).unwrap();
    let size = size(&wanted);
    println!(
        "{} {} {}",
        found.rms_before / size,
        found.rms / size,
        found.n_frames
    );
    assert!(
        found.rms < 5e-4 * size && found.rms < 0.1 * found.rms_before,
        "{} {}",
        found.rms_before / size,
        found.rms / size
    );
    assert!(
        found.is_sound() && found.worst.unwrap() < 0.02 * size,
        "{found:?}"
    );
    // What is written runs, and its pen comes by every point in a turn of four seconds.
    let mut scene = load(&found.scene("six-bar").unwrap()).unwrap();
    let mut simulator = Simulator::new();
    let mut near = vec![f64::INFINITY; wanted.len()];
    for _ in 0..240 {
        simulator.step(&mut scene.world, &scene.options).unwrap();
        let [x, y, _] = scene.world.position_world(&scene.traces[0].of).unwrap();
        for (near, at) in near.iter_mut().zip(&wanted) {
            *near = near.min((x - at[0]).hypot(y - at[1]));
        }
    }
    let far = near.iter().copied().fold(0.0, f64::max);
    assert!(far < 0.03 * size, "{}", far / size);
}

/// Measures that are kept stay to the last bit but for the scale there and back, and what is wrong is told.
#[test]
fn measures_are_kept_and_mistakes_told() {
    let path = Path::new(&drawn(&TRUTH, 60), Some(true)).unwrap();
    let start = TRUTH.disturbed();
    let scene = load(&start.scene()).unwrap();
    let wish = Wish::default().with_points(12);
    let kept = |names: &[&str]| Choice {
        kept: names.iter().map(|own| (*own).to_owned()).collect(),
        ..Choice::default()
    };
    let found = redesign(&scene, &path, &wish, &kept(&["A", "crank", "D x"])).unwrap();
    let measure = |name: &str| found.measures.iter().find(|own| own.0 == name).unwrap().1;
    for (name, wanted) in [
        ("A x", start.pivots[0][0]),
        ("crank length", start.lengths[0]),
        ("D x", start.pivots[1][0]),
    ] {
        assert!((measure(name) - wanted).abs() < 1e-12, "{name}");
    }
    assert!((measure("D y") - start.pivots[1][1]).abs() > 1e-6);
    assert!(found.rms < found.rms_before);
    for (choice, told) in [
        (kept(&["cranck length"]), "crank length"),
        (
            Choice {
                pen: Some("penn".to_owned()),
                ..Choice::default()
            },
            "no trace or connector is called",
        ),
        (
            Choice {
                crank: Some("handle".to_owned()),
                ..Choice::default()
            },
            "no body is called",
        ),
    ] {
        let fault = redesign(&scene, &path, &wish, &choice).unwrap_err();
        assert!(fault.to_string().contains(told), "{fault}");
    }
    // Watt's linkage is led by its tracer, not by a crank.
    let watt = linkwork_scene::library::open("watt").unwrap();
    let fault = redesign(&watt, &path, &wish, &Choice::default()).unwrap_err();
    assert!(
        fault.to_string().contains("neither a pin nor the drive"),
        "{fault}"
    );
}

/// A path that no four-bar draws: what is found is nearer to it than the scene was. Steps that are not tried led away,
/// to seven times the distance with 60 points and twenty times with 24.
#[test]
fn what_is_found_is_nearer_than_the_scene_was() {
    let scene = linkwork_scene::library::open("hoecken").unwrap();
    let path = (0..90).map(|k| {
        let t = TAU * f64::from(k) / 90.0;
        [
            3.0 * t.cos() + 0.3 * (2.0 * t).cos(),
            0.8 * t.sin() + 0.2 * (2.0 * t).sin(),
        ]
    });
    let path = Path::new(&path.collect::<Vec<_>>(), Some(true)).unwrap();
    for n in [16, 24, 40, 60] {
        let wish = Wish::default().with_points(n);
        let found = redesign(&scene, &path, &wish, &Choice::default()).unwrap();
        assert!(
            found.rms < found.rms_before,
            "{n} points: {} m, before {} m",
            found.rms,
            found.rms_before
        );
    }
}
