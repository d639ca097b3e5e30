//! Whether a run kept what `docs/presets.md` promises.

use std::fmt;

use linkwork::prelude::*;
use linkwork::step::Scheme;
use linkwork_scene::export::EnergyPromise;

use super::account::Account;

/// How closed joints of priority 0 are, m.
const CLOSED: f64 = 1e-9;
/// What should rest moves no faster, m/s.
const STILL: f64 = 1e-6;

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As promised.
    Kept,
    /// Joints as promised; nothing is promised of the energy.
    Closed,
    /// Not as promised, and the reports say so by name.
    Said,
    /// Not as promised, and nothing said so.
    Failed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Kept => "kept",
            Self::Closed => "closed",
            Self::Said => "said",
            Self::Failed => "FAILED",
        })
    }
}

/// Whether a run kept the promise of its preset. What is not kept is said where the reports of steps name it:
/// energy that changed in frames of which they name a rung that damps, or that were taken in parts; joints that
/// they call open; a refusal. A loss is also said where `linkwork run`, which looks after energies, warns of it. A
/// gain is not: nobody put it in.
pub(super) fn judge(account: &Account, preset: &str) -> Result<Verdict, String> {
    let scheme: Scheme = preset.parse().map_err(|error: Error| error.to_string())?;
    let promise = EnergyPromise::of(&scheme).ok_or("promises nothing")?;
    let is_still = account.speed.is_none_or(|speed| speed <= STILL);
    let is_kept = promise.is_kept_by(&account.drift);
    if account.refusal.is_none() && account.gap <= CLOSED && is_still && is_kept {
        return Ok(match account.judges_energy {
            true => Verdict::Kept,
            false => Verdict::Closed,
        });
    }
    let silent = &account.silent;
    let exchanged = account.drift.exchanged;
    let gain_is_said = silent.gain <= promise.gain * exchanged;
    let loss_is_said = silent.loss <= promise.loss * exchanged
        || account
            .found
            .is_some_and(|found| found.loss > promise.loss * found.exchanged);
    let is_said = account.silent_gap == 0.0 && is_still && gain_is_said && loss_is_said;
    Ok(if is_said {
        Verdict::Said
    } else {
        Verdict::Failed
    })
}
