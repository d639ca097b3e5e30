//! What expressions are worth.

use std::sync::Arc;

use linkwork_formula::{
    Curve, Expression, FUNCTIONS, Field, Function, Item, Kind, Named, Nothing, Number, Resolver,
    Scope, Sort, Tape,
};

use crate::{N_INPUTS, place, value};

fn number(text: &str) -> f64 {
    let value = value(text);
    assert_eq!(value.len(), 1, "{text}");
    value[0]
}

#[track_caller]
fn near(text: &str, expected: f64) {
    let found = number(text);
    assert!(
        (found - expected).abs() <= 1e-14 * expected.abs().max(1.0),
        "{text} = {found}"
    );
}

#[test]
fn every_function() {
    // x = 2, y = −3, z = 0.5
    for (text, expected) in [
        ("sin(z)", libm::sin(0.5)),
        ("cos(z)", libm::cos(0.5)),
        ("tan(z)", libm::tan(0.5)),
        ("asin(z)", libm::asin(0.5)),
        ("acos(z)", libm::acos(0.5)),
        ("atan(y)", libm::atan(-3.0)),
        ("atan2(y, -x)", libm::atan2(-3.0, -2.0)),
        ("sinh(z)", libm::sinh(0.5)),
        ("cosh(z)", libm::cosh(0.5)),
        ("tanh(z)", libm::tanh(0.5)),
        ("exp(z)", libm::exp(0.5)),
        ("log(x)", libm::log(2.0)),
        ("ln(x)", libm::log(2.0)),
        ("sqrt(x)", 2.0_f64.sqrt()),
        ("abs(y)", 3.0),
        ("sign(y)", -1.0),
        ("floor(y + z)", -3.0),
        ("ceil(y + z)", -2.0),
        ("round(y + z)", -2.0),
        ("round(x - 0.6)", 1.0),
        ("mod(y, x)", 1.0),
        ("min(x, y, z)", -3.0),
        ("max(x, y, z)", 2.0),
        ("clamp(y, -1, 1)", -1.0),
        ("clamp(z, -1, 1)", 0.5),
        ("less(x, y) + 2*less(y, x)", 2.0),
        ("if(x > 1, y, z)", -3.0),
        ("if(y >= -3, 1, 0) + if(y <= -3, 1, 0)", 2.0),
        ("mix(x, y, z)", -0.5),
        ("huber(z, 1)", 0.125),
        ("huber(y, 1)", 2.5),
        ("dot(p, [1, 2])", 11.0),
        ("dot(s, s)", 9.0),
        ("cross(p, [1, 2])", 2.0),
        ("cross([1, 0, 0], [0, 1, 0]).z", 1.0),
        ("norm(p)", 5.0),
        ("norm(s)", 3.0),
        ("norm(y)", 3.0),
        ("unit(p).y", 0.8),
        ("dist(p, [0, 0])", 5.0),
        ("volcano(p, [0, 0])", 0.2),
        ("turn(p, pi/2).x", -4.0),
        ("turn(s, [0, 0, 2], pi/2).x", -2.0),
        ("turn([1, 0, 0], [1, 1, 1], tau/3).y", 1.0),
        ("der(x^3 + y, x)", 12.0),
        ("sum(k, 1, 4, k*x)", 20.0),
        ("sum(k, 3, 2, k)", 0.0),
    ] {
        near(text, expected);
    }
    // All of the catalogue but those of curves are above or here.
    let tried = include_str!("meaning.rs");
    for function in &FUNCTIONS {
        assert!(
            tried.contains(&format!("{}(", function.name)),
            "{}",
            function.form
        );
    }
}

#[test]
fn names_of_functions_are_free() {
    let mut names = crate::world();
    let mut scope = Scope::new(&mut names);
    let lines = scope
        .compile("length = 3; sin = length; sin(sin) + length")
        .unwrap();
    let Item::Value(value) = lines[2].item else {
        panic!()
    };
    assert_eq!(
        scope.graph().value(value.parts()[0]),
        Some(libm::sin(3.0) + 3.0)
    );
}

