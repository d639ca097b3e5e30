//! The formula language of Linkwork: from a text to values, rates, rows of derivatives, and messages about its
//! mistakes.
//!
//! ```text
//!     text  →  tree  →  graph  →  tape  →  y, ẏ, ÿ, ∂y/∂x
//!        parse    lower     compile   run
//! ```
//!
//! A [`Scope`] compiles texts over the names that a [`Resolver`] knows. The result is nodes of a [`Graph`], in
//! which equal operations are one and constants are folded. A [`Tape`] runs some of them.
//!
//! ```
//! use linkwork_formula::{Kind, Motion, JetMut, Named, Scope, Tape};
//!
//! let mut names = vec![("p", Named::Input(Kind::Vector2, 0))];
//! let mut scope = Scope::new(&mut names);
//! let reach = scope.expression("norm(p) - 5mm")?;
//! let tape = Tape::new(scope.graph(), reach.parts(), 2)?;
//! let (mut y, mut rate, mut row) = ([0.0], [0.0], [0.0; 2]);
//! tape.jet(
//!     Motion { x: &[0.3, 0.4], x1: &[1.0, 0.0], x2: &[] },
//!     JetMut { y: &mut y, y1: &mut rate, y2: &mut [], rows: &mut row },
//! );
//! assert!((y[0] - 0.495).abs() < 1e-15);
//! assert!((rate[0] - 0.6).abs() < 1e-15);
//! assert_eq!(row, [0.6, 0.8]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every mistake has its place, and often a fix:
//!
//! ```
//! # use linkwork_formula::{Nothing, Scope};
//! let problem = Scope::new(&mut Nothing).expression("1/2tau").unwrap_err();
//! assert_eq!(
//!     problem.show("1/2tau"),
//!     "line 1, column 1: can be read in two ways; write 1/(2*tau) or (1/2)*tau\n  1/2tau\n  ^^^^^^"
//! );
//! ```
//!
//! Texts come from strangers: [`limits`] bound what they cost. There is no IO, clock, thread or randomness here,
//! and functions are those of `libm`: equal bits everywhere.

mod catalogue;
mod expression;
mod graph;
mod lexer;
pub mod limits;
mod lower;
mod messages;
mod names;
mod nearest;
mod op;
mod parser;
mod problem;
mod resolver;
mod tape;
mod tree;

pub use catalogue::{Builtin, CONSTANTS, Constant, FUNCTIONS, RESERVED, meaning};
pub use expression::{Expression, Table};
pub use graph::{At, Graph, Squares, Value};
pub use lower::{Curve, Function, Item, Line, Number, Scope};
pub use names::{names, renamed, renamed_path};
pub use op::Op;
pub use problem::{Edit, Problem, Span, brief};
pub use resolver::{Field, Kind, Named, Nothing, Resolver};
pub use tape::{Blame, Culprit, Hessian, JetMut, Motion, Tape, TooLong};
pub use tree::Sort;

/// The README's example is tested like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
