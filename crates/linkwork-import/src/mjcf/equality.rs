//! What closes loops and couples joints.
//!
//! The model's equalities are soft there and exact here.

use linkwork::body::Pose;
use linkwork::math::quat_normalize;
use linkwork_scene::Fault;

use super::Reader;
use super::defaults::{MAIN, View};
use crate::model::{Closure, ClosureKind, Follower, Spot};
use crate::place::{HERE, back, point, then};
use crate::report::Notes;
use crate::xml::Element;

impl<'a> Reader<'a, '_> {
    /// Everything in an `<equality>`.
    pub(super) fn equalities(
        &mut self,
        equalities: &'a Element,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let mut n_soft = 0;
        for (i, element) in equalities.children.iter().enumerate() {
            let name = match (element.tag.as_str(), element.has("name")) {
                (_, true) => element.text("name").unwrap_or_default().to_owned(),
                (tag, false) => format!("{tag} {}", i + 1),
            };
            let kind = match element.tag.as_str() {
                "connect" => Some(ClosureKind::Ball),
                "weld" => Some(ClosureKind::Weld),
                "joint" => None,
                "tendon" => {
                    self.coupled(element, name, notes)?;
                    continue;
                }
                _ => continue,
            };
            let view = self.defaults.view(element, "equality", MAIN)?;
            if view.has("solref") || view.has("solimp") {
                view.text("solref");
                view.text("solimp");
                n_soft += 1;
            }
            match kind {
                Some(kind) => {
                    let sides = match kind {
                        _ if view.has("site1") => {
                            [self.site(&view, "site1")?, self.site(&view, "site2")?]
                        }
                        ClosureKind::Weld => self.weld(&view)?,
                        _ => self.connect(&view)?,
                    };
                    self.model.closures.push(Closure {
                        name,
                        kind,
                        sides,
                        enabled: is_active(&view),
                    });
                }
                None => self.joints(&view, name, notes)?,
            }
        }
        if n_soft > 0 {
            notes.approximate(
                "softness of <equality> (solref, solimp): held exactly",
                format!("{n_soft} equalities"),
            );
        }
        Ok(())
    }

    /// Two points: an anchor on body1 and where that is on body2 at the reference.
    fn connect(&self, view: &View<'_>) -> Result<[Spot; 2], Fault> {
        let (a, b) = (self.named(view, "body1")?, self.named(view, "body2")?);
        let Some(anchor) = view.array("anchor")? else {
            return Err(view.element.fault("has no attribute \"anchor\""));
        };
        let [pose_a, pose_b] = self.reference(a, b);
        let anchor_b = point(&back(&pose_b), point(&pose_a, anchor));
        Ok([(a, Pose::at(anchor)), (b, Pose::at(anchor_b))])
    }

    /// Two frames: an anchor on body2 and its pose on body1, given or at the reference.
    fn weld(&self, view: &View<'_>) -> Result<[Spot; 2], Fault> {
        let (a, b) = (self.named(view, "body1")?, self.named(view, "body2")?);
        let anchor = Pose::at(view.array("anchor")?.unwrap_or([0.0; 3]));
        let given = view.array::<7>("relpose")?;
        let on_a = match given {
            Some([x, y, z, quat @ ..]) if quat.iter().any(|&w| w != 0.0) => Pose {
                position: [x, y, z],
                rotation: quat_normalize(quat),
            },
            _ => {
                let [pose_a, pose_b] = self.reference(a, b);
                then(&back(&pose_a), &then(&pose_b, &anchor))
            }
        };
        Ok([(a, on_a), (b, anchor)])
    }

    /// `joint1 = P(joint2)`, from the references of both.
    fn joints(&mut self, view: &View<'_>, name: String, notes: &mut Notes) -> Result<(), Fault> {
        let following = self.joint_named(view, "joint1")?;
        let leading = match view.has("joint2") {
            true => Some(self.joint_named(view, "joint2")?),
            false => None,
        };
        let freedoms = &self.model.freedoms;
        let mut both = [Some(following), leading].into_iter().flatten();
        if both.any(|own| !freedoms[own].kind.is_one_number()) {
            notes.refuse("equality of joints with more than one coordinate", name);
            return Ok(());
        }
        let coefficients = polynomial(view)?;
        self.couple(view, name, (following, leading), coefficients);
        Ok(())
    }

    /// One joint follows a polynomial of another, or of nothing.
    pub(super) fn couple(
        &mut self,
        view: &View<'_>,
        name: String,
        (following, leading): (usize, Option<usize>),
        mut coefficients: Vec<f64>,
    ) {
        coefficients.resize(coefficients.len().max(2), 0.0);
        self.model.followers.push(Follower {
            name,
            leading,
            following,
            coefficients,
            enabled: is_active(view),
        });
    }

    /// The poses of two links at the reference.
    pub(super) fn reference(&self, a: Option<usize>, b: Option<usize>) -> [Pose; 2] {
        [a, b].map(|link| {
            let (mut pose, mut next) = (HERE, link);
            while let Some(link) = next {
                let link = &self.model.links[link];
                pose = then(&link.place, &pose);
                next = link.parent;
            }
            pose
        })
    }

    /// The body an attribute names; the world where it is left out.
    fn named(&self, view: &View<'_>, attribute: &str) -> Result<Option<usize>, Fault> {
        match view.text(attribute) {
            None | Some("world") => Ok(None),
            Some(name) => match self.model.link(name) {
                Some(link) => Ok(Some(link)),
                None => {
                    let names = self.model.links.iter().map(|own| own.name.as_str());
                    Err(unknown(view.element, "body", name, names))
                }
            },
        }
    }

    fn joint_named(&self, view: &View<'_>, attribute: &str) -> Result<usize, Fault> {
        let name = view.need(attribute)?;
        self.model.freedom(name).ok_or_else(|| {
            let names = self.model.freedoms.iter().map(|own| own.name.as_str());
            unknown(view.element, "joint", name, names)
        })
    }

    fn site(&self, view: &View<'_>, attribute: &str) -> Result<Spot, Fault> {
        self.site_named(view.element, view.need(attribute)?)
    }

    pub(super) fn site_named(&self, element: &Element, name: &str) -> Result<Spot, Fault> {
        let found = self.sites.get(name).copied();
        found.ok_or_else(|| unknown(element, "site", name, self.sites.keys().copied()))
    }
}

fn is_active(view: &View<'_>) -> bool {
    view.text("active") != Some("false")
}

/// The coefficients of an equality, without zeros at the end.
pub(super) fn polynomial(view: &View<'_>) -> Result<Vec<f64>, Fault> {
    let given = view.numbers("polycoef")?;
    let mut coefficients = given.unwrap_or_else(|| vec![0.0, 1.0]);
    while coefficients.len() > 2 && coefficients.last() == Some(&0.0) {
        coefficients.pop();
    }
    Ok(coefficients)
}

fn unknown<'n>(
    element: &Element,
    what: &str,
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Fault {
    element
        .fault(format!("no {what} is called \"{name}\""))
        .meant(name, names)
}
