//! What `--preset` understands: the engine's schemes and the papers' parts, by name.

use linkwork::integrate::Integrator;
use linkwork::stabilize::Stabilization;
use linkwork::step::{PreciseOptions, Scheme, StepOptions};

/// What `--preset all` means.
pub(crate) const ALL: [&str; 9] = [
    "interactive",
    "precise",
    "precise:1e-6",
    "symplectic4",
    "euler",
    "symplectic-euler",
    "rk4",
    "stoermer",
    "faure1998",
];

/// How presets are written; part of `--help`.
pub(crate) const USAGE: &str = "\
\"all\", or a list such as interactive,precise:1e-6,rk4+none.

Whole schemes: interactive, precise, precise:TOLERANCE, symplectic4, faure1998.
Parts: INTEGRATOR or INTEGRATOR+STABILIZATION, from
  euler, symplectic-euler, rk4, stoermer and
  post (taken when none is named), none, baumgarte, feedback, displacement.
post:N and displacement:N make at most N corrections (10). baumgarte:A has decay rates of A/dt
(0.2), feedback:A the stiffness (A/dt)² and damping 2·A/dt of a kilogram (0.05).
faure1998 is stoermer+displacement.";

/// A way to step, for any step size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Preset {
    /// As it was asked for, such as `rk4+none`.
    pub(crate) name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Interactive,
    Precise(f64),
    Symplectic4,
    Parts(Integrator, Rule),
}

/// A stabilization whose rates follow from the step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    None,
    Post(usize),
    Displacement(usize),
    Baumgarte(f64),
    Feedback(f64),
}

impl Preset {
    /// The engine's options for steps of `dt`.
    pub(crate) fn options(&self, dt: f64) -> StepOptions {
        match self.kind {
            Kind::Interactive => StepOptions::interactive(dt),
            Kind::Precise(tolerance) => StepOptions::precise(dt).with_scheme(Scheme::Precise(
                PreciseOptions::default().with_tolerance(Some(tolerance)),
            )),
            Kind::Symplectic4 => StepOptions::symplectic4(dt),
            Kind::Parts(integrator, rule) => StepOptions::parts(dt, integrator, rule.over(dt)),
        }
    }

    /// Precise to a tolerance.
    pub(crate) fn precise(tolerance: f64) -> Self {
        Self {
            name: format!("precise:{tolerance:e}"),
            kind: Kind::Precise(tolerance),
        }
    }
}

impl Rule {
    fn over(self, dt: f64) -> Stabilization {
        match self {
            Self::None => Stabilization::None,
            Self::Post(iterations) => Stabilization::Post { iterations },
            Self::Displacement(iterations) => Stabilization::Displacement { iterations },
            Self::Baumgarte(a) => Stabilization::Baumgarte {
                alpha: a / dt,
                beta: a / dt,
            },
            Self::Feedback(a) => Stabilization::Feedback {
                stiffness: (a / dt).powi(2),
                damping: 2.0 * a / dt,
            },
        }
    }
}

/// Reads `all`, or names between commas.
pub(crate) fn parse_presets(list: &str) -> Result<Vec<Preset>, String> {
    if list == "all" {
        return ALL.iter().map(|name| parse_preset(name)).collect();
    }
    list.split(',')
        .map(|name| parse_preset(name.trim()))
        .collect()
}

fn parse_preset(name: &str) -> Result<Preset, String> {
    let (integrator, rule) = match name.split_once('+') {
        Some((integrator, rule)) => (integrator, Some(rule)),
        None => (name, None),
    };
    let (whole, number) = split_number(integrator);
    let no_number = |kind| match (number, rule) {
        (None, None) => Ok(kind),
        _ => Err(format!("preset \"{name}\": write {whole}")),
    };
    let parts = |integrator| {
        if let Some(number) = number {
            return Err(format!(
                "preset \"{name}\": {whole} takes no number such as {number}"
            ));
        }
        Ok(Kind::Parts(integrator, parse_rule(name, rule)?))
    };
    let kind = match whole {
        "interactive" => no_number(Kind::Interactive)?,
        "symplectic4" => no_number(Kind::Symplectic4)?,
        "faure1998" => no_number(Kind::Parts(Integrator::Stoermer, Rule::Displacement(10)))?,
        "precise" if rule.is_none() => Kind::Precise(positive(name, number, 1e-9, "precise:1e-6")?),
        _ => match whole.parse() {
            Ok(integrator) => parts(integrator)?,
            Err(_) => {
                let known = ALL.join(", ");
                return Err(format!(
                    "no preset is called \"{name}\"; there are {known}, all, and parts such as rk4+none"
                ));
            }
        },
    };
    let name = name.to_owned();
    Ok(Preset { name, kind })
}

