use super::*;
use crate::tree::Says;

/// Every bracket that the grammar means.
fn brackets(tree: &Tree, node: NodeId) -> String {
    let of = |node: &NodeId| brackets(tree, *node);
    let list = |list| -> Vec<String> { tree.parts(list).iter().map(of).collect() };
    match tree.kind(node) {
        Kind::Number(number) => number.to_string(),
        Kind::Name(name, quoted) => match quoted {
            true => format!("'{name}'"),
            false => name.to_string(),
        },
        Kind::Negate(a) => format!("(-{})", of(a)),
        Kind::Member(a, name) => format!("{}.{name}", of(a)),
        Kind::Vector(parts) => format!("[{}]", list(*parts).join(", ")),
        Kind::Call(a, with) => format!("{}({})", of(a), list(*with).join(", ")),
        Kind::Binary(sign, a, b) => {
            let sign = match sign {
                Sign::Add => "+",
                Sign::Subtract => "-",
                Sign::Multiply => "*",
                Sign::Implied => "·",
                Sign::Divide => "/",
                Sign::Power => "^",
                Sign::Less => "<",
                Sign::AtMost => "<=",
            };
            format!("({}{sign}{})", of(a), of(b))
        }
    }
}

fn expression(text: &str) -> String {
    match parse_expression(text, 0) {
        Ok((tree, root)) => brackets(&tree, root),
        Err(problem) => format!("! {problem}"),
    }
}

#[test]
fn precedence() {
    for (text, meaning) in [
        ("a + b - c", "((a+b)-c)"),
        ("a - (b - c)", "(a-(b-c))"),
        ("a + b*c", "(a+(b*c))"),
        ("a*b/c*d", "(((a*b)/c)*d)"),
        ("a^b^c", "(a^(b^c))"),
        ("-x^2", "(-(x^2))"),
        ("(-x)^2", "((-x)^2)"),
        ("-x*y", "((-x)*y)"),
        ("a - -b", "(a-(-b))"),
        ("a*-b", "(a*(-b))"),
        ("a/-b", "(a/(-b))"),
        ("a^-b", "(a^(-b))"),
        ("a^-b*c", "((a^(-b))*c)"),
        ("--a", "(-(-a))"),
        ("+a", "a"),
        ("2x", "(2·x)"),
        ("2x^2", "(2·(x^2))"),
        ("-2x", "(-(2·x))"),
        ("2x*y", "((2·x)*y)"),
        ("a*2x", "(a*(2·x))"),
        ("2x/3", "((2·x)/3)"),
        ("a + 2x", "(a+(2·x))"),
        ("3(a + b)", "(3·(a+b))"),
        ("3(a + b)^2", "(3·((a+b)^2))"),
        ("2[a, b]", "(2·[a, b])"),
        ("2 sin(x)", "(2·sin(x))"),
        ("2'bar 2'.x", "(2·'bar 2'.x)"),
        ("30deg + 5mm", "((30·deg)+(5·mm))"),
        ("5mm^2", "(5·(mm^2))"),
        ("30°", "(30·deg)"),
        ("x² + x³", "((x^2)+(x^3))"),
        ("-x²", "(-(x^2))"),
        ("2x²", "(2·(x^2))"),
        ("a.b.c^2", "(a.b.c^2)"),
        ("(a + b).x", "(a+b).x"),
        ("f(x).y*2", "(f(x).y*2)"),
        ("door.curve(u)", "door.curve(u)"),
        ("a.weight", "a.weight"),
        ("1/(2x)", "(1/(2·x))"),
        (
            "(1/2)x",
            "! an operator is missing before \"x\"; write * to multiply",
        ),
        ("if(a < b, c, d)", "if((a<b), c, d)"),
        ("if(a >= b, c, d)", "if((b<=a), c, d)"),
        ("a\n + b", "(a+b)"),
    ] {
        assert_eq!(expression(text), meaning, "{text}");
    }
}

