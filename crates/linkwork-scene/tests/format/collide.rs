//! What of bodies collides, as files say it.

use linkwork::collide::Shape;
use linkwork_scene::export::ShapeLook;
use linkwork_scene::load;

use crate::round_trip::check_round_trip;

const BODIES: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, 0, -9.81], "floor": 0 },
  "bodies": [
    { "name": "a", "type": "rigid", "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [0, 0, 0.3], "collide": true, "friction": 0.7,
      "shapes": [ { "type": "rod", "length": 0.3, "radius": 0.07, "position": [0.1, 0, 0], "euler_deg": [0, 30, 10] },
        { "type": "sphere", "radius": 0.05 }, { "type": "cylinder", "length": 0.1, "radius": 0.03 },
        { "type": "box", "size": [0.1, 0.2, 0.3], "position": [0, 0.2, 0] },
        { "type": "mesh", "vertices": [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] } ],
      "member_of": ["legs"], "not_with": ["b", "arms"] },
    { "name": "b", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0, 0.9], "collide": true, "group": "arms" },
    { "name": "c", "type": "sphere", "radius": 0.1, "mass": 1, "position": [1, 0, 0.9], "collide": true, "not_with": ["b", "legs"] }
  ] }"#;

#[test]
fn shapes_and_groups_survive() {
    let mut scene = load(BODIES).unwrap();
    let world = &scene.world;
    let of = |name: &str| world.colliders(world.find_body(name).unwrap()).unwrap();
    assert_eq!(of("a").len(), 5);
    let meets = |a: &str, b: &str| {
        let (a, b) = (&of(a)[0], &of(b)[0]);
        a.groups & b.not_with == 0 && b.groups & a.not_with == 0
    };
    assert!(!meets("a", "b") && !meets("b", "c") && !meets("a", "c") && meets("a", "a"));
    check_round_trip("shapes", &mut scene);
    check_round_trip("shapes later", &mut scene);
}

#[test]
fn parts_of_flat_bodies_collide_as_their_shadows() {
    let text = r#"{ "linkwork": 1, "bodies": [ { "name": "a", "type": "planar", "mass": 1, "inertia": 0.01, "collide": true,
      "shapes": [ { "type": "rod", "length": 0.3, "radius": 0.07, "position": [0.1, 0, 0], "axis": [0, 0, 1], "angle": 0.3 },
        { "type": "sphere", "radius": 0.05 }, { "type": "cylinder", "length": 0.1, "radius": 0.03, "euler_deg": [0, 90, 0] },
        { "type": "box", "size": [0.1, 0.2, 0.3], "position": [0, 0.2, 0] },
        { "type": "mesh", "vertices": [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] } ] } ] }"#;
    let mut scene = load(text).unwrap();
    let own = scene.world.find_body("a").unwrap();
    let shapes = scene.world.colliders(own).unwrap();
    let corners = |k: usize| match &shapes[k].shape {
        linkwork::collide::Shape::Polygon(own) => own.points().to_vec(),
        _ => Vec::new(),
    };
    let counts: Vec<usize> = (0..5).map(|k| corners(k).len()).collect();
    assert_eq!(counts, [2, 0, 0, 4, 3]);
    assert_eq!(corners(4), [[0.0, 0.0], [0.1, 0.0], [0.0, 0.1]]);
    check_round_trip("shadows", &mut scene);
    check_round_trip("shadows later", &mut scene);
    let out = text.replace("[0, 90, 0]", "[0, 80, 0]");
    let fault = load(&out).err().map(|fault| fault.to_string());
    assert!(fault.unwrap().contains("is turned out of the plane"));
}

