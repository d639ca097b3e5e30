//! Six legs of Theo Jansen's on one crankshaft.

use std::f64::consts::{PI, TAU};

use linkwork::Error;
use linkwork::prelude::*;

use super::linkages::meet;
use super::{gravity_down_y, join_at, moving};
use crate::strings::rod;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Jansen's fixed pivot, from the axle.
const PIVOT: [f64; 2] = [-0.38, -0.078];

/// Length of the crank.
const CRANK: f64 = 0.15;

/// Six legs, three on each side, mirrored. Each pair shares one of three crank pins, 120° apart; the
/// crankshaft turns in a chassis once in two seconds ("drive"). The chassis stands on a stand, welded
/// to it: there is no contact yet, and the feet tread the air.
///
/// The two rigid triangles of a leg are plates here, "left 0 thigh" and "left 0 shank"; the foot is
/// the far corner of the shank. A leg has the lengths of [`super::jansen`], in meters.
pub fn jansen_walker() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let chassis = Cuboid {
        size: [0.8, 0.04, 1.1],
        mass: 5.0,
    };
    let at = [0.0, PIVOT[1], 0.0];
    let chassis = world.add_body_at("chassis", chassis, Pose::at(at))?;
    join_at(&mut world, "stand", Weld, (GROUND, chassis), at)?;
    let shaft = Cylinder {
        radius: CRANK,
        length: 1.0,
        mass: 2.0,
    };
    // The cylinder's axis is x of its body frame; here it lies along z.
    let pose = Pose::turned([0.0; 3], [0.0, -0.5 * PI, 0.0]);
    let shaft = world.add_body_at("crankshaft", shaft, pose)?;
    let hinge = Hinge { axis_world: Z };
    let axle = join_at(&mut world, "axle", hinge, (chassis, shaft), [0.0; 3])?;
    for throw in 0..3 {
        let angle = TAU * f64::from(throw) / 3.0;
        let z = 0.4 * f64::from(throw - 1);
        for (side, mirror) in [("left", 1.0), ("right", -1.0)] {
            let leg = Leg {
                label: format!("{side} {throw}"),
                mirror,
                // Mirrored legs lie side by side on the pin.
                z: z + 0.03 * mirror,
                crank: angle,
            };
            leg.add(&mut world, chassis, shaft)?;
        }
    }
    // The axle's frames lie in each other as the legs are made: the angle is 0.
    let frames = world.constraint_record(axle)?.connectors().to_vec();
    let function = Ramp {
        start: 0.0,
        rate: PI,
    };
    world.add_constraint("drive", AngleDrive::new(function), &frames)?;
    moving(world)
}

/// Where a leg is.
struct Leg {
    label: String,
    /// 1, or −1 for one that is mirrored at x = 0.
    mirror: f64,
    z: f64,
    /// The angle of its crank.
    crank: f64,
}

impl Leg {
    fn add(&self, world: &mut World, chassis: BodyId, shaft: BodyId) -> Result<(), Error> {
        let (sin, cos) = libm::sincos(self.crank);
        // A mirrored leg is made where it is not, and put in its place.
        let pin = [self.mirror * CRANK * cos, CRANK * sin];
        let upper = meet(PIVOT, 0.415, pin, 0.5);
        let lower = meet(pin, 0.619, PIVOT, 0.393);
        let outer = meet(PIVOT, 0.401, upper, 0.558);
        let knee = meet(lower, 0.367, outer, 0.394);
        let foot = meet(lower, 0.49, knee, 0.657);
        let space = |p: [f64; 2]| [self.mirror * p[0], p[1], self.z];
        let name = |part: &str| format!("{} {part}", self.label);
        let mut bar = |part: &str, from, to| -> Result<BodyId, Error> {
            let ends = (space(from), space(to));
            let length = linkwork::math::norm(linkwork::math::sub(ends.1, ends.0));
            Ok(rod(world, &name(part), ends, 0.012, length)?.0)
        };
        let j = bar("j", pin, upper)?;
        let k = bar("k", pin, lower)?;
        let c = bar("c", PIVOT, lower)?;
        let f = bar("f", outer, knee)?;
        let thigh = plate(world, &name("thigh"), [PIVOT, upper, outer].map(space))?;
        let shank = plate(world, &name("shank"), [lower, knee, foot].map(space))?;
        for (part, pair, at) in [
            ("pin j", (shaft, j), pin),
            ("pin k", (shaft, k), pin),
            ("pivot thigh", (chassis, thigh), PIVOT),
            ("pivot c", (chassis, c), PIVOT),
            ("upper", (j, thigh), upper),
            ("lower k", (k, shank), lower),
            ("lower c", (c, shank), lower),
            ("outer", (thigh, f), outer),
            ("knee", (f, shank), knee),
        ] {
            let hinge = Hinge { axis_world: Z };
            join_at(world, &name(part), hinge, pair, space(at))?;
        }
        Ok(())
    }
}

/// A triangular plate, 1 cm thick, across z, about the middle of its corners.
fn plate(world: &mut World, label: &str, corners: [[f64; 3]; 3]) -> Result<BodyId, Error> {
    let [a, b, c] = corners;
    let middle = [0, 1, 2].map(|k| (a[k] + b[k] + c[k]) / 3.0);
    // Counter-clockwise as seen from +z.
    let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let corners = if turn > 0.0 { [a, b, c] } else { [a, c, b] };
    let layer = |z: f64| corners.map(|p| [p[0] - middle[0], p[1] - middle[1], z]);
    let mesh = TriangleMesh {
        vertices: [layer(-0.005), layer(0.005)].concat(),
        triangles: vec![
            [0, 2, 1],
            [3, 4, 5],
            [0, 1, 4],
            [0, 4, 3],
            [1, 2, 5],
            [1, 5, 4],
            [2, 0, 3],
            [2, 3, 5],
        ],
        density: 700.0,
    };
    world.add_body_at(label, mesh, Pose::at(middle))
}
