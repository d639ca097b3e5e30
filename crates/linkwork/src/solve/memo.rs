//! Responses of a factor to loads, kept as long as the factor.
//!
//! Bounded rows need responses at the end of a step and again at the start of the next, with the same factor. A
//! kept response has the same bits as a new one and counts the same number of iterations, so results do not
//! depend on it.

use super::Solution;

/// A load and its response.
#[derive(Debug, Default)]
struct Answer {
    load: Vec<f64>,
    motion: Vec<f64>,
    lambda: Vec<f64>,
    /// Iterations that it took.
    iterations: usize,
}

/// Responses of one factor.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The number of the factor.
    factor: usize,
    /// Only the first are in use.
    answers: Vec<Answer>,
    n: usize,
}

/// Largest number of kept responses: a few times the rows of a dense island.
const MOST: usize = 128;

impl Memo {
    /// The known motion, multipliers and iteration count for a load.
    pub(crate) fn find(&self, factor: usize, load: &[f64]) -> Option<(&[f64], &[f64], usize)> {
        if self.factor != factor {
            return None;
        }
        let known = self.answers[..self.n].iter();
        let found = known.rev().find(|own| own.load == load)?;
        Some((&found.motion, &found.lambda, found.iterations))
    }

    /// Keeps a response.
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

    /// Forgets everything, after an edit.
    pub(crate) fn clear(&mut self) {
        self.n = 0;
    }
}
