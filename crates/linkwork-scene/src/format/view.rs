//! Hands, traces, and hints for viewers.

use super::{ConnectorRef, DragEntry, Numbers, PartEntry, is_default};
use crate::read::record::record;

record! {
    /// A point whose path is recorded.
    pub struct TraceEntry {
        /// Its name.
        pub name: String,
        /// The point.
        pub of: ConnectorRef,
        /// Its color, `"#rrggbb"`.
        #[serde(alias = "colour")]
        pub color: Option<String>,
    }
}

record! {
    /// A hand that holds something.
    pub struct HandEntry {
        /// Its name.
        pub name: String,
        /// The point, frame or number it holds.
        pub held: ConnectorRef,
        /// How.
        pub drag: DragEntry,
        /// Where it pulls to, world coordinates, m, or the number; where the held point is, when left out.
        pub goal: Option<Numbers>,
        /// The rotation it pulls to, of a held frame.
        pub quaternion: Option<[f64; 4]>,
        /// The hand's coordinates as the engine keeps them; written by `save`.
        pub q: Option<Vec<f64>>,
    }
}

record! {
    /// Hints for viewers about the whole scene.
    #[derive(Default)]
    pub struct ViewEntry {
        /// Where to look from.
        pub camera: Option<CameraEntry>,
        /// Which way is up; against gravity when left out.
        pub up: Option<[f64; 3]>,
        /// Whether the scene is seen flat, along z.
        #[serde(default, skip_serializing_if = "is_default")]
        pub flat: bool,
        /// Surfaces drawn over bodies.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub skins: Vec<SkinEntry>,
    }
}

record! {
    /// A smooth surface whose corners are points of bodies. Both of its sides are seen.
    pub struct SkinEntry {
        /// Its name.
        pub name: String,
        /// Its color, `"#rrggbb"`.
        #[serde(alias = "colour")]
        pub color: Option<String>,
        /// The corners.
        pub vertices: Vec<SkinVertex>,
        /// Triangles: indices of corners.
        pub triangles: Vec<[u32; 3]>,
    }
}

record! {
    /// A point of a body.
    pub struct SkinVertex {
        /// The body's name.
        pub body: String,
        /// The point in the body's coordinates, m: three numbers, or two in the plane.
        pub point: Numbers,
    }
}

record! {
    /// A camera.
    pub struct CameraEntry {
        /// Where it is, m.
        pub eye: [f64; 3],
        /// What it looks at, m.
        pub target: [f64; 3],
    }
}

record! {
    /// Hints for viewers about one body.
    #[derive(Default)]
    pub struct BodyView {
        /// Its color, `"#rrggbb"`.
        #[serde(alias = "colour")]
        pub color: Option<String>,
        /// Not drawn.
        #[serde(default, skip_serializing_if = "is_default")]
        pub hidden: bool,
        /// What is drawn in place of its shape. Masses are not read here.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub draw: Vec<PartEntry>,
        /// Lines drawn on it; they deform with a sheet.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub drawing: Vec<StrokeEntry>,
        /// A picture of the scene that lies on it. A sheet with an outline is cut out of it, and deforms it.
        pub picture: Option<SheetPicture>,
    }
}

record! {
    /// A picture on a sheet.
    pub struct SheetPicture {
        /// The picture's name.
        pub name: String,
        /// Where its middle is, in the body's coordinates, m.
        #[serde(default, skip_serializing_if = "is_default")]
        pub position: [f64; 2],
        /// How wide it is on the body, m; as wide as it is, when left out.
        pub width: Option<f64>,
    }
}

record! {
    /// A line through points of a body.
    pub struct StrokeEntry {
        /// The points in the body's coordinates, m: three numbers each, or two in the plane.
        pub points: Vec<Numbers>,
        /// Its color, `"#rrggbb"`.
        #[serde(alias = "colour")]
        pub color: Option<String>,
    }
}
