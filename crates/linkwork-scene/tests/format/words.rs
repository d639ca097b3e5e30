//! What each word of the format means to the engine.

use linkwork_scene::format::BodyEntry;
use linkwork_scene::read::from_json;
use linkwork_scene::{Scene, load};

use crate::round_trip::check_round_trip;

fn loaded(text: &str) -> Scene {
    load(text).unwrap_or_else(|fault| panic!("{fault}"))
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn poses_can_be_written_in_four_ways() {
    let scene = loaded(
        r##"{ "linkwork": 1, "bodies": [
            { "name": "ends", "type": "rod", "radius": 0.01, "mass": 1, "from": [0, 0, 0], "to": [0, 2, 0] },
            { "name": "quaternion", "type": "rod", "length": 2, "radius": 0.01, "mass": 1, "position": [0, 1, 0],
              "quaternion": [0.7071067811865476, 0, 0, 0.7071067811865476] },
            { "name": "axis", "type": "rod", "length": 2, "radius": 0.01, "mass": 1, "position": [0, 1, 0],
              "axis": [0, 0, 5], "angle_deg": 90 },
            { "name": "euler", "type": "rod", "length": 2, "radius": 0.01, "mass": 1, "position": [0, 1, 0],
              "euler_deg": [0, 0, 90] } ] }"##,
    );
    for record in scene.world.bodies() {
        let world = &scene.world;
        close(
            &world
                .position_world(&record.id().at([1.0, 0.0, 0.0]))
                .unwrap(),
            &[0.0, 2.0, 0.0],
        );
        close(
            &world
                .position_world(&record.id().at([-1.0, 0.0, 0.0]))
                .unwrap(),
            &[0.0; 3],
        );
    }
    // Turns about the fixed axes x, then y, then z.
    let scene = loaded(
        r##"{ "linkwork": 1, "bodies": [ { "name": "a", "type": "sphere", "radius": 0.1, "mass": 1,
            "euler_deg": [90, 90, 0] } ] }"##,
    );
    let a = scene.world.find_body("a").unwrap();
    // z goes to −y by the turn about x and stays there; y goes to z and then to x.
    close(
        &scene.world.position_world(&a.at([0.0, 0.0, 1.0])).unwrap(),
        &[0.0, -1.0, 0.0],
    );
    close(
        &scene.world.position_world(&a.at([0.0, 1.0, 0.0])).unwrap(),
        &[1.0, 0.0, 0.0],
    );
}

#[test]
fn densities_give_masses() {
    let scene = loaded(
        r##"{ "linkwork": 1, "bodies": [
            { "name": "box", "type": "box", "size": [1, 2, 3], "density": 10 },
            { "name": "ball", "type": "sphere", "radius": 1, "density": 3 },
            { "name": "rod", "type": "rod", "length": 2, "radius": 0.5, "density": 4 },
            { "name": "wheel", "type": "disc", "radius": 0.5, "thickness": 2, "density": 4 },
            { "name": "bar", "type": "planar-rod", "length": 2, "density": 1.5 },
            { "name": "plate", "type": "planar-box", "size": [2, 3], "density": 0.5 },
            { "name": "pair", "type": "compound", "parts": [
                { "type": "sphere", "radius": 0.1, "mass": 2, "position": [1, 0, 0] },
                { "type": "sphere", "radius": 0.1, "mass": 2, "position": [-1, 0, 0] } ] },
            { "name": "cube", "type": "mesh", "mass": 8,
              "vertices": [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[1,1,1],[0,1,1]],
              "triangles": [[0,2,1],[0,3,2],[4,5,6],[4,6,7],[0,1,5],[0,5,4],[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7]] }
        ] }"##,
    );
    let pi = std::f64::consts::PI;
    let masses = [60.0, 4.0 * pi, 2.0 * pi, 2.0 * pi, 3.0, 3.0, 4.0, 8.0];
    for (record, mass) in scene.world.bodies().iter().zip(masses) {
        let (own, _) = record
            .body()
            .center_of_mass(scene.world.q(record.id()).unwrap());
        assert!((own - mass).abs() < 1e-12, "{}: {own}", record.label());
    }
    let mut scene = scene;
    check_round_trip("densities", &mut scene);
}

