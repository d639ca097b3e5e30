//! Every mistake in a text is told with its field, its place and a way out.

use super::*;

fn with(parameters: &str, mass: &str) -> String {
    let text = format!(
        r#"{{ "linkwork": 1, "parameters": {{ {parameters} }},
  "bodies": [ {{ "name": "bob", "type": "planar-disc", "mass": {mass}, "radius": 0.1 }} ] }}"#
    );
    scene(&text).unwrap_err()
}

#[test]
fn mistakes_in_texts_are_told() {
    for (mass, says) in [
        (
            r#""=Lx/2""#,
            &[
                "bodies[0].mass",
                "\"Lx\" is not known, at column 2 (\"Lx\")",
                "did you mean L?",
            ][..],
        ),
        (
            r#""=wide/2""#,
            &["\"wide\" is not known", "\"parameters\": { \"wide\": 1 }"],
        ),
        (r#""=1/(L - 0.5)""#, &["division by 0", "column"]),
        (r#""=1e999""#, &["1e999", "too large", "column 2"]),
        (r#""=1/2L""#, &["two ways", "1/(2*L)"]),
        (r#""=L +""#, &["column"]),
        (r#""=""#, &["column"]),
        (r#""=[L, 1]""#, &["bodies[0].mass"]),
        (r#""=-L""#, &["mass", "bodies[0]"]),
        (r#""L""#, &["must be a number", "=10mm"]),
        (r#""=sqrt(-L)""#, &["sqrt of -0.5"]),
        (r#""=t""#, &["\"t\" is not known"]),
    ] {
        let problem = with(r#""L": 0.5"#, mass);
        for own in says {
            assert!(problem.contains(own), "{mass}: {own}: {problem}");
        }
        assert!(problem.starts_with("line 2, column"), "{problem}");
    }
}

#[test]
fn degrees_of_degrees_are_refused_with_both_readings() {
    let refused = |field: &str| {
        let text = format!(
            r#"{{ "linkwork": 1, "parameters": {{ "A": 30 }},
  "bodies": [ {{ "name": "bob", "type": "planar-disc", "mass": 1, "radius": 0.1, {field} }} ] }}"#
        );
        scene(&text)
    };
    for text in ["=45deg", "=45°"] {
        let problem = refused(&format!(r#""angle_deg": "{text}""#)).unwrap_err();
        for own in [
            "bodies[0].angle_deg",
            "write \"=45\" here",
            &format!("\"angle\": \"{text}\""),
        ] {
            assert!(problem.contains(own), "{problem}");
        }
    }
    refused(r#""angle_deg": "=1.5A""#).unwrap();
    // What is in radians for certain is no number of degrees.
    let with = |parameters: &str, field: &str| {
        scene(&format!(
            r#"{{ "linkwork": 1, "parameters": {{ {parameters} }},
  "bodies": [ {{ "name": "bob", "type": "planar-disc", "mass": 1, "radius": 0.1, {field} }} ] }}"#
        ))
    };
    for (parameters, field, why) in [
        ("", r#""angle_deg": "=30rpm""#, "rpm is in radians"),
        (
            r#""a": "=45deg""#,
            r#""angle_deg": "=2a""#,
            "\"a\" is in radians",
        ),
    ] {
        let problem = with(parameters, field).unwrap_err();
        for own in [
            "bodies[0].angle_deg",
            why,
            "divide it by deg",
            "\"angle\": ",
        ] {
            assert!(problem.contains(own), "{problem}");
        }
    }
    with(r#""a": "=45deg""#, r#""angle_deg": "=a/deg""#).unwrap();
    refused(r#""angle": "=45deg""#).unwrap();
}

#[test]
fn mistakes_in_parameters_are_told() {
    for (parameters, says) in [
        (
            r#""a": "=b", "b": "=c + 1", "c": "=2a""#,
            &["parameters.a", "depends on itself: a → b → c → a"][..],
        ),
        (r#""a": "=a""#, &["depends on itself: a → a"]),
        (r#""d": "=a", "a": "=a""#, &["depends on itself: a → a"]),
        (r#""pi": 3"#, &["parameters.pi", "is a constant"]),
        (r#""t": 3"#, &["\"t\" is the time"]),
        (r#""sin": 3"#, &["is a function"]),
        (r#""in": 3"#, &["is a word"]),
        (r#""a b": 3"#, &["is no name"]),
        (r#""2a": 3"#, &["is no name"]),
        (r#""": 3"#, &["is no name"]),
        (
            r#""a": 1, "b": "=1/(a - 1)""#,
            &["parameters.b", "division by 0"],
        ),
        (r#""a": "=b""#, &["\"b\" is not known"]),
        (
            r#""a": { "value": 1, "range": [2, 1] }"#,
            &["parameters.a.range"],
        ),
        (r#""a": { "range": [1, 2] }"#, &["has no \"value\""]),
        (r#""a": "3""#, &["must be a number"]),
        (
            r#""bob": 1"#,
            &["bodies[0].name", "is the name of a parameter"],
        ),
        (r#""a": 1e999"#, &["out of range"]),
    ] {
        let problem = with(parameters, "1");
        for own in says {
            assert!(problem.contains(own), "{parameters}: {own}: {problem}");
        }
    }
}

/// A name may be that of a function that is only called: lengths are called so.
#[test]
fn lengths_and_areas_are_good_names() {
    let text = r#"{ "linkwork": 1, "parameters": { "length": 2, "area": "=length^2", "größe": "=area/2" } }"#;
    assert_eq!(
        scene(text).unwrap().parameters.find("größe").unwrap().value,
        2.0
    );
}

#[test]
fn a_count_is_whole() {
    let world = |budget: &str| {
        let text = format!(
            r#"{{ "linkwork": 1, "parameters": {{ "n": 3 }}, "world": {{ "iterations": {budget} }} }}"#
        );
        scene(&text)
    };
    world(r#""=2n""#).unwrap();
    let problem = world(r#""=n/2""#).unwrap_err();
    assert!(
        problem.contains("evaluates to 1.5") && problem.contains("floor"),
        "{problem}"
    );
}
