//! Random throws. More of them: `linkwork-bench throws`, and what it found: `bench/recorded/throws.txt`.

use linkwork::integrate::Scheme;
use linkwork::prelude::*;

use super::judge::{Found, OVERRUN, TOLD, judge};
use super::throw::throw;

/// Seeds from 0.
const COUNT: u64 = 300;

/// Throws beyond those that once were refused, gained energy, sank in or opened a joint: stops that are passed within a
/// frame, ropes above all.
const MORE: [u64; 8] = [859, 953, 971, 1054, 1874, 1904, 1928, 6792];

/// Nothing is refused, all numbers are finite, contact makes no energy, nothing sinks in, joints stay closed, and
/// reports tell what there is.
#[test]
fn throws_go_well() {
    let part = |first: u64| {
        let seeds = (0..COUNT).chain(MORE);
        let bad: Vec<(u64, Found)> = seeds
            .filter(|seed| seed % 2 == first)
            .map(|seed| (seed, judge(seed, |_| ())))
            .filter(|(_, found)| is_bad(found))
            .collect();
        bad
    };
    let bad = std::thread::scope(|scope| {
        let other = scope.spawn(move || part(1));
        let mut bad = part(0);
        bad.extend(other.join().unwrap());
        bad
    });
    assert!(bad.is_empty(), "{bad:#?}");
}

fn is_bad(found: &Found) -> bool {
    let is_apart = found.overrun > OVERRUN || found.open > 0 || found.untold > TOLD;
    found.refused.is_some() || found.not_finite || found.gaining > 0 || is_apart
}

/// The same seed, the same numbers.
#[test]
fn a_throw_repeats_itself() {
    let of = |seed: u64| {
        let mut frames = vec![];
        judge(seed, |frame| {
            let numbers = [frame.energy, frame.gain].map(f64::to_bits);
            let touching = frame.world.state().touching.clone();
            // Not the whole report: ids know their world.
            let report = (frame.report.effort, frame.report.law_error.to_bits());
            frames.push((numbers, touching, report));
        });
        frames
    };
    for seed in [1, 2, 3] {
        assert_eq!(of(seed), of(seed), "{seed}");
    }
}

/// What a step digs in and pushes out again is lifted at the expense of motion: it does not pass as work that somebody
/// put in. Steps of 50 ms that are not halved dig in. Counted as work, these gained 0.2 to 0.9 of what there is in a
/// frame.
#[test]
fn what_a_step_digs_in_is_no_work() {
    for seed in [3, 52, 102, 150, 423, 438, 526] {
        let mut thrown = throw(seed).unwrap();
        assert!(!thrown.is_driven);
        let mut options = StepOptions::interactive(0.05);
        if let Scheme::Interactive(own) = &mut options.scheme {
            own.max_depth = 0;
        }
        let mut simulator = Simulator::new();
        let mut last = thrown.world.energy().unwrap();
        let most = last.kinetic + last.potential.abs();
        for frame in 0..40 {
            let report = simulator.step(&mut thrown.world, &options).unwrap();
            let now = thrown.world.energy().unwrap();
            let gain = now.total() - last.total();
            let size = now.kinetic.max(last.kinetic) + (now.potential - last.potential).abs();
            // What rests has round-off of its energy only.
            assert!(
                gain <= 0.1 * size + 1e-9 * most,
                "{seed}, {frame}: {gain} of {size}: {report:?}"
            );
            last = now;
        }
    }
}
