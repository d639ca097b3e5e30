//! The contract of a block, checked by differences: a block defined elsewhere calls these functions in its tests.
//!
//! An output is a row `c = x` with `∂c/∂x_i = D`, so it is checked as the rows of a constraint are
//! ([`crate::constraint::contract`]): along closed-form motions of the inputs, with differences of fourth order,
//!
//! ```text
//!     everything is finite; x and D do not depend on ẋ_i
//!     D = difference of x in each input
//!     ẋ = difference of x along the motion = Σ D·ẋ_i + ∂x/∂t
//!     difference of ẋ along the motion = Σ D·ẍ_i + γ
//! ```
//!
//! Of a frame in space all twelve numbers are compared, `Ṙ = [ω]·R` and `R̈ = ([ω̇] + [ω]²)·R`. Its axes are
//! orthonormal, and a direction has length one.

#![allow(non_snake_case)] // D, R: the letters of the papers.

use std::fmt;

use super::{Block, Evaluation};
use crate::connector::{ConnectorKind, Input};
use crate::constraint::contract::{InputMotion, Law, Quantity, Spread, check_law, check_law_at};
use crate::constraint::{self, ConstraintViolation, Level};
use crate::math::{Mat3, Vec3, cross, mat_t_mul};

/// How far axes may be from orthonormal, and the length of a direction from one.
const SHAPE: f64 = 1e-9;

/// A clause of the contract that does not hold.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BlockViolation {
    /// Which output, and which number of its `x`, if it is about one.
    pub at: Option<(usize, usize)>,
    /// What is wrong, in words.
    pub problem: String,
}

