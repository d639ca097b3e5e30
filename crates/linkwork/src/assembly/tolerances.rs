//! Every number that steers an assembly, with its unit and its reason. Each is broken by tests of
//! `crates/linkwork/tests/assembly`.

/// A step of a lower priority is halved at most so often.
pub(super) const HALVINGS: usize = 12;
/// So many corrections in a row may fail to make the errors clearly smaller.
pub(super) const PATIENCE: usize = 8;
/// Errors this much smaller are clearly smaller.
pub(super) const CLEARLY: f64 = 0.9;
/// The descent hands back once the sum of squares is this part of what it was.
pub(super) const HAND_BACK: f64 = 0.01;
/// `‖Jᵀ·c‖ ≤ 1e-6·‖c‖` in scaled rows is least squares; the descent aims lower.
pub(super) const STATIONARY: f64 = 1e-6;
pub(super) const AIM: f64 = 1e-8;
/// At most so many other starts, and so many in a row that come to nothing better.
pub(super) const MAX_RESTARTS: usize = 6;
pub(super) const MAX_VAIN: usize = 3;
/// Velocities are corrected until rates are this small (m/s), at most so often.
pub(super) const RATE: f64 = 1e-12;
pub(super) const RATE_CORRECTIONS: usize = 5;
/// Rates that a factor cannot make right: at most so many products with J and Jᵀ, of which so many in
/// a row may gain nothing.
pub(super) const RATE_PRODUCTS: usize = 2000;
pub(super) const RATE_PATIENCE: usize = 50;
/// Turning is made at least so much harder where parts are gathered: less is neither turning nor
/// translating. At most so many solves more.
pub(super) const LEAST_TURN_FACTOR: f64 = 30.0;
pub(super) const GATHER_PASSES: usize = 4;
/// How far parts are moved aside in tries one, two, three, …: in lengths of a bar, and radians.
pub(super) const PERTURBATIONS: [f64; 3] = [0.3, 1.0, 2.0];
/// Differences of gradients are taken so far apart, in lengths of a bar.
pub(super) const APART: f64 = 1e-7;
/// The trust region is at first so large, in lengths of a bar for each body.
pub(super) const FIRST_RADIUS: f64 = 1.0;
/// No smaller step is tried, in lengths of a bar.
pub(super) const LEAST_RADIUS: f64 = 1e-13;
/// At most so many products for one step of the descent.
pub(super) const MODEL_PRODUCTS: usize = 300;
