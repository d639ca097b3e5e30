//! Mistakes people make, and what they are told.

use linkwork_scene::load;

/// What a document with these sections answers.
fn answer(sections: &str) -> String {
    let text = format!("{{ \"linkwork\": 1, {sections} }}");
    load(&text).unwrap_err().to_string()
}

fn body(fields: &str) -> String {
    answer(&format!("\"bodies\": [{{ \"name\": \"a\", {fields} }}]"))
}

const ROD: &str = r#"{ "name": "a", "type": "rod", "length": 1, "radius": 0.1, "mass": 1 }"#;

fn joint(fields: &str) -> String {
    answer(&format!(
        "\"bodies\": [{ROD}], \"joints\": [{{ \"name\": \"j\", {fields} }}]"
    ))
}

/// A screw that has made so many turns.
fn turns(counts: &str) -> String {
    answer(&format!(
        "\"bodies\": [{ROD}], \"joints\": [{{ \"name\": \"j\", \"type\": \"screw\", \"a\": \"ground\", \"b\": \"a\", \
         \"axis\": [1, 0, 0], \"lead\": 0.1 }}], \"state\": {{ \"turns\": {{ \"j\": {counts} }} }}"
    ))
}

/// A skin of one corner and one triangle.
fn skin(vertex: &str, corner: u32) -> String {
    answer(&format!(
        "\"bodies\": [{ROD}], \"view\": {{ \"skins\": [{{ \"name\": \"s\", \
         \"vertices\": [{{ {vertex} }}], \"triangles\": [[0, 0, {corner}]] }}] }}"
    ))
}