#[test]
fn mistakes_of_expressions() {
    for (text, told) in [
        ("1/2x", "can be read in two ways; write 1/(2*x) or (1/2)*x"),
        (
            "a + b*c/2x^2 + d",
            "can be read in two ways; write b*c/(2*x^2) or (b*c/2)*x^2",
        ),
        (
            "a/5 mm",
            "can be read in two ways; write a/(5*mm) or (a/5)*mm",
        ),
        (
            "a/2(b + c)",
            "can be read in two ways; write a/(2*(b + c)) or (a/2)*(b + c)",
        ),
        (
            "a/-2x",
            "can be read in two ways; write a/(-2*x) or (a/-2)*x",
        ),
        ("a^2x", "can be read in two ways; write a^(2*x) or (a^2)*x"),
        ("2^3 x", "can be read in two ways; write 2^(3*x) or (2^3)*x"),
        (
            "x y",
            "an operator is missing before \"y\"; write * to multiply",
        ),
        (
            "2 3",
            "an operator is missing before \"3\"; write * to multiply",
        ),
        (
            "(a)(b)",
            "an operator is missing before \"(\"; write * to multiply",
        ),
        (
            "2x y",
            "an operator is missing before \"y\"; write * to multiply",
        ),
        ("sin x", "\"sin\" is a function; call it: sin(…)"),
        (
            "minimise x^2",
            "\"minimise\" is not known; did you mean minimize?",
        ),
        ("", "a value is missing before the end"),
        ("a +", "a value is missing before the end"),
        ("a + * b", "a value is missing before \"*\""),
        ("(a + b", "\"(\" is not closed; write ) before the end"),
        ("[a, b)", "\"[\" is not closed; write ] before \")\""),
        (
            "f(a b)",
            "an operator is missing before \"b\"; write * to multiply",
        ),
        ("f(a,)", "a value is missing before \")\""),
        ("a)", "\")\" is not expected here; no bracket is open"),
        (
            "a < b",
            "\"<\" is not expected here; write <= or >= for a limit, if(a < b, …) for a choice",
        ),
        (
            "a = b",
            "\"=\" is not expected here; write == for a constraint",
        ),
        ("p.", "a name is missing before the end"),
        (
            "p.2",
            "an operator is missing before \".2\"; write * to multiply",
        ),
        (
            "2*weight",
            "\"weight\" is not expected here; as a name it needs quotes: 'weight'",
        ),
        (
            "x weight 2",
            "\"weight\" is not expected here; as a name it needs quotes: 'weight'",
        ),
    ] {
        assert_eq!(expression(text), format!("! {told}"), "{text}");
    }
    let deep = "(".repeat(65) + "x" + &")".repeat(65);
    assert_eq!(
        expression(&deep),
        "! is nested deeper than 64; name a part of it: part = …"
    );
    assert!(!expression(&deep[1..deep.len() - 1]).starts_with('!'));
    // A long left side is not repeated in words, but in what is to be written.
    let text = format!("{}/2x", "a*".repeat(30) + "a");
    let problem = parse_expression(&text, 0).unwrap_err();
    assert_eq!(problem.hint.as_deref(), Some("write …/(2*x) or (…/2)*x"));
    assert_eq!(
        problem.edits[0].with,
        format!("{}/(2*x)", "a*".repeat(30) + "a")
    );
}

/// What is suggested is right, whichever is taken.
#[test]
fn edits_mend_the_text() {
    for (text, mended) in [
        ("a + 1/2x", ["(a+(1/(2*x)))", "(a+((1/2)*x))"].as_slice()),
        ("a/-2x", &["(a/((-2)*x))", "((a/(-2))*x)"]),
        ("x y", &["(x*y)"]),
    ] {
        let problem = parse_expression(text, 0).unwrap_err();
        let texts = problem.edits.iter().map(|edit| {
            let mut text = text.to_owned();
            let range = usize::from(edit.span.start)..usize::from(edit.span.end);
            text.replace_range(range, &edit.with);
            expression(&text)
        });
        assert_eq!(texts.collect::<Vec<_>>(), mended, "{text}");
    }
}

fn statements(text: &str) -> String {
    let tree = match parse(text, 0) {
        Ok(tree) => tree,
        Err(problems) => {
            let told = problems.iter().map(|problem| {
                let (line, column) = problem.span.place(text);
                format!("! {line}:{column} {problem}")
            });
            return told.collect::<Vec<_>>().join(" ");
        }
    };
    let of = |node: &NodeId| brackets(&tree, *node);
    let range = |range: &Option<[NodeId; 2]>| match range {
        Some([low, high]) => format!(" in {}..{}", of(low), of(high)),
        None => String::new(),
    };
    let told = tree
        .statements
        .iter()
        .map(|statement| match &statement.says {
            Says::Define(own, ends) => format!("{} = {}{}", own.name, of(&own.is), range(ends)),
            Says::Function(sort, own, parameters) => {
                let all = parameters
                    .iter()
                    .map(|own| own.name.to_string() + &range(&own.range));
                let all: Vec<String> = all.collect();
                format!(
                    "{sort:?} {}({}) = {}",
                    own.name,
                    all.join(", "),
                    of(&own.is)
                )
            }
            Says::Equal(a, b) => format!("{} == {}", of(a), of(b)),
            Says::AtMost(parts) => parts.iter().map(of).collect::<Vec<_>>().join(" <= "),
            Says::Like(a, b, None) => format!("{} ~ {}", of(a), of(b)),
            Says::Like(a, b, Some(w)) => format!("{} ~ {} weight {}", of(a), of(b), of(w)),
            Says::Minimize(a, false) => format!("minimize {}", of(a)),
            Says::Minimize(a, true) => format!("maximize {}", of(a)),
            Says::Value(a) => of(a),
        });
    told.collect::<Vec<_>>().join("; ")
}

