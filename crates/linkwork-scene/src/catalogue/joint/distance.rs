//! Two points stay a distance apart, or within limits: a rope, a strut.

use linkwork::constraint::DistanceLimit;

use super::beside::refuse_others;
use super::bounded::{RANGE, read_range};
use super::*;

const APART: Field = DISTANCE.optional();

mirror!(Distance { length: APART });

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let connectors = framed(scene, entry, &[])?;
        let Some(limits) = entry.fields.get::<&Fields>(&LIMITS)? else {
            let law = Distance::read(&entry.fields)?;
            return add_law(scene, entry, Arc::new(law), connectors);
        };
        if entry.fields.has(&APART) {
            let problem = "is given beside \"limits\"";
            return Err(Fault::at(APART.name, problem).hint("give one of them"));
        }
        refuse_others(limits, RANGE).under("limits")?;
        let [lower, upper, restitution] = read_range(limits).under("limits")?;
        let law = DistanceLimit {
            lower,
            upper,
            restitution,
        };
        law.validate().under("limits")?;
        add_law(scene, entry, Arc::new(law), connectors)
    },
    // What is soft is a spring; what has limits is a "distance-limit".
    describe: |held| match held.spring() {
        Some(_) => None,
        None => held.is::<Distance>()?.write(),
    },
    planar: true,
    glyph: Glyph {
        link: Link::Bar,
        ..Glyph::holding(Sign::Nothing)
    },
    frames: Framed::Never,
    joins: Some(90),
    ..JointType::of::<Distance>(Type::new(
        100,
        "distance",
        "Two points stay a distance apart; with limits, it is a rope (\"upper\") or a strut (\"lower\").",
        &[SIDES, Distance::FIELDS, &[LIMITS]],
    ))
};
