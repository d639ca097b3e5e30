//! Straight-line code for nodes of a graph, and what is computed with it.
//!
//! ```text
//!     value      y = f(x)                                                    value.rs
//!     jet        y, ẏ, ÿ along x(t): no matrix of second derivatives         jet.rs
//!     rows       ∂y/∂x, one sweep backwards for each output                  rows.rs
//!     Hessian    rows of the gradient, which is a graph                      hessian.rs
//! ```
//!
//! Registers are constants, inputs, and one for each step. They lie on the stack: a run allocates nothing and needs
//! nothing from whoever calls it.

mod blame;
mod hessian;
mod jet;
mod registers;
mod rows;
mod value;

use std::sync::Arc;

use crate::graph::{At, Graph, field_of};
use crate::limits::MAX_REGISTERS;
use crate::op::Op;
use crate::problem::Span;
use crate::resolver::Field;

pub(crate) use blame::trouble;
pub use blame::{Blame, Culprit};
pub use hessian::Hessian;
pub use jet::{JetMut, Motion};

/// One operation on registers; it writes the register of its own number.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: Op,
    /// Which field, for [`Op::Field`].
    field: u8,
    a: u16,
    b: u16,
    c: u16,
}

/// A field, or one of its derivatives.
#[derive(Clone, Debug)]
struct FieldPart {
    field: Arc<dyn Field>,
    orders: [u32; 2],
}

impl FieldPart {
    /// Its derivative at a time and a point, so many times more by x and by y.
    fn derivative(&self, t: f64, x: f64, y: f64, more: [u32; 2]) -> f64 {
        let field = self.field.at(t).unwrap_or(&*self.field);
        field.derivative(x, y, self.orders[0] + more[0], self.orders[1] + more[1])
    }
}

/// Lists one after the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    items: Vec<u16>,
    ends: Vec<u32>,
}

impl Lists {
    fn get(&self, k: usize) -> &[u16] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] as usize };
        &self.items[start..self.ends[k] as usize]
    }

    fn end(&mut self) {
        self.ends.push(self.items.len() as u32);
    }
}

/// Nodes of a graph, ready to run.
#[derive(Clone, Debug)]
pub struct Tape {
    constants: Vec<f64>,
    n_inputs: usize,
    steps: Vec<Step>,
    /// Where each step stands in its text.
    spans: Vec<Span>,
    fields: Vec<FieldPart>,
    /// The register of the time, if one of them is a film.
    time: Option<u16>,
    /// The register of each output.
    outputs: Vec<u16>,
    /// Inputs that each output depends on, ascending.
    patterns: Lists,
    /// Visits of the steps that each output depends on, descending.
    cones: Lists,
}

/// A formula that needs more registers than a tape has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// How many it needs.
    pub n_registers: usize,
}

impl std::fmt::Display for TooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = self.n_registers;
        write!(
            f,
            "needs {n} numbers at once, more than {MAX_REGISTERS}; make several formulas of it"
        )
    }
}

impl std::error::Error for TooLong {}

impl Tape {
    /// What the outputs need and nothing else. Inputs are numbered below `n_inputs`.
    pub fn new(graph: &Graph, outputs: &[At], n_inputs: usize) -> Result<Self, TooLong> {
        let is_needed = needed(graph, outputs);
        let used = || (0..graph.nodes.len()).filter(|at| is_needed[*at]);
        let of = |op: Op| used().filter(move |at| graph.nodes[*at].op == op);
        let n_constants = of(Op::Constant).count();
        let base = n_constants + n_inputs;
        let n_steps = used().count() - n_constants - of(Op::Input).count();
        let n_registers = base + n_steps;
        if n_registers > MAX_REGISTERS {
            return Err(TooLong { n_registers });
        }
        let mut tape = Self {
            constants: Vec::with_capacity(n_constants),
            n_inputs,
            steps: Vec::with_capacity(n_steps),
            spans: Vec::with_capacity(n_steps),
            fields: Vec::new(),
            time: graph.time.map(|input| n_constants as u16 + input),
            outputs: Vec::new(),
            patterns: Lists::default(),
            cones: Lists::default(),
        };
        let mut place = vec![0_u16; graph.nodes.len()];
        for at in used() {
            let entry = graph.nodes[at];
            match entry.op {
                Op::Constant => {
                    place[at] = tape.constants.len() as u16;
                    tape.constants.extend(graph.value(at as At));
                }
                Op::Input => {
                    assert!(
                        (entry.a as usize) < n_inputs,
                        "input {} of {n_inputs}",
                        entry.a
                    );
                    place[at] = (n_constants + entry.a as usize) as u16;
                }
                op => {
                    place[at] = (base + tape.steps.len()) as u16;
                    // What a step does not have it reads from its first operand, and multiplies by zero.
                    let [a, b, c] = [entry.a, entry.b, entry.c];
                    let a = place[a as usize];
                    let n = op.n_operands();
                    let step = Step {
                        op,
                        field: if op == Op::Field {
                            tape.field(graph, c)
                        } else {
                            0
                        },
                        a,
                        b: if n > 1 { place[b as usize] } else { a },
                        c: if n > 2 { place[c as usize] } else { a },
                    };
                    tape.steps.push(step);
                    tape.spans.push(graph.spans[at]);
                }
            }
        }
        tape.outputs = outputs.iter().map(|at| place[*at as usize]).collect();
        tape.reach();
        Ok(tape)
    }

    /// How many inputs it takes.
    pub fn n_inputs(&self) -> usize {
        self.n_inputs
    }

    /// How many outputs it has.
    pub fn n_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// How many steps it takes.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The inputs that an output depends on, ascending: where its row is not zero.
    pub fn pattern(&self, output: usize) -> &[u16] {
        self.patterns.get(output)
    }

    /// How many numbers the rows of all outputs have together.
    pub fn n_entries(&self) -> usize {
        self.patterns.items.len()
    }

    /// The first register that a step writes.
    fn base(&self) -> usize {
        self.constants.len() + self.n_inputs
    }

    /// The time that films go by.
    fn time(&self, v: &[f64]) -> f64 {
        self.time.map_or(0.0, |at| v[usize::from(at)])
    }

    fn n_registers(&self) -> usize {
        self.base() + self.steps.len()
    }

    /// The number of a field's derivative.
    fn field(&mut self, graph: &Graph, code: u16) -> u8 {
        let (index, orders) = field_of(code);
        let field = &graph.fields[index];
        let is_same = |own: &FieldPart| Arc::ptr_eq(&own.field, field) && own.orders == orders;
        let own = self.fields.iter().position(is_same);
        own.unwrap_or_else(|| {
            let field = field.clone();
            self.fields.push(FieldPart { field, orders });
            self.fields.len() - 1
        }) as u8
    }
}

/// The nodes that outputs need. A sine needs its cosine, as derivatives will.
fn needed(graph: &Graph, outputs: &[At]) -> Vec<bool> {
    let mut is_needed = vec![false; graph.nodes.len() + 1];
    for at in outputs {
        is_needed[*at as usize] = true;
    }
    for at in (0..graph.nodes.len()).rev() {
        let entry = graph.nodes[at];
        match entry.op {
            Op::Cos if is_needed[at] => is_needed[at - 1] = true,
            Op::Sin if is_needed[at] => is_needed[at + 1] = true,
            _ => {}
        }
        if is_needed[at] {
            for operand in entry.operands() {
                is_needed[operand as usize] = true;
            }
        }
    }
    is_needed
}
