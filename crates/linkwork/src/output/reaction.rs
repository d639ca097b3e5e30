//! Reactions: the force and torque a constraint exerts on a body.
//!
//! With `g = (∂c/∂x)ᵀ·λ` of one connector (or `Kᵀ·λ`, where a constraint pushes along directions
//! `K` of its own), conjugate to the connector's rate `ẋ`:
//!
//! | connector | `ẋ`     | force, world axes | torque about the connector's point, world axes |
//! |-----------|---------|-------------------|------------------------------------------------|
//! | point     | v       | g                 | 0                                              |
//! | frame     | v, ω    | g₁…₃              | g₄…₆                                           |
//! | direction | ω × d   | 0                 | d × g                                          |
//! | point in the plane | v | (g₁, g₂, 0)    | 0                                              |
//! | frame in the plane | v, θ̇ | (g₁, g₂, 0) | (0, 0, g₃)                                     |
//! | scalar, vector | ṡ  | 0                 | 0; only [`Reaction::generalized`] says it      |
//!
//! What acts on an output of a block acts on the bodies behind it, on each with `Q = Lᵀ·g` ([`World::shares`]).
//!
//! A joint that holds its second body at a place away from the origin of frame a (a slider, a point
//! in a slot) acts on frame a where the two meet: about the origin of frame a, that is a torque.
//!
//! A joint that holds a point in all directions acts on each body at that body's own point. The two
//! forces are opposite always, the torques about a common point only while the points meet: a joint
//! that is open by `d` leaves a couple `d × f`.

use super::instant::ConstraintNow;
use crate::behavior::Forces;
use crate::connector::{Connector, ConnectorKind};
use crate::error::{Error, Item};
use crate::math::{Mat3, Vec3, add, cross, mat_t_vec, quat_to_matrix, rotation_exp, sub};
use crate::world::{BehaviorId, BodyId, ConnectorValue, ConstraintId, ConstraintRecord, World};

/// Which of a constraint's connectors the reaction acts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The last: body b of a joint, the carrier of a gear.
    #[default]
    Last,
    /// The connector with this number, from zero.
    Connector(usize),
}

/// About which point the torque is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum About {
    /// The connector's own point: the origin of a frame.
    #[default]
    Connector,
    /// A point in world coordinates.
    PointWorld(Vec3),
}

/// The axes in which a reaction is expressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expressed {
    /// The world's.
    #[default]
    World,
    /// Those of a body's frame, as they stand now. Any body will do.
    Body(BodyId),
    /// Those of the constraint's connector with this number, from zero: a frame in space or in the
    /// plane. Axis x is a joint's main axis.
    Connector(usize),
}

/// Which reaction is asked for; by default that on body b, at its connector, in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ReactionOptions {
    /// On which side.
    pub on: Side,
    /// About which point.
    pub about: About,
    /// In which axes.
    pub expressed: Expressed,
}

impl ReactionOptions {
    /// On the connector with this number, from zero.
    pub fn on(self, connector: usize) -> Self {
        let on = Side::Connector(connector);
        Self { on, ..self }
    }

    /// With the torque about a point in world coordinates.
    pub fn about(self, point_world: Vec3) -> Self {
        let about = About::PointWorld(point_world);
        Self { about, ..self }
    }

    /// In these axes.
    pub fn expressed(self, expressed: Expressed) -> Self {
        Self { expressed, ..self }
    }
}

