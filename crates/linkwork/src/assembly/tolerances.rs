//! Every tolerance and limit of an assembly, with its unit and its reason. Tests in
//! `crates/linkwork/tests/assembly` fail without them.

/// Largest number of halvings of a step of a lower priority.
pub(super) const HALVINGS: usize = 12;
/// Corrections in a row that may fail to reduce the errors by the factor `CLEARLY`.
pub(super) const PATIENCE: usize = 8;
/// A decrease by this factor counts.
pub(super) const CLEARLY: f64 = 0.9;
/// The descent ends when the sum of squares has decreased by this factor.
pub(super) const HAND_BACK: f64 = 0.01;
/// Least squares means `‖Jᵀ·c‖ ≤ 1e-6·‖c‖` in scaled rows; the descent aims lower.
pub(super) const STATIONARY: f64 = 1e-6;
pub(super) const AIM: f64 = 1e-8;
/// Largest number of further starts, and of those in a row that find nothing better.
pub(super) const MAX_RESTARTS: usize = 6;
pub(super) const MAX_VAIN: usize = 3;
/// Velocities are corrected until rate errors are this small (m/s), and at most this many times.
pub(super) const RATE: f64 = 1e-12;
pub(super) const RATE_CORRECTIONS: usize = 5;
/// Rates that a factor cannot correct: largest number of products with J and Jᵀ, and of those in a row without
/// progress.
pub(super) const RATE_PRODUCTS: usize = 2000;
pub(super) const RATE_PATIENCE: usize = 50;
/// Gathering increases rotational inertia at least by this factor: with less, parts neither turn nor translate
/// enough. Then the largest number of additional solves.
pub(super) const LEAST_TURN_FACTOR: f64 = 30.0;
pub(super) const GATHER_PASSES: usize = 4;
/// Displacements of the first, second and third restart: in lengths of a bar, and radians.
pub(super) const PERTURBATIONS: [f64; 3] = [0.3, 1.0, 2.0];
/// Step of the differences of gradients, in lengths of a bar.
pub(super) const APART: f64 = 1e-7;
/// Initial radius of the trust region, in lengths of a bar per body.
pub(super) const FIRST_RADIUS: f64 = 1.0;
/// Smallest radius, in lengths of a bar.
pub(super) const LEAST_RADIUS: f64 = 1e-13;
/// Largest number of products in one step of the descent.
pub(super) const MODEL_PRODUCTS: usize = 300;
