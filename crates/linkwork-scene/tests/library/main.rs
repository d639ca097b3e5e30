//! The library: files are what their builders say, and every scene runs as it should.

#![allow(clippy::unwrap_used)]

mod files;
mod laws;
mod motion;
