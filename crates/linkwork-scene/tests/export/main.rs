//! What leaves a scene: columns, tables, plots, glTF, whole files.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod columns;
mod gltf;
mod plot;
mod quantities;
mod shade;
mod surfaces;
mod tables;
mod whole;
