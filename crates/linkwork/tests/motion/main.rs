//! Worlds in motion: published solutions, orders of convergence, conserved quantities, hard cases.
//!
//! What takes minutes is ignored as slow; `cargo test --test motion -- --ignored` runs it.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

#[path = "../common/random.rs"]
mod random_world;

mod absorbed;
mod absurd;
mod armatures;
mod bad_input;
mod bounds;
mod conservation;
mod constant;
mod determinism;
mod directions;
mod extremes;
mod first_order;
mod growth;
mod joint_limits;
mod led;
mod orders;
mod pushed;
mod references;
mod robustness;
mod rotors;
mod sheets;
mod singular;
mod springs;
mod stabilization;
mod stiff;
mod support;
mod taut;
mod torn;
mod turns;
