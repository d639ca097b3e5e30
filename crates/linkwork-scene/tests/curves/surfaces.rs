//! Surfaces by formulas: bodies `x(u, v)`, and what points stay on, `F(x, y, z) = 0`.

use linkwork::body::check_body;
use linkwork::connector::Site;
use linkwork::constraint::{EllipsoidSurface, Surface};
use linkwork_scene::formula::SurfaceFormula;
use linkwork_scene::save;

use crate::{q, run, scene};

const SHEET: &str = r#"{ "name": "sheet", "type": "formula", "names": ["x", "y", "z", "h"], "values": [0, 0, 0, 0.5],
    "surface": "[x + u, y + v, z + h*u*v]", "u": ["-1", "1"], "range_v": ["-1", "1"], "mass": 2"#;

fn sheet(rest: &str) -> String {
    format!(r#"{{ "linkwork": 1, "bodies": [{SHEET}{rest} }}] }}"#)
}

/// Mass lies evenly over the area: that of a tube of radius 1 and length 2 is as far from its axis as its radius, and
/// the sum is what was given.
#[test]
fn mass_lies_over_the_area() {
    let text = r#"{ "linkwork": 1, "bodies": [{ "name": "tube", "type": "formula", "names": ["x", "y", "z", "r"],
        "values": [0, 0, 0, 1], "surface": "[x + r*cos(u), y + r*sin(u), z + v + 0.2*v^3]", "u": ["0", "tau"], "closed": true,
        "range_v": ["-1", "1"], "mass": 2 }] }"#;
    let scene = scene(text).unwrap();
    let world = &scene.world;
    let id = world.find_body("tube").unwrap();
    let record = world.body_record(id).unwrap();
    let body = record.body();
    let q = world.q(id).unwrap();
    let mut mass = vec![0.0; 16];
    body.mass(q, &mut mass);
    for k in 0..4 {
        assert!((mass[5 * k] - 2.0).abs() < 1e-9, "{mass:?}");
    }
    // Even over z, though v is not: the mean of z² is 1.2²/3.
    let shape = body.shape().unwrap();
    let own: &dyn std::any::Any = body;
    let own: &linkwork::body::ShapeBody = own.downcast_ref().unwrap();
    let points = own.points().iter();
    let square: f64 = points
        .map(|p| p.mass * shape.place(p.u, q)[2].powi(2))
        .sum();
    assert!((square / 2.0 - 0.48).abs() < 1e-3, "{square}");
    let sites = [
        Site::Surface([0.3, 0.4]),
        Site::Coordinates,
        Site::Scalar(3),
    ];
    check_body(body, &sites, 3).unwrap();
}

#[test]
fn what_is_saved_is_what_was_typed() {
    let mut scene = scene(&sheet("")).unwrap();
    let text = save(&scene).unwrap();
    for part in [r#""surface""#, "[x + u, y + v, z + h*u*v]", r#""range_v""#] {
        assert!(text.contains(part), "{part}: {text}");
    }
    run(&mut scene, 10);
    let again = linkwork_scene::load(&save(&scene).unwrap()).unwrap();
    assert_eq!(q(&again, "sheet"), q(&scene, "sheet"));
}

/// A sheet that hangs by a corner keeps it where it is.
#[test]
fn a_corner_is_held() {
    let text = format!(
        r#"{{ "linkwork": 1, "bodies": [{SHEET} }}], "joints": [{{ "name": "pin", "type": "ball",
            "a": {{ "body": "sheet", "surface": [-1, -1] }}, "b": {{ "body": "ground", "point": [-1, -1, 0.5] }} }}] }}"#
    );
    let mut scene = scene(&text).unwrap();
    run(&mut scene, 30);
    let id = scene.world.find_body("sheet").unwrap();
    let place = scene.world.position_world(&id.surface(-1.0, -1.0)).unwrap();
    for (own, wanted) in place.iter().zip([-1.0, -1.0, 0.5]) {
        assert!((own - wanted).abs() < 1e-6, "{place:?}");
    }
    // What can move falls: z and h with their sum held there.
    assert!(
        q(&scene, "sheet")[1..]
            .iter()
            .any(|own| (own - 0.5).abs() > 0.1)
    );
}

