//! A tape over the outputs of connectors.
//!
//! Inputs of the tape are the time, then the numbers of each connector. A frame in space is its origin and its three
//! axes r; it moves with ṗ and ω, so that
//!
//! ```text
//!     ṙ = ω × r      r̈ = ω × (ω × r) + …      ∂y/∂ω = Σ r × ∂y/∂r
//! ```
//!
//! What depends on accelerations is the engine's business.

use linkwork::connector::{Connector, ConnectorKind, Input};
use linkwork::constraint::MAX_ROWS;
use linkwork::math::{Vec3, cross};
use linkwork_formula::{Culprit, JetMut, Motion, Tape};

use super::names::{Names, TIME};
use super::placed;
use crate::fault::Fault;

/// Inputs and outputs of the largest formula: they lie on the stack.
pub(super) const MOST_INPUTS: usize = 256;
pub(super) const MOST_OUTPUTS: usize = MAX_ROWS + 1;
pub(super) const MOST_ENTRIES: usize = 1024;
/// Most formulas take and have fewer: clearing room for the largest would be most of their work.
const SHORT: usize = 32;

/// A tape, and whose numbers its inputs are.
#[derive(Clone, Debug)]
pub(super) struct OverConnectors {
    tape: Tape,
    kinds: Vec<ConnectorKind>,
    /// The input of each connector's first number.
    first: Vec<u16>,
    /// Of each input: its connector, and which number of it.
    place: Vec<(u16, u16)>,
    /// How many rates the connectors before each have.
    before: Vec<usize>,
    /// The number of its own text among those it was made of.
    source: u16,
}

/// Values of all outputs, and their rates, as far as no acceleration is needed.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) y: [f64; MOST_OUTPUTS],
    pub(super) rate: [f64; MOST_OUTPUTS],
    pub(super) second: [f64; MOST_OUTPUTS],
}

impl OverConnectors {
    /// The connectors are those that names were resolved to, in that order.
    pub(super) fn new(tape: Tape, names: Names<'_>) -> Result<(Self, Vec<Connector>), Fault> {
        let too_long = tape.n_inputs() > MOST_INPUTS
            || tape.n_outputs() > MOST_OUTPUTS
            || tape.n_entries() > MOST_ENTRIES;
        if too_long {
            return Err(Fault::at("is", "takes too many numbers at once")
                .hint("make several formulas of it"));
        }
        let mut own = Self {
            place: vec![(u16::MAX, 0); tape.n_inputs()],
            tape,
            kinds: Vec::new(),
            first: Vec::new(),
            before: Vec::new(),
            source: names.n_before(),
        };
        let mut connectors = Vec::new();
        let mut n_rates = 0;
        for (at, (connector, kind, first)) in names.used.into_iter().enumerate() {
            connectors.push(connector);
            own.kinds.push(kind);
            own.first.push(first);
            own.before.push(n_rates);
            n_rates += kind.n_x_dot();
            for k in 0..kind.n_x() {
                own.place[usize::from(first) + k] = (at as u16, k as u16);
            }
        }
        Ok((own, connectors))
    }

    pub(super) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Whether an input of the tape is a number of a connector.
    pub(super) fn is_connector(&self, input: usize) -> bool {
        self.place[input].0 != u16::MAX
    }

