//! The motor of a joint: what a file says of it, and what it is in the engine.
//!
//! A speed or a position is a drive beside the joint, called "NAME drive": a row whose multiplier is the torque. With a
//! largest torque it is a servo of the same name. A
//! torque or a force is a behavior, called "NAME motor". Either acts between the joint's own frames, and that is how it
//! is told from a drive that stands for itself (`docs/adr/0026-motors-of-joints.md`).

use std::f64::consts::TAU;

use linkwork::behavior::Thrust;
use linkwork::constraint::Constant;
use linkwork::world::BehaviorRecord;

use super::bounded::{ServoParts, USUAL_GAIN};
use super::pair::{beside, turn_to_b};
use super::*;
use crate::catalogue::behavior;
use crate::catalogue::function::{self, FunctionType};
use crate::describe::same;
use crate::read::record::given_beside;

/// What the motor of a joint is in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A speed or a position.
    Drive(ConstraintId),
    /// A torque or a force.
    Torque(BehaviorId),
}

/// What it is to be.
pub(crate) enum Made {
    /// A law, and the angle of frame b in the plane; of older files none.
    Drive(Arc<dyn Constraint>, Option<f64>),
    Torque(Arc<dyn Behavior>),
}

/// What the drive of a joint is called.
pub(crate) fn drive_name(joint: &str) -> String {
    format!("{joint} drive")
}

/// What the torque of a joint is called.
pub(crate) fn torque_name(joint: &str) -> String {
    format!("{joint} motor")
}

/// The motor of a joint.
pub(crate) fn of(world: &World, joint: &ConstraintRecord) -> Option<Part> {
    let name = joint.label();
    if let Some(id) = world.find_constraint(&drive_name(name)) {
        let record = world.constraint_record(id).ok()?;
        return is_drive(joint, record).then_some(Part::Drive(id));
    }
    // The lab once called it so.
    let former = || world.find_behavior(&format!("motor of {name}"));
    let id = world.find_behavior(&torque_name(name)).or_else(former)?;
    let record = world.behavior_record(id).ok()?;
    is_torque(joint, record).then_some(Part::Torque(id))
}

/// The joint whose motor a drive is.
pub(crate) fn driven(world: &World, drive: &ConstraintRecord) -> Option<ConstraintId> {
    let id = world.find_constraint(drive.label().strip_suffix(" drive")?)?;
    let motor = of(world, world.constraint_record(id).ok()?);
    (motor == Some(Part::Drive(drive.id()))).then_some(id)
}

/// The joint whose motor a behavior is.
pub(crate) fn turned(world: &World, torque: &BehaviorRecord) -> Option<ConstraintId> {
    let label = torque.label();
    let joint = label.strip_suffix(" motor");
    let id = world.find_constraint(joint.or_else(|| label.strip_prefix("motor of "))?)?;
    let motor = of(world, world.constraint_record(id).ok()?);
    (motor == Some(Part::Torque(torque.id()))).then_some(id)
}

/// Whether a drive acts along the coordinate of a joint, and says no more than a motor can.
fn is_drive(joint: &ConstraintRecord, record: &ConstraintRecord) -> bool {
    let kind = describe(joint).and_then(|entry| entry.kind.drive);
    let (Some(kind), Some(drive)) = (kind, describe(record)) else {
        return false;
    };
    let own = drive.held(Vec::new(), record);
    let is_plain = own.fields.len() == 1 + usize::from(!record.enabled());
    let is_servo = own.word() == kind.servo_kind && servo_fields(kind, &own.fields).is_some();
    (own.word() == kind.kind && is_plain || is_servo)
        && joint.id() < record.id()
        && acts_with(joint, record.enabled())
        && zero_of(joint, record.inputs(), record.connectors()).is_some()
}

/// Whether a torque acts about the axis of a joint, or a force along it.
fn is_torque(joint: &ConstraintRecord, record: &BehaviorRecord) -> bool {
    let law: &dyn Any = record.behavior();
    let suits = |kind: &JointType| match kind.turns() {
        true => law.is::<Motor>(),
        false => kind.drive.is_some() && law.is::<Thrust>(),
    };
    describe(joint).is_some_and(|entry| suits(entry.kind))
        && acts_with(joint, record.enabled())
        && zero_of(joint, record.inputs(), record.connectors()).is_some()
}

