//! What a page shows of formulas: parameters, texts, relations, numbers; and what is wrong with a text that is typed.

use std::any::Any;

use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::output::{AtBound, Objective};
use linkwork::prelude::*;
use linkwork::step::{Found, MinimizeReport};
use linkwork::world::ConstraintRecord;
use linkwork_formula::{Edit, Expression, Problem};
use serde::Serialize;

use super::graph::{GraphNode, graph};
use crate::catalogue::body::{is_magnitude, numbers_of};
use crate::fault::Fault;
use crate::formula::{self, Fit, Quantity, Relation, Sense};
use crate::parameter::{self, Parameter};
use crate::scene::Scene;

/// All that is a formula of a scene, or a number that formulas read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Formulas {
    /// Named numbers, in the order of the file.
    pub parameters: Vec<ParameterLook>,
    /// Numbers of entries that are texts.
    pub texts: Vec<TextLook>,
    /// Joints that are formulas.
    pub relations: Vec<RelationLook>,
    /// Limits and inequalities that push.
    pub at_bounds: Vec<BoundLook>,
    /// Numbers that joints and hands move.
    pub numbers: Vec<NumberLook>,
    /// What is worked out of others.
    pub quantities: Vec<QuantityLook>,
    /// Who feeds whom.
    pub graph: Vec<GraphNode>,
}

/// A number, a point or a direction that is worked out of others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantityLook {
    /// Its name.
    pub name: String,
    /// What was typed.
    pub text: String,
    /// What it is at this moment: one number, or the coordinates of a point or direction.
    pub value: Vec<f64>,
    /// Whether it is a direction.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub direction: bool,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterLook {
    /// Its name.
    pub name: String,
    /// The expression that it is, from its `=` on; none if it is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What it comes to.
    pub value: f64,
    /// From where to where its slider goes; guessed where the file does not say.
    pub range: [f64; 2],
    /// One line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What depends on it, by field.
    pub used_by: Vec<String>,
}

/// A number that is a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextLook {
    /// Where it stands: `bodies.crank.length`.
    pub field: String,
    /// The text, from its `=` on.
    pub text: String,
    /// What it comes to.
    pub value: f64,
}

/// A joint that is a formula.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RelationLook {
    /// The joint.
    pub joint: String,
    /// What was typed.
    pub text: String,
    /// What it asks for.
    pub sense: SenseWord,
    /// By how much it is not so at this moment; the value of an objective.
    pub error: f64,
    /// Of a wish or an objective that acts: how steeply it goes down, if nothing held it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slope: Option<f64>,
    /// Whether it takes part.
    pub enabled: bool,
    /// Of a fit: the table whose rows it goes through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// A limit or an inequality that pushes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundLook {
    /// The joint.
    pub joint: String,
    /// What it pushes with: what would be gained for each unit by which it gave way.
    pub force: f64,
}

/// How a search for a minimum ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Minimum {
    /// How.
    pub outcome: FoundWord,
    /// Steps that were tried.
    pub steps: usize,
    /// How steeply everything still goes down, joints and bounds being held.
    pub slope: f64,
    /// Largest gap of the exact joints, meters.
    pub open_m: f64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FoundWord {
    /// At a minimum.
    Minimum,
    /// Steps no longer help, and there is a slope left.
    Stalled,
    /// The steps were spent.
    Spent,
    /// Joints or inequalities contradict each other.
    Open,
}

/// What a relation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SenseWord {
    /// `==`
    Equation,
    /// `<=`
    Limit,
    /// `~`
    Wish,
    /// `minimize`, `maximize`
    Objective,
}

/// A number of a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberLook {
    /// The body.
    pub body: String,
    /// The number.
    pub name: String,
    /// What it is at this moment.
    pub value: f64,
    /// From where to where a slider of it goes.
    pub range: [f64; 2],
}

/// What a text that is typed comes to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    /// Of an expression that is whole: its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Of a relation that is whole: what it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sense: Option<SenseWord>,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Mistake>,
}

