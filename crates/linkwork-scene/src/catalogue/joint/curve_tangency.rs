//! Two curves of the plane touch; where they do are numbers of their own.

use linkwork::constraint::CurveTangency;

use super::curves::shape_of;
use super::*;

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let connectors = listed(scene, entry)?;
        let [a, _, b, _] = &connectors[..] else {
            let problem = format!("has {} entries", connectors.len());
            let hint = "give a curve and the number of its place, twice";
            return Err(Fault::at("connectors", problem).hint(hint));
        };
        let law = CurveTangency::new(
            shape_of(scene, a, "connectors[0]")?,
            shape_of(scene, b, "connectors[2]")?,
        );
        add_law(scene, entry, Arc::new(law), connectors)
    },
    describe: |held| held.is::<CurveTangency>().map(|_| Fields::default()),
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            300,
            "curve-tangency",
            "Two curves of the plane touch: connectors are a curve's body and the number of the place on it, twice.",
            &[&[CONNECTORS]],
        )
        .called("tangency of curves"),
        ..BLANK
    }
};
