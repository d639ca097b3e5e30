//! Linkages from drawings: paths that four-bars draw are found again, others are followed as well as can be.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

use std::f64::consts::TAU;

use linkwork::prelude::*;
use linkwork_scene::synthesis::{Found, FourBar, Grashof, Path, Wish, four_bars};

#[path = "../../../linkwork/tests/common/numbers.rs"]
mod numbers;

use numbers::Random;

mod six_bar;

/// Where the coupler point of a four-bar is, by its own geometry: circles of coupler and rocker meet.
fn pen(bar: &FourBar, t: f64) -> Option<[f64; 2]> {
    let ([ox, oy], [px, py], [a, b, c]) = (bar.crank_pivot, bar.rocker_pivot, bar.lengths);
    let (ax, ay) = (ox + a * t.cos(), oy + a * t.sin());
    let (dx, dy) = (px - ax, py - ay);
    let far = dx.hypot(dy);
    // How far along the line of centers the circles meet, and how far beside it.
    let along = (far * far + b * b - c * c) / (2.0 * far);
    let beside = b * b - along * along;
    if beside < 0.0 {
        return None;
    }
    let beside = bar.branch * beside.sqrt();
    let (ux, uy) = (dx / far, dy / far);
    let coupler = [
        (along * ux - beside * uy) / b,
        (along * uy + beside * ux) / b,
    ];
    let [m, n] = bar.pen;
    Some([
        ax + m * coupler[0] - n * coupler[1],
        ay + m * coupler[1] + n * coupler[0],
    ])
}

fn curve(bar: &FourBar, n: usize, from: f64, turn: f64) -> Option<Vec<[f64; 2]>> {
    (0..n)
        .map(|k| pen(bar, from + turn * k as f64 / n as f64))
        .collect()
}

/// A four-bar whose crank turns fully, anywhere and of any size.
fn any_four_bar(random: &mut Random) -> FourBar {
    loop {
        let size = random.powers(-2.0, 1.0);
        let [x, y] = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
        let turn = random.between(0.0, TAU);
        let bar = FourBar {
            crank_pivot: [x, y],
            rocker_pivot: [x + size * turn.cos(), y + size * turn.sin()],
            lengths: [
                size * random.between(0.2, 0.6),
                size * random.between(0.6, 2.0),
                size * random.between(0.6, 2.0),
            ],
            pen: [
                size * random.between(-1.0, 2.0),
                size * random.between(-1.5, 1.5),
            ],
            branch: if random.chance(0.5) { 1.0 } else { -1.0 },
        };
        let is_well = bar
            .worst_transmission_deg()
            .is_some_and(|worst| worst < 75.0);
        if bar.grashof() == Grashof::CrankRocker && is_well {
            return bar;
        }
    }
}

/// Every path that a four-bar draws is found again, whether timing counts or not.
#[test]
fn paths_of_four_bars_are_found_again() {
    for is_timed in [true, false] {
        let mut random = Random(4242);
        for k in 0..3 {
            let truth = any_four_bar(&mut random);
            let path = Path::new(&curve(&truth, 120, 0.3, TAU).unwrap(), Some(true)).unwrap();
            let found = four_bars(&path, &Wish::default().timed(is_timed).with_found(2)).unwrap();
            let (best, size) = (&found[0], path.size());
            assert!(best.is_sound(), "timed {is_timed}, {k}: {best:?}");
            let most = if is_timed { 1e-5 } else { 1e-3 };
            assert!(
                best.rms < most * size,
                "timed {is_timed}, {k}: {}",
                best.rms / size
            );
            // Judged by geometry of its own: what is said of a full turn holds.
            let turn = curve(&best.bar, 2000, 0.0, TAU).unwrap();
            let far = |p: &[f64; 2]| {
                let each = turn.iter().map(|q| (q[0] - p[0]).hypot(q[1] - p[1]));
                each.fold(f64::INFINITY, f64::min)
            };
            let worst = path.points().iter().map(far).fold(0.0, f64::max);
            assert!((worst - best.worst.unwrap()).abs() < 4e-3 * size);
        }
    }
}

