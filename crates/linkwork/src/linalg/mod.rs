//! The dense linear algebra the engine needs, and no more.

mod view;

pub use view::MatMut;
