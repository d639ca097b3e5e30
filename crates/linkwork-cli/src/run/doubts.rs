//! Warnings about the result of a run: what they mean, and what to do.

use linkwork::step::{Cause, Scheme};
use linkwork_scene::export::{Columns, EnergyDrift, EnergyPromise};

use super::summary::Taken;
use crate::check::warnings::Warning;
use crate::numbers::short;

/// Most of the sub-steps were taken by rungs that damp; or some were because a body spins or a shape changes too fast,
/// of which a few take most of the energy.
pub(super) fn damped(substeps: u64, rungs: &[Taken]) -> Option<Warning> {
    let last = rungs.iter().filter(|own| own.rung.is_last_resort());
    let n_damped: u64 = last.clone().map(|own| own.count).sum();
    // Schemes without rungs count sub-steps only; a frame that is taken again counts its rungs twice.
    let n_taken: u64 = rungs.iter().map(|own| own.count).sum();
    let n = substeps.max(n_taken);
    let spins = last
        .clone()
        .any(|own| matches!(own.cause, Cause::Spin | Cause::Shape));
    if 2 * n_damped <= n && !spins {
        return None;
    }
    let most = last.max_by_key(|own| own.count)?;
    Some(Warning {
        kind: "damped",
        names: Vec::new(),
        text: format!(
            "{n_damped} of {n} sub-steps were damped, most because: {}; the motion loses energy and does not follow the forces",
            most.cause.name()
        ),
        hint: what_to_do(most.cause).into(),
    })
}

/// Steps gained energy that nothing put in, and were taken in parts.
pub(super) fn retaken(n: u64, steps: u64) -> Option<Warning> {
    (n > 0).then(|| Warning {
        kind: "energy",
        names: Vec::new(),
        text: format!(
            "{n} of {steps} steps gained energy that nothing put in, and were taken in parts; the motion \
             is not accurate"
        ),
        hint: "a shorter --dt is more accurate; a joint of type \"spring\" takes any stiffness, while an explicit-spring, drag or friction may be too strong for a step"
            .into(),
    })
}

