//! From a robot to a scene file: bodies where they start, joints, springs and dampers, closures.

use linkwork::body::{MassProperties, Pose};
use linkwork::math::{Vec3, add, cross, norm, scale, sub};
use linkwork_scene::Fault;
use linkwork_scene::format::{
    BodyEntry, BodyView, ConnectorEntry, ConnectorRef, Document, JointEntry, VERSION,
};
use serde_json::{Value, json};

use crate::ImportOptions;
use crate::bounds::write_bounds;
use crate::entries::{connector, entry, point_connector};
use crate::forces::write_forces;
use crate::merge::{Merged, sum};
use crate::model::{ClosureKind, Freedom, FreedomKind, Link, Model};
use crate::names::Names;
use crate::pairs::{Measure, Pair, pair};
use crate::place::{HERE, point, then, turn};
use crate::report::Notes;
use crate::touch::write_touch;

/// What a carrier between two joints of one link takes of the link's mass.
///
/// Trees are eliminated from their leaves: the link is folded into the carrier before that is divided by, so
/// a small share loses no digits. It is as small as joints in loops bear, which are not.
const CARRIER_SHARE: f64 = 1e-9;

/// The same where limits, friction or motors act on a carrier: what they do to it is found by differences, which
/// lose as many digits as it is lighter than what it carries.
const BOUNDED_SHARE: f64 = 1e-6;

/// Writes the scene of a robot whose links were merged.
pub(crate) fn write(
    model: &Model,
    merged: &Merged,
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<Document, Fault> {
    let mut document = Document {
        linkwork: VERSION,
        name: model.name.clone(),
        ..Document::default()
    };
    if norm(model.gravity) == 0.0 {
        document.view.up = Some([0.0, 0.0, 1.0]);
    }
    let n = model.links.len();
    let mut writer = Writer {
        model,
        merged,
        document,
        stands: vec![None; n],
        motions: vec![Moving::STILL; n],
        measured: vec![None; model.freedoms.len()],
        joints: Names::default(),
        bodies: Names::of_bodies(),
        armature: options.armature,
        has_motor: vec![false; model.freedoms.len()],
        world: json!({ "gravity": model.gravity }),
    };
    for link in 0..n {
        if matches!(merged.body[link], Some((own, _)) if own == link) {
            writer.link(link, notes)?;
        }
    }
    writer.merged_links()?;
    write_forces(&mut writer, notes)?;
    write_bounds(&mut writer, notes)?;
    writer.followers(notes)?;
    writer.closures(notes)?;
    let extra = writer.extra(notes);
    extra.map_err(|fault| fault.in_file(&model.extra_file))?;
    let mut apart = None;
    if options.contacts {
        apart = Some(write_touch(&mut writer, options.floor, notes)?);
    } else if model.links.iter().any(|own| !own.touch.solids.is_empty()) {
        notes.refuse("contacts, as asked for", "");
    }
    let mut document = writer.document;
    document.world = entry(writer.world)?;
    if let Some(apart) = apart {
        apart.keep_overlaps(&mut document, notes)?;
    }
    Ok(document)
}

/// The scene so far.
pub(crate) struct Writer<'a> {
    pub(crate) model: &'a Model,
    merged: &'a Merged,
    pub(crate) document: Document,
    /// Of each link: the name of its body, and where it stands on it.
    stands: Vec<Option<(String, Pose)>>,
    motions: Vec<Moving>,
    /// Of each freedom: the frames between which its coordinate is measured.
    pub(crate) measured: Vec<Option<Measured>>,
    pub(crate) joints: Names,
    pub(crate) bodies: Names,
    /// Whether joints have armatures.
    pub(crate) armature: bool,
    /// Of each freedom: whether its motor is written.
    pub(crate) has_motor: Vec<bool>,
    /// World options.
    pub(crate) world: Value,
}

/// A freedom's coordinate in the scene.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) a: ConnectorEntry,
    pub(crate) b: ConnectorEntry,
    /// What the coordinate is, where it is one number.
    pub(crate) measure: Option<Measure>,
}

impl Measured {
    /// The word for the coordinate in a coupling; none where there is no one number.
    pub(crate) fn word(&self) -> Option<&'static str> {
        let measure = self.measure?;
        Some(if measure.length { "length" } else { "angle" })
    }
}