/// A mistake in a text, with its place in units of UTF-16.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mistake {
    /// What is wrong.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Ways to mend it: the whole text, mended.
    pub mended: Vec<String>,
    /// A name that is not known, and could become a parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// All formulas of a scene.
pub fn formulas(scene: &Scene) -> Formulas {
    let list = scene.parameters.list().iter();
    let texts = parameter::field_texts(scene).into_iter();
    Formulas {
        parameters: list.map(|own| parameter_look(scene, own)).collect(),
        texts: texts
            .filter_map(|own| {
                Some(TextLook {
                    value: own.value?,
                    field: own.field,
                    text: own.text,
                })
            })
            .collect(),
        relations: relations(&scene.world),
        at_bounds: at_bounds(&scene.world),
        numbers: numbers(&scene.world),
        quantities: quantities(&scene.world),
        graph: graph(&scene.world),
    }
}

fn parameter_look(scene: &Scene, own: &Parameter) -> ParameterLook {
    ParameterLook {
        name: own.name.clone(),
        text: own.given.text().map(str::to_owned),
        value: own.value,
        range: own.range.unwrap_or_else(|| guessed(own.value)),
        help: own.help.clone(),
        used_by: parameter::uses(&scene.parameters, &own.name),
    }
}

/// From a tenth of a number to twice as much; of zero from −1 to 1.
fn guessed(value: f64) -> [f64; 2] {
    match value {
        0.0 => [-1.0, 1.0],
        _ if value > 0.0 => [0.1 * value, 2.0 * value],
        _ => [2.0 * value, 0.1 * value],
    }
}

fn relations(world: &World) -> Vec<RelationLook> {
    let errors = world.constraint_errors().unwrap_or_default();
    let objectives = world.objectives().unwrap_or_default();
    let mut all = Vec::new();
    for record in world.constraints() {
        let law: &dyn Any = record.constraint();
        if let Some(fit) = law.downcast_ref::<Fit>() {
            all.push(fit_look(world, record, fit, &objectives));
        }
        let Some(own) = law.downcast_ref::<Relation>() else {
            continue;
        };
        let error = errors.iter().find(|own| own.id == record.id());
        let value = objectives.iter().find(|own| own.constraint == record.id());
        let is_objective = own.sense() == Sense::Minimize;
        all.push(RelationLook {
            joint: record.label().to_owned(),
            text: own.text().to_owned(),
            sense: sense_word(own.sense()),
            error: match is_objective {
                true => value.map_or(0.0, |own| own.value),
                false => error.map_or(0.0, |own| own.size().max(own.other)),
            },
            slope: value.map(|own| own.slope),
            enabled: record.enabled(),
            table: None,
        });
    }
    all
}

/// A wish that is had in each row of a table: it is off by what is left in the mean.
fn fit_look(
    world: &World,
    record: &ConstraintRecord,
    fit: &Fit,
    objectives: &[Objective],
) -> RelationLook {
    let value = objectives.iter().find(|own| own.constraint == record.id());
    RelationLook {
        joint: record.label().to_owned(),
        text: fit.said().text.clone(),
        sense: SenseWord::Wish,
        error: formula::fit_errors(world, record).map_or(0.0, |own| own.rms()),
        slope: value.map(|own| own.slope),
        enabled: record.enabled(),
        table: Some(fit.table().name.clone()),
    }
}

fn at_bounds(world: &World) -> Vec<BoundLook> {
    let bounds = world.at_bounds().into_iter();
    let look = |own: AtBound| {
        let record = world.constraint_record(own.constraint).ok()?;
        Some(BoundLook {
            joint: record.label().to_owned(),
            force: own.force,
        })
    };
    bounds.filter_map(look).collect()
}

