//! Constraints: conditions on connector outputs.
//!
//! ```text
//!     c(x_a, x_b, …, t) = 0      ċ = Σ (∂c/∂x)·ẋ + ∂c/∂t      c̈ = Σ (∂c/∂x)·ẍ + γ
//! ```
//!
//! A constraint knows its inputs' values, not the bodies behind them: the engine applies the chain
//! rule `J = Σ (∂c/∂x)·L` (Witkin 1990, eq. 6). `γ` gathers what Witkin 1990, eq. 3 calls
//! `(∂ċ/∂q)·q̇ + ∂²c/∂t²` (with the mixed term the paper lacks), without a third-order tensor.
//!
//! | what                              | constraints                                               |
//! |-----------------------------------|-----------------------------------------------------------|
//! | joints                            | [`FramePair`], [`Screw`]                                  |
//! | distances                         | [`Distance`]                                              |
//! | surfaces                          | [`PointOnSurface`], [`Tangency`]                          |
//! | curves                            | [`SlideOnCurve`], [`CurveTangency`], [`ParallelInPlane`]  |
//! | wheels on a plane                 | [`BallOnPlane`], [`DiscOnPlane`]                          |
//! | functions of time                 | [`AngleDrive`], [`LengthDrive`], [`DistanceDrive`], [`PointOnTrajectory`] |
//! | directions                        | [`Directions`]                                            |
//! | joints that follow joints         | [`Coupling`]                                              |
//! | rates only                        | [`SpinRelation`], [`RollingBall`], [`RollingDisc`], [`KnifeEdge`]    |
//! | limits                            | [`AngleLimit`], [`LengthLimit`], [`DistanceLimit`], [`ConeLimit`] |
//! | motors that give way, friction    | [`AngleServo`], [`LengthServo`], [`DistanceServo`]        |
//! | inertia on coordinates            | [`AngleArmature`], [`LengthArmature`], [`Inerter`]        |
//! | joints that close over time       | [`Closing`]                                               |
//! | scalars: equations                | [`ScalarEquals`], [`ScalarDifference`]                    |
//! | forces along other directions     | [`PushedAlong`], [`PushedLike`]                           |
//!
//! A constraint that makes sense in the plane acts there when its connectors are in the plane.
//! Your own constraints implement [`Constraint`] and are tested with [`check_constraint`]; see the
//! example `custom_constraint`.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::connector::{ConnectorKind, Counter, Input, acts_in_plane};
use crate::error::Error;
use crate::linalg::MatMut;
use crate::shape::ShapeMap;

mod armature;
mod axis_angle;
mod bounded;
mod closing;
mod cone_limit;
mod contact;
pub mod contract;
mod coupling;
mod directions;
mod distance;
mod drive;
mod drive_function;
mod energy_rows;
mod frame_pair;
mod knife_edge;
mod planar_pair;
mod pushed_along;
mod pushed_like;
mod rolling;
mod scalar;
mod screw;
mod slide;
mod spin_relation;
mod surface;
mod tangency;
mod tolerances;
mod trajectory;

pub use armature::{AngleArmature, Inerter, LengthArmature};
pub use bounded::{
    AngleLimit, AngleServo, Bound, DistanceLimit, DistanceServo, LengthLimit, LengthServo,
};
pub use closing::Closing;
pub use cone_limit::ConeLimit;
pub use contract::{ConstraintViolation, check_constraint, check_constraint_at};
pub use coupling::{Coupling, JointCoordinate};
pub use directions::Directions;
pub use distance::Distance;
pub use drive::{AngleDrive, DistanceDrive, LengthDrive};
pub use drive_function::{Constant, DriveClosure, DriveFunction, Ramp, Sine};
pub use energy_rows::energy_rows;
pub(crate) use frame_pair::axis_rows;
pub use frame_pair::{FrameMotion, FramePair, PairRows, RotationRows};
pub use knife_edge::KnifeEdge;
pub use pushed_along::PushedAlong;
pub use pushed_like::PushedLike;
pub use rolling::{BallOnPlane, DiscOnPlane, RollingBall, RollingDisc};
pub use scalar::{ScalarDifference, ScalarEquals};
pub use screw::Screw;
pub use slide::{CurveTangency, ParallelInPlane, SlideOnCurve};
pub use spin_relation::SpinRelation;
pub use surface::{
    CylinderSurface, EllipsoidSurface, PlaneSurface, PointOnSurface, SphereSurface, Surface,
    TorusSurface,
};
pub use tangency::Tangency;
pub use trajectory::{
    CircleTrajectory, LineTrajectory, PointOnTrajectory, SplineTrajectory, Trajectory,
};