/// What acts while its joint does not is no part of it.
fn acts_with(joint: &ConstraintRecord, enabled: bool) -> bool {
    joint.enabled() || !enabled
}

/// The frames between which a motor of a joint acts. In the plane they are parallel to their bodies, but for that of b,
/// which is turned by `zero`.
fn frames(joint: &ConstraintRecord, takes: &[ConnectorKind], zero: f64) -> Vec<Connector> {
    let mut connectors = joint.connectors().to_vec();
    // What pushes in place of the joint comes after.
    connectors.truncate(takes.len());
    for (at, connector) in connectors.iter_mut().enumerate() {
        if let (Some((body, Site::Point2(origin))), ConnectorKind::Frame2) =
            (connector.place(), takes[at])
        {
            let angle = if at == 1 { zero } else { 0.0 };
            *connector = body.frame2(origin, angle);
        }
    }
    fit(&mut connectors, takes);
    connectors
}

/// The angle of frame b, if these are the frames of a motor.
fn zero_of(
    joint: &ConstraintRecord,
    takes: &[ConnectorKind],
    connectors: &[Connector],
) -> Option<f64> {
    let zero = match (takes.get(1), connectors.get(1)?.site()) {
        (Some(ConnectorKind::Frame2), Some(&Site::Frame2 { angle, .. })) => angle,
        _ => 0.0,
    };
    let sides = frames(joint, takes, zero);
    let mut pairs = sides.iter().zip(connectors);
    let same = sides.len() == connectors.len() && pairs.all(|(own, other)| same(own, other));
    same.then_some(zero)
}

/// What a file says of the motor of a joint; `after` where it does not come by itself.
pub(crate) fn fields(
    world: &World,
    joint: &ConstraintRecord,
    part: Part,
    after: Option<&str>,
) -> Result<Fields, Fault> {
    let (fields, enabled) = match part {
        Part::Drive(id) => {
            let record = world.constraint_record(id)?;
            let drive = describe(record).map(|entry| entry.fields);
            let kind = describe(joint).and_then(|entry| entry.kind.drive);
            let servo = drive.as_ref().zip(kind);
            let servo = servo.and_then(|(own, kind)| servo_fields(kind, own));
            let function = drive
                .as_ref()
                .and_then(|own| own.entry::<FunctionType>(&FUNCTION));
            let fields = match function {
                Some((kind, own)) if kind.kind().word == "ramp" => {
                    let number = |name| own.value(name).cloned().unwrap_or(Value::Number(0.0));
                    let speed = Fields::default().with(&SPEED, number("rate"));
                    speed.with(&START_AT, number("start"))
                }
                Some((kind, own)) => Fields::default().with(&LED, (kind, own.clone())),
                None => servo.unwrap_or_default(),
            };
            let zero = zero_of(joint, record.inputs(), record.connectors());
            let fields = fields.unless(&ZERO, zero.unwrap_or(0.0), 0.0);
            (fields, record.enabled())
        }
        Part::Torque(id) => {
            let record = world.behavior_record(id)?;
            let entry = behavior::describe(record);
            let said = |field: &Field| entry.as_ref()?.fields.value(field.name).cloned();
            let fields = Fields::default().with_some(&MOTOR_TORQUE, said(&MOTOR_TORQUE));
            let fields = fields.with_some(&MOTOR_FORCE, said(&MOTOR_FORCE));
            (fields, record.enabled())
        }
    };
    let fields = fields.with_some(&AFTER, after);
    Ok(fields.unless(&ENABLED, enabled || !joint.enabled(), true))
}

/// An entry without its motor, and what it says of it.
pub(crate) fn apart(entry: &Entry<JointType>) -> (Entry<JointType>, Option<Fields>) {
    let mut entry = entry.clone();
    let said = [&MOTOR, &DRIVE].map(|field| Some((field, entry.fields.take(field)?)));
    let mut motor = None;
    for (field, value) in said.into_iter().flatten() {
        motor = Some(motor.unwrap_or_else(Fields::default).with(field, value));
    }
    (entry, motor)
}

/// Where a motor that was saved comes among what is like it.
pub(crate) fn after(said: &Fields) -> Option<&str> {
    inside(said)?.get(&AFTER).ok()?
}

