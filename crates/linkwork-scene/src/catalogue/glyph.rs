//! How joints and behaviors are drawn. Viewers know how to draw each sign and each link; a type chooses.

use super::words::words;

/// How a joint or a behavior is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// The sign at its ends.
    pub sign: Sign,
    /// What is drawn from end to end.
    pub link: Link,
    /// Whether its axis is what it slides along, in the plane too; else what it turns about.
    pub slides: bool,
    /// Whether it goes along a rail.
    pub rail: bool,
    /// Whether its two ends are one point.
    pub meets: bool,
    /// Whether it can hold on to a place of the ground.
    pub holds: bool,
    /// Whether bodies turn about its axis: motors are put there.
    pub bearing: bool,
    /// Whether it turns bodies that a bearing holds together: it is seen there, wherever its own frames are.
    pub seated: bool,
    /// Whether it has a second axis, fixed to its second end.
    pub second_axis: bool,
    /// Whether the surface of its first end is seen.
    pub surface: bool,
}

words! {
    /// The sign at the ends of a joint or of a behavior.
    pub enum Sign {
        /// None.
        Nothing = "nothing",
        /// A plain mark.
        Mark = "mark",
        /// A ball in a socket.
        Ball = "ball",
        /// A pin along the axis.
        Pin = "pin",
        /// Two pins that cross.
        Cross = "cross",
        /// A sleeve on a round rail.
        Sleeve = "sleeve",
        /// A block on a rail.
        Block = "block",
        /// A ball in a slot.
        Slot = "slot",
        /// A nut on a thread.
        Nut = "nut",
        /// A foot on a plate.
        Foot = "foot",
        /// A ball on a plate.
        Plate = "plate",
        /// A plate between what is one.
        Seam = "seam",
        /// An arrow about the axis.
        Arrow = "arrow",
        /// A point that is led.
        Lead = "lead",
        /// A blade along the axis.
        Blade = "blade",
        /// A ring about the axis.
        Gear = "gear",
        /// A spiral about the axis.
        Spiral = "spiral",
        /// A quiet ring about the axis.
        Washer = "washer",
    }
}

words! {
    /// What is drawn from the first end to the last.
    pub enum Link {
        /// Nothing.
        Nothing = "nothing",
        /// The gap, where there is one.
        Gap = "gap",
        /// A bar.
        Bar = "bar",
        /// A coil for what is stiff, a dashpot for what resists.
        Coil = "coil",
        /// What grows and shrinks as it is told.
        Drive = "drive",
    }
}

impl Glyph {
    /// Nothing at all.
    pub(super) const NOTHING: Self = Self {
        sign: Sign::Nothing,
        ..Self::MARK
    };

    /// A plain mark.
    pub(super) const MARK: Self = Self {
        sign: Sign::Mark,
        link: Link::Nothing,
        slides: false,
        rail: false,
        meets: false,
        holds: false,
        bearing: false,
        seated: false,
        second_axis: false,
        surface: false,
    };

    /// The sign of what holds bodies together.
    pub(super) const fn holding(sign: Sign) -> Self {
        Self {
            sign,
            holds: true,
            ..Self::MARK
        }
    }

    /// The sign of a pair whose ends are one point.
    pub(super) const fn meeting(sign: Sign) -> Self {
        Self {
            link: Link::Gap,
            meets: true,
            ..Self::holding(sign)
        }
    }

    /// The sign of a pair that slides along a rail.
    pub(super) const fn sliding(sign: Sign) -> Self {
        Self {
            slides: true,
            rail: true,
            ..Self::holding(sign)
        }
    }

    /// The sign of what turns bodies that a bearing holds.
    pub(super) const fn seated(sign: Sign) -> Self {
        Self {
            sign,
            seated: true,
            ..Self::MARK
        }
    }
}
