//! What bounds the coordinates of a joint, as laws beside it: limits, friction, ratchets.

use super::bounded::{LOWER, RANGE, RESTITUTION, UPPER, read_range, read_ratchet};
use super::*;

pub(super) const SWING: Field = Field::angle(
    "swing",
    "swing_deg",
    "The largest angle between the axes of b and a, all around: a cone.",
)
.lab(&InLab {
    number: 1.0,
    ..InLab::start(Start::Number)
});
pub(super) const TWIST: Field = Field::span(
    "twist",
    "twist_deg",
    "The range of the twist of b about that axis.",
)
.in_unit("rad");
const ABOUT: Field = Field::span(
    "angle",
    "angle_deg",
    "Of what slides and turns, or has two axes: the angle about \"axis\", least and most.",
)
.in_unit("rad");
const ABOUT_B: Field = Field::span(
    "angle_b",
    "angle_b_deg",
    "Of a universal joint: the angle about \"axis_b\", least and most.",
)
.in_unit("rad");
const SLIDE: Field = Field::span(
    "slide",
    "",
    "Of what slides and turns: the position along the axis, least and most.",
)
.in_unit("m");
/// What limits of a joint say; each sort of joint takes some of them.
pub(super) const LIMITED: &[Field] = &[
    LOWER,
    UPPER,
    ABOUT,
    ABOUT_B,
    SLIDE,
    SWING,
    TWIST,
    RESTITUTION,
];

/// Refuses limits of other joints.
pub(super) fn refuse_others(fields: &Fields, own: &[Field]) -> Result<(), Fault> {
    let is_own = |field: &&Field| own.iter().any(|own| own.name == field.name);
    let mut others = LIMITED.iter().filter(|field| !is_own(field));
    let Some(other) = others.find(|field| fields.has(field)) else {
        return Ok(());
    };
    let names: Vec<_> = own.iter().flat_map(Field::names).collect();
    let problem = "is no limit of this joint";
    Err(Fault::at(fields.said(other), problem).hint(format!("give {}", names.join(", "))))
}

/// A law on the coordinates of a joint: the field that says it, what its name ends with, and between which frames it
/// acts.
pub(super) struct Beside {
    pub(super) field: &'static str,
    pub(super) what: &'static str,
    pub(super) law: Arc<dyn Constraint>,
    pub(super) frames: Frames,
}

/// The frames of a law on the coordinates of a joint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frames {
    /// Those of the joint.
    Own,
    /// Those of the entry, where the joint itself has points.
    Entry,
    /// Those of the joint, equal at the moment of joining.
    Equal,
    /// The same, for the angle about y of frame b.
    EqualAboutB,
}

/// The laws of "limits", "friction" and "ratchet" on one coordinate.
pub(super) fn on_one(
    fields: &Fields,
    limits: fn([f64; 3]) -> Arc<dyn Constraint>,
    friction: fn(f64) -> Arc<dyn Constraint>,
    ratchet: fn(bool) -> Arc<dyn Constraint>,
) -> Result<Vec<Beside>, Fault> {
    let mut all = Vec::new();
    let mut add = |field, law| {
        all.push(Beside {
            field,
            what: field,
            law,
            frames: Frames::Own,
        });
    };
    if let Some(range) = fields.get::<&Fields>(&LIMITS)? {
        refuse_others(range, RANGE).under("limits")?;
        add("limits", limits(read_range(range).under("limits")?));
    }
    let most = fields.or(&DRY_FRICTION, 0.0)?;
    if most > 0.0 {
        add("friction", friction(most));
    }
    if let Some(backward) = read_ratchet(fields)? {
        add("ratchet", ratchet(backward));
    }
    Ok(all)
}

/// The same on an angle.
pub(super) fn on_angle(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    on_one(
        fields,
        |[lower, upper, restitution]| {
            Arc::new(AngleLimit {
                lower,
                upper,
                restitution,
            })
        },
        |most| Arc::new(AngleServo::friction(most)),
        |backward| Arc::new(AngleServo::one_way(backward)),
    )
}

/// The same on a length.
pub(super) fn on_length(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    on_one(
        fields,
        |[lower, upper, restitution]| {
            Arc::new(LengthLimit {
                lower,
                upper,
                restitution,
            })
        },
        |most| Arc::new(LengthServo::friction(most)),
        |backward| Arc::new(LengthServo::one_way(backward)),
    )
}

