//! A body of another size takes along what is drawn of it.

use linkwork_scene::command::Session;
use linkwork_scene::export::{Columns, Look, ShapeLook, look};
use linkwork_scene::load;

use crate::apply;

/// A bar of 2 m with a box as long as it, a wheel at its end whose axle is y, a line along it, and a corner of a skin.
const BAR: &str = r##"{
  "linkwork": 1,
  "bodies": [{"name": "bar", "type": "box", "size": [2, 0.2, 0.2], "mass": 1, "view": {
    "draw": [
      {"type": "box", "size": [2, 0.1, 0.1]},
      {"type": "disc", "radius": 0.3, "thickness": 0.1, "position": [1, 0, 0], "euler_deg": [0, 0, 90]},
      {"type": "mesh", "vertices": [[0, -1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
       "triangles": [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]], "euler_deg": [0, 0, 90]}
    ],
    "drawing": [{"points": [[-1, 0, 0], [1, 0.1]]}]
  }}],
  "view": {"skins": [{"name": "flag", "vertices": [
    {"body": "bar", "point": [1, 0, 0]}, {"body": "ground", "point": [1, 1, 1]}, {"body": "bar", "point": [0, 0.1, 0]}
  ], "triangles": [[0, 1, 2]]}]}
}"##;

fn looks(session: &Session) -> Look {
    look(session.scene())
}

/// The command that makes the bar of another size, with what the file says of its look, or with another one.
fn resized(size: &str, view: Option<&str>) -> String {
    let scene: serde_json::Value = serde_json::from_str(BAR).unwrap();
    let own = scene["bodies"][0]["view"].to_string();
    let view = view.unwrap_or(&own);
    format!(
        r#"{{"resize": {{"name": "bar", "type": "box", "size": {size}, "mass": 1, "view": {view}}}}}"#
    )
}

#[test]
fn what_is_drawn_of_a_body_grows_with_it() {
    let mut session = Session::new(load(BAR).unwrap()).unwrap();
    let before = looks(&session);
    apply(&mut session, &[&resized("[3, 0.2, 0.2]", None)]);
    let after = looks(&session);
    let bar = &after.bodies[0];
    assert_eq!(
        bar.parts[0].shape,
        ShapeLook::Box {
            size: [3.0, 0.1, 0.1]
        }
    );
    // The wheel is at the new end, and still round.
    assert_eq!(bar.parts[1].position, [1.5, 0.0, 0.0]);
    let ShapeLook::Cylinder { length, radius } = bar.parts[1].shape else {
        panic!("a disc is a cylinder")
    };
    assert!((length - 0.1).abs() < 1e-12 && (radius - 0.3).abs() < 1e-12);
    // The mesh is turned: its y lies along the bar.
    let ShapeLook::Mesh { vertices, .. } = &bar.parts[2].shape else {
        panic!("a mesh is a mesh")
    };
    let flat = vertices.concat();
    let wanted = [0.0, -1.5, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    assert!(
        flat.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-12),
        "{flat:?}"
    );
    assert_eq!(bar.drawing[0].points, [[-1.5, 0.0, 0.0], [1.5, 0.1, 0.0]]);
    let corners: Vec<_> = after.skins[0]
        .vertices
        .iter()
        .map(|end| end.point)
        .collect();
    assert_eq!(corners, [[1.5, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.1, 0.0]]);
    apply(&mut session, &[r#""undo""#]);
    assert_eq!(looks(&session), before);
}

#[test]
fn a_look_that_comes_with_a_size_is_taken_as_it_is() {
    let mut session = Session::new(load(BAR).unwrap()).unwrap();
    let ball = r#"{"draw": [{"type": "sphere", "radius": 0.5, "position": [1, 0, 0]}]}"#;
    apply(&mut session, &[&resized("[3, 0.4, 0.4]", Some(ball))]);
    let part = &looks(&session).bodies[0].parts[0];
    assert_eq!(part.shape, ShapeLook::Sphere { radius: 0.5 });
    assert_eq!(part.position, [1.0, 0.0, 0.0]);
}

#[test]
fn what_fell_far_away_does_not_make_everything_larger() {
    let scene = |height: f64| {
        let text = format!(
            r#"{{"linkwork": 1, "bodies": [
              {{"name": "arm", "type": "rod", "length": 1, "radius": 0.02, "mass": 1, "position": [0.5, 0, 0]}},
              {{"name": "hand", "type": "particle", "mass": 1, "position": [1, 0, 0]}},
              {{"name": "stone", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, {height}, 0]}}
            ], "joints": [
              {{"name": "wrist", "type": "ball", "a": "hand", "b": "arm", "at": [1, 0, 0]}},
              {{"name": "pin", "type": "ball", "a": "ground", "b": "arm", "at": [0, 0, 0]}}
            ]}}"#
        );
        look(&load(&text).unwrap())
    };
    let (near, far) = (scene(-1.0), scene(-1000.0));
    assert_eq!(near.extent, far.extent);
    assert_eq!(near.bodies[1].parts, far.bodies[1].parts);
}

/// A quantity that is worked out of a named point reads it where it is, after a size and after a parameter.
#[test]
fn quantities_go_along_with_a_size() {
    let text = |length: &str| {
        format!(
            r#"{{"linkwork": 1, "parameters": {{"L": {length}}}, "bodies": [
              {{"name": "bar", "type": "rod", "length": "=L", "radius": 0.1, "mass": 1}}
            ], "connectors": [{{"name": "tip", "body": "bar", "point": ["=L/2", 0, 0]}}],
            "quantities": [{{"name": "reach", "is": "tip.x"}}]}}"#
        )
    };
    let reach = |session: &Session| {
        let mut columns = Columns::parse(session.scene(), &["quantity.reach.value"]).unwrap();
        let mut row = Vec::new();
        columns.sample(session.scene(), None, &mut row);
        row[0]
    };
    for edit in [
        r#"{"resize": {"name": "bar", "type": "rod", "length": 3, "radius": 0.1, "mass": 1}}"#,
        r#"{"set_parameter": {"name": "L", "value": 3}}"#,
    ] {
        let mut session = Session::new(load(&text("2")).unwrap()).unwrap();
        assert_eq!(reach(&session), 1.0);
        apply(&mut session, &[edit]);
        assert_eq!(reach(&session), 1.5, "{edit}");
        apply(&mut session, &[r#""undo""#]);
        assert_eq!(reach(&session), 1.0, "{edit}");
    }
}
