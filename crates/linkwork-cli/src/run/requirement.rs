//! How well joints must be closed for a run to go on, and how well contacts must keep their law.
//!
//! | `--require` | which steps                                      | by how much joints may be open, m and rad |
//! |-------------|--------------------------------------------------|-------------------------------------------|
//! | not given   | of presets, if nothing cut them short            | 1e-6, or the tolerance if that is larger  |
//! | a number    | all                                              | that                                      |
//! | `off`       | none                                             | anything                                  |
//!
//! Presets close joints at every step, so a joint that stays open is one that cannot be closed: a drive
//! out of reach, lengths that contradict each other. What the integrators of the papers leave open is
//! what one asks them for, and so is what a budget of iterations leaves open.
//!
//! The same steps must leave no more than 1e-6 m/s of the law of contacts, limits, motors and friction, and nothing
//! further than 1e-6 m beyond its limit or in something else, or than the number that is given. What is missed once
//! does not stay, as an open joint does: a run goes on and is written whole, and its exit code says so at the end. Only
//! a number ends it at once.

use std::str::FromStr;

use linkwork::prelude::*;
use linkwork::step::Ended;

use crate::numbers::positive;

/// Joints that are open by less are not worth an error, m and rad.
const OPEN: f64 = 1e-6;

/// What may be left of the law of contacts, limits, motors and friction, m/s, and how far something may be beyond its
/// limit, m.
const LAW: f64 = 1e-6;

/// What `--require` says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Requirement {
    /// What a preset promises.
    #[default]
    Usual,
    /// Closed to this, m and rad, whatever takes the steps.
    To(f64),
    /// Nothing.
    Off,
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            _ => positive(text)
                .map(Self::To)
                .map_err(|problem| format!("{problem}, or off")),
        }
    }
}

/// What joints may be open by without an error, where they are closed to `tolerance`, m and rad.
pub(crate) fn allowed(tolerance: f64) -> f64 {
    tolerance.max(OPEN)
}

impl Requirement {
    /// `Ok` when a step that was taken with `options` left joints closed well enough.
    pub(crate) fn check(self, report: &StepReport, options: &StepOptions) -> Result<(), Error> {
        match self {
            Self::To(tolerance) => report.require(tolerance),
            Self::Usual if report.ended == Ended::Open && options.scheme.is_preset() => {
                report.require(allowed(options.budget.tolerance))
            }
            Self::Usual | Self::Off => Ok(()),
        }
    }

    /// Whether a step that was taken with `options` kept the law of contacts, limits, motors and friction well enough.
    pub(crate) fn is_lawful(self, report: &StepReport, options: &StepOptions) -> bool {
        let is_cut = matches!(report.ended, Ended::Iterations | Ended::Deadline);
        let missed = report.law_error.max(report.overrun);
        match self {
            Self::To(most) => missed <= most,
            Self::Usual if options.scheme.is_preset() && !is_cut => missed <= LAW,
            Self::Usual | Self::Off => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What sinks in misses the law as what slides does.
    #[test]
    fn what_is_beyond_its_limit_misses_the_law() {
        let options = StepOptions::interactive(1.0 / 60.0);
        let mut report = StepReport::default();
        assert!(Requirement::Usual.is_lawful(&report, &options));
        report.overrun = 1e-3;
        assert!(!Requirement::Usual.is_lawful(&report, &options));
        assert!(!Requirement::To(1e-6).is_lawful(&report, &options));
        assert!(Requirement::To(0.01).is_lawful(&report, &options));
        assert!(Requirement::Off.is_lawful(&report, &options));
    }
}