#[test]
fn every_statement() {
    for (text, says) in [
        ("a = 0.6", "a = 0.6"),
        ("a = 0.6 in 0..2", "a = 0.6 in 0..2"),
        ("a = 2x in -1..tau", "a = (2·x) in (-1)..tau"),
        ("'bar 2' = 3", "bar 2 = 3"),
        ("r(w) = 1 + w^2", "Function r(w) = (1+(w^2))"),
        ("f(a, b) = a*b", "Function f(a, b) = (a*b)"),
        ("norm(mid) == r(a)", "norm(mid) == r(a)"),
        ("x <= 3", "x <= 3"),
        ("x >= 3", "3 <= x"),
        ("0 <= x <= 1", "0 <= x <= 1"),
        ("1 >= x >= 0", "0 <= x <= 1"),
        ("x in 0..1", "0 <= x <= 1"),
        ("p ~ [1, 2]", "p ~ [1, 2]"),
        ("p ~ q weight 2", "p ~ q weight 2"),
        ("minimize x^2", "minimize (x^2)"),
        ("maximize -x", "maximize (-x)"),
        (
            "curve egg(u in 0..tau) = [cos(u), sin(u)]",
            "Curve egg(u in 0..tau) = [cos(u), sin(u)]",
        ),
        (
            "surface s(u in 0..1, v in 0..1) = [u, v, 0]",
            "Surface s(u in 0..1, v in 0..1) = [u, v, 0]",
        ),
        ("x + 1", "(x+1)"),
        (
            "a = 1; b = 2\n\n# words\nc = 3 # more",
            "a = 1; b = 2; c = 3",
        ),
        ("a = (1 +\n 2)\nb = 3", "a = (1+2); b = 3"),
        ("", ""),
    ] {
        assert_eq!(statements(text), says, "{text}");
    }
}

/// Most people write = for what is equal.
#[test]
fn an_equation_with_one_sign_is_mended() {
    let text = "a.x^2 + 1 = 3";
    let problems = parse(text, 0).unwrap_err();
    let [edit] = &problems[0].edits[..] else {
        panic!("{problems:?}");
    };
    let mut mended = text.to_owned();
    mended.replace_range(
        usize::from(edit.span.start)..usize::from(edit.span.end),
        &edit.with,
    );
    assert_eq!(mended, "a.x^2 + 1 == 3");
    assert_eq!(statements(&mended), "((a.x^2)+1) == 3");
}

#[test]
fn mistakes_of_statements() {
    for (text, told) in [
        (
            "x + 1 = 3",
            "! 1:1 only a name can be defined with =; write == for a constraint",
        ),
        (
            "a.b = 3",
            "! 1:1 only a name can be defined with =; write == for a constraint",
        ),
        ("f(2) = 3", "! 1:3 a parameter is a name, not \"2\""),
        (
            "f() = 3",
            "! 1:1 has no parameter; leave the brackets out: f = …",
        ),
        ("f(a, a) = 3", "! 1:6 \"a\" is a parameter twice"),
        (
            "a = 1 in 0",
            "! 1:11 \"..\" is missing before the end; a range is low..high: in 0..2",
        ),
        ("a == b == c", "! 1:8 \"==\" is not expected here"),
        (
            "a = b = c",
            "! 1:7 \"=\" is not expected here; write == for a constraint",
        ),
        (
            "x < 3",
            "! 1:3 \"<\" is not expected here; write <= or >= for a limit, if(a < b, …) for a choice",
        ),
        (
            "curve egg = 3",
            "! 1:11 \"(\" is missing before \"=\"; write curve name(u in 0..1) = [x, y]",
        ),
        (
            "curve egg(u) = 3",
            "! 1:11 \"u\" has no range; write curve name(u in 0..1) = [x, y]",
        ),
        (
            "surface s(u in 0..1) = 3",
            "! 1:9 takes 2 parameters, not 1; write surface name(u in 0..1, v in 0..1) = [x, y, z]",
        ),
        (
            "curve s(u in 0..1) 3",
            "! 1:20 \"=\" is missing before \"3\"; write curve name(u in 0..1) = [x, y]",
        ),
        ("curve = 3", "! 1:7 a name is missing before \"=\""),
        (
            "weight = 3",
            "! 1:1 \"weight\" is not expected here; as a name it needs quotes: 'weight'",
        ),
        // Each line by itself.
        (
            "a = \nb = 2\nc = |x|; d = (1",
            "! 1:5 a value is missing before the end of the line \
             ! 3:5 \"|\" means nothing here; write abs(x) of a number, norm(v) of a vector \
             ! 3:14 \"(\" is not closed; write ) before the end",
        ),
    ] {
        assert_eq!(statements(text), told, "{text}");
    }
    let all = "|\n".repeat(100);
    assert_eq!(parse(&all, 0).unwrap_err().len(), MAX_PROBLEMS);
}
