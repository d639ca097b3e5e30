//! How built scenes are looked at: camera, colors, traces, and the length of a frame.

use linkwork::body::{Outline, PlanarBody};
use linkwork::math::Vec3;
use linkwork::prelude::*;

use super::{SceneError, camera, skin};
use crate::build::connector::is_planar;
use crate::format::{BodyView, ViewEntry};
use crate::scene::{Scene, Trace};

const BLUE: &str = "#3b6ea8";
const GREEN: &str = "#5d9160";
const GRAY: &str = "#8a8f98";
const ORANGE: &str = "#e07a3f";
const RED: &str = "#c0504d";
const YELLOW: &str = "#d9a441";

/// Colors of bodies, by the beginning of their names; the first that fits. Colors of one beginning are taken in turn.
fn colors(name: &str) -> &'static [(&'static str, &'static str)] {
    match name {
        "pantograph" => &[("crank", RED), ("", GRAY)],
        "scissor" | "scissor-driven" => &[("table", YELLOW), ("", GRAY)],
        "umbrella" => &[("runner", RED), ("rib", BLUE), ("", GRAY)],
        "humanoid-on-strings" => &[
            ("left hand string", GRAY),
            ("right hand string", GRAY),
            ("left string", GRAY),
            ("right string", GRAY),
            ("head", ORANGE),
            ("left hand", ORANGE),
            ("right hand", ORANGE),
            ("pelvis", BLUE),
            ("", GREEN),
        ],
        "crowd" => &[("0 ", RED), ("1 ", GREEN), ("2 ", BLUE), ("", YELLOW)],
        "sheet" => &[("", GRAY)],
        "ladder" | "ladder3" => &[("rung", RED), ("right", BLUE), ("", GRAY)],
        "hub" => &[("hub", YELLOW), ("", GRAY)],
        "stack" => &[("", YELLOW), ("", ORANGE)],
        "dominoes" => &[("domino 0", RED), ("", GRAY)],
        "cradle" => &[("ball 0", RED), ("", GRAY)],
        "chain-over-pulley" => &[("pulley", RED), ("", BLUE)],
        _ => &[],
    }
}

/// The color of the body with this label and index.
fn color<'a>(colors: &[(&str, &'a str)], label: &str, index: usize) -> Option<&'a str> {
    let (first, _) = colors.iter().find(|(start, _)| label.starts_with(start))?;
    let turns = || colors.iter().filter(|(start, _)| start == first);
    turns()
        .nth(index % turns().count())
        .map(|(_, color)| *color)
}

/// A world with its name and how to look at it.
pub(super) fn dressed(name: &str, world: World) -> Result<Scene, SceneError> {
    let mut scene = Scene::from(world);
    scene.name = Some(name.to_owned());
    scene.view = view(&scene.world)?;
    for (index, record) in scene.world.bodies().iter().enumerate() {
        if let Some(color) = color(colors(name), record.label(), index) {
            let view = BodyView {
                color: Some(color.to_owned()),
                ..BodyView::default()
            };
            scene.body_views.insert(record.label().to_owned(), view);
        }
    }
    match name {
        "pantograph" => {
            add_trace(&mut scene, "pen", "inner");
            add_trace(&mut scene, "copy", "outer");
        }
        "sheet" => scene.view.skins.extend(skin::over_sheet(&scene.world)),
        // Let go, it slams through the flat pose, where it could fold in many ways.
        "scissor" => scene.options = StepOptions::interactive(1.0 / 120.0),
        _ => {}
    }
    Ok(scene)
}

/// Traces the far end of a bar of the plane.
fn add_trace(scene: &mut Scene, name: &str, bar: &str) {
    let mut records = scene.world.bodies().iter();
    let Some(record) = records.find(|record| record.label() == bar) else {
        return;
    };
    let body: &dyn std::any::Any = record.body();
    let outline = body.downcast_ref().and_then(|own: &PlanarBody| own.outline);
    if let Some(Outline::Rod(rod)) = outline {
        let of = record.id().at([0.5 * rod.length, 0.0]);
        scene.connectors.push((name.to_owned(), of));
        scene.traces.push(Trace {
            name: name.to_owned(),
            of,
            color: Some(ORANGE.to_owned()),
        });
    }
}

/// A camera: flat for worlds of the plane, else from the front, the side and above.
fn view(world: &World) -> Result<ViewEntry, linkwork::Error> {
    let mut bodies = world.bodies().iter();
    let flat = bodies.all(|record| is_planar(world, record.id()));
    let mut behaviors = world.behaviors().iter();
    let weight = behaviors.find_map(|record| record.behavior().as_uniform_field());
    let direction: Vec3 = match weight {
        _ if flat => [0.0, 0.0, 1.0],
        Some([_, _, z]) if z < 0.0 => [0.45, -0.8, 0.4],
        _ => [0.45, 0.4, 0.8],
    };
    Ok(ViewEntry {
        camera: Some(camera::from(world, direction)?),
        up: (weight.is_none() && !flat).then_some([0.0, 1.0, 0.0]),
        flat,
        skins: Vec::new(),
    })
}
