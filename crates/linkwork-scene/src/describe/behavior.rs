//! Behaviors as entries.

use linkwork::prelude::*;

use super::{Names, is};
use crate::fault::Fault;
use crate::format::{AxesEntry, BehaviorEntry, BehaviorKind};

pub(super) fn entry(
    world: &World,
    names: &Names<'_>,
    record: &BehaviorRecord,
) -> Result<BehaviorEntry, Fault> {
    let name = record.label();
    let Some(mut entry) = law_of(record) else {
        let problem =
            format!("a file has no words for the behavior \"{name}\", which a program made");
        return Err(Fault::at("", problem));
    };
    let connectors = record.connectors().iter();
    let connectors: Result<Vec<_>, Fault> = connectors
        .map(|connector| names.reference(world, connector))
        .collect();
    let mut connectors = connectors?.into_iter();
    match entry.kind {
        BehaviorKind::Force | BehaviorKind::Wrench | BehaviorKind::Drag => {
            entry.on = connectors.next();
        }
        _ => (entry.a, entry.b) = (connectors.next(), connectors.next()),
    }
    entry.enabled = record.enabled();
    Ok(entry)
}

fn blank(name: &str, kind: BehaviorKind) -> BehaviorEntry {
    BehaviorEntry {
        name: name.to_owned(),
        kind,
        on: None,
        a: None,
        b: None,
        joint: None,
        acceleration: None,
        force: None,
        torque: None,
        axes: None,
        stiffness: None,
        damping: None,
        rest_length: None,
        rest_angle: None,
        rest_angle_deg: None,
        linear: None,
        angular: None,
        enabled: true,
    }
}

pub(super) fn gravity(name: &str, acceleration: [f64; 3]) -> BehaviorEntry {
    let mut entry = blank(name, BehaviorKind::Gravity);
    entry.acceleration = Some(acceleration);
    entry
}

pub(super) fn law_of(record: &BehaviorRecord) -> Option<BehaviorEntry> {
    let law = record.behavior();
    let of = |kind| blank(record.label(), kind);
    if let Some(Gravity { acceleration_world }) = is(law) {
        return Some(gravity(record.label(), *acceleration_world));
    }
    if let Some(PointForce { force_world }) = is(law) {
        let mut entry = of(BehaviorKind::Force);
        let [x, y, _] = *force_world;
        entry.force = Some(match record.in_plane() {
            true => [x, y].into(),
            false => (*force_world).into(),
        });
        return Some(entry);
    }
    if let Some(ConstantForce {
        force,
        torque,
        axes,
    }) = is(law)
    {
        let mut entry = of(BehaviorKind::Wrench);
        entry.force = Some((*force).into());
        entry.torque = Some((*torque).into());
        entry.axes = Some(match axes {
            Axes::World => AxesEntry::World,
            Axes::Frame => AxesEntry::Connector,
        });
        return Some(entry);
    }
    if let Some(Motor { torque }) = is(law) {
        let mut entry = of(BehaviorKind::Motor);
        entry.torque = Some((*torque).into());
        return Some(entry);
    }
    macro_rules! alike {
        ($kind:ident: $law:ident { $($field:ident),* }) => {
            if let Some($law { $($field),* }) = is(law) {
                let mut entry = of(BehaviorKind::$kind);
                $(entry.$field = Some(*$field);)*
                return Some(entry);
            }
        };
    }
    alike!(TorsionSpring: TorsionSpring { stiffness, rest_angle, damping });
    alike!(Friction: JointFriction { angular, linear });
    alike!(Drag: ViscousDrag { linear, angular });
    alike!(ExplicitSpring: Spring { stiffness, rest_length, damping });
    None
}
