//! Shapes of bodies: what they weigh, how they are drawn.

use linkwork::body::{MassProperties, Pose};
use linkwork::math::{add, column, dot, norm, quat_normalize, scale, sub};
use linkwork_scene::Fault;
use linkwork_scene::format::PartEntry;

use super::Reader;
use super::defaults::{MAIN, View};
use crate::mesh::{Surface, Weighing};
use crate::place::{HERE, from_z, matrix, then};
use crate::report::Notes;
use crate::shapes::{Shape, color};
use crate::touch::{Floor, Touch, hull, up};
use crate::xml::Element;

/// The name of a mesh: its own, or that of its file.
pub(super) fn name_of(mesh: &Element) -> Option<String> {
    if mesh.has("name") {
        return mesh.peek("name").map(str::to_owned);
    }
    let file = last(mesh.peek("file")?);
    Some(
        file.rsplit_once('.')
            .map_or(file, |(stem, _)| stem)
            .to_owned(),
    )
}

/// The name of a file without its folders.
fn last(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// What the world is called among bodies.
pub(super) const WORLD: &str = "world";

/// What a shape gives its body.
#[derive(Debug, Default)]
pub(super) struct Geom {
    pub(super) mass: Option<MassProperties>,
    pub(super) draw: Vec<PartEntry>,
    /// What is drawn of a body of which nothing else is: shapes that only collide, where meshes are drawn.
    pub(super) spare: Vec<PartEntry>,
    /// Why its mass is not known.
    pub(super) unknown: Option<String>,
    /// What of it collides.
    pub(super) touch: Touch,
}

impl Reader<'_, '_> {
    /// A shape in the frame of its body, in which the frame around it stands at `frame`.
    pub(super) fn geom(
        &mut self,
        view: &View<'_>,
        frame: &Pose,
        (body, is_weighed): (&str, bool),
        notes: &mut Notes,
    ) -> Result<Geom, Fault> {
        view.element.skip("name");
        let word = view.text("type").unwrap_or("sphere");
        let mass = view.number("mass")?;
        let density = view.number("density")?.unwrap_or(1000.0);
        let group = view.number("group")?.unwrap_or(0.0);
        let weighs = self.compiler.groups[0] <= group && group <= self.compiler.groups[1];
        let mut touch = Self::touch(view)?;
        let collides = touch.masks != [0, 0];
        let mut pose = self.compiler.pose(view)?;
        let size = view.numbers("size")?.unwrap_or_default();
        let mut half = size.get(1).copied();
        if let Some([a, b, c, x, y, z]) = view.array::<6>("fromto")? {
            let (from, to) = ([a, b, c], [x, y, z]);
            pose.position = scale(0.5, add(from, to));
            half = Some(0.5 * norm(sub(to, from)));
            pose.rotation = from_z(sub(from, to))
                .ok_or_else(|| view.element.fault("attribute \"fromto\" has no length"))?;
        }
        let pose = then(frame, &pose);
        let is_seen = group < 3.0;
        if view.has("mesh") && !matches!(word, "mesh" | "sdf") {
            let has_mass = mass != Some(0.0) && density != 0.0 && weighs;
            let uses = (is_weighed && has_mass, self.meshes.drawn && is_seen);
            return self.fit(view, (body, word), &pose, uses, notes);
        }
        let need = |number: Option<f64>| match number {
            Some(number) if number > 0.0 => Ok(number),
            _ => Err(view
                .element
                .fault(format!("attribute \"size\" does not suit a {word}"))),
        };
        let size = |k: usize| need(size.get(k).copied());
        let fromto = view.has("fromto");
        // The third number is the half length of a box or ellipsoid that goes from one point to
        // another.
        let third = || if fromto { need(half) } else { size(2) };
        let second = || if fromto { size(0) } else { size(1) };
        let shape = match word {
            "sphere" => Shape::Sphere(size(0)?),
            "capsule" => Shape::Capsule(size(0)?, 2.0 * need(half)?),
            "cylinder" => Shape::Cylinder(size(0)?, 2.0 * need(half)?),
            "box" => Shape::Box([2.0 * size(0)?, 2.0 * second()?, 2.0 * third()?]),
            "ellipsoid" => {
                notes.approximate("<geom> ellipsoids: drawn as balls of their volume", body);
                Shape::Ellipsoid([size(0)?, second()?, third()?])
            }
            "mesh" | "sdf" => {
                let has_mass = mass != Some(0.0) && density != 0.0 && weighs;
                let is_weighed = is_weighed && has_mass;
                let is_drawn = self.meshes.drawn && is_seen;
                if !is_drawn {
                    let kind = "<geom> meshes: not drawn (--meshes draws them)";
                    notes.refuse(kind, body);
                }
                if !is_weighed && !is_drawn && !collides {
                    view.text("mesh");
                    return Ok(Geom::default());
                }
                let (surface, how) = match self.mesh(view) {
                    Ok(found) => found,
                    Err(why) => {
                        if is_drawn {
                            notes.refuse(&format!("not drawn: {why}"), body);
                        }
                        if collides {
                            notes.refuse(&format!("does not collide: {why}"), body);
                        }
                        let unknown = is_weighed.then_some(why);
                        return Ok(Geom {
                            unknown,
                            ..Geom::default()
                        });
                    }
                };
                let mut geom = Geom::default();
                if is_weighed {
                    match surface.weigh(how, if mass.is_some() { 1.0 } else { density }) {
                        Ok(mut own) => {
                            let by = mass.map_or(1.0, |mass| mass / own.mass);
                            own.mass *= by;
                            own.inertia_body = own.inertia_body.map(|moment| by * moment);
                            geom.mass = Some(own.placed(&pose));
                        }
                        Err(why) => {
                            geom.unknown = Some(format!("its mesh cannot be weighed: {why}"));
                        }
                    }
                }
                if is_drawn {
                    let own = self.color(view)?;
                    let own = own.as_deref();
                    geom.draw = self.meshes.draw(&surface, &pose, own, (body, notes))?;
                }
                let as_it_is = match body == WORLD {
                    true => surface.triangles(&pose),
                    false => None,
                };
                if collides && let Some(part) = as_it_is {
                    touch.solids.push(part);
                    geom.touch = touch;
                } else if collides {
                    match hull(&surface, &pose) {
                        Ok((part, is_reduced)) => {
                            if is_reduced {
                                let kind = "meshes that collide: hulls of 64 corners at the most";
                                notes.approximate(kind, body);
                            }
                            touch.solids.push(part);
                            geom.touch = touch;
                        }
                        Err(why) => notes.refuse(&format!("does not collide: {why}"), body),
                    }
                }
                return Ok(geom);
            }
            "plane" if body == WORLD && self.floor(&pose, &touch) => return Ok(Geom::default()),
            "hfield" if body == WORLD => {
                let own = self.color(view)?;
                match self.height_field(view, &pose, own.as_deref()) {
                    Ok(part) => {
                        if collides {
                            touch.solids.push(part.clone());
                        }
                        return Ok(Geom {
                            draw: vec![part],
                            touch,
                            ..Geom::default()
                        });
                    }
                    Err(why) => {
                        notes.refuse(&format!("neither drawn nor colliding: {why}"), body);
                        return Ok(Geom::default());
                    }
                }
            }
            "plane" | "hfield" => {
                notes.refuse(&format!("<geom> of type {word}: not drawn"), body);
                return Ok(Geom::default());
            }
            _ => {
                let problem = format!("attribute \"type\" is \"{word}\"");
                return Err(view.element.fault(problem).hint(
                    "types are sphere, capsule, cylinder, box, ellipsoid, mesh, plane, hfield",
                ));
            }
        };
        let mass = mass.unwrap_or_else(|| density * shape.volume());
        let solid = (weighs && mass > 0.0).then(|| shape.solid(mass).placed(&pose));
        let draw = shape.parts(&pose, self.color(view)?.as_deref())?;
        let (draw, spare) = match is_seen || !self.meshes.drawn {
            true => (draw, Vec::new()),
            false => (Vec::new(), draw),
        };
        Ok(Geom {
            mass: solid,
            draw,
            spare,
            unknown: None,
            touch: {
                if collides {
                    touch.solids = shape.solids(&pose)?;
                }
                touch
            },
        })
    }

    /// What a shape says of contacts.
    fn touch(view: &View<'_>) -> Result<Touch, Fault> {
        let bits = |name: &str| Ok::<_, Fault>(view.number(name)?.unwrap_or(1.0) as u32);
        let masks = [bits("contype")?, bits("conaffinity")?];
        let friction = view.numbers("friction")?.unwrap_or_default();
        // Along the surface, about its normal, and rolling; what is left out is as MuJoCo has it.
        let at = |k: usize, otherwise: f64| friction.get(k).copied().unwrap_or(otherwise);
        let (slide, spins, rolls) = (at(0, 1.0), at(1, 0.005), at(2, 0.0001));
        if slide < 0.0 || spins < 0.0 || rolls < 0.0 {
            let problem = "attribute \"friction\" is negative";
            return Err(view.element.fault(problem));
        }
        let dimension = view.number("condim")?.unwrap_or(3.0);
        let turning = match dimension {
            6.0.. => [rolls, spins],
            4.0.. => [0.0, spins],
            _ => [0.0; 2],
        };
        Ok(Touch {
            solids: Vec::new(),
            friction: Some(if dimension < 3.0 { 0.0 } else { slide }),
            turning,
            masks,
        })
    }

    /// Makes a plane of the world the floor, if it can be that.
    fn floor(&mut self, pose: &Pose, touch: &Touch) -> bool {
        let up = up(self.model.gravity);
        let normal = column(&matrix(pose), 2);
        let is_level = dot(normal, up) > 1.0 - 1e-9;
        if !is_level || self.model.floor.is_some() || touch.masks == [0, 0] {
            return false;
        }
        self.model.floor = Some(Floor {
            height: dot(pose.position, up),
            friction: touch.friction,
            turning: touch.turning,
            masks: touch.masks,
        });
        true
    }

    pub(super) fn color(&self, view: &View<'_>) -> Result<Option<String>, Fault> {
        let material = view
            .text("material")
            .and_then(|name| self.materials.get(name));
        let own = view.numbers("rgba")?.and_then(|rgba| color(&rgba));
        Ok(own.or(material.cloned()))
    }

    /// The mesh that a shape names and how it is weighed, or why there is none.
    pub(super) fn mesh(&mut self, view: &View<'_>) -> Result<(Surface, Weighing), String> {
        let name = view.text("mesh").unwrap_or_default();
        let Some(&asset) = self.assets.get(name) else {
            return Err(format!("no mesh is called \"{name}\""));
        };
        asset.see();
        asset.skip("name");
        let said = |fault: Fault| fault.problem;
        let own = self.defaults.view(asset, "mesh", MAIN).map_err(said)?;
        let how = match own.text("inertia") {
            _ if view.text("shellinertia") == Some("true") => Weighing::Shell,
            None | Some("legacy") => Weighing::Legacy,
            Some("exact") => Weighing::Exact,
            Some("shell") => Weighing::Shell,
            Some(word) => return Err(format!("meshes are not weighed as \"{word}\"")),
        };
        let surface = match asset.text("file") {
            Some(file) => {
                let path = match (self.compiler.mesh_folder.as_str(), self.compiler.strip_path) {
                    ("", false) => file.to_owned(),
                    (folder, true) => format!("{folder}/{}", last(file)),
                    (folder, false) => format!("{folder}/{file}"),
                };
                self.meshes.read(&path)?.as_ref().clone()
            }
            None => {
                let vertices = asset.numbers("vertex").map_err(said)?.unwrap_or_default();
                let faces = asset.numbers("face").map_err(said)?.unwrap_or_default();
                Surface::of(&vertices, &faces).map_err(|why| format!("mesh \"{name}\" {why}"))?
            }
        };
        let frame = Pose {
            position: own.array("refpos").map_err(said)?.unwrap_or([0.0; 3]),
            rotation: quat_normalize(own.array("refquat").map_err(said)?.unwrap_or(HERE.rotation)),
        };
        let by = own.array("scale").map_err(said)?.unwrap_or([1.0; 3]);
        Ok((surface.seen_from(&frame).scaled(by), how))
    }
}