#[test]
fn numbers_units_and_products() {
    for (text, expected) in [
        ("2x", 4.0),
        ("2x^2", 8.0),
        ("-x^2", -4.0),
        ("(-x)^2", 4.0),
        ("2^3^2", 512.0),
        ("30deg", std::f64::consts::FRAC_PI_6),
        ("180° - π", 0.0),
        ("5mm + 2cm", 0.025),
        ("60rpm", std::f64::consts::TAU),
        ("50percent", 0.5),
        ("2g0", 19.6133),
        ("2e", 2.0 * std::f64::consts::E),
        ("log(e)", 1.0),
        ("tau/2 - pi", 0.0),
        ("1e3 + 1e-3", 1000.001),
        ("x·y − x×y + x÷2", 1.0),
        ("p^2", 25.0),
        ("(p + 2[1, 1]).x", 5.0),
        ("(s/2).z", 1.0),
        ("x^-1", 0.5),
        ("x^0.5 - sqrt(x)", 0.0),
        ("L/2 + 5mm", 0.255),
        ("der(x*y, y)*der(p.x^2, p.x)", 12.0),
    ] {
        near(text, expected);
    }
    assert_eq!(value("[x, y] - p"), [-1.0, -7.0]);
    assert_eq!(value("-2[x, y, z]"), [-4.0, 6.0, -1.0]);
    assert_eq!(value("if(x > 0, p, [0, 0])"), [3.0, 4.0]);
    assert_eq!(value("mix(p, [5, 6], 0.5)"), [4.0, 5.0]);
    assert_eq!(value("sum(k, 1, 3, [k, 1])"), [6.0, 3.0]);
}

#[test]
fn frames_have_origins_angles_and_axes() {
    // The door is at (5, 6), turned by 0.3.
    assert_eq!(value("door"), [5.0, 6.0]);
    near("door.angle", 0.3);
    assert_eq!(value("door.ax"), [libm::cos(0.3), libm::sin(0.3)]);
    assert_eq!(value("door.ay"), [-libm::sin(0.3), libm::cos(0.3)]);
    near("door.ax.y", libm::sin(0.3));
    assert_eq!(value("arm"), [0.25, 1.25, 2.25]);
    assert_eq!(value("arm.ay"), [6.25, 7.25, 8.25]);
    near("arm.az.x", 9.25);
    assert_eq!(value("'bar 2'.tip"), place()[24..]);
    near("'bar 2'.tip.y", place()[25]);
}

/// A formula of the world: `egg` is a curve over numbers of its own.
struct Eggs;

#[derive(Debug)]
struct Saddle;

/// x·y²
impl Field for Saddle {
    fn derivative(&self, x: f64, y: f64, nx: u32, ny: u32) -> f64 {
        let by_x = [x, 1.0, 0.0, 0.0][nx as usize];
        by_x * [y * y, 2.0 * y, 2.0, 0.0][ny as usize]
    }
}

impl Resolver for Eggs {
    fn name(&mut self, path: &[&str]) -> Option<Named> {
        match path {
            ["egg", "a"] => Some(Named::Input(Kind::Scalar, 0)),
            ["egg", "b"] => Some(Named::Input(Kind::Scalar, 1)),
            ["u"] => Some(Named::Input(Kind::Scalar, 2)),
            ["rope"] => Some(Named::Input(Kind::Vector2, 3)),
            _ => None,
        }
    }

    fn number(&mut self, number: &Number) -> Option<u16> {
        (number.name == "w").then_some(2)
    }

    fn parameter(&mut self, of: &str, k: usize) -> Option<u16> {
        (of == "wire").then_some(2 + k as u16)
    }

    fn function(&mut self, path: &[&str]) -> Option<Arc<Function>> {
        let text = "[a*cos(u), b*sin(u)]";
        let tau = std::f64::consts::TAU;
        let egg = Function::shape("egg", text, &[("u", [0.0, tau])], &["egg"]).unwrap();
        (path == ["egg"]).then(|| Arc::new(egg))
    }

    fn place(&mut self, path: &[&str], at: &[f64]) -> Option<Named> {
        (path == ["rope"] && at == [0.3]).then_some(Named::Input(Kind::Vector2, 3))
    }

