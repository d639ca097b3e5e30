//! A tree of bounding boxes: a search for nearby objects without visiting all of them.
//!
//! Nodes are stored in depth-first order; each has the index of the node that follows if its box is skipped. A
//! visit needs neither recursion nor a stack.

use super::Aabb;
use super::broad::ordered;
use crate::linalg::order::{Key, sort};

/// Objects of a leaf.
const LEAF: usize = 4;

/// A tree of boxes over static objects.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The things, those of a leaf together.
    things: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    around: Aabb,
    /// The node after all that are in this one.
    next: u32,
    /// Where its things begin and end; none unless it is a leaf.
    start: u32,
    end: u32,
}

/// The argument of a visitor.
pub(super) enum Visit<'a> {
    /// Asks whether to enter this box.
    Box(&'a Aabb),
    /// An object in a box that was entered.
    Thing(u32),
}

impl Tree {
    /// Over things in these boxes, one at least.
    pub(super) fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self {
            nodes: vec![],
            things: (0..boxes.len() as u32).collect(),
        };
        tree.build(boxes, 0, boxes.len());
        tree
    }

    /// Around everything.
    pub(super) fn around(&self) -> &Aabb {
        &self.nodes[0].around
    }

    /// Shows the things in boxes that `see` wants.
    pub(super) fn visit(&self, see: &mut dyn FnMut(Visit<'_>) -> bool) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !see(Visit::Box(&node.around)) {
                at = node.next as usize;
                continue;
            }
            for &thing in &self.things[node.start as usize..node.end as usize] {
                see(Visit::Thing(thing));
            }
            at += 1;
        }
    }

    fn build(&mut self, boxes: &[Aabb], start: usize, end: usize) {
        let own = self.nodes.len();
        let mut around = Aabb::EMPTY;
        for &thing in &self.things[start..end] {
            around.include(&boxes[thing as usize]);
        }
        let is_leaf = end - start <= LEAF;
        self.nodes.push(Node {
            around,
            next: 0,
            start: start as u32,
            end: if is_leaf { end } else { start } as u32,
        });
        if !is_leaf {
            // Halves along the axis on which it is longest.
            let length = |k: usize| around.high[k] - around.low[k];
            let axis = (1..3).fold(0, |most, k| if length(k) > length(most) { k } else { most });
            let middle = |thing: u32| {
                let own = &boxes[thing as usize];
                own.low[axis] + own.high[axis]
            };
            let part = &mut self.things[start..end];
            let keys = part.iter().map(|&thing| (ordered(middle(thing)), thing));
            let mut keys: Vec<Key> = keys.collect();
            sort(&mut keys);
            for (thing, key) in part.iter_mut().zip(keys) {
                *thing = key.1;
            }
            let half = start + (end - start) / 2;
            self.build(boxes, start, half);
            self.build(boxes, half, end);
        }
        self.nodes[own].next = self.nodes.len() as u32;
    }
}
