//! Where numbers come from: each source is evaluated once for a row, whatever is asked of it.

use std::f64::consts::TAU;

use linkwork::behavior::Thrust;
use linkwork::body::{Body, Momentum, PlanarBody};
use linkwork::connector::Connector;
use linkwork::constraint::RowUnit;
use linkwork::math::{Vec3, add, norm, scale};
use linkwork::output::Reaction;
use linkwork::prelude::*;
use linkwork::step::Rung;
use linkwork::world::{BodyRecord, ConstraintRecord, State};

use crate::catalogue::Driven;
use crate::catalogue::joint::motor::{self, Part};
use crate::formula::{self, fit_errors};
use crate::points::turn;
use crate::scene::Scene;

/// One evaluation. Bodies and joints are found by their names: they may be removed and come back.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) kind: Kind,
    /// What it is of.
    pub(super) of: String,
    /// Where it is, if it is of a place.
    pub(super) place: Option<Connector>,
    /// How many numbers it gives.
    pub(super) n: usize,
}

/// What is evaluated, and the numbers it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Time.
    Time,
    /// Total, kinetic, potential, elastic.
    Energy,
    /// Linear (3), angular (3).
    Momentum,
    /// Position (3).
    CenterOfMass,
    /// What the catalogue lists of a step.
    Step,
    /// Position (3), quaternion (4).
    Pose,
    /// Velocity (3), angular velocity (3), position of the center of mass (3), speed.
    Motion,
    /// Acceleration of the center of mass (3), angular acceleration (3).
    Acceleration,
    /// Angle, its rate.
    Turn,
    /// So many coordinates.
    Coordinates,
    /// So many velocities.
    Velocities,
    /// Force (3), torque (3), their magnitudes.
    Reaction,
    /// Force (3) and torque (3) on the first side.
    OnFirst,
    /// The same on the second of three sides.
    OnMiddle,
    /// Torque (3) about a point, or about the origin.
    About,
    /// Power of a joint.
    Power,
    /// Torque or force of the motor of a joint, its power.
    Motor,
    /// Of hard rows in meters, in radians.
    Errors,
    /// So many multipliers.
    Multipliers,
    /// So many angles over full turns, then their rates.
    Angles,
    /// An angle, its rate.
    Angle,
    /// The angle about the second of two axes, its rate.
    AngleB,
    /// Where b is in the plane of a, along y and z of its frame; their rates.
    InPlane,
    /// A position along an axis, its rate.
    Length,
    /// How far two points are apart, and its rate.
    Distance,
    /// The angle between the bodies of a joint.
    JointTurn,
    /// Force (3), torque (3), their magnitudes, power of a behavior.
    Action,
    /// Force (3) of all that touches a body, its magnitude, how many points.
    Contact,
    /// The same of one body on another.
    Between,
    /// How many bodies are in the sensors of a body.
    Sensor,
    /// Output (3), its rate (3).
    Output,
    /// What an objective makes small, its slope.
    Objective,
    /// What a formula that was typed comes to.
    Typed,
    /// How far a fit is from its table: root of the mean square, largest.
    Fit,
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

impl Kind {
    /// How many numbers it gives, if that is always the same.
    pub(super) fn len(self) -> Option<usize> {
        Some(match self {
            Self::Time | Self::Power | Self::Sensor | Self::Typed | Self::JointTurn => 1,
            Self::Turn | Self::Errors | Self::Motor => 2,
            Self::Angle | Self::AngleB | Self::Length | Self::Distance => 2,
            Self::Objective | Self::Fit => 2,
            Self::CenterOfMass | Self::About => 3,
            Self::Energy | Self::InPlane => 4,
            Self::Contact | Self::Between => 5,
            Self::Momentum | Self::Output | Self::Acceleration => 6,
            Self::OnFirst | Self::OnMiddle => 6,
            Self::Pose => 7,
            Self::Reaction => 8,
            Self::Action => 9,
            Self::Motion => 11,
            Self::Step => 12 + Rung::ALL.len(),
            Self::Angles | Self::Coordinates | Self::Velocities | Self::Multipliers => return None,
        })
    }

    /// Whether it needs multipliers.
    pub(super) fn needs_lambda(self) -> bool {
        matches!(
            self,
            Self::Reaction
                | Self::Multipliers
                | Self::OnFirst
                | Self::OnMiddle
                | Self::About
                | Self::Power
                | Self::Motor
        )
    }

    /// Whether it depends on forces.
    pub(super) fn needs_forces(self) -> bool {
        let is_contact = matches!(self, Self::Contact | Self::Between);
        is_contact || self.needs_lambda() || self.needs_motion()
    }

