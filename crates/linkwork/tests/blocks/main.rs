//! Blocks: functions of connectors as connectors, numbers, equations, and hands on numbers.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

#[path = "../common/blocks.rs"]
mod functions;

mod bad_input;
mod contract;
mod derivatives;
mod diagnosis;
mod drags;
mod edits;
mod equal;
mod motion;
mod support;