/// No linkage is offered twice: what is offered differs by more than the end of a fit does.
#[test]
fn what_is_offered_differs() {
    let truth = FourBar {
        crank_pivot: [0.0, 0.0],
        rocker_pivot: [2.0, 0.2],
        lengths: [0.6, 2.1, 1.5],
        pen: [1.1, 0.9],
        branch: 1.0,
    };
    let path = Path::new(&curve(&truth, 40, 0.4, TAU).unwrap(), Some(true)).unwrap();
    let found = four_bars(&path, &Wish::default()).unwrap();
    assert!(found.len() > 1 && found[0].rms < 1e-3 * path.size());
    for (k, one) in found.iter().enumerate() {
        for other in &found[..k] {
            let [a, b] = [one, other].map(|own| {
                let ([a, b, c], [x, y], [o, p]) =
                    (own.bar.lengths, own.bar.pen, own.bar.crank_pivot);
                [a, b, c, x, y, o, p]
            });
            let far = a
                .iter()
                .zip(b)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            assert!(far > 0.02 * path.size(), "{one:?}\n{other:?}");
        }
    }
}

/// What is offered is a scene: its motor draws the path.
#[test]
fn what_is_offered_runs() {
    // An egg that no four-bar draws exactly.
    let egg: Vec<[f64; 2]> = (0..90)
        .map(|k| TAU * f64::from(k) / 90.0)
        .map(|t| [1.2 + 0.5 * t.cos(), 0.7 + (0.2 + 0.05 * t.cos()) * t.sin()])
        .collect();
    let path = Path::new(&egg, None).unwrap();
    assert!(path.is_closed());
    let found = four_bars(&path, &Wish::default().with_found(2)).unwrap();
    let best: &Found = &found[0];
    assert!(best.is_sound() && best.rms < 0.01 * path.size(), "{best:?}");
    let mut scene = linkwork_scene::load(&best.scene("egg \"of\" mine").unwrap()).unwrap();
    let pen = *scene.connector("pen").unwrap();
    let mut simulator = Simulator::new();
    let (mut far, mut seen) = (0.0_f64, vec![]);
    for _ in 0..240 {
        simulator.step(&mut scene.world, &scene.options).unwrap();
        let [x, y, _] = scene.world.position_world(&pen).unwrap();
        let each = egg.iter().map(|p| (p[0] - x).hypot(p[1] - y));
        far = far.max(each.fold(f64::INFINITY, f64::min));
        seen.push([x, y]);
    }
    // Points of the egg are 0.03 m apart.
    assert!(far < best.worst.unwrap() + 0.02, "{far}");
    // Four seconds at 90 degrees a second are a turn: it has been everywhere, and is back.
    let reach = seen.iter().map(|p| p[0]).fold(0.0, f64::max);
    assert!((reach - 1.7).abs() < 0.03, "{reach}");
    let [first, last] = [seen[0], seen[239]];
    assert!((first[0] - last[0]).hypot(first[1] - last[1]) < 0.05);
}

/// A path with two ends is drawn in a part of a turn.
#[test]
fn open_paths_are_followed() {
    let arc: Vec<[f64; 2]> = (0..50)
        .map(|k| f64::from(k) / 49.0)
        .map(|s| [s, 0.3 * (3.0 * s).sin()])
        .collect();
    let path = Path::new(&arc, None).unwrap();
    assert!(!path.is_closed());
    let found = four_bars(&path, &Wish::default().with_found(2)).unwrap();
    assert!(
        found[0].is_sound() && found[0].rms < 5e-3,
        "{:?}",
        found[0].rms
    );
}

/// The same drawing elsewhere, turned and larger, is followed by the same linkage.
#[test]
fn what_is_found_does_not_depend_on_place_and_size() {
    let ellipse = |scale: f64, x: f64| -> Vec<[f64; 2]> {
        let at = |k: i32| TAU * f64::from(k) / 64.0;
        (0..64)
            .map(|k| [x + scale * at(k).cos(), scale * 0.3 * at(k).sin()])
            .collect()
    };
    let rms = [(1.0, 0.0), (1e-3, 5.0), (1e4, -7e3)].map(|(scale, x)| {
        let path = Path::new(&ellipse(scale, x), None).unwrap();
        four_bars(&path, &Wish::default().with_points(24).with_found(2)).unwrap()[0].rms / scale
    });
    assert!(
        (rms[1] / rms[0] - 1.0).abs() < 1e-3 && (rms[2] / rms[0] - 1.0).abs() < 1e-3,
        "{rms:?}"
    );
}

#[test]
fn absurd_wishes_are_refused_in_words() {
    let path: Vec<[f64; 2]> = (0..20).map(|k| [f64::from(k), f64::from(k * k)]).collect();
    let path = Path::new(&path, None).unwrap();
    let few = Wish::default().with_points(3);
    let said = four_bars(&path, &few).unwrap_err().to_string();
    assert!(said.contains("between 12 and 1,000"), "{said}");
}
