//! Hints for viewers: what can be wrong about them.

use linkwork::math::Vec3;

use super::{check_color, connector};
use crate::catalogue::fields::COLOR;
use crate::fault::{Fault, Under};
use crate::format::{BodyView, Numbers, SkinEntry, ViewEntry};
use crate::picture;
use crate::scene::Scene;

/// Refuses hints about a scene that cannot be drawn.
pub(crate) fn check(scene: &Scene, view: &ViewEntry) -> Result<(), Fault> {
    for (at, skin) in view.skins.iter().enumerate() {
        let here = format!("skins[{at}]");
        if view.skins[..at].iter().any(|other| other.name == skin.name) {
            let problem = format!("\"{}\" is taken", skin.name);
            return Err(Fault::at("name", problem).under(&here));
        }
        check_skin(scene, skin).under(&here)?;
    }
    Ok(())
}

/// Refuses hints about a body that cannot be drawn.
pub(crate) fn check_body(scene: &Scene, view: &BodyView) -> Result<(), Fault> {
    check_color(view.color.as_deref())?;
    if let Some(own) = &view.picture {
        picture::place(scene, &own.name).map_err(|fault| fault.under("picture.name"))?;
        let is_wide = own
            .width
            .is_none_or(|width| width.is_finite() && width > 0.0);
        if !is_wide || own.position.iter().any(|own| !own.is_finite()) {
            let problem = "has a position or a width that is not a valid number";
            return Err(Fault::at("picture", problem).hint("give meters, a width above zero"));
        }
    }
    for (at, part) in view.draw.iter().enumerate() {
        let checked = part.fields.get(&COLOR).and_then(check_color);
        checked.under(&format!("draw[{at}]"))?;
    }
    for (at, stroke) in view.drawing.iter().enumerate() {
        let mut checked = check_color(stroke.color.as_deref());
        for (k, of) in stroke.points.iter().enumerate() {
            let of = point(of).map(drop);
            checked = checked.and(of.under(&format!("points[{k}]")));
        }
        checked.under(&format!("drawing[{at}]"))?;
    }
    Ok(())
}

fn check_skin(scene: &Scene, skin: &SkinEntry) -> Result<(), Fault> {
    check_color(skin.color.as_deref())?;
    for (at, vertex) in skin.vertices.iter().enumerate() {
        let here = format!("vertices[{at}]");
        let body = connector::body(&scene.world, &vertex.body);
        body.map_err(|fault| fault.under("body").under(&here))?;
        point(&vertex.point).map_err(|fault| fault.under("point").under(&here))?;
    }
    let n = skin.vertices.len();
    for (at, triangle) in skin.triangles.iter().enumerate() {
        if let Some(corner) = triangle.iter().find(|&&corner| corner as usize >= n) {
            let problem = format!("has the corner {corner}, but there are {n}, counted from 0");
            return Err(Fault::at(format!("triangles[{at}]"), problem));
        }
    }
    Ok(())
}

/// A point of a body; in the plane z is 0.
pub(crate) fn point(numbers: &Numbers) -> Result<Vec3, Fault> {
    match numbers.0[..] {
        [x, y] => Ok([x, y, 0.0]),
        [x, y, z] => Ok([x, y, z]),
        ref other => {
            let problem = format!("has {} numbers", other.len());
            Err(Fault::at("", problem).hint("give [x, y, z], or [x, y] in the plane, in m"))
        }
    }
}
