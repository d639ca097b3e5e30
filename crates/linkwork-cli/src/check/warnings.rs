//! Probable mistakes: one function for each.

use linkwork::constraint::{Bound, FramePair};
use linkwork::diagnose::Closure;
use linkwork::diagnose::Diagnosis;
use linkwork::diagnose::powerless;
use linkwork::math::norm;
use linkwork::output::ConstraintError;
use linkwork::prelude::*;
use linkwork::world::{BehaviorRecord, ConstraintRecord};
use linkwork_scene::Scene;
use serde::Serialize;

use super::forest::not_granted;
use super::size::{median, outside, radius, reach};
use super::structure::Structure;
use crate::closing::{CONTRADICTORY, Closing, listed};
use crate::failure::Failure;
use crate::numbers::{escaped, names, short};

/// Joints open by less are closed by the first step without anybody noticing, m and rad.
const OPEN: f64 = 1e-7;
/// Speeds that differ by less from what drives ask for are put right unnoticed, m/s and rad/s.
const ADRIFT: f64 = 1e-6;
/// Masses further apart cost digits.
const MASS_RATIO: f64 = 1e6;
/// Bodies larger than this, m, are probably given in millimeters.
const LARGE: f64 = 20.0;
/// Joints further outside of a body than this part of its size are probably misplaced.
const FAR: f64 = 0.2;

/// Something that is probably not meant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Warning {
    /// A word for programs.
    pub(crate) kind: &'static str,
    /// The bodies or joints it is about.
    pub(crate) names: Vec<String>,
    pub(crate) text: String,
    pub(crate) hint: String,
}

/// Everything suspicious about a scene that was read from `source`.
pub(crate) fn all(
    scene: &Scene,
    source: &str,
    structure: &Structure,
    diagnosis: &Diagnosis,
) -> Result<Vec<Warning>, Failure> {
    let world = &scene.world;
    let errors = world.constraint_errors()?;
    let mut warnings = Vec::new();
    let is_closable = diagnosis.closure != Closure::Contradictory;
    warnings.extend(open(&errors, source, is_closable));
    warnings.extend(adrift(&errors));
    warnings.extend(free(world, structure));
    warnings.extend(mass_ratio(world));
    warnings.extend(millimeters(world));
    warnings.extend(far(world));
    warnings.extend(still(world, &errors));
    warnings.extend(not_granted(world));
    warnings.extend(pushes_nothing(world));
    warnings.extend(needs_momentum(world));
    warnings.extend(unknown_groups(scene));
    Ok(warnings)
}

/// Joints that are open before the first step: what a run says too.
pub(crate) fn open_at_start(world: &World, source: &str) -> Result<Option<Warning>, Failure> {
    let Some(mut warning) = open(&world.constraint_errors()?, source, true) else {
        return Ok(None);
    };
    if let Closing::Contradicts(residuals) = Closing::of(world)? {
        let best = listed(&residuals).join(", ");
        warning.text += &format!("; joints contradict each other; at best these stay open: {best}");
        warning.hint = CONTRADICTORY.to_owned();
    }
    Ok(Some(warning))
}

fn open(errors: &[ConstraintError], source: &str, is_closable: bool) -> Option<Warning> {
    let size = |error: &ConstraintError| error.position.max(error.angle).max(error.other);
    let mut open: Vec<_> = errors
        .iter()
        .filter(|error| error.priority == 0 && size(error) > OPEN)
        .collect();
    open.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let first = open.first()?;
    let each = |error: &&ConstraintError| {
        let mut parts = Vec::new();
        if error.position > OPEN {
            parts.push(format!("{} m", short(error.position)));
        }
        if error.angle > OPEN {
            parts.push(format!("{} degrees", short(error.angle.to_degrees())));
        }
        if error.other > OPEN {
            parts.push(short(error.other));
        }
        format!("\"{}\" by {}", escaped(&error.label), parts.join(" and "))
    };
    const SHOWN: usize = 6;
    let mut text = match open.len() {
        1 => format!("a joint is open: {}", each(first)),
        n => {
            let shown: Vec<String> = open.iter().take(SHOWN).map(each).collect();
            format!("{n} joints are open: {}", shown.join(", "))
        }
    };
    if open.len() > SHOWN {
        text += &format!(" and {} more", open.len() - SHOWN);
    }
    let assemble = format!("linkwork assemble {source} -o closed.json");
    Some(Warning {
        kind: "open-joint",
        names: open.iter().map(|error| error.label.clone()).collect(),
        text,
        hint: match is_closable {
            true => format!("`{assemble}` moves the parts until all joints hold"),
            false => "no pose closes them all: see the contradictory joints".into(),
        },
    })
}