#[test]
fn wrong_shapes_are_refused() {
    for (shapes, wanted) in [
        ("[]", "bodies[0].collide: finds no shape"),
        (
            r#"[{ "type": "sphere" }]"#,
            "bodies[0].shapes[0]: has no \"radius\"",
        ),
        (
            r#"[{ "type": "sphere", "radius": -1 }]"#,
            "bodies[0].shapes[0].radius: is -1",
        ),
        (
            r#"[{ "type": "particle" }]"#,
            "bodies[0].shapes[0].type: there is no type",
        ),
        (
            r#"[{ "type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]] }]"#,
            "bodies[0].shapes[0].vertices: span no solid; give at least four",
        ),
        (
            r#"[{ "type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,1,4]] }]"#,
            "bodies[0].shapes[0].triangles: has vertex 4, but there are 4 vertices\n  hint: count them",
        ),
        (
            r#"[{ "type": "mesh", "convex": false, "vertices": [[0,0,0],[1,0,0],[2,0,0]], "triangles": [[0,1,2]] }]"#,
            "bodies[0].shapes[0].triangles: has no area in triangle 0",
        ),
        (
            r#"[{ "type": "mesh", "convex": false, "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,3]] }]"#,
            "bodies[0].shapes[0].triangles: has vertex 3 in triangle 0, but there are 3",
        ),
        (
            r#"[{ "type": "mesh", "convex": false, "vertices": [], "triangles": [] }]"#,
            "bodies[0].shapes[0].triangles: are 0",
        ),
        (
            r#"[{ "type": "mesh", "convex": false, "vertices": [[0,0,1e999],[1,0,0],[0,1,0]], "triangles": [[0,1,2]] }]"#,
            "bodies[0].shapes[0].vertices[0]",
        ),
        (
            r#"[{ "type": "height-field", "heights": [[0, 1], [1]], "spacing": 1 }]"#,
            "bodies[0].shapes[0].heights[1]: has 1 numbers",
        ),
        (
            r#"[{ "type": "height-field", "heights": [[0, 1], [1, 2, 3]], "spacing": 1 }]"#,
            "bodies[0].shapes[0].heights: has 3 heights in row 1 and 2 in the first",
        ),
        (
            r#"[{ "type": "height-field", "heights": [[0, 1]], "spacing": 1 }]"#,
            "bodies[0].shapes[0].heights: are 1 × 2; give at least two rows",
        ),
        (
            r#"[{ "type": "height-field", "heights": [[0, 1], [1, 1e12]], "spacing": 1 }]"#,
            "bodies[0].shapes[0].heights: are too steep",
        ),
        (
            r#"[{ "type": "height-field", "heights": [[0, 1], [1, 0]], "spacing": 0 }]"#,
            "bodies[0].shapes[0].spacing: is 0",
        ),
        (
            r#"[{ "type": "height-field", "heights": [[0, 1], [1, 0]], "spacing": [1, 1, 1] }]"#,
            "bodies[0].shapes[0].spacing: has 3 numbers",
        ),
    ] {
        let text = format!(
            r#"{{ "linkwork": 1, "bodies": [ {{ "name": "a", "type": "rigid", "mass": 1, "inertia": [1, 1, 1], "collide": true, "shapes": {shapes} }} ] }}"#
        );
        let fault = load(&text)
            .err()
            .unwrap_or_else(|| panic!("{shapes} is taken"));
        assert!(fault.to_string().contains(wanted), "{shapes}\n  {fault}");
    }
    let names: Vec<String> = (0..40).map(|k| format!("\"g{k}\"")).collect();
    let text = format!(
        r#"{{ "linkwork": 1, "bodies": [ {{ "name": "a", "type": "sphere", "radius": 1, "mass": 1, "collide": true, "not_with": [{}] }} ] }}"#,
        names.join(",")
    );
    let fault = load(&text).unwrap_err().to_string();
    assert!(
        fault.contains("bodies[0].not_with: is one of more than 31 groups"),
        "{fault}"
    );
}

const SURFACES: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [
    { "name": "ground of heights", "type": "height-field", "heights": [[0, 0.1, 0], [0.1, 0, 0.1], [0, 0.1, 0.3]], "spacing": [0.5, 0.4],
      "position": [0, 0.2, 0], "quaternion": [0.5, 0.5, 0.5, 0.5], "collide": true, "friction": 0.9, "group": "surfaces" },
    { "name": "bowl", "type": "mesh", "density": 1, "convex": false, "collide": true, "position": [3, 0.1, 0], "group": "surfaces",
      "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] },
    { "name": "ramp", "type": "kinematic", "motion": { "type": "fixed" }, "position": [6, 0, 0], "collide": true, "group": "surfaces",
      "view": { "draw": [ { "type": "mesh", "convex": false, "vertices": [[0, 0, 0], [1, 1, 0], [0, 0, 1]], "triangles": [[0, 1, 2]] } ] } },
    { "name": "other", "type": "kinematic", "motion": { "type": "fixed" }, "position": [9, 0, 0], "collide": true, "group": "surfaces",
      "shapes": [ { "type": "height-field", "heights": [[0, 1], [1, 0]], "spacing": 1, "euler_deg": [0, 0, 90] },
        { "type": "mesh", "convex": false, "vertices": [[0, 0, 0], [1, 1, 0], [0, 0, 1]], "triangles": [[0, 1, 2]] } ] },
    { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0.4, 0.5, 0.5], "collide": true }
  ] }"#;

