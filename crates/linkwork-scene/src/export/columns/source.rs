//! Where numbers come from: each source is evaluated once for a row, whatever is asked of it.

use linkwork::body::{Body, Momentum, PlanarBody};
use linkwork::connector::Connector;
use linkwork::constraint::RowUnit;
use linkwork::math::{Vec3, norm, scale};
use linkwork::output::Reaction;
use linkwork::prelude::*;
use linkwork::step::Rung;
use linkwork::world::{BodyRecord, State};

use crate::catalogue::Driven;
use crate::catalogue::joint::motor::{self, Part};
use crate::scene::Scene;

/// One evaluation, and the numbers it gives. Bodies and joints are found by their names: they may be removed
/// and come back.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Time.
    Time,
    /// Total, kinetic, potential, elastic.
    Energy,
    /// Linear (3), angular (3).
    Momentum,
    /// Position (3).
    CenterOfMass,
    /// What [`Source::step`] lists.
    Step,
    /// Position (3), quaternion (4).
    Pose(String),
    /// Velocity (3), angular velocity (3), position of the center of mass (3), speed.
    Motion(String),
    /// Acceleration of the center of mass (3), angular acceleration (3).
    Acceleration(String),
    /// Angle, its rate.
    Turn(String),
    /// So many coordinates.
    Coordinates(String, usize),
    /// So many velocities.
    Velocities(String, usize),
    /// Force (3), torque (3), their magnitudes.
    Reaction(String),
    /// Force (3) and torque (3) on the first side.
    OnFirst(String),
    /// Torque (3) about a point, or about the origin.
    About(String, Option<Connector>),
    /// Power of a joint.
    Power(String),
    /// Torque or force of the motor of a joint, its power.
    Motor(String),
    /// Of hard rows in meters, in radians.
    Errors(String),
    /// So many multipliers.
    Multipliers(String, usize),
    /// So many angles over full turns, then their rates.
    Angles(String, usize),
    /// An angle, its rate.
    Angle(String),
    /// A position along an axis, its rate.
    Length(String),
    /// How far two points are apart, and its rate.
    Distance(String),
    /// Force (3), torque (3), their magnitudes, power of a behavior.
    Action(String),
    /// Output (3), its rate (3).
    Output(Connector),
}

/// What a row is taken from.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) scene: &'a Scene,
    pub(super) report: Option<&'a StepReport>,
    /// Multipliers of all constraints.
    pub(super) lambda: &'a [f64],
    /// Accelerations of all bodies, if any source needs them.
    pub(super) motion: &'a [f64],
}