/// Formulas of columns came to no number.
pub(crate) fn without_numbers<'c>(all: impl Iterator<Item = &'c Columns>) -> Option<Warning> {
    let mut names: Vec<String> = Vec::new();
    let mut told = Vec::new();
    for own in all.flat_map(Columns::troubles) {
        let name = format!("={}", own.formula);
        if !names.contains(&name) {
            told.push(format!(
                "\"{name}\" from {} s on: {}",
                short(own.time),
                own.why
            ));
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| Warning {
        kind: "no-number",
        names,
        text: format!("columns come to no number: {}", told.join("; ")),
        hint: "if(when, then, else) takes another way where there is none".into(),
    })
}

/// Budgets were too small for joints of lower priorities, or in a hand.
pub(super) fn starved(n: u64, steps: u64) -> Option<Warning> {
    (n > 0).then(|| Warning {
        kind: "budget",
        names: Vec::new(),
        text: format!(
            "in {n} of {steps} steps the budget of iterations was too small to bring joints of lower priorities \
             nearer, or to keep joints closed in a hand"
        ),
        hint: "give more --iterations, or --method forest-krylov or direct, which need fewer".into(),
    })
}

/// Contacts, limits, motors or friction did not obey their law.
pub(super) fn beyond(law_error: f64, overrun: f64) -> Option<Warning> {
    (law_error > 1e-6 || overrun > 1e-6).then(|| Warning {
        kind: "limits",
        names: Vec::new(),
        text: format!(
            "contacts, limits, motors or friction missed their law: by {} m/s, and a limit was exceeded by {} m",
            short(law_error),
            short(overrun)
        ),
        hint: "possible causes: a joint and a limit that contradict each other, bodies that start inside each other, a long --dt"
            .into(),
    })
}

/// Energy came or went that nothing put in or took out, more of it than the preset promises.
pub(super) fn drifted(drift: &EnergyDrift, scheme: &Scheme) -> Option<Warning> {
    let promise = EnergyPromise::of(scheme)?;
    if promise.is_kept_by(drift) {
        return None;
    }
    // The worse of both.
    let is_loss = drift.loss * promise.gain > drift.gain * promise.loss;
    let (energy, verb, end) = match is_loss {
        true => (drift.loss, "lost", "took it"),
        false => (drift.gain, "gained", "put it in"),
    };
    Some(Warning {
        kind: "energy",
        names: Vec::new(),
        text: format!(
            "the motion {verb} {} J, and nothing {end}; it exchanges at most {} J",
            short(energy),
            short(drift.exchanged)
        ),
        hint: "a shorter --dt keeps more of it, and --preset precise nearly all".into(),
    })
}

/// What an integrator of the papers gains beyond this part of the largest kinetic energy is told.
const TOLD: f64 = 0.1;
/// Beyond this part most of what moves is what nothing put in.
const MOST: f64 = 0.5;

/// An integrator of the papers gained energy that nothing put in.
pub(super) fn grew(gained: &EnergyDrift) -> Option<Warning> {
    (gained.gained_part() > TOLD).then(|| Warning {
        kind: "energy",
        names: Vec::new(),
        text: format!(
            "the motion gained {}, and nothing put it in; at most {} J were in motion",
            match gained.gain.is_finite() {
                true => format!("{} J", short(gained.gain)),
                false => "energy beyond all numbers".to_owned(),
            },
            short(gained.kinetic)
        ),
        hint: "the integrators of the papers promise nothing about energy: a shorter --dt gains less, and a --preset \
               in place of --integrator nearly nothing"
            .into(),
    })
}

/// Whether the motion is mostly what nothing put in.
pub(super) fn is_garbage(gained: &EnergyDrift) -> bool {
    gained.gained_part() > MOST
}

fn what_to_do(cause: Cause) -> &'static str {
    match cause {
        Cause::Budget | Cause::CutShort | Cause::Rough => {
            "more --iterations, or --method direct, needs less damping"
        }
        Cause::Open | Cause::NotFinite | Cause::Runaway => {
            "`linkwork check` names joints that contradict each other; a \"priority\" or a \
             \"compliance\" lets one give way"
        }
        Cause::Shape => {
            "a shorter --dt follows it; a shape that spins fast needs more stiffness or damping"
        }
        _ => {
            "a shorter --dt needs less damping; `linkwork check` names masses that differ too much; small, light or fast bodies need short steps"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::step::Rung;

    fn taken(rung: Rung, cause: Cause, count: u64) -> Taken {
        Taken { rung, cause, count }
    }

    #[test]
    fn energy_beyond_the_promise_of_a_preset_is_told() {
        let told = |gain, loss, preset: &str| {
            let mut drift = EnergyDrift::default();
            (drift.gain, drift.loss, drift.exchanged) = (gain, loss, 100.0);
            let warning = drifted(&drift, &preset.parse().unwrap());
            warning.map(|own| own.text)
        };
        assert_eq!(told(0.4, 9.0, "interactive"), None);
        let lost = told(0.4, 18.0, "interactive").unwrap();
        assert!(lost.starts_with("the motion lost 18 J"), "{lost}");
        let gained = told(0.4, 0.0, "precise").unwrap();
        assert!(gained.starts_with("the motion gained 0.4 J"), "{gained}");
        let worse = told(5000.0, 18.0, "interactive").unwrap();
        assert!(worse.starts_with("the motion gained 5000 J"), "{worse}");
        assert_eq!(told(50.0, 50.0, "parts"), None);
    }

    /// A part of what moves, not of what is exchanged; what is no number is beyond all.
    #[test]
    fn what_the_papers_integrators_gain_is_told_where_it_is_much() {
        let told = |gain, kinetic| {
            let mut drift = EnergyDrift::default();
            (drift.gain, drift.loss, drift.kinetic) = (gain, 1e6, kinetic);
            (grew(&drift).is_some(), is_garbage(&drift))
        };
        assert_eq!(told(0.0, 0.0), (false, false));
        assert_eq!(told(9.0, 100.0), (false, false));
        assert_eq!(told(11.0, 100.0), (true, false));
        assert_eq!(told(51.0, 100.0), (true, true));
        assert_eq!(told(f64::INFINITY, f64::INFINITY), (true, true));
    }

    #[test]
    fn a_few_damped_steps_are_told_where_a_body_spins_too_fast() {
        let told = |cause| {
            let halved = taken(Rung::Halved, Cause::Spin, 7494);
            damped(7600, &[halved, taken(Rung::Implicit, cause, 77)]).is_some()
        };
        assert!(told(Cause::Spin) && told(Cause::Shape));
        assert!(!told(Cause::Prediction));
    }
}
