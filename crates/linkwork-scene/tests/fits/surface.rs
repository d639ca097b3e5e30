//! Surfaces fitted to points: each row has two numbers of its own.

use super::*;

const TUBE: &str = r#"{ "name": "tube", "type": "formula", "names": ["x", "y", "r", "k"], "values": [0, 0, 1, 0],
    "surface": "[x + (r + k*v)*cos(u), y + (r + k*v)*sin(u), v]", "u": ["0", "tau"], "closed": true, "range_v": ["-1", "1"],
    "mass": 1e-4 }"#;
const FIT: &str = r#"{ "name": "fit", "type": "formula", "is": "tube(u, v) ~ [x, y, z]", "for": "data", "free": ["u", "v"] }"#;

/// Points of a cone about (0.3, −0.2) of radius 0.7 + 0.25·z.
fn points(n: u32, noise: f64) -> Vec<Vec<f64>> {
    let mut random = Noise(5);
    let one = |k| {
        let (u, z) = (f64::from(k) * 2.4, 0.9 * random.next());
        let r = 0.7 + 0.25 * z + noise * random.next();
        vec![0.3 + r * u.cos(), -0.2 + r * u.sin(), z]
    };
    (0..n).map(one).collect()
}

#[test]
fn a_cone_is_found_again() {
    for (noise, near_enough) in [(0.0, 1e-6), (0.02, 0.01)] {
        let mut scene = scene(TUBE, &table(&["x", "y", "z"], &points(60, noise)), FIT);
        minimize(&mut scene);
        near(&q(&scene, "tube"), &[0.3, -0.2, 0.7, 0.25], near_enough);
    }
}

/// What a row is off by is its distance: that of a point from a cone is known.
#[test]
fn errors_are_distances() {
    let rows = vec![
        vec![2.0, 0.0, 0.2],
        vec![0.0, 0.5, -0.3],
        vec![0.4, 0.0, 2.0],
    ];
    let scene = scene(TUBE, &table(&["x", "y", "z"], &rows), FIT);
    let errors = errors(&scene, "fit");
    // A tube of radius 1 from z = −1 to 1; the last is beyond its end.
    let wanted = [1.0, 0.5, 0.6f64.hypot(1.0)];
    for (own, wanted) in errors.rows.iter().zip(wanted) {
        assert!((own.error - wanted).abs() < 1e-9, "{own:?} {wanted}");
    }
    assert_eq!(errors.rows[0].at[1].map(|v| (1e9 * v).round()), Some(2e8));
    assert_eq!(errors.rows[2].at[1], Some(1.0));
}

/// The implicit form of the same surface is near it for small errors.
#[test]
fn both_forms_agree() {
    let data = table(&["x", "y", "z"], &points(60, 0.003));
    let mut typed = scene(TUBE, &data, FIT);
    minimize(&mut typed);
    let numbers = r#"{ "name": "n", "type": "numbers", "names": ["x", "y", "r", "k"], "values": [0, 0, 1, 0] }"#;
    let implicit = r#"{ "name": "fit", "type": "formula", "for": "data",
        "is": "F = norm([x - n.x, y - n.y]) - n.r - n.k*z; F/norm([der(F, x), der(F, y), der(F, z)]) ~ 0" }"#;
    let mut other = scene(numbers, &data, implicit);
    minimize(&mut other);
    near(&q(&typed, "tube"), &q(&other, "n"), 1e-4);
}

#[test]
fn mistakes_are_told() {
    let data = table(&["x", "y", "z"], &points(3, 0.0));
    for (free, says) in [
        (r#"["u", "v", "w"]"#, "two numbers"),
        (r#"["u", "w in 0..1"]"#, "\"v\""),
        (r#"["u"]"#, "\"v\""),
        (r#"["u", "v in 1..0"]"#, "free[1]"),
    ] {
        let fit = FIT.replace(r#"["u", "v"]"#, free);
        let text = format!(
            "{{ \"linkwork\": 1, \"world\": {{ \"dynamics\": \"first-order\" }}, \"bodies\": [{TUBE}], \"tables\": [{data}], \"joints\": [{fit}] }}"
        );
        let problem = load(&text).unwrap_err().to_string();
        assert!(problem.contains(says), "{free}: {problem}");
    }
}

/// The scan was made from radius 0.5 + 0.12·z + 0.18·z² about (0.2, −0.1), with errors of 0.012.
#[test]
fn the_vase_of_the_library_is_found() {
    let mut scene = linkwork_scene::library::open("fit-surface").unwrap();
    minimize(&mut scene);
    near(&q(&scene, "vase"), &[0.2, -0.1, 0.5, 0.12, 0.18], 0.02);
    assert!(errors(&scene, "fit").rms() < 0.015);
}
