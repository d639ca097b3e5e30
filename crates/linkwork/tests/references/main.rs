//! Answers known from elsewhere: closed forms, published problems, laws of mechanics, papers.
//!
//! Every solve is done by every method of [`linkwork::solve::Method::ALL`].

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod andrews;
mod chains;
mod couplings;
mod guides;
mod laws;
mod mechanisms;
mod numerics;
mod papers;
mod rolling;
mod rotation;
mod signs;
mod support;
mod sweeps;
