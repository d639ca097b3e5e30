//! The lab's page, as it was when this program was built: see `build.rs`.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// Below the page's address, such as `assets/index-1a2b.js`.
    pub(crate) path: &'static str,
    /// What is in it, packed.
    pub(crate) gzip: &'static [u8],
}

// `PAGE`, every file of it; none if there was no page.
include!(concat!(env!("OUT_DIR"), "/page.rs"));
