//! Which links become bodies: those that cannot be one are merged with others, exactly if possible.
//!
//! A body needs a mass. So a link without one
//!
//! - that is fixed to its parent becomes a part of the parent, and so does one with next to none, or whose parent has;
//! - that carries one other link through freedoms of its own hands these on: its freedoms come
//!   first among those of the link it carries, seen from there;
//! - that carries nothing, or more than one link, loses its freedoms, and that is reported.

use linkwork::body::{MassProperties, Pose};
use linkwork::math::Quat;
use linkwork_scene::Fault;

use crate::model::Model;
use crate::place::{HERE, back, point, then, turn};
use crate::report::Notes;

/// What became of each link.
#[derive(Debug)]
pub(crate) struct Merged {
    /// The link that is its body, and where it stands in that body's frame; none when it was a
    /// massless carrier.
    pub(crate) body: Vec<Option<(usize, Pose)>>,
}

impl Merged {
    /// A place on a link as a place on its body; none on a massless carrier.
    pub(crate) fn spot(&self, link: Option<usize>, at: &Pose) -> Option<(Option<usize>, Pose)> {
        let Some(link) = link else {
            return Some((None, *at));
        };
        let (body, pose) = self.body[link].as_ref()?;
        Some((Some(*body), then(pose, at)))
    }
}

/// Merges what must be merged, and with `fixed` everything that is fixed to its parent.
///
/// Afterwards the parents of links that are bodies are bodies.
pub(crate) fn merge(model: &mut Model, fixed: bool, notes: &mut Notes) -> Result<Merged, Fault> {
    let n = model.links.len();
    let mut merged = Merged {
        body: (0..n).map(|link| Some((link, HERE))).collect(),
    };
    // Children first: what is fixed to a link counts as its own by the time the link is judged.
    for link in (0..n).rev() {
        if !model.links[link].freedoms.is_empty() {
            if massless(model, link) {
                carry(model, &mut merged, link, notes)?;
            }
        } else if let Some(parent) = model.links[link].parent
            && (fixed || is_light(model, link, parent))
        {
            absorb(model, &mut merged, link, parent)?;
            let name = model.links[link].name.as_str();
            let kind = match notes.is_lost(name) {
                true => "fixed to its parent and merged with it, without its mass",
                false => "fixed to its parent and merged with it, exactly",
            };
            notes.read(kind, name);
        }
    }
    Ok(merged)
}

/// The part of the mass of what it is fixed to below which a link is merged with it. That is exact; a weld between them
/// would only cost digits and steps. Files give links a milligram or a gram where they may have no mass.
const LIGHT: f64 = 1e-2;

/// Whether one of two links, fixed to each other, is nothing beside the other.
fn is_light(model: &Model, link: usize, parent: usize) -> bool {
    let mass = |link: usize| model.links[link].mass.map_or(0.0, |own| own.mass);
    let (a, b) = (mass(link), mass(parent));
    massless(model, link) || massless(model, parent) || a.min(b) < LIGHT * a.max(b)
}

fn massless(model: &Model, link: usize) -> bool {
    model.links[link].mass.is_none()
}

