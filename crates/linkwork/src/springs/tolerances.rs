//! Every tolerance of this layer, with its unit and reason.

/// The smallest implicit part of a spring. It damps by less than 1e-6·(h·ω)² in a step, and keeps the
/// coefficients of its row, some of which are divided by s, comparable with others (motion: springs) …
pub(super) const LEAST_S: f64 = 1e-6;

/// … and the smallest implicit part of a damper.
pub(super) const LEAST_S_OF_RATES: f64 = 1e-3;

/// Weight of strain errors of a small part of a body in a prediction. Strains of a body as long as a bar may be
/// off by 0.05 (solids: soft).
pub(super) const LOCAL: f64 = 0.02;

/// Lateral stiffness of a slack spring, relative to its own stiffness, so that rows stay regular.
pub(super) const SLACK: f64 = 1e-12;

/// Lateral stiffness of a slack exact distance, N/m.
pub(super) const EXACT: f64 = 1e3;