#[test]
fn joints_are_made_at_points_of_the_world() {
    let mut scene = loaded(
        r##"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] }, "bodies": [
            { "name": "a", "type": "rod", "radius": 0.01, "mass": 1, "from": [0, 0, 0], "to": [0.3, 0.4, 0] },
            { "name": "b", "type": "rod", "radius": 0.01, "mass": 1, "from": [0.3, 0.4, 0], "to": [1, 0.4, 0.2] } ],
          "connectors": [ { "name": "tip", "body": "b", "point": [0.2, 0, 0] } ],
          "joints": [
            { "name": "root", "type": "hinge", "a": "ground", "b": "a", "at": [0, 0, 0], "axis": [0, 0, 1],
              "drive": { "type": "ramp", "rate_deg": 90 } },
            { "name": "elbow", "type": "ball", "a": "a", "b": "b", "at": [0.3, 0.4, 0] },
            { "name": "string", "type": "spring", "a": "tip", "b": { "body": "ground", "point": [1, 2, 0] },
              "stiffness": 50, "rest_length": 1, "damping": 2 } ],
          "behaviors": [ { "name": "oil", "type": "friction", "joint": "root", "angular": 0.1 } ],
          "traces": [ { "name": "tip", "of": "tip", "color": "#ff0000" } ] }"##,
    );
    let errors = scene.world.constraint_errors().unwrap();
    assert_eq!(errors.len(), 4);
    for error in &errors {
        assert!(error.size() < 1e-15, "{error:?}");
        assert!(
            error.position_rate.max(error.angle_rate) < 1e-12,
            "{error:?}"
        );
    }
    // The drive asks for 90° a second, and nothing said how fast anything moves.
    let a = scene.world.find_body("a").unwrap();
    assert!((scene.world.v(a).unwrap()[5] - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert_eq!(scene.traces[0].name, "tip");
    check_round_trip("joints", &mut scene);
    check_round_trip("joints later", &mut scene);
}

#[test]
fn everything_in_the_plane() {
    let mut scene = loaded(
        r##"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "preset": "precise", "dt": 0.01 }, "bodies": [
            { "name": "crank", "type": "planar-rod", "from": [0, 0], "to": [0.1, 0], "mass": 0.1 },
            { "name": "rod", "type": "planar-rod", "from": [0.1, 0], "to": [0.5, 0], "mass": 0.2 },
            { "name": "piston", "type": "planar-box", "size": [0.1, 0.05], "mass": 0.3, "position": [0.5, 0] },
            { "name": "cloth", "type": "troid", "size": [0.2, 0.1], "mass": 0.1, "stiffness": 3, "damping": 0.1, "position": [1, 1] } ],
          "joints": [
            { "name": "axle", "type": "hinge", "a": "ground", "b": "crank", "at": [0, 0], "drive": { "type": "ramp", "rate": 6 } },
            { "name": "pin", "type": "hinge", "a": "crank", "b": "rod", "at": [0.1, 0] },
            { "name": "wrist", "type": "hinge", "a": "rod", "b": "piston", "at": [0.5, 0] },
            { "name": "guide", "type": "prismatic", "a": "ground", "b": "piston", "axis": [1, 0, 0] },
            { "name": "peg", "type": "hinge", "a": "ground", "b": "cloth", "at": [1.05, 1.02] },
            { "name": "size", "type": "scalar", "a": { "body": "cloth", "scalar": "area" }, "value": 0.02 },
            { "name": "lead", "type": "trajectory", "a": { "body": "cloth", "point": [-0.1, 0] },
              "path": { "type": "keyframes", "repeat": true, "keyframes": [[0, 0.9, 1], [1, 0.9, 1.05], [2, 0.88, 1, 0], [3, 0.9, 0.95, 0], [4, 0.9, 1, 0]] },
              "level": 1 } ] }"##,
    );
    for error in scene.world.constraint_errors().unwrap() {
        assert!(error.size() < 1e-15, "{error:?}");
    }
    check_round_trip("plane", &mut scene);
    check_round_trip("plane later", &mut scene);
}

