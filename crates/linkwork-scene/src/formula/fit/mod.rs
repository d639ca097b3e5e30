//! A wish for each row of a table: `left ~ right` in all of them, in least squares.
//!
//! ```text
//!     E(q) = w·Σₖ ρ(|rₖ|)      rₖ = left − right in row k      ρ(r) = ½·r², or Huber's
//! ```
//!
//! Thousands of rows leave as many rows of the engine as numbers are sought: H = Σ JᵀJ and g = Σ Jᵀr are summed up, and
//! `Jᵀ·J = H`, `Jᵀ·c = g` is what the constraint writes (`sums.rs`). It is what absorbing each row would come to,
//! without any of them. Where differences are affine in the numbers, rows are summed up once (`linear.rs`).
//!
//! A number that each row has of its own is where that row is least, found anew wherever the others are (`foot.rs`; two
//! of them in `foot2.rs`), and taken out of the rows: what it can do for a row no other number has to do.
//!
//! ```text
//!     u(q) = argmin |r(q, u)|      r_u·r = 0      J = (1 − r_u·r_u⁺)·r_q
//! ```

mod errors;
mod foot;
mod foot2;
mod linear;
mod row;
mod shared;
mod sums;

use std::sync::Arc;

use linkwork::connector::{Connector, ConnectorKind, Input};
use linkwork::constraint::{Constraint, MAX_ROWS, RowUnit, Rows};
use linkwork::prelude::*;
use linkwork::shape::ShapeMap;
use linkwork_formula::{Item, Scope, Tape};

pub(crate) use errors::with_inputs;
pub use errors::{FitErrors, RowError, fit_errors};

use super::each::{Along, Each};
use super::names::{Names, TIME};
use super::tape::{MOST_ENTRIES, MOST_INPUTS, OverConnectors};
use super::{one, told};
use crate::fault::{Fault, Under};
use crate::format::TableEntry;
use crate::scene::Scene;
use crate::table;
use foot::{Free, MOST_PLACES};
use linear::Linear;
use row::{Row, dot};
use shared::Shared;
pub(crate) use sums::Sums;

/// Components of a difference.
pub(crate) const MOST_PARTS: usize = 3;
/// Numbers that a row has of its own: one on a curve, two on a surface.
pub(super) const MOST_FREE: usize = 2;

/// What a fit says in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitText {
    /// `left ~ right weight w`, over names of the scene and of columns.
    pub text: String,
    /// The table.
    pub table: String,
    /// Numbers that each row has of its own: `u`, or `u in 0..tau`.
    pub free: Vec<String>,
    /// Beyond this errors count straight, not squared.
    pub huber: Option<f64>,
}

/// A wish for each row of a table, as it was typed.
#[derive(Clone, Debug)]
pub struct Fit {
    said: FitText,
    weight: f64,
    law: OverConnectors,
    /// What each input of the tape is.
    inputs: Vec<Is>,
    /// The inputs of columns, and their numbers, row after row.
    columns: Vec<u16>,
    data: Arc<[f64]>,
    table: Arc<TableEntry>,
    /// Where the rows are in the table: those with gaps are passed over.
    rows: Vec<u32>,
    n_skipped: usize,
    free: Vec<Free>,
    along: Vec<Along>,
    /// Connector and column of each number that is sought, and its place among all rates.
    places: Vec<(usize, usize)>,
    row_of: Vec<Option<usize>>,
    /// All rows at once, where differences are affine in what is sought.
    linear: Option<Linear>,
    /// Differences are affine in columns, free numbers and points together: what places change is the same in all rows.
    is_shared: bool,
    /// And they depend on nothing else: one set of slopes serves all rows of an evaluation.
    is_plain: bool,
    units: [RowUnit; MAX_ROWS],
}

/// What an input of the tape is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    /// The time, a column, or what is not read.
    Given,
    /// A number of a connector.
    Connector,
    /// A number that each row has of its own.
    Free(usize),
    /// A coordinate of a point of a curve or surface.
    Along(usize, usize),
}

