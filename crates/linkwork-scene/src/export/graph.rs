//! Dependencies: bodies, quantities, and what is made of formulas over them (Witkin 1990, fig. 1).

use std::any::Any;

use linkwork::connector::Connector;
use linkwork::prelude::*;
use serde::Serialize;

use crate::formula::{Fit, FormulaForce, Relation};

/// A function, or what functions begin and end with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: GraphKind,
    /// What it takes, by places in the graph; each stands before it.
    pub takes: Vec<usize>,
    /// How many functions, one behind the other, are between it and bodies at the most; bodies are at zero.
    pub layer: usize,
}

/// What a node of the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GraphKind {
    /// A body, with numbers of its own.
    Body,
    /// A quantity.
    Quantity,
    /// A joint that is a formula.
    Joint,
    /// A potential or a force that is a formula.
    Behavior,
}

/// All formulas, and the bodies and quantities that they are worked out of.
pub(super) fn graph(world: &World) -> Vec<GraphNode> {
    let mut all = Graph {
        world,
        nodes: Vec::new(),
    };
    for record in world.blocks() {
        all.add(record.label(), GraphKind::Quantity, record.inputs());
    }
    for record in world.constraints() {
        let law: &dyn Any = record.constraint();
        if law.is::<Relation>() || law.is::<Fit>() {
            all.add(record.label(), GraphKind::Joint, record.connectors());
        }
    }
    for record in world.behaviors() {
        let law: &dyn Any = record.behavior();
        if law.is::<FormulaForce>() {
            all.add(record.label(), GraphKind::Behavior, record.connectors());
        }
    }
    all.nodes
}

struct Graph<'w> {
    world: &'w World,
    nodes: Vec<GraphNode>,
}

impl Graph<'_> {
    fn add(&mut self, name: &str, kind: GraphKind, inputs: &[Connector]) {
        let mut takes: Vec<usize> = Vec::new();
        for input in inputs {
            let from = self.source(input);
            takes.extend(from.filter(|from| !takes.contains(from)));
        }
        let layers = takes.iter().map(|from| self.nodes[*from].layer + 1);
        self.nodes.push(GraphNode {
            name: name.to_owned(),
            kind,
            layer: layers.max().unwrap_or(1),
            takes,
        });
    }

    /// What a connector is of; bodies come in when they are asked for.
    fn source(&mut self, input: &Connector) -> Option<usize> {
        let (kind, name) = match (input.block(), input.place()) {
            (Some(block), _) => {
                let record = self.world.block_record(block).ok()?;
                (GraphKind::Quantity, record.label())
            }
            (None, Some((body, _))) => {
                let record = self.world.body_record(body).ok()?;
                (GraphKind::Body, record.label())
            }
            (None, None) => return None,
        };
        let same = |own: &GraphNode| own.kind == kind && own.name == name;
        if let Some(found) = self.nodes.iter().position(same) {
            return Some(found);
        }
        self.nodes.push(GraphNode {
            name: name.to_owned(),
            kind,
            takes: Vec::new(),
            layer: 0,
        });
        Some(self.nodes.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// Fig. 1: two tips feed their middle, the middle its distance, and that the joint that leads it.
    #[test]
    fn functions_feed_functions() {
        let scene = library::open("block-graph").unwrap();
        let nodes = graph(&scene.world);
        let deepest = nodes.iter().map(|own| own.layer).max();
        assert!(deepest >= Some(2), "{nodes:?}");
        for (at, node) in nodes.iter().enumerate() {
            assert_eq!(
                node.takes.is_empty(),
                node.kind == GraphKind::Body,
                "{node:?}"
            );
            for from in &node.takes {
                assert!(*from < at && nodes[*from].layer < node.layer, "{node:?}");
            }
        }
    }
}
