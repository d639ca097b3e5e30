//! Hands in worlds with bounded forces.
//!
//! A hand with unlimited force that pressed something against the floor would contradict the floor. In worlds
//! with bounded forces a hand is therefore a bounded row of positions:
//!
//! ```text
//!     c = 0 as far as ‖λ‖ ≤ a·m allows      a = 1,000 m/s²,  m the mass of what hangs together with what is held
//! ```
//!
//! The force lies in a ball, not in a box, so that a hand out of reach pulls straight toward its goal. The
//! largest torque is that of this force at the radius of gyration.

use super::bounded::Role;
use super::mechanism::Mechanism;
use crate::body::MassKind;
use crate::constraint::RowUnit;
use crate::system::tolerances::STRENGTH;
use crate::world::{BodyRecord, ConstraintRecord, Drag, World};

/// The roles of a hand's rows; `None` for other constraints, and in worlds where hands are not bounded.
pub(super) fn roles_of_hand(world: &World, record: &ConstraintRecord) -> Option<Vec<Role>> {
    let grip = world
        .grips()
        .iter()
        .find(|grip| grip.constraint() == record.id())?;
    if matches!(grip.drag(), Drag::Force { .. }) || !world.hands_are_bounded() {
        return None;
    }
    let held = world.bodies_of(grip.held());
    let held = held.iter().filter_map(|&body| world.body_position(body));
    let first = held.clone().next()?;
    let mechanism = Mechanism::of(world, held);
    let bodies = world.bodies().iter().zip(&mechanism.has_body);
    let members = bodies.filter(|(body, is_member)| **is_member && body.enabled);
    let mass: f64 = members.map(|(body, _)| mass(world, body)).sum();
    let radius = world.bodies()[first].body.gyration_radius().unwrap_or(1.0);
    let units = record.rows();
    let is_angle = |row: usize| units[row] == RowUnit::Radian;
    let roles = (0..units.len()).map(|row| {
        if row > 0 && is_angle(row) == is_angle(row - 1) {
            return Role::More;
        }
        let like = (row..units.len()).take_while(|&other| is_angle(other) == is_angle(row));
        let arm = match units[row] {
            RowUnit::Radian => radius,
            // A slider of a number has no bound.
            RowUnit::Number => f64::INFINITY,
            _ => 1.0,
        };
        Role::Hand {
            most: STRENGTH * mass * arm,
            n_more: like.count() - 1,
        }
    });
    Some(roles.collect())
}

/// The mass of a body; infinite if it is opaque.
fn mass(world: &World, record: &BodyRecord) -> f64 {
    if let Some(rigid) = record.body.as_rigid() {
        return rigid.properties().mass;
    }
    let n = record.body.n_v();
    let mut mass = match record.body.mass_kind() {
        _ if n == 0 => return 0.0,
        MassKind::Dense => vec![0.0; n * n],
        MassKind::Diagonal => vec![0.0; n],
        MassKind::Patterned(_) => {
            let q = &world.state().q[record.q_range()];
            return record.body.center_of_mass(q).0;
        }
        MassKind::Opaque(_) => return f64::INFINITY,
    };
    record
        .body
        .mass(&world.state().q[record.q_range()], &mut mass);
    mass[0]
}