#[test]
fn gears_surfaces_wheels_and_motions() {
    let mut scene = loaded(
        r##"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] }, "bodies": [
            { "name": "small", "type": "disc", "radius": 0.1, "thickness": 0.02, "mass": 1, "euler_deg": [0, -90, 0] },
            { "name": "large", "type": "disc", "radius": 0.2, "thickness": 0.02, "mass": 4, "position": [0.3, 0, 0], "euler_deg": [0, -90, 0] },
            { "name": "bead", "type": "sphere", "radius": 0.02, "mass": 0.1, "position": [0, 2, 1] },
            { "name": "nut", "type": "box", "size": [0.1, 0.1, 0.1], "mass": 1, "position": [2, 0, 0] },
            { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.1, 3] },
            { "name": "shaker", "type": "kinematic", "position": [5, 0, 0], "motion": { "type": "sine", "amplitude": [0.1, 0, 0], "frequency": 2 } },
            { "name": "guide", "type": "kinematic", "position": [6, 0, 0], "motion": { "type": "path", "path": { "type": "circle", "center": [6, 0, 0], "radius": 0.1, "frequency": 1 } } },
            { "name": "goal", "type": "tracker", "position": [7, 0, 0] },
            { "name": "bob", "type": "particle", "mass": 1, "position": [5, -1, 0] },
            { "name": "load", "type": "rigid", "mass": 2, "com": [0.1, 0, 0], "inertia": [0.1, 0.1, 0.1, 0.01, 0, 0], "position": [6, -0.5, 0] } ],
          "joints": [
            { "name": "axle 1", "type": "hinge", "a": "ground", "b": "small", "at": [0, 0, 0], "axis": [0, 0, 1] },
            { "name": "axle 2", "type": "hinge", "a": "ground", "b": "large", "at": [0.3, 0, 0], "axis": [0, 0, 1] },
            { "name": "teeth", "type": "gear", "connectors": ["small", "large", "ground"], "coefficients": [10, 20], "axis": [0, 0, 1] },
            { "name": "follow", "type": "coupling", "connectors": [{ "body": "ground", "axis": [0, 1, 0] }, { "body": "nut", "axis": [0, 1, 0] }, { "body": "ground", "axis": [0, 0, 1] }, { "body": "goal", "axis": [0, 0, 1] }], "coefficients": [0, 2], "coordinates": ["length", "angle"], "enabled": false },
            { "name": "wire", "type": "point-on-surface", "a": { "body": "ground", "point": [0, 0, 1], "axis": [1, 0, 0] }, "b": "bead", "surface": { "type": "torus", "major": 1.9, "minor": 0.1 } },
            { "name": "thread", "type": "screw", "a": "ground", "b": "nut", "at": [2, 0, 0], "axis": [0, 1, 0], "lead": 0.01 },
            { "name": "floor", "type": "ball-on-plane", "a": "ground", "b": "ball", "normal": [0, 1, 0], "radius": 0.1 },
            { "name": "rolls", "type": "rolling-ball", "a": "ground", "b": "ball", "normal": [0, 1, 0], "radius": 0.1 },
            { "name": "rope", "type": "distance", "a": "shaker", "b": "bob", "length": 1 },
            { "name": "hang", "type": "ball", "a": "guide", "b": { "body": "load", "point": [0, 0.5, 0] }, "close_over": 0.5 } ],
          "hands": [ { "name": "mine", "held": "nut", "drag": { "type": "force", "stiffness": 30, "damping": 4 }, "goal": [2, 0.1, 0] } ] }"##,
    );
    assert_eq!(scene.world.grips().len(), 1);
    check_round_trip("gears", &mut scene);
    check_round_trip("gears later", &mut scene);
}

