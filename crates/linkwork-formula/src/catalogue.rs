//! The words of the language: functions, constants, and words that are no names.

use crate::op::Op;
use Call::{
    Area, Cross, Derivative, Dot, Either, If, Is, Length, Many, Norm, One, Sum, Tangent, Two,
};

/// A function of the language.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub form: &'static str,
    /// What it is.
    pub help: &'static str,
    /// How few it takes.
    pub least: usize,
    /// How many it takes.
    pub most: usize,
    pub(crate) call: Call,
}

/// How a function becomes nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// One node with one operand, of a number.
    One(Op),
    /// One node with two operands.
    Two(Op),
    /// The smallest, the largest of several.
    Many(Op),
    /// In the language itself.
    Is(&'static str),
    /// The same, by the number of arguments.
    Either(&'static str, &'static str),
    If,
    Dot,
    Cross,
    Norm,
    Derivative,
    Sum,
    Tangent,
    Length,
    Area,
}

const fn word(form: &'static str, most: usize, call: Call, help: &'static str) -> Builtin {
    // The name is what stands before the bracket; what it takes, between commas.
    let (bytes, mut n, mut least) = (form.as_bytes(), 0, 1);
    while bytes[n] != b'(' {
        n += 1;
    }
    let (name, mut at) = (form.split_at(n).0, n);
    while at < bytes.len() {
        least += (bytes[at] == b',') as usize;
        at += 1;
    }
    Builtin {
        name,
        form,
        help,
        // "…" is none.
        least: least - (most == ANY) as usize,
        most,
        call,
    }
}

/// As many as a text has room for.
const ANY: usize = usize::MAX;

/// Every function of the language.
pub const FUNCTIONS: [Builtin; 39] = [
    word(
        "sin(x)",
        1,
        One(Op::Sin),
        "sine of an angle in radians: sin(30deg)",
    ),
    word("cos(x)", 1, One(Op::Cos), "cosine"),
    word("tan(x)", 1, Is("sin(x)/cos(x)"), "tangent of an angle"),
    word(
        "asin(x)",
        1,
        One(Op::Asin),
        "the angle from −π/2 to π/2 whose sine is x",
    ),
    word(
        "acos(x)",
        1,
        One(Op::Acos),
        "the angle from 0 to π whose cosine is x",
    ),
    word("atan(x)", 1, One(Op::Atan), "the angle whose tangent is x"),
    word(
        "atan2(y, x)",
        2,
        Two(Op::Atan2),
        "the angle from −π to π of the direction [x, y]",
    ),
    word(
        "sinh(x)",
        1,
        Is("tanh(x)*(exp(x) + exp(-x))/2"),
        "hyperbolic sine",
    ),
    word(
        "cosh(x)",
        1,
        Is("(exp(x) + exp(-x))/2"),
        "hyperbolic cosine: a hanging chain",
    ),
    word(
        "tanh(x)",
        1,
        One(Op::Tanh),
        "hyperbolic tangent: from −1 to 1, smoothly",
    ),
    word("exp(x)", 1, One(Op::Exp), "e to the power x"),
    word("log(x)", 1, One(Op::Log), "natural logarithm"),
    word("ln(x)", 1, One(Op::Log), "the same"),
    word("sqrt(x)", 1, One(Op::Sqrt), "square root"),
    word("abs(x)", 1, One(Op::Abs), "absolute value"),
    word("sign(x)", 1, One(Op::Sign), "−1, 0 or 1"),
    word("floor(x)", 1, One(Op::Floor), "the next whole number below"),
    word(
        "ceil(x)",
        1,
        Is("-floor(-x)"),
        "the next whole number above",
    ),
    word(
        "round(x)",
        1,
        Is("floor(x + 0.5)"),
        "the nearest whole number; of two, the larger",
    ),
    word(
        "mod(x, m)",
        2,
        Is("x - m*floor(x/m)"),
        "the remainder of x over m: mod(−1, 3) is 2",
    ),
    word("min(a, b, …)", ANY, Many(Op::Min), "the smallest"),
    word("max(a, b, …)", ANY, Many(Op::Max), "the largest"),
    word(
        "clamp(x, low, high)",
        3,
        Is("min(max(x, low), high)"),
        "x limited to the range from low to high",
    ),
    word(
        "less(a, b)",
        2,
        Two(Op::Less),
        "1 if a is less than b, else 0",
    ),
    word(
        "if(when, then, else)",
        3,
        If,
        "then if when is not 0, else the third: if(x < 0, −x, x)",
    ),
    word(
        "mix(a, b, s)",
        3,
        Is("a + (b - a)*s"),
        "from a to b as s goes from 0 to 1",
    ),
    word(
        "huber(r, k)",
        2,
        Is("if(k < abs(r), k*(abs(r) - k/2), r^2/2)"),
        "r²/2 within k, linear beyond: a loss that limits outliers",
    ),
    word("dot(a, b)", 2, Dot, "scalar product"),
    word(
        "cross(a, b)",
        2,
        Cross,
        "cross product: a vector in space, a number in the plane",
    ),
    word("norm(v)", 1, Norm, "length of a vector"),
    word(
        "unit(v)",
        1,
        Is("v/norm(v)"),
        "vector of length one along v",
    ),
    word("dist(a, b)", 2, Is("norm(a - b)"), "distance of two points"),
    word(
        "volcano(a, b)",
        2,
        Is("1/norm(a - b)"),
        "one over the distance: volcano(a, b) ~ 0 weight k pushes a away from b, with k/distance³",
    ),
    word(
        "turn(v, angle)",
        3,
        Either(TURN, TURN_ABOUT),
        "v turned in the plane; in space turn(v, axis, angle)",
    ),
    word(
        "der(expression, name)",
        2,
        Derivative,
        "derivative by a number, an input or a parameter",
    ),
    word(
        "sum(k, 1, n, expression)",
        4,
        Sum,
        "sum over whole numbers k from 1 to n",
    ),
    word(
        "tangent(curve, u)",
        2,
        Tangent,
        "direction of a curve at u, of length one",
    ),
    word(
        "length(curve)",
        3,
        Length,
        "arc length; of a part: length(curve, from, to)",
    ),
    word(
        "area(curve)",
        1,
        Area,
        "area within a plane curve, closed by a straight line if it is open",
    ),
];