    fn field(&mut self, path: &[&str]) -> Option<Arc<dyn Field>> {
        (path == ["photo"]).then(|| Arc::new(Saddle) as Arc<dyn Field>)
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        ["egg.a", "egg.b", "u", "rope"]
            .iter()
            .for_each(|own| offer(own));
    }
}

fn of_eggs(text: &str, x: [f64; 5]) -> Vec<f64> {
    let mut eggs = Eggs;
    let mut scope = Scope::new(&mut eggs);
    let value = scope
        .expression(text)
        .unwrap_or_else(|problem| panic!("{}", problem.show(text)));
    let tape = Tape::new(scope.graph(), value.parts(), 5).unwrap();
    let mut y = vec![0.0; tape.n_outputs()];
    tape.value(&x, &mut y);
    y
}

#[test]
fn curves_of_the_world() {
    let x = [2.0, 1.0, 0.3, 7.0, 8.0];
    let (sin, cos) = libm::sincos(0.3);
    assert_eq!(of_eggs("egg(u)", x), [2.0 * cos, sin]);
    assert_eq!(of_eggs("der(egg(u), u)", x), [2.0 * -sin, cos]);
    assert_eq!(of_eggs("egg.a*egg(0).x", x), [4.0]);
    let found = of_eggs("tangent(egg, 2u)", x);
    let (sin, cos) = libm::sincos(0.6);
    let norm = (4.0 * sin * sin + cos * cos).sqrt();
    assert!((found[0] + 2.0 * sin / norm).abs() < 1e-15 && (found[1] - cos / norm).abs() < 1e-15);
    assert_eq!(of_eggs("rope(0.3)", x), [7.0, 8.0]);
    assert_eq!(of_eggs("photo(rope)", x), [7.0 * 64.0]);
    assert_eq!(of_eggs("photo(u, 2)", x), [1.2]);
    assert_eq!(of_eggs("der(photo(u, u), u)", x), [0.3 * 0.3 + 0.3 * 0.6]);
    assert_eq!(of_eggs("der(der(photo(u, u), u), u)", x), [6.0 * 0.3]);

    let problem = Scope::new(&mut Eggs).expression("photo(u)").unwrap_err();
    assert_eq!(
        problem.to_string(),
        "a picture has a value at a point of the plane; give a vector of the plane, or x and y"
    );

    // Circumference of an ellipse: 4·a·E(3/4); its area.
    let found = of_eggs("length(egg)", x)[0];
    assert!((found - 9.688_448_220_547_675).abs() < 1e-8, "{found}");
    let found = of_eggs("area(egg)", x)[0];
    assert!((found - std::f64::consts::TAU).abs() < 1e-14, "{found}");
    // A quarter of it, and half a circle, closed by its diameter.
    let found = of_eggs("length(egg, 0, pi/2)", x)[0];
    assert!(
        (found - 9.688_448_220_547_675 / 4.0).abs() < 1e-12,
        "{found}"
    );
    let mut eggs = Eggs;
    let mut scope = Scope::new(&mut eggs);
    let text = "curve half(v in 0..pi) = [3 + 2cos(v), 5 + 2sin(v)]; area(half); length(half)";
    let lines = scope.compile(text).unwrap();
    for (line, expected) in lines[1..].iter().zip([2.0, 2.0]) {
        let Item::Value(value) = line.item else {
            panic!()
        };
        let found = scope.graph().value(value.parts()[0]).unwrap();
        assert!(
            (found - expected * std::f64::consts::PI).abs() < 1e-12,
            "{found}"
        );
    }
}