/// Limits of several coordinates, of which these may be said.
fn limits_of<'f>(fields: &'f Fields, own: &[Field]) -> Result<Option<(&'f Fields, f64)>, Fault> {
    let Some(limits) = fields.get::<&Fields>(&LIMITS)? else {
        return Ok(None);
    };
    let read = || {
        refuse_others(limits, own)?;
        limits.or(&RESTITUTION, 0.0)
    };
    Ok(Some((limits, read().under("limits")?)))
}

fn nothing_limited(own: &[Field]) -> Fault {
    let names = own.iter().filter(|field| field.name != RESTITUTION.name);
    let names: Vec<_> = names.map(|field| format!("\"{}\"", field.name)).collect();
    Fault::at("limits", "limits nothing").hint(format!("give {}", names.join(" or ")))
}

/// Limits of what slides along and turns about one axis.
pub(super) fn on_cylinder(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    const OWN: &[Field] = &[ABOUT, SLIDE, RESTITUTION];
    let mut all = Vec::new();
    let Some((limits, restitution)) = limits_of(fields, OWN)? else {
        return Ok(all);
    };
    let mut add = |what, law| {
        all.push(Beside {
            field: "limits",
            what,
            law,
            frames: Frames::Own,
        });
    };
    if let Some([lower, upper]) = limits.get_span(&ABOUT).under("limits")? {
        let law = AngleLimit {
            lower,
            upper,
            restitution,
        };
        add("limits", Arc::new(law) as Arc<dyn Constraint>);
    }
    if let Some([lower, upper]) = limits.get_span(&SLIDE).under("limits")? {
        let law = LengthLimit {
            lower,
            upper,
            restitution,
        };
        add("slide limits", Arc::new(law));
    }
    if all.is_empty() {
        return Err(nothing_limited(OWN));
    }
    Ok(all)
}

/// Limits and friction of two axes that cross.
pub(super) fn on_cross(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    const OWN: &[Field] = &[ABOUT, ABOUT_B, RESTITUTION];
    let mut all = Vec::new();
    if let Some((limits, restitution)) = limits_of(fields, OWN)? {
        for (what, span, frames) in [
            ("limits", &ABOUT, Frames::Equal),
            ("limits b", &ABOUT_B, Frames::EqualAboutB),
        ] {
            if let Some([lower, upper]) = limits.get_span(span).under("limits")? {
                let law = AngleLimit {
                    lower,
                    upper,
                    restitution,
                };
                all.push(Beside {
                    field: "limits",
                    what,
                    law: Arc::new(law),
                    frames,
                });
            }
        }
        if all.is_empty() {
            return Err(nothing_limited(OWN));
        }
    }
    let most = fields.or(&DRY_FRICTION, 0.0)?;
    if most > 0.0 {
        for (what, frames) in [
            ("friction", Frames::Equal),
            ("friction b", Frames::EqualAboutB),
        ] {
            all.push(Beside {
                field: "friction",
                what,
                law: Arc::new(AngleServo::friction(most)),
                frames,
            });
        }
    }
    Ok(all)
}

/// Limits of a ball: swing and twist.
pub(super) fn on_ball(fields: &Fields) -> Result<Vec<Beside>, Fault> {
    const OWN: &[Field] = &[SWING, TWIST, RESTITUTION];
    let Some((limits, restitution)) = limits_of(fields, OWN)? else {
        return Ok(Vec::new());
    };
    let law = read_cone(limits, restitution).under("limits")?;
    Ok(vec![Beside {
        field: "limits",
        what: "limits",
        law: Arc::new(law),
        frames: Frames::Entry,
    }])
}

/// A cone from its fields.
pub(super) fn read_cone(fields: &Fields, restitution: f64) -> Result<ConeLimit, Fault> {
    let (swing, twist) = (fields.get_angle(&SWING)?, fields.get_span(&TWIST)?);
    if swing.is_none() && twist.is_none() {
        let hint = "give \"swing\", \"twist\" or both";
        return Err(Fault::at("", "limits nothing").hint(hint));
    }
    let [lower, upper] = twist.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    Ok(ConeLimit {
        swing: swing.unwrap_or(f64::INFINITY),
        lower,
        upper,
        restitution,
    })
}
