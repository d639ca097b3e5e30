//! What bounds the coordinates of joints: limits, dry friction, motors.

use linkwork_scene::Fault;
use serde_json::{Value, json};

use crate::document::{Measured, Writer};
use crate::entries::point_connector;
use crate::model::{Freedom, FreedomKind};
use crate::report::Notes;

/// What moves a freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Motor {
    /// A torque, zero to start with.
    Torque,
    /// Goes to a coordinate, less the reference.
    Position { at: f64, gain: f64, most: f64 },
    /// Holds still.
    Speed { most: f64 },
}

impl Motor {
    /// What a joint with one freedom says of it.
    pub(crate) fn entry(self, turns: bool) -> Option<Value> {
        let field = if turns { "max_torque" } else { "max_force" };
        let mut motor = match self {
            Self::Torque if turns => return Some(json!({ "torque": 0.0 })),
            Self::Torque => return None,
            Self::Position { at, gain, .. } => {
                json!({ "position": { "type": "constant", "value": at }, "gain": gain })
            }
            Self::Speed { .. } => json!({ "speed": 0.0 }),
        };
        if let Self::Position { most, .. } | Self::Speed { most } = self {
            motor[field] = json!(most);
        }
        Some(motor)
    }
}

/// Takes from a model what is not asked for.
pub(crate) fn leave_out(freedoms: &mut [Freedom], limits: bool, motors: bool, notes: &mut Notes) {
    for freedom in freedoms {
        if !limits {
            if freedom.is_limited() {
                notes.refuse("limits of joints, as asked for", &freedom.name);
            }
            if freedom.friction > 0.0 {
                notes.refuse("dry friction of joints, as asked for", &freedom.name);
            }
            freedom.limits = [f64::NEG_INFINITY, f64::INFINITY];
            freedom.friction = 0.0;
        }
        if !motors && freedom.motor.take().is_some() {
            notes.refuse("motors, as asked for", &freedom.name);
        }
    }
}

/// Writes limits and dry friction of all freedoms, and motors that are in no joint.
pub(crate) fn write_bounds(writer: &mut Writer<'_>, notes: &mut Notes) -> Result<(), Fault> {
    let model = writer.model;
    for (index, freedom) in model.freedoms.iter().enumerate() {
        let Some(measured) = writer.measured[index].clone() else {
            continue;
        };
        match (freedom.kind, measured.word()) {
            (FreedomKind::Ball, _) => ball(writer, freedom, &measured, notes)?,
            (_, Some(word)) => one(writer, freedom, &measured, word == "length", notes)?,
            _ => {}
        }
        if freedom.motor.is_some() {
            match writer.has_motor[index] {
                true => notes.read("motors, at rest", &freedom.name),
                false => notes.refuse(
                    "motors of joints other than hinges and sliders, or of a slider that pushes",
                    &freedom.name,
                ),
            }
        }
    }
    Ok(())
}

fn one(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    measured: &Measured,
    slides: bool,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let (a, b) = (&measured.a, &measured.b);
    let b = if slides {
        point_connector(b)
    } else {
        b.clone()
    };
    if freedom.is_limited() {
        let [lower, upper] = freedom.limits;
        let mut limit = json!({
            "type": if slides { "length-limit" } else { "angle-limit" },
            "a": a,
            "b": b,
        });
        for (name, own) in [("lower", lower), ("upper", upper)] {
            if own.is_finite() {
                limit[name] = json!(own);
            }
        }
        writer.add_joint(&format!("{} limits", freedom.name), limit)?;
        let kind = "limits of joints: hard here, possibly soft in the model";
        notes.read(kind, &freedom.name);
        if !(lower..=upper).contains(&freedom.shift) {
            notes.approximate(
                "starts beyond its limits: closed when assembled, else in the first step",
                &freedom.name,
            );
        }
    }
    if freedom.friction > 0.0 {
        let servo = json!({
            "type": if slides { "length-servo" } else { "angle-servo" },
            "a": a,
            "b": b,
            "most": freedom.friction,
        });
        writer.add_joint(&format!("{} friction", freedom.name), servo)?;
        notes.read("dry friction of joints", &freedom.name);
    }
    Ok(())
}

/// An MJCF limits the angle of the whole rotation; here it is that of the axis.
fn ball(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    measured: &Measured,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let most = freedom.limits[1];
    if most.is_finite() {
        let most = most.clamp(1e-3, std::f64::consts::PI);
        let limit = json!({
            "type": "cone-limit",
            "a": measured.a,
            "b": measured.b,
            "swing": most,
            "twist": [-most, most],
        });
        writer.add_joint(&format!("{} limits", freedom.name), limit)?;
        let kind = "the angle of a ball joint is limited as a cone and a twist, each of that angle";
        notes.approximate(kind, &freedom.name);
    }
    if freedom.friction > 0.0 {
        notes.refuse("dry friction of ball joints", &freedom.name);
    }
    Ok(())
}