/// A link's frame on its way.
#[derive(Clone, Copy, Debug)]
struct Moving {
    pose: Pose,
    /// Of the origin.
    velocity: Vec3,
    omega: Vec3,
}

impl Moving {
    const STILL: Self = Self {
        pose: HERE,
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };

    /// A frame that stands at `pose` on this one.
    fn carrying(&self, pose: &Pose) -> Self {
        let pose = then(&self.pose, pose);
        Self {
            pose,
            velocity: self.velocity_at(pose.position),
            omega: self.omega,
        }
    }

    fn velocity_at(&self, place: Vec3) -> Vec3 {
        let arm = sub(place, self.pose.position);
        add(self.velocity, cross(self.omega, arm))
    }

    /// The frame after one freedom has moved it.
    fn moved(&self, freedom: &Freedom) -> Self {
        let rates = freedom.rates;
        let rate = [rates[0], rates[1], rates[2]];
        let pose = then(&self.pose, &freedom.motion());
        let (anchor, axis) = (
            point(&self.pose, freedom.point),
            turn(&self.pose, freedom.axis),
        );
        let spin = match freedom.kind {
            FreedomKind::Slide => {
                let velocity = self.velocity_at(pose.position);
                return Self {
                    pose,
                    velocity: add(velocity, scale(rate[0], axis)),
                    omega: self.omega,
                };
            }
            FreedomKind::Free => {
                let pose = freedom.pose.unwrap_or(pose);
                let omega = turn(&pose, [rates[3], rates[4], rates[5]]);
                return Self {
                    pose,
                    velocity: rate,
                    omega,
                };
            }
            FreedomKind::Hinge => scale(rate[0], axis),
            FreedomKind::Ball => turn(&pose, rate),
        };
        // The anchor stays where it is on both sides.
        let omega = add(self.omega, spin);
        let arm = sub(pose.position, anchor);
        Self {
            pose,
            velocity: add(self.velocity_at(anchor), cross(omega, arm)),
            omega,
        }
    }
}