fn parse_rule(name: &str, rule: Option<&str>) -> Result<Rule, String> {
    let (kind, number) = split_number(rule.unwrap_or("post"));
    let corrections = || match number.map_or(Ok(10), str::parse) {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!(
            "preset \"{name}\": write how many corrections, such as {kind}:2"
        )),
    };
    Ok(match kind {
        "none" if number.is_none() => Rule::None,
        "post" => Rule::Post(corrections()?),
        "displacement" => Rule::Displacement(corrections()?),
        "baumgarte" => Rule::Baumgarte(positive(name, number, 0.2, "baumgarte:0.5")?),
        "feedback" => Rule::Feedback(positive(name, number, 0.05, "feedback:0.1")?),
        _ => {
            return Err(format!(
                "preset \"{name}\": no stabilization is called \"{kind}\"; there are post, none, \
                 baumgarte, feedback, displacement"
            ));
        }
    })
}

fn split_number(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((kind, number)) => (kind, Some(number)),
        None => (text, None),
    }
}

fn positive(name: &str, text: Option<&str>, default: f64, example: &str) -> Result<f64, String> {
    let Some(text) = text else {
        return Ok(default);
    };
    let valid = |number: &f64| number.is_finite() && *number > 0.0;
    text.parse().ok().filter(valid).ok_or_else(|| {
        format!("preset \"{name}\": \"{text}\" is no positive number; write {example}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_all_is_understood_and_kept() {
        let presets = parse_presets("all").unwrap();
        let names: Vec<_> = presets.iter().map(|preset| preset.name.as_str()).collect();
        assert_eq!(names, ALL);
    }

    #[test]
    fn parts_are_stabilized_after_the_step_unless_another_rule_is_named() {
        let scheme = |name: &str| parse_preset(name).unwrap().options(0.01).scheme;
        let parts = |integrator, stabilization| Scheme::Parts {
            integrator,
            stabilization,
        };
        let post = |iterations| Stabilization::Post { iterations };
        assert_eq!(scheme("rk4"), parts(Integrator::Rk4, post(10)));
        assert_eq!(scheme("euler+post:1"), parts(Integrator::Euler, post(1)));
        assert_eq!(
            scheme("rk4+none"),
            parts(Integrator::Rk4, Stabilization::None)
        );
        let (alpha, beta) = (20.0, 20.0);
        assert_eq!(
            scheme("symplectic-euler+baumgarte"),
            parts(
                Integrator::SymplecticEuler,
                Stabilization::Baumgarte { alpha, beta }
            )
        );
        assert_eq!(scheme("stoermer+displacement"), scheme("faure1998"));
        let tolerance = Some(1e-6);
        assert_eq!(
            scheme("precise:1e-6"),
            Scheme::Precise(PreciseOptions::default().with_tolerance(tolerance))
        );
        assert_eq!(scheme("precise"), StepOptions::precise(0.01).scheme);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let error = |presets| parse_presets(presets).unwrap_err();
        assert!(error("interactive,fast").contains("\"fast\""));
        assert!(error("rk4+glue").contains("\"glue\""));
        assert!(error("rk4:3").contains("takes no number"));
        assert!(error("rk4+post:0").contains("post:2"));
        assert!(error("precise:x").contains("\"x\" is no positive number"));
        assert!(error("interactive+post").contains("write interactive"));
        assert!(error("precise+none").contains("no preset is called"));
    }
}
