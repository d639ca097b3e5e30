//! Answers of a factor to loads, kept as long as the factor is.
//!
//! Where a step ends, bounded rows ask how bodies respond to them; where the next one begins, the same rows ask the
//! same factor again. What is kept has the bits of what would be found, and counts as many iterations, so that nothing
//! depends on it.

use super::Solution;

/// A load, and what it causes.
#[derive(Debug, Default)]
struct Answer {
    load: Vec<f64>,
    motion: Vec<f64>,
    lambda: Vec<f64>,
    /// What finding it counted.
    iterations: usize,
}

/// Answers of one factor.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// Which factor: how many there were before it.
    factor: usize,
    /// Of which the first are in use.
    answers: Vec<Answer>,
    n: usize,
}

/// At most so many answers are kept: as many rows as a dense island has, a few times.
const MOST: usize = 128;

impl Memo {
    /// The motion and the multipliers that a load causes, and what finding them counted, if they are known.
    pub(crate) fn find(&self, factor: usize, load: &[f64]) -> Option<(&[f64], &[f64], usize)> {
        if self.factor != factor {
            return None;
        }
        let known = self.answers[..self.n].iter();
        let found = known.rev().find(|own| own.load == load)?;
        Some((&found.motion, &found.lambda, found.iterations))
    }

    /// Keeps an answer.
    pub(crate) fn keep(
        &mut self,
        factor: usize,
        load: &[f64],
        caused: &Solution,
        iterations: usize,
    ) {
        if self.factor != factor {
            (self.factor, self.n) = (factor, 0);
        }
        if self.n == MOST {
            return;
        }
        if self.answers.len() == self.n {
            self.answers.push(Answer::default());
        }
        let own = &mut self.answers[self.n];
        own.load.clear();
        own.load.extend_from_slice(load);
        own.motion.clear();
        own.motion.extend_from_slice(&caused.motion);
        own.lambda.clear();
        own.lambda.extend_from_slice(&caused.lambda);
        own.iterations = iterations;
        self.n += 1;
    }

    /// Nothing is known of an edited world.
    pub(crate) fn clear(&mut self) {
        self.n = 0;
    }
}