    /// Whether it needs accelerations.
    pub(super) fn needs_motion(self) -> bool {
        self == Self::Acceleration
    }
}

impl Source {
    /// Writes its numbers; what is not there is not a number. True if the first is an angle whose full turns nobody
    /// counts.
    pub(super) fn evaluate(&self, moment: Moment<'_>, out: &mut [f64]) -> bool {
        out.fill(f64::NAN);
        // A body or joint that was removed leaves what was filled in above.
        self.evaluate_if_there(moment, out).unwrap_or(false)
    }

    /// The joint whose angle it is.
    pub(super) fn angle_of(&self, world: &World) -> Option<ConstraintId> {
        match self.kind {
            Kind::Angle => world.find_constraint(&self.of),
            _ => None,
        }
    }

    fn evaluate_if_there(&self, moment: Moment<'_>, out: &mut [f64]) -> Option<bool> {
        let world = &moment.scene.world;
        let state = world.state();
        let body = || world.body_record(world.find_body(&self.of)?).ok();
        let joint = || {
            world
                .constraint_record(world.find_constraint(&self.of)?)
                .ok()
        };
        let mut wraps = false;
        match self.kind {
            Kind::Time => out[0] = state.t,
            Kind::Energy => {
                let energy = world.energy().ok()?;
                out.copy_from_slice(&[
                    energy.total(),
                    energy.kinetic,
                    energy.potential,
                    energy.elastic,
                ]);
            }
            Kind::Momentum => {
                let Momentum { linear, angular } = world.momentum();
                two(out, linear, angular);
            }
            Kind::CenterOfMass => out.copy_from_slice(&world.center_of_mass()?.1),
            Kind::Step => out.copy_from_slice(&step(world, moment.report)?),
            Kind::Pose => {
                let record = body()?;
                let q = &state.q[record.q_range()];
                let pose = record.body().pose(state.t, q);
                // What has no frame is where its mass is.
                let position =
                    pose.map_or_else(|| record.body().center_of_mass(q).1, |p| p.position);
                out[..3].copy_from_slice(&position);
                out[3..].copy_from_slice(&pose?.rotation);
            }
            Kind::Motion => {
                body_motion(world, body()?, &mut out[..9])?;
                out[9] = norm([out[0], out[1], out[2]]);
                out[10] = norm([out[3], out[4], out[5]]);
            }
            Kind::Acceleration => acceleration(state, body()?, moment.motion, out)?,
            Kind::Turn => {
                let frame = body()?.id().frame2([0.0; 2], 0.0);
                let value = world.connector_value(&frame).ok()?;
                out.copy_from_slice(&[value.x[2], value.x_dot[2]]);
            }
            Kind::Coordinates => copy(out, &state.q[body()?.q_range()]),
            Kind::Velocities => copy(out, &state.v[body()?.v_range()]),
            Kind::Reaction | Kind::OnFirst | Kind::OnMiddle | Kind::About => {
                let mut options = ReactionOptions::default();
                if self.kind == Kind::OnFirst {
                    options = options.on(0);
                }
                if self.kind == Kind::OnMiddle {
                    options = options.on(1);
                }
                if self.kind == Kind::About {
                    let point = self.place.map(|place| world.position_world(&place));
                    options = options.about(point.unwrap_or(Ok([0.0; 3])).ok()?);
                }
                let reaction = world.reaction(joint()?.id(), moment.lambda, options);
                let Reaction { force, torque, .. } = reaction.ok()?;
                if self.kind == Kind::About {
                    out.copy_from_slice(&torque);
                } else {
                    two(out, force, torque);
                }
            }
            Kind::Power => out[0] = power(moment, joint()?)?,
            Kind::Motor => match motor::of(world, joint()?)? {
                Part::Drive(id) => {
                    let record = world.constraint_record(id).ok()?;
                    let is_active = world.is_active(id).ok()?;
                    let torque = moment.lambda.get(record.row_range().start)?;
                    let torque = if is_active { *torque } else { 0.0 };
                    out.copy_from_slice(&[torque, power(moment, record)?]);
                }
                Part::Torque(id) => {
                    let record = world.behavior_record(id).ok()?;
                    let law: &dyn std::any::Any = record.behavior();
                    let torque = law.downcast_ref::<Motor>().map(|own| own.torque);
                    let force = || law.downcast_ref::<Thrust>().map(|own| own.force);
                    let torque = torque.or_else(force)?;
                    let torque = if record.enabled() { torque } else { 0.0 };
                    out.copy_from_slice(&[torque, world.action(id).ok()?.power]);
                }
            },
            Kind::Angle | Kind::Length => {
                let which = match self.kind {
                    Kind::Angle => Driven::Angle,
                    _ => Driven::Length,
                };
                let (value, is_counted) = motor::coordinate(world, joint()?, which).ok()?;
                out.copy_from_slice(&value);
                wraps = !is_counted;
                if wraps && let Some(turns) = motor::full_turns(world, joint()?, value[0]) {
                    out[0] += TAU * turns;
                    wraps = false;
                }
            }
            Kind::AngleB => out.copy_from_slice(&motor::angle_b(world, joint()?).ok()?),
            Kind::InPlane => out.copy_from_slice(&motor::in_plane_of(world, joint()?).ok()?),
            Kind::JointTurn => out[0] = turn(world, joint()?)?,
            Kind::Distance => {
                let law = Distance { length: 0.0 };
                out.copy_from_slice(&world.row_of(&law, joint()?.connectors()).ok()?);
            }
            Kind::Action => {
                let action = world.action(world.find_behavior(&self.of)?).ok()?;
                two(out, action.force, action.torque);
                out[8] = action.power;
            }
            Kind::Errors => {
                let record = joint()?;
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
            Kind::Multipliers => copy(out, moment.lambda.get(joint()?.row_range())?),
            Kind::Angles => {
                let (angles, n) = (world.joint_angles(joint()?.id()).ok()?, out.len() / 2);
                for (k, [angle, rate]) in angles.into_iter().take(n).enumerate() {
                    (out[k], out[n + k]) = (angle, rate);
                }
            }
            Kind::Contact | Kind::Between => contact(world, &self.of, out)?,
            Kind::Sensor => out[0] = world.sensed_by(body()?.id()).ok()?.len() as f64,
            Kind::Objective => {
                let id = joint()?.id();
                let all = world.objectives().ok()?;
                let own = all.iter().find(|own| own.constraint == id)?;
                out.copy_from_slice(&[own.value, own.slope]);
            }
            Kind::Typed => out[0] = formula::number(moment.scene, &self.of).ok()?,
            Kind::Fit => {
                let errors = fit_errors(world, joint()?)?;
                let largest = errors.largest().map_or(0.0, |own| own.error);
                out.copy_from_slice(&[errors.rms(), largest]);
            }
            Kind::Output => {
                let value = world.connector_value(&self.place?).ok()?;
                let n = value.kind.n_position().max(1);
                copy(&mut out[..3], &value.x[..n]);
                copy(&mut out[3..], &value.x_dot[..n]);
            }
        }
        Some(wraps)
    }
}

/// Two vectors and, where there is room, their magnitudes.
fn two(out: &mut [f64], first: Vec3, second: Vec3) {
    out[..3].copy_from_slice(&first);
    out[3..6].copy_from_slice(&second);
    copy(&mut out[6..], &[norm(first), norm(second)]);
}

/// What a joint puts into its bodies, `Σ g·ẋ` over its connectors.
fn power(moment: Moment<'_>, record: &ConstraintRecord) -> Option<f64> {
    let world = &moment.scene.world;
    let mut power = 0.0;
    for (at, connector) in record.connectors().iter().enumerate() {
        let options = ReactionOptions::default().on(at);
        let reaction = world.reaction(record.id(), moment.lambda, options).ok()?;
        let rate = world.connector_value(connector).ok()?.x_dot;
        let pairs = reaction.generalized.iter().zip(&rate);
        power += pairs.map(|(force, rate)| force * rate).sum::<f64>();
    }
    Some(power)
}

/// The force of what touches a body, or of the first of two bodies on the second; their names are lines.
fn contact(world: &World, of: &str, out: &mut [f64]) -> Option<()> {
    let find = |name: &str| match name {
        "ground" => Some(GROUND),
        _ => world.find_body(name),
    };
    let (by, on) = match of.split_once('\n') {
        Some((by, on)) => (Some(find(by)?), find(on)?),
        None => (None, find(of)?),
    };
    let mut force = [0.0; 3];
    let mut points = 0.0;
    for touching in &world.state().touching {
        let Some([first, second]) = world.touching_bodies(touching) else {
            continue;
        };
        for (own, other, sign) in [(second, first, 1.0), (first, second, -1.0)] {
            if own == on && by.is_none_or(|by| by == other) {
                force = add(force, scale(sign, touching.force_world));
                points += 1.0;
            }
        }
    }
    out[..3].copy_from_slice(&force);
    (out[3], out[4]) = (norm(force), points);
    Some(())
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
    let mut counts = [0; 7];
    let mut bounds = [0.0; 2];
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
            report.blows,
        ];
        bounds = [report.law_error, report.overrun];
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
            .chain(bounds)
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
