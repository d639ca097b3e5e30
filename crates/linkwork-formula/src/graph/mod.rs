//! A graph of scalar operations: equal ones are one node, and operands come before what uses them.

mod degree;
mod fold;
mod gradient;
mod squares;
mod substitute;

use std::sync::Arc;

use crate::limits::MAX_NODES;
use crate::op::{Op, apply};
use crate::problem::Span;
use crate::resolver::Field;

pub use squares::Squares;

/// A node's place in its graph.
pub type At = u16;

const _: () = assert!(MAX_NODES <= At::MAX as usize);

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) op: Op,
    /// The first operand; the number of an input; which constant.
    pub(crate) a: At,
    /// The second.
    pub(crate) b: At,
    /// The third; which field and which of its derivatives.
    pub(crate) c: At,
}

impl Entry {
    /// Those of a, b and c that are nodes.
    pub(crate) fn operands(&self) -> impl Iterator<Item = At> + use<> {
        let all = [self.a, self.b, self.c];
        all.into_iter().take(self.op.n_operands())
    }
}

/// One to three nodes: a number, or a vector in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    n: u16,
    at: [At; 3],
}

impl Value {
    /// A number.
    pub fn scalar(at: At) -> Self {
        Self::new([at, ZERO, ZERO], 1)
    }

    /// Of one to three nodes; those beyond are zero.
    pub(crate) fn new(at: [At; 3], n: usize) -> Self {
        let n = n as u16;
        Self { n, at }
    }

    /// How many it has.
    pub(crate) fn len(&self) -> usize {
        usize::from(self.n)
    }

    /// Its node, if it is a number.
    pub(crate) fn scalar_part(&self) -> Option<At> {
        (self.n == 1).then_some(self.at[0])
    }

    /// Changes each of its nodes.
    pub(crate) fn change(&mut self, mut change: impl FnMut(At) -> At) {
        for at in self.at.iter_mut().take(usize::from(self.n)) {
            *at = change(*at);
        }
    }

    /// Three nodes; those it does not have are zero.
    pub(crate) fn at(&self) -> [At; 3] {
        self.at
    }

    /// Its nodes.
    pub fn parts(&self) -> &[At] {
        &self.at[..usize::from(self.n)]
    }
}

/// Nodes in order.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(crate) nodes: Vec<Entry>,
    constants: Vec<f64>,
    /// Where each stands in a text: the first of equal ones.
    pub(crate) spans: Vec<Span>,
    /// Of nodes that are made now.
    pub(crate) span: Span,
    /// Node + 1 at its hash or after it, at most half full. It only finds; it is never walked.
    find: Vec<At>,
    /// Fields of the world, in the order in which they were met.
    pub(crate) fields: Vec<Arc<dyn Field>>,
    /// The input of the time, if one of them is a film.
    pub(crate) time: Option<u16>,
    is_full: bool,
    /// The first node whose operands are constants and whose value is not finite.
    pub(crate) trouble: Option<At>,
    /// Nodes that were visited to make others.
    pub(crate) work: usize,
}

impl Default for Graph {
    fn default() -> Self {
        let mut graph = Self {
            nodes: Vec::new(),
            constants: Vec::new(),
            spans: Vec::new(),
            span: Span::default(),
            find: vec![0; 64],
            fields: Vec::new(),
            time: None,
            is_full: false,
            trouble: None,
            work: 0,
        };
        // Node 0 is zero: also what a full graph gives.
        graph.constant(0.0);
        graph
    }
}

/// Which field, and how often it is derived by x and by y.
pub(crate) fn field_of(code: At) -> (usize, [u32; 2]) {
    (
        usize::from(code >> 4),
        [code >> 2 & 3, code & 3].map(u32::from),
    )
}

/// Zero is the first node.
pub(crate) const ZERO: At = 0;

impl Graph {
    /// The node of a number.
    pub fn constant(&mut self, value: f64) -> At {
        // Zero has one sign, or a folded −0 would not be the zero that rules look for.
        let value = if value == 0.0 { 0.0 } else { value };
        let entry = Entry {
            op: Op::Constant,
            a: self.constants.len() as At,
            b: 0,
            c: 0,
        };
        self.add(entry, value)
    }