/// How a search for a minimum ended.
pub fn minimum(report: &MinimizeReport) -> Minimum {
    Minimum {
        outcome: match report.found {
            Found::Minimum => FoundWord::Minimum,
            Found::Stalled => FoundWord::Stalled,
            Found::Spent => FoundWord::Spent,
            Found::Open => FoundWord::Open,
        },
        steps: report.iterations,
        slope: report.slope,
        open_m: report.position_error,
    }
}

fn sense_word(sense: Sense) -> SenseWord {
    match sense {
        Sense::Zero => SenseWord::Equation,
        Sense::AtMost => SenseWord::Limit,
        Sense::Least(_) => SenseWord::Wish,
        Sense::Minimize => SenseWord::Objective,
    }
}

fn quantities(world: &World) -> Vec<QuantityLook> {
    let records = world.blocks().iter().filter_map(|record| {
        let block: &dyn Any = record.block();
        let own: &Quantity = block.downcast_ref()?;
        let value = world.connector_value(&record.id().output(0));
        Some(QuantityLook {
            name: record.label().to_owned(),
            text: own.text().to_owned(),
            value: value.map(|own| own.x).unwrap_or_default(),
            direction: own.kind() == ConnectorKind::Direction3,
        })
    });
    records.collect()
}

fn numbers(world: &World) -> Vec<NumberLook> {
    let mut all = Vec::new();
    for record in world.bodies() {
        for (name, index) in numbers_of(record.body()) {
            let number = Connector::new(record.id(), Site::Scalar(index));
            // What of a shape is held is no number that can be moved.
            let Ok(value) = world.connector_value(&number) else {
                continue;
            };
            let value = value.x[0];
            let reach = 2.0 * value.abs().max(0.5);
            all.push(NumberLook {
                body: record.label().to_owned(),
                name: name.to_owned(),
                value,
                range: match is_magnitude(record.body(), name) {
                    true => guessed(value),
                    false => [value - reach, value + reach],
                },
            });
        }
    }
    all
}

/// What a text in place of a number comes to, from its `=` on.
pub fn check_number(scene: &Scene, text: &str) -> Checked {
    let spaced = text.replacen('=', " ", 1);
    let value = Expression::parse(&spaced)
        .and_then(|own| own.value(&parameter::Known(scene.parameters.list())));
    match value {
        Ok(value) => Checked {
            value: Some(value),
            ..Checked::default()
        },
        Err(problem) => wrong(&problem, &spaced, text),
    }
}

/// What a relation asks for.
pub fn check_relation(scene: &Scene, text: &str) -> Checked {
    let problem = match formula::first_problem(scene, text) {
        Some(problem) => return wrong(&problem, text, text),
        None => formula::relation(scene, text),
    };
    match problem {
        Ok((own, _)) => Checked {
            sense: Some(sense_word(own.sense())),
            ..Checked::default()
        },
        Err(fault) => Checked {
            mistake: Some(plain(fault)),
            ..Checked::default()
        },
    }
}

fn plain(fault: Fault) -> Mistake {
    Mistake {
        message: fault.problem,
        hint: fault.hint,
        ..Mistake::default()
    }
}

/// `text` is what was compiled, `shown` what was typed: as long, and alike but for the first sign.
fn wrong(problem: &Problem, text: &str, shown: &str) -> Checked {
    let units = |end: u16| {
        let before = text.get(..usize::from(end)).unwrap_or(text);
        before.encode_utf16().count()
    };
    let mended = |edit: &Edit| {
        let (start, end) = (usize::from(edit.span.start), usize::from(edit.span.end));
        Some([shown.get(..start)?, &edit.with, shown.get(end..)?].concat())
    };
    // A page has a button for what is not known.
    let hint = problem
        .hint
        .clone()
        .filter(|hint| problem.unknown.is_none() || hint.starts_with("did you mean"));
    Checked {
        mistake: Some(Mistake {
            message: problem.message.clone(),
            hint,
            start: units(problem.span.start),
            end: units(problem.span.end),
            mended: problem.edits.iter().filter_map(mended).collect(),
            unknown: problem.unknown.clone(),
        }),
        ..Checked::default()
    }
}