/// Drives and other joints that ask for speeds the bodies do not have.
fn adrift(errors: &[ConstraintError]) -> Option<Warning> {
    let size = |error: &ConstraintError| {
        let rate = error.position_rate.max(error.angle_rate);
        rate.max(error.other_rate)
    };
    let adrift = errors
        .iter()
        .filter(|error| error.priority == 0 && size(error) > ADRIFT);
    let adrift: Vec<&str> = adrift.map(|error| error.label.as_str()).collect();
    (!adrift.is_empty()).then(|| Warning {
        kind: "speeds",
        names: adrift.iter().map(|&name| name.to_owned()).collect(),
        text: format!(
            "bodies do not start with the velocities that joints require: {}",
            names(&adrift)
        ),
        hint: "leave out all velocities to start as the drives require; otherwise the first step corrects them with a jerk"
            .into(),
    })
}

/// Bodies that no joint holds; what collides is held by what it meets.
fn free(world: &World, structure: &Structure) -> Option<Warning> {
    let meets = |name: &&String| {
        let body = world.find_body(name);
        let colliders = body.and_then(|body| world.colliders(body).ok());
        colliders.is_some_and(|own| own.iter().any(|own| !own.is_sensor))
    };
    let free = structure.free.iter().filter(|name| !meets(name));
    let free: Vec<String> = free.cloned().collect();
    (!free.is_empty()).then(|| Warning {
        kind: "free-body",
        names: free.clone(),
        text: match free.len() {
            1 => format!("body {} is joined to nothing", names(&free)),
            n => format!("{n} bodies are joined to nothing: {}", names(&free)),
        },
        hint: match free.len() {
            1 => "join it, or leave it free".into(),
            _ => "join them, or leave them free".into(),
        },
    })
}

fn mass_ratio(world: &World) -> Option<Warning> {
    let mut masses = Vec::new();
    for record in world.bodies().iter().filter(|record| record.enabled()) {
        let q = world.q(record.id()).ok()?;
        let (mass, _) = record.body().center_of_mass(q);
        if mass > 0.0 {
            masses.push((mass, record.label()));
        }
    }
    let order = |a: &&(f64, &str), b: &&(f64, &str)| a.0.total_cmp(&b.0);
    let (light, heavy) = (masses.iter().min_by(order)?, masses.iter().max_by(order)?);
    (heavy.0 / light.0 > MASS_RATIO).then(|| Warning {
        kind: "mass-ratio",
        names: vec![light.1.to_owned(), heavy.1.to_owned()],
        text: format!(
            "\"{}\" has {} kg and \"{}\" {} kg: {:.0e} times as much",
            escaped(heavy.1),
            short(heavy.0),
            escaped(light.1),
            short(light.0),
            heavy.0 / light.0
        ),
        hint: "masses are in kg and densities in kg/m³; results lose that many digits".into(),
    })
}

fn millimeters(world: &World) -> Option<Warning> {
    let mut sizes = Vec::new();
    let bodies = world
        .bodies()
        .iter()
        .filter(|record| !record.v_range().is_empty());
    for record in bodies.clone() {
        let sites = world
            .constraints()
            .iter()
            .flat_map(ConstraintRecord::connectors);
        // A world of many bodies is told by its shapes: looking for sites costs the square.
        let reach = (world.bodies().len() < 200).then(|| {
            let own = sites.filter(|connector| connector.is_on(record.id()));
            let reaches = own.filter_map(|connector| reach(world, connector));
            reaches.fold(0.0, f64::max)
        });
        let size = radius(record).unwrap_or(0.0).max(reach.unwrap_or(0.0));
        sizes.push(2.0 * size);
    }
    let typical = median(sizes)?;
    if typical > LARGE {
        return Some(Warning {
            kind: "units",
            names: bodies.map(|record| record.label().to_owned()).collect(),
            text: format!(
                "a typical body is {} m large: are lengths in millimeters?",
                short(typical)
            ),
            hint: "lengths are in meters: 120 mm is 0.12".into(),
        });
    }
    let field = gravity(world)?;
    (field > 1000.0).then(|| Warning {
        kind: "units",
        names: vec!["gravity".to_owned()],
        text: format!("gravity is {} m/s²: is it in mm/s²?", short(field)),
        hint: "on Earth it is 9.81 m/s²".into(),
    })
}

