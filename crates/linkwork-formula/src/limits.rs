//! Limits of the cost of a text. Texts may be untrusted: everything a compile does is bounded by these.

/// Bytes of one text.
pub const MAX_BYTES: usize = 16 * 1024;
/// Brackets, signs and powers within each other.
pub const MAX_DEPTH: usize = 64;
/// The same through the functions that are called. Each level takes stack.
pub const MAX_NESTED: usize = 200;
/// Nodes of one graph.
pub const MAX_NODES: usize = 20_000;
/// Calls of defined functions and terms of sums.
pub const MAX_EXPANSIONS: usize = 1_000;
/// Parts of texts and nodes of graphs that are visited: what constants fold to leaves no node behind.
pub const MAX_WORK: usize = 1_000_000;
/// Registers of one tape: constants, inputs and steps.
pub const MAX_REGISTERS: usize = 1_024;
/// Mistakes that are told of one text.
pub const MAX_PROBLEMS: usize = 20;