/// The wrench a constraint exerts **on** a body through one of its connectors.
///
/// With multipliers of a velocity correction it is an impulse (N·s, N·m·s).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reaction {
    /// The constraint.
    pub constraint: ConstraintId,
    /// Its label.
    pub constraint_label: String,
    /// The number of the connector, from zero.
    pub connector: usize,
    /// The body it sits on; none if it is an output of a block, see [`World::shares`].
    pub body: Option<BodyId>,
    /// The label of that body, "ground" for the ground; that of the block, if it is an output of one.
    pub acts_on: String,
    /// Force on the body, in the axes asked for.
    pub force: Vec3,
    /// Torque on the body about `point_world`, in the axes asked for.
    pub torque: Vec3,
    /// The point about which the torque is taken. A direction and a scalar have no place and exert
    /// no force; unless a point was asked for, theirs is the origin of the (last) body's frame.
    pub point_world: Vec3,
    /// The force conjugate to the connector's rate `ẋ` (see [`ConnectorKind`]), world axes: all
    /// there is to say for a scalar, such as a pressure (N/m) against a troid's area.
    pub generalized: Vec<f64>,
}

/// What one body gets of the force of a constraint.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Share {
    /// The body.
    pub body: BodyId,
    /// Its label.
    pub body_label: String,
    /// The force on its velocity coordinates, `Q = Lᵀ·g`: of a rigid body force and torque about its center of
    /// mass, world axes.
    pub generalized: Vec<f64>,
}

/// What a behavior does at the present state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Action {
    /// Force on its last connector, world axes, N.
    pub force: Vec3,
    /// Torque on its last connector about that connector's point, world axes, N·m.
    pub torque: Vec3,
    /// What it puts into all bodies, W.
    pub power: f64,
}