impl fmt::Display for BlockViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((output, number)) = self.at {
            write!(f, "output {output}, number {number}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for BlockViolation {}

/// Checks that a block keeps its contract along random motions of its inputs, drawn from `seed`: positions within a
/// meter of each other, relative rotations up to 2 rad, numbers between −2 and 2.
///
/// The same seed gives the same motions.
pub fn check_block(block: &dyn Block, seed: u64) -> Result<(), BlockViolation> {
    checked(block, |law| check_law(law, seed, Spread::default(), false))
}

/// Checks a block at time `t` along motions the caller chooses, one per input (a vector takes as many scalars): for
/// blocks that make sense in special configurations only.
pub fn check_block_at(
    block: &dyn Block,
    t: f64,
    motions: &[InputMotion],
) -> Result<(), BlockViolation> {
    checked(block, |law| check_law_at(law, t, motions))
}

fn checked(
    block: &dyn Block,
    check: impl Fn(&Law<'_>) -> Result<(), ConstraintViolation>,
) -> Result<(), BlockViolation> {
    if let Err(problem) = block.validate() {
        let problem = format!("validate refuses it: {problem}");
        return Err(BlockViolation { at: None, problem });
    }
    let misshapen = std::cell::Cell::new(None);
    let eval = |t: f64, inputs: &[Input<'_>]| {
        let now = Evaluation::of(block, t, inputs);
        if misshapen.get().is_none() {
            misshapen.set(shape_of(block.outputs(), &now.x));
        }
        as_rows(block, &now)
    };
    let law = Law {
        kinds: block.inputs(),
        level: Level::Position,
        pushes: false,
        eval: &eval,
    };
    check(&law).map_err(|violation| in_words(block, violation))?;
    match misshapen.get() {
        None => Ok(()),
        Some((output, problem)) => Err(BlockViolation {
            at: Some((output, 0)),
            problem: problem.to_owned(),
        }),
    }
}

/// The outputs as rows: a row for each number of `x`.
fn as_rows(block: &dyn Block, now: &Evaluation) -> constraint::Evaluation {
    let (mut c_dot, mut gamma, mut D) = (Vec::new(), Vec::new(), Vec::<Vec<f64>>::new());
    let (mut x0, mut row0) = (0, 0);
    for kind in block.outputs() {
        let row = |k: usize| &now.D[(row0 + k) * now.n_in..][..now.n_in];
        let is_frame = *kind == ConnectorKind::Frame3;
        let n_plain = if is_frame { 3 } else { kind.n_x_dot() };
        c_dot.extend(&now.x_dot[row0..row0 + n_plain]);
        gamma.extend(&now.gamma[row0..row0 + n_plain]);
        D.extend((0..n_plain).map(|k| row(k).to_vec()));
        if is_frame {
            let R = three_by_three(&now.x[x0 + 3..]);
            let (omega, own) = (three(&now.x_dot[row0 + 3..]), three(&now.gamma[row0 + 3..]));
            let R_dot = turned(omega, &R);
            c_dot.extend(R_dot.as_flattened());
            let (by_own, again) = (turned(own, &R), turned(omega, &R_dot));
            let both = by_own.as_flattened().iter().zip(again.as_flattened());
            gamma.extend(both.map(|(a, b)| a + b));
            let mut by_entry = vec![vec![0.0; now.n_in]; 9];
            for j in 0..now.n_in {
                let by_column = turned([row(3)[j], row(4)[j], row(5)[j]], &R);
                for (entry, value) in by_entry.iter_mut().zip(by_column.as_flattened()) {
                    entry[j] = *value;
                }
            }
            D.extend(by_entry);
        }
        (x0, row0) = (x0 + kind.n_x(), row0 + kind.n_x_dot());
    }
    // Input after input, each row-major.
    let (mut dc_dx, mut column) = (Vec::new(), 0);
    for kind in block.inputs() {
        let n = kind.n_x_dot();
        for row in &D {
            dc_dx.extend_from_slice(&row[column..column + n]);
        }
        column += n;
    }
    constraint::Evaluation {
        energy: None,
        c: now.x.clone(),
        c_dot,
        gamma,
        dc_dx,
        push: Vec::new(),
    }
}

/// What is wrong with the shape of an output, if anything is.
fn shape_of(outputs: &[ConnectorKind], x: &[f64]) -> Option<(usize, &'static str)> {
    let mut x0 = 0;
    for (output, kind) in outputs.iter().enumerate() {
        let own = &x[x0..x0 + kind.n_x()];
        x0 += own.len();
        match kind {
            ConnectorKind::Frame3 => {
                let R = three_by_three(&own[3..]);
                let gram = mat_t_mul(&R, &R);
                for (i, row) in gram.iter().enumerate() {
                    for (j, entry) in row.iter().enumerate() {
                        let wanted = f64::from(u8::from(i == j));
                        if (entry - wanted).abs() > SHAPE {
                            return Some((output, "axes of a frame are orthonormal"));
                        }
                    }
                }
                if crate::math::determinant(&R) < 0.0 {
                    return Some((output, "axes of a frame are right-handed"));
                }
            }
            ConnectorKind::Direction3 => {
                let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
                if (length - 1.0).abs() > SHAPE {
                    return Some((output, "a direction has length one"));
                }
            }
            _ => {}
        }
    }
    None
}

/// A violation of rows, in the words of blocks.
fn in_words(block: &dyn Block, violation: ConstraintViolation) -> BlockViolation {
    let place = |row: usize| {
        let mut row = row;
        for (output, kind) in block.outputs().iter().enumerate() {
            if row < kind.n_x() {
                return Some((output, row));
            }
            row -= kind.n_x();
        }
        None
    };
    match violation {
        ConstraintViolation::Rough { row, quantity } => BlockViolation {
            at: place(row),
            problem: format!(
                "{} changes too abruptly to be checked; choose motions away from jumps and singularities",
                words(quantity)
            ),
        },
        ConstraintViolation::Mismatch {
            row,
            quantity,
            expected,
            found,
        } => BlockViolation {
            at: place(row),
            problem: format!(
                "{}: expected {expected:e}, found {found:e}",
                words(quantity)
            ),
        },
        other => BlockViolation {
            at: None,
            problem: other.to_string(),
        },
    }
}

fn words(quantity: Quantity) -> String {
    let words = match quantity {
        Quantity::Finite => "what it writes (must be finite)",
        Quantity::Value => "x (must not depend on the rates)",
        Quantity::Rate => "ẋ (difference of x along the motion)",
        Quantity::RateFromJacobian => "ẋ (Σ D·ẋ_i + ∂x/∂t)",
        Quantity::Acceleration => "Σ D·ẍ_i + γ (difference of ẋ)",
        Quantity::Jacobian { input, component } => {
            return format!("D of input {input}, component {component}");
        }
        other => return other.to_string(),
    };
    words.to_owned()
}

fn three(from: &[f64]) -> Vec3 {
    [from[0], from[1], from[2]]
}

fn three_by_three(from: &[f64]) -> Mat3 {
    [three(from), three(&from[3..]), three(&from[6..])]
}

/// `[w]·R`: every column of `R` crossed.
fn turned(w: Vec3, R: &Mat3) -> Mat3 {
    let columns = [0, 1, 2].map(|k| cross(w, [R[0][k], R[1][k], R[2][k]]));
    [0, 1, 2].map(|i| [columns[0][i], columns[1][i], columns[2][i]])
}