#[test]
fn surfaces_survive() {
    let mut scene = load(SURFACES).unwrap();
    let world = &scene.world;
    let of = |name: &str| {
        let own = world.colliders(world.find_body(name).unwrap()).unwrap();
        own.iter().map(|own| own.shape.clone()).collect::<Vec<_>>()
    };
    let is_mesh = |shape: &Shape| matches!(shape, Shape::Mesh(_));
    let is_field = |shape: &Shape| matches!(shape, Shape::HeightField(_));
    assert!(is_field(&of("ground of heights")[0]));
    assert!(is_mesh(&of("bowl")[0]) && is_mesh(&of("ramp")[0]));
    assert!(is_field(&of("other")[0]) && is_mesh(&of("other")[1]));
    check_round_trip("surfaces", &mut scene);
    check_round_trip("surfaces later", &mut scene);
    let text = linkwork_scene::save(&scene).unwrap();
    // The triangles of the bowl and of the ramp are those of the body; they are not said twice.
    assert_eq!(text.matches("\"shapes\"").count(), 1, "{text}");
    assert_eq!(text.matches("\"convex\": false").count(), 3, "{text}");
}

/// What is drawn of a height field are its triangles.
#[test]
fn surfaces_are_drawn() {
    let scene = load(SURFACES).unwrap();
    let look = linkwork_scene::export::look(&scene);
    for (body, triangles) in look.bodies.iter().zip([8, 4, 1]) {
        let [part] = &body.parts[..] else {
            panic!("{body:?}");
        };
        match &part.shape {
            ShapeLook::Mesh { triangles: own, .. } => assert_eq!(own.len(), triangles),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn surfaces_where_they_cannot_be_are_refused() {
    let field = r#"{ "type": "height-field", "heights": [[0, 1], [1, 0]], "spacing": 1 }"#;
    let (wanted, flat) = (
        "bodies[0].parts[0]: weighs nothing",
        "bodies[0].shapes[0]: is a surface in space, on a body of the plane",
    );
    for (body, wanted) in [
        (format!(r#""type": "compound", "parts": [{field}]"#), wanted),
        (
            format!(r#""type": "planar-disc", "radius": 1, "mass": 1, "collide": true, "shapes": [{field}]"#),
            flat,
        ),
        (
            r#""type": "mesh", "density": 1, "convex": false, "vertices": [[0, 0, 0], [1, 1, 0], [0, 0, 1]], "triangles": [[0, 1, 2]]"#
                .to_owned(),
            "bodies[0].triangles: are not closed",
        ),
    ] {
        let text = format!(r#"{{ "linkwork": 1, "bodies": [ {{ "name": "a", {body} }} ] }}"#);
        let fault = load(&text).err().unwrap().to_string();
        assert!(fault.contains(wanted), "{body}\n  {fault}");
    }
    // Two surfaces would pass through each other.
    let text = SURFACES.replace("\"group\": \"surfaces\"", "\"friction\": 0.5");
    let text = text.replace("\"friction\": 0.9, ", "");
    let fault = load(&text).err().unwrap().to_string();
    let wanted =
        "bodies[1].collide: is a surface of triangles, and so is one of \"ground of heights\"";
    assert!(fault.contains(wanted), "{fault}");
}

const ROLLING: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, 0, -9.81], "floor": 0, "floor_rolling_friction": 0.002, "floor_spinning_friction": 0.001 },
  "bodies": [
    { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0],
      "angular_velocity": [0, 10, 5], "collide": true, "rolling_friction": 0.004, "spinning_friction": 0.0005 },
    { "name": "gate", "type": "sphere", "radius": 0.2, "mass": 1, "position": [0.2, 0, 0.3], "collide": true, "sensor": true }
  ] }"#;

/// Arms and sensors are written; so are the moments of what rolls, so that a scene goes on with the same bits.
#[test]
fn what_rolls_and_what_senses_survive() {
    let mut scene = load(ROLLING).unwrap();
    check_round_trip("rolling", &mut scene);
    let world = &scene.world;
    let touching = &world.state().touching;
    assert!(touching.iter().any(|own| own.moment_world != [0.0; 3]));
    let floor = &world.colliders(linkwork::prelude::GROUND).unwrap()[0];
    assert_eq!(
        (floor.rolling_friction, floor.spinning_friction),
        (0.002, 0.001)
    );
    let of = |name: &str| &world.colliders(world.find_body(name).unwrap()).unwrap()[0];
    let ball = of("ball");
    assert_eq!(
        (ball.rolling_friction, ball.spinning_friction),
        (0.004, 0.0005)
    );
    assert!(of("gate").is_sensor && !ball.is_sensor);
    check_round_trip("rolling later", &mut scene);
}

const SOFT: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, 0, -9.81], "floor": 0, "floor_stiffness": 20000, "floor_damping": 30 },
  "bodies": [
    { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0],
      "collide": true, "contact_stiffness": 5000, "contact_damping": 20 } ] }"#;

