//! The scene format: what is written is read back, to the last bit; mistakes are answered.

#![allow(clippy::unwrap_used)]

mod choices;
mod collide;
mod complete;
mod document;
mod limits;
mod mistakes;
mod names;
mod round_trip;
mod schema;
mod words;
