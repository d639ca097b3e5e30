//! Formulas of a scene: texts over the names of its bodies, connectors and numbers (`docs/formulas.md`).
//!
//! A text is compiled to a tape over the outputs of connectors and the time (`linkwork-formula`). What it becomes is a
//! law of the engine: a constraint ([`Relation`]), a block ([`Quantity`]) or a function of time ([`TimeFormula`]).

mod each;
mod fit;
mod force;
mod names;
mod path;
mod quantity;
mod relation;
mod second;
mod shape;
mod surface;
mod tape;
mod time;

use std::any::Any;
use std::sync::Arc;

use linkwork::connector::{Connector, ConnectorKind, Input};
use linkwork::constraint::MAX_ROWS;
use linkwork::prelude::*;
use linkwork::world::ConnectorValue;
use linkwork_formula::{
    At, Function, Graph, Item, Line, Op, Problem, Scope, Span, Squares, Tape, brief,
};

pub use fit::{Fit, FitErrors, FitText, RowError, fit_errors};
pub(crate) use fit::{MOST_PARTS, Sums, fit, with_inputs};
pub use force::FormulaForce;
pub use path::PathFormula;
pub use quantity::Quantity;
pub use relation::{Relation, Sense};
pub use shape::{Range, ShapeFormula};
pub use surface::SurfaceFormula;
pub use time::TimeFormula;

use crate::fault::Fault;
use crate::scene::Scene;
use names::Names;
use second::Second;
use tape::{MOST_INPUTS, OverConnectors};

/// What a text of a scene is, and the connectors that it reads, in the order of its inputs.
pub(crate) fn relation(scene: &Scene, text: &str) -> Result<(Relation, Vec<Connector>), Fault> {
    let mut names = Names::of(scene);
    let mut scope = Scope::new(&mut names);
    let item = one(scope.compile(text), text)?;
    let (values, sense) = match item {
        Item::Equation(value) => (vec![value], Sense::Zero),
        Item::AtMost(values) => (values, Sense::AtMost),
        Item::Objective(value, weight) => (vec![value], Sense::Least(weight)),
        Item::Minimize(_) => {
            drop(scope);
            let used = names.used.iter().filter_map(|own| own.0.block());
            return least(scene, inlinable(scene, used.collect()), text);
        }
        _ => {
            let hint = "write left == right, left <= right, left ~ right or minimize E";
            return Err(Fault::at("is", "says nothing that could hold").hint(hint));
        }
    };
    let parts: Vec<_> = values
        .iter()
        .flat_map(|value| value.parts().to_vec())
        .collect();
    let graph = scope.into_graph();
    let n_inputs = names.n_inputs();
    let mut curved = Vec::new();
    if !matches!(sense, Sense::Least(_)) {
        for (row, &part) in parts.iter().enumerate() {
            let second = Second::new(&graph, part, n_inputs)?;
            if second.is_curved() {
                curved.push((row, second));
            }
        }
    }
    let (law, connectors) = over_moving(&graph, &parts, names)?;
    Ok((Relation::new(text, law, sense).curved(curved), connectors))
}

/// Quantities and those that they are worked out of, by id: those whose formulas can stand in their place.
fn inlinable(scene: &Scene, mut used: Vec<BlockId>) -> Vec<BlockId> {
    let mut all = Vec::new();
    while let Some(id) = used.pop() {
        let Ok(record) = scene.world.block_record(id) else {
            continue;
        };
        let block: &dyn Any = record.block();
        let is_formula = block
            .downcast_ref::<Quantity>()
            .is_some_and(|own| own.kind() != ConnectorKind::Direction3);
        if is_formula && record.enabled() && !all.contains(&id) {
            all.push(id);
            used.extend(record.inputs().iter().filter_map(Connector::block));
        }
    }
    all.sort_unstable();
    all
}

/// An energy that is made small: its squares, and the rest. Quantities in it are taken apart: second derivatives go
/// through them.
fn least(
    scene: &Scene,
    inlined: Vec<BlockId>,
    text: &str,
) -> Result<(Relation, Vec<Connector>), Fault> {
    let mut names = Names::inlining(scene, inlined.clone());
    let mut scope = Scope::new(&mut names);
    for id in inlined {
        let record = scene.world.block_record(id)?;
        let block: &dyn Any = record.block();
        if let Some(own) = block.downcast_ref::<Quantity>() {
            let defined = scope.name(record.label(), own.text());
            defined.map_err(|problem| told(&[problem], own.text()))?;
        }
    }
    let Item::Minimize(energy) = one(scope.compile(text), text)? else {
        return Err(Fault::at("is", "has no objective"));
    };
    let mut graph = scope.into_graph();
    let Squares {
        squares,
        rest,
        constant,
    } = graph.squares(energy);
    let n_inputs = names.n_inputs();
    let rest = rest.map(|rest| Second::new(&graph, rest, n_inputs));
    let rest = rest.transpose()?;
    let weights = squares.iter().map(|own| own.0).collect();
    // The energy last: it is never a row, but it is what may be no number.
    let mut parts: Vec<At> = squares.iter().map(|own| own.1).collect();
    parts.push(energy);
    let (law, connectors) = over_moving(&graph, &parts, names)?;
    let relation = Relation::new(text, law, Sense::Minimize).least(weights, rest, constant);
    let n = relation.n_rows();
    if n == 0 {
        let hint = "an energy that is the same everywhere has no least place";
        return Err(Fault::at("is", "depends on nothing that moves").hint(hint));
    }
    if n > MAX_ROWS {
        let problem = format!("has {n} squares and numbers, more than the {MAX_ROWS} of one joint");
        return Err(Fault::at("is", problem).hint("make several joints of its terms"));
    }
    Ok((relation, connectors))
}