/// Inputs of the tape in one row, and how they move with free numbers.
struct At {
    x: [f64; MOST_INPUTS],
    /// While free numbers go somewhere.
    x1: [f64; MOST_INPUTS],
    x2: [f64; MOST_INPUTS],
    /// Room for the rows of the tape, and for the slopes of points by the numbers of their curves.
    entries: [f64; MOST_ENTRIES],
    by_number: [[[f64; MAX_ROWS]; 3]; MOST_ALONG],
    /// What plain differences are where all they depend on is zero.
    rest: [f64; MOST_PARTS],
    /// Points of curves and surfaces at the places that are tried for free numbers: they are the same in all rows.
    tried: [[[f64; 3]; MOST_PLACES]; MOST_ALONG],
    /// Differences there, where columns are zero, if what they change is the same in all rows.
    shared: [Shared; MOST_PLACES],
}

/// Where the free numbers of a row are, and whether they could go further in both directions.
#[derive(Clone, Copy, Default)]
struct Foot {
    u: [f64; MOST_FREE],
    can_move: [bool; MOST_FREE],
}

impl Foot {
    /// Of the only free number.
    fn alone(u: f64, can_move: bool) -> Self {
        Self {
            u: [u, 0.0],
            can_move: [can_move, false],
        }
    }
}

impl At {
    fn of(x: [f64; MOST_INPUTS]) -> Self {
        Self {
            x,
            x1: [0.0; MOST_INPUTS],
            x2: [0.0; MOST_INPUTS],
            entries: [0.0; MOST_ENTRIES],
            by_number: [[[0.0; MAX_ROWS]; 3]; MOST_ALONG],
            rest: [0.0; MOST_PARTS],
            tried: [[[0.0; 3]; MOST_PLACES]; MOST_ALONG],
            shared: [Shared::default(); MOST_PLACES],
        }
    }
}

/// The fit that a file says, and the connectors that it reads.
pub(crate) fn fit(scene: &Scene, said: FitText) -> Result<(Fit, Vec<Connector>), Fault> {
    let table = table::named(scene, &said.table).under("for")?.clone();
    if said.free.len() > MOST_FREE {
        let fault = Fault::at("free", format!("has {} names", said.free.len()));
        return Err(fault.hint("a row has at most two numbers of its own"));
    }
    let mut declared = Vec::new();
    for (at, text) in said.free.iter().enumerate() {
        declared.push(foot::declared(scene, text).under(&format!("free[{at}]"))?);
    }
    let free: Vec<String> = declared.iter().map(|own| own.0.clone()).collect();
    let mut names = Names::each(scene, Each::of(table.clone(), &free));
    let mut scope = Scope::new(&mut names);
    let Item::Objective(value, weight) = one(scope.compile(&said.text), &said.text)? else {
        let fault = Fault::at("is", "is not a wish; only a wish can apply to each row");
        return Err(fault.hint("write left ~ right; \"huber\" limits the weight of outliers"));
    };
    let parts = value.parts().to_vec();
    let graph = scope.into_graph();
    let is_affine = graph.is_affine(&parts, &names.moving());
    let is_shared = graph.is_affine(&parts, &names.own_of_rows());
    let tape = Tape::new(&graph, &parts, names.n_inputs());
    let tape = tape.map_err(|problem| Fault::at("is", problem.to_string()))?;
    let Some(each) = names.each.take() else {
        return Err(Fault::at("is", "goes through no table"));
    };
    let mut free = Vec::new();
    for (at, ((name, input), (_, range))) in each.free.iter().zip(&declared).enumerate() {
        let place = format!("free[{at}]");
        let Some(input) = *input else {
            let fault = Fault::at(place, format!("\"{name}\" is not in the formula"));
            return Err(fault.hint("leave it out, or use it"));
        };
        let of_shape = each.domain(input);
        let domain = range.or(of_shape.map(|own| own.0)).ok_or_else(|| {
            let fault = Fault::at(place, format!("\"{name}\" has no range"));
            fault.hint(format!("write \"{name} in 0..1\", or call a curve at it"))
        })?;
        let n_parts = of_shape.map_or(0, |own| own.1);
        let n_places = match declared.len() {
            1 => Free::along(n_parts),
            _ => Free::OVER,
        };
        free.push(Free::new(input, domain, range.is_some(), n_places));
    }
    let (law, connectors) = OverConnectors::new(tape, names)?;
    let mut fit = Fit::new(said, weight, law, each, free)?;
    fit.is_shared = is_shared;
    fit.is_plain = is_shared && !fit.reads_connectors();
    if is_affine {
        fit.reduce();
    }
    Ok((fit, connectors))
}