/// Joints with an `at` are closed wherever that is, also far away from the bodies.
fn far(world: &World) -> Option<Warning> {
    let mut far = Vec::new();
    for record in world.constraints().iter().filter(|record| record.enabled()) {
        // What slides may sit anywhere along its axis; what turns sits on its body.
        let law: &dyn std::any::Any = record.constraint();
        let turns = law.downcast_ref::<FramePair>().is_some_and(|pair| {
            [
                FramePair::ball(),
                FramePair::hinge(),
                FramePair::universal(),
            ]
            .contains(pair)
        });
        if !turns {
            continue;
        }
        for connector in record.connectors() {
            let Some((body, site)) = connector.place() else {
                continue;
            };
            let Ok(body) = world.body_record(body) else {
                continue;
            };
            if let (Some(radius), Some(gap)) = (radius(body), outside(body, &site))
                && gap > FAR * 2.0 * radius
            {
                far.push((record.label().to_owned(), body.label().to_owned(), gap));
            }
        }
    }
    let (joint, body, gap) = far.first()?;
    let more = match far.len() - 1 {
        0 => String::new(),
        n => format!(", and {n} more such joints"),
    };
    Some(Warning {
        kind: "far-joint",
        names: far.iter().map(|(joint, ..)| joint.clone()).collect(),
        text: format!(
            "joint \"{}\" is {} m away from the body \"{}\"{more}",
            escaped(joint),
            short(*gap),
            escaped(body)
        ),
        hint: "check its position; it holds the body as if by a massless arm".into(),
    })
}

/// Joints whose force moves nothing of what they hold: what a run says too.
pub(crate) fn pushes_nothing(world: &World) -> Option<Warning> {
    let found = powerless(world);
    let label = |record: &&ConstraintRecord| found.contains(&record.id());
    let records = world.constraints().iter().filter(label);
    let joints: Vec<&str> = records.map(ConstraintRecord::label).collect();
    (!joints.is_empty()).then(|| Warning {
        kind: "powerless",
        names: joints.iter().map(|&name| name.to_owned()).collect(),
        text: format!(
            "the force of \"pushes\" moves no body that it must hold: {}; bodies that depend on it stand still",
            names(&joints)
        ),
        hint: "let it push on the held body, not at right angles to its possible motion".into(),
    })
}

/// Joints with a bounded force in a world that only closes joints, where they do nothing: what a run says too.
pub(crate) fn needs_momentum(world: &World) -> Option<Warning> {
    if world.dynamics() != Dynamics::Assembly {
        return None;
    }
    let is_idle = |record: &&ConstraintRecord| {
        record.enabled() && matches!(record.constraint().bound(), Some(Bound::Force { .. }))
    };
    let records = world.constraints().iter().filter(is_idle);
    let joints: Vec<&str> = records.map(ConstraintRecord::label).collect();
    (!joints.is_empty()).then(|| Warning {
        kind: "needs-momentum",
        names: joints.iter().map(|&name| name.to_owned()).collect(),
        text: format!(
            "bounded motors, dry friction and ratchets have no effect in a world that only closes joints: {}",
            names(&joints)
        ),
        hint: "use \"dynamics\": \"second-order\" or \"first-order\", or a motor without a bound".into(),
    })
}

/// Names in "not_with" that no body has and no group: what a run says too.
pub(crate) fn unknown_groups(scene: &Scene) -> Option<Warning> {
    let (mut known, mut named) = (0, 0);
    for record in scene.world.bodies() {
        let colliders = scene.world.colliders(record.id()).unwrap_or_default();
        for collider in colliders {
            (known, named) = (known | collider.groups, named | collider.not_with);
        }
    }
    let groups = scene.groups.iter().enumerate();
    let unknown = groups.filter(|(at, _)| named & !known & (2 << at) != 0);
    let unknown: Vec<&str> = unknown.map(|(_, name)| name.as_str()).collect();
    (!unknown.is_empty()).then(|| Warning {
        kind: "unknown-group",
        names: unknown.iter().map(|&name| name.to_owned()).collect(),
        text: format!(
            "\"not_with\" names what no colliding body is called and none is a member of: {}",
            names(&unknown)
        ),
        hint: "give the name of a body, or of a group in \"member_of\"".into(),
    })
}

/// Nothing pulls, nothing drives, nothing moves.
fn still(world: &World, errors: &[ConstraintError]) -> Option<Warning> {
    let at_rest = world.state().v.iter().all(|v| *v == 0.0);
    let pulled = world.behaviors().iter().any(BehaviorRecord::enabled)
        || !world.grips().is_empty()
        || world
            .bodies()
            .iter()
            .any(|record| record.v_range().is_empty());
    let soft = world
        .constraints()
        .iter()
        .any(|record| record.compliance().iter().any(|alpha| *alpha > 0.0));
    let asked = errors.iter().any(|error| error.size() > OPEN);
    let deformable = errors.is_empty() && world.bodies().is_empty();
    (at_rest && !pulled && !soft && !asked && !deformable).then(|| Warning {
        kind: "nothing-moves",
        names: Vec::new(),
        text: "nothing will move: there is no gravity, no force, no drive and no velocity".into(),
        hint: "for gravity give \"world\": { \"gravity\": [0, -9.81, 0] }".into(),
    })
}

fn gravity(world: &World) -> Option<f64> {
    let behaviors = world.behaviors().iter().filter(|record| record.enabled());
    behaviors
        .filter_map(|record| {
            let law: &dyn std::any::Any = record.behavior();
            law.downcast_ref::<Gravity>()
        })
        .map(|gravity| norm(gravity.acceleration_world))
        .next()
}
