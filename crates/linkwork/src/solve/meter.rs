//! The remaining budget, checked between solves, and within them before each iteration or correction.

/// Counts iterations against a budget and asks for the deadline.
///
/// Whatever was decided by the deadline must come out the same when a budget of as many iterations is
/// replayed. So the question is answered anew only when iterations were made since, and once with yes
/// for good.
#[derive(Default)]
pub(crate) struct Meter<'a> {
    max_iterations: usize,
    /// How many of them may be spent by what is under way.
    share: usize,
    /// Where a deadline ended it when it was first made.
    ends_at: usize,
    deadline: Option<&'a mut dyn FnMut() -> bool>,
    /// Made so far.
    iterations: usize,
    asked_at: Option<usize>,
    ended: Option<Limit>,
}

/// What ended something early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Iterations,
    Deadline,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(
        (max_iterations, ends_at): (usize, usize),
        deadline: Option<&'a mut dyn FnMut() -> bool>,
    ) -> Self {
        Self {
            max_iterations,
            share: max_iterations,
            ends_at,
            deadline,
            ..Self::default()
        }
    }

    /// For what must be found whatever it takes.
    pub(crate) fn unlimited() -> Self {
        Self::new((usize::MAX, usize::MAX), None)
    }

    /// So many more iterations were made.
    pub(crate) fn count(&mut self, iterations: usize) {
        self.iterations += iterations;
    }

    /// Whether there is a budget of iterations. A deadline is none: nobody knows where it will fall.
    pub(crate) fn is_limited(&self) -> bool {
        self.max_iterations < usize::MAX
    }

    /// Gives half of the budget, rounded up, to what is under way.
    pub(crate) fn share_half(&mut self) {
        self.share = self.max_iterations.div_ceil(2);
    }

    /// Gives all of it. Iterations that ended with the share go on.
    pub(crate) fn share_all(&mut self) {
        if self.share < self.max_iterations && self.ended == Some(Limit::Iterations) {
            (self.ended, self.asked_at) = (None, None);
        }
        self.share = self.max_iterations;
    }

    /// Whether more than half of the budget was spent.
    pub(crate) fn is_half_spent(&self) -> bool {
        self.iterations > self.max_iterations / 2
    }

    pub(crate) fn counted(&self) -> usize {
        self.iterations
    }

    /// Iterations so far; once it has ended, those until then.
    pub(crate) fn iterations(&self) -> usize {
        match (self.ended, self.asked_at) {
            (Some(_), Some(at)) => at,
            _ => self.iterations,
        }
    }

    /// What ended it, if it has ended.
    pub(crate) fn ended(&self) -> Option<Limit> {
        self.ended
    }

    /// Whether there is nothing left to spend; `more` iterations were made that are not counted yet.
    pub(crate) fn out_of_budget(&mut self, more: usize) -> bool {
        let now = self.iterations + more;
        // Before the first iteration there is nothing to end with.
        if now > 0 && self.ended.is_none() && self.asked_at != Some(now) {
            self.asked_at = Some(now);
            if now >= self.share.min(self.ends_at) {
                self.ended = Some(Limit::Iterations);
            } else if self.deadline.as_mut().is_some_and(|deadline| deadline()) {
                self.ended = Some(Limit::Deadline);
            }
        }
        self.ended.is_some()
    }
}