impl Fit {
    fn new(
        said: FitText,
        weight: f64,
        law: OverConnectors,
        each: Each,
        free: Vec<Free>,
    ) -> Result<Self, Fault> {
        let mut inputs = vec![Is::Given; law.n_inputs()];
        for (input, is) in inputs.iter_mut().enumerate() {
            if law.is_connector(input) {
                *is = Is::Connector;
            }
        }
        for (k, free) in free.iter().enumerate() {
            inputs[usize::from(free.input)] = Is::Free(k);
        }
        for (k, own) in each.along.iter().enumerate() {
            for d in 0..own.map.dimension() {
                inputs[usize::from(own.point) + d] = Is::Along(k, d);
            }
        }
        // Rows in which nothing that is read is a gap.
        let (mut data, mut rows) = (Vec::new(), Vec::new());
        for (at, row) in each.table.rows.iter().enumerate() {
            let numbers = each.columns.iter().map(|own| row[own.0].0);
            if let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() {
                data.extend(numbers);
                rows.push(at as u32);
            }
        }
        if rows.is_empty() {
            let problem = format!("\"{}\" has a gap in every row that is read", said.table);
            return Err(Fault::at("for", problem));
        }
        let n_skipped = each.table.rows.len() - rows.len();
        let mut fit = Self {
            said,
            weight,
            inputs,
            columns: each.columns.iter().map(|own| own.1).collect(),
            data: data.into(),
            table: each.table,
            rows,
            n_skipped,
            free,
            along: each.along,
            places: Vec::new(),
            row_of: vec![None; law.n_rates()],
            law,
            linear: None,
            is_shared: false,
            is_plain: false,
            units: [RowUnit::Number; MAX_ROWS],
        };
        fit.seek()?;
        Ok(fit)
    }

    /// Finds what is sought: the rates that differences depend on.
    fn seek(&mut self) -> Result<(), Fault> {
        let ones = [1.0; MOST_INPUTS];
        let before = self.law.columns_before();
        let mut is_sought = vec![false; self.row_of.len()];
        let tape = self.law.tape();
        for output in 0..tape.n_outputs() {
            for &input in tape.pattern(output) {
                match self.inputs[usize::from(input)] {
                    Is::Connector => {
                        for (rate, part) in self.law.rates_of(input, &ones) {
                            is_sought[rate] |= part != 0.0;
                        }
                    }
                    Is::Along(k, _) => {
                        let own = &self.along[k];
                        let first = before[own.connector];
                        is_sought[first..first + own.map.n_numbers()].fill(true);
                    }
                    Is::Given | Is::Free(_) => {}
                }
            }
        }
        let n = is_sought.iter().filter(|own| **own).count();
        if n == 0 {
            let hint = "name a connector, a body, a number such as design.a, or a curve at u";
            return Err(Fault::at("is", "depends on nothing that moves").hint(hint));
        }
        if n > MAX_ROWS {
            let problem = format!("depends on {n} numbers, more than the {MAX_ROWS} of one fit");
            return Err(Fault::at("is", problem).hint("use a curve with fewer points"));
        }
        for (rate, _) in is_sought.iter().enumerate().filter(|own| *own.1) {
            self.row_of[rate] = Some(self.places.len());
            let connector = before.partition_point(|start| *start <= rate) - 1;
            self.places.push((connector, rate - before[connector]));
        }
        Ok(())
    }

