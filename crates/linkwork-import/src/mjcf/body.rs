//! Bodies inside bodies: poses, joints, masses.

use linkwork::body::{MassProperties, Pose};
use linkwork::math::{sym_rotate, unit};
use linkwork_scene::Fault;
use linkwork_scene::format::PartEntry;

use super::Reader;
use super::defaults::{MAIN, View};
use super::geom::{Geom, WORLD};
use crate::mass::given;
use crate::model::{Freedom, FreedomKind, Link, too_many};
use crate::place::{HERE, matrix, point, then, turn};
use crate::report::Notes;
use crate::touch::Touch;
use crate::xml::Element;

/// What an element is inside: a body or the world, a class, and a `<frame>` on it.
#[derive(Clone, Copy)]
struct Around<'a> {
    link: Option<usize>,
    class: &'a str,
    frame: Pose,
}

/// What the elements of one body have given so far.
#[derive(Default)]
struct Contents {
    solids: Vec<MassProperties>,
    /// What is drawn if nothing else is.
    spare: Vec<PartEntry>,
    /// Whether its mass is that of its shapes.
    from_geom: bool,
    /// Why the mass of a shape is not known.
    unknown: Option<String>,
    inertial: Option<Option<MassProperties>>,
}

impl<'a> Reader<'a, '_> {
    /// Everything in a `<worldbody>`.
    pub(super) fn world(&mut self, world: &'a Element, notes: &mut Notes) -> Result<(), Fault> {
        let around = Around {
            link: None,
            class: world.text("childclass").unwrap_or(MAIN),
            frame: HERE,
        };
        self.contents(world, around, &mut Contents::default(), notes)
    }

    /// The elements in a body, in the world, or in a `<frame>` of either.
    fn contents(
        &mut self,
        inside: &'a Element,
        around: Around<'a>,
        contents: &mut Contents,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        for child in &inside.children {
            match child.tag.as_str() {
                "body" => self.body(child, around, notes)?,
                "frame" => {
                    child.skip("name");
                    let view = self.defaults.view(child, "frame", around.class)?;
                    let pose = self.compiler.pose(&view)?;
                    let inner = Around {
                        class: child.text("childclass").unwrap_or(around.class),
                        frame: then(&around.frame, &pose),
                        ..around
                    };
                    self.contents(child, inner, contents, notes)?;
                }
                "site" => {
                    let view = self.defaults.view(child, "site", around.class)?;
                    let pose = then(&around.frame, &self.compiler.pose(&view)?);
                    if let Some(name) = child.text("name") {
                        self.sites.insert(name, (around.link, pose));
                    }
                }
                "geom" => self.geom_of(child, around, contents, notes)?,
                "joint" | "freejoint" => self.joint(child, around, notes)?,
                "inertial" => {
                    let name = around.link.map(|link| self.model.links[link].name.clone());
                    let name = name.unwrap_or_default();
                    contents.inertial = Some(self.inertial(child, around, &name, notes)?);
                }
                // Reported as not used.
                _ => {}
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        body: &'a Element,
        outside: Around<'a>,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let index = self.begin(body, outside, notes)?;
        let inside = Around {
            link: Some(index),
            class: body.text("childclass").unwrap_or(outside.class),
            frame: HERE,
        };
        let has_inertial = body.children.iter().any(|own| own.tag == "inertial");
        let mut contents = Contents {
            from_geom: self.compiler.inertia_from_geom.unwrap_or(!has_inertial),
            ..Contents::default()
        };
        self.contents(body, inside, &mut contents, notes)?;
        self.weighed(index, contents, notes);
        Ok(())
    }

    /// Gives a body the mass of its contents, and something to be seen.
    fn weighed(&mut self, index: usize, mut contents: Contents, notes: &mut Notes) {
        let draw = &mut self.model.links[index].draw;
        if draw.is_empty() {
            draw.append(&mut contents.spare);
        }
        let mass = self.mass(contents, &self.model.links[index].name, notes);
        self.model.links[index].mass = mass;
    }

    /// Adds a body without its contents. Bodies are deep in each other: what is on the stack here is not below.
    fn begin(
        &mut self,
        body: &'a Element,
        outside: Around<'a>,
        notes: &mut Notes,
    ) -> Result<usize, Fault> {
        too_many(&self.model, body)?;
        body.see();
        self.n_bodies += 1;
        let unnamed = format!("body {}", self.n_bodies);
        let wanted = body.text("name").unwrap_or(&unnamed);
        let name = self.links.unique(wanted);
        if name != wanted {
            let kind = format!("a second body \"{wanted}\"");
            notes.approximate(&format!("{kind} is called"), &name);
        }
        if body.text("mocap") == Some("true") {
            notes.approximate("body moved by motion capture: stands still", &name);
        }
        let view = self.defaults.view(body, "body", outside.class)?;
        let place = then(&outside.frame, &self.compiler.pose(&view)?);
        let index = self.model.links.len();
        self.model.links.push(Link {
            name: name.clone(),
            parent: outside.link,
            place,
            freedoms: Vec::new(),
            joint: None,
            mass: None,
            is_point: false,
            lifted: body.number("gravcomp")?.unwrap_or(0.0),
            draw: Vec::new(),
            touch: Touch::default(),
        });
        Ok(index)
    }

    fn geom_of(
        &mut self,
        geom: &'a Element,
        around: Around<'a>,
        contents: &mut Contents,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let view = self.defaults.view(geom, "geom", around.class)?;
        let name = around
            .link
            .map_or(WORLD, |link| self.model.links[link].name.as_str());
        let name = name.to_owned();
        let Geom {
            mass,
            draw,
            spare,
            unknown,
            touch,
        } = self.geom(&view, &around.frame, (&name, contents.from_geom), notes)?;
        contents.solids.extend(mass);
        contents.spare.extend(spare);
        contents.unknown = contents.unknown.take().or(unknown);
        let is_there = !draw.is_empty() || !touch.solids.is_empty();
        // What stands in the world and is not drawn as it is, is drawn as it collides.
        let draw = match around.link {
            None if draw.is_empty() => touch.solids.clone(),
            _ => draw,
        };
        let link = match around.link {
            None if is_there => Some(self.ground(geom)?),
            link => link,
        };
        if let Some(link) = link {
            self.model.links[link].draw.extend(draw);
            if !self.model.links[link].touch.add(touch) {
                let kind = "<geom> with different bits on one body: the body has all of their bits";
                notes.approximate(kind, &name);
            }
        }
        Ok(())
    }

    /// The link of what stands in the world: it is fixed and weighs nothing.
    fn ground(&mut self, geom: &Element) -> Result<usize, Fault> {
        if let Some(link) = self.ground {
            return Ok(link);
        }
        too_many(&self.model, geom)?;
        let link = self.model.links.len();
        self.model.links.push(Link {
            name: self.links.unique(WORLD),
            parent: None,
            place: HERE,
            freedoms: Vec::new(),
            joint: None,
            mass: None,
            is_point: false,
            lifted: 0.0,
            draw: Vec::new(),
            touch: Touch::default(),
        });
        self.ground = Some(link);
        Ok(link)
    }

    /// The mass of a body: its `<inertial>`, or that of its shapes.
    fn mass(&self, contents: Contents, name: &str, notes: &mut Notes) -> Option<MassProperties> {
        if !contents.from_geom {
            return contents.inertial.flatten();
        }
        if let Some(why) = contents.unknown {
            notes.lose(&why, name);
        }
        let parts: Vec<(MassProperties, Pose)> =
            contents.solids.into_iter().map(|own| (own, HERE)).collect();
        MassProperties::combine(&parts).ok()
    }

    fn inertial(
        &self,
        inertial: &'a Element,
        around: Around<'a>,
        name: &str,
        notes: &mut Notes,
    ) -> Result<Option<MassProperties>, Fault> {
        let view = self.defaults.view(inertial, "inertial", around.class)?;
        let pose = then(&around.frame, &self.compiler.pose(&view)?);
        let inertia = match inertial.array::<6>("fullinertia")? {
            Some(full) => full,
            None => {
                let [x, y, z] = inertial.array("diaginertia")?.unwrap_or([0.0; 3]);
                [x, y, z, 0.0, 0.0, 0.0]
            }
        };
        let mass = MassProperties {
            mass: inertial.number("mass")?.unwrap_or(0.0),
            com_body: pose.position,
            inertia_body: sym_rotate(&matrix(&pose), &inertia),
        };
        Ok(given(mass, name, notes))
    }

    fn joint(
        &mut self,
        joint: &'a Element,
        around: Around<'a>,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let Some(link) = around.link else {
            return Err(joint.fault("is in the world; joints belong in bodies"));
        };
        let view = self.defaults.view(joint, "joint", around.class)?;
        let kind = if joint.tag == "freejoint" {
            FreedomKind::Free
        } else {
            match view.text("type").unwrap_or("hinge") {
                "hinge" => FreedomKind::Hinge,
                "slide" => FreedomKind::Slide,
                "ball" => FreedomKind::Ball,
                "free" => FreedomKind::Free,
                word => {
                    let fault = joint.fault(format!("attribute \"type\" is \"{word}\""));
                    return Err(fault.hint("types are hinge, slide, ball, free"));
                }
            }
        };
        let unnamed = format!("{} joint", self.model.links[link].name);
        let wanted = joint.text("name").unwrap_or(&unnamed);
        let name = self.joints.unique(wanted);
        if name != wanted && joint.has("name") {
            notes.approximate(&format!("a second joint \"{wanted}\" is called"), &name);
        }
        let mut freedom = Freedom::new(name.clone(), kind);
        if joint.tag == "joint" {
            self.joint_numbers(&view, &around.frame, &mut freedom)?;
            let limited = match view.text("limited") {
                Some("true") => true,
                Some("false") => false,
                _ => view.has("range") && self.compiler.auto_limits,
            };
            let range = view.array::<2>("range")?.unwrap_or([0.0; 2]);
            if limited && kind != FreedomKind::Free {
                let turns = kind != FreedomKind::Slide;
                let measure = |own: f64| if turns { self.compiler.angle(own) } else { own };
                let range = range.map(|own| measure(own) - freedom.reference);
                match range[0] <= range[1] {
                    true => freedom.limits = range,
                    false => notes.refuse("limits of joints, lower above upper", &name),
                }
            }
            freedom.friction = view.first("frictionloss")?.unwrap_or(0.0);
            if freedom.friction < 0.0 {
                return Err(joint.fault("attribute \"frictionloss\" is negative"));
            }
            if let Some([low, high]) = view.array::<2>("actuatorfrcrange")? {
                freedom.effort = low.abs().max(high.abs());
            }
        }
        self.model.links[link]
            .freedoms
            .push(self.model.freedoms.len());
        self.model.freedoms.push(freedom);
        Ok(())
    }

    fn joint_numbers(
        &self,
        view: &View<'_>,
        frame: &Pose,
        freedom: &mut Freedom,
    ) -> Result<(), Fault> {
        let turns = freedom.kind == FreedomKind::Hinge;
        let measure = |number: f64| {
            if turns {
                self.compiler.angle(number)
            } else {
                number
            }
        };
        let axis = view.array("axis")?.unwrap_or([0.0, 0.0, 1.0]);
        let axis = unit(axis).ok_or_else(|| view.element.fault("has an axis of no length"))?;
        freedom.axis = turn(frame, axis);
        freedom.point = point(frame, view.array("pos")?.unwrap_or([0.0; 3]));
        freedom.reference = measure(view.number("ref")?.unwrap_or(0.0));
        freedom.rest = measure(view.number("springref")?.unwrap_or(0.0)) - freedom.reference;
        freedom.damping = view.first("damping")?.unwrap_or(0.0);
        freedom.stiffness = view.first("stiffness")?.unwrap_or(0.0);
        freedom.armature = view.number("armature")?.unwrap_or(0.0);
        for (number, name) in [
            (freedom.damping, "damping"),
            (freedom.stiffness, "stiffness"),
            (freedom.armature, "armature"),
        ] {
            if number < 0.0 {
                return Err(view
                    .element
                    .fault(format!("attribute \"{name}\" is negative")));
            }
        }
        Ok(())
    }
}
