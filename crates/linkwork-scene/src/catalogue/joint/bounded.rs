//! Limits and servos: what their types share.

use linkwork::constraint::{Constant, Ramp};

use super::*;
use crate::catalogue::function;
use crate::export::number_text;

pub(crate) const LOWER: Field = Field::angle("lower", "lower_deg", "Lower limit, rad or m.")
    .in_unit("")
    .lab(&InLab {
        number: -FAR,
        otherwise: "none",
        ..InLab::start(Start::Number)
    });
pub(crate) const UPPER: Field = Field::angle("upper", "upper_deg", "Upper limit, rad or m.")
    .in_unit("")
    .lab(&InLab {
        number: FAR,
        otherwise: "none",
        ..InLab::start(Start::Number)
    });
/// Where limits are when the lab makes them: beyond any angle within a turn.
const FAR: f64 = 4.0;
pub(crate) const RESTITUTION: Field = Field::number(
    "restitution",
    "",
    "Coefficient of restitution, from 0 to 1.",
)
.not_negative()
.default("0");
/// What a limit says.
pub(super) const RANGE: &[Field] = &[LOWER, UPPER, RESTITUTION];

const LEAST: Field = Field::number(
    "least",
    "N·m or N",
    "The least force or torque on b. When left out, the negative of \"most\".",
);
const MOST: Field = Field::number(
    "most",
    "N·m or N",
    "The largest force or torque on b. When left out, unlimited.",
)
.not_negative()
.lab(&InLab {
    number: 1.0,
    ..InLab::start(Start::Number)
});
pub(crate) const RATCHET: Field = Field::number(
    "ratchet",
    "",
    "1: its coordinate may grow and not fall; −1: fall and not grow.",
);
/// What a servo says.
pub(super) const SERVO: &[Field] = &[SPEED, LED, GAIN, LEAST, MOST, RATCHET];

/// How fast a servo makes up for what it is behind if nobody says, 1/s: within a few tenths of a second.
pub(super) const USUAL_GAIN: f64 = 10.0;

/// Lower and upper limit, infinite for none, and restitution.
pub(super) fn read_range(fields: &Fields) -> Result<[f64; 3], Fault> {
    let lower = fields.get_angle(&LOWER)?;
    let upper = fields.get_angle(&UPPER)?;
    if lower.is_none() && upper.is_none() {
        return Err(Fault::at("", "limits nothing").hint("give \"lower\", \"upper\" or both"));
    }
    if let (Some(lower), Some(upper)) = (lower, upper)
        && lower > upper
    {
        // As they were typed.
        let [(own, lower), (other, upper)] =
            [LOWER, UPPER].map(|field| (fields.said(&field), fields.value(fields.said(&field))));
        let told = |value: Option<&Value>| match value {
            Some(Value::Number(number)) => number_text(*number),
            _ => String::new(),
        };
        let problem = format!("is {}, and {other} is {}", told(lower), told(upper));
        let hint = "give a lower limit that is not above the upper one";
        return Err(Fault::at(own, problem).hint(hint));
    }
    Ok([
        lower.unwrap_or(f64::NEG_INFINITY),
        upper.unwrap_or(f64::INFINITY),
        fields.or(&RESTITUTION, 0.0)?,
    ])
}

/// The same as fields.
pub(super) fn write_range(lower: f64, upper: f64, restitution: f64) -> Fields {
    let finite = |own: f64| own.is_finite().then_some(own);
    let fields = Fields::default().with_some(&LOWER, finite(lower));
    let fields = fields.with_some(&UPPER, finite(upper));
    fields.unless(&RESTITUTION, restitution, 0.0)
}

/// What a servo is made of: its function, its gain, and its bounds.
pub(super) type ServoParts = (Arc<dyn DriveFunction>, f64, f64, f64);

/// Whether a ratchet is one that lets its coordinate fall; none if there is no ratchet.
pub(super) fn read_ratchet(fields: &Fields) -> Result<Option<bool>, Fault> {
    match fields.get(&RATCHET)? {
        None => Ok(None),
        Some(1.0) => Ok(Some(false)),
        Some(-1.0) => Ok(Some(true)),
        Some(other) => {
            let hint = "give 1 (it may grow) or -1 (it may fall)";
            Err(Fault::at(RATCHET.name, format!("is {other}")).hint(hint))
        }
    }
}