    /// Whether differences depend on numbers of connectors directly, not only through curves.
    fn reads_connectors(&self) -> bool {
        let tape = self.law.tape();
        let mut inputs = (0..tape.n_outputs()).flat_map(|own| tape.pattern(own));
        inputs.any(|input| self.inputs[usize::from(*input)] == Is::Connector)
    }

    /// Reduces all rows at once, if they are the same wherever and whenever they are asked: slopes do not change, and
    /// neither time, turns in space, places of their own nor a loss make them.
    fn reduce(&mut self) {
        let tape = self.law.tape();
        let reads_time = (0..tape.n_outputs()).any(|own| tape.pattern(own).contains(&TIME));
        let turns = self.law.kinds().contains(&ConnectorKind::Frame3);
        let is_bent = self.along.iter().any(|own| !own.map.is_linear());
        if reads_time || turns || is_bent || !self.free.is_empty() || self.said.huber.is_some() {
            return;
        }
        let linear = Linear::of(self.places.len(), self.weight, &|each| {
            let (mut at, mut row) = (At::of([0.0; MOST_INPUTS]), Row::default());
            for k in 0..self.rows.len() {
                self.enter(k, &mut at, &mut row);
                for (slopes, r) in row.slopes.iter().zip(row.r).take(tape.n_outputs()) {
                    each(slopes, r);
                }
            }
        });
        self.linear = linear;
    }

    /// What a file says of it.
    pub fn said(&self) -> &FitText {
        &self.said
    }

    /// Its table.
    pub fn table(&self) -> &Arc<TableEntry> {
        &self.table
    }

    /// Whether a name is that of a column, or of a number that each row has of its own.
    pub(crate) fn is_of_row(&self, name: &str) -> bool {
        let free = |own: &String| own.split_whitespace().next() == Some(name);
        self.table.columns.iter().any(|own| own == name) || self.said.free.iter().any(free)
    }

    /// How many rows of its table have gaps in what is read.
    pub fn n_skipped(&self) -> usize {
        self.n_skipped
    }

    /// How compliant each row of the engine is.
    pub fn compliance(&self) -> Vec<f64> {
        vec![1.0; self.places.len()]
    }

