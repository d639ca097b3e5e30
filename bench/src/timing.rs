//! Timing in rounds: every candidate runs one batch, then every candidate the next, so that noise
//! hits all alike; of each candidate's batches the fastest counts.

use std::time::{Duration, Instant};

/// What is timed: three phases that can be repeated at will.
pub(crate) trait Candidate {
    /// From the scene to the numbers of the equations.
    fn assemble(&mut self);
    /// Factors them.
    fn factor(&mut self);
    /// Solves.
    fn solve(&mut self);

    /// All three.
    fn run(&mut self) {
        self.assemble();
        self.factor();
        self.solve();
    }
}

/// Wall times of one candidate, microseconds per run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Times {
    /// The three phases in one go, timed on their own and not as a sum.
    pub(crate) us_total: f64,
    pub(crate) us_assemble: f64,
    pub(crate) us_factor: f64,
    pub(crate) us_solve: f64,
    /// Heap allocations of one run after the first.
    pub(crate) allocations: u64,
}

/// Each candidate is measured for so long.
const BUDGET: Duration = Duration::from_millis(400);
/// A batch repeats its run until about so much time has passed.
const BATCH: Duration = Duration::from_millis(1);
/// At least so many batches count.
const MIN_BATCHES: usize = 3;
/// A run that takes longer is not repeated.
const TOO_LONG: Duration = Duration::from_secs(2);

/// Measures all candidates, in rounds.
pub(crate) fn measure(candidates: &mut [&mut dyn Candidate]) -> Vec<Times> {
    let mut meters: Vec<Meter> = candidates.iter_mut().map(|c| Meter::new(*c)).collect();
    while meters.iter().any(|meter| !meter.done()) {
        for (meter, candidate) in meters.iter_mut().zip(&mut *candidates) {
            if !meter.done() {
                meter.batch(*candidate);
            }
        }
    }
    meters.iter().map(|meter| meter.best).collect()
}

struct Meter {
    best: Times,
    repetitions: u32,
    n_batches: usize,
    spent: Duration,
    too_long: bool,
}

impl Meter {
    /// Warms up, counts allocations, and sizes the batches.
    fn new(candidate: &mut dyn Candidate) -> Self {
        candidate.run();
        let mut first = [Duration::ZERO; 3];
        let counted = allocation_counter::measure(|| first = phases(candidate));
        let one: Duration = first.iter().sum();
        let repetitions = (BATCH.as_secs_f64() / one.as_secs_f64().max(1e-9)).ceil();
        Self {
            best: Times {
                us_total: us(one),
                us_assemble: us(first[0]),
                us_factor: us(first[1]),
                us_solve: us(first[2]),
                allocations: counted.count_total,
            },
            repetitions: (repetitions as u32).clamp(1, 100_000),
            n_batches: 0,
            spent: Duration::ZERO,
            too_long: one > TOO_LONG,
        }
    }

    fn done(&self) -> bool {
        self.too_long || (self.n_batches >= MIN_BATCHES && self.spent >= BUDGET)
    }

    /// One batch of whole runs and one of phases: reading the clock between phases costs a little,
    /// which the total must not pay.
    fn batch(&mut self, candidate: &mut dyn Candidate) {
        let n = self.repetitions;
        let start = Instant::now();
        for _ in 0..n {
            candidate.run();
        }
        let total = start.elapsed();
        let mut parts = [Duration::ZERO; 3];
        for _ in 0..n {
            for (sum, part) in parts.iter_mut().zip(phases(candidate)) {
                *sum += part;
            }
        }
        let best = &mut self.best;
        best.us_total = best.us_total.min(us(total / n));
        best.us_assemble = best.us_assemble.min(us(parts[0] / n));
        best.us_factor = best.us_factor.min(us(parts[1] / n));
        best.us_solve = best.us_solve.min(us(parts[2] / n));
        self.n_batches += 1;
        self.spent += total + parts.iter().sum::<Duration>();
    }
}

fn phases(candidate: &mut dyn Candidate) -> [Duration; 3] {
    let start = Instant::now();
    candidate.assemble();
    let assembled = Instant::now();
    candidate.factor();
    let factored = Instant::now();
    candidate.solve();
    let solved = Instant::now();
    [assembled - start, factored - assembled, solved - factored]
}

fn us(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

/// Frames of a batch, and batches, of which the fastest counts.
const FRAMES: usize = 60;
const BATCHES: usize = 7;

/// Seconds for a frame, in the fastest of some batches.
pub(crate) fn fastest<E>(mut frame: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut best = f64::INFINITY;
    for _ in 0..BATCHES {
        let clock = Instant::now();
        for _ in 0..FRAMES {
            frame()?;
        }
        best = best.min(clock.elapsed().as_secs_f64() / FRAMES as f64);
    }
    Ok(best)
}
