//! What `docs/presets.md` promises, and whether a run kept it.

use std::fmt;

use linkwork::prelude::*;
use linkwork::step::Scheme;

use super::account::{Account, Drift};

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As promised.
    Kept,
    /// Not as promised, and the reports say so by name.
    Said,
    /// Not as promised, and nothing said so.
    Failed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Kept => "kept",
            Self::Said => "said",
            Self::Failed => "FAILED",
        })
    }
}

/// What a preset promises: the table of `docs/presets.md`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    /// Of the energy that is exchanged, what may be gained and lost.
    gain: f64,
    loss: f64,
    /// How closed joints of priority 0 are, m.
    gap: f64,
    /// What rests moves no faster, m/s.
    speed: f64,
}

impl Promise {
    pub(super) fn of(options: &StepOptions) -> Self {
        let (gain, loss) = match options.scheme {
            Scheme::Precise(_) => (1e-6, 1e-6),
            Scheme::Symplectic4 => (1e-3, 1e-3),
            _ => (0.005, 0.1),
        };
        Self {
            gain,
            loss,
            gap: 1e-9,
            speed: 1e-6,
        }
    }

    fn is_kept(&self, account: &Account, drift: &Drift) -> bool {
        let is_still = account.speed.is_none_or(|speed| speed <= self.speed);
        let even = account.part(drift.gain) <= self.gain && account.part(drift.loss) <= self.loss;
        is_still && (even || account.speed.is_some())
    }
}

/// Whether a run kept a promise.
pub(super) fn judge(account: &Account, promise: &Promise) -> Verdict {
    let is_closed = account.gap <= promise.gap;
    if account.refusal.is_none() && is_closed && promise.is_kept(account, &account.drift) {
        return Verdict::Kept;
    }
    match account.silent_gap == 0.0 && promise.is_kept(account, &account.silent) {
        true => Verdict::Said,
        false => Verdict::Failed,
    }
}
