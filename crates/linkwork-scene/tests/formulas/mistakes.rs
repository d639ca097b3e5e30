//! Every mistake in a formula is told with its place and a way out; nothing is built of it.

use super::scene;

#[test]
fn mistakes_are_told() {
    let with = |is: &str| {
        let text = format!(
            r#"{{ "linkwork": 1,
            "bodies": [ {{ "name": "bob", "type": "particle", "mass": 1 }},
                        {{ "name": "design", "type": "numbers", "names": ["a"], "values": [1] }},
                        {{ "name": "graph", "type": "formula", "names": ["r"], "values": [1], "mass": 1,
                           "curve": "[r*cos(u), r*sin(u)]", "u": ["0", "tau"], "closed": true }} ],
            "joints": [ {{ "name": "own", "type": "formula", "is": "{is}" }} ] }}"#
        );
        scene(&text).unwrap_err()
    };
    for (is, says) in [
        ("bob.x ==", "column"),
        ("bub.x == 1", "did you mean bob"),
        ("bob.x + 1", "says nothing that could hold"),
        ("1 == 2", "depends on nothing that moves"),
        ("bob == 1", ""),
        ("bob.x == 1; bob.y == 2", "more than one thing"),
        ("minimize bob", "number"),
        ("design.b == 1", "design.a"),
        ("design == 1", "it has design.a"),
        ("graf.r == 1", "did you mean graph.r"),
        ("graph == 1", "it has graph.length"),
        ("graph.aera == 1", "did you mean graph.area"),
        ("graph.s == 1", "did you mean graph.r"),
        (
            "bob.x <= most",
            "make it a parameter: \"parameters\": { \"most\": 1 }",
        ),
        ("design.x == 1", "it has design.a"),
        ("bob.x in 2..0", "the range is empty"),
        ("minimize 0*bob.x + 3", "depends on nothing that moves"),
        ("bob.x ~ 1 weight 0", "weight"),
        ("bob.x ~ 1 weight -2", "weight"),
        ("sqrt(-1)*bob.x == 1", "sqrt"),
        ("bob.x == 1e999", ""),
        ("", "empty"),
    ] {
        let problem = with(is);
        assert!(problem.contains(says), "{is}: {problem}");
        assert!(problem.contains("joints[0]"), "{is}: {problem}");
    }
}

/// Bodies that formulas read take these along when they go.
#[test]
fn numbers_are_checked() {
    let with = |fields: &str| {
        let text = format!(
            r#"{{ "linkwork": 1, "bodies": [ {{ "name": "n", "type": "numbers", {fields} }} ] }}"#
        );
        scene(&text).unwrap_err()
    };
    for (fields, says) in [
        (r#""names": []"#, "at least one"),
        (r#""names": ["a", "a"]"#, "twice"),
        (
            r#""names": ["a", "b"], "values": [1]"#,
            "1 numbers for 2 names",
        ),
        (r#""names": ["a"], "drag": 0"#, "drag"),
        (r#""names": ["a"], "values": [1e999]"#, ""),
    ] {
        let problem = with(fields);
        assert!(problem.contains(says), "{fields}: {problem}");
    }
}