const TURN: &str = "v*cos(angle) + [-v.y, v.x]*sin(angle)";

/// v·cos + (n × v)·sin + n·(n·v)·(1 − cos), Rodrigues.
const TURN_ABOUT: &str = "v*cos(angle) + cross(unit(axis), v)*sin(angle) + unit(axis)*dot(unit(axis), v)*(1 - cos(angle))";

/// What `turn` takes in space.
pub(crate) const TURN_TAKES: &str = "v, axis, angle";

/// A constant of the language: name, value, what it is.
pub type Constant = (&'static str, f64, &'static str);

/// Every constant. Units are constants too: `5mm` is 5·0.001.
pub const CONSTANTS: [Constant; 10] = [
    ("pi", std::f64::consts::PI, "half a turn, in radians"),
    ("π", std::f64::consts::PI, "the same"),
    ("tau", std::f64::consts::TAU, "a whole turn, in radians"),
    ("e", std::f64::consts::E, "the base of logarithms"),
    (
        "deg",
        std::f64::consts::PI / 180.0,
        "a degree, in radians: 30deg, 30°",
    ),
    ("mm", 1e-3, "a millimeter, in meters"),
    ("cm", 1e-2, "a centimeter, in meters"),
    (
        "rpm",
        std::f64::consts::PI / 30.0,
        "a turn per minute, in rad/s",
    ),
    ("percent", 1e-2, "a hundredth"),
    ("g0", 9.80665, "standard gravity, in m/s²"),
];

/// Names of functions elsewhere, and how they are written here.
pub(crate) const ELSEWHERE: [(&str, &str); 10] = [
    ("arcsin", "asin(x)"),
    ("arccos", "acos(x)"),
    ("arctan", "atan(x) or atan2(y, x)"),
    ("pow", "x^n"),
    ("hypot", "norm([a, b])"),
    ("log10", "log(x)/log(10)"),
    ("log2", "log(x)/log(2)"),
    ("lerp", "mix(a, b, s)"),
    ("rotate", "turn(v, angle)"),
    ("distance", "dist(a, b)"),
];

/// Words that are no names, unless in quotes.
pub const RESERVED: [&str; 6] = ["in", "weight", "minimize", "maximize", "curve", "surface"];

/// The function of a name.
pub(crate) fn function(name: &str) -> Option<&'static Builtin> {
    FUNCTIONS.iter().find(|own| own.name == name)
}

/// The constant of a name.
pub(crate) fn constant(name: &str) -> Option<f64> {
    let found = CONSTANTS.iter().find(|(own, ..)| *own == name);
    found.map(|(_, value, _)| *value)
}

/// What a name means in the language, if it cannot be given to a number or a quantity. Functions stand before a
/// bracket: their names are free.
pub fn meaning(name: &str) -> Option<&'static str> {
    if constant(name).is_some() {
        return Some("a constant of the language");
    }
    RESERVED.contains(&name).then_some("a word of the language")
}
