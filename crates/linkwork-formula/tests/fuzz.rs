//! Hostile input: texts of random words, and good texts that were broken at random.
//!
//! Nothing may panic, hang or eat memory; what compiles runs, and every mistake has a place in its text. Ten thousand
//! texts by default; `LINKWORK_FUZZ_SECONDS=600 cargo test --release -p linkwork-formula --test fuzz -- --nocapture`
//! is a long run.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use linkwork_formula::{Expression, Item, JetMut, Kind, Motion, Named, Problem, Scope, Tape};

/// Longest time one text may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Texts of a short run: one in a hundred of a million.
const N_TEXTS: u64 = 10_000;

const WORDS: [&str; 86] = [
    "x",
    "y",
    "p",
    "s",
    "door",
    "a",
    "f",
    "egg",
    "k",
    "u",
    "sin(",
    "cos(",
    "sqrt(",
    "log(",
    "norm(",
    "unit(",
    "turn(",
    "cross(",
    "dot(",
    "if(",
    "der(",
    "sum(k, 1, 5, ",
    "min(",
    "max(",
    "mod(",
    "huber(",
    "length(",
    "area(",
    "tangent(",
    "egg(",
    "f(",
    "(",
    ")",
    "[",
    "]",
    ",",
    "+",
    "-",
    "*",
    "/",
    "^",
    ".",
    "..",
    ".x",
    ".y",
    ".z",
    ".angle",
    "=",
    "==",
    "~",
    "<=",
    ">=",
    "<",
    "minimize ",
    "maximize ",
    "curve egg(u in 0..tau) = ",
    "surface m(u in 0..1, v in 0..1) = ",
    "f(x) = ",
    "f(a, b) = ",
    "a = ",
    " in 0..2",
    " weight 2",
    "\n",
    ";",
    "0",
    "1",
    "2.5",
    "1e",
    "1e9",
    "1e400",
    "é",
    "π",
    "°",
    "²",
    "×",
    "·",
    "−",
    "|",
    "{",
    "'",
    "'bar 2'",
    "#",
    " ",
    "deg",
    "\u{0}",
    "\u{1F600}",
];

const SEEDS: [&str; 10] = [
    "a = 0.6 in 0..2\narea = pi*a^2\nnorm(p) == r(a)\nr(w) = 1 + w^2",
    "curve egg(u in 0..tau) = [x, y] + turn([2cos(u), sin(u)], 0.3)\nlength(egg) + area(egg)\ntangent(egg, 0.5)",
    "A = p + 0.6[cos(x), sin(x)]; B = A + 2.1[cos(y), sin(y)]; dist(A, B) ~ 3 weight 2; minimize A^2",
    "f(a) = a^2; g(a) = f(f(a)); h(a) = g(g(a)) + der(g(a), a); h(x) - h(y)",
    "sum(i, 1, 20, sum(j, 1, 20, sin(i*x + j*y)))",
    "0 <= x <= 1\nmaximize if(x < y, sqrt(x), log(y))/clamp(x, 0.1, 0.9)",
    "door.angle + door.ax.x - 'bar 2'.y*2 + s.z^-3",
    "surface m(u in 0..1, v in 0..pi) = [u*cos(v), u*sin(v), x]; cross(der(m(x, y), x), der(m(x, y), y))",
    "der(der(der(sin(x*y)^x, x), y), x)",
    "d0 = x; d1 = d0*d0 + y; d2 = d1*d1 + y; d3 = d2*d2 + y; d4 = d3*d3 + y; d5 = d4*d4 + y; der(d5, x)",
];

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545f4914f6cdd1d) >> 33) as usize % sides.max(1)
    }
}

/// A text of random words.
fn random(dice: &mut Dice) -> String {
    let n = 1 + dice.roll(16);
    (0..n).map(|_| WORDS[dice.roll(WORDS.len())]).collect()
}

/// A good text with parts cut, doubled, moved or replaced.
fn broken(dice: &mut Dice) -> String {
    let seed = SEEDS[dice.roll(SEEDS.len())];
    let mut letters: Vec<char> = seed.chars().collect();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(letters.len() + 1);
        let to = (at + dice.roll(30)).min(letters.len());
        match dice.roll(6) {
            0 => drop(letters.drain(at..to)),
            1 => letters.truncate(at),
            2 => {
                let piece: Vec<char> = letters[at..to].to_vec();
                let copies = piece.repeat(1 + dice.roll(100));
                letters.splice(at..at, copies);
            }
            3 => {
                let other: Vec<char> = SEEDS[dice.roll(SEEDS.len())].chars().collect();
                let from = dice.roll(other.len());
                let piece = other[from..(from + to - at).min(other.len())].to_vec();
                letters.splice(at..at, piece);
            }
            4 => {
                let opening = ["(", "[", "-", "sin(", "2^", "f(", "x+"][dice.roll(7)];
                let many: Vec<char> = opening.repeat(1 + dice.roll(300)).chars().collect();
                letters.splice(at..at, many);
            }
            _ => {
                let word: Vec<char> = WORDS[dice.roll(WORDS.len())].chars().collect();
                letters.splice(at..to, word);
            }
        }
    }
    letters.into_iter().collect()
}