/// A constraint has at most so many rows; split a larger one.
pub const MAX_ROWS: usize = 32;

/// The unit of a row, for scaling and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowUnit {
    /// Meters (meters per second for a velocity constraint).
    Meter,
    /// Radians (radians per second for a velocity constraint).
    Radian,
    /// Square meters, such as a troid's area.
    SquareMeter,
    /// A pure number; counts as it is, whatever the size of bodies.
    Number,
}

impl RowUnit {
    /// What turns the unit into meters, where bodies are so long.
    pub(crate) fn in_meters(self, length: f64) -> f64 {
        match self {
            Self::Meter | Self::Number => 1.0,
            Self::Radian => length,
            Self::SquareMeter => 1.0 / length,
        }
    }
}

/// At which level a constraint is a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `c(x, t) = 0`: holonomic.
    Position,
    /// A condition on rates only, not holonomic: `c` is left at zero, `ċ` is the condition, and
    /// `∂c/∂x` stands for `∂ċ/∂ẋ`.
    Velocity,
}

/// Where a constraint writes its rows. All storage is zeroed beforehand.
#[derive(Debug)]
pub struct Rows<'a> {
    /// `c`, one per row.
    pub c: &'a mut [f64],
    /// `ċ`, one per row.
    pub c_dot: &'a mut [f64],
    /// `γ`, one per row.
    pub gamma: &'a mut [f64],
    /// `∂c/∂x` of every input, one after the other, each `n_rows × n_x_dot` and row-major.
    pub(crate) dc_dx: &'a mut [f64],
    /// Force directions in the layout of `dc_dx`; empty unless `Constraint::pushes_elsewhere`.
    pub(crate) push: &'a mut [f64],
    /// What an objective makes small, unless that is `Σ ½·c²/α` over its rows; see [`Constraint::is_objective`].
    pub energy: Option<f64>,
    /// The inputs' kinds.
    pub(crate) kinds: &'a [ConnectorKind],
    /// Full turns of its angles.
    pub(crate) turns: Counter<'a>,
}

impl<'a> Rows<'a> {
    /// Rows over caller-owned storage; `dc_dx` (and `push`, unless empty) hold
    /// `n_rows × Σ n_x_dot` numbers. Zeroes everything.
    pub fn new(
        kinds: &'a [ConnectorKind],
        c: &'a mut [f64],
        c_dot: &'a mut [f64],
        gamma: &'a mut [f64],
        dc_dx: &'a mut [f64],
        push: &'a mut [f64],
    ) -> Self {
        for part in [&mut *c, c_dot, gamma, dc_dx, push] {
            part.fill(0.0);
        }
        Self {
            c,
            c_dot,
            gamma,
            dc_dx,
            push,
            energy: None,
            kinds,
            turns: Counter::default(),
        }
    }

    /// `2π·k` of one of its angles in space, which is `theta` within a turn and moves at `theta_dot`;
    /// `closed` is the angle at which the row would be zero. See [`Constraint::n_angles`].
    pub fn full_turns(&mut self, angle: usize, theta: f64, theta_dot: f64, closed: f64) -> f64 {
        self.turns.full_turns(angle, theta, theta_dot, closed)
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.c.len()
    }

