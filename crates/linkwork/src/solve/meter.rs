//! The budget, checked between solves, and within them before each iteration or correction.

/// Counts iterations against a budget, and asks whether the deadline has passed.
///
/// A replay with a budget of the same number of iterations must make the same decisions as the deadline. So the
/// deadline is asked again only after further iterations, and a yes is final.
#[derive(Default)]
pub(crate) struct Meter<'a> {
    max_iterations: usize,
    /// The iteration at which a deadline ended the original step.
    ends_at: usize,
    deadline: Option<&'a mut dyn FnMut() -> bool>,
    spent: Spent,
}

/// What has been used so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    iterations: usize,
    asked_at: Option<usize>,
    ended: Option<Limit>,
}

/// The limit that was reached.
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

    /// Without limits.
    pub(crate) fn unlimited() -> Self {
        Self::new((usize::MAX, usize::MAX), None)
    }

    /// Counts further iterations.
    pub(crate) fn count(&mut self, iterations: usize) {
        self.spent.iterations += iterations;
    }

    /// Whether there is a budget of iterations. A deadline does not count, because it is not known in advance.
    pub(crate) fn is_limited(&self) -> bool {
        self.max_iterations < usize::MAX
    }

    /// A meter for a part of the work, which starts at the present count and may use half of the budget,
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

    /// What has been used so far.
    pub(crate) fn spent(&self) -> Spent {
        self.spent
    }

    /// Adds the use of a part's meter. If only the part's share was used up, this meter continues.
    pub(crate) fn count_part(&mut self, spent: Spent) {
        self.spent = spent;
        if spent.ended == Some(Limit::Iterations) && self.max_iterations > 1 {
            (self.spent.ended, self.spent.asked_at) = (None, None);
        }
    }

    /// Whether more than half of the budget was used.
    pub(crate) fn is_half_spent(&self) -> bool {
        self.spent.iterations > self.max_iterations / 2
    }

    pub(crate) fn counted(&self) -> usize {
        self.spent.iterations
    }

    /// Iterations so far, or until a limit was reached.
    pub(crate) fn iterations(&self) -> usize {
        match (self.spent.ended, self.spent.asked_at) {
            (Some(_), Some(at)) => at,
            _ => self.spent.iterations,
        }
    }

    /// The limit that was reached, if any.
    pub(crate) fn ended(&self) -> Option<Limit> {
        self.spent.ended
    }

    /// Whether a limit is reached, with `more` iterations that are not counted yet.
    pub(crate) fn out_of_budget(&mut self, more: usize) -> bool {
        let now = self.spent.iterations + more;
        // Before the first iteration there is no result.
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