impl World {
    /// The force and torque a constraint exerts on a body, at the present state.
    ///
    /// `lambda` are the multipliers of all constraints of this world: those of a
    /// [`Solution`](crate::solve::Solution), or of the [`State`](crate::world::State). What acts on
    /// the other side of a closed joint is the opposite, about the same point. A constraint that is not active exerts
    /// nothing. Where two connectors of a constraint sit on one body, each carries its own part.
    ///
    /// The sign, by a weight of 2 kg that hangs from the ground:
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), linkwork::Error> {
    /// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    /// let weight = world.add_body("weight", Sphere { radius: 0.1, mass: 2.0 })?;
    /// let hook = world.join("hook", Ball, GROUND.at([0.0, 0.1, 0.0]), weight.at([0.0, 0.1, 0.0]))?;
    ///
    /// let mut simulator = Simulator::new();
    /// let solution = simulator.accelerations(&world, Method::Direct);
    /// let on_weight = world.reaction(hook, &solution.lambda, ReactionOptions::default())?;
    /// assert_eq!(on_weight.acts_on, "weight");
    /// assert!((on_weight.force[1] - 19.62).abs() < 1e-12);
    ///
    /// let options = ReactionOptions::default().on(0);
    /// let on_ground = world.reaction(hook, &solution.lambda, options)?;
    /// assert_eq!(on_ground.acts_on, "ground");
    /// assert!((on_ground.force[1] + 19.62).abs() < 1e-12);
    /// # Ok(()) }
    /// ```
    pub fn reaction(
        &self,
        constraint: ConstraintId,
        lambda: &[f64],
        options: ReactionOptions,
    ) -> Result<Reaction, Error> {
        let record = self.constraint_record(constraint)?;
        Error::require_length("lambda", lambda.len(), self.state().lambda.len())?;
        let connector = match options.on {
            Side::Last => record.connectors().len() - 1,
            Side::Connector(index) => checked_connector(record, "on", index)?,
        };
        let now = ConstraintNow::of(self, record)?;
        let rot_world_axes = self.reaction_axes(record, &now.values, options.expressed)?;
        let value = &now.values[connector];
        let held = &record.connectors()[connector];

        let generalized = if self.is_active(constraint)? {
            now.force_on(connector, &lambda[record.row_range()])
        } else {
            vec![0.0; value.x_dot.len()]
        };
        let (force, mut torque) = wrench(value, &generalized);
        let mut point_world = match place(value) {
            Some(point) => point,
            None => self.place_behind(held)?,
        };
        if let About::PointWorld(point) = options.about {
            torque = add(torque, cross(sub(point_world, point), force));
            point_world = point;
        }
        Ok(Reaction {
            constraint,
            constraint_label: record.label().to_owned(),
            connector,
            body: held.body(),
            acts_on: self.connector_label(held)?.to_owned(),
            force: mat_t_vec(&rot_world_axes, force),
            torque: mat_t_vec(&rot_world_axes, torque),
            point_world,
            generalized,
        })
    }

    /// What every body that can move gets of the force of a constraint, through all of its connectors, at the present
    /// state. Of a constraint on outputs of blocks, those are the bodies behind them.
    ///
    /// `lambda` as in [`World::reaction`]. Nothing acts if the constraint is not active.
    pub fn shares(&self, constraint: ConstraintId, lambda: &[f64]) -> Result<Vec<Share>, Error> {
        let record = self.constraint_record(constraint)?;
        Error::require_length("lambda", lambda.len(), self.state().lambda.len())?;
        let mut shares: Vec<Share> = Vec::new();
        if !self.is_active(constraint)? {
            return Ok(shares);
        }
        let now = ConstraintNow::of(self, record)?;
        for (at, connector) in record.connectors().iter().enumerate() {
            let force = now.force_on(at, &lambda[record.row_range()]);
            for side in self.connector_motion(connector)?.sides {
                let n_v = side.L.len() / force.len();
                let mut own = shares.iter().position(|own| own.body == side.body);
                if own.is_none() {
                    own = Some(shares.len());
                    shares.push(Share {
                        body: side.body,
                        body_label: self.body_label(side.body)?.to_owned(),
                        generalized: vec![0.0; n_v],
                    });
                }
                let Some(own) = own.map(|at| &mut shares[at]) else {
                    continue;
                };
                for (row, force) in side.L.chunks_exact(n_v).zip(&force) {
                    for (out, entry) in own.generalized.iter_mut().zip(row) {
                        *out += entry * force;
                    }
                }
            }
        }
        Ok(shares)
    }

    /// The force and torque a behavior exerts on its last connector, about that connector's point, world axes, and
    /// the power it puts into the bodies. A field, such as gravity, has a power only.
    pub fn action(&self, behavior: BehaviorId) -> Result<Action, Error> {
        let record = self.behavior_record(behavior)?;
        let mut action = Action::default();
        if !record.enabled() {
            return Ok(action);
        }
        let values = self.connector_values(record.connectors())?;
        let kinds = record.inputs();
        let mut room = vec![0.0; kinds.iter().map(|kind| kind.n_x_dot()).sum()];
        let mut forces = Forces::new(kinds, &mut room);
        forces.turns = self.counter(self.state().turns.joints.len() + record.angle0);
        let inputs = super::instant::inputs(&values);
        record.behavior().eval(self.state().t, &inputs, &mut forces);
        for (at, value) in values.iter().enumerate() {
            let force = forces.on(at);
            action.power += power_of(force, &value.x_dot);
            (action.force, action.torque) = wrench(value, force);
        }
        if record.behavior().acts_on_every_body() {
            for body in self.bodies().iter().filter(|body| body.enabled()) {
                let v = &self.state().v[body.v_range()];
                let mut force = vec![0.0; v.len()];
                let q = &self.state().q[body.q_range()];
                record.behavior().body_force(body.body(), q, v, &mut force);
                action.power += power_of(&force, v);
            }
        }
        Ok(action)
    }

    /// `rot_world_axes` of the axes a reaction is to be expressed in.
    fn reaction_axes(
        &self,
        record: &ConstraintRecord,
        values: &[ConnectorValue],
        expressed: Expressed,
    ) -> Result<Mat3, Error> {
        match expressed {
            Expressed::World => Ok(crate::math::IDENTITY3),
            Expressed::Body(body) => match self.pose(body)? {
                Some(pose) => Ok(quat_to_matrix(pose.rotation)),
                None => {
                    let body = self.body_label(body)?;
                    let problem = format!("is body \"{body}\", which has no frame; take another");
                    Err(invalid(record, "expressed", problem))
                }
            },
            Expressed::Connector(index) => {
                let value = &values[checked_connector(record, "expressed", index)?];
                axes(value).ok_or_else(|| {
                    let kind = value.kind;
                    let problem = format!(
                        "is connector {index}, a {kind}, which has no axes; take a frame, a body \
                         or the world"
                    );
                    invalid(record, "expressed", problem)
                })
            }
        }
    }

    /// The label of the body that a connector sits on, or of the block that it is an output of.
    fn connector_label(&self, connector: &Connector) -> Result<&str, Error> {
        match connector {
            Connector::Site { body, .. } => self.body_label(*body),
            Connector::Output { block, .. } => Ok(self.block_record(*block)?.label()),
        }
    }

    /// A place to show what acts nowhere in particular.
    fn place_behind(&self, connector: &Connector) -> Result<Vec3, Error> {
        let bodies = self.bodies_of(connector);
        // The ground comes first.
        let Some(&body) = bodies.last() else {
            return Ok([0.0; 3]);
        };
        if let Some(pose) = self.pose(body)? {
            return Ok(pose.position);
        }
        let record = self.body_record(body)?;
        Ok(record.body().center_of_mass(self.q(body)?).1)
    }
}