#[test]
fn each_mistake_has_a_place_a_cause_and_a_hint() {
    for (said, expected) in [
        (
            joint(
                r#""type": "direction-angle", "a": "ground", "b": "a", "axis": [0, 1, 0], "function": { "type": "constant", "value": 0 }"#,
            ),
            "joints[0].function: does not start between 0 and π; there make the directions parallel",
        ),
        (
            joint(r#""type": "parallel", "a": "ground", "b": "a""#),
            "joints[0]: has no \"axis\"",
        ),
        (
            joint(
                r#""type": "parallel", "a": "ground", "b": { "body": "a", "direction": [0, 0, 0] }, "axis": [0, 1, 0]"#,
            ),
            "joints[0].b.direction: has no direction",
        ),
        (
            skin(r#""body": "b", "point": [0, 0, 0]"#, 0),
            "view.skins[0].vertices[0].body: no body is called \"b\"",
        ),
        (
            skin(r#""body": "a", "point": [0]"#, 0),
            "view.skins[0].vertices[0].point: has 1 numbers",
        ),
        (
            skin(r#""body": "a", "point": [0, 0]"#, 1),
            "view.skins[0].triangles[0]: has the corner 1, but there are 1, counted from 0",
        ),
        (
            body(
                r#""type": "particle", "mass": 1, "view": { "drawing": [{ "points": [[1, 2], [3]] }] }"#,
            ),
            "bodies[0].view.drawing[0].points[1]: has 1 numbers",
        ),
        (
            answer(r#""bodies": [["a", "particle"]]"#),
            "bodies[0]: is a list, but must be an object, { … }",
        ),
        (
            answer(r#""world": []"#),
            "world: is a list, but must be an object, { … }",
        ),
        (
            body(r#""type": "rod", "lenght": 1"#),
            "bodies[0].lenght: there is no field \"lenght\"\n  hint: did you mean \"length\"?",
        ),
        (
            body(r#""type": "rodd""#),
            "bodies[0].type: there is no type \"rodd\"\n  hint: did you mean \"rod\"?",
        ),
        (
            body(r#""type": "rod", "length": 1, "radius": 0.1"#),
            "bodies[0]: has neither \"mass\" nor \"density\"",
        ),
        (
            body(r#""type": "rod", "length": 1, "mass": 1"#),
            "bodies[0]: has no \"radius\"",
        ),
        (
            body(r#""type": "sphere", "radius": 1, "mass": 1, "length": 2"#),
            "bodies[0].length: does not belong to the type \"sphere\"",
        ),
        (
            body(r#""type": "sphere", "radius": -1, "mass": 1"#),
            "bodies[0].radius: is -1",
        ),
        (
            body(r#""type": "sphere", "radius": "1 m", "mass": 1"#),
            "bodies[0].radius: is \"1 m\", but must be a number",
        ),
        (
            body(r#""type": "sphere", "radius": 1e400, "mass": 1"#),
            "bodies[0].radius: number out of range",
        ),
        (
            body(r#""type": "sphere", "radius": 1, "mass": 1, "quaternion": [2, 0, 0, 0]"#),
            "bodies[0].quaternion: is a quaternion of length 2",
        ),
        (
            body(r#""type": "sphere", "radius": 1, "mass": 1, "angle_deg": 3"#),
            "bodies[0]: has no \"axis\"",
        ),
        (
            body(r#""type": "sphere", "radius": 1, "mass": 1, "position": [1, 2]"#),
            "bodies[0].position: has 2 numbers\n  hint: give 3",
        ),
        (
            joint(r#""type": "ball", "a": "ground", "b": "a", "weight": 0"#),
            "joints[0].weight: is 0",
        ),
        (
            joint(r#""type": "ball", "a": "ground", "b": "a", "weight": -2"#),
            "joints[0].weight: is -2",
        ),
        (
            joint(r#""type": "ball", "a": "ground", "b": "a", "weight": 1e300"#),
            "joints[0].weight: is 1",
        ),
        (
            joint(r#""type": "hinge", "a": "ground", "b": "b", "at": [0,0,0], "axis": [0,0,1]"#),
            "joints[0].b: no body is called \"b\"",
        ),
        (
            joint(r#""type": "ball", "a": "ground", "b": { "body": "aa", "point": [0,0,0] }"#),
            "joints[0].b.body: no body is called \"aa\"\n  hint: did you mean \"a\"?",
        ),
        (
            joint(r#""type": "hinge", "a": "ground", "b": "a", "at": [0,0,0]"#),
            "joints[0]: has no \"axis\"",
        ),
        (
            joint(r#""type": "hinge", "a": "ground", "b": "a", "at": [0,0,0], "axis": [0,0,0]"#),
            "joints[0].axis: has no direction",
        ),
        (
            joint(
                r#""type": "hinge", "a": "ground", "b": "a", "at": [0,0,0], "axis": [0,0,1], "limits": {"lower": 1, "upper": 0}"#,
            ),
            "joints[0].limits.lower: is 1, and upper is 0",
        ),
        (
            joint(r#""type": "ball", "a": "ground", "b": "a", "pitch": 1"#),
            "joints[0].pitch: does not belong to the type \"ball\"",
        ),
        (
            joint(r#""type": "ball", "a": "a", "b": "a""#),
            "joints[0]: ",
        ),
        (
            joint(r#""type": "ball", "a": { "body": "a", "pint": [0,0,0] }, "b": "ground""#),
            "joints[0].a.pint: there is no field \"pint\"\n  hint: did you mean \"point\"?",
        ),
        (
            answer(&format!("\"bodies\": [{ROD}, {ROD}]")),
            "bodies[1].name: \"a\" is taken",
        ),
        (
            answer(r#""worlds": {}"#),
            "worlds: there is no field \"worlds\"\n  hint: did you mean \"world\"?",
        ),
        (answer(r#""world": { "dt": -1 }"#), "world.dt: is -1"),
        (
            answer(r#""world": { "gravity": -9.81 }"#),
            "world.gravity: is -9.81, but must be a list of 3",
        ),
        (
            answer(r#""name": "a", "name": "b""#),
            "has \"name\" twice\n  hint: leave one of them out",
        ),
        (
            body(r#""type": "bar""#),
            "bodies[0].type: there is no type \"bar\"\n  hint: here it is called \"rod\"",
        ),
        (
            body(r#""type": "rod", "from": [1, 0, 0], "to": [1, 0, 0], "radius": 1, "mass": 1"#),
            "bodies[0].to: is where \"from\" is",
        ),
        (
            joint(r#""type": "hinge", "a": "ground", "b": "a", "at": [0, 0], "axis": [0, 0, 1]"#),
            "joints[0].at: has 2 numbers, but joins a body in space\n  hint: give 3",
        ),
        (
            answer(r#"'bodies': []"#),
            "key must be a string\n  hint: names are in double quotes",
        ),
        (
            answer(r#""bodies": [{},]"#),
            "bodies: expected value\n  hint: there is an extra comma",
        ),
        (
            answer(r#""bodies": [],"#),
            "trailing comma\n  hint: there is an extra comma",
        ),
        (
            answer(r#""world": { "preset": "exact" }"#),
            "world.preset: there is no preset \"exact\"",
        ),
        (
            answer(r#""state": { "multipliers": { "x": [1] } }"#),
            "state.multipliers.x: no joint has this name",
        ),
        (
            answer(r#""state": { "turns": { "x": [1] } }"#),
            "state.turns.x: no joint has this name",
        ),
        (
            answer(r#""state": { "behavior_turns": { "x": [1] } }"#),
            "state.behavior_turns.x: no behavior has this name",
        ),
        (
            turns("[1, 2]"),
            "state.turns.j: has 2 numbers, but the joint has 1 angles",
        ),
        (
            turns("[1e18]"),
            "state.turns.j: is 1000000000000000000; give a whole number from -1e12 to 1e12",
        ),
        (
            turns("[0.5]"),
            "state.turns.j: is 0.5; give a whole number from -1e12 to 1e12",
        ),
        (
            body(r#""type": "kinematic", "motion": { "type": "spin", "rate": 2 }"#),
            "bodies[0].motion: has no \"axis\"",
        ),
    ] {
        let said_without_place = match said.split_once(": ") {
            Some((place, rest)) if place.starts_with("line ") => rest,
            _ => &said,
        };
        assert!(
            said_without_place.starts_with(expected),
            "said: {said}\nwanted: {expected}"
        );
    }
}

/// Mistakes of a first hour, as a newcomer made them.
#[test]
fn mistakes_of_a_first_hour() {
    let sphere = |fields: &str| body(&format!(r#""type": "sphere", "radius": 1, {fields}"#));
    for (said, expected, hint) in [
        (sphere(r#""mass": 1, "#), "", "an extra comma"),
        (sphere(r#""mass": 1 // one"#), "", "JSON has no comments"),
        (sphere(r#""mass": NaN"#), "", "NaN and infinity"),
        (
            answer(r#""world": { "gravity": [0, -9,81, 0] }"#),
            "world.gravity: has too many numbers",
            "a point, not a comma",
        ),
        (
            answer(r#""world": { "gravity": [0, -9.81] }"#),
            "world.gravity: is a list of 2, but must be a list of 3",
            "",
        ),
        (
            answer(r#""world": { "preset": "precis" }"#),
            "world.preset: there is no preset \"precis\"",
            "did you mean \"precise\"?",
        ),
        (
            body(r#""type": "Rod""#),
            "bodies[0].type: there is no type \"Rod\"",
            "did you mean \"rod\"?",
        ),
        (
            sphere(r#""mass": "1 kg""#),
            "bodies[0].mass: is \"1 kg\", but must be a number",
            "SI units",
        ),
        (
            sphere(r#""density": -7850"#),
            "bodies[0].density: is -7850",
            "",
        ),
        (
            answer(r#""bodies": [{ "name": "", "type": "particle", "mass": 1 }]"#),
            "bodies[0].name: ",
            "",
        ),
        (
            sphere(r#""mass": 1, "view": { "color": "red" }"#),
            "bodies[0].view.color: is \"red\"",
            "such as",
        ),
        (
            answer(
                r#""bodies": [{ "name": "a", "type": "planar-disc", "radius": 1, "mass": 1 },
                { "name": "b", "type": "sphere", "radius": 1, "mass": 1 }],
                "joints": [{ "name": "j", "type": "hinge", "a": "a", "b": "b", "at": [0, 0], "axis": [0, 0, 1] }]"#,
            ),
            "joints[0]: joins a body of the plane and one in space",
            "make both planar",
        ),
    ] {
        assert!(
            said.contains(expected) && said.contains(hint),
            "said: {said}\nwanted: {expected} {hint}"
        );
    }
    let name = joint("\"type\": \"ball\", \"a\": \"ground\", \"b\": \"cr\\u001b[31m\\nank\"");
    assert!(name.contains("cr\\u{1b}[31m\\nank"), "{name}");
}

#[test]
fn what_is_no_scene_is_refused() {
    let refused = |text: &str| load(text).unwrap_err().to_string();
    assert!(refused("").starts_with("the file is empty"));
    assert!(
        refused("{").contains("the file ends too early"),
        "{}",
        refused("{")
    );
    assert!(refused("[1]").starts_with("is no scene"));
    assert!(refused("hello").starts_with("is no scene"));
    assert!(refused("{}").starts_with("has no \"linkwork\""));
    assert!(
        refused("{\"linkwork\": 2}")
            .starts_with("linkwork: is 2, but this program reads versions up to 1")
    );
    assert!(refused("{\"linkwork\": \"x\"}").contains("not a version of the format"));
    assert!(refused("{\"linkwork\": 1} x").contains("trailing characters"));
    let comma = refused("{\"linkwork\": 1,\n \"bodies\": [ {} {} ]}");
    assert!(comma.starts_with("line 2, column "), "{comma}");
    let deep = format!(
        "{{\"linkwork\": 1, \"bodies\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(
        refused(&deep).contains("bodies[0]: is a list, but must be an object"),
        "{}",
        refused(&deep)
    );
}

#[test]
fn names_may_be_anything() {
    let name = "a \"b\"\n\u{1F600} <c> \\";
    let text = format!(
        "{{ \"linkwork\": 1, \"bodies\": [{{ \"name\": {}, \"type\": \"particle\", \"mass\": 1 }}] }}",
        serde_json::to_string(name).unwrap()
    );
    let scene = load(&text).unwrap();
    assert!(scene.world.find_body(name).is_some());
    let again = load(&linkwork_scene::save(&scene).unwrap()).unwrap();
    assert!(again.world.find_body(name).is_some());
}