impl Writer<'_> {
    /// A place on a link in the scene: the name of a body, and where on it.
    pub(crate) fn stand(&self, link: Option<usize>, at: &Pose) -> Option<(String, Pose)> {
        let Some(link) = link else {
            return Some(("ground".to_owned(), *at));
        };
        let (body, pose) = self.merged.spot(Some(link), at)?;
        let (name, offset) = self.stands[body?].as_ref()?;
        Some((name.clone(), then(offset, &pose)))
    }

    /// Writes a link, its joint to its parent, and carriers between where it has several joints.
    fn link(&mut self, index: usize, notes: &mut Notes) -> Result<(), Fault> {
        let link = &self.model.links[index];
        let base = link
            .parent
            .map_or(Moving::STILL, |parent| self.motions[parent]);
        let mut motion = base.carrying(&link.place);
        let Some(mass) = &link.mass else {
            // Only what is fixed to the ground has no mass here.
            self.motions[index] = motion;
            return self.scenery(index);
        };
        let mut mass = *mass;
        if let Some(Freedom { armature: a, .. }) = self.free_armature(link) {
            mass = sum(&mass, &MassProperties::centered(*a, [*a; 3]));
        }
        let mut side = self.stand(link.parent, &link.place);
        let segments = segments(self.model, &link.freedoms);
        let n_carriers = segments.len() - 1;
        let mut freedoms = link.freedoms.iter().map(|&own| &self.model.freedoms[own]);
        let carrier_share = match freedoms.any(Freedom::is_bounded) {
            true => BOUNDED_SHARE,
            false => CARRIER_SHARE,
        };
        if n_carriers > 0 {
            let kind = format!(
                "several joints of one body: each carrier between them has {carrier_share:e} of the mass"
            );
            notes.approximate(&kind, &link.name);
        }
        for (i, (freedoms, pair)) in segments.iter().enumerate() {
            for &freedom in freedoms {
                motion = motion.moved(&self.model.freedoms[freedom]);
            }
            let is_link = i == n_carriers;
            let name = if is_link {
                link.name.clone()
            } else {
                format!("{} carrier {}", link.name, i + 1)
            };
            let share = if is_link {
                1.0 - carrier_share * n_carriers as f64
            } else {
                carrier_share
            };
            let name = self.bodies.unique(&name);
            let body = rigid(&name, &mass, share, &motion)?;
            self.document.bodies.push(body);
            if let Some(side) = &side {
                self.joint(index, freedoms, pair, side, &name)?;
            }
            if freedoms.len() == 3 && pair.kind == Some("ball") {
                let kind = "three hinges through one point: a ball, their angles are not kept";
                notes.approximate(kind, &link.name);
            }
            side = Some((name, HERE));
        }
        if let (Some(free), Some((body, _))) = (self.free_armature(link), &side) {
            let weight = scale(free.armature, self.model.gravity);
            let without = entry(json!({
                "name": format!("armature of {}", free.name),
                "type": "force",
                "on": { "body": body, "point": [0.0, 0.0, 0.0] },
                "force": scale(-1.0, weight),
            }))?;
            self.document.behaviors.push(without);
        }
        if let (true, Some((body, _))) = (link.lifted != 0.0, &side) {
            let weight = scale(link.lifted * mass.mass, self.model.gravity);
            let lift = entry(json!({
                "name": format!("lift of {}", link.name),
                "type": "force",
                "on": { "body": body, "point": mass.com_body },
                "force": scale(-1.0, weight),
            }))?;
            self.document.behaviors.push(lift);
            notes.read("gravcomp as a force", &link.name);
        }
        self.motions[index] = motion;
        self.stands[index] = side;
        self.drawn(index)
    }

    /// The armature of a link's free joint: `½·a·(v² + ω²)` of its origin. That is mass, but for its weight.
    fn free_armature(&self, link: &Link) -> Option<&Freedom> {
        let mut own = link.freedoms.iter().map(|&own| &self.model.freedoms[own]);
        own.find(|own| own.kind == FreedomKind::Free && own.armature > 0.0)
            .filter(|_| self.armature)
    }

    /// A link that is fixed to the ground and has no mass: it is drawn, or it is the ground.
    fn scenery(&mut self, index: usize) -> Result<(), Fault> {
        let link = &self.model.links[index];
        let pose = self.motions[index].pose;
        if link.draw.is_empty() {
            self.stands[index] = Some(("ground".to_owned(), pose));
            return Ok(());
        }
        let name = self.bodies.unique(&link.name);
        let body = entry(json!({
            "name": name,
            "type": "kinematic",
            "motion": { "type": "fixed" },
            "position": pose.position,
            "quaternion": pose.rotation,
        }))?;
        self.document.bodies.push(body);
        self.stands[index] = Some((name, HERE));
        self.drawn(index)
    }

    fn drawn(&mut self, index: usize) -> Result<(), Fault> {
        let draw = &self.model.links[index].draw;
        if let Some(body) = self.document.bodies.last_mut()
            && !draw.is_empty()
        {
            let view: BodyView = entry(json!({ "draw": draw }))?;
            body.set("view", view)?;
        }
        Ok(())
    }

    /// Writes a joint between a side that is there and a body that was just written.
    fn joint(
        &mut self,
        link: usize,
        freedoms: &[usize],
        pair: &Pair,
        side: &(String, Pose),
        body: &str,
    ) -> Result<(), Fault> {
        let wanted = match freedoms {
            [freedom, ..] => self.model.freedoms[*freedom].name.clone(),
            [] => match &self.model.links[link].joint {
                Some(name) => name.clone(),
                None => format!("{body} to {}", side.0),
            },
        };
        let name = self.joints.unique(&wanted);
        let ends = |frame: &Pose| {
            let a = connector(&side.0, &then(&side.1, frame));
            Ok::<_, Fault>((a?, connector(body, frame)?))
        };
        for (&freedom, measure) in freedoms.iter().zip(&pair.measures) {
            let (a, b) = ends(measure.as_ref().map_or(&pair.frame, |own| &own.frame))?;
            let from_link = measure.is_some_and(|own| own.from_link);
            let (a, b) = if from_link { (b, a) } else { (a, b) };
            self.measured[freedom] = Some(Measured {
                a,
                b,
                measure: *measure,
            });
        }
        let Some(kind) = pair.kind else {
            return Ok(());
        };
        let (a, b) = ends(&pair.frame)?;
        let mut joint = json!({ "name": name, "type": kind, "a": a, "b": b });
        if let ([freedom], true) = (freedoms, self.armature) {
            let Freedom { kind, armature, .. } = self.model.freedoms[*freedom];
            if kind.is_one_number() && armature > 0.0 {
                joint["armature"] = json!(armature);
            }
        }
        if let [freedom] = freedoms {
            let Freedom { kind, motor, .. } = self.model.freedoms[*freedom];
            let turns = kind == FreedomKind::Hinge;
            if let Some(motor) = motor.and_then(|own| own.entry(turns)) {
                joint["motor"] = motor;
                self.has_motor[*freedom] = true;
            }
        }
        if kind == "ball" {
            let stiffness: f64 = freedoms
                .iter()
                .map(|&own| self.model.freedoms[own].stiffness)
                .sum();
            if stiffness > 0.0 {
                // Soft in its three rotations, hard in its translations: λ = −k·φ.
                joint["type"] = json!("weld");
                let soft = 1.0 / stiffness;
                joint["compliance"] = json!([0.0, 0.0, 0.0, soft, soft, soft]);
            } else {
                joint["a"] = json!(point_connector(&a));
                joint["b"] = json!(point_connector(&b));
            }
        }
        self.document.joints.push(entry(joint)?);
        Ok(())
    }

    /// The name of the body that a link is, if it is one.
    pub(crate) fn body_of(&self, link: usize) -> Option<String> {
        let is_body = matches!(self.merged.body[link], Some((own, _)) if own == link);
        let (name, _) = self.stands[link].as_ref().filter(|_| is_body)?;
        (name != "ground").then(|| name.clone())
    }

    /// Where a link starts.
    pub(crate) fn pose_of(&self, link: usize) -> Pose {
        self.motions[link].pose
    }

    /// Whether bodies of no weight are between a link and its parent.
    pub(crate) fn has_carriers(&self, link: usize) -> bool {
        segments(self.model, &self.model.links[link].freedoms).len() > 1
    }

    /// Adds a joint of this name, or the next free one.
    pub(crate) fn add_joint(&mut self, name: &str, mut joint: Value) -> Result<(), Fault> {
        joint["name"] = json!(self.joints.unique(name));
        self.document.joints.push(entry(joint)?);
        Ok(())
    }

    /// Names the frames of links that are parts of other bodies.
    fn merged_links(&mut self) -> Result<(), Fault> {
        for (index, link) in self.model.links.iter().enumerate() {
            let is_body = matches!(self.merged.body[index], Some((own, _)) if own == index);
            if is_body || self.merged.body[index].is_none() {
                continue;
            }
            if let Some((body, pose)) = self.stand(Some(index), &HERE) {
                let mut named = connector(&body, &pose)?;
                named.name = Some(self.bodies.unique(&link.name));
                self.document.connectors.push(named);
            }
        }
        Ok(())
    }

    fn followers(&mut self, notes: &mut Notes) -> Result<(), Fault> {
        for follower in &self.model.followers {
            let measured = |freedom: usize| self.measured[freedom].clone();
            let Some((y, word_y)) =
                measured(follower.following).and_then(|own| Some((own.clone(), own.word()?)))
            else {
                notes.refuse(NOT_ONE_NUMBER, &follower.name);
                continue;
            };
            let mut joint = match follower.leading {
                None => json!({
                    "type": if word_y == "length" { "length-drive" } else { "angle-drive" },
                    "a": y.a,
                    "b": if word_y == "length" { point_connector(&y.b) } else { y.b },
                    "function": {
                        "type": "constant",
                        "value": follower.coefficients.first().copied().unwrap_or(0.0),
                    },
                }),
                Some(leading) => {
                    let Some((x, word_x)) =
                        measured(leading).and_then(|own| Some((own.clone(), own.word()?)))
                    else {
                        notes.refuse(NOT_ONE_NUMBER, &follower.name);
                        continue;
                    };
                    json!({
                        "type": "coupling",
                        "connectors": [x.a, x.b, y.a, y.b],
                        "coordinates": [word_x, word_y],
                        "coefficients": follower.coefficients,
                    })
                }
            };
            joint["enabled"] = json!(follower.enabled);
            self.add_joint(&follower.name, joint)?;
        }
        Ok(())
    }

    fn closures(&mut self, notes: &mut Notes) -> Result<(), Fault> {
        for closure in &self.model.closures {
            let stand = |side: usize| {
                let (link, pose) = &closure.sides[side];
                self.stand(*link, pose)
            };
            let (Some(a), Some(b)) = (stand(0), stand(1)) else {
                notes.refuse("closure of a link without mass", &closure.name);
                continue;
            };
            if a.0 == b.0 {
                notes.refuse("closure between parts of one body", &closure.name);
                continue;
            }
            let (a, b) = (connector(&a.0, &a.1)?, connector(&b.0, &b.1)?);
            let (p, q) = (point_connector(&a), point_connector(&b));
            let mut joint = match closure.kind {
                ClosureKind::Ball => json!({ "type": "ball", "a": p, "b": q }),
                ClosureKind::Hinge => json!({ "type": "hinge", "a": a, "b": b }),
                ClosureKind::Weld => json!({ "type": "weld", "a": a, "b": b }),
                ClosureKind::Spring(stiffness, rest_length, damping) => json!({
                    "type": "spring",
                    "a": p,
                    "b": q,
                    "stiffness": stiffness,
                    "rest_length": rest_length,
                    "damping": damping,
                }),
            };
            joint["enabled"] = json!(closure.enabled);
            self.add_joint(&closure.name, joint)?;
        }
        Ok(())
    }

    /// Joints of the file beside the model: links become places on bodies.
    fn extra(&mut self, notes: &mut Notes) -> Result<(), Fault> {
        for joint in &self.model.extra {
            let mut joint: JointEntry = joint.clone();
            let name = joint.name.clone();
            for side in joint.sides_mut() {
                self.translate(side, &name)?;
            }
            joint.name = self.joints.unique(&joint.name);
            notes.read("closures of the file beside the model", &joint.name);
            self.document.joints.push(joint);
        }
        Ok(())
    }

    fn translate(&self, side: &mut ConnectorRef, joint: &str) -> Result<(), Fault> {
        let mut place = match side {
            ConnectorRef::Name(name) => ConnectorEntry {
                body: name.clone(),
                ..ConnectorEntry::default()
            },
            ConnectorRef::Inline(place) => (**place).clone(),
        };
        if place.body != "ground" {
            let path = format!("closure \"{joint}\"");
            let Some(link) = self.model.link(&place.body) else {
                let names = self.model.links.iter().map(|own| own.name.as_str());
                let fault = Fault::at(path, format!("no link is called \"{}\"", place.body));
                return Err(fault.meant(&place.body, names));
            };
            let Some((body, pose)) = self.stand(Some(link), &HERE) else {
                let problem = format!("link \"{}\" has no mass to be held by", place.body);
                return Err(Fault::at(path, problem));
            };
            crate::entries::translate(&mut place, &body, &pose, &path)?;
        }
        *side = ConnectorRef::Inline(Box::new(place));
        Ok(())
    }
}

