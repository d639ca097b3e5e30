//! Formulas of a scene: texts over the names of its bodies, connectors and numbers (`docs/formulas.md`).
//!
//! A text is compiled to a tape over the outputs of connectors and the time (`linkwork-formula`). What it becomes is a law
//! of the engine: a constraint ([`Relation`]) or a function of time ([`TimeFormula`]).

mod names;
mod relation;
mod tape;
mod time;

use linkwork::connector::Connector;
use linkwork_formula::{Item, Line, Problem, Scope, Tape};

pub use relation::{Relation, Sense};
pub use time::TimeFormula;

use crate::fault::Fault;
use crate::scene::Scene;
use names::Names;
use tape::OverConnectors;

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
            let hint = "write it as squares: a ~ b makes (a − b)² small";
            return Err(
                Fault::at("is", "asks for a minimum, which a joint cannot find").hint(hint),
            );
        }
        _ => {
            let hint = "write left == right, left <= right or left ~ right";
            return Err(Fault::at("is", "says nothing that could hold").hint(hint));
        }
    };
    let parts: Vec<_> = values
        .iter()
        .flat_map(|value| value.parts().to_vec())
        .collect();
    let graph = scope.into_graph();
    let tape = Tape::new(&graph, &parts, names.n_inputs())
        .map_err(|problem| Fault::at("is", problem.to_string()))?;
    let (law, connectors) = OverConnectors::new(tape, names)?;
    if connectors.is_empty() {
        let hint = "name a connector, a body, or a number such as design.a";
        return Err(Fault::at("is", "depends on nothing that moves").hint(hint));
    }
    Ok((Relation::new(text, law, sense), connectors))
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

/// The first mistake of a text, with its place in it.
pub(crate) fn told(problems: &[Problem], text: &str) -> Fault {
    let Some(problem) = problems.first() else {
        return Fault::at("is", "cannot be read");
    };
    let place = match problem.span.place(text) {
        (1, column) => format!("column {column}"),
        (line, column) => format!("line {line}, column {column}"),
    };
    let own = match problem.span.of(text) {
        "" => String::new(),
        own => format!(" (\"{own}\")"),
    };
    let fault = Fault::at("is", format!("{}, at {place}{own}", problem.message));
    match &problem.hint {
        Some(hint) => fault.hint(hint.clone()),
        None => fault,
    }
}
