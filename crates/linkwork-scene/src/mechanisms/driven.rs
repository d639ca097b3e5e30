//! Linkages of the plane that are driven: straight lines, legs, copiers.
//!
//! Each turns its crank once in two seconds ("drive"); what has no crank that goes all round is
//! swung to and fro in as long. They start with the velocities that the drive asks for.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};

use linkwork::Error;
use linkwork::prelude::*;

use super::linkages::{meet, peaucellier, scissor};
use super::{gravity_down_y, moving, planar_bar};

/// One turn in two seconds.
const RATE: f64 = PI;

/// A swing about `offset` in the time of a turn.
fn swing(offset: f64, amplitude: f64) -> Sine {
    Sine {
        amplitude,
        frequency: 0.5 * RATE / PI,
        phase: 0.0,
        offset,
    }
}

/// Bars of the plane between named points; where bars meet, they are pinned.
struct Linkage {
    world: World,
    points: BTreeMap<&'static str, [f64; 2]>,
    /// What holds each point: the ground, or the bar that came first.
    holders: BTreeMap<&'static str, Connector>,
}

impl Linkage {
    fn new() -> Result<Self, Error> {
        Ok(Self {
            world: gravity_down_y()?,
            points: BTreeMap::new(),
            holders: BTreeMap::new(),
        })
    }

    /// Names a point where bars will meet.
    fn point(&mut self, name: &'static str, at: [f64; 2]) -> [f64; 2] {
        self.points.insert(name, at);
        at
    }

    /// Names a point of the ground.
    fn ground(&mut self, name: &'static str, at: [f64; 2]) -> [f64; 2] {
        self.holders.insert(name, GROUND.at(at));
        self.point(name, at)
    }