    /// `∂c/∂x` with respect to input `input`: `n_rows × n_x_dot`.
    pub fn dc_dx(&mut self, input: usize) -> MatMut<'_> {
        let (start, n_cols) = self.columns_before(input);
        let n = self.c.len();
        MatMut::new(&mut self.dc_dx[start * n..(start + n_cols) * n], n_cols)
    }

    /// The direction in which row `i` pushes on input `input`, in place of `∂c/∂x`
    /// (Baraff 1996, §8: `K ≠ Jᵀ`). Only for constraints that `pushes_elsewhere`.
    pub fn push(&mut self, input: usize) -> MatMut<'_> {
        let (start, n_cols) = self.columns_before(input);
        let n = self.c.len();
        MatMut::new(&mut self.push[start * n..(start + n_cols) * n], n_cols)
    }

    fn columns_before(&self, input: usize) -> (usize, usize) {
        let start = self.kinds[..input].iter().map(|kind| kind.n_x_dot()).sum();
        (start, self.kinds[input].n_x_dot())
    }
}

/// All that a constraint writes at one instant.
pub(crate) struct Evaluation {
    pub(crate) c: Vec<f64>,
    pub(crate) c_dot: Vec<f64>,
    pub(crate) gamma: Vec<f64>,
    /// As in [`Rows`]: input after input, each row-major.
    pub(crate) dc_dx: Vec<f64>,
    /// Likewise; empty unless it pushes elsewhere.
    pub(crate) push: Vec<f64>,
    /// What an objective makes small.
    pub(crate) energy: Option<f64>,
}

impl Evaluation {
    pub(crate) fn of(
        constraint: &dyn Constraint,
        t: f64,
        inputs: &[Input<'_>],
        turns: Counter<'_>,
    ) -> Self {
        let kinds: Vec<ConnectorKind> = inputs.iter().map(|input| input.kind).collect();
        let in_plane = acts_in_plane(constraint.inputs_in_plane(), &kinds);
        let n = constraint.rows_of(in_plane).len();
        let n_cols: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
        let zeros = |n| vec![0.0; n];
        let mut now = Self {
            c: zeros(n),
            c_dot: zeros(n),
            gamma: zeros(n),
            dc_dx: zeros(n * n_cols),
            push: zeros(usize::from(constraint.pushes_elsewhere()) * n * n_cols),
            energy: None,
        };
        let Self {
            c,
            c_dot,
            gamma,
            dc_dx,
            push,
            energy,
        } = &mut now;
        let mut rows = Rows::new(&kinds, c, c_dot, gamma, dc_dx, push);
        rows.turns = turns;
        constraint.eval(t, inputs, &mut rows);
        *energy = rows.energy;
        now
    }
}

impl dyn Constraint {
    /// The kinds of connector it takes, in space or in the plane.
    pub fn inputs_of(&self, in_plane: bool) -> &[ConnectorKind] {
        if in_plane {
            return self.inputs_in_plane();
        }
        self.inputs()
    }

    /// The unit of each row, in space or in the plane.
    pub fn rows_of(&self, in_plane: bool) -> &[RowUnit] {
        if in_plane {
            return self.rows_in_plane();
        }
        self.rows()
    }
}

/// A condition on connector outputs (Witkin 1990, §3.2).
pub trait Constraint: Any + fmt::Debug + Send + Sync {
    /// The kinds of connector it takes, in order: its arity and its inputs' meaning.
    fn inputs(&self) -> &[ConnectorKind];

    /// The unit of each row; their number is the constraint's dimension (Baraff 1996, §4.1).
    fn rows(&self) -> &[RowUnit];

    /// The kinds of connector it takes in the plane, if it can act there too; else nothing.
    ///
    /// The connectors decide: if one of them is in the plane, so is the constraint, and
    /// [`Constraint::eval`] gets inputs of these kinds.
    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &[]
    }

    /// The unit of each row in the plane.
    fn rows_in_plane(&self) -> &[RowUnit] {
        self.rows()
    }

