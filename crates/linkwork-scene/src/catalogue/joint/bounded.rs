//! Limits and servos: what their types share.

use linkwork::constraint::{Constant, Ramp};

use super::*;
use crate::catalogue::function;

pub(crate) const LOWER: Field =
    Field::angle("lower", "lower_deg", "The least it may be, rad or m.")
        .in_unit("")
        .lab(&InLab {
            number: -FAR,
            ..InLab::start(Start::Number)
        });
pub(crate) const UPPER: Field = Field::angle("upper", "upper_deg", "The most it may be, rad or m.")
    .in_unit("")
    .lab(&InLab {
        number: FAR,
        ..InLab::start(Start::Number)
    });
/// Where limits are when the lab makes them: beyond any angle within a turn.
const FAR: f64 = 4.0;
pub(crate) const RESTITUTION: Field = Field::number(
    "restitution",
    "",
    "The part of its speed with which it rebounds, from 0 to 1.",
)
.not_negative()
.default("0");
/// What a limit says.
pub(super) const RANGE: &[Field] = &[LOWER, UPPER, RESTITUTION];

pub(super) const SWING: Field = Field::angle(
    "swing",
    "swing_deg",
    "How far b may swing away from the axis of a, all around: a cone.",
)
.lab(&InLab {
    number: 1.0,
    ..InLab::start(Start::Number)
});
pub(super) const TWIST: Field = Field::span(
    "twist",
    "twist_deg",
    "How far b may twist about that axis, least and most.",
)
.in_unit("rad");
const ABOUT: Field = Field::span(
    "angle",
    "angle_deg",
    "Of what slides and turns, or has two axes: the angle about \"axis\", least and most.",
)
.in_unit("rad");
const ABOUT_B: Field = Field::span(
    "angle_b",
    "angle_b_deg",
    "Of a universal joint: the angle about \"axis_b\", least and most.",
)
.in_unit("rad");
const SLIDE: Field = Field::span(
    "slide",
    "",
    "Of what slides and turns: the position along the axis, least and most.",
)
.in_unit("m");
/// What limits of a joint say; each sort of joint takes some of them.
pub(super) const LIMITED: &[Field] = &[
    LOWER,
    UPPER,
    ABOUT,
    ABOUT_B,
    SLIDE,
    SWING,
    TWIST,
    RESTITUTION,
];

/// Refuses limits of other joints.
pub(super) fn refuse_others(fields: &Fields, own: &[Field]) -> Result<(), Fault> {
    let is_own = |field: &&Field| own.iter().any(|own| own.name == field.name);
    let mut others = LIMITED.iter().filter(|field| !is_own(field));
    let Some(other) = others.find(|field| fields.has(field)) else {
        return Ok(());
    };
    let names: Vec<_> = own.iter().flat_map(Field::names).collect();
    let said = other.names().find(|name| fields.value(name).is_some());
    let problem = "is no limit of this joint";
    Err(Fault::at(said.unwrap_or(other.name), problem).hint(format!("give {}", names.join(", "))))
}

/// A law on the coordinates of a joint: the field that says it, what its name ends with, and between which frames it acts.
pub(super) struct Beside {
    pub(super) field: &'static str,
    pub(super) what: &'static str,
    pub(super) law: Arc<dyn Constraint>,
    pub(super) frames: Frames,
}

/// The frames of a law on the coordinates of a joint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frames {
    /// Those of the joint.
    Own,
    /// Those of the entry, where the joint itself has points.
    Entry,
    /// Those of the joint, equal at the moment of joining.
    Equal,
    /// The same, for the angle about y of frame b.
    EqualAboutB,
}

/// The laws of "limits", "friction" and "ratchet" on one coordinate.
pub(super) fn on_one(
    fields: &Fields,
    limits: fn([f64; 3]) -> Arc<dyn Constraint>,
    friction: fn(f64) -> Arc<dyn Constraint>,
    ratchet: fn(bool) -> Arc<dyn Constraint>,
) -> Result<Vec<Beside>, Fault> {
    let mut all = Vec::new();
    let mut add = |field, law| {
        all.push(Beside {
            field,
            what: field,
            law,
            frames: Frames::Own,
        });
    };
    if let Some(range) = fields.get::<&Fields>(&LIMITS)? {
        refuse_others(range, RANGE).under("limits")?;
        add("limits", limits(read_range(range).under("limits")?));
    }
    let most = fields.or(&DRY_FRICTION, 0.0)?;
    if most > 0.0 {
        add("friction", friction(most));
    }
    if let Some(backward) = read_ratchet(fields)? {
        add("ratchet", ratchet(backward));
    }
    Ok(all)
}

/// The same on an angle.
pub(super) fn on_angle(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    on_one(
        fields,
        |[lower, upper, restitution]| {
            Arc::new(AngleLimit {
                lower,
                upper,
                restitution,
            })
        },
        |most| Arc::new(AngleServo::friction(most)),
        |backward| Arc::new(AngleServo::one_way(backward)),
    )
}

