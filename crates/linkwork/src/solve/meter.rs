//! The remaining budget, checked between solves, and within them before each iteration or correction.

/// Counts iterations against a budget and asks for the deadline.
///
/// Whatever was decided by the deadline must come out the same when a budget of as many iterations is
/// replayed. So the question is answered anew only when iterations were made since, and once with yes
/// for good.
#[derive(Default)]
pub(crate) struct Meter<'a> {
    max_iterations: usize,
    /// Where a deadline ended it when it was first made.
    ends_at: usize,
    deadline: Option<&'a mut dyn FnMut() -> bool>,
    spent: Spent,
}

/// What was spent so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
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
            ends_at,
            deadline,
            spent: Spent::default(),
        }
    }

    /// For what must be found whatever it takes.
    pub(crate) fn unlimited() -> Self {
        Self::new((usize::MAX, usize::MAX), None)
    }

    /// So many more iterations were made.
    pub(crate) fn count(&mut self, iterations: usize) {
        self.spent.iterations += iterations;
    }

    /// Whether there is a budget of iterations. A deadline is none: nobody knows where it will fall.
    pub(crate) fn is_limited(&self) -> bool {
        self.max_iterations < usize::MAX
    }

    /// A meter of its own for a part of the work: it begins where this one is, and may spend half of the budget,
    /// rounded up.
    pub(crate) fn half(&mut self) -> Meter<'_> {
        Meter {
            max_iterations: self.max_iterations.div_ceil(2),
            ends_at: self.ends_at,
            deadline: match &mut self.deadline {
                Some(deadline) => Some(&mut **deadline),
                None => None,
            },
            spent: self.spent,
        }
    }

    /// What was spent so far.
    pub(crate) fn spent(&self) -> Spent {
        self.spent
    }

    /// Counts what the meter of a part spent. If only the part's share was used up, there is more to spend.
    pub(crate) fn count_part(&mut self, spent: Spent) {
        self.spent = spent;
        if spent.ended == Some(Limit::Iterations) && self.max_iterations > 1 {
            (self.spent.ended, self.spent.asked_at) = (None, None);
        }
    }

    /// Whether more than half of the budget was spent.
    pub(crate) fn is_half_spent(&self) -> bool {
        self.spent.iterations > self.max_iterations / 2
    }

    pub(crate) fn counted(&self) -> usize {
        self.spent.iterations
    }

    /// Iterations so far; once it has ended, those until then.
    pub(crate) fn iterations(&self) -> usize {
        match (self.spent.ended, self.spent.asked_at) {
            (Some(_), Some(at)) => at,
            _ => self.spent.iterations,
        }
    }

    /// What ended it, if it has ended.
    pub(crate) fn ended(&self) -> Option<Limit> {
        self.spent.ended
    }

    /// Whether there is nothing left to spend; `more` iterations were made that are not counted yet.
    pub(crate) fn out_of_budget(&mut self, more: usize) -> bool {
        let now = self.spent.iterations + more;
        // Before the first iteration there is nothing to end with.
        if now > 0 && self.spent.ended.is_none() && self.spent.asked_at != Some(now) {
            self.spent.asked_at = Some(now);
            if now >= self.max_iterations.min(self.ends_at) {
                self.spent.ended = Some(Limit::Iterations);
            } else if self.deadline.as_mut().is_some_and(|deadline| deadline()) {
                self.spent.ended = Some(Limit::Deadline);
            }
        }
        self.spent.ended.is_some()
    }
}
