//! What is said about mistakes: every text there is, with its place.

use linkwork_formula::{Kind, Named, Scope};

use crate::{problem, tape, world};

#[test]
fn mistakes_of_expressions() {
    for (text, marked, told) in [
        // Names.
        (
            "a*cos(tt)",
            "a",
            "\"a\" is not known; write a = 1: a slider",
        ),
        ("x*cos(tt)", "tt", "\"tt\" is not known; did you mean t?"),
        (
            "'a b' + 1",
            "'a b'",
            "\"a b\" is not known; write 'a b' = 1: a slider",
        ),
        (
            "'bar 2'.x",
            "'bar 2'",
            "\"bar 2\" is no number or point by itself; it has 'bar 2'.tip",
        ),
        (
            "dor.angle",
            "dor",
            "\"dor\" is not known; did you mean door?",
        ),
        (
            "'bar 3'.tip.x",
            "'bar 3'.tip",
            "\"bar 3.tip\" is not known; did you mean 'bar 2'.tip?",
        ),
        (
            "5m",
            "m",
            "\"m\" is not known; numbers are in meters, kilograms, seconds and radians: leave the unit out; or write m = 1: a slider",
        ),
        (
            "machine.part.x",
            "machine.part",
            "\"machine.part\" is not known",
        ),
        ("sn(x)", "sn", "\"sn\" is not known; did you mean sin?"),
        (
            "arcsin(x)",
            "arcsin",
            "\"arcsin\" is not known; write asin(x)",
        ),
        (
            "wave(x)",
            "wave",
            "\"wave\" is not known; write wave(x) = … to define it",
        ),
        (
            "x(3)",
            "x",
            "\"x\" is not a function; write x*(…) to multiply",
        ),
        (
            "x.y",
            "x.y",
            "there is no \".y\"; a number has no components",
        ),
        (
            "p.z",
            "p.z",
            "there is no \".z\"; a vector of the plane has .x and .y",
        ),
        (
            "s.w",
            "s.w",
            "there is no \".w\"; a vector of space has .x, .y and .z",
        ),
        (
            "(p + p).angle",
            "(p + p).angle",
            "there is no \".angle\"; a vector of the plane has .x and .y",
        ),
        (
            "door.z",
            "door.z",
            "there is no \".z\"; a frame in the plane has .x, .y, .angle, .ax and .ay",
        ),
        (
            "arm.angle",
            "arm.angle",
            "a frame in space has no one angle; take atan2 of components of its axes .ax, .ay, .az",
        ),
        (
            "arm.w",
            "arm.w",
            "there is no \".w\"; a frame in space has .x, .y, .z, .ax, .ay and .az",
        ),
        (
            "p.x.y.z",
            "p.x.y.z",
            "there is no \".y\"; a number has no components",
        ),
        (
            "2clamp",
            "clamp",
            "\"clamp\" is not known; call it: clamp(x, low, high)",
        ),
        // Numbers and vectors.
        (
            "1 + p",
            "1 + p",
            "a number and a vector do not add up; take a component of the vector, or write [a, b] + v",
        ),
        (
            "p + s",
            "p + s",
            "a vector of the plane and one of space do not go together",
        ),
        (
            "2 + p*s",
            "p*s",
            "two vectors are multiplied; write dot(a, b) or cross(a, b)",
        ),
        (
            "x/p",
            "x/p",
            "divides by a vector; divide by its length: norm(v)",
        ),
        ("p^3", "p^3", "a vector can only be squared: v^2"),
        ("x^p", "x^p", "a vector can only be squared: v^2"),
        (
            "[1, p]",
            "p",
            "is a vector, but must be a number; take .x or .y of it, or norm(…)",
        ),
        (
            "[1]",
            "[1]",
            "has 1 components; a vector has two or three: [x, y], [x, y, z]",
        ),
        (
            "[1, 2, 3, 4]",
            "[1, 2, 3, 4]",
            "has 4 components; a vector has two or three: [x, y], [x, y, z]",
        ),
        (
            "sin(p)",
            "p",
            "is a vector, but must be a number; take .x or .y of it, or norm(…)",
        ),
        (
            "dot(p, x)",
            "x",
            "is a number, but must be a vector; write [x, y] or [x, y, z]: dot(a, b)",
        ),
        (
            "dot(p, s)",
            "dot(p, s)",
            "a vector of the plane and one of space do not go together",
        ),
        (
            "if(p, 1, 2)",
            "p",
            "is a vector, but must be a number; take .x or .y of it, or norm(…)",
        ),
        (
            "if(x, 1, p)",
            "if(x, 1, p)",
            "one side is a number, the other a vector; take norm(…), or .x of the vector",
        ),
        ("if(p < s, 1, 2)", "p < s", "vectors have no order"),
        (
            "mix(1, 2, p)",
            "mix(1, 2, p)",
            "in mix: a number and a vector do not add up; take a component of the vector, or write [a, b] + v",
        ),
        (
            "turn(s, 1)",
            "turn(s, 1)",
            "in turn: a vector of the plane and one of space do not go together",
        ),
        (
            "turn(p, p, 1)",
            "turn(p, p, 1)",
            "in turn: a number and a vector do not add up; take a component of the vector, or write [a, b] + v",
        ),
        (
            "turn(p, p)",
            "turn(p, p)",
            "in turn: is a vector, but must be a number; take .x or .y of it, or norm(…)",
        ),
        // Calls.
        (
            "clamp(x, 1)",
            "clamp(x, 1)",
            "clamp does not take 2; write clamp(x, low, high)",
        ),
        ("sin()", "sin()", "sin does not take 0; write sin(x)"),
        (
            "max(1)",
            "max(1)",
            "max does not take 1; write max(a, b, …)",
        ),
        (
            "der(x^2, 3)",
            "3",
            "der cannot derive by an expression; write der(expression, name) with a number, an input or a parameter",
        ),
        (
            "der(x^2, L)",
            "L",
            "der cannot derive by a constant; write der(expression, name) with a number, an input or a parameter",
        ),
        (
            "der(p, p)",
            "p",
            "is a vector, but must be a number; take .x or .y of it, or norm(…)",
        ),
        (
            "sum(2, 1, 3, x)",
            "2",
            "must be a name; write sum(k, 1, n, expression)",
        ),
        (
            "sum(k, 1, x, k)",
            "x",
            "changes, but must be a constant; write a number, or names of constants",
        ),
        ("sum(k, 1, 2.5, k)", "2.5", "must be a whole number"),
        (
            "length(x)",
            "x",
            "length takes the name of a curve; such as that of curve egg(u in 0..tau) = [2cos(u), sin(u)]",
        ),
        // Constants that are no numbers.
        ("x + 1/0", "1/0", "division by 0"),
        ("x/(L - 0.5)", "x/(L - 0.5)", "division by 0"),
        ("sqrt(-2)*x", "sqrt(-2)", "sqrt of -2"),
        ("log(L - 0.5)", "log(L - 0.5)", "log of 0"),
        ("asin(1.5)", "asin(1.5)", "asin of 1.5"),
        (
            "(-8)^(1/3)",
            "(-8)^(1/3)",
            "(-8)^0.3333: a negative number has only whole powers",
        ),
        ("0^-1", "0^-1", "0^(-1): division by 0"),
        ("exp(1000)", "exp(1000)", "exp of 1000 is too large"),
        ("1e300*1e300", "1e300*1e300", "1e300·1e300 is too large"),
        ("mod(3, 0)", "mod(3, 0)", "in mod: division by 0"),
        ("unit([0, 0])", "unit([0, 0])", "in unit: division by 0"),
        // Too much.
        (
            "sum(i, 1, 2000, x)",
            "sum(i, 1, 2000, x)",
            "calls functions and adds terms more than 1000 times",
        ),
    ] {
        let problem = problem(text);
        assert_eq!(problem.to_string(), told, "{text}");
        assert_eq!(problem.span.of(text), marked, "{text}");
    }
}

