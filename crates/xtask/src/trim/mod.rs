//! What a module has for messages that nobody can read.
//!
//! In a browser a panic ends in a trap, and the page sees the trap: there is no console that a message could go to. So
//! what leads to the message (its text, its arguments, the file and the line) is cut, and the trap is where the call
//! was. A module that computes is as it was: nothing else is altered.

use walrus::Module;

mod order;
mod panics;
mod places;

/// Cuts what panics would say.
pub(crate) fn trim(module: &mut Module) {
    panics::cut(module);
    places::clear(module);
    walrus::passes::gc::run(module);
}

/// The same module as it packs best, without names.
pub(crate) fn pack(module: &[u8]) -> Result<Vec<u8>, String> {
    order::sort(module)
}

#[cfg(test)]
mod tests;
