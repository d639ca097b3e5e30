//! Connectors: where on a body something sits.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with::skip_serializing_none;

use super::Numbers;

/// A point, frame, direction or number of a body.
///
/// A `point` alone is a point. With `axis` (the frame's x), `quaternion`, `euler_deg`, `rotation` or,
/// in the plane, `angle`, it is a frame. All are in the body's own coordinates.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    /// A number the body offers: "area" of a troid.
    pub scalar: Option<String>,
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

impl<'de> Deserialize<'de> for ConnectorRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RefVisitor)
    }
}

struct RefVisitor;

impl<'de> Visitor<'de> for RefVisitor {
    type Value = ConnectorRef;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a connector or body, or a connector such as {\"body\": \"crank\", \"point\": [0.1, 0, 0]}")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<ConnectorRef, E> {
        Ok(ConnectorRef::Name(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ConnectorRef, A::Error> {
        let entry = ConnectorEntry::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ConnectorRef::Inline(Box::new(entry)))
    }
}

impl JsonSchema for ConnectorRef {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ConnectorRef".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let entry = generator.subschema_for::<ConnectorEntry>();
        json_schema!({
            "description": "A connector by name, the name of a body (its origin), or written out.",
            "anyOf": [{ "type": "string" }, entry]
        })
    }
}