#[test]
fn mistakes_are_told() {
    for (from, to, says) in [
        (r#""range_v": ["-1", "1"], "#, "", "range_v"),
        (r#""surface""#, r#""curve""#, "surface"),
        ("z + h*u*v]", "z + h*w]", "w"),
        (", z + h*u*v]", "]", "in space"),
        (r#""x", "y", "z", "h""#, r#""x", "y", "z", "v""#, "surface"),
        ("h*u*v", "h/(u - u)", "division"),
    ] {
        let text = sheet("").replacen(from, to, 1);
        let problem = scene(&text).unwrap_err();
        assert!(problem.contains(says), "{text}: {problem}");
    }
    for (is, says) in [
        ("x^2 +", "column"),
        ("[x, y]", "vector"),
        ("1", "depend"),
        ("x <= 1", "no surface"),
        ("w", "\"w\""),
    ] {
        let problem = SurfaceFormula::new(is).unwrap_err().to_string();
        assert!(problem.contains(says), "{is}: {problem}");
    }
}

/// The distance to first order: one slope on the surface in any unit, derivatives by differences, and numbers
/// everywhere.
#[test]
fn an_implicit_surface_is_in_meters() {
    let typed = SurfaceFormula::new("1000*(x^2/0.25 + y^2/0.64 + z^2/1.69) == 1000").unwrap();
    let built = EllipsoidSurface {
        semi_axes: [0.5, 0.8, 1.3],
    };
    let p = [0.3, -0.4, 0.5];
    let on = built.start_near(p);
    assert!(typed.value(on).abs() < 1e-6);
    let slope = typed.gradient(on);
    let length = slope.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((length - 1.0).abs() < 1e-6, "{length}");
    let second = typed.hessian(p);
    let rows = [[0, 3, 4], [3, 1, 5], [4, 5, 2]];
    for k in 0..3 {
        let at = |h: f64| {
            let mut own = p;
            own[k] += h;
            own
        };
        let rise = (typed.value(at(1e-6)) - typed.value(at(-1e-6))) / 2e-6;
        assert!((rise - typed.gradient(p)[k]).abs() < 1e-8);
        for j in 0..3 {
            let bend = (typed.gradient(at(1e-6))[j] - typed.gradient(at(-1e-6))[j]) / 2e-6;
            assert!((bend - second[rows[k][j]]).abs() < 1e-6);
        }
    }
    let center = [0.0; 3];
    assert!(typed.value(center).is_finite() && typed.gradient(center)[0].is_finite());
}

/// A bead slides on a typed ellipsoid as it does on the one that is built in.
#[test]
fn a_bead_slides_on_either_ellipsoid() {
    let on = |a: &str, surface: &str| {
        let text = format!(
            r#"{{ "linkwork": 1, "world": {{ "preset": "precise" }},
                "bodies": [{{ "name": "bead", "type": "particle", "mass": 1, "position": [0.5, 0, 0], "velocity": [0, 0.4, 1] }}],
                "joints": [{{ "name": "on", "type": "point-on-surface", "a": {a}, "b": "bead",
                              "surface": {surface} }}] }}"#
        );
        let mut own = scene(&text).unwrap();
        run(&mut own, 30);
        q(&own, "bead")
    };
    let with = |surface: &str| {
        on(
            r#"{ "body": "ground", "quaternion": [1, 0, 0, 0] }"#,
            surface,
        )
    };
    let built = with(r#"{ "type": "ellipsoid", "semi_axes": [0.5, 0.8, 1.3] }"#);
    let typed = with(r#"{ "type": "formula", "is": "x^2/0.25 + y^2/0.64 + z^2/1.69 - 1" }"#);
    for (a, b) in built.iter().zip(&typed) {
        assert!((a - b).abs() < 1e-6, "{built:?} {typed:?}");
    }
    // Typed over x, y and z of the world it needs no frame.
    let plain = on(
        r#""ground""#,
        r#"{ "type": "formula", "is": "x^2/0.25 + y^2/0.64 + z^2/1.69 == 1" }"#,
    );
    for (a, b) in plain.iter().zip(&typed) {
        assert!((a - b).abs() < 1e-9, "{plain:?} {typed:?}");
    }
}