#[test]
fn lines_of_a_text() {
    let mut eggs = Eggs;
    let mut scope = Scope::new(&mut eggs);
    let text = "
        area = pi*r(w)            # defined below
        r(v) = 1 + v^2
        w = 30deg in 0..90deg
        k = 2
        half = w/2
        curve wire(v in 0..k*pi) = [cos(v), sin(v), half]
        norm(wire(w)) == r(1)
        0 <= w <= area
        egg(w) ~ [1, 2] weight k/2
        maximize area
        area";
    let lines = scope.compile(text).unwrap();
    let graph = scope.graph();
    let items: Vec<&Item> = lines.iter().map(|line| &line.item).collect();
    assert_eq!(items.len(), 11);
    assert!(matches!(items[0], Item::Quantity(name, _) if name == "area"));
    assert!(matches!(items[1], Item::Function(name) if name == "r"));
    let Item::Number(number) = items[2] else {
        panic!("{:?}", items[2])
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    assert_eq!(
        (number.name.as_str(), number.range),
        ("w", Some([0.0, quarter]))
    );
    assert!(
        matches!(items[3], Item::Number(number) if number.value == 2.0 && number.range.is_none())
    );
    assert!(matches!(items[4], Item::Quantity(..)));
    let Item::Curve(Curve {
        name,
        sort,
        ranges,
        value,
    }) = items[5]
    else {
        panic!()
    };
    assert_eq!((name.as_str(), *sort), ("wire", Sort::Curve));
    assert_eq!(*ranges, [[0.0, 2.0 * std::f64::consts::PI]]);
    assert_eq!(value.unwrap().parts().len(), 3);
    assert!(matches!(items[6], Item::Equation(value) if value.parts().len() == 1));
    assert!(matches!(items[7], Item::AtMost(values) if values.len() == 2));
    assert!(
        matches!(items[8], Item::Objective(value, weight) if value.parts().len() == 2 && *weight == 1.0)
    );
    assert!(matches!(items[9], Item::Minimize(_)));
    // Equal things are one node.
    let (Item::Quantity(_, first), Item::Value(last)) = (items[0], items[10]) else {
        panic!()
    };
    assert_eq!(first, last);
    assert_eq!(graph.value(first.parts()[0]), None);
    assert_eq!(lines[6].span.of(text), "norm(wire(w)) == r(1)");

    // A later text knows what was defined; what failed leaves nothing behind.
    assert!(scope.compile("bad = 1; worse = |").is_err());
    let lines = scope.compile("bad = 2; 2bad + half").unwrap();
    assert!(matches!(lines[1].item, Item::Value(_)));
    assert_eq!(lines[1].span.source, 1);
}

#[test]
fn derivatives_by_parameters() {
    let text = "f(v) = v^3; slope(v) = der(f(v), v); g(a, b) = der(a*b, a); slope(2); g(x, x); slope(x); bend(v) = der(der(f(v), v), v); bend(x)";
    let mut names = crate::world();
    let mut scope = Scope::new(&mut names);
    let lines = scope.compile(text).unwrap();
    let values: Vec<_> = lines
        .iter()
        .filter_map(|line| match line.item {
            Item::Value(value) => Some(value.parts()[0]),
            _ => None,
        })
        .collect();
    let tape = Tape::new(scope.graph(), &values, N_INPUTS).unwrap();
    let mut y = [0.0; 4];
    tape.value(&place(), &mut y);
    assert_eq!(y, [12.0, 2.0, 12.0, 12.0]);
}

#[test]
fn parameters_of_curves_are_bound() {
    let mut names = crate::world();
    let mut scope = Scope::new(&mut names);
    scope.bind("u", 2);
    let value = scope.expression("[x*cos(u), y*u]").unwrap();
    let tape = Tape::new(scope.graph(), value.parts(), N_INPUTS).unwrap();
    assert_eq!(tape.pattern(0), [0, 2]);
    assert_eq!(tape.pattern(1), [1, 2]);
    assert!(scope.graph().is_affine(value.parts(), &[0, 1]));
    assert!(!scope.graph().is_affine(value.parts(), &[2]));
}

#[test]
fn affine_formulas() {
    let affine = |text: &str| {
        let mut names = crate::world();
        let mut scope = Scope::new(&mut names);
        let value = scope.expression(text).unwrap();
        scope.graph().is_affine(value.parts(), &[0, 1])
    };
    for text in [
        "3",
        "x",
        "2x - y/3 + sin(z)",
        "[x, -y]",
        "x*z^2 + y",
        "if(z < 0, x, y)",
        "sum(k, 1, 3, k*x)",
        "x/z",
        "mix(x, y, z)",
    ] {
        assert!(affine(text), "{text}");
    }
    for text in [
        "x^2",
        "x*y",
        "1/x",
        "sin(x)",
        "[x, y*x]",
        "abs(x)",
        "if(x < 0, x, y)",
        "norm([x, 1])",
        "min(x, 1)",
    ] {
        assert!(!affine(text), "{text}");
    }
}

#[test]
fn squares_are_found() {
    let squares = |text: &str| {
        let mut names = crate::world();
        let mut scope = Scope::new(&mut names);
        let value = scope.expression(text).unwrap();
        let mut graph = scope.into_graph();
        graph.squares(value.parts()[0])
    };
    let found = squares("100(y - x^2)^2 + (1 - x)^2/2 + 3");
    let weights: Vec<f64> = found.squares.iter().map(|own| own.0).collect();
    assert_eq!(
        (weights, found.rest, found.constant),
        (vec![100.0, 0.5], None, 3.0)
    );
    let found = squares("x^2 - y^2 + log(1 + x^2)/2");
    assert_eq!(found.squares.len(), 1);
    assert!(found.rest.is_some());
    // Terms that are shared too often to be listed: 2⁶⁰ of them.
    let mut text = "s0 = x + y; ".to_owned();
    for k in 0..60 {
        text += &format!("s{} = s{k} + s{k}; ", k + 1);
    }
    let mut names = crate::world();
    let mut scope = Scope::new(&mut names);
    let lines = scope.compile(&(text + "s60")).unwrap();
    let Item::Value(value) = lines[61].item else {
        panic!()
    };
    let mut graph = scope.into_graph();
    assert_eq!(graph.squares(value.parts()[0]).rest, Some(value.parts()[0]));
}

#[test]
fn equal_operations_are_one() {
    let steps = |text: &str| crate::tape(text).unwrap().n_steps();
    assert_eq!(steps("sin(x)*sin(x)"), 3); // with its cosine
    assert_eq!(steps("sin(x)^2 + cos(x)^2"), 5);
    assert_eq!(steps("x*y - y*x"), 0);
    assert_eq!(steps("(x + y)*(y + x)"), 2);
    assert_eq!(steps("0*sin(x) + 1*x + 0"), 0);
    assert_eq!(steps("x^8"), 3);
    assert_eq!(steps("dist(s, [1, 2, 3]) - 1.2"), 5);
    // Constants have the bits of a run.
    for text in [
        "sin(0.7)",
        "2.5^0.3",
        "atan2(0.1, -3)",
        "exp(1.1)/3",
        "norm([0.1, 0.2, 0.3])",
        "tanh(0.3)",
    ] {
        let folded = number(text);
        let run = number(
            &text
                .replace("0.3", "(0.3 + 0x)")
                .replace("0.7", "(0.7 + 0*x)")
                .replace("0x", "0*x"),
        );
        assert_eq!(folded.to_bits(), run.to_bits(), "{text}");
    }
}

#[test]
fn expressions_of_constants() {
    let table = vec![("L", 0.4), ("crank.length", 0.1), ("größe", 2.0)];
    let value = |text: &str| {
        let expression = Expression::parse(text).map_err(|problem| problem.to_string())?;
        assert_eq!(expression.source(), text);
        expression
            .value(&table)
            .map_err(|problem| problem.to_string())
    };
    assert_eq!(value("L/2 + 5mm"), Ok(0.4 / 2.0 + 5.0 * 1e-3));
    assert_eq!(value(" 2größe "), Ok(4.0));
    assert_eq!(value("crank.length*10"), Ok(1.0));
    assert_eq!(value("norm([3, 4])"), Ok(5.0));
    assert_eq!(
        value("l/2"),
        Err("\"l\" is not known; did you mean L?".into())
    );
    assert_eq!(
        value("R/2"),
        Err("\"R\" is not known; write R = 1: a slider".into())
    );
    assert_eq!(
        value("[L, L]"),
        Err("is a vector, but must be a number; take .x or .y of it, or norm(…)".into())
    );
    assert_eq!(value("L/(2L - 0.8)"), Err("division by 0".into()));
    assert_eq!(
        value("L +"),
        Err("a value is missing before the end".into())
    );
    let names = Expression::parse("L*sin(30deg) + crank.length + L")
        .unwrap()
        .names();
    let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["L", "deg", "crank.length", "L"]);
    assert!(Scope::new(&mut Nothing).expression("L").is_err());
}