    /// Whether it is a condition on positions or on rates only.
    fn level(&self) -> Level {
        Level::Position
    }

    /// Whether the parameters make sense. Called when the constraint is added or replaced.
    fn validate(&self) -> Result<(), Error>;

    /// Writes `c`, `ċ`, `γ` and `∂c/∂x` per input (and the force directions if it
    /// `pushes_elsewhere`).
    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>);

    /// True when its force acts along other directions than `(∂c/∂x)ᵀ`. Such rows are always
    /// auxiliary (Baraff 1996, §8).
    fn pushes_elsewhere(&self) -> bool {
        false
    }

    /// How many angles in space it measures. The world counts their full turns, see
    /// [`Rows::full_turns`]. In the plane angles count turns by themselves.
    fn n_angles(&self) -> usize {
        0
    }

    /// The inertia on its coordinate, if it is no condition but an armature: then it has one row, `c` is the
    /// coordinate, and the world sets its compliance.
    fn inertia(&self) -> Option<f64> {
        None
    }

    /// Whether it is one row that sees nothing but how its connectors move against each other: `ċ` is zero
    /// where all of them are on one rigid body. Such a row, if it is soft, is eliminated with the joint that
    /// it acts across, at no cost.
    fn is_relative(&self) -> bool {
        false
    }

    /// Whether two connectors may sit on one body (a joint of a body with itself is refused).
    fn allows_same_body(&self) -> bool {
        false
    }

    /// The same for another map of the shape that an input is on: what slides along a curve is told when the body of
    /// the curve is replaced. None if it does not care.
    fn for_map(&self, _input: usize, _map: &Arc<dyn ShapeMap>) -> Option<Arc<dyn Constraint>> {
        None
    }

    /// How its force is bounded, if it is: a limit, a motor that gives way, dry friction. All its rows are bounded
    /// alike.
    fn bound(&self) -> Option<Bound> {
        None
    }

    /// Whether it is no condition but a wish: all its rows are soft, and worlds without momentum go to where its energy
    /// is least. That is `Σ ½·c²/α`, or what it writes to [`Rows::energy`]; then `Jᵀ·C⁻¹·c` is its gradient and
    /// `Jᵀ·C⁻¹·J` takes the place of its second derivatives.
    fn is_objective(&self) -> bool {
        false
    }

    /// Whether it writes [`Rows::energy`]: what it makes small is no sum of squares of its rows.
    fn tells_energy(&self) -> bool {
        false
    }

    /// Whether it tells its [`Constraint::curvature`].
    fn is_curved(&self) -> bool {
        false
    }

    /// Adds `Σ λ·∂²c/∂x∂x` to a matrix over the rates of all inputs, one input after the other: how its force turns as
    /// what it holds moves. The search for a minimum needs it.
    fn curvature(&self, _t: f64, _inputs: &[Input<'_>], _lambda: &[f64], _out: &mut MatMut<'_>) {}

    /// Why what it writes is not finite, in words, if it knows: when a step is refused, the error says so. `given` is
    /// `x` of all inputs, one after the other.
    fn blame(&self, _t: f64, _given: &[f64]) -> Option<String> {
        None
    }

    /// The length at rest of a constraint that keeps two points apart, meters: where it is a spring, tension
    /// makes it stiff across its length.
    fn rest_length(&self) -> Option<f64> {
        None
    }

    /// The closing joint, if this is one: the step replaces it by the joint once it is closed.
    fn as_closing(&self) -> Option<&Closing> {
        None
    }

    /// The two constraints, if this is one that is held by the force of another.
    fn as_pushed_like(&self) -> Option<&PushedLike> {
        None
    }

    /// The frame pair behind this constraint, if it is exactly that: the engine then keeps it in a
    /// typed pool and evaluates the same formulas without virtual calls.
    fn as_frame_pair(&self) -> Option<&FramePair> {
        None
    }
}
