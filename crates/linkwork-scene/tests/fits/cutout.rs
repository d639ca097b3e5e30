//! Pictures on sheets, cut out along a polygon that gives mass and moments (Witkin 1990, §5.4, fig. 4).

use linkwork_scene::command::{Command, Session};
use linkwork_scene::export::{ShapeLook, look};
use linkwork_scene::save;

use super::snake::png;
use super::*;

/// An L, which is not convex: 2 × 1 below, 1 × 2 above its left end, in decimeters.
const OUTLINE: [[f64; 2]; 6] = [
    [0.0, 0.0],
    [0.2, 0.0],
    [0.2, 0.1],
    [0.1, 0.1],
    [0.1, 0.3],
    [0.0, 0.3],
];

fn text(more: &str, joints: &str) -> String {
    let photo = png(8, 4, &[90; 32]);
    format!(
        r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0], "dt": 0.001 }},
        "pictures": [ {{ "name": "photo", "png": "{photo}", "position": [5, 5], "width": 0.4 }} ],
        "bodies": [ {{ "name": "piece", "type": "troid", "outline": {OUTLINE:?}, "mass": 0.4, "stiffness": 1e6, "area_stiffness": 1e6 {more},
            "view": {{ "picture": {{ "name": "photo", "position": [0.1, 0.1] }} }} }} ],
        "joints": [{joints}] }}"#
    )
}

#[test]
fn a_piece_is_cut_out_of_a_picture() {
    let scene = load(&text("", "")).unwrap_or_else(|fault| panic!("{fault}"));
    // Two equal rectangles of 0.02 m².
    let id = scene.world.find_body("piece").unwrap();
    let (mass, at) = scene
        .world
        .body_record(id)
        .unwrap()
        .body()
        .center_of_mass(scene.world.q(id).unwrap());
    assert_eq!(mass, 0.4);
    near(&at[..2], &[0.075, 0.125], 1e-15);
    let look = look(&scene);
    let body = &look.bodies[0];
    let own = body.picture.as_ref().unwrap();
    assert_eq!(
        (own.name.as_str(), own.corners.len(), own.triangles.len()),
        ("photo", 6, 4)
    );
    // The picture is 0.4 × 0.2 m about (0.1, 0.1): its left edge is at −0.1, its lower one at 0.
    near(&own.places[0], &[0.25, 0.0], 1e-15);
    near(&own.places[4], &[0.5, 1.5], 1e-15);
    let ShapeLook::Mesh {
        vertices,
        triangles,
    } = &body.parts[0].shape
    else {
        panic!("{:?}", body.parts);
    };
    assert_eq!((vertices.len(), triangles), (6, &own.triangles));
    let saved = save(&scene).unwrap();
    assert!(saved.contains("outline"), "{saved}");
    assert_eq!(save(&load(&saved).unwrap()).unwrap(), saved);
}

/// As stiff as a board, a piece on a pin swings as a compound pendulum: `T = 2π·√(I/(m·g·d))`.
#[test]
fn a_piece_swings_by_its_moments() {
    let pin = r#"{ "name": "pin", "type": "hinge", "a": "ground", "b": "piece", "at": [0, 0.3] }"#;
    let mut scene = load(&text("", pin)).unwrap();
    let id = scene.world.find_body("piece").unwrap();
    // About the pin, from its two rectangles of 0.2 kg each.
    let parts = [([0.1, 0.05], [0.2, 0.1]), ([0.05, 0.2], [0.1, 0.2])];
    let inertia: f64 = parts
        .iter()
        .map(|(at, size)| {
            let far = at[0] * at[0] + (at[1] - 0.3f64) * (at[1] - 0.3);
            0.2 * ((size[0] * size[0] + size[1] * size[1]) / 12.0 + far)
        })
        .sum();
    let arm = 0.075f64.hypot(0.3 - 0.125);
    let period = std::f64::consts::TAU * (inertia / (0.4 * 9.81 * arm)).sqrt();
    // Let go a little beside where it hangs, the center of mass below the pin.
    let hang = -(0.075f64.atan2(0.3 - 0.125));
    let angle = hang + 0.01;
    let (s, c) = angle.sin_cos();
    scene
        .world
        .set_q(id, &[0.3 * s, 0.3 - 0.3 * c, c, -s, s, c])
        .unwrap();
    let swing = |scene: &Scene| {
        let q = scene.world.q(id).unwrap();
        (q[4] - q[3]).atan2(q[2] + q[5]) - hang
    };
    // From one way through the middle to the next of the same direction.
    let mut simulator = Simulator::new();
    let (mut crossings, mut before) = (Vec::new(), swing(&scene));
    while crossings.len() < 2 {
        step(&mut scene, &mut simulator);
        let now = swing(&scene);
        if before > 0.0 && now <= 0.0 {
            crossings.push(scene.world.state().t - 0.001 * now / (now - before));
        }
        before = now;
        assert!(scene.world.state().t < 4.0);
    }
    let measured = crossings[1] - crossings[0];
    assert!(
        (measured / period - 1.0).abs() < 1e-3,
        "{measured} {period}"
    );
}

#[test]
fn mistakes_about_pieces_are_told() {
    let mut session = Session::new(load(&text("", "")).unwrap()).unwrap();
    let gone: Command = r#"{"remove_picture": "photo"}"#.parse().unwrap();
    let told = session.apply(&gone).unwrap_err().to_string();
    assert!(told.contains("is on \"piece\""), "{told}");
    for (more, told) in [
        (r#", "size": [1, 1]"#, "says what \"size\" says too"),
        (r#", "com": [1, 1]"#, "says what"),
        (r#", "collide": true"#, "is not convex"),
    ] {
        let fault = load(&text(more, "")).unwrap_err().to_string();
        assert!(fault.contains(told), "{fault}");
    }
    let crossed = text("", "").replace("[0.2, 0.1], [0.1, 0.1]", "[-0.2, 0.1], [0.1, 0.1]");
    let fault = load(&crossed).unwrap_err().to_string();
    assert!(fault.contains("crosses itself"), "{fault}");
    let other = text("", "").replace(
        r#"{ "name": "photo", "position": [0.1"#,
        r#"{ "name": "foto", "position": [0.1"#,
    );
    let fault = load(&other).unwrap_err().to_string();
    assert!(fault.contains("no picture is called \"foto\""), "{fault}");
}
