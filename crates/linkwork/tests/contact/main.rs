//! Contact, by law and by reference (`docs/adr/0028-contact.md`).

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

mod bodies;
mod extremes;
mod fast;
mod first_order;
mod ground;
mod hands;
mod judge;
#[path = "../common/numbers.rs"]
mod numbers;
mod pivoting;
mod precise;
mod sensors;
mod slipping;
mod soft;
mod superquadrics;
mod support;
mod surfaces;
mod throw;
mod throws;
mod touched;
mod turning;
