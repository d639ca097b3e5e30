//! Connectors: where on a body something sits.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::Numbers;
use crate::fault::Fault;
use crate::read::Record;
use crate::read::node::{Node, Tree};
use crate::read::record::record;

record! {
    /// A point, frame, direction or number of a body.
    ///
    /// A `point` alone is a point. With `axis` (the frame's x), `quaternion`, `euler_deg`, `rotation` or,
    /// in the plane, `angle`, it is a frame. All are in the body's own coordinates.
    #[derive(Default)]
    pub struct ConnectorEntry {
        /// Its name, in the list `connectors`; none where it is written inline.
        pub name: Option<String>,
        /// The body it sits on, or "ground".
        pub body: String,
        /// Where on the body: three numbers in space, two in the plane. The origin when left out.
        pub point: Option<Numbers>,
        /// The frame's x axis.
        pub axis: Option<[f64; 3]>,
        /// The frame's rotation as a unit quaternion w, x, y, z.
        pub quaternion: Option<[f64; 4]>,
        /// The frame's rotation by turns about the fixed axes x, then y, then z, in degrees.
        pub euler_deg: Option<[f64; 3]>,
        /// The frame's rotation as a matrix, row by row; its columns are the frame's axes.
        pub rotation: Option<[[f64; 3]; 3]>,
        /// The frame's angle, in the plane.
        pub angle: Option<f64>,
        /// The frame's angle, in the plane, in degrees.
        pub angle_deg: Option<f64>,
        /// A direction.
        pub direction: Option<[f64; 3]>,
        /// A point of a curve, by its parameter: 0 to 1 on a spline.
        pub curve: Option<f64>,
        /// The direction of a curve, by its parameter.
        pub tangent: Option<f64>,
        /// A point of a surface: of one by a formula, by u and v; of a superquadric, or of a shell of rings, by
        /// latitude (−π/2 to π/2) and longitude; where a joint needs a frame, x is the outward normal and y along the
        /// latitude, unless the joint says otherwise.
        pub surface: Option<[f64; 2]>,
        /// A point inside a superquadric: 0 (the middle) to 1 (the surface), latitude and longitude.
        pub interior: Option<[f64; 3]>,
        /// Whether a point of a surface is a frame.
        pub framed: Option<bool>,
        /// A number the body offers: "area" of a troid, "length" of a curve, the name of a number.
        pub scalar: Option<String>,
    }
}

/// A connector by name, or written out.
#[derive(Clone, Debug, PartialEq)]
pub enum ConnectorRef {
    /// The name of a connector, or of a body: its origin.
    Name(String),
    /// Written out.
    Inline(Box<ConnectorEntry>),
}

impl Serialize for ConnectorRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Name(name) => name.serialize(serializer),
            Self::Inline(entry) => entry.serialize(serializer),
        }
    }
}

impl Record for ConnectorRef {
    fn read(node: &Node) -> Result<Self, Fault> {
        match (node.text(), &node.tree) {
            (Some(name), _) => Ok(Self::Name(name.to_owned())),
            (_, Tree::Object(_)) => Record::read(node).map(Self::Inline),
            _ => Err(node.wrong(
                "the name of a connector or body, or a connector such as {\"body\": \"crank\", \"point\": [0.1, 0, 0]}",
            )),
        }
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        let entry = ConnectorEntry::schema(definitions);
        json!({ "anyOf": [{ "type": "string" }, entry] })
    }
}
