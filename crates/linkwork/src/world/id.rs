//! Ids: monotone, never reused, valid for one world (and its clones).

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Tells worlds apart, so that an id of another world is refused instead of misread.
///
/// The tag never reaches a number the engine computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorldTag(u32);

impl WorldTag {
    pub(crate) const ANY: Self = Self(0);

    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) number: u64,
            pub(crate) world: WorldTag,
        }

        impl $name {
            /// The number: starts at one, grows with every addition, is never given out twice.
            pub fn number(self) -> u64 {
                self.number
            }
        }
    };
}

id! {
    /// Denotes a body; survives every edit elsewhere.
    BodyId
}
id! {
    /// Denotes a constraint; survives every edit elsewhere.
    ConstraintId
}
id! {
    /// Denotes a behavior; survives every edit elsewhere.
    BehaviorId
}

/// The ground: a body with no coordinates, in every world.
pub const GROUND: BodyId = BodyId {
    number: 0,
    world: WorldTag::ANY,
};

/// Changes with every edit of any world; equal revisions mean equal contents (but for the state).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision(u64);

impl Revision {
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