/// Directions are written out, are the x of frames, or axes of the world at points; forces act on them and on numbers.
#[test]
fn directions_and_forces_on_outputs() {
    let mut scene = loaded(
        r##"{ "linkwork": 1, "bodies": [
            { "name": "a", "type": "box", "size": [0.3, 0.2, 0.1], "mass": 1, "euler_deg": [10, 20, 30] },
            { "name": "b", "type": "box", "size": [0.3, 0.2, 0.1], "mass": 1, "position": [1, 0, 0], "angular_velocity": [0.1, 0.2, 0.3] },
            { "name": "cloth", "type": "troid", "size": [0.2, 0.1], "mass": 0.1, "stiffness": 3, "position": [1, 1] } ],
          "connectors": [ { "name": "up", "body": "b", "direction": [0.3, 2, 0.7] } ],
          "joints": [
            { "name": "alike", "type": "parallel", "a": "ground", "b": "a", "axis": [1, 2, 3] },
            { "name": "square", "type": "perpendicular", "a": { "body": "a", "axis": [0, 0, 1] }, "b": "b", "axis_b": [1, 0, 0], "compliance": 0.1, "damping": 1, "enabled": false },
            { "name": "lean", "type": "direction-angle", "a": { "body": "ground", "direction": [1, 0, 0] }, "b": "up",
              "function": { "type": "sine", "amplitude_deg": 10, "frequency": 1, "offset": 1.4 } } ],
          "behaviors": [
            { "name": "field", "type": "force", "on": "up", "force": [0, 1, 0] },
            { "name": "gas", "type": "force", "on": { "body": "cloth", "scalar": "area" }, "force": 2.5 },
            { "name": "push", "type": "force", "on": "cloth", "force": [1, 2] },
            { "name": "twist", "type": "wrench", "on": "up", "torque": [0.1, 0, 0], "axes": "connector" },
            { "name": "turn", "type": "motor", "a": "up", "b": "a", "torque": 0.2 } ] }"##,
    );
    let rows: Vec<usize> = (scene.world.constraints().iter())
        .map(|record| record.rows().len())
        .collect();
    assert_eq!(rows, [2, 1, 1]);
    assert!(scene.world.constraint_errors().unwrap()[0].size() < 1e-15);
    let saved = linkwork_scene::save(&scene).unwrap();
    for words in [
        "\"direction-angle\"",
        "\"perpendicular\"",
        "\"parallel\"",
        "\"force\": 2.5",
    ] {
        assert!(saved.contains(words), "{words}: {saved}");
    }
    check_round_trip("directions", &mut scene);
    check_round_trip("directions later", &mut scene);
}

/// Fields that were renamed: files with the old names load, and are saved with the new ones.
#[test]
fn old_names_of_fields_are_read() {
    let text = |depth: &str, priority: &str| {
        format!(
            r##"{{ "linkwork": 1, "world": {{ "{depth}": 3 }}, "bodies": [
                {{ "name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0] }} ],
              "joints": [
                {{ "name": "leash", "type": "ball", "a": "ground", "b": "bob", {priority} }} ] }}"##
        )
    };
    let old = loaded(&text("max_level", r#""level": 2"#));
    let new = loaded(&text("max_depth", r#""priority": 2"#));
    let saved = linkwork_scene::save(&new).unwrap();
    assert_eq!(linkwork_scene::save(&old).unwrap(), saved);
    assert!(saved.contains("\"priority\": 2") && saved.contains("\"max_depth\": 3"));
    let colored = |word: &str| {
        format!(
            r##"{{ "linkwork": 1, "bodies": [
                {{ "name": "bob", "type": "particle", "mass": 1, "view": {{ "{word}": "#123456",
                  "draw": [ {{ "type": "sphere", "radius": 1, "{word}": "#654321" }} ] }} }} ],
              "traces": [ {{ "name": "way", "of": {{ "body": "bob" }}, "{word}": "#abcdef" }} ] }}"##
        )
    };
    let saved = linkwork_scene::save(&loaded(&colored("colour"))).unwrap();
    assert_eq!(
        saved,
        linkwork_scene::save(&loaded(&colored("color"))).unwrap()
    );
    assert_eq!(saved.matches("\"color\": \"#").count(), 3, "{saved}");
    let both = load(&colored("color\": \"#000000\", \"colour"));
    assert!(
        both.unwrap_err()
            .to_string()
            .contains("colour: is given beside \"color\", its new name")
    );
    let both = load(&text("max_depth", r#""priority": 2, "level": 1"#));
    let said = both.unwrap_err().to_string();
    assert!(
        said.contains("joints[0].level: is given beside \"priority\", its new name"),
        "{said}"
    );
    let bad = load(&text("max_depth", r#""level": "high""#));
    let said = bad.unwrap_err().to_string();
    assert!(
        said.contains("joints[0].level") && said.contains("line 4"),
        "{said}"
    );
}

/// Programs change entries by the names of fields.
#[test]
fn fields_are_set_by_name() {
    let mut bob: BodyEntry =
        from_json(r#"{ "name": "bob", "type": "particle", "mass": 1 }"#).unwrap();
    bob.set("mass", 2.0).unwrap();
    bob.set("position", [1.0, 0.0, 0.0]).unwrap();
    assert_eq!(bob.get("mass"), Some(2.0));
    assert_eq!(bob.get("position"), Some([1.0, 0.0, 0.0]));
    let before = bob.clone();
    let fault = bob.set("radius", 1.0).unwrap_err();
    assert_eq!(
        (fault.path.as_str(), fault.problem.as_str()),
        ("radius", "there is no field \"radius\"")
    );
    assert_eq!(bob, before);
}