/// A tape over connectors of which some move.
fn over_moving(
    graph: &Graph,
    parts: &[At],
    names: Names<'_>,
) -> Result<(OverConnectors, Vec<Connector>), Fault> {
    let tape = Tape::new(graph, parts, names.n_inputs());
    let tape = tape.map_err(|problem| Fault::at("is", problem.to_string()))?;
    let (law, connectors) = OverConnectors::new(tape, names)?;
    if connectors.is_empty() {
        let hint = "name a connector, a body, or a number such as design.a";
        return Err(Fault::at("is", "depends on nothing that moves").hint(hint));
    }
    Ok((law, connectors))
}

/// The first mistake of a text of a scene.
pub(crate) fn first_problem(scene: &Scene, text: &str) -> Option<Problem> {
    let mut names = Names::of(scene);
    let problems = Scope::new(&mut names).compile(text).err()?;
    problems.into_iter().next()
}

/// The only statement of a text.
fn one(lines: Result<Vec<Line>, Vec<Problem>>, text: &str) -> Result<Item, Fault> {
    let lines = lines.map_err(|problems| told(&problems, text))?;
    let mut relations = lines.into_iter().map(|line| line.item).filter(|item| {
        // Definitions before it are short forms.
        !matches!(
            item,
            Item::Quantity(..) | Item::Function(_) | Item::Number(_)
        )
    });
    match (relations.next(), relations.next()) {
        (Some(item), None) => Ok(item),
        (None, _) => Err(Fault::at("is", "is empty").hint("write left == right")),
        (Some(_), Some(_)) => {
            Err(Fault::at("is", "says more than one thing").hint("make a joint of each"))
        }
    }
}

/// The quantity that a text of a scene is, and the connectors that it reads. A vector in space is a point, or a
/// direction if that is what it shall be: then it is brought to the length one.
pub(crate) fn quantity(
    scene: &Scene,
    text: &str,
    is_direction: bool,
) -> Result<(Quantity, Vec<Connector>), Fault> {
    let mut names = Names::of(scene);
    let mut scope = Scope::new(&mut names);
    let value = scope
        .expression(text)
        .map_err(|problem| told(&[problem], text))?;
    let mut graph = scope.into_graph();
    let mut parts = value.parts().to_vec();
    let kind = match (parts.len(), is_direction) {
        (1, false) => ConnectorKind::Scalar,
        (2, false) => ConnectorKind::Point2,
        (_, false) => ConnectorKind::Point3,
        (3, true) => ConnectorKind::Direction3,
        (n, true) => {
            let problem = format!("has {n} numbers, but a direction has three");
            return Err(Fault::at("is", problem).hint("write a vector in space: [x, y, z]"));
        }
    };
    if let (true, &[x, y, z]) = (is_direction, &parts[..]) {
        let length = graph.norm([x, y, z]);
        for part in &mut parts {
            *part = graph.binary(Op::Divide, *part, length);
        }
    }
    let tape = Tape::new(&graph, &parts, names.n_inputs());
    let tape = tape.map_err(|problem| Fault::at("is", problem.to_string()))?;
    let (law, connectors) = OverConnectors::new(tape, names)?;
    Ok((Quantity::new(text, law, kind), connectors))
}

/// What a text of a scene comes to at this moment: a number.
pub(crate) fn number(scene: &Scene, text: &str) -> Result<f64, Fault> {
    let (law, x) = at_this_moment(scene, text)?;
    let mut y = [0.0];
    law.tape().value(&x[..law.n_inputs()], &mut y);
    Ok(y[0])
}

/// Why a text of a scene comes to no number at this moment: the operation, and its place.
pub(crate) fn trouble(scene: &Scene, text: &str) -> Option<String> {
    let (law, x) = at_this_moment(scene, text).ok()?;
    law.blame_at(&x, text)
}

