//! What a diagnosis found, by name: for the command line and the page.

use linkwork::assembly::ConstraintResidual;
use linkwork::diagnose::{self, Closure, Contradiction, Diagnosis, OneSided};
use serde::Serialize;

/// What holds on one side only.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// One name of a limit, two of bodies that touch.
    pub of: Vec<String>,
    /// Rows, or points that touch.
    pub rows: usize,
    /// Whether its forces are shares that statics do not determine; none if too much touches to find out.
    pub shared: Option<bool>,
}

impl From<&diagnose::Held> for Held {
    fn from(own: &diagnose::Held) -> Self {
        Self {
            of: match &own.by {
                OneSided::Limit { label, .. } => vec![label.clone()],
                OneSided::Touch { labels } => labels.to_vec(),
                _ => Vec::new(),
            },
            rows: own.n_rows,
            shared: own.is_shared,
        }
    }
}

/// Whether all joints can be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClosureFound {
    /// They are closed.
    Closed,
    /// They are open, and can be closed.
    Closable,
    /// Some cannot hold together.
    Contradictory,
    /// That could not be found out.
    Unknown,
}

impl From<Closure> for ClosureFound {
    fn from(own: Closure) -> Self {
        match own {
            Closure::Closed => Self::Closed,
            Closure::Closable => Self::Closable,
            Closure::Contradictory => Self::Contradictory,
            Closure::Unknown => Self::Unknown,
        }
    }
}

/// A joint that cannot hold together with others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contradictory {
    /// Its name.
    pub joint: String,
    /// What stays open at best.
    pub residual: f64,
    /// Of what stays open.
    pub unit: GapUnit,
}

impl From<&ConstraintResidual> for Contradictory {
    fn from(own: &ConstraintResidual) -> Self {
        let (residual, unit) = match own.position > 0.0 {
            true => (own.position, GapUnit::Meter),
            false => (own.angle, GapUnit::Radian),
        };
        Self {
            joint: own.label.clone(),
            residual,
            unit,
        }
    }
}

impl From<&Contradiction> for Contradictory {
    fn from(own: &Contradiction) -> Self {
        let unit = match own.of_speeds {
            true => GapUnit::MeterPerSecond,
            false => GapUnit::Meter,
        };
        Self {
            joint: own.label.clone(),
            residual: own.residual,
            unit,
        }
    }
}

/// The unit of what stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GapUnit {
    /// A distance.
    #[serde(rename = "m")]
    Meter,
    /// An angle.
    #[serde(rename = "rad")]
    Radian,
    /// A speed.
    #[serde(rename = "m/s")]
    MeterPerSecond,
}

impl GapUnit {
    /// As people write it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Meter => "m",
            Self::Radian => "rad",
            Self::MeterPerSecond => "m/s",
        }
    }
}

/// Joints whose reactions statics cannot determine, each once.
pub fn undetermined(diagnosis: &Diagnosis) -> Vec<String> {
    let mut labels = Vec::new();
    for row in &diagnosis.undetermined {
        if !labels.contains(&row.label) {
            labels.push(row.label.clone());
        }
    }
    labels
}