#[test]
fn unknown_names_can_become_numbers() {
    let found = problem("2cos(tt)");
    assert_eq!(found.unknown.as_deref(), Some("tt"));
    assert_eq!((found.edits.len(), found.edits[0].with.as_str()), (1, "t"));
    assert_eq!(
        found.show("2cos(tt)"),
        "line 1, column 6: \"tt\" is not known; did you mean t?\n  2cos(tt)\n       ^^"
    );
    // Neither what is called nor a part of something.
    assert_eq!(problem("wave(x)").unknown, None);
    assert_eq!(problem("machine.part").unknown, None);
}

/// All problems of a text: line, column, words.
fn problems(text: &str) -> Vec<String> {
    let mut names = world();
    names.push(("e", Named::Input(Kind::Scalar, 0)));
    let mut scope = Scope::new(&mut names);
    let problems = scope.compile(text).unwrap_err();
    let told = problems.iter().map(|problem| {
        let (line, column) = problem.span.place(text);
        format!("{line}:{column} {problem}")
    });
    told.collect()
}

#[test]
fn mistakes_of_texts() {
    for (text, told) in [
        // Names that clash.
        (
            "sin(x) = 3",
            "1:1 \"sin\" is a function of the language; choose another name",
        ),
        (
            "pi(x) = 3",
            "1:1 \"pi\" is a constant of the language; choose another name",
        ),
        (
            "f(deg) = 3",
            "1:3 \"deg\" is a constant of the language; choose another name",
        ),
        (
            "a = 1\nb = 2\na = 3",
            "3:1 \"a\" is defined twice; leave one of them out, or choose another name",
        ),
        (
            "p = 1",
            "1:1 \"p\" is the name of something else; choose another name",
        ),
        (
            "2e",
            "1:2 \"e\" is a constant, and the name of something else too; write 'e' for what has that name",
        ),
        // Recursion and cycles.
        (
            "a = a + 1",
            "1:5 \"a\" depends on itself: a → a; a definition cannot use itself",
        ),
        (
            "a = b + 1\nb = 2c\nc = sin(a)",
            "3:9 \"a\" depends on itself: a → b → c → a; a definition cannot use itself",
        ),
        (
            "f(v) = f(v - 1)",
            "1:8 \"f\" depends on itself: f → f; a definition cannot use itself",
        ),
        (
            "f(v) = g(v)\ng(v) = f(v)",
            "2:8 \"f\" depends on itself: f → g → f; a definition cannot use itself",
        ),
        // Numbers and their ranges.
        ("a = 3 in 0..2", "1:5 \"a\" starts outside of its range"),
        ("a = 3 in 5..2", "1:10 the range is empty; write low..high"),
        ("x in 5..2", "1:6 the range is empty; write low..high"),
        ("3 <= x <= 2", "1:1 the range is empty; write low..high"),
        (
            "a = x in 0..2",
            "1:5 changes, but must be a constant; write a number, or names of constants",
        ),
        (
            "a = 1 in 0..x",
            "1:13 changes, but must be a constant; write a number, or names of constants",
        ),
        // Functions and curves.
        ("f(v) = 2v\nf(1, 2)", "2:1 f takes 1, not 2"),
        ("f(v) = 2v\n3f", "2:2 \"f\" is a function; call it: f(…)"),
        (
            "f(v) = 2v*w",
            "1:11 \"w\" is not known; write w = 1: a slider",
        ),
        (
            "f(v) = v.z\nf([1, 2])",
            "1:8 there is no \".z\"; a vector of the plane has .x and .y",
        ),
        (
            "curve c(v in 0..1) = 3v",
            "1:22 is no point of a curve or surface; a curve has points: [x, y] or [x, y, z]",
        ),
        (
            "surface c(v in 0..1, w in 0..1) = [v, w]",
            "1:35 is no point of a curve or surface; a surface has points in space: [x, y, z]",
        ),
        (
            "curve c(v in 1..0) = [v, v]",
            "1:14 the range is empty; write low..high",
        ),
        (
            "curve c(v in 0..x) = [v, v]",
            "1:17 changes, but must be a constant; write a number, or names of constants",
        ),
        (
            "curve c(v in 0..1) = [v, v, v]\narea(c)",
            "2:6 is a curve in space: it has no area",
        ),
        (
            "curve c(v in 0..1) = [v, v]\nlength(c, 1)",
            "2:8 length does not take 2; write length(curve, from, to)",
        ),
        // Relations.
        (
            "p == 3",
            "1:1 one side is a number, the other a vector; take norm(…), or .x of the vector",
        ),
        (
            "p == s",
            "1:1 a vector of the plane and one of space do not go together",
        ),
        ("x ~ 1 weight 0", "1:14 a weight is a positive number"),
        (
            "x ~ 1 weight y",
            "1:14 changes, but must be a constant; write a number, or names of constants",
        ),
        (
            "minimize p",
            "1:10 is a vector, but must be a number; take .x or .y of it, or norm(…)",
        ),
    ] {
        assert_eq!(problems(text), [told], "{text}");
    }
}

