//! Every number that the layer is steered by, with its unit and its reason.

/// The least implicit part of a spring. It damps by less than 1e-6·(h·ω)² in a step, and keeps the numbers of its row,
/// some of which are divided by s, comparable with the others (motion: springs) …
pub(super) const LEAST_S: f64 = 1e-6;

/// … and the least implicit part of a damper.
pub(super) const LEAST_S_OF_RATES: f64 = 1e-3;

/// The weight in a prediction of the strain error of a small part of a body. Strains of a body as long as a bar may be
/// wrong by 0.05 (solids: soft).
pub(super) const LOCAL: f64 = 0.02;

/// The part of its own stiffness that a slack spring has across its direction, so that rows stay regular.
pub(super) const SLACK: f64 = 1e-12;

/// The stiffness that an exact distance has across its direction where it is slack, N/m.
pub(super) const EXACT: f64 = 1e3;
