//! Random throws. More of them: `linkwork-bench throws`, and what it found: `bench/recorded/throws.txt`.

use super::judge::{Found, OVERRUN, judge};

/// Seeds from 0.
const COUNT: u64 = 300;

/// Something sinks in by 2 mm in a frame: tension is too fast for the shortest steps, and the implicit step passes stops.
const SINKS: [u64; 1] = [73];

/// Nothing is refused, all numbers are finite, contact makes no energy, and nothing sinks in.
#[test]
fn throws_go_well() {
    let part = |first: u64| {
        let seeds = (first..COUNT).step_by(2);
        let bad: Vec<(u64, Found)> = seeds
            .map(|seed| (seed, judge(seed, |_| ())))
            .filter(|(seed, found)| is_bad(*seed, found))
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

fn is_bad(seed: u64, found: &Found) -> bool {
    let sinks = found.overrun > OVERRUN && !SINKS.contains(&seed);
    let is_wrong = found.gaining > 0 || sinks;
    found.refused.is_some() || found.not_finite || is_wrong
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