/// Whether a motor is a torque or a force.
pub(crate) fn is_of_torque(said: &Fields) -> bool {
    inside(said).is_some_and(|motor| motor.has(&MOTOR_TORQUE) || motor.has(&MOTOR_FORCE))
}

fn inside(said: &Fields) -> Option<&Fields> {
    said.get(&MOTOR).ok()?
}

/// What an entry says of the motor of a joint, at this time.
pub(crate) fn make(
    world: &World,
    id: ConstraintId,
    said: &Fields,
    now: f64,
) -> Result<(Made, bool), Fault> {
    let kind = describe(world.constraint_record(id)?).map(|entry| entry.kind);
    let Some((kind, drive)) = kind.and_then(|kind| Some((kind, kind.drive?))) else {
        return Err(Fault::at("motor", "has nothing to turn"));
    };
    if said.has(&DRIVE) {
        if said.has(&MOTOR) {
            return Err(Fault::at("drive", given_beside("motor")));
        }
        return Ok((
            Made::Drive((drive.law)(function::make(said, &DRIVE)?), None),
            true,
        ));
    }
    let motor: &Fields = said.need(&MOTOR)?;
    let made = make_of(world, id, (kind, drive), motor, now).under(MOTOR.name)?;
    Ok((made, motor.or(&ENABLED, true).under(MOTOR.name)?))
}

fn make_of(
    world: &World,
    id: ConstraintId,
    (kind, drive): (&JointType, Drive),
    motor: &Fields,
    now: f64,
) -> Result<Made, Fault> {
    let said = [&SPEED, &LED, &MOTOR_TORQUE, &MOTOR_FORCE]
        .into_iter()
        .filter(|field| motor.has(field));
    let said: Vec<&Field> = said.collect();
    let (own, other) = match kind.turns() {
        true => (&MOTOR_TORQUE, &MOTOR_FORCE),
        false => (&MOTOR_FORCE, &MOTOR_TORQUE),
    };
    let hint = format!("give \"speed\", \"position\" or \"{}\"", own.name);
    match said.as_slice() {
        [] => return Err(Fault::at("", "says nothing").hint(hint)),
        [_] => {}
        [_, second, ..] => {
            let problem = format!("is given beside \"{}\"", said[0].name);
            return Err(Fault::at(second.name, problem).hint("give one of them"));
        }
    }
    if motor.has(&GAIN) && !(motor.has(&LED) && motor.has(&drive.most.0)) {
        let problem = "belongs to a position with bounds";
        let hint = format!("give \"{}\" too, or leave it out", drive.most.0.name);
        return Err(Fault::at("gain", problem).hint(hint));
    }
    if motor.has(&START_AT) && !motor.has(&SPEED) {
        return Err(Fault::at("start", "belongs to a speed").hint("leave it out"));
    }
    if motor.has(other) {
        let problem = match kind.turns() {
            true => "would push nothing: the joint turns",
            false => "would turn nothing: the joint slides",
        };
        return Err(Fault::at(other.name, problem).hint(hint));
    }
    if let Some(size) = motor.get(own)? {
        if let Some(most) = [&MAX_TORQUE, &MAX_FORCE]
            .into_iter()
            .find(|own| motor.has(own))
        {
            let problem = "belongs to a speed or a position";
            return Err(Fault::at(most.name, problem).hint("leave it out"));
        }
        let law: Arc<dyn Behavior> = match kind.turns() {
            true => Arc::new(Motor { torque: size }),
            false => Arc::new(Thrust { force: size }),
        };
        law.validate()?;
        return Ok(Made::Torque(law));
    }
    let zero = motor.or(&ZERO, 0.0)?;
    let (own, other) = drive.most;
    if motor.has(&other) {
        let problem = if kind.turns() {
            "is of what slides"
        } else {
            "is of what turns"
        };
        return Err(Fault::at(other.name, problem).hint(format!("give \"{}\"", own.name)));
    }
    if let Some(most) = motor.get(&own)? {
        if motor.has(&START_AT) {
            let problem = "is nothing to a motor that gives way";
            return Err(Fault::at("start", problem).hint("leave it out"));
        }
        return Ok(Made::Drive(
            (drive.servo)(servo_of(motor, most)?),
            Some(zero),
        ));
    }
    if motor.has(&LED) {
        let law = (drive.law)(function::make(motor, &LED)?);
        return Ok(Made::Drive(law, Some(zero)));
    }
    let rate: f64 = motor.own(&SPEED)?;
    let start = match motor.get_angle(&START_AT)? {
        Some(start) => start,
        None => {
            let ([value, _], _) =
                coordinate(world, world.constraint_record(id)?, kind.coordinates[0])?;
            let in_plane = world.constraint_record(id)?.in_plane();
            let from = if in_plane { zero } else { 0.0 };
            value + from - rate * now
        }
    };
    let law = (drive.law)(Arc::new(Ramp { start, rate }));
    Ok(Made::Drive(law, Some(zero)))
}