/// The same on a length.
pub(super) fn on_length(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    on_one(
        fields,
        |[lower, upper, restitution]| {
            Arc::new(LengthLimit {
                lower,
                upper,
                restitution,
            })
        },
        |most| Arc::new(LengthServo::friction(most)),
        |backward| Arc::new(LengthServo::one_way(backward)),
    )
}

/// Limits of several coordinates, of which these may be said.
fn limits_of<'f>(fields: &'f Fields, own: &[Field]) -> Result<Option<(&'f Fields, f64)>, Fault> {
    let Some(limits) = fields.get::<&Fields>(&LIMITS)? else {
        return Ok(None);
    };
    let read = || {
        refuse_others(limits, own)?;
        limits.or(&RESTITUTION, 0.0)
    };
    Ok(Some((limits, read().under("limits")?)))
}

fn nothing_limited(own: &[Field]) -> Fault {
    let names = own.iter().filter(|field| field.name != RESTITUTION.name);
    let names: Vec<_> = names.map(|field| format!("\"{}\"", field.name)).collect();
    Fault::at("limits", "limits nothing").hint(format!("give {}", names.join(" or ")))
}

/// Limits of what slides along and turns about one axis.
pub(super) fn on_cylinder(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    const OWN: &[Field] = &[ABOUT, SLIDE, RESTITUTION];
    let mut all = Vec::new();
    let Some((limits, restitution)) = limits_of(fields, OWN)? else {
        return Ok(all);
    };
    let mut add = |what, law| {
        all.push(Beside {
            field: "limits",
            what,
            law,
            frames: Frames::Own,
        });
    };
    if let Some([lower, upper]) = limits.get_span(&ABOUT).under("limits")? {
        let law = AngleLimit {
            lower,
            upper,
            restitution,
        };
        add("limits", Arc::new(law) as Arc<dyn Constraint>);
    }
    if let Some([lower, upper]) = limits.get_span(&SLIDE).under("limits")? {
        let law = LengthLimit {
            lower,
            upper,
            restitution,
        };
        add("slide limits", Arc::new(law));
    }
    if all.is_empty() {
        return Err(nothing_limited(OWN));
    }
    Ok(all)
}

/// Limits and friction of two axes that cross.
pub(super) fn on_cross(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    const OWN: &[Field] = &[ABOUT, ABOUT_B, RESTITUTION];
    let mut all = Vec::new();
    if let Some((limits, restitution)) = limits_of(fields, OWN)? {
        for (what, span, frames) in [
            ("limits", &ABOUT, Frames::Equal),
            ("limits b", &ABOUT_B, Frames::EqualAboutB),
        ] {
            if let Some([lower, upper]) = limits.get_span(span).under("limits")? {
                let law = AngleLimit {
                    lower,
                    upper,
                    restitution,
                };
                all.push(Beside {
                    field: "limits",
                    what,
                    law: Arc::new(law),
                    frames,
                });
            }
        }
        if all.is_empty() {
            return Err(nothing_limited(OWN));
        }
    }
    let most = fields.or(&DRY_FRICTION, 0.0)?;
    if most > 0.0 {
        for (what, frames) in [
            ("friction", Frames::Equal),
            ("friction b", Frames::EqualAboutB),
        ] {
            all.push(Beside {
                field: "friction",
                what,
                law: Arc::new(AngleServo::friction(most)),
                frames,
            });
        }
    }
    Ok(all)
}

/// Limits of a ball: swing and twist.
pub(super) fn on_ball(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    const OWN: &[Field] = &[SWING, TWIST, RESTITUTION];
    let Some((limits, restitution)) = limits_of(fields, OWN)? else {
        return Ok(Vec::new());
    };
    let law = read_cone(limits, restitution).under("limits")?;
    Ok(vec![Beside {
        field: "limits",
        what: "limits",
        law: Arc::new(law),
        frames: Frames::Entry,
    }])
}

/// A cone from its fields.
pub(super) fn read_cone(fields: &Fields, restitution: f64) -> Result<ConeLimit, Fault> {
    let (swing, twist) = (fields.get_angle(&SWING)?, fields.get_span(&TWIST)?);
    if swing.is_none() && twist.is_none() {
        let hint = "give \"swing\", \"twist\" or both";
        return Err(Fault::at("", "limits nothing").hint(hint));
    }
    let [lower, upper] = twist.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    Ok(ConeLimit {
        swing: swing.unwrap_or(f64::INFINITY),
        lower,
        upper,
        restitution,
    })
}

const LEAST: Field = Field::number(
    "least",
    "N·m or N",
    "The least it can push b with. When left out, as much as the other way.",
);
const MOST: Field = Field::number(
    "most",
    "N·m or N",
    "The most it can push b with. When left out, without end.",
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
