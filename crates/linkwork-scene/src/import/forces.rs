//! What acts in joints: dampers, springs, and the rotors of geared motors.
//!
//! An armature is the inertia that a joint's rotor shows at the joint: a kinetic energy `½·a·q̇²` of
//! the coordinate alone, whatever the link's motion. So the rotor is a body of its own that only
//! turns, pinned to the ground in the plane, with moment a, and its angle follows the joint's
//! coordinate. That is exact.

use linkwork::math::quat_mul;
use serde_json::json;

use super::document::{Measured, Writer};
use super::entries::{entry, point_connector};
use super::model::{Freedom, FreedomKind};
use super::report::Notes;
use crate::Fault;
use crate::format::{BehaviorEntry, ConnectorEntry};

/// Writes the dampers, springs and rotors of all freedoms.
pub(super) fn write_forces(
    writer: &mut Writer<'_>,
    armature: bool,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let model = writer.model;
    for (index, freedom) in model.freedoms.iter().enumerate() {
        let Some(measured) = writer.measured[index].clone() else {
            continue;
        };
        match (freedom.kind, measured.word()) {
            (FreedomKind::Free, _) => free(freedom, notes),
            (FreedomKind::Ball, _) => ball(writer, freedom, &measured, notes)?,
            (_, Some("length")) => along(writer, freedom, &measured)?,
            (_, Some(_)) => turning(writer, freedom, &measured)?,
            (_, None) => {}
        }
        if freedom.armature > 0.0 {
            match measured.word() {
                Some(_) if !armature => notes.refuse("armature, as asked for", &freedom.name),
                Some(word) => rotor(writer, freedom, &measured, word, notes)?,
                None => notes.refuse("armature of a ball or free joint", &freedom.name),
            }
        }
    }
    Ok(())
}

fn free(freedom: &Freedom, notes: &mut Notes) {
    if freedom.damping > 0.0 || freedom.stiffness > 0.0 {
        notes.refuse("damping and stiffness of a free body", &freedom.name);
    }
}

/// Torque `−k·(q − rest) − d·q̇` about the axis.
fn turning(writer: &mut Writer<'_>, freedom: &Freedom, measured: &Measured) -> Result<(), Fault> {
    let Measured { a, b, .. } = measured;
    if freedom.stiffness > 0.0 {
        let spring = json!({
            "name": format!("spring of {}", freedom.name),
            "type": "torsion-spring",
            "a": a,
            "b": b,
            "stiffness": freedom.stiffness,
            "damping": freedom.damping,
            "rest_angle": freedom.rest,
        });
        return push(writer, entry(spring)?);
    }
    damper(writer, freedom, "", a, b)
}

/// Force `−k·(q − rest) − d·q̇` along the axis: a soft row for the spring.
fn along(writer: &mut Writer<'_>, freedom: &Freedom, measured: &Measured) -> Result<(), Fault> {
    let Measured { a, b, .. } = measured;
    if freedom.stiffness > 0.0 {
        let name = writer.joints.unique(&format!("spring of {}", freedom.name));
        let spring = json!({
            "name": name,
            "type": "length-drive",
            "a": a,
            "b": point_connector(b),
            "function": { "type": "constant", "value": freedom.rest },
            "compliance": 1.0 / freedom.stiffness,
        });
        writer.document.joints.push(entry(spring)?);
    }
    damper(writer, freedom, "", a, b)
}

/// Torque `−d·ω`: a damper about each of three axes. The spring is in the joint.
fn ball(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    measured: &Measured,
    notes: &mut Notes,
) -> Result<(), Fault> {
    if freedom.damping > 0.0 {
        let (Some(a), Some(b)) = (measured.a.quaternion, measured.b.quaternion) else {
            notes.refuse("damping of a ball joint", &freedom.name);
            return Ok(());
        };
        // Rotations that take x to x, y and z.
        let half = 0.5_f64.sqrt();
        for (axis, turn) in [
            (" about x", [1.0, 0.0, 0.0, 0.0]),
            (" about y", [half, 0.0, 0.0, half]),
            (" about z", [half, 0.0, -half, 0.0]),
        ] {
            let turned = |connector: &ConnectorEntry, own| ConnectorEntry {
                quaternion: Some(quat_mul(own, turn)),
                ..connector.clone()
            };
            damper(
                writer,
                freedom,
                axis,
                &turned(&measured.a, a),
                &turned(&measured.b, b),
            )?;
        }
    }
    Ok(())
}

fn damper(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    which: &str,
    a: &ConnectorEntry,
    b: &ConnectorEntry,
) -> Result<(), Fault> {
    if freedom.damping <= 0.0 {
        return Ok(());
    }
    let slides = freedom.kind == FreedomKind::Slide;
    let friction = json!({
        "name": format!("damping of {}{which}", freedom.name),
        "type": "friction",
        "a": a,
        "b": b,
        "linear": if slides { freedom.damping } else { 0.0 },
        "angular": if slides { 0.0 } else { freedom.damping },
    });
    push(writer, entry(friction)?)
}

fn push(writer: &mut Writer<'_>, behavior: BehaviorEntry) -> Result<(), Fault> {
    writer.document.behaviors.push(behavior);
    Ok(())
}

/// A hidden disc of moment a, pinned to the ground, whose angle is the joint's coordinate.
fn rotor(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    measured: &Measured,
    word: &str,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let name = writer.bodies.unique(&format!("rotor of {}", freedom.name));
    let mut body = json!({
        "name": name,
        "type": "planar",
        "mass": freedom.armature,
        "inertia": freedom.armature,
        "position": [0.0, 0.0],
        "angle": freedom.shift,
        "view": { "hidden": true },
    });
    if freedom.rates[0] != 0.0 {
        body["spin"] = json!(freedom.rates[0]);
    }
    writer.document.bodies.push(entry(body)?);
    let pin = writer.joints.unique(&format!("pin of {name}"));
    let pin = json!({
        "name": pin,
        "type": "ball",
        "a": { "body": "ground", "point": [0.0, 0.0] },
        "b": { "body": name, "point": [0.0, 0.0] },
    });
    writer.document.joints.push(entry(pin)?);
    let gear = writer.joints.unique(&format!("gear of {name}"));
    let flat = |body: &str| json!({ "body": body, "point": [0.0, 0.0], "angle": 0.0 });
    let gear = json!({
        "name": gear,
        "type": "coupling",
        "connectors": [flat("ground"), flat(&name), measured.a, measured.b],
        "coordinates": ["planar-angle", word],
        "coefficients": [0.0, 1.0],
    });
    writer.document.joints.push(entry(gear)?);
    notes.read(
        "armature as a rotor geared to the joint, exactly",
        &freedom.name,
    );
    Ok(())
}