/// What a motor with bounds is made of.
fn servo_of(motor: &Fields, most: f64) -> Result<ServoParts, Fault> {
    if motor.has(&LED) {
        let gain = motor.or(&GAIN, USUAL_GAIN)?;
        return Ok((function::make(motor, &LED)?, gain, -most, most));
    }
    let rate: f64 = motor.own(&SPEED)?;
    Ok((Arc::new(Ramp { start: 0.0, rate }), 0.0, -most, most))
}

/// What a motor says that is this servo; none if it is more than a motor can say.
fn servo_fields(drive: Drive, servo: &Fields) -> Option<Fields> {
    let (speed, position) = (servo.value("speed"), servo.value("position"));
    let usual = Value::Number(USUAL_GAIN);
    let gain = servo.value("gain").filter(|gain| **gain != usual);
    let is_even = servo.value("least").is_none();
    let most = servo.value("most").filter(|_| is_even)?.clone();
    let fields = match (speed, position) {
        (Some(speed), None) => Fields::default().with(&SPEED, speed.clone()),
        (None, Some(position)) => {
            let led = Fields::default().with(&LED, position.clone());
            led.with_some(&GAIN, gain.cloned())
        }
        _ => return None,
    };
    Some(fields.with(&drive.most.0, most))
}

/// The coordinates of a joint; of what counts angles itself, those that it does not.
pub(crate) fn coordinates(joint: &ConstraintRecord) -> &'static [Driven] {
    describe(joint).map_or(&[], |entry| entry.kind.coordinates)
}

/// A coordinate of a joint at this moment, its rate, and whether full turns are in it: of an angle in space, if the
/// motor counts them.
pub(crate) fn coordinate(
    world: &World,
    joint: &ConstraintRecord,
    which: Driven,
) -> Result<([f64; 2], bool), Fault> {
    if let (Driven::Angle, Some(Part::Drive(own))) = (which, of(world, joint))
        && let [counted] = world.joint_angles(own)?[..]
    {
        return Ok((counted, true));
    }
    let function = Arc::new(Constant { value: 0.0 });
    let law: Arc<dyn Constraint> = match which {
        Driven::Angle => Arc::new(AngleDrive { function }),
        Driven::Length => Arc::new(LengthDrive { function }),
    };
    let planar = joint.connectors().iter().any(|own| in_plane(world, own));
    let sides = frames(joint, law.inputs_of(planar), 0.0);
    Ok((
        world.row_of(&*law, &sides)?,
        planar || which == Driven::Length,
    ))
}

/// The angle of b about its own axis y against a, of two axes that cross, and its rate.
pub(crate) fn angle_b(world: &World, joint: &ConstraintRecord) -> Result<[f64; 2], Fault> {
    let function = Arc::new(Constant { value: 0.0 });
    let mut sides = joint.connectors().to_vec();
    turn_to_b(&mut sides);
    Ok(world.row_of(&AngleDrive { function }, &sides)?)
}

/// Where b is in the plane of a, along y and z of its frame, and how fast it moves there.
pub(crate) fn in_plane_of(world: &World, joint: &ConstraintRecord) -> Result<[f64; 4], Fault> {
    let function = Arc::new(Constant { value: 0.0 });
    let law = LengthDrive { function };
    let mut sides = frames(joint, law.inputs(), 0.0);
    let mut out = [0.0; 4];
    for k in 0..2 {
        if let Some(Site::Frame { rotation, .. }) = sides[0].site_mut() {
            let [x, y, z] = transpose(rotation);
            *rotation = transpose(&[y, z, x]);
        }
        [out[k], out[2 + k]] = world.row_of(&law, &sides)?;
    }
    Ok(out)
}