impl Source {
    /// How many numbers it gives.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Time => 1,
            Self::Energy => 4,
            Self::Momentum | Self::Output(_) | Self::Acceleration(_) | Self::OnFirst(_) => 6,
            Self::CenterOfMass | Self::About(..) => 3,
            Self::Step => 9 + Rung::ALL.len(),
            Self::Pose(_) => 7,
            Self::Motion(_) => 10,
            Self::Turn(_) | Self::Errors(_) | Self::Motor(_) => 2,
            Self::Angle(_) | Self::Length(_) | Self::Distance(_) => 2,
            Self::Reaction(_) => 8,
            Self::Action(_) => 9,
            Self::Power(_) => 1,
            Self::Angles(_, n) => 2 * *n,
            Self::Coordinates(_, n) | Self::Velocities(_, n) | Self::Multipliers(_, n) => *n,
        }
    }

    /// Whether it needs multipliers.
    pub(super) fn needs_lambda(&self) -> bool {
        matches!(
            self,
            Self::Reaction(_)
                | Self::Multipliers(..)
                | Self::OnFirst(_)
                | Self::About(..)
                | Self::Power(_)
                | Self::Motor(_)
        )
    }

    /// Whether it needs accelerations.
    pub(super) fn needs_motion(&self) -> bool {
        matches!(self, Self::Acceleration(_))
    }

    /// Whether its first number is an angle whose full turns nobody counts.
    pub(super) fn wraps(&self, scene: &Scene) -> bool {
        let Self::Angle(joint) = self else {
            return false;
        };
        let id = scene.world.find_constraint(joint);
        let record = id.and_then(|id| scene.world.constraint_record(id).ok());
        record.is_some_and(|record| {
            motor::coordinate(&scene.world, record, Driven::Angle)
                .is_ok_and(|(_, counted)| !counted)
        })
    }

    /// Writes its numbers; what is not there is not a number.
    pub(super) fn evaluate(&self, moment: Moment<'_>, out: &mut [f64]) {
        out.fill(f64::NAN);
        // A body or joint that was removed leaves what was filled in above.
        let _ = self.evaluate_if_there(moment, out);
    }

    fn evaluate_if_there(&self, moment: Moment<'_>, out: &mut [f64]) -> Option<()> {
        let world = &moment.scene.world;
        let state = world.state();
        let of_body = |name: &str| world.body_record(world.find_body(name)?).ok();
        let of_joint = |name: &str| world.constraint_record(world.find_constraint(name)?).ok();
        match self {
            Self::Time => out[0] = state.t,
            Self::Energy => {
                let energy = world.energy().ok()?;
                out.copy_from_slice(&[
                    energy.total(),
                    energy.kinetic,
                    energy.potential,
                    energy.elastic,
                ]);
            }
            Self::Momentum => {
                let Momentum { linear, angular } = world.momentum();
                out[..3].copy_from_slice(&linear);
                out[3..].copy_from_slice(&angular);
            }
            Self::CenterOfMass => out.copy_from_slice(&world.center_of_mass()?.1),
            Self::Step => out.copy_from_slice(&step(world, moment.report)?),
            Self::Pose(body) => {
                let record = of_body(body)?;
                let q = &state.q[record.q_range()];
                let pose = record.body().pose(state.t, q);
                // What has no frame is where its mass is.
                let position =
                    pose.map_or_else(|| record.body().center_of_mass(q).1, |p| p.position);
                out[..3].copy_from_slice(&position);
                out[3..].copy_from_slice(&pose?.rotation);
            }
            Self::Motion(body) => {
                body_motion(world, of_body(body)?, &mut out[..9])?;
                out[9] = norm([out[0], out[1], out[2]]);
            }
            Self::Acceleration(body) => acceleration(state, of_body(body)?, moment.motion, out)?,
            Self::Turn(body) => {
                let frame = of_body(body)?.id().frame2([0.0; 2], 0.0);
                let value = world.connector_value(&frame).ok()?;
                out.copy_from_slice(&[value.x[2], value.x_dot[2]]);
            }
            Self::Coordinates(body, _) => copy(out, &state.q[of_body(body)?.q_range()]),
            Self::Velocities(body, _) => copy(out, &state.v[of_body(body)?.v_range()]),
            Self::Reaction(joint) => {
                let id = of_joint(joint)?.id();
                let options = ReactionOptions::default();
                let reaction = world.reaction(id, moment.lambda, options).ok()?;
                let Reaction { force, torque, .. } = reaction;
                out[..3].copy_from_slice(&force);
                out[3..6].copy_from_slice(&torque);
                out[6..].copy_from_slice(&[norm(force), norm(torque)]);
            }
            Self::OnFirst(joint) => {
                let (id, options) = (of_joint(joint)?.id(), ReactionOptions::default().on(0));
                let reaction = world.reaction(id, moment.lambda, options).ok()?;
                out[..3].copy_from_slice(&reaction.force);
                out[3..].copy_from_slice(&reaction.torque);
            }
            Self::About(joint, point) => {
                let point = match point {
                    Some(connector) => world.position_world(connector).ok()?,
                    None => [0.0; 3],
                };
                let (id, options) = (
                    of_joint(joint)?.id(),
                    ReactionOptions::default().about(point),
                );
                let reaction = world.reaction(id, moment.lambda, options).ok()?;
                out.copy_from_slice(&reaction.torque);
            }
            Self::Power(joint) => {
                let id = of_joint(joint)?.id();
                out[0] = world.constraint_power(id, moment.lambda).ok()?;
            }
            Self::Motor(joint) => match motor::of(world, of_joint(joint)?)? {
                Part::Drive(id) => {
                    let row = world.constraint_record(id).ok()?.row_range().start;
                    let torque = if world.is_active(id).ok()? {
                        moment.lambda[row]
                    } else {
                        0.0
                    };
                    let power = world.constraint_power(id, moment.lambda).ok()?;
                    out.copy_from_slice(&[torque, power]);
                }
                Part::Torque(id) => {
                    let record = world.behavior_record(id).ok()?;
                    let law: &dyn std::any::Any = record.behavior();
                    let torque = law.downcast_ref::<Motor>()?.torque;
                    let torque = if record.enabled() { torque } else { 0.0 };
                    out.copy_from_slice(&[torque, world.action(id).ok()?.power]);
                }
            },
            Self::Angle(joint) => {
                let record = of_joint(joint)?;
                let (value, _) = motor::coordinate(world, record, Driven::Angle).ok()?;
                out.copy_from_slice(&value);
            }
            Self::Length(joint) => {
                let record = of_joint(joint)?;
                let (value, _) = motor::coordinate(world, record, Driven::Length).ok()?;
                out.copy_from_slice(&value);
            }
            Self::Distance(joint) => {
                let record = of_joint(joint)?;
                let law = Distance { length: 0.0 };
                out.copy_from_slice(&world.row_of(&law, record.connectors()).ok()?);
            }
            Self::Action(behavior) => {
                let action = world.action(world.find_behavior(behavior)?).ok()?;
                out[..3].copy_from_slice(&action.force);
                out[3..6].copy_from_slice(&action.torque);
                out[6..].copy_from_slice(&[norm(action.force), norm(action.torque), action.power]);
            }
            Self::Errors(joint) => {
                let record = of_joint(joint)?;
                let (c, _) = world.constraint_values(record.id()).ok()?;
                let (mut position, mut angle) = (0.0f64, 0.0f64);
                let rows = record.rows().iter().zip(record.compliance());
                for (c, (unit, _)) in c.iter().zip(rows).filter(|(_, (_, soft))| **soft == 0.0) {
                    match unit {
                        RowUnit::Meter => position = position.max(c.abs()),
                        RowUnit::Radian => angle = angle.max(c.abs()),
                        _ => {}
                    }
                }
                out.copy_from_slice(&[position, angle]);
            }
            Self::Multipliers(joint, _) => {
                copy(out, moment.lambda.get(of_joint(joint)?.row_range())?);
            }
            Self::Angles(joint, n) => {
                let angles = world.joint_angles(of_joint(joint)?.id()).ok()?;
                for (k, [angle, rate]) in angles.into_iter().take(*n).enumerate() {
                    (out[k], out[n + k]) = (angle, rate);
                }
            }
            Self::Output(connector) => {
                let value = world.connector_value(connector).ok()?;
                let n = value.kind.n_position().max(1);
                copy(&mut out[..3], &value.x[..n]);
                copy(&mut out[3..], &value.x_dot[..n]);
            }
        }
        Some(())
    }
}

