//! Strains: a body's description of its elasticity, so that steps can integrate it implicitly.

/// One strain of a body: a dimensionless function `s(q)` that is zero in the relaxed shape.
///
/// The body stores `½·k·s²` in it and resists with `−Sᵀ·(k·s + d·ṡ)`, `S = ∂s/∂q`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strain {
    /// `s`.
    pub value: f64,
    /// `ṡ = S·v`.
    pub rate: f64,
    /// `γ` such that `s̈ = S·v̇ + γ`.
    pub gamma: f64,
    /// `k`, joules; zero or more.
    pub stiffness: f64,
    /// `d`, joule-seconds; zero or more.
    pub damping: f64,
}

impl Strain {
    /// `−(k·s + d·ṡ)`: the force along `Sᵀ`.
    pub fn push(&self) -> f64 {
        -self.stiffness * self.value - self.damping * self.rate
    }
}
