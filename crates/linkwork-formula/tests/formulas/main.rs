//! What formulas mean, what their derivatives are, and what is said about mistakes.

#![allow(clippy::unwrap_used)] // A panic is how a test fails.

mod derivatives;
mod guards;
mod meaning;
mod mistakes;
mod references;
mod words;

use linkwork_formula::{JetMut, Kind, Motion, Named, Problem, Scope, Tape};

/// Names of a small world: numbers x, y, z; a vector of the plane p, of space s; a frame of each; the time t; a
/// constant L.
pub(crate) fn world() -> Vec<(&'static str, Named)> {
    let mut names = vec![("L", Named::Constant(0.5))];
    let mut first = 0;
    for (name, kind) in [
        ("x", Kind::Scalar),
        ("y", Kind::Scalar),
        ("z", Kind::Scalar),
        ("t", Kind::Scalar),
        ("p", Kind::Vector2),
        ("s", Kind::Vector3),
        ("door", Kind::Frame2),
        ("arm", Kind::Frame3),
        ("bar 2.tip", Kind::Vector2),
    ] {
        names.push((name, Named::Input(kind, first)));
        first += kind.n_inputs() as u16;
    }
    names
}

/// Inputs of [`world`].
pub(crate) const N_INPUTS: usize = 4 + 2 + 3 + 3 + 12 + 2;

/// One expression over the names of [`world`].
pub(crate) fn tape(text: &str) -> Result<Tape, Problem> {
    let mut names = world();
    let mut scope = Scope::new(&mut names);
    let value = scope.expression(text)?;
    let tape = Tape::new(scope.graph(), value.parts(), N_INPUTS).unwrap();
    Ok(tape)
}

/// The value of an expression at x = 2, y = −3, z = 0.5, t = 1 and so on.
pub(crate) fn value(text: &str) -> Vec<f64> {
    let tape = tape(text).unwrap_or_else(|problem| panic!("{}", problem.show(text)));
    let mut y = vec![0.0; tape.n_outputs()];
    tape.value(&place(), &mut y);
    y
}

pub(crate) fn place() -> [f64; N_INPUTS] {
    let mut x = [0.0; N_INPUTS];
    x[..12].copy_from_slice(&[2.0, -3.0, 0.5, 1.0, 3.0, 4.0, 1.0, 2.0, 2.0, 5.0, 6.0, 0.3]);
    for (k, x) in x[12..].iter_mut().enumerate() {
        *x = k as f64 + 0.25;
    }
    x
}

/// What is wrong with an expression.
pub(crate) fn problem(text: &str) -> Problem {
    match tape(text) {
        Err(problem) => problem,
        Ok(_) => panic!("nothing is wrong with {text}"),
    }
}

/// Values, rates, second rates and full rows of a tape.
pub(crate) struct Run {
    pub(crate) y: Vec<f64>,
    pub(crate) y1: Vec<f64>,
    pub(crate) y2: Vec<f64>,
    /// One full row for each output.
    pub(crate) rows: Vec<Vec<f64>>,
}

pub(crate) fn run(tape: &Tape, x: &[f64], x1: &[f64], x2: &[f64]) -> Run {
    let n = tape.n_outputs();
    let [mut y, mut y1, mut y2] = [(); 3].map(|()| vec![0.0; n]);
    let mut entries = vec![0.0; tape.n_entries()];
    let motion = Motion { x, x1, x2 };
    let out = JetMut {
        y: &mut y,
        y1: &mut y1,
        y2: &mut y2,
        rows: &mut entries,
    };
    tape.jet(motion, out);
    let mut entries = entries.into_iter();
    let rows = (0..n).map(|k| {
        let mut row = vec![0.0; x.len()];
        for at in tape.pattern(k) {
            row[usize::from(*at)] = entries.next().unwrap();
        }
        row
    });
    let rows = rows.collect();
    Run { y, y1, y2, rows }
}
