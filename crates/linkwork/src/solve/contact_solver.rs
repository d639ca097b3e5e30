//! How impulses in bounds are found.

use crate::words::words;

/// How the impulses of limits, motors that give way, dry friction and contacts are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactSolver {
    /// Newton's methods, warm from the last step, on true cones of friction. The default.
    #[default]
    Newton,
    /// Dantzig's pivoting, as Baraff 1996, §8 has it: for comparison. Every row that takes part is a response on the
    /// factor, and friction in space is bounded by a box: what that leaves of the law is reported
    /// ([`StepReport::law_error`](crate::step::StepReport)).
    Pivoting,
}

words! {
    ContactSolver, "contact solver":
    Self::Newton = Self::Newton, "newton", "Newton's methods from the last impulses, exact friction.";
    Self::Pivoting = Self::Pivoting, "pivoting",
        "Pivoting on dense responses, friction in a box (Baraff 1994, 1996): for comparison.";
}