    /// A bar through points on a line, from the first to the last.
    fn bar(&mut self, label: &str, names: &[&'static str]) -> Result<BodyId, Error> {
        let at = |name: &str| self.points[name];
        let (from, to) = (at(names[0]), at(names[names.len() - 1]));
        let apart = |a: [f64; 2], b: [f64; 2]| libm::hypot(b[0] - a[0], b[1] - a[1]);
        let length = apart(from, to);
        let reaches: Vec<f64> = names.iter().map(|name| apart(from, at(name))).collect();
        let body = planar_bar(&mut self.world, label, from, to)?.body;
        for (&name, reach) in names.iter().zip(reaches) {
            let end = body.at([reach - 0.5 * length, 0.0]);
            match self.holders.get(name) {
                Some(holder) => {
                    let label = format!("{name} {label}");
                    super::pin(&mut self.world, &label, holder, &end)?;
                }
                None => {
                    self.holders.insert(name, end);
                }
            }
        }
        Ok(body)
    }

    /// Turns a bar at a constant rate, from the angle it has.
    fn turn(&mut self, body: BodyId) -> Result<(), Error> {
        let start = self.world.q(body)?[2];
        turn(&mut self.world, body, Ramp { start, rate: RATE })
    }

    fn moving(self) -> Result<World, Error> {
        moving(self.world)
    }
}

/// Drives the angle of a body of the plane.
fn turn(
    world: &mut World,
    body: BodyId,
    function: impl DriveFunction + 'static,
) -> Result<(), Error> {
    let frames = [GROUND.frame2([0.0; 2], 0.0), body.frame2([0.0; 2], 0.0)];
    world.add_constraint("drive", AngleDrive::new(function), &frames)?;
    Ok(())
}

/// Drives a point along a direction of the ground.
fn push(world: &mut World, angle: f64, point: Connector, function: Sine) -> Result<(), Error> {
    let ends = [GROUND.frame2([0.0; 2], angle), point];
    world.add_constraint("drive", LengthDrive::new(function), &ends)?;
    Ok(())
}

/// Theo Jansen's leg: eleven bars whose lengths are his "holy numbers", in centimeters. The foot is
/// the end of the bar "i"; it walks on a nearly level line for two fifths of the turn.
///
/// Two triangles (b, d, e and g, h, i) are rigid because their bars are pinned at the corners. The
/// crank "m" starts level.
pub fn jansen() -> Result<World, Error> {
    let mut leg = Linkage::new()?;
    leg.ground("axle", [0.0, 0.0]);
    let pivot = leg.ground("pivot", [-0.38, -0.078]);
    let pin = leg.point("pin", [0.15, 0.0]);
    let upper = leg.point("upper", meet(pivot, 0.415, pin, 0.5));
    let lower = leg.point("lower", meet(pin, 0.619, pivot, 0.393));
    let outer = leg.point("outer", meet(pivot, 0.401, upper, 0.558));
    let knee = leg.point("knee", meet(lower, 0.367, outer, 0.394));
    leg.point("foot", meet(lower, 0.49, knee, 0.657));
    let crank = leg.bar("m", &["axle", "pin"])?;
    for (label, from, to) in [
        ("j", "pin", "upper"),
        ("b", "pivot", "upper"),
        ("k", "pin", "lower"),
        ("c", "pivot", "lower"),
        ("e", "upper", "outer"),
        ("d", "pivot", "outer"),
        ("f", "outer", "knee"),
        ("g", "lower", "knee"),
        ("h", "knee", "foot"),
        ("i", "lower", "foot"),
    ] {
        leg.bar(label, &[from, to])?;
    }
    leg.turn(crank)?;
    leg.moving()
}

/// Chebyshev's lambda linkage, also called Hoecken's: crank 1, rocker 2.5 on a pivot 2 away, and a
/// coupler of twice 2.5 whose far end runs on a nearly straight line for half a turn.
///
/// The crank starts level; the end of "coupler" passes (2, 4) after half a turn.
pub fn chebyshev_lambda() -> Result<World, Error> {
    let mut lambda = Linkage::new()?;
    lambda.ground("axle", [0.0, 0.0]);
    let pivot = lambda.ground("pivot", [2.0, 0.0]);
    let pin = lambda.point("pin", [1.0, 0.0]);
    let middle = lambda.point("middle", meet(pin, 2.5, pivot, 2.5));
    lambda.point(
        "tracer",
        [2.0 * middle[0] - pin[0], 2.0 * middle[1] - pin[1]],
    );
    let crank = lambda.bar("crank", &["axle", "pin"])?;
    lambda.bar("rocker", &["pivot", "middle"])?;
    lambda.bar("coupler", &["pin", "middle", "tracer"])?;
    lambda.turn(crank)?;
    lambda.moving()
}

/// Chebyshev's crossed linkage: two rockers of 5 on pivots 4 apart, crossed, and a coupler of 2
/// whose middle runs on a nearly straight line. The drive swings that middle from x = 0 to 4.
pub fn chebyshev_crossed() -> Result<World, Error> {
    let mut crossed = Linkage::new()?;
    crossed.ground("left pivot", [0.0, 0.0]);
    crossed.ground("right pivot", [4.0, 0.0]);
    crossed.point("left", [1.0, 4.0]);
    crossed.point("right", [3.0, 4.0]);
    crossed.bar("rising", &["left pivot", "right"])?;
    crossed.bar("falling", &["right pivot", "left"])?;
    let coupler = crossed.bar("coupler", &["left", "right"])?;
    let middle = coupler.at([0.0, 0.0]);
    push(&mut crossed.world, 0.0, middle, swing(2.0, 2.0))?;
    crossed.moving()
}

/// Watt's linkage: arms of 2 on either side, a coupler of 1 between them whose middle runs nearly
/// straight up and down. The drive swings it by 0.8 either way.
pub fn watt() -> Result<World, Error> {
    let mut watt = Linkage::new()?;
    watt.ground("left pivot", [-2.0, 0.5]);
    watt.ground("right pivot", [2.0, -0.5]);
    watt.point("upper", [0.0, 0.5]);
    watt.point("lower", [0.0, -0.5]);
    watt.bar("left arm", &["left pivot", "upper"])?;
    watt.bar("right arm", &["right pivot", "lower"])?;
    let coupler = watt.bar("coupler", &["upper", "lower"])?;
    let middle = coupler.at([0.0, 0.0]);
    push(&mut watt.world, FRAC_PI_2, middle, swing(0.0, 0.8))?;
    watt.moving()
}

/// A pantograph about the origin that copies `ratio` times as large: a crank leads the pen (the end
/// of "inner") round a circle, and the end of "outer" draws it enlarged.
///
/// The pen is at a·w + b·u and the copy at ratio times that, w and u the directions of the two long
/// bars. A ratio below 2 is taken as 2.
pub fn pantograph(ratio: usize) -> Result<World, Error> {
    let ratio = ratio.max(2) as f64;
    let (a, b) = (1.0, 1.0);
    let mut copier = Linkage::new()?;
    let pole = copier.ground("pole", [0.0, 0.0]);
    let axle = copier.ground("axle", [1.2, 0.0]);
    let pen = copier.point("pen", [axle[0] + 0.3, axle[1]]);
    let elbow = meet(pole, a, pen, b);
    let far = |p: [f64; 2]| [ratio * p[0], ratio * p[1]];
    copier.point("elbow", elbow);
    copier.point("far elbow", far(elbow));
    copier.point("copy", far(pen));
    let guide = [
        far(elbow)[0] + pen[0] - elbow[0],
        far(elbow)[1] + pen[1] - elbow[1],
    ];
    copier.point("guide", guide);
    let crank = copier.bar("crank", &["axle", "pen"])?;
    copier.bar("arm", &["pole", "elbow", "far elbow"])?;
    copier.bar("inner", &["elbow", "pen"])?;
    copier.bar("outer", &["far elbow", "guide", "copy"])?;
    copier.bar("link", &["pen", "guide"])?;
    copier.turn(crank)?;
    copier.moving()
}

/// A Scotch yoke: the pin of a crank of 0.5 slides in the upright slot of a yoke that slides on the
/// level. The yoke is at x = r·cos ωt exactly.
pub fn scotch_yoke() -> Result<World, Error> {
    let mut yoke = Linkage::new()?;
    yoke.ground("axle", [0.0, 0.0]);
    let pin = yoke.point("pin", [0.5, 0.0]);
    let crank = yoke.bar("crank", &["axle", "pin"])?;
    let world = &mut yoke.world;
    let plate = PlanarBox {
        size: [0.2, 1.2],
        mass: 1.0,
    };
    let plate = world.add_body_at("yoke", plate, Pose::in_plane(pin, 0.0))?;
    let frames = [GROUND.frame2([0.0; 2], 0.0), plate.frame2([0.0; 2], 0.0)];
    world.add_constraint("guide", FramePair::prismatic(), &frames)?;
    let ends = [plate.frame2([0.0; 2], FRAC_PI_2), crank.at([0.25, 0.0])];
    world.add_constraint("slot", FramePair::point_in_slot(), &ends)?;
    yoke.turn(crank)?;
    yoke.moving()
}

/// [`peaucellier`] with its crank swung from 20° to 100°. It cannot go all round: beyond 120° the
/// rhombus is stretched, and at 0° B meets D and the rhombus may fold another way.
pub fn peaucellier_driven() -> Result<World, Error> {
    let mut world = peaucellier()?;
    if let Some(crank) = world.find_body("crank") {
        let swing = swing(world.q(crank)?[2], 40.0 * PI / 180.0);
        turn(&mut world, crank, swing)?;
    }
    moving(world)
}

/// [`scissor`] with its sliding foot pushed to and fro, between 0.95 and 0.6 of a bar from the
/// other and back; it starts where [`scissor`] does.
pub fn scissor_driven(n: usize) -> Result<World, Error> {
    let mut world = scissor(n)?;
    if let Some(bar) = world.find_body("falling 0") {
        let foot = bar.at([0.5, 0.0]);
        let start = world.position_world(&foot)?[0];
        let (offset, amplitude) = (0.775, 0.175);
        let function = Sine {
            phase: libm::asin((start - offset) / amplitude),
            ..swing(offset, amplitude)
        };
        push(&mut world, 0.0, foot, function)?;
    }
    moving(world)
}