fn power_of(force: &[f64], rate: &[f64]) -> f64 {
    force
        .iter()
        .zip(rate)
        .map(|(force, rate)| force * rate)
        .sum()
}

/// Force and torque at a connector's point, world axes, from the force conjugate to its rate.
fn wrench(value: &ConnectorValue, g: &[f64]) -> (Vec3, Vec3) {
    const ZERO: Vec3 = [0.0; 3];
    match value.kind {
        ConnectorKind::Point3 => ([g[0], g[1], g[2]], ZERO),
        ConnectorKind::Frame3 => ([g[0], g[1], g[2]], [g[3], g[4], g[5]]),
        // g·(ω × d) = ω·(d × g).
        ConnectorKind::Direction3 => {
            let d = [value.x[0], value.x[1], value.x[2]];
            (ZERO, cross(d, [g[0], g[1], g[2]]))
        }
        ConnectorKind::Point2 => ([g[0], g[1], 0.0], ZERO),
        ConnectorKind::Frame2 => ([g[0], g[1], 0.0], [0.0, 0.0, g[2]]),
        ConnectorKind::Scalar | ConnectorKind::Vector(_) => (ZERO, ZERO),
    }
}

/// Where a connector is, if it is anywhere.
fn place(value: &ConnectorValue) -> Option<Vec3> {
    let x = &value.x;
    match value.kind {
        ConnectorKind::Point3 | ConnectorKind::Frame3 => Some([x[0], x[1], x[2]]),
        ConnectorKind::Point2 | ConnectorKind::Frame2 => Some([x[0], x[1], 0.0]),
        ConnectorKind::Direction3 | ConnectorKind::Scalar | ConnectorKind::Vector(_) => None,
    }
}

/// `rot_world_frame` of a frame.
fn axes(value: &ConnectorValue) -> Option<Mat3> {
    let x = &value.x;
    match value.kind {
        ConnectorKind::Frame3 => {
            Some([[x[3], x[4], x[5]], [x[6], x[7], x[8]], [x[9], x[10], x[11]]])
        }
        ConnectorKind::Frame2 => Some(rotation_exp([0.0, 0.0, x[2]])),
        _ => None,
    }
}

fn checked_connector(
    record: &ConstraintRecord,
    field: &'static str,
    index: usize,
) -> Result<usize, Error> {
    let last = record.connectors().len() - 1;
    if index <= last {
        return Ok(index);
    }
    let problem = format!("is connector {index}; give one of 0 to {last}");
    Err(invalid(record, field, problem))
}

fn invalid(record: &ConstraintRecord, field: &'static str, problem: String) -> Error {
    Error::field(field, problem).of(Item::Constraint, record.label())
}
