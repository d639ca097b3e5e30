//! How built scenes are looked at: camera, colours, traces, and the length of a frame.

use linkwork::math::Vec3;
use linkwork::prelude::*;

use super::{SceneError, camera, skin};
use crate::build::connector::is_planar;
use crate::format::{BodyView, ViewEntry};
use crate::read::{Record, from_json};
use crate::scene::{Scene, Trace};

const BLUE: &str = "#3b6ea8";
const GREEN: &str = "#5d9160";
const GREY: &str = "#8a8f98";
const ORANGE: &str = "#e07a3f";
const RED: &str = "#c0504d";
const YELLOW: &str = "#d9a441";

/// A point on a body whose path is the point of the scene.
type Point = (&'static str, &'static str, &'static [f64]);

/// What a scene's viewer is told.
struct Looks {
    /// Colours of bodies, by the beginning of their names; the first that fits.
    colours: &'static [(&'static str, &'static str)],
    /// Traced points.
    traces: &'static [Point],
    /// Length of a frame, s, where it is not that of [`crate::FRAME`].
    dt: Option<f64>,
}

impl Looks {
    const fn plain() -> Self {
        Self {
            colours: &[],
            traces: &[],
            dt: None,
        }
    }

    const fn coloured(colours: &'static [(&'static str, &'static str)]) -> Self {
        let mut looks = Self::plain();
        looks.colours = colours;
        looks
    }

    const fn tracing(mut self, traces: &'static [Point]) -> Self {
        self.traces = traces;
        self
    }

    /// With so many frames a second.
    const fn frames(mut self, per_second: f64) -> Self {
        self.dt = Some(1.0 / per_second);
        self
    }
}

/// Points are of bodies of the plane if they have two numbers.
fn looks(name: &str) -> Looks {
    const CRANK: &[(&str, &str)] = &[("crank", RED), ("coupler", BLUE), ("", GREY)];
    const LEG: &[(&str, &str)] = &[
        ("m", RED),
        ("b", BLUE),
        ("d", BLUE),
        ("e", BLUE),
        ("g", GREEN),
        ("h", GREEN),
        ("i", GREEN),
        ("", GREY),
    ];
    const PEAUCELLIER: &[(&str, &str)] =
        &[("crank", RED), ("OA", BLUE), ("OC", BLUE), ("", YELLOW)];
    const D: &[Point] = &[("D", "CD", &[1.5, 0.0])];
    const SKIN: &[(&str, &str)] = &[
        ("left hand string", GREY),
        ("right hand string", GREY),
        ("left string", GREY),
        ("right string", GREY),
        ("head", ORANGE),
        ("left hand", ORANGE),
        ("right hand", ORANGE),
        ("pelvis", BLUE),
        ("", GREEN),
    ];
    const PEOPLE: &[(&str, &str)] = &[("0 ", RED), ("1 ", GREEN), ("2 ", BLUE), ("", YELLOW)];
    const PLATE: &[(&str, &str)] = &[("string", GREY), ("", BLUE)];
    match name {
        "four-bar" => {
            Looks::coloured(CRANK).tracing(&[("coupler point", "coupler", &[0.3, 0.0, -0.7])])
        }
        "bricard" => Looks::coloured(&[("rod 2", RED), ("", GREY)]).tracing(&[(
            "P3",
            "rod 2",
            &[0.5, 0.0, 0.0],
        )]),
        "bennett" => Looks::coloured(&[("link 2", RED), ("", GREY)]),
        "sarrus" => Looks::coloured(&[("table", YELLOW), ("", GREY)]),
        // The crank turns a hundred times and more a second.
        "andrews" => Looks::coloured(&[("K1", RED), ("K3", YELLOW), ("", GREY)])
            .tracing(&[("F", "K1", &[0.007, 0.0])])
            .frames(10_000.0),
        "andrews-3d" => Looks::coloured(&[("K1", RED), ("K3", YELLOW), ("", GREY)])
            .tracing(&[("F", "K1", &[0.007, 0.0, 0.0])])
            .frames(10_000.0),
        "heavy-top" => Looks::coloured(&[("top", RED)])
            .tracing(&[("centre", "top", &[0.0, 1.0, 0.0])])
            .frames(600.0),
        "double-pendulum" => {
            Looks::coloured(&[("lower", RED), ("", GREY)]).tracing(&[("tip", "lower", &[0.5, 0.0])])
        }
        "peaucellier" | "peaucellier-driven" => Looks::coloured(PEAUCELLIER).tracing(D),
        "jansen" => Looks::coloured(LEG).tracing(&[("foot", "i", &[0.245, 0.0])]),
        "jansen-walker" => Looks::coloured(&[
            ("crankshaft", RED),
            ("chassis", YELLOW),
            ("left", BLUE),
            ("right", GREEN),
        ]),
        "chebyshev" | "hoecken" => {
            Looks::coloured(CRANK).tracing(&[("tracer", "coupler", &[2.5, 0.0])])
        }
        "chebyshev-crossed" | "watt" => {
            Looks::coloured(CRANK).tracing(&[("tracer", "coupler", &[0.0, 0.0])])
        }
        "pantograph" => {
            Looks::coloured(&[("crank", RED), ("", GREY)]).tracing(&[("pen", "inner", &[0.5, 0.0])])
        }
        "scotch-yoke" => Looks::coloured(&[("crank", RED), ("yoke", YELLOW)]),
        "hooke" | "double-hooke" => {
            Looks::coloured(&[("input", RED), ("output", BLUE), ("", YELLOW)])
        }
        "stewart" | "stewart-driven" => {
            Looks::coloured(&[("platform", YELLOW), ("lower", GREY), ("", BLUE)]).tracing(&[(
                "platform centre",
                "platform",
                &[0.0, 0.0, 0.0],
            )])
        }
        // Let go, it slams through the flat pose, where it could fold in many ways.
        "scissor" => Looks::coloured(&[("table", YELLOW), ("", GREY)]).frames(120.0),
        "scissor-driven" => Looks::coloured(&[("table", YELLOW), ("", GREY)]),
        "umbrella" => Looks::coloured(&[("runner", RED), ("rib", BLUE), ("", GREY)]),
        "humanoid" | "humanoid-on-strings" => Looks::coloured(SKIN),
        "crowd" | "three-characters" | "three-characters-torn" => Looks::coloured(PEOPLE),
        "bar-between-discs" => Looks::coloured(&[("bar", RED), ("", BLUE)]),
        "plate-on-strings" | "shaken-plate" | "string-pendulum" => Looks::coloured(PLATE),
        "sheet" => Looks::coloured(&[("", GREY)]),
        "sea-weeds" => Looks::coloured(&[("fish", ORANGE), ("", GREEN)]),
        "ladder" | "ladder3" => Looks::coloured(&[("rung", RED), ("right", BLUE), ("", GREY)]),
        "hub" => Looks::coloured(&[("hub", YELLOW), ("", GREY)]),
        "dumbbell" => Looks::coloured(&[("", RED)]),
        "baraff-fig2" => Looks::coloured(&[("1", RED), ("", GREY)]),
        _ => Looks::plain(),
    }
}

/// A world with its name, what it is for, and how to look at it.
pub(super) fn dressed(name: &str, why: &str, world: World) -> Result<Scene, SceneError> {
    let looks = looks(name);
    let mut scene = Scene::from(world);
    scene.name = Some(name.to_owned());
    scene.why = Some(why.to_owned());
    scene.view = view(&scene.world)?;
    if let Some(dt) = looks.dt {
        scene.options = StepOptions::interactive(dt);
    }
    for record in scene.world.bodies() {
        let mut fits = looks.colours.iter();
        let fit = fits.find(|(start, _)| record.label().starts_with(start));
        if let Some((_, colour)) = fit {
            let view = BodyView {
                colour: Some((*colour).to_owned()),
                ..BodyView::default()
            };
            scene.body_views.insert(record.label().to_owned(), view);
        }
    }
    for (trace, body, at) in looks.traces {
        let Some(body) = scene.world.find_body(body) else {
            continue;
        };
        let of = match **at {
            [x, y] => body.at([x, y]),
            [x, y, z] => body.at([x, y, z]),
            _ => continue,
        };
        add_trace(&mut scene, trace, of);
    }
    match name {
        "pantograph" => trace_copy(&mut scene),
        "sheet" => scene.view.skins.extend(skin::over_sheet(&scene.world)),
        _ => {}
    }
    Ok(scene)
}

/// The same for the scene of a file: programs that only read files need not have what draws them.
pub(super) fn dressed_for_file(name: &str, why: &str, world: World) -> Result<Scene, SceneError> {
    let mut scene = dressed(name, why, world)?;
    match name {
        "jansen-walker" => trace_feet(&mut scene),
        "four-bar" => draw_plates(&mut scene),
        "heavy-top" => draw_top(&mut scene),
        "stewart" | "stewart-driven" => draw_telescopes(&mut scene),
        _ => {}
    }
    Ok(scene)
}

fn add_trace(scene: &mut Scene, name: &str, of: Connector) {
    scene.connectors.push((name.to_owned(), of.clone()));
    scene.traces.push(Trace {
        name: name.to_owned(),
        of,
        colour: Some(ORANGE.to_owned()),
    });
}

/// The copy is at the end of "outer", whose length depends on the ratio.
fn trace_copy(scene: &mut Scene) {
    let Some(outer) = scene.world.find_body("outer") else {
        return;
    };
    // The bar goes from "far elbow" to the copy; its first joint tells how long one half is.
    let ends = scene.world.constraints().iter();
    let mut ends = ends.flat_map(|record| record.connectors().iter());
    let half = ends.find_map(|end| match end.site {
        Site::Point2([x, _]) if end.body == outer && x < 0.0 => Some(-x),
        _ => None,
    });
    if let Some(half) = half {
        add_trace(scene, "copy", outer.at([half, 0.0]));
    }
}

/// The foot is the corner of the shank that no joint holds: the lowest point of its plate.
fn trace_feet(scene: &mut Scene) {
    let mut feet = Vec::new();
    for record in scene.world.bodies() {
        let body: &dyn std::any::Any = record.body();
        let solid = body.downcast_ref::<RigidBody>().and_then(RigidBody::solid);
        if let (Some(leg), Some(Solid::Mesh(mesh))) = (record.label().strip_suffix(" shank"), solid)
        {
            let lowest = mesh.vertices.iter().min_by(|a, b| a[1].total_cmp(&b[1]));
            if let Some([x, y, _]) = lowest {
                feet.push((format!("{leg} foot"), record.id().at([*x, *y, 0.0])));
            }
        }
    }
    for (name, of) in feet {
        add_trace(scene, &name, of);
    }
}

/// Links are drawn as plates side by side along their pins, the body's y, so that they pass each other; the
/// coupler reaches to its traced point. Masses stay those of the bars.
fn draw_plates(scene: &mut Scene) {
    const THICKNESS: f64 = 0.09;
    const WIDTH: f64 = 0.2;
    let eye = |x: f64, y: f64, z: f64| serde_json::json!({ "type": "disc", "radius": 0.5 * WIDTH, "thickness": THICKNESS, "position": [x, y, z], "euler_deg": [0.0, 0.0, 90.0] });
    let bar = |length: f64, y: f64| {
        let size = [length, THICKNESS, WIDTH];
        let middle = serde_json::json!({ "type": "box", "size": size, "position": [0.0, y, 0.0] });
        serde_json::json!([
            middle,
            eye(-0.5 * length, y, 0.0),
            eye(0.5 * length, y, 0.0)
        ])
    };
    // A triangle whose sides touch the three eyes, above and below.
    let (a, b, c) = ([-1.75, 0.0], [1.75, 0.0], [0.3, -0.7]);
    let corner = |[x, z]: [f64; 2], side: f64| [x, side * 0.5 * THICKNESS, z];
    let vertices = [-1.0, 1.0]
        .map(|side| [a, b, c].map(|own| corner(own, side)))
        .concat();
    let triangles = [
        [0, 1, 2],
        [3, 5, 4],
        [0, 3, 4],
        [0, 4, 1],
        [1, 4, 5],
        [1, 5, 2],
        [2, 5, 3],
        [2, 3, 0],
    ];
    let coupler = serde_json::json!([
        { "type": "mesh", "vertices": vertices, "triangles": triangles },
        { "type": "box", "size": [3.5, THICKNESS, WIDTH] },
        eye(a[0], 0.0, a[1]), eye(b[0], 0.0, b[1]), eye(c[0], 0.0, c[1]),
    ]);
    for (body, parts) in [
        ("crank", bar(1.0, -THICKNESS)),
        ("coupler", coupler),
        ("rocker", bar(2.5, -THICKNESS)),
    ] {
        if let Ok(draw) = Vec::read(&parts.into()) {
            let view = scene.body_views.entry(body.to_owned());
            view.or_default().draw = draw;
        }
    }
}

/// The top is given by its moments; a disc of 0.25 m on a stick has the same about its axis.
fn draw_top(scene: &mut Scene) {
    let parts = r#"[
        { "type": "disc", "radius": 0.25, "thickness": 0.1, "position": [0.0, 1.0, 0.0], "euler_deg": [0.0, 0.0, 90.0] },
        { "type": "rod", "length": 1.0, "radius": 0.02, "position": [0.0, 0.5, 0.0], "euler_deg": [0.0, 0.0, 90.0] }
    ]"#;
    if let Ok(draw) = from_json(parts) {
        let view = scene.body_views.entry("top".to_owned()).or_default();
        view.draw = draw;
    }
}

/// The upper half of a leg slides within the lower one, and is drawn thinner.
fn draw_telescopes(scene: &mut Scene) {
    for record in scene.world.bodies() {
        let body: &dyn std::any::Any = record.body();
        let solid = body.downcast_ref::<RigidBody>().and_then(RigidBody::solid);
        let (Some(Solid::Rod(rod)), true) = (solid, record.label().starts_with("upper")) else {
            continue;
        };
        let part = serde_json::json!([{ "type": "rod", "length": rod.length, "radius": 0.02 }]);
        if let Ok(draw) = Vec::read(&part.into()) {
            let view = scene.body_views.entry(record.label().to_owned());
            view.or_default().draw = draw;
        }
    }
}

/// A camera: flat for worlds of the plane, else from the front, the side and above.
fn view(world: &World) -> Result<ViewEntry, linkwork::Error> {
    let flat = world
        .bodies()
        .iter()
        .all(|record| is_planar(world, record.id()));
    let gravity = world.find_behavior("gravity");
    let weight = match gravity {
        Some(id) => {
            let law: &dyn std::any::Any = world.behavior_record(id)?.behavior();
            law.downcast_ref::<Gravity>()
                .map(|gravity| gravity.acceleration_world)
        }
        None => None,
    };
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