pub(super) fn read_servo(fields: &Fields) -> Result<ServoParts, Fault> {
    if let Some(backward) = read_ratchet(fields)? {
        let others = [&SPEED, &LED, &GAIN, &LEAST, &MOST];
        if let Some(other) = others.into_iter().find(|own| fields.has(own)) {
            let problem = "is given beside \"ratchet\"";
            return Err(Fault::at(other.name, problem).hint("give one of them"));
        }
        let (least, most) = if backward {
            (f64::NEG_INFINITY, 0.0)
        } else {
            (0.0, f64::INFINITY)
        };
        return Ok((Arc::new(Constant { value: 0.0 }), 0.0, least, most));
    }
    let most = fields.or(&MOST, f64::INFINITY)?;
    let least = fields.or(&LEAST, -most)?;
    if !(fields.has(&MOST) || fields.has(&LEAST)) {
        return Err(Fault::missing(
            "most",
            "what it can push with; a drive knows no bounds",
        ));
    }
    let (speed, gain) = (fields.get_angle(&SPEED)?, fields.get(&GAIN)?);
    let (function, gain): (Arc<dyn DriveFunction>, f64) = match (speed, fields.has(&LED)) {
        (Some(_), true) => {
            return Err(Fault::at("position", "is given beside \"speed\"").hint("give one of them"));
        }
        (None, true) => (function::make(fields, &LED)?, gain.unwrap_or(USUAL_GAIN)),
        (speed, false) => {
            if gain.is_some_and(|gain: f64| gain != 0.0) {
                return Err(Fault::at("gain", "belongs to a position").hint("leave it out"));
            }
            let function: Arc<dyn DriveFunction> = match speed {
                Some(rate) => Arc::new(Ramp { start: 0.0, rate }),
                None => Arc::new(Constant { value: 0.0 }),
            };
            (function, 0.0)
        }
    };
    Ok((function, gain, least, most))
}

pub(super) fn write_servo(
    function: &Arc<dyn DriveFunction>,
    gain: f64,
    (least, most): (f64, f64),
) -> Option<Fields> {
    let said: &dyn Any = &**function;
    let is_still = matches!(said.downcast_ref(), Some(Constant { value }) if *value == 0.0);
    if is_still && gain == 0.0 {
        match (least, most) {
            (0.0, f64::INFINITY) => return Some(Fields::default().with(&RATCHET, 1.0)),
            (f64::NEG_INFINITY, 0.0) => return Some(Fields::default().with(&RATCHET, -1.0)),
            _ => {}
        }
    }
    // A file that says only the most means as much the other way.
    if least == f64::NEG_INFINITY && most.is_finite() {
        return None;
    }
    let fields = Fields::default();
    let fields = match (said.downcast_ref(), said.downcast_ref()) {
        (Some(Ramp { start, rate }), None) if gain == 0.0 && *start == 0.0 => {
            fields.with(&SPEED, *rate)
        }
        (None, Some(Constant { value })) if gain == 0.0 && *value == 0.0 => fields,
        _ => {
            let function = function::describe(&**function)?;
            fields.with(&LED, function).with(&GAIN, gain)
        }
    };
    let fields = match least == -most {
        true => fields,
        false => fields.with_some(&LEAST, least.is_finite().then_some(least)),
    };
    Some(fields.with_some(&MOST, most.is_finite().then_some(most)))
}

/// A type of limit: `$law` on connectors found by `$sides`.
macro_rules! limit_type {
    ($law:ident, $order:literal, $word:literal, $called:literal, $help:literal, $fields:expr, $glyph:expr, $sides:expr) => {
        JointType {
            kind: Type::new($order, $word, $help, $fields).called($called),
            build: |scene, entry| {
                let connectors = ($sides)(scene, entry)?;
                let [lower, upper, restitution] = read_range(&entry.fields)?;
                let law = $law {
                    lower,
                    upper,
                    restitution,
                };
                law.validate()?;
                add_law(scene, entry, Arc::new(law), connectors)
            },
            describe: |held| {
                let $law {
                    lower,
                    upper,
                    restitution,
                } = *held.is()?;
                Some(write_range(lower, upper, restitution))
            },
            soft: true,
            planar: true,
            glyph: $glyph,
            ..BLANK
        }
    };
}
pub(super) use limit_type;

/// A type of servo.
macro_rules! servo_type {
    ($law:ident, $order:literal, $word:literal, $called:literal, $help:literal, $fields:expr, $glyph:expr, $sides:expr) => {
        JointType {
            kind: Type::new($order, $word, $help, $fields).called($called),
            build: |scene, entry| {
                let connectors = ($sides)(scene, entry)?;
                let (function, gain, least, most) = read_servo(&entry.fields)?;
                let law = $law {
                    function,
                    gain,
                    least,
                    most,
                };
                law.validate()?;
                add_law(scene, entry, Arc::new(law), connectors)
            },
            describe: |held| {
                let $law {
                    function,
                    gain,
                    least,
                    most,
                } = held.is()?;
                write_servo(function, *gain, (*least, *most))
            },
            soft: true,
            planar: true,
            glyph: $glyph,
            ..BLANK
        }
    };
}
pub(super) use servo_type;

/// Frames about an axis, also in the plane.
pub(super) fn about_axis(scene: &Scene, entry: &Entry<JointType>) -> Result<Vec<Connector>, Fault> {
    let frames = framed(scene, entry, &[AXIS, AXIS])?.into_iter();
    let frames = frames.map(|own| Ok(scene.world.planar_frame_on(own, 0.0)?));
    frames.collect()
}
