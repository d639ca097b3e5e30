//! What several test binaries share.

pub(crate) mod lumped;