/// Makes `link` a part of `parent`.
fn absorb(model: &mut Model, merged: &mut Merged, link: usize, parent: usize) -> Result<(), Fault> {
    let place = model.links[link].place;
    let own = model.links[link].mass.take();
    let theirs = model.links[parent].mass.take();
    // One force lifts both, at their center: by the part of the weight of both.
    let weight = |mass: &Option<MassProperties>| mass.map_or(0.0, |own| own.mass);
    let (m, m_parent) = (weight(&own), weight(&theirs));
    if m + m_parent > 0.0 {
        let both = m * model.links[link].lifted + m_parent * model.links[parent].lifted;
        model.links[parent].lifted = both / (m + m_parent);
    }
    model.links[parent].mass = match (theirs, own) {
        (Some(theirs), Some(own)) => Some(sum(&theirs, &own.placed(&place))),
        (theirs, own) => theirs.or(own.map(|own| own.placed(&place))),
    };
    let mut parts = std::mem::take(&mut model.links[link].draw);
    let mut touch = std::mem::take(&mut model.links[link].touch);
    for part in parts.iter_mut().chain(&mut touch.solids) {
        let pose = Pose {
            position: part.get("position").unwrap_or([0.0; 3]),
            rotation: part.get("quaternion").unwrap_or(HERE.rotation),
        };
        let pose = then(&place, &pose);
        part.set("position", pose.position)?;
        part.set("quaternion", pose.rotation)?;
    }
    model.links[parent].draw.append(&mut parts);
    model.links[parent].touch.add(touch);
    for child in model
        .links
        .iter_mut()
        .filter(|own| own.parent == Some(link))
    {
        child.parent = Some(parent);
        child.place = then(&place, &child.place);
    }
    for body in merged
        .body
        .iter_mut()
        .flatten()
        .filter(|(own, _)| *own == link)
    {
        *body = (parent, then(&place, &body.1));
    }
    Ok(())
}

/// Two parts of one body. Of what either may lack (a moment of zero), the sum is judged later.
pub(crate) fn sum(a: &MassProperties, b: &MassProperties) -> MassProperties {
    let mass = a.mass + b.mass;
    let com = std::array::from_fn(|k| (a.mass * a.com_body[k] + b.mass * b.com_body[k]) / mass);
    let mut inertia = [0.0; 6];
    for part in [a, b] {
        let [x, y, z]: [f64; 3] = std::array::from_fn(|k| part.com_body[k] - com[k]);
        // m·(|r|²·1 − r·rᵀ)
        let steiner = [
            y * y + z * z,
            x * x + z * z,
            x * x + y * y,
            -x * y,
            -x * z,
            -y * z,
        ];
        for k in 0..6 {
            inertia[k] += part.inertia_body[k] + part.mass * steiner[k];
        }
    }
    MassProperties {
        mass,
        com_body: com,
        inertia_body: inertia,
    }
}

/// Does away with a link that moves and has no mass.
fn carry(
    model: &mut Model,
    merged: &mut Merged,
    link: usize,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let parent = model.links[link].parent;
    let carried: Vec<usize> = (0..model.links.len())
        .filter(|&child| model.links[child].parent == Some(link))
        .filter(|&child| matches!(merged.body[child], Some((own, _)) if own == child))
        .collect();
    let name = model.links[link].name.clone();
    let [child] = carried[..] else {
        let why = if carried.is_empty() {
            "no mass and carries nothing: locked to its parent"
        } else {
            "no mass and carries more than one link: locked to its parent"
        };
        notes.refuse(&format!("freedoms of a link that has {why}"), name);
        model.links[link].freedoms.clear();
        if let Some(parent) = parent {
            absorb(model, merged, link, parent)?;
        }
        return Ok(());
    };
    // place·motion·place_child = (place·place_child)·(place_child⁻¹·motion·place_child).
    let place_child = model.links[child].place;
    let seen_from_child = back(&place_child);
    let mut freedoms = std::mem::take(&mut model.links[link].freedoms);
    for &freedom in &freedoms {
        let freedom = &mut model.freedoms[freedom];
        freedom.axis = turn(&seen_from_child, freedom.axis);
        freedom.point = point(&seen_from_child, freedom.point);
        freedom.turn = then(&then(&seen_from_child, &turned(freedom.turn)), &place_child).rotation;
    }
    freedoms.append(&mut model.links[child].freedoms);
    let place = then(&model.links[link].place, &place_child);
    let child = &mut model.links[child];
    child.freedoms = freedoms;
    child.parent = parent;
    child.place = place;
    merged.body[link] = None;
    notes.read(
        "no mass: its freedoms are those of the link it carries",
        &name,
    );
    if !model.links[link].draw.is_empty() {
        notes.refuse("drawing of a link without mass", name);
    }
    Ok(())
}

/// A rotation as a pose.
fn turned(rotation: Quat) -> Pose {
    Pose {
        position: [0.0; 3],
        rotation,
    }
}
