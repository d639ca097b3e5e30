//! Tests that read the repository itself: what a program can check of the house style.
//!
//! They keep the documents true (paths, equation tags), names true, the crates and the engine's layers apart (which
//! crate may depend on which, which module may use which, and what none may call).

#![allow(clippy::unwrap_used)] // A panic is how a test fails.

mod banned;
mod layers;
mod numbers;
mod paths;
mod questions;
mod readme;
mod source;
mod tags;
mod widths;