/// The tape of a text that is a number, and what its inputs are at this moment.
fn at_this_moment(
    scene: &Scene,
    text: &str,
) -> Result<(OverConnectors, [f64; MOST_INPUTS]), Fault> {
    let mut names = Names::of(scene);
    let mut scope = Scope::new(&mut names);
    let value = scope
        .expression(text)
        .map_err(|problem| told(&[problem], text))?;
    let &[part] = value.parts() else {
        let fault = Fault::at("is", "is a vector, but a column is a number");
        return Err(fault.hint("ask for a component: (a - b).x"));
    };
    let graph = scope.into_graph();
    let tape = Tape::new(&graph, &[part], names.n_inputs());
    let tape = tape.map_err(|problem| Fault::at("is", problem.to_string()))?;
    let (law, connectors) = OverConnectors::new(tape, names)?;
    let values = connectors
        .iter()
        .map(|own| scene.world.connector_value(own));
    let values: Vec<ConnectorValue> = values.collect::<Result<_, _>>()?;
    let inputs = values.iter().map(|own| Input {
        kind: own.kind,
        x: &own.x,
        x_dot: &own.x_dot,
    });
    let inputs: Vec<Input<'_>> = inputs.collect();
    let x = law.gather(scene.world.state().t, &inputs);
    Ok((law, x))
}

/// The force on a connector that a text of a scene is; without a connector the energy.
pub(crate) fn force(
    scene: &Scene,
    on: Option<Connector>,
    text: &str,
) -> Result<(FormulaForce, Vec<Connector>), Fault> {
    let mut names = on.map_or_else(|| Names::of(scene), |on| Names::on(scene, on));
    let mut scope = Scope::new(&mut names);
    let value = scope
        .expression(text)
        .map_err(|problem| told(&[problem], text))?;
    let n = value.parts().len();
    if let Some(on) = on {
        let kind = scene.world.connector_value(&on)?.kind;
        let wanted = kind.n_position().max(1);
        if n != wanted {
            let problem = format!("has {n} numbers, but acts on a {kind}");
            return Err(Fault::at("is", problem).hint(format!("give {wanted}")));
        }
    } else if n != 1 {
        return Err(Fault::at("is", "is a vector, but an energy is a number"));
    }
    let graph = scope.into_graph();
    let (law, connectors) = over_moving(&graph, value.parts(), names)?;
    Ok((FormulaForce::new(text, law, on.is_none()), connectors))
}

/// A function that all formulas of a scene share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// What was typed.
    pub text: String,
    function: Arc<Function>,
}

impl Shared {
    /// Reads one.
    pub(crate) fn read(text: &str) -> Result<Self, Fault> {
        let function = Function::shared(text)
            .map_err(|problems| Fault::at("", told(&problems, text).problem))?;
        let hint = "write it as r(w) = 1 + w^2";
        let function = function.ok_or_else(|| Fault::at("", "is no function").hint(hint))?;
        Ok(Self {
            text: text.to_owned(),
            function: Arc::new(function),
        })
    }
}

/// Refuses functions that use themselves, take each other's names or those of the language, or know no name that they
/// use.
pub(crate) fn check_functions(scene: &Scene) -> Result<(), Fault> {
    let all: Vec<&str> = scene
        .functions
        .iter()
        .map(|own| own.text.as_str())
        .collect();
    let mut names = Names::without_functions(scene);
    let problems = match Scope::new(&mut names).compile(&all.join("\n")) {
        Ok(_) => return Ok(()),
        Err(problems) => problems,
    };
    // Each may have several lines of its own.
    let first = problems.first();
    let start = first.map_or(0, |own| usize::from(own.span.start));
    let mut before = 0;
    let mut at = 0;
    for (k, text) in all.iter().enumerate() {
        if before <= start {
            at = k;
        }
        before += text.len() + 1;
    }
    let fault = match first {
        Some(own) => match &own.hint {
            Some(hint) => Fault::at("", own.message.clone()).hint(hint.clone()),
            None => Fault::at("", own.message.clone()),
        },
        None => Fault::at("", "cannot be read"),
    };
    Err(fault.under(&format!("[{at}]")))
}

/// Where a part of a text stands, and what it is.
pub(crate) fn placed(span: Span, text: &str) -> String {
    let place = match span.place(text) {
        (1, column) => format!("column {column}"),
        (line, column) => format!("line {line}, column {column}"),
    };
    match span.of(text) {
        "" => format!("at {place}"),
        own => format!("at {place} (\"{}\")", brief(own)),
    }
}

/// The first mistake of a text, with its place in it.
pub(crate) fn told(problems: &[Problem], text: &str) -> Fault {
    let Some(problem) = problems.first() else {
        return Fault::at("is", "cannot be read");
    };
    let place = placed(problem.span, text);
    let fault = Fault::at("is", format!("{}, {place}", problem.message));
    advised(fault, problem)
}

/// A fault with the hint of a mistake. In a scene what could become a number becomes a parameter.
pub(crate) fn advised(fault: Fault, problem: &Problem) -> Fault {
    let Some(hint) = &problem.hint else {
        return fault;
    };
    let name = problem.unknown.as_deref().unwrap_or_default();
    let slider = format!("write {name} = 1: a slider");
    let parameter = format!("make it a parameter: \"parameters\": {{ \"{name}\": 1 }}");
    fault.hint(hint.replace(&slider, &parameter))
}