    /// Inputs with connectors as they are, and no row yet.
    fn begin(&self, t: f64, inputs: &[Input<'_>]) -> At {
        let mut at = At::of(self.law.gather(t, inputs));
        self.try_places(&mut at);
        at
    }

    /// Goes to a row of the table, and to the best place of its free numbers: its differences and slopes there.
    fn enter(&self, k: usize, at: &mut At, row: &mut Row) -> Foot {
        let n = self.columns.len();
        for (input, number) in self.columns.iter().zip(&self.data[k * n..]) {
            at.x[usize::from(*input)] = *number;
        }
        for (k, own) in self.along.iter().enumerate() {
            if !self.is_free(own) {
                self.place(k, at, [0.0; MOST_FREE]);
            }
        }
        let foot = match &self.free[..] {
            [] => Foot::default(),
            [free] => return self.foot(free, at, row),
            [first, second, ..] => self.foot_over([first, second], at),
        };
        self.differences(at, [0.0; MOST_FREE], row);
        foot
    }

    /// What the differences of a row count: ρ, and what is left of a square's slope.
    fn loss(&self, r: &[f64]) -> (f64, f64) {
        let square: f64 = r.iter().map(|own| own * own).sum();
        match self.said.huber {
            Some(k) if square > k * k => {
                let r = square.sqrt();
                (k * (r - 0.5 * k), k / r)
            }
            _ => (0.5 * square, 1.0),
        }
    }

    /// Writes slopes and rates of the rows of the engine.
    fn write(&self, inputs: &[Input<'_>], out: &mut Rows<'_>, entry: impl Fn(usize, usize) -> f64) {
        let n = self.places.len();
        for (k, &(input, column)) in self.places.iter().enumerate() {
            let rate = inputs[input].x_dot[column];
            let mut columns = out.dc_dx(input);
            for row in 0..n {
                columns.add(row, column, entry(row, k));
            }
            for row in 0..n {
                out.c_dot[row] += entry(row, k) * rate;
            }
        }
    }

    fn is_planar(&self) -> bool {
        let flat =
            |kind: &ConnectorKind| matches!(kind, ConnectorKind::Point2 | ConnectorKind::Frame2);
        self.law.kinds().iter().any(flat)
    }
}

/// A formula has at most so many points of curves whose place differs from row to row.
pub(super) const MOST_ALONG: usize = 4;

impl Constraint for Fit {
    fn inputs(&self) -> &[ConnectorKind] {
        self.law.kinds()
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        match self.is_planar() {
            true => self.law.kinds(),
            false => &[],
        }
    }

    fn rows(&self) -> &[RowUnit] {
        &self.units[..self.places.len()]
    }

    fn validate(&self) -> Result<(), Error> {
        if let Some(huber) = self.said.huber {
            Error::require_positive("huber", &huber)?;
        }
        Error::require_positive("weight", &self.weight)
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        if let Some(linear) = &self.linear {
            let mut x = [0.0; MAX_ROWS];
            for (x, &(input, column)) in x.iter_mut().zip(&self.places) {
                *x = inputs[input].x[column];
            }
            out.energy = Some(linear.eval(&x, out.c));
            return self.write(inputs, out, |row, column| linear.entry(row, column));
        }
        let mut sums = Sums::of(self.places.len());
        let (mut at, mut row) = (self.begin(t, inputs), Row::default());
        for k in 0..self.rows.len() {
            let foot = self.enter(k, &mut at, &mut row);
            let (energy, scale) = self.loss(&row.r);
            self.without_free(&foot, &mut row);
            sums.add(&row.r, &row.slopes, &row.slopes, self.weight * scale);
            sums.energy += self.weight * energy;
        }
        out.energy = Some(sums.energy);
        sums.root(out.c);
        self.write(inputs, out, |row, column| sums.entry(row, column));
    }

    fn allows_same_body(&self) -> bool {
        true
    }

    fn is_objective(&self) -> bool {
        true
    }

    fn tells_energy(&self) -> bool {
        true
    }

    fn for_map(&self, input: usize, map: &Arc<dyn ShapeMap>) -> Option<Arc<dyn Constraint>> {
        let mut fit = self.clone();
        let was_linear = fit.linear.take().is_some();
        let along = fit.along.iter_mut().filter(|own| own.connector == input);
        let mut n = 0;
        for own in along {
            own.map = map.clone();
            for free in &mut fit.free {
                let at = own.at.iter().position(|at| *at == free.input);
                if let Some(domain) = at.and_then(|at| map.domains().get(at)) {
                    free.follow(*domain);
                }
            }
            n += 1;
        }
        if was_linear {
            fit.reduce();
        }
        (n > 0).then(|| Arc::new(fit) as Arc<dyn Constraint>)
    }

    fn blame(&self, t: f64, given: &[f64]) -> Option<String> {
        let (mut at, mut row) = (At::of(self.law.given(t, given)?), Row::default());
        self.try_places(&mut at);
        for k in 0..self.rows.len() {
            self.enter(k, &mut at, &mut row);
            if let Some(words) = self.law.blame_at(&at.x, &self.said.text) {
                let (row, table) = (self.rows[k] + 1, &self.said.table);
                return Some(format!("{words}, in row {row} of \"{table}\""));
            }
        }
        None
    }
}

/// The mistake of a text that stands somewhere else than in "is".
fn told_in(problem: linkwork_formula::Problem, text: &str) -> Fault {
    let mut fault = told(&[problem], text);
    fault.path.clear();
    fault
}