#[test]
fn one_mistake_is_told_once() {
    // What uses a broken definition says nothing more; other mistakes are told too.
    let text = "a = 2b\nc = a + 1\nd = sqrt(-1)\nqq + 1 == c + d";
    assert_eq!(
        problems(text),
        [
            "1:6 \"b\" is not known; write b = 1: a slider",
            "3:5 sqrt of -1",
            "4:1 \"qq\" is not known; write qq = 1: a slider",
        ]
    );
}

#[test]
fn hostile_texts_are_refused() {
    let long = "x".to_owned() + &"+x".repeat(7000);
    let mut names = world();
    let mut scope = Scope::new(&mut names);
    // A long chain is no harm: equal sums are one node each.
    assert!(scope.expression(&long).is_ok());
    let doubling = |n: usize, body: &str| {
        let mut text = "f0(v) = v + 1\n".to_owned();
        for k in 1..=n {
            text += &format!("f{k}(v) = {}\n", body.replace('#', &format!("f{}", k - 1)));
        }
        text + &format!("f{n}(x)")
    };
    for (text, told) in [
        (doubling(60, "#(v)*#(v + 1)"), "more than 1000 times"),
        (
            doubling(40, "-(-(-(-(-(-(#(v + 1)))))))"),
            "nested deeper than 200 through the functions it calls",
        ),
        (
            "d0 = sin(x*y)^x\n".to_owned()
                + &(1..40)
                    .map(|k| format!("d{k} = der(d{}, x)\n", k - 1))
                    .collect::<String>(),
            "makes more than 20000 operations; make several formulas of it",
        ),
        (
            "sum(i, 1, 30, sum(j, 1, 30, ".to_owned() + &"1+".repeat(7000) + "1))",
            "takes too long to work out",
        ),
    ] {
        let mut names = world();
        let problems = Scope::new(&mut names).compile(&text).unwrap_err();
        assert!(problems[0].to_string().contains(told), "{}", problems[0]);
    }
}