/// The full turns of a joint in space that is turned by `theta`, where limits or a torsion spring between its frames
/// count them in every sub-step.
pub(crate) fn full_turns(world: &World, joint: &ConstraintRecord, theta: f64) -> Option<f64> {
    let (state, sides) = (world.state(), joint.connectors());
    let springs = world.behaviors().iter();
    let mut springs = springs.filter(|own| own.n_angles() == 1 && own.connectors() == sides);
    if let Some(spring) = springs.next() {
        let turns = state.turns.springs[spring.angle_range().start];
        return turns.is_finite().then_some(turns);
    }
    let joints = world.constraints().iter();
    let mut joints = joints.filter(|own| own.n_angles() == 1 && own.connectors() == sides);
    let own = joints.next()?;
    let [[angle, _]] = world.joint_angles(own.id()).ok()?[..] else {
        return None;
    };
    let turns = (angle - theta) / TAU;
    let is_same = (turns - libm::rint(turns)).abs() < 1e-9;
    let is_counted = state.turns.joints[own.angle_range().start].is_finite();
    (is_same && is_counted).then(|| libm::rint(turns))
}

/// Gives a joint the motor that an entry says; returns its name.
pub(crate) fn put(
    world: &mut World,
    id: ConstraintId,
    said: &Fields,
    now: f64,
) -> Result<Part, Fault> {
    let (made, enabled) = make(world, id, said, now)?;
    let joint = world.constraint_record(id)?;
    let (label, enabled) = (joint.label().to_owned(), enabled && joint.enabled());
    let field = if said.has(&DRIVE) {
        DRIVE.name
    } else {
        MOTOR.name
    };
    match made {
        Made::Drive(law, zero) => {
            let takes = law.inputs_of(joint.in_plane());
            let sides = match zero {
                Some(zero) => frames(joint, takes, zero),
                None => beside(world, joint, takes)?,
            };
            let added = world.add_shared_constraint(&drive_name(&label), law, &sides);
            let drive = added.under(field)?;
            world.set_constraint_enabled(drive, enabled)?;
            Ok(Part::Drive(drive))
        }
        Made::Torque(law) => {
            let sides = frames(joint, law.inputs_of(joint.in_plane()), 0.0);
            let added = world.add_shared_behavior(&torque_name(&label), law, &sides);
            let torque = added.under(field)?;
            world.set_behavior_enabled(torque, enabled)?;
            Ok(Part::Torque(torque))
        }
    }
}

/// The frames of a motor of a joint.
pub(crate) fn sides(
    world: &World,
    id: ConstraintId,
    takes: &[ConnectorKind],
    zero: f64,
) -> Result<Vec<Connector>, Fault> {
    Ok(frames(world.constraint_record(id)?, takes, zero))
}

/// Motors of a file that are not there yet: each comes after something of its own list.
#[derive(Default)]
pub(crate) struct Late(Vec<(String, ConstraintId, Fields)>);

impl Late {
    /// Keeps what a joint says of its motor, in an entry at `path`.
    pub(crate) fn push(&mut self, path: String, joint: ConstraintId, said: Fields) {
        self.0.push((path, joint, said));
    }

    /// Puts those whose turn it is; at the end of their list, all.
    pub(crate) fn put(
        &mut self,
        world: &mut World,
        torques: bool,
        is_end: bool,
        now: f64,
    ) -> Result<(), Fault> {
        loop {
            let last = match torques {
                true => world.behaviors().last().map(BehaviorRecord::label),
                false => world.constraints().last().map(ConstraintRecord::label),
            };
            let is_due = |(_, _, said): &(String, ConstraintId, Fields)| match after(said) {
                Some(name) => is_of_torque(said) == torques && (is_end || last == Some(name)),
                None => true,
            };
            let Some(at) = self.0.iter().position(is_due) else {
                return Ok(());
            };
            let (path, joint, said) = self.0.remove(at);
            put(world, joint, &said, now).under(&path)?;
        }
    }
}
