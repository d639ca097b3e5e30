//! What of bodies collides, as files say it.

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
            "bodies[0].shapes[0]",
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

#[test]
fn wrong_numbers_of_surfaces_are_refused() {
    for (number, wanted) in [
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
