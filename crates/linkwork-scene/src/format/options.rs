//! World options: gravity, the order of dynamics, and how steps are taken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::is_default;

/// What forces do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DynamicsKind {
    /// Forces make accelerations: f = m·a.
    #[default]
    SecondOrder,
    /// Forces make velocities: f = m·v; everything stops when forces do.
    FirstOrder,
    /// Forces make nothing; constraints are closed.
    Assembly,
}

/// How a frame is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PresetKind {
    /// For hands and eyes: second order, closed at every frame, splits frames where motion whips.
    #[default]
    Interactive,
    /// For numbers: error control inside the frame.
    Precise,
    /// Fixed steps of fourth order, symplectic.
    Symplectic4,
    /// An integrator and a stabilisation of the papers: `integrator`, `stabilization`.
    Parts,
}

/// An integrator of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorKind {
    /// Forward Euler.
    Euler,
    /// Semi-implicit Euler.
    SymplecticEuler,
    /// Runge and Kutta's, of fourth order.
    Rk4,
    /// Störmer's.
    Stoermer,
}

/// A stabilisation of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StabilizationKind {
    /// None: constraints drift.
    None,
    /// Post-stabilisation.
    Post,
    /// A feedback force (Witkin 1990).
    Feedback,
    /// Baumgarte's.
    Baumgarte,
    /// Displacements (Faure 1998).
    Displacement,
}

/// A stabilisation of the papers, with numbers.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_stabilization)]
pub struct StabilizationEntry {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: StabilizationKind,
    /// Feedback: force per row unit.
    pub stiffness: Option<f64>,
    /// Feedback: force per row unit and second.
    pub damping: Option<f64>,
    /// Baumgarte: decay of rates, 1/s.
    pub alpha: Option<f64>,
    /// Baumgarte: decay of errors, 1/s.
    pub beta: Option<f64>,
    /// At most so many corrections of positions; 10 when left out.
    pub iterations: Option<usize>,
}

/// How multipliers are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MethodKind {
    /// Exact, trees and loops in one factor.
    #[default]
    Direct,
    /// Forest exact, loops dense (Baraff 1996).
    ForestDense,
    /// Forest exact, loops iterated (Faure 1999).
    ForestKrylov,
    /// Dense normal equations (Witkin 1990, Metaxas 1993).
    NormalDense,
    /// Conjugate gradients on the normal equations (Faure 1998).
    NormalCg,
}

/// World options.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldEntry {
    /// Acceleration of gravity, m/s²; none when left out.
    pub gravity: Option<[f64; 3]>,
    /// What forces do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dynamics: DynamicsKind,
    /// How a frame is integrated.
    #[serde(default, skip_serializing_if = "is_default")]
    pub preset: PresetKind,
    /// The integrator of the preset "parts".
    pub integrator: Option<IntegratorKind>,
    /// The stabilisation of the preset "parts".
    pub stabilization: Option<StabilizationEntry>,
    /// Largest error of a step of the preset "precise", m or rad; 1e-9 when left out.
    pub step_tolerance: Option<f64>,
    /// The preset "interactive" splits a frame into at most 2^max_level sub-steps; 5 when left out.
    pub max_level: Option<u8>,
    /// How multipliers are found.
    #[serde(default, skip_serializing_if = "is_default")]
    pub method: MethodKind,
    /// Iterations of one solve of an iterative method, at most.
    pub solve_iterations: Option<usize>,
    /// Relative tolerance of one solve of an iterative method.
    pub solve_tolerance: Option<f64>,
    /// Whether an iterative method starts from the multipliers of the last step; yes when left out.
    pub warm_start: Option<bool>,
    /// Length of a frame, s; 1/60 when left out.
    pub dt: Option<f64>,
    /// Iterations a step may spend, at most.
    pub iterations: Option<usize>,
    /// How well constraints must be closed, m; 1e-9 when left out.
    pub tolerance: Option<f64>,
}