    pub(super) fn kinds(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    pub(super) fn n_inputs(&self) -> usize {
        self.tape.n_inputs()
    }

    pub(super) fn n_outputs(&self) -> usize {
        self.tape.n_outputs()
    }

    /// How many rates the connectors before each have.
    pub(super) fn columns_before(&self) -> &[usize] {
        &self.before
    }

    /// Which rates an input of the tape moves with, and how: one, or two of what turns. The time moves with none.
    pub(super) fn rates_of(&self, input: u16, x: &[f64]) -> [(usize, f64); 2] {
        let (connector, number) = self.place[usize::from(input)];
        if connector == u16::MAX {
            return [(0, 0.0); 2];
        }
        let (connector, number) = (usize::from(connector), usize::from(number));
        let before = self.before[connector];
        if self.kinds[connector] != ConnectorKind::Frame3 || number < 3 {
            return [(before + number, 1.0), (before, 0.0)];
        }
        // ṙ = ω × r, a component of it.
        let (axis, k) = ((number - 3) / 3, (number - 3) % 3);
        let first = usize::from(self.first[connector]) + 3 + 3 * axis;
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        [
            (before + 3 + i, x[first + j]),
            (before + 3 + j, -x[first + i]),
        ]
    }

    /// Where the axes of frames in space begin among the inputs, and their turns among the rates.
    pub(super) fn axes(&self) -> impl Iterator<Item = (usize, usize)> {
        let frames = self.kinds.iter().enumerate();
        let frames = frames.filter(|(_, kind)| **kind == ConnectorKind::Frame3);
        frames.flat_map(move |(at, _)| {
            let first = usize::from(self.first[at]) + 3;
            (0..3).map(move |axis| (first + 3 * axis, self.before[at] + 3))
        })
    }

    /// How many rates all connectors have.
    pub(super) fn n_rates(&self) -> usize {
        self.kinds.iter().map(|kind| kind.n_x_dot()).sum()
    }

    /// Which operation of the text is to blame for a result that is not finite, and where it stands. `given` begins
    /// with `x` of all connectors, one after the other.
    pub(super) fn blame(&self, t: f64, given: &[f64], text: &str) -> Option<String> {
        self.blame_at(&self.given(t, given)?, text)
    }

    /// Inputs of the tape, from `x` of all connectors, one after the other.
    pub(super) fn given(&self, t: f64, given: &[f64]) -> Option<[f64; MOST_INPUTS]> {
        let mut x = [0.0; MOST_INPUTS];
        x[usize::from(TIME)] = t;
        let mut at = 0;
        for (kind, &first) in self.kinds.iter().zip(&self.first) {
            let own = given.get(at..at + kind.n_x())?;
            at += kind.n_x();
            let first = usize::from(first);
            x[first..first + own.len()].copy_from_slice(own);
            if *kind == ConnectorKind::Frame3 {
                for axis in 0..3 {
                    let r = [own[3 + axis], own[6 + axis], own[9 + axis]];
                    x[first + 3 + 3 * axis..first + 6 + 3 * axis].copy_from_slice(&r);
                }
            }
        }
        Some(x)
    }

    /// The same, from inputs of the tape.
    pub(super) fn blame_at(&self, x: &[f64], text: &str) -> Option<String> {
        let blame = self.tape.blame(&x[..self.tape.n_inputs()])?;
        let Culprit::Step { span, words } = blame.culprit else {
            return None;
        };
        // What stands in another text was put in the place of a quantity.
        Some(match span.source == self.source {
            true => format!("{words}, {}", placed(span, text)),
            false => format!("{words}, in a quantity that it uses"),
        })
    }

    /// All inputs of the tape.
    pub(super) fn gather(&self, t: f64, inputs: &[Input<'_>]) -> [f64; MOST_INPUTS] {
        let [mut x, mut x1, mut x2] = [[0.0; MOST_INPUTS]; 3];
        self.gather_into(t, inputs, [&mut x, &mut x1, &mut x2]);
        x
    }

    /// The same and how they move, as far as no acceleration is needed, into lists of zeros.
    fn gather_into(&self, t: f64, inputs: &[Input<'_>], [x, x1, x2]: [&mut [f64]; 3]) {
        (x[usize::from(TIME)], x1[usize::from(TIME)]) = (t, 1.0);
        for (input, &first) in inputs.iter().zip(&self.first) {
            let first = usize::from(first);
            if input.kind != ConnectorKind::Frame3 {
                let range = first..first + input.x.len();
                x[range.clone()].copy_from_slice(input.x);
                x1[range].copy_from_slice(input.x_dot);
                continue;
            }
            x[first..first + 3].copy_from_slice(&input.x[..3]);
            x1[first..first + 3].copy_from_slice(&input.x_dot[..3]);
            let omega: Vec3 = [input.x_dot[3], input.x_dot[4], input.x_dot[5]];
            for axis in 0..3 {
                let r = axis_of(input, axis);
                let rate = cross(omega, r);
                let second = cross(omega, rate);
                let range = first + 3 + 3 * axis..first + 6 + 3 * axis;
                x[range.clone()].copy_from_slice(&r);
                x1[range.clone()].copy_from_slice(&rate);
                x2[range].copy_from_slice(&second);
            }
        }
    }

    /// Evaluates; `entry(output, connector, column, derivative)` gets what is not zero by structure.
    pub(super) fn run(
        &self,
        t: f64,
        inputs: &[Input<'_>],
        mut entry: impl FnMut(usize, usize, usize, f64),
    ) -> Values {
        let is_short = self.tape.n_inputs() <= SHORT && self.tape.n_entries() <= SHORT;
        match is_short {
            true => {
                let [mut x, mut x1, mut x2, mut rows] = [[0.0; SHORT]; 4];
                self.run_in(
                    (t, inputs),
                    [&mut x, &mut x1, &mut x2],
                    &mut rows,
                    &mut entry,
                )
            }
            false => {
                let [mut x, mut x1, mut x2] = [[0.0; MOST_INPUTS]; 3];
                let mut rows = [0.0; MOST_ENTRIES];
                self.run_in(
                    (t, inputs),
                    [&mut x, &mut x1, &mut x2],
                    &mut rows,
                    &mut entry,
                )
            }
        }
    }

    /// The same with room for inputs, their rates and rows, all of it zero.
    fn run_in(
        &self,
        (t, inputs): (f64, &[Input<'_>]),
        [x, x1, x2]: [&mut [f64]; 3],
        rows: &mut [f64],
        entry: &mut dyn FnMut(usize, usize, usize, f64),
    ) -> Values {
        let n = self.tape.n_inputs();
        self.gather_into(t, inputs, [&mut *x, &mut *x1, &mut *x2]);
        let mut values = Values {
            y: [0.0; MOST_OUTPUTS],
            rate: [0.0; MOST_OUTPUTS],
            second: [0.0; MOST_OUTPUTS],
        };
        let n_out = self.tape.n_outputs();
        self.tape.jet(
            Motion {
                x: &x[..n],
                x1: &x1[..n],
                x2: &x2[..n],
            },
            JetMut {
                y: &mut values.y[..n_out],
                y1: &mut values.rate[..n_out],
                y2: &mut values.second[..n_out],
                rows: &mut rows[..self.tape.n_entries()],
            },
        );
        let mut at = 0;
        for output in 0..n_out {
            for &input in self.tape.pattern(output) {
                let slope = rows[at];
                at += 1;
                if input == TIME {
                    continue;
                }
                let (connector, number) = self.place[usize::from(input)];
                let (connector, number) = (usize::from(connector), usize::from(number));
                if self.kinds[connector] != ConnectorKind::Frame3 || number < 3 {
                    entry(output, connector, number, slope);
                    continue;
                }
                // r × ∂y/∂r of one number of an axis.
                let (axis, component) = ((number - 3) / 3, (number - 3) % 3);
                let mut gradient = [0.0; 3];
                gradient[component] = slope;
                let turn = cross(axis_of(&inputs[connector], axis), gradient);
                for (k, turn) in turn.into_iter().enumerate() {
                    entry(output, connector, 3 + k, turn);
                }
            }
        }
        values
    }
}

/// A column of a frame's rotation, which is row-major behind its origin.
fn axis_of(input: &Input<'_>, axis: usize) -> Vec3 {
    [input.x[3 + axis], input.x[6 + axis], input.x[9 + axis]]
}
