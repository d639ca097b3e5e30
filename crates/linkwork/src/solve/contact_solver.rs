//! The choice of a solver for bounded impulses.

use crate::words::words;

/// The solver for impulses of limits, bounded motors, dry friction and contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactSolver {
    /// Newton's method with warm start and exact friction cones. The default.
    #[default]
    Newton,
    /// Dantzig's pivoting as in Baraff 1996, §8, for comparison. Every active row needs a response on the
    /// factor, and friction in space is bounded by a box. The residual of the exact law is reported
    /// ([`StepReport::law_error`](crate::step::StepReport)).
    Pivoting,
}

words! {
    ContactSolver, "contact solver":
    Self::Newton = Self::Newton, "newton", "Newton's methods from the last impulses, exact friction.";
    Self::Pivoting = Self::Pivoting, "pivoting",
        "Pivoting on dense responses, friction in a box (Baraff 1994, 1996): for comparison.";
}
