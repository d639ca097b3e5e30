//! Answers of a factor to loads, kept as long as the factor is.
//!
//! Where a step ends, bounded rows ask how bodies respond to them; where the next one begins, the same rows ask the same factor
//! again. What is kept has the bits of what would be found, and counts as many iterations, so that nothing depends on it.

/// A load, and the motion that it causes.
#[derive(Debug, Default)]
struct Answer {
    load: Vec<f64>,
    motion: Vec<f64>,
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
    /// The motion that a load causes, and what finding it counted, if it is known.
    pub(crate) fn find(&self, factor: usize, load: &[f64]) -> Option<(&[f64], usize)> {
        if self.factor != factor {
            return None;
        }
        let known = self.answers[..self.n].iter();
        let found = known.rev().find(|own| own.load == load)?;
        Some((&found.motion, found.iterations))
    }

    /// Keeps an answer.
    pub(crate) fn keep(&mut self, factor: usize, load: &[f64], motion: &[f64], iterations: usize) {
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
        own.motion.extend_from_slice(motion);
        own.iterations = iterations;
        self.n += 1;
    }

    /// Nothing is known of an edited world.
    pub(crate) fn clear(&mut self) {
        self.n = 0;
    }
}