/// As much as there is room for.
fn copy(out: &mut [f64], from: &[f64]) {
    for (out, from) in out.iter_mut().zip(from) {
        *out = *from;
    }
}

/// What the catalogue lists of a step, then the counts of its rungs.
///
/// Without a report no step has been taken: it cost nothing, and the errors are those of the state.
fn step(world: &World, report: Option<&StepReport>) -> Option<Vec<f64>> {
    let mut errors = [0.0f64; 3];
    let mut counts = [0; 6];
    let mut rungs = [0; Rung::ALL.len()];
    if let Some(report) = report {
        errors = [report.position_error, report.angle_error, report.rate_error];
        counts = [
            report.effort.iterations,
            report.substeps,
            report.refused,
            report.last_resorts(),
            report.effort.factors,
            report.effort.solves,
        ];
        for (rung, _, n) in report.rungs.iter() {
            rungs[rung as usize] += n;
        }
    } else {
        for error in world.constraint_errors().ok()? {
            if error.priority == 0 {
                let own = [error.position, error.angle, error.position_rate];
                errors = [0, 1, 2].map(|k| errors[k].max(own[k]));
            }
        }
    }
    let count = |n: &usize| *n as f64;
    let counts = counts.iter().map(count);
    Some(
        counts
            .chain(errors)
            .chain(rungs.iter().map(count))
            .collect(),
    )
}

/// Velocity of the center of mass, angular velocity, center of mass.
fn body_motion(world: &World, record: &BodyRecord, out: &mut [f64]) -> Option<()> {
    let state = world.state();
    let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
    let body = record.body();
    let (mass, center) = body.center_of_mass(q);
    if body.as_rigid().is_some() {
        out[..6].copy_from_slice(v);
        out[6..].copy_from_slice(&center);
        return Some(());
    }
    let frame = world.connector_value(&record.id().frame_at([0.0; 3])).ok();
    if let Some(value) = &frame {
        out[..6].copy_from_slice(&value.x_dot);
        out[6..].copy_from_slice(&value.x[..3]);
    } else if let Ok(value) = world.connector_value(&record.id().frame2([0.0; 2], 0.0)) {
        out[3..6].copy_from_slice(&[0.0, 0.0, value.x_dot[2]]);
    }
    if mass > 0.0 {
        out[..3].copy_from_slice(&velocity(body, mass, q, v));
        out[6..].copy_from_slice(&center);
    }
    Some(())
}

/// Of the center of mass, then the angular one. What has no momentum of its own has none.
fn acceleration(state: &State, record: &BodyRecord, motion: &[f64], out: &mut [f64]) -> Option<()> {
    let (q, a) = (&state.q[record.q_range()], motion.get(record.v_range())?);
    let body = record.body();
    let (mass, _) = body.center_of_mass(q);
    if a.is_empty() || mass <= 0.0 {
        return None;
    }
    let any: &dyn std::any::Any = body;
    if body.as_rigid().is_some() {
        out[3..].copy_from_slice(&a[3..6]);
    } else if any.is::<PlanarBody>() {
        out[3..].copy_from_slice(&[0.0, 0.0, a[2]]);
    }
    let linear = match body.as_rigid() {
        Some(_) => [a[0], a[1], a[2]],
        None => velocity(body, mass, q, a),
    };
    out[..3].copy_from_slice(&linear);
    Some(())
}

/// Of the center of mass: its own numbers where the body keeps them, else `p/m`.
fn velocity(body: &dyn Body, mass: f64, q: &[f64], v: &[f64]) -> Vec3 {
    let any: &dyn std::any::Any = body;
    if any.is::<PlanarBody>() {
        [v[0], v[1], 0.0]
    } else if any.is::<Particle>() {
        [v[0], v[1], v[2]]
    } else {
        scale(1.0 / mass, body.momentum(q, v).linear)
    }
}
