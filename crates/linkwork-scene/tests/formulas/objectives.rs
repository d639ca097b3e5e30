//! Wishes: squares that worlds without momentum make small, by the collection of Hock and Schittkowski.

use super::{q, run, scene};

/// A problem in numbers: names, start, relations; where its minimum is.
struct Problem {
    names: &'static str,
    start: &'static str,
    relations: &'static [&'static str],
    minimum: &'static [f64],
}

const PROBLEMS: [Problem; 4] = [
    // Rosenbrock's valley.
    Problem {
        names: r#""x", "y""#,
        start: "-1.2, 1",
        relations: &["10*(p.y - p.x^2) ~ 0", "p.x ~ 1"],
        minimum: &[1.0, 1.0],
    },
    // Hock and Schittkowski 6.
    Problem {
        names: r#""x", "y""#,
        start: "-1.2, 1",
        relations: &["1 - p.x ~ 0", "10*(p.y - p.x^2) == 0"],
        minimum: &[1.0, 1.0],
    },
    // 28.
    Problem {
        names: r#""x", "y", "z""#,
        start: "-4, 1, 1",
        relations: &["p.x + p.y ~ 0", "p.y + p.z ~ 0", "p.x + 2*p.y + 3*p.z == 1"],
        minimum: &[0.5, -0.5, 0.5],
    },
    // A point of a circle nearest to another point.
    Problem {
        names: r#""x", "y""#,
        start: "1, 0.2",
        relations: &["[p.x, p.y] ~ [3, 4]", "p.x^2 + p.y^2 == 1"],
        minimum: &[0.6, 0.8],
    },
];

#[test]
fn minima_are_found_and_kept() {
    for problem in &PROBLEMS {
        let joints =
            problem.relations.iter().enumerate().map(|(k, text)| {
                format!(r#"{{ "name": "r{k}", "type": "formula", "is": "{text}" }}"#)
            });
        let joints: Vec<String> = joints.collect();
        let text = format!(
            r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }},
            "bodies": [ {{ "name": "p", "type": "numbers", "names": [{}], "values": [{}] }} ],
            "joints": [ {} ] }}"#,
            problem.names,
            problem.start,
            joints.join(", ")
        );
        let mut scene = scene(&text).unwrap();
        run(&mut scene, 60, |_, _| {});
        let near = |found: &[f64]| {
            let pairs = found.iter().zip(problem.minimum);
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let found = q(&scene, "p");
        assert!(near(&found) < 1e-5, "{:?}: {found:?}", problem.relations);
        // It stays there.
        run(&mut scene, 100, |_, _| {});
        let later = q(&scene, "p");
        assert!(near(&later) < 1e-6, "{:?}: {later:?}", problem.relations);
    }
}
