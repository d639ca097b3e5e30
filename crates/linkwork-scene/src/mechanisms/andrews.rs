//! Andrews' squeezing mechanism, in the plane and in space.
//!
//! References: IVP test set (Mazzia and Magherini), problem "Andrews"; IFToMM A03.

use linkwork::Error;
use linkwork::prelude::*;

/// One of the seven bodies: its frame is at its first pin and turned by the angle of the problem's
/// coordinates.
struct Part {
    label: &'static str,
    mass: f64,
    inertia: f64,
    origin: [f64; 2],
    angle: f64,
    com_body: [f64; 2],
}

/// A part (or the ground) and a point on it, and the same of another part.
type Pin = (&'static str, [f64; 2], &'static str, [f64; 2]);

const BETA: f64 = -0.061_713_890_014_276_45;
const GAMMA: f64 = 0.455_279_819_163_070_4;
const PHI: f64 = 0.222_668_390_165_885_88;
const DELTA: f64 = 0.487_364_979_543_842_55;
const EPSILON: f64 = 1.230_547_444_549_821_2;

const A: [f64; 2] = [-0.069_34, -0.002_27];
const B: [f64; 2] = [-0.036_35, 0.032_73];
const C: [f64; 2] = [0.014, 0.072];
/// The spring's point on K3.
const D_BODY: [f64; 2] = [0.02, -0.018];
const SPRING: (f64, f64) = (4530.0, 0.077_85);
const TORQUE: f64 = 0.033;

fn from(origin: [f64; 2], angle: f64, p: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = libm::sincos(angle);
    [
        origin[0] + cos * p[0] - sin * p[1],
        origin[1] + sin * p[0] + cos * p[1],
    ]
}

fn parts() -> [Part; 7] {
    let f = from([0.0; 2], BETA, [0.007, 0.0]);
    let g = from(A, DELTA, [0.04, 0.0]);
    let h = from(A, EPSILON, [0.0, -0.04]);
    let part = |label, mass, inertia, origin, angle, com_body| Part {
        label,
        mass,
        inertia,
        origin,
        angle,
        com_body,
    };
    // Θ = 0 and Ω = −Φ at the start.
    [
        part("K1", 0.043_25, 2.194e-6, [0.0; 2], BETA, [0.000_92, 0.0]),
        part("K2", 0.003_65, 4.410e-7, f, BETA, [-0.0115, 0.0]),
        part("K3", 0.023_73, 5.255e-6, B, GAMMA, [0.010_43, -0.018_74]),
        part("K4", 0.007_06, 5.667e-7, g, PHI + DELTA, [0.0, -0.005_79]),
        part("K5", 0.070_50, 1.169e-5, A, DELTA, [0.023_08, 0.009_16]),
        part("K6", 0.007_06, 5.667e-7, h, EPSILON - PHI, [0.005_79, 0.0]),
        part("K7", 0.054_98, 1.912e-5, A, EPSILON, [-0.004_49, -0.012_28]),
    ]
}

/// The point E is where four bodies meet; K2 carries the other three.
const PINS: [(&str, Pin); 10] = [
    ("O", ("ground", [0.0; 2], "K1", [0.0; 2])),
    ("F", ("K1", [0.007, 0.0], "K2", [0.0; 2])),
    ("B", ("ground", B, "K3", [0.0; 2])),
    ("E K3", ("K3", [0.0, -0.035], "K2", [-0.028, 0.0])),
    ("E K4", ("K4", [0.0, -0.02], "K2", [-0.028, 0.0])),
    ("E K6", ("K6", [0.02, 0.0], "K2", [-0.028, 0.0])),
    ("G", ("K5", [0.04, 0.0], "K4", [0.0; 2])),
    ("A K5", ("ground", A, "K5", [0.0; 2])),
    ("H", ("K7", [0.0, -0.04], "K6", [0.0; 2])),
    ("A K7", ("ground", A, "K7", [0.0; 2])),
];

fn body(world: &World, label: &str) -> BodyId {
    // "ground" is no body's label.
    world.find_body(label).unwrap_or(GROUND)
}

/// The seven-body mechanism of the plane: ten pins, one degree of freedom, a constant torque on the
/// crank K1, a spring between K3 and the ground, no gravity. At rest at the problem's start.
///
/// The pins of E are "E K3", "E K4" and "E K6", each measured from that body to K2.
pub fn andrews() -> Result<World, Error> {
    let mut world = World::new();
    for part in parts() {
        let shape = PlanarBody {
            mass: part.mass,
            inertia: part.inertia,
            com_body: part.com_body,
            outline: None,
        };
        let pose = Pose::in_plane(part.origin, part.angle);
        world.add_body_at(part.label, shape, pose)?;
    }
    for (label, (a, on_a, b, on_b)) in PINS {
        let ends = [body(&world, a).at(on_a), body(&world, b).at(on_b)];
        world.add_constraint(label, FramePair::ball(), &ends)?;
    }
    let (crank, plate) = (body(&world, "K1"), body(&world, "K3"));
    let frames = [GROUND.frame2([0.0; 2], 0.0), crank.frame2([0.0; 2], 0.0)];
    world.add_behavior("motor", Motor { torque: TORQUE }, &frames)?;
    let spring = Spring {
        stiffness: SPRING.0,
        rest_length: SPRING.1,
        damping: 0.0,
    };
    world.add_behavior("spring", spring, &[GROUND.at(C), plate.at(D_BODY)])?;
    Ok(world)
}

/// The same mechanism of bodies in space and hinges about z: each of its loops repeats rows, and
/// the answer must be that of the plane.
pub fn andrews_3d() -> Result<World, Error> {
    let space = |p: [f64; 2]| [p[0], p[1], 0.0];
    let z = [0.0, 0.0, 1.0];
    let mut world = World::new();
    for part in parts() {
        // Only the moment about z plays a part; the others are those of a thick plate.
        let i = part.inertia;
        let shape = RigidBody::new(MassProperties {
            mass: part.mass,
            com_body: space(part.com_body),
            inertia_body: [0.6 * i, 0.6 * i, i, 0.0, 0.0, 0.0],
        });
        let pose = Pose::in_plane(part.origin, part.angle);
        world.add_body_at(part.label, shape, pose)?;
    }
    for (label, (a, on_a, b, on_b)) in PINS {
        let (a, b) = (body(&world, a), body(&world, b));
        let hinge = Hinge { axis_world: z };
        world.join(label, hinge, a.at(space(on_a)), b.at(space(on_b)))?;
    }
    let (crank, plate) = (body(&world, "K1"), body(&world, "K3"));
    let frames = [
        GROUND.frame_along([0.0; 3], z),
        crank.frame_along([0.0; 3], z),
    ];
    world.add_behavior("motor", Motor { torque: TORQUE }, &frames)?;
    let spring = Spring {
        stiffness: SPRING.0,
        rest_length: SPRING.1,
        damping: 0.0,
    };
    let ends = [GROUND.at(space(C)), plate.at(space(D_BODY))];
    world.add_behavior("spring", spring, &ends)?;
    Ok(world)
}