#[test]
fn blame_has_a_place() {
    let blamed = |text: &str, x: [f64; 3]| {
        let tape = tape(text).unwrap();
        let mut place = [0.0; crate::N_INPUTS];
        place[..3].copy_from_slice(&x);
        tape.blame(&place).map(|blame| match blame.culprit {
            linkwork_formula::Culprit::Input(k) => format!("input {k}"),
            linkwork_formula::Culprit::Step { span, words } => {
                format!("{words} | {}", span.of(text))
            }
        })
    };
    let text = "sqrt(x) + x/(y - 1) + exp(z)";
    assert_eq!(blamed(text, [1.0, 2.0, 3.0]), None);
    assert_eq!(
        blamed(text, [-0.03, 2.0, 3.0]).unwrap(),
        "sqrt of -0.03 | sqrt(x)"
    );
    assert_eq!(
        blamed(text, [4.0, 1.0, 3.0]).unwrap(),
        "division by 0 | x/(y - 1)"
    );
    assert_eq!(
        blamed(text, [4.0, 2.0, 1e4]).unwrap(),
        "exp of 10000 is too large | exp(z)"
    );
    assert_eq!(blamed(text, [4.0, f64::NAN, 1.0]).unwrap(), "input 1");
    assert_eq!(blamed("if(x < 0, 1, sqrt(x))", [-1.0, 0.0, 0.0]), None);
    assert_eq!(
        blamed("if(x < 0, log(y), sqrt(x))", [-1.0, 0.0, 0.0]).unwrap(),
        "log of 0 | log(y)"
    );
    for text in [
        "min(x, sqrt(y))",
        "max(sqrt(y), x)",
        "min(sqrt(y), x)",
        "max(x, sqrt(y))",
    ] {
        assert_eq!(
            blamed(text, [1.0, -4.0, 0.0]).unwrap(),
            "sqrt of -4 | sqrt(y)"
        );
    }
    assert_eq!(
        blamed("x^y", [-2.0, 0.5, 0.0]).unwrap(),
        "(-2)^0.5: a negative number has only whole powers | x^y"
    );
    assert_eq!(
        blamed("x^y", [0.0, -2.0, 0.0]).unwrap(),
        "0^(-2): division by 0 | x^y"
    );
    assert_eq!(
        blamed("x^y", [10.0, 400.0, 0.0]).unwrap(),
        "10^400 is too large | x^y"
    );
    assert_eq!(
        blamed("asin(x) + acos(y)", [0.0, -2.0, 0.0]).unwrap(),
        "acos of -2 | acos(y)"
    );
    assert_eq!(
        blamed("sinh(x) + cosh(x)", [1e3, 0.0, 0.0]).unwrap(),
        "exp of 1000 is too large | sinh(x)"
    );
    assert_eq!(
        blamed("cosh(x)", [1e3, 0.0, 0.0]).unwrap(),
        "exp of 1000 is too large | cosh(x)"
    );
    assert_eq!(
        blamed("x^2*y", [1e200, 0.0, 0.0]).unwrap(),
        "1e200² is too large | x^2"
    );
    assert_eq!(
        blamed("x*y", [1e200, 1e200, 0.0]).unwrap(),
        "1e200·1e200 is too large | x*y"
    );
    assert_eq!(
        blamed("x + y", [1.5e308, 1.5e308, 0.0]).unwrap(),
        "1.5e308 + 1.5e308 is too large | x + y"
    );
    assert_eq!(
        blamed("x - y", [1.5e308, -1.5e308, 0.0]).unwrap(),
        "1.5e308 − -1.5e308 is too large | x - y"
    );
    assert_eq!(
        blamed("x/y", [1.5e308, 0.1, 0.0]).unwrap(),
        "1.5e308/0.1 is too large | x/y"
    );
    assert_eq!(
        blamed("norm(s + [x, y, z])", [1.5e308, 0.0, 0.0]).unwrap(),
        "a number that is too large | norm(s + [x, y, z])"
    );
}