    /// The node of an input.
    pub fn input(&mut self, index: u16) -> At {
        self.cons(Op::Input, index, 0, 0)
    }

    /// Its number, if it is one.
    pub fn value(&self, at: At) -> Option<f64> {
        let entry = self.entry(at);
        (entry.op == Op::Constant).then(|| self.constants[usize::from(entry.a)])
    }

    /// The index of an input, if it is one.
    pub fn index(&self, at: At) -> Option<u16> {
        let entry = self.entry(at);
        (entry.op == Op::Input).then_some(entry.a)
    }

    /// A node.
    #[inline(never)]
    pub(crate) fn entry(&self, at: At) -> Entry {
        self.nodes[usize::from(at)]
    }

    /// How many nodes it has.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether more was asked of it than it has room for: what it gave then is worth nothing.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// An operation on constants that gives no number.
    pub(super) fn refuse(&mut self, op: Op, [a, b, c]: [At; 3]) -> At {
        let at = self.cons(op, a, b, c);
        self.trouble.get_or_insert(at);
        at
    }

    /// The values of all nodes up to one, for given inputs.
    pub(crate) fn values(&self, last: At, input: impl Fn(u16) -> f64) -> Vec<f64> {
        let mut values = Vec::with_capacity(last as usize + 1);
        for at in 0..=last {
            let entry = self.entry(at);
            let operand = |k: At| values.get(usize::from(k)).copied().unwrap_or(0.0);
            let (a, b) = (operand(entry.a), operand(entry.b));
            values.push(match entry.op {
                Op::Constant => self.value(at).unwrap_or(0.0),
                Op::Input => input(entry.a),
                Op::Field => {
                    let (field, [nx, ny]) = field_of(entry.c);
                    self.fields[field].derivative(a, b, nx, ny)
                }
                op => apply(op, a, b, operand(entry.c)),
            });
        }
        values
    }

    /// The node of an operation as it is, made if it is not there.
    pub(super) fn cons(&mut self, op: Op, a: At, b: At, c: At) -> At {
        let at = self.add(Entry { op, a, b, c }, 0.0);
        // A sine comes with its cosine.
        if op == Op::Sin && usize::from(at) + 1 == self.nodes.len() {
            self.cons(Op::Cos, a, b, c);
        }
        at
    }

    fn add(&mut self, entry: Entry, constant: f64) -> At {
        let mut place = self.place(entry, constant);
        if self.find[place] != 0 {
            return self.find[place] - 1;
        }
        // With room for a cosine.
        if self.nodes.len() + 2 > MAX_NODES {
            self.is_full = true;
            return ZERO;
        }
        if 2 * self.nodes.len() >= self.find.len() {
            self.find = vec![0; 2 * self.find.len()];
            for at in 0..self.nodes.len() {
                let entry = self.nodes[at];
                let place = self.place(entry, self.value(at as At).unwrap_or(0.0));
                self.find[place] = at as At + 1;
            }
            place = self.place(entry, constant);
        }
        if entry.op == Op::Constant {
            self.constants.push(constant);
        }
        self.nodes.push(entry);
        self.spans.push(self.span);
        let at = self.nodes.len() as At;
        self.find[place] = at;
        at - 1
    }

    /// Where an entry is in the table, or would be.
    fn place(&self, entry: Entry, constant: f64) -> usize {
        let key = key(entry, constant);
        let mask = self.find.len() - 1;
        let mut at = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & mask;
        while let Some(other) = self.find[at].checked_sub(1) {
            let (own, value) = (self.entry(other), self.value(other).unwrap_or(0.0));
            if own.op == entry.op && self::key(own, value) == key {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }
}

/// What tells a node from others of the same operation.
fn key(entry: Entry, constant: f64) -> u64 {
    let Entry { op, a, b, c } = entry;
    match op {
        Op::Constant => constant.to_bits(),
        op => [op as u16, a, b, c]
            .iter()
            .fold(0, |key, part| key << 16 | u64::from(*part)),
    }
}
