//! Ids: monotone, never reused, valid for one world (and its clones).

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::{Error, Item};

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

/// What ids of all kinds have in common.
pub(crate) trait Id: Copy {
    /// What it denotes.
    const ITEM: Item;

    fn new(number: u64, world: WorldTag) -> Self;

    fn number(self) -> u64;

    fn world(self) -> WorldTag;

    /// Why the world with this tag, whose next number is `next`, does not have it.
    fn unknown(self, world: WorldTag, next: u64) -> Error {
        let foreign = self.world() != world;
        Error::UnknownId {
            item: Self::ITEM,
            number: self.number(),
            foreign,
            removed: !foreign && self.number() < next && self.number() > 0,
        }
    }
}

macro_rules! id {
    ($name:ident, $item:ident, $what:literal) => {
        #[doc = concat!("Denotes a ", $what, "; survives every edit elsewhere.")]
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

        impl Id for $name {
            const ITEM: Item = Item::$item;

            fn new(number: u64, world: WorldTag) -> Self {
                Self { number, world }
            }

            fn number(self) -> u64 {
                self.number
            }

            fn world(self) -> WorldTag {
                self.world
            }
        }
    };
}

id!(BodyId, Body, "body");
id!(ConstraintId, Constraint, "constraint");
id!(BehaviorId, Behavior, "behavior");
id!(BlockId, Block, "block");
id!(GripId, Grip, "grip");

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