/// What is wrong within a formula of the world is told where it is called.
#[test]
fn formulas_of_others_are_told_where_they_are_called() {
    use linkwork_formula::{Function, Resolver};
    use std::sync::Arc;
    struct One;
    impl Resolver for One {
        fn name(&mut self, path: &[&str]) -> Option<Named> {
            (path == ["x"]).then_some(Named::Input(Kind::Scalar, 0))
        }
        fn function(&mut self, path: &[&str]) -> Option<Arc<Function>> {
            let text = match path {
                ["bad"] => "[1, 2] + nothing*u",
                ["deep"] => "deep(u + 1)",
                ["root"] => "[sqrt(u), 1]",
                _ => return None,
            };
            Some(Arc::new(
                Function::shape(path[0], text, &[("u", [0.0, 1.0])], &[]).unwrap(),
            ))
        }
    }
    let told = |text: &str| {
        let problem = Scope::new(&mut One).expression(text).unwrap_err();
        assert!(problem.edits.is_empty());
        format!("{problem} | {}", problem.span.of(text))
    };
    assert_eq!(
        told("x + bad(x).y"),
        "in bad: \"nothing\" is not known; write nothing = 1: a slider | bad(x)"
    );
    assert!(told("2*deep(x)").contains("nested deeper than 200"));
    let mut one = One;
    let mut scope = Scope::new(&mut one);
    let value = scope.expression("1 + root(x).x").unwrap();
    let tape = linkwork_formula::Tape::new(scope.graph(), value.parts(), 1).unwrap();
    let linkwork_formula::Culprit::Step { span, .. } = tape.blame(&[-1.0]).unwrap().culprit else {
        panic!()
    };
    assert_eq!(span.of("1 + root(x).x"), "root(x)");
}
