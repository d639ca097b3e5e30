//! A point of a follows a path.

use super::super::fields::{A, PATH};
use super::*;
use crate::catalogue::path;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "trajectory",
        rank: 150,
        label: "trajectory",
        help: "A point of a follows a path.",
        fields: &[&[A, PATH]],
    },
    build: |scene, entry| {
        let a = side(scene, entry)?;
        let trajectory = path::make(&entry.fields, &PATH)?;
        add_law(scene, entry, PointOnTrajectory { trajectory }, vec![a])
    },
    describe: |held| {
        let PointOnTrajectory { trajectory } = held.is()?;
        Some(Fields::default().with(&PATH, path::describe(&**trajectory)?))
    },
    planar: true,
    glyph: Glyph {
        sign: "trajectory",
        ..Glyph::MARK
    },
    ..BLANK
};
