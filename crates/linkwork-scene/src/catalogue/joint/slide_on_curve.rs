//! A point slides along a curve; where it is on the curve is a number of its own.

use linkwork::constraint::SlideOnCurve;

use super::curves::shape_of;
use super::*;

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let connectors = listed(scene, entry)?;
        let [curve, _, _] = &connectors[..] else {
            let problem = format!("has {} entries", connectors.len());
            let hint = "give the curve, the number of its place, and the point";
            return Err(Fault::at("connectors", problem).hint(hint));
        };
        let law = SlideOnCurve::new(shape_of(scene, curve, "connectors[0]")?);
        add_law(scene, entry, Arc::new(law), connectors)
    },
    describe: |held| held.is::<SlideOnCurve>().map(|_| Fields::default()),
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            290,
            "slide-on-curve",
            "A point slides along a curve: connectors are the curve's body, the number of the place on it, and the point.",
            &[&[CONNECTORS]],
        )
        .called("slide on a curve"),
        ..BLANK
    }
};
