//! Linkages from drawings: paths that four-bars draw are found again, others are followed as well as can be.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

use std::f64::consts::TAU;

use linkwork::prelude::*;
use linkwork_scene::synthesis::{FourBar, Found, Grashof, Path, Wish, four_bars};

#[path = "../../../linkwork/tests/common/numbers.rs"]
mod numbers;

use numbers::Random;

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
    let coupler = [(along * ux - beside * uy) / b, (along * uy + beside * ux) / b];
    let [m, n] = bar.pen;
    Some([
        ax + m * coupler[0] - n * coupler[1],
        ay + m * coupler[1] + n * coupler[0],
    ])
}

fn curve(bar: &FourBar, n: usize, from: f64, turn: f64) -> Option<Vec<[f64; 2]>> {
    (0..n).map(|k| pen(bar, from + turn * k as f64 / n as f64)).collect()
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
            pen: [size * random.between(-1.0, 2.0), size * random.between(-1.5, 1.5)],
            branch: if random.chance(0.5) { 1.0 } else { -1.0 },
        };
        let is_well = bar.worst_transmission_deg().is_some_and(|worst| worst < 75.0);
        if bar.grashof() == Grashof::CrankRocker && is_well {
            return bar;
        }
    }
}

fn wish(is_timed: bool) -> Wish {
    let mut wish = Wish::default();
    wish.is_timed = is_timed;
    wish
}

/// functions.md §8: 29 of 30 with timing given, 30 of 30 without, below one percent of the path's size.
#[test]
fn paths_of_four_bars_are_found_again() {
    for is_timed in [true, false] {
        let mut random = Random(4242);
        let (mut n_good, mut n_sound, mut rms) = (0, 0, vec![]);
        const N: usize = 6;
        for k in 0..N {
            let truth = any_four_bar(&mut random);
            let path = Path::new(&curve(&truth, 120, 0.3, TAU).unwrap(), Some(true)).unwrap();
            let clock = std::time::Instant::now();
            let found = four_bars(&path, &wish(is_timed)).unwrap();
            let part = found[0].rms / path.size();
            println!(
                "{is_timed} {k}: rms {part:.1e} worst {:.1e} frames {} sound {} found {} in {:?}",
                found[0].worst.unwrap_or(9.9) / path.size(),
                found[0].n_frames,
                found[0].is_sound(),
                found.len(),
                clock.elapsed()
            );
            n_good += usize::from(part < 1e-2);
            n_sound += usize::from(found[0].is_sound());
            rms.push(part);
        }
        rms.sort_by(f64::total_cmp);
        println!("timed {is_timed}: {n_good} good, {n_sound} sound, median {:.1e}", rms[N / 2]);
        assert!(n_good == N && n_sound == N);
    }
}
