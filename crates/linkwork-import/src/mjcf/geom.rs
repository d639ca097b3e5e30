//! Shapes of bodies: what they weigh, how they are drawn.

use linkwork::body::{MassProperties, Pose};
use linkwork::math::{add, norm, scale, sub};
use linkwork_scene::Fault;
use linkwork_scene::format::PartEntry;

use super::Reader;
use super::defaults::View;
use crate::place::{from_z, then};
use crate::report::Notes;
use crate::shapes::{Shape, colour};

/// What a shape gives its body.
#[derive(Debug, Default)]
pub(super) struct Geom {
    pub(super) mass: Option<MassProperties>,
    pub(super) draw: Vec<PartEntry>,
    /// Whether its mass is that of a mesh, which is not known.
    pub(super) unknown: bool,
}

impl Reader<'_> {
    /// A shape in the frame of its body, in which the frame around it stands at `frame`.
    pub(super) fn geom(
        &self,
        view: &View<'_>,
        frame: &Pose,
        body: &str,
        notes: &mut Notes,
    ) -> Result<Geom, Fault> {
        view.element.skip("name");
        let word = view.text("type").unwrap_or("sphere");
        let word = if view.has("mesh") { "mesh" } else { word };
        let mass = view.number("mass")?;
        let density = view.number("density")?.unwrap_or(1000.0);
        let group = view.number("group")?.unwrap_or(0.0);
        let weighs = self.compiler.groups[0] <= group && group <= self.compiler.groups[1];
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
                notes.refuse("<geom> meshes: files are not read, not drawn", body);
                let unknown = mass != Some(0.0) && density != 0.0 && weighs;
                view.text("mesh");
                return Ok(Geom {
                    unknown,
                    ..Geom::default()
                });
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
        let material = view
            .text("material")
            .and_then(|name| self.materials.get(name));
        let own = view.numbers("rgba")?.and_then(|rgba| colour(&rgba));
        let own = own.as_deref().or(material.map(String::as_str));
        Ok(Geom {
            mass: solid,
            draw: shape.parts(&pose, own)?,
            unknown: false,
        })
    }
}
