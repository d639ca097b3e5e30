//! Second derivatives of one number: the rows of its gradient, which is a graph.

use super::{JetMut, Motion, Tape, TooLong};
use crate::graph::{At, Graph};

/// A number, its gradient and its Hessian, over the inputs it depends on.
#[derive(Clone, Debug)]
pub struct Hessian {
    /// The number first, then its derivative by each input.
    tape: Tape,
    inputs: Vec<u16>,
}

impl Hessian {
    /// Of one node. Inputs are numbered below `n_inputs`.
    pub fn new(graph: &Graph, of: At, n_inputs: usize) -> Result<Self, TooLong> {
        let own = Tape::new(graph, &[of], n_inputs)?;
        let inputs = own.pattern(0).to_vec();
        let mut graph = graph.clone();
        let mut outputs = vec![of];
        outputs.extend(graph.gradient(of, &inputs));
        if graph.is_full() {
            let n_registers = graph.n_nodes();
            return Err(TooLong { n_registers });
        }
        let tape = Tape::new(&graph, &outputs, n_inputs)?;
        Ok(Self { tape, inputs })
    }

    /// The inputs it depends on, ascending.
    pub fn inputs(&self) -> &[u16] {
        &self.inputs
    }

    /// Where the Hessian may be other than zero: columns of the row of the k-th input, ascending.
    pub fn pattern(&self, k: usize) -> &[u16] {
        self.tape.pattern(k + 1)
    }

    /// How many numbers [`Hessian::eval`] writes as rows: those of the gradient first.
    pub fn n_entries(&self) -> usize {
        self.tape.n_entries()
    }

    /// The number and its gradient into `y`; into `rows` the gradient again, over [`Hessian::inputs`], and then
    /// the rows of the Hessian over their patterns.
    pub fn eval(&self, x: &[f64], y: &mut [f64], rows: &mut [f64]) {
        let out = JetMut {
            y,
            rows,
            ..JetMut::default()
        };
        self.tape.jet(Motion::rest(x), out);
    }
}