const NOT_ONE_NUMBER: &str = "coupling of a joint that is locked or has not exactly one coordinate";

/// The freedoms of a link, cut into as few joints as can be found from the parent on.
fn segments(model: &Model, freedoms: &[usize]) -> Vec<(Vec<usize>, Pair)> {
    let mut segments = Vec::new();
    let mut rest = freedoms;
    loop {
        let found = (1..=rest.len().min(3)).rev().find_map(|n| {
            let own: Vec<&Freedom> = rest[..n].iter().map(|&own| &model.freedoms[own]).collect();
            Some((n, pair(&own)?))
        });
        match found {
            Some((n, pair)) => {
                segments.push((rest[..n].to_vec(), pair));
                rest = &rest[n..];
            }
            None => {
                if segments.is_empty()
                    && let Some(weld) = pair(&[])
                {
                    segments.push((Vec::new(), weld));
                }
                return segments;
            }
        }
        if rest.is_empty() {
            return segments;
        }
    }
}

fn rigid(
    name: &str,
    mass: &MassProperties,
    share: f64,
    motion: &Moving,
) -> Result<BodyEntry, Fault> {
    let com = point(&motion.pose, mass.com_body);
    let mut body: Value = json!({
        "name": name,
        "type": "rigid",
        "mass": share * mass.mass,
        "com": mass.com_body,
        "inertia": mass.inertia_body.map(|moment| share * moment),
        "position": motion.pose.position,
        "quaternion": motion.pose.rotation,
    });
    if norm(motion.velocity) > 0.0 || norm(motion.omega) > 0.0 {
        body["velocity"] = json!(motion.velocity_at(com));
        body["angular_velocity"] = json!(motion.omega);
    }
    entry(body)
}