fn names() -> Vec<(&'static str, Named)> {
    vec![
        ("x", Named::Input(Kind::Scalar, 0)),
        ("y", Named::Input(Kind::Scalar, 1)),
        ("p", Named::Input(Kind::Vector2, 2)),
        ("s", Named::Input(Kind::Vector3, 4)),
        ("door", Named::Input(Kind::Frame2, 7)),
        ("bar 2", Named::Input(Kind::Vector2, 10)),
    ]
}

/// Every mistake has a place and words.
fn told(text: &str, problem: &Problem) {
    assert!(!problem.message.is_empty(), "{text:?}");
    let (line, column) = problem.span.place(text);
    assert!(line >= 1 && column >= 1 && !problem.show(text).is_empty());
    assert!(
        text.get(usize::from(problem.span.start)..).is_some() || text.len() > 1 << 14,
        "{text:?}"
    );
    for edit in &problem.edits {
        let range = usize::from(edit.span.start)..usize::from(edit.span.end);
        assert!(text.get(range).is_some(), "{text:?}: {problem:?}");
    }
}

/// Compiles a text and runs what it is; whether it compiled.
fn accepts(text: &str) -> bool {
    let x = [0.5, -0.3, 1.0, 2.0, 0.1, 0.2, 0.3, 1.0, 1.0, 0.4, 2.0, 3.0];
    if let Err(problem) =
        Expression::parse(text).and_then(|own| own.value(&vec![("x", 0.5), ("y", -0.3)]))
    {
        told(text, &problem);
    }
    let mut around = names();
    let mut scope = Scope::new(&mut around);
    let lines = match scope.compile(text) {
        Ok(lines) => lines,
        Err(problems) => {
            assert!(!problems.is_empty());
            problems.iter().for_each(|problem| told(text, problem));
            return false;
        }
    };
    let mut outputs = Vec::new();
    for line in &lines {
        assert!(
            text.get(usize::from(line.span.start)..usize::from(line.span.end))
                .is_some()
        );
        match &line.item {
            Item::Quantity(_, value)
            | Item::Equation(value)
            | Item::Objective(value, _)
            | Item::Value(value) => {
                outputs.extend_from_slice(value.parts());
            }
            Item::AtMost(values) => {
                outputs.extend(values.iter().flat_map(|own| own.parts().to_vec()));
            }
            Item::Minimize(at) => outputs.push(*at),
            Item::Number(_) | Item::Function(_) | Item::Curve(_) => {}
        }
    }
    let Ok(tape) = Tape::new(scope.graph(), &outputs, x.len()) else {
        return true;
    };
    let (mut y, mut y1, mut y2) = (
        vec![0.0; outputs.len()],
        vec![0.0; outputs.len()],
        vec![0.0; outputs.len()],
    );
    let mut rows = vec![0.0; tape.n_entries()];
    let motion = Motion {
        x: &x,
        x1: &[1.0; 12],
        x2: &[],
    };
    let out = JetMut {
        y: &mut y,
        y1: &mut y1,
        y2: &mut y2,
        rows: &mut rows,
    };
    tape.jet(motion, out);
    let mut again = vec![0.0; outputs.len()];
    tape.value(&x, &mut again);
    for (y, again) in y.iter().zip(&again) {
        assert!(
            y.to_bits() == again.to_bits() || (y.is_nan() && again.is_nan()),
            "{text:?}"
        );
    }
    let is_finite = y.iter().all(|y| y.is_finite());
    assert_eq!(tape.blame(&x).is_none(), is_finite, "{text:?}");
    true
}

#[test]
fn texts() {
    let seconds = std::env::var("LINKWORK_FUZZ_SECONDS").ok();
    let budget = seconds
        .and_then(|own| own.parse().ok())
        .map(Duration::from_secs);
    for seed in SEEDS {
        assert!(accepts(seed), "{seed}");
    }
    let (mut dice, start) = (Dice(0x9e3779b97f4a7c15), Instant::now());
    let (mut n_tried, mut n_accepted, mut longest) = (0_u64, 0_u64, Duration::ZERO);
    while budget.map_or(n_tried < N_TEXTS, |budget| start.elapsed() < budget) {
        let text = match dice.roll(2) {
            0 => random(&mut dice),
            _ => broken(&mut dice),
        };
        let begun = Instant::now();
        n_accepted += u64::from(accepts(&text));
        let took = begun.elapsed();
        assert!(took < PATIENCE, "took {took:?}: {text}");
        longest = longest.max(took);
        n_tried += 1;
    }
    println!("{n_tried} texts, {n_accepted} of them compiled, the longest in {longest:?}");
    assert!(n_accepted > n_tried / 50, "{n_accepted} of {n_tried}");
    let most = peak_memory_mib();
    assert!(most.is_none_or(|mib| mib < 256), "{most:?} MiB");
}

/// The most memory this process has had, where the system says.
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}
