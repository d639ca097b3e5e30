//! What acts in joints: dampers and springs. Armatures are written with the joints.
//!
//! Dampers and springs are behaviors, which integrators take as they come, unless a link alone would
//! follow them within less than a few frames: then they are soft rows, which are taken implicitly. The
//! forces are the same.

use linkwork::math::{cross, dot, norm, quat_mul, sub, sym_eigen, sym_vec};
use linkwork_scene::Fault;
use linkwork_scene::format::{BehaviorEntry, ConnectorEntry};
use serde_json::json;

use crate::document::{Measured, Writer};
use crate::entries::{entry, point_connector};
use crate::model::{Freedom, FreedomKind, Model};
use crate::report::Notes;

/// Writes the dampers and springs of all freedoms, and reports their armatures.
pub(crate) fn write_forces(writer: &mut Writer<'_>, notes: &mut Notes) -> Result<(), Fault> {
    let model = writer.model;
    for (index, freedom) in model.freedoms.iter().enumerate() {
        let Some(measured) = writer.measured[index].clone() else {
            continue;
        };
        let inertia = inertia(model, index);
        match (freedom.kind, measured.word()) {
            (FreedomKind::Free, _) => free(freedom, notes),
            (FreedomKind::Ball, _) => ball(writer, freedom, &measured, inertia, notes)?,
            (_, Some("length")) => along(writer, freedom, &measured)?,
            (_, Some(_)) => turning(writer, freedom, &measured, inertia)?,
            (_, None) => {}
        }
        if freedom.armature > 0.0 {
            let name = &freedom.name;
            match freedom.kind {
                _ if !writer.armature => notes.refuse("armature, as asked for", name),
                FreedomKind::Ball => notes.refuse("armature of a ball joint", name),
                FreedomKind::Free => notes.read("armature as mass without weight, exactly", name),
                _ => notes.read("armature as inertia on the joint, exactly", name),
            }
        }
    }
    Ok(())
}

/// Rates of decay above which a damper is a soft row, 1/s.
const FAST_DAMPER: f64 = 100.0;
/// Frequencies above which a spring is a soft row, rad/s.
const FAST_SPRING: f64 = 50.0;

/// The smallest inertia that the freedom moves: that of its own link, and its armature.
fn inertia(model: &Model, index: usize) -> f64 {
    let freedom = &model.freedoms[index];
    let link = model.links.iter().find(|own| own.freedoms.contains(&index));
    let Some(mass) = link.and_then(|link| link.mass) else {
        return freedom.armature;
    };
    // A damper pushes both sides, and a point does not resist.
    let parent = link.and_then(|link| link.parent);
    if [link, parent.map(|own| &model.links[own])]
        .into_iter()
        .flatten()
        .any(|own| own.is_point)
    {
        return freedom.armature;
    }
    let own = match freedom.kind {
        FreedomKind::Slide | FreedomKind::Free => mass.mass,
        FreedomKind::Hinge => {
            let arm = norm(cross(freedom.axis, sub(mass.com_body, freedom.point)));
            let about = dot(freedom.axis, sym_vec(&mass.inertia_body, freedom.axis));
            about + mass.mass * arm * arm
        }
        FreedomKind::Ball => {
            let (moments, _) = sym_eigen(&mass.inertia_body);
            moments.into_iter().fold(f64::INFINITY, f64::min)
        }
    };
    own + freedom.armature
}

fn free(freedom: &Freedom, notes: &mut Notes) {
    if freedom.damping > 0.0 || freedom.stiffness > 0.0 {
        notes.refuse("damping and stiffness of a free body", &freedom.name);
    }
}

/// Torque `−k·(q − rest) − d·q̇` about the axis.
fn turning(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    measured: &Measured,
    inertia: f64,
) -> Result<(), Fault> {
    let Measured { a, b, .. } = measured;
    let (stiffness, damping) = (freedom.stiffness, freedom.damping);
    if stiffness == 0.0 {
        return damper(writer, freedom, "", [a, b], inertia);
    }
    let fast = stiffness > FAST_SPRING * FAST_SPRING * inertia || damping > FAST_DAMPER * inertia;
    let name = format!("spring of {}", freedom.name);
    if fast {
        let spring = json!({
            "type": "angle-drive",
            "a": a,
            "b": b,
            "function": { "type": "constant", "value": freedom.rest },
            "compliance": 1.0 / stiffness,
            "damping": damping,
        });
        return writer.add_joint(&name, spring);
    }
    let spring = json!({
        "name": name,
        "type": "torsion-spring",
        "a": a,
        "b": b,
        "stiffness": stiffness,
        "damping": damping,
        "rest_angle": freedom.rest,
    });
    push(writer, entry(spring)?)
}

/// Force `−k·(q − rest) − d·q̇` along the axis: a soft row for the spring.
fn along(writer: &mut Writer<'_>, freedom: &Freedom, measured: &Measured) -> Result<(), Fault> {
    let Measured { a, b, .. } = measured;
    if freedom.stiffness > 0.0 {
        let spring = json!({
            "type": "length-drive",
            "a": a,
            "b": point_connector(b),
            "function": { "type": "constant", "value": freedom.rest },
            "compliance": 1.0 / freedom.stiffness,
        });
        writer.add_joint(&format!("spring of {}", freedom.name), spring)?;
    }
    damper(writer, freedom, "", [a, b], f64::INFINITY)
}

/// Torque `−d·ω`: a damper about each of three axes. The spring is in the joint.
fn ball(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    measured: &Measured,
    inertia: f64,
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
            let sides = [turned(&measured.a, a), turned(&measured.b, b)];
            damper(writer, freedom, axis, sides.each_ref(), inertia)?;
        }
    }
    Ok(())
}

/// A damper about or along x of the first side; about it, a soft row on rates where it is fast.
fn damper(
    writer: &mut Writer<'_>,
    freedom: &Freedom,
    which: &str,
    [a, b]: [&ConnectorEntry; 2],
    inertia: f64,
) -> Result<(), Fault> {
    if freedom.damping <= 0.0 {
        return Ok(());
    }
    let name = format!("damping of {}{which}", freedom.name);
    if freedom.damping > FAST_DAMPER * inertia {
        // λ = −ċ/α with ċ = x_a·(ω_a − ω_b).
        let damper = json!({
            "type": "gear",
            "connectors": [a, b],
            "coefficients": [1.0],
            "compliance": 1.0 / freedom.damping,
        });
        return writer.add_joint(&name, damper);
    }
    let slides = freedom.kind == FreedomKind::Slide;
    let friction = json!({
        "name": name,
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
