//! What the palette of the lab offers: bodies to drop, and what is put between two places or at a joint.

use linkwork::math::Vec3;
use serde::Serialize;

use super::body::BodyType;
use super::field::Measure;
use super::value::{Fields, Value};

/// A button of the palette. Of a type that has none, things come from files and from menus.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// What it is called: things that are made with it begin with this name.
    pub name: &'static str,
    /// Where it stands; leave room.
    pub rank: u32,
    /// A few words.
    pub help: &'static str,
    /// Its picture: an SVG path, strokes of 16 × 16.
    pub icon: &'static str,
    /// Of a body: how long it is along its axes, as parts of its largest measure.
    pub size: Vec3,
    /// Of a body: whether its outline is a circle; else it is a rectangle.
    pub is_round: bool,
    /// Of a body: whether it is carried by its middle alone.
    pub by_middle: bool,
    /// Of a body of space: the type that it is in scenes of the plane.
    pub in_plane: Option<&'static str>,
    /// How far it gives under what it carries, as a part of the size of a body or of the reach of the view.
    pub sag: f64,
    /// How much it damps, as a part of critical.
    pub damping: f64,
    /// Of a body: what of its shape moves.
    pub supple: &'static [Supple],
    /// Of a shell: how it is blown up.
    pub blown: Option<Blown>,
}

/// A shell that is blown up, and lifted by the air around it. The same numbers suit any size.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blown {
    /// How thick it is, as a part of its radius.
    pub thickness: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, kg/m³.
    pub density: f64,
    /// Resistance to the rate of strain over resistance to strain, s.
    pub damping: f64,
    /// Bands from pole to pole, and nodes of a parallel.
    pub rings: [f64; 2],
    /// What it is blown up with at first, and at the most, Pa.
    pub pressure: [f64; 2],
    /// By how much it is lighter inside than the air around it, kg/m³.
    pub lighter: f64,
}

/// What of the shape of a new body moves, and how that resists.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Supple {
    /// Its name among the fields of `free`.
    pub name: &'static str,
    /// Its stiffness, as a multiple of weight times size, which is what the weight can do to the shape.
    pub stiffness: f64,
    /// How much it damps, as a part of critical.
    pub damping: f64,
}

impl Offer {
    const BLANK: Self = Self {
        name: "",
        rank: 0,
        help: "",
        icon: "",
        size: [1.0; 3],
        is_round: false,
        by_middle: false,
        in_plane: None,
        sag: 0.0,
        damping: 0.0,
        supple: &[],
        blown: None,
    };

    /// A body of these proportions.
    pub(super) const fn body(
        rank: u32,
        name: &'static str,
        help: &'static str,
        size: Vec3,
        icon: &'static str,
    ) -> Self {
        Self {
            name,
            rank,
            help,
            icon,
            size,
            ..Self::BLANK
        }
    }

    /// What is put between two places, or at a joint.
    pub(super) const fn link(
        rank: u32,
        name: &'static str,
        help: &'static str,
        icon: &'static str,
    ) -> Self {
        Self {
            name,
            rank,
            help,
            icon,
            ..Self::BLANK
        }
    }

    /// The same, which is of this type in the plane.
    pub(super) const fn in_plane(mut self, word: &'static str) -> Self {
        self.in_plane = Some(word);
        self
    }

    /// The same with a circle for an outline.
    pub(super) const fn round(mut self) -> Self {
        self.is_round = true;
        self
    }

    /// The same, carried by its middle.
    pub(super) const fn by_middle(mut self) -> Self {
        self.by_middle = true;
        self
    }

    /// The same, which gives and damps so much.
    pub(super) const fn yielding(mut self, sag: f64, damping: f64) -> Self {
        (self.sag, self.damping) = (sag, damping);
        self
    }

    /// The same, of whose shape these parts move.
    pub(super) const fn supple(mut self, parts: &'static [Supple]) -> Self {
        self.supple = parts;
        self
    }

    /// The same, blown up.
    pub(super) const fn blown(mut self, how: Blown) -> Self {
        self.blown = Some(how);
        self
    }

    /// Where it can be fastened as a body of a type, in its own coordinates, as parts of its largest measure.
    pub(super) fn places(&self, kind: &BodyType) -> Vec<Vec3> {
        // In the middle of what is blown up there is air.
        if self.blown.is_some() {
            return Vec::new();
        }
        let mut places = vec![[0.0; 3]];
        if !self.by_middle {
            for (_, place) in (kind.places)(&sized(kind, self.size)) {
                places.push(place);
            }
        }
        places
    }
}

/// The fields of a body that is so long along its axes.
fn sized(kind: &BodyType, size: Vec3) -> Fields {
    let is_long = (kind.kind.own()).any(|field| field.lab.measure == Some(Measure::Along));
    let [x, y, _] = size;
    let mut fields = Fields::default();
    for field in kind.kind.own() {
        let value: Value = match field.lab.measure {
            None => continue,
            Some(Measure::Along) => x.into(),
            Some(Measure::Radius) if is_long => (0.5 * y).into(),
            Some(Measure::Radius) => (0.5 * x.max(y)).into(),
            Some(Measure::Edges) if kind.planar => [x, y].into(),
            Some(Measure::Edges) => size.into(),
            Some(Measure::Halves) => size.map(|size| 0.5 * size).into(),
        };
        fields.set(field, value);
    }
    fields
}
