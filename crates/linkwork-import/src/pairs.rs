//! Which joint has the freedoms of a link.
//!
//! A body cannot hang on a joint without mass in between, so freedoms that follow each other must
//! be one joint:
//!
//! | freedoms, in order                                         | joint       |
//! |------------------------------------------------------------|-------------|
//! | none                                                       | weld        |
//! | hinge                                                      | hinge       |
//! | slide                                                      | prismatic   |
//! | ball, or three hinges through one point                    | ball        |
//! | two hinges that cross at a right angle                     | universal   |
//! | hinge and slide along the same direction, in either order  | cylindrical |
//! | two slides at a right angle, a hinge across both           | planar      |
//!
//! Freedoms with armatures or motors are joints of their own.
//!
//! Everything is at the reference, where the frames of both sides coincide, in the link's frame.

use linkwork::body::Pose;
use linkwork::math::{Vec3, cross, dot, neg, norm, scale, sub};

use crate::model::{Freedom, FreedomKind};
use crate::place::{frame_along, frame_of};

/// A joint that has given freedoms.
#[derive(Debug)]
pub(crate) struct Pair {
    /// None: nothing holds the link.
    pub(crate) kind: Option<&'static str>,
    pub(crate) frame: Pose,
    /// How each freedom's coordinate is measured; none for those of balls and free bodies.
    pub(crate) measures: Vec<Option<Measure>>,
}

/// Two frames between which a freedom's coordinate is measured: an angle about, or a length along,
/// x of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    pub(crate) frame: Pose,
    /// Whether the first frame is that on the link; else it is that on the parent.
    pub(crate) from_link: bool,
    /// Whether it is a length.
    pub(crate) length: bool,
}

impl Measure {
    fn angle(frame: Pose) -> Option<Self> {
        Some(Self {
            frame,
            from_link: false,
            length: false,
        })
    }

    fn length(frame: Pose) -> Option<Self> {
        Some(Self {
            frame,
            from_link: false,
            length: true,
        })
    }
}

/// Directions and lines agree within this: models are written with six digits or fewer.
const CLOSE: f64 = 1e-6;

/// The joint with these freedoms, if there is one.
pub(crate) fn pair(freedoms: &[&Freedom]) -> Option<Pair> {
    use FreedomKind::{Ball, Free, Hinge, Slide};
    let kinds: Vec<FreedomKind> = freedoms.iter().map(|own| own.kind).collect();
    let simple = |kind, frame, measures| {
        Some(Pair {
            kind,
            frame,
            measures,
        })
    };
    // An armature, and a motor, is on the coordinate of a joint with one freedom.
    let is_own = |own: &&Freedom| own.armature > 0.0 || own.motor.is_some();
    if freedoms.len() > 1 && freedoms.iter().any(is_own) {
        return None;
    }
    match (kinds.as_slice(), freedoms) {
        ([], _) => simple(Some("weld"), crate::place::HERE, vec![]),
        ([Hinge], [hinge]) => {
            let frame = frame_along(hinge.point, hinge.axis);
            simple(Some("hinge"), frame, vec![Measure::angle(frame)])
        }
        ([Slide], [slide]) => {
            let frame = frame_along([0.0; 3], slide.axis);
            simple(Some("prismatic"), frame, vec![Measure::length(frame)])
        }
        ([Ball], [ball]) => simple(Some("ball"), Pose::at(ball.point), vec![None]),
        ([Free], _) => simple(None, crate::place::HERE, vec![None]),
        ([Hinge, Hinge], [first, second]) => universal(first, second),
        ([Hinge, Slide], [hinge, slide]) | ([Slide, Hinge], [slide, hinge]) => {
            cylindrical(hinge, slide, kinds[0] == Slide)
        }
        ([Hinge, Hinge, Hinge], _) => ball(freedoms),
        ([Slide, Slide, Hinge], [first, second, hinge]) => planar(first, second, hinge),
        _ => None,
    }
}

/// The first axis is fixed to the parent, the second to the link.
fn universal(first: &Freedom, second: &Freedom) -> Option<Pair> {
    let center = crossing(first, second)?;
    if dot(first.axis, second.axis).abs() > CLOSE {
        return None;
    }
    let frame = frame_of(center, first.axis, second.axis);
    // The parent turns against the link by −q about the second axis, so by q about its opposite.
    let measure = Measure {
        frame: frame_of(center, neg(second.axis), first.axis),
        from_link: true,
        length: false,
    };
    Some(Pair {
        kind: Some("universal"),
        frame,
        measures: vec![Measure::angle(frame), Some(measure)],
    })
}

fn cylindrical(hinge: &Freedom, slide: &Freedom, slide_first: bool) -> Option<Pair> {
    if norm(cross(hinge.axis, slide.axis)) > CLOSE {
        return None;
    }
    let frame = frame_along(hinge.point, hinge.axis);
    let mut measures = vec![
        Measure::angle(frame),
        Measure::length(frame_along(hinge.point, slide.axis)),
    ];
    if slide_first {
        measures.reverse();
    }
    Some(Pair {
        kind: Some("cylindrical"),
        frame,
        measures,
    })
}

/// Three hinges through one point leave every rotation free, but their coordinates are lost.
fn ball(hinges: &[&Freedom]) -> Option<Pair> {
    let plain = |own: &&Freedom| {
        let is_free = own.damping == 0.0 && own.stiffness == 0.0 && own.friction == 0.0;
        is_free && !own.is_limited() && own.motor.is_none()
    };
    if !hinges.iter().all(plain) {
        return None;
    }
    let center = crossing(hinges[0], hinges[1])?;
    let from = sub(center, hinges[2].point);
    let volume = dot(hinges[0].axis, cross(hinges[1].axis, hinges[2].axis));
    if norm(cross(from, hinges[2].axis)) > CLOSE || volume.abs() < 1e-2 {
        return None;
    }
    Some(Pair {
        kind: Some("ball"),
        frame: Pose::at(center),
        measures: vec![None; 3],
    })
}

fn planar(first: &Freedom, second: &Freedom, hinge: &Freedom) -> Option<Pair> {
    let normal = cross(first.axis, second.axis);
    if dot(first.axis, second.axis).abs() > CLOSE || norm(cross(normal, hinge.axis)) > CLOSE {
        return None;
    }
    let frame = frame_of(hinge.point, hinge.axis, first.axis);
    Some(Pair {
        kind: Some("planar"),
        frame,
        measures: vec![
            Measure::length(frame_along(hinge.point, first.axis)),
            Measure::length(frame_along(hinge.point, second.axis)),
            Measure::angle(frame),
        ],
    })
}

/// Where the axes of two hinges cross, if they do.
fn crossing(first: &Freedom, second: &Freedom) -> Option<Vec3> {
    let normal = cross(first.axis, second.axis);
    let size2 = dot(normal, normal);
    if size2 < 1e-4 {
        return None;
    }
    let d = sub(second.point, first.point);
    if dot(d, normal).abs() / size2.sqrt() > CLOSE {
        return None;
    }
    // p₁ + s·a₁ = p₂ + t·a₂  ⇒  s = (d × a₂)·n/|n|².
    let s = dot(cross(d, second.axis), normal) / size2;
    Some(linkwork::math::add(first.point, scale(s, first.axis)))
}