/// What gives way is written, and goes on with the same bits.
#[test]
fn what_is_soft_survives() {
    let mut scene = load(SOFT).unwrap();
    check_round_trip("soft", &mut scene);
    let world = &scene.world;
    let floor = &world.colliders(linkwork::prelude::GROUND).unwrap()[0];
    assert_eq!((floor.stiffness, floor.damping), (20000.0, 30.0));
    let ball = &world.colliders(world.find_body("ball").unwrap()).unwrap()[0];
    assert_eq!((ball.stiffness, ball.damping), (5000.0, 20.0));
    let text = SOFT.replace("\"floor_stiffness\": 20000, ", "");
    let fault = load(&text).err().unwrap().to_string();
    assert!(
        fault.contains("floor_damping: needs a stiffness"),
        "{fault}"
    );
}

#[test]
fn wrong_numbers_of_surfaces_are_refused() {
    for (number, wanted) in [
        (
            "\"contact_stiffness\": 0",
            "bodies[0].contact_stiffness: is 0",
        ),
        (
            "\"contact_stiffness\": 10, \"contact_damping\": -1",
            "bodies[0].contact_damping: is -1",
        ),
        (
            "\"contact_damping\": 1",
            "bodies[0].contact_damping: needs a stiffness",
        ),
        ("\"friction\": -0.5", "bodies[0].friction: is -0.5"),
        ("\"restitution\": -0.1", "bodies[0].restitution: is -0.1"),
        (
            "\"restitution\": 1.5",
            "bodies[0].restitution: is 1.5; give a part between 0 and 1",
        ),
        (
            "\"rolling_friction\": -1",
            "bodies[0].rolling_friction: is -1",
        ),
        (
            "\"spinning_friction\": -1",
            "bodies[0].spinning_friction: is -1",
        ),
        ("\"sensor\": 1", "bodies[0].sensor"),
    ] {
        let text = format!(
            r#"{{ "linkwork": 1, "bodies": [ {{ "name": "a", "type": "sphere", "radius": 1, "mass": 1, "collide": true, {number} }} ] }}"#
        );
        let fault = load(&text)
            .err()
            .unwrap_or_else(|| panic!("{number} is taken"));
        assert!(fault.to_string().contains(wanted), "{number}\n  {fault}");
    }
    for (number, wanted) in [
        ("\"floor_restitution\": 2", "world.floor_restitution: is 2"),
        ("\"floor_friction\": -1", "world.floor_friction: is -1"),
    ] {
        let text = format!(r#"{{ "linkwork": 1, "world": {{ "floor": 0, {number} }} }}"#);
        let fault = load(&text)
            .err()
            .unwrap_or_else(|| panic!("{number} is taken"));
        assert!(fault.to_string().contains(wanted), "{number}\n  {fault}");
    }
}

/// Open meshes have a hull like any other.
#[test]
fn open_meshes_collide_as_their_hulls() {
    let of = |triangles: &str| {
        let text = format!(
            r#"{{ "linkwork": 1, "bodies": [ {{ "name": "a", "type": "rigid", "mass": 1, "inertia": [1, 1, 1], "collide": true,
              "shapes": [{{ "type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": {triangles} }}] }} ] }}"#
        );
        let scene = load(&text).unwrap();
        let body = scene.world.find_body("a").unwrap();
        scene.world.colliders(body).unwrap()[0].shape.clone()
    };
    let closed = of("[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]");
    assert!(matches!(closed, Shape::Hull(_)));
    assert_eq!(of("[[0,2,1],[0,1,3],[0,3,2]]"), closed);
}

/// A message about limits has the names and the unit that the file has.
#[test]
fn wrong_limits_are_told_as_they_are_written() {
    let text = r#"{ "linkwork": 1, "bodies": [ { "name": "a", "type": "sphere", "radius": 0.1, "mass": 1 } ],
      "joints": [ { "name": "j", "type": "hinge", "a": "ground", "b": "a", "at": [0, 0, 0], "axis": [0, 0, 1],
        "limits": { "lower_deg": 30, "upper_deg": -30 } } ] }"#;
    let fault = load(text).unwrap_err().to_string();
    let wanted =
        "joints[0].limits.lower_deg: is 30, and upper_deg is -30\n  hint: give a lower limit";
    assert!(fault.contains(wanted), "{fault}");
}
