//! Hands: grab, drag, release, on linkages and characters, within reach and beyond it.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

#[path = "../common/mod.rs"]
mod common;

#[path = "../common/random.rs"]
mod random;

mod bad_input;
mod budget;
mod edits;
mod hierarchy;
mod loops;
mod midway;
mod priorities;
mod quality;
mod reach;
mod wild;
