//! What a text says, as a tree whose parts know where they stand.
//!
//! Nodes lie in one list, operands before what uses them: nothing is freed or walked by recursion that is as
//! deep as a text is long.

use crate::problem::Span;

/// A node of a tree.
pub(crate) type NodeId = u32;

/// A text, parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Arguments and components, those of a node together.
    pub(crate) lists: Vec<NodeId>,
    pub(crate) statements: Vec<Statement>,
}

/// A part of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// A part of a tree's lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    start: u32,
    end: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Number(f64),
    /// A name; one in quotes is never a word of the language.
    Name(Box<str>, bool),
    Negate(NodeId),
    Binary(Sign, NodeId, NodeId),
    /// What is called is a name or a path.
    Call(NodeId, List),
    /// `[x, y]`, `[x, y, z]`.
    Vector(List),
    /// `of.name`.
    Member(NodeId, Box<str>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Add,
    Subtract,
    Multiply,
    /// `2x`: a number before what it multiplies.
    Implied,
    Divide,
    Power,
    Less,
    /// `a <= b` within a call.
    AtMost,
}

/// One line of a text.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) span: Span,
    pub(crate) says: Says,
    /// Its nodes: from, to.
    pub(crate) nodes: [NodeId; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum Says {
    /// `name = expression in low..high`.
    Define(Definition, Option<[NodeId; 2]>),
    /// `name(u, …) = expression`, `curve name(u in low..high) = expression`.
    Function(Sort, Definition, Vec<Parameter>),
    Equal(NodeId, NodeId),
    /// Each at most the next.
    AtMost(Vec<NodeId>),
    Like(NodeId, NodeId, Option<NodeId>),
    /// The flag: as large as can be, not as small.
    Minimize(NodeId, bool),
    Value(NodeId),
}

/// A name, where it stands, and what it is.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: Box<str>,
    pub(crate) span: Span,
    pub(crate) is: NodeId,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A short form, nothing else.
    Function,
    /// Points over one parameter.
    Curve,
    /// Points in space over two.
    Surface,
}

/// A parameter of a function, and from where to where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Box<str>,
    pub(crate) span: Span,
    pub(crate) range: Option<[NodeId; 2]>,
}

impl Tree {
    pub(crate) fn push(&mut self, span: Span, kind: Kind) -> NodeId {
        self.nodes.push(Node { span, kind });
        self.nodes.len() as NodeId - 1
    }

    /// Keeps a list.
    pub(crate) fn list(&mut self, parts: &[NodeId]) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(parts);
        let end = self.lists.len() as u32;
        List { start, end }
    }

    pub(crate) fn parts(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..list.end as usize]
    }

    pub(crate) fn kind(&self, node: NodeId) -> &Kind {
        &self.nodes[node as usize].kind
    }

    pub(crate) fn span(&self, node: NodeId) -> Span {
        self.nodes[node as usize].span
    }

    /// A name alone, if the node is one.
    pub(crate) fn name(&self, node: NodeId) -> Option<&str> {
        match self.kind(node) {
            Kind::Name(name, _) => Some(name),
            _ => None,
        }
    }

    /// `door.handle.x` as its three names, if the node is names and dots only.
    pub(crate) fn path(&self, node: NodeId) -> Option<Vec<&str>> {
        let (mut path, mut at) = (Vec::new(), node);
        while let Kind::Member(of, name) = self.kind(at) {
            path.push(&**name);
            at = *of;
        }
        path.push(self.name(at)?);
        path.reverse();
        Some(path)
    }
}
