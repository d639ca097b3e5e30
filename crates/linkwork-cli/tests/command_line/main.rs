//! The command line, run as people run it.

#![allow(clippy::unwrap_used)]

mod absurd;
mod assemble;
mod bits;
mod check;
mod files;
mod film;
mod fit;
mod folder;
mod import;
mod lab;
mod readme;
mod refusals;
mod replay;
mod run;
mod set;
mod sweep;
mod synthesize;
mod words;
