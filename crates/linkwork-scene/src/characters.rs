//! People: sixteen solids each, hung on strings, bound to each other, pulled apart.
//!
//! y is up, gravity is 9.81, and everyone is at rest and faces along z. Left is x.

use std::f64::consts::FRAC_PI_2;

use linkwork::Error;
use linkwork::connector::Connector;
use linkwork::math::{Vec3, add, cross, scale};
use linkwork::prelude::*;
use linkwork::world::{Joint, PointInSlot};

use crate::mechanisms::{gravity_down_y, join_at, point_on};
use crate::strings::{Twine, rod, string};

/// Where a character stands and how.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stance {
    /// The ground between the feet.
    at: Vec3,
    /// Height as a part of 1.8 m; masses go with its cube (75 kg at 1).
    size: f64,
    /// Angle of the arms from hanging to the sides.
    arms: f64,
}

/// What a character can be held by: left first.
#[derive(Clone, Debug)]
struct Character {
    hands: [Connector; 2],
    feet: [Connector; 2],
    shoulders: [Connector; 2],
}

/// Builds a character, part by part, from the pelvis outwards.
struct Tailor<'a> {
    world: &'a mut World,
    /// Put before every label.
    prefix: &'a str,
    stance: Stance,
}

const FORWARD: Vec3 = [0.0, 0.0, 1.0];

impl Tailor<'_> {
    /// A place given for a character of size one that stands at the origin.
    fn place(&self, x: Vec3) -> Vec3 {
        add(self.stance.at, scale(self.stance.size, x))
    }

    fn mass(&self, mass: f64) -> f64 {
        mass * self.stance.size * self.stance.size * self.stance.size
    }

    fn label(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// A block about `center`.
    fn block(
        &mut self,
        name: &str,
        center: Vec3,
        size: [f64; 3],
        mass: f64,
    ) -> Result<BodyId, Error> {
        let block = Cuboid {
            size: size.map(|edge| self.stance.size * edge),
            mass: self.mass(mass),
        };
        let (label, pose) = (self.label(name), Pose::at(self.place(center)));
        self.world.add_body_at(&label, block, pose)
    }

    /// A rod between two points.
    fn bone(
        &mut self,
        name: &str,
        ends: (Vec3, Vec3),
        radius: f64,
        mass: f64,
    ) -> Result<BodyId, Error> {
        let ends = (self.place(ends.0), self.place(ends.1));
        let (label, mass) = (self.label(name), self.mass(mass));
        let (body, _) = rod(self.world, &label, ends, self.stance.size * radius, mass)?;
        Ok(body)
    }

    fn join(
        &mut self,
        name: &str,
        joint: impl Joint,
        pair: (BodyId, BodyId),
        at: Vec3,
    ) -> Result<(), Error> {
        let (label, at) = (self.label(name), self.place(at));
        join_at(self.world, &label, joint, pair, at)?;
        Ok(())
    }

    /// Three bodies in a row from a ball joint: `bodies` with a hinge and a universal joint between
    /// them, both of which bend forwards and backwards from the direction `down`.
    fn limb(
        &mut self,
        names: &[String; 3],
        trunk: BodyId,
        bodies: [BodyId; 3],
        points: [Vec3; 3],
        down: Vec3,
    ) -> Result<(), Error> {
        let axis_world = cross(down, FORWARD);
        let both = Universal {
            axis_a_world: axis_world,
            axis_b_world: FORWARD,
        };
        self.join(&names[0], Ball, (trunk, bodies[0]), points[0])?;
        let hinge = Hinge { axis_world };
        self.join(&names[1], hinge, (bodies[0], bodies[1]), points[1])?;
        self.join(&names[2], both, (bodies[1], bodies[2]), points[2])
    }

    fn arm(&mut self, side: &str, x: f64, chest: BodyId) -> Result<Connector, Error> {
        let (sin, cos) = libm::sincos(self.stance.arms);
        let down = [x * sin, -cos, 0.0];
        let shoulder = [0.19 * x, 1.47, 0.0];
        let reach = |length: f64| add(shoulder, scale(length, down));
        let (elbow, wrist, tip) = (reach(0.30), reach(0.56), reach(0.75));
        let name = |part: &str| format!("{side} {part}");
        let bodies = [
            self.bone(&name("upper arm"), (shoulder, elbow), 0.045, 2.1)?,
            self.bone(&name("lower arm"), (elbow, wrist), 0.035, 1.2)?,
            self.bone(&name("hand"), (wrist, tip), 0.03, 0.45)?,
        ];
        let joints = ["shoulder", "elbow", "wrist"].map(name);
        self.limb(&joints, chest, bodies, [shoulder, elbow, wrist], down)?;
        point_on(self.world, bodies[2], self.place(tip))
    }

    fn leg(&mut self, side: &str, x: f64, pelvis: BodyId) -> Result<Connector, Error> {
        let at = |height: f64, forward: f64| [0.1 * x, height, forward];
        let (hip, knee, ankle) = (at(0.93, 0.0), at(0.50, 0.0), at(0.09, 0.0));
        let name = |part: &str| format!("{side} {part}");
        let foot = (at(0.045, 0.06), [0.09, 0.09, 0.26]);
        let bodies = [
            self.bone(&name("upper leg"), (hip, knee), 0.075, 7.5)?,
            self.bone(&name("lower leg"), (knee, ankle), 0.055, 3.5)?,
            self.block(&name("foot"), foot.0, foot.1, 1.1)?,
        ];
        let joints = ["hip", "knee", "ankle"].map(name);
        let down = [0.0, -1.0, 0.0];
        self.limb(&joints, pelvis, bodies, [hip, knee, ankle], down)?;
        point_on(self.world, bodies[2], self.place(at(0.0, 0.06)))
    }

    fn make(&mut self) -> Result<Character, Error> {
        let up = |y: f64| [0.0, y, 0.0];
        let pelvis = self.block("pelvis", up(0.975), [0.34, 0.15, 0.2], 10.6)?;
        let spine = self.block("spine", up(1.15), [0.28, 0.2, 0.18], 10.4)?;
        let chest = self.block("chest", up(1.385), [0.36, 0.27, 0.22], 16.2)?;
        let head = self.block("head", up(1.66), [0.16, 0.28, 0.2], 6.0)?;
        self.join("waist", Ball, (pelvis, spine), up(1.05))?;
        self.join("back", Ball, (spine, chest), up(1.25))?;
        self.join("neck", Ball, (chest, head), up(1.52))?;
        let hands = [
            self.arm("left", 1.0, chest)?,
            self.arm("right", -1.0, chest)?,
        ];
        let feet = [
            self.leg("left", 1.0, pelvis)?,
            self.leg("right", -1.0, pelvis)?,
        ];
        let [left, right] = [1.0, -1.0].map(|x| self.place([0.15 * x, 1.52, 0.0]));
        let shoulders = [
            point_on(self.world, chest, left)?,
            point_on(self.world, chest, right)?,
        ];
        Ok(Character {
            hands,
            feet,
            shoulders,
        })
    }
}

fn character(world: &mut World, prefix: &str, stance: Stance) -> Result<Character, Error> {
    Tailor {
        world,
        prefix,
        stance,
    }
    .make()
}

const UPRIGHT: Stance = Stance {
    at: [0.0; 3],
    size: 1.0,
    arms: FRAC_PI_2,
};

/// A person on four strings of six rods, at the hands and the shoulders. The hooks are above, behind
/// and outside, so that let go it swings down and all limbs with it.
///
/// The strings are `slack` per cent longer than their way and begin in zigzag: with some slack it
/// first drops until they are taut, all at once, as hard as a string can pull.
pub fn humanoid_on_strings(slack: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let person = character(&mut world, "", UPRIGHT)?;
    let twine = Twine {
        n: 6,
        slack: 0.01 * slack as f64,
        radius: 0.02,
        mass: 0.2,
    };
    let holds = [
        ("left hand string", &person.hands[0], 0.5),
        ("right hand string", &person.hands[1], -0.5),
        ("left string", &person.shoulders[0], 0.3),
        ("right string", &person.shoulders[1], -0.3),
    ];
    for (label, hold, out) in holds {
        let [x, _, z] = world.position_world(hold)?;
        let hook = GROUND.at([x + out, 3.5, z - 0.8]);
        string(&mut world, label, (hook, *hold), &twine)?;
    }
    Ok(world)
}

/// `n` people of different sizes in a row who shall take each other's hands and put their feet
/// together, and do not yet (Faure 1998, fig. 3). Those at the ends shall reach out for a rail with a
/// hand and a foot. Twelve have the 758 rows of the paper.
///
/// The bindings "hands 0", "feet 0", "first hand", … are open at the start.
pub fn crowd(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let mut neighbor: Option<(Character, Stance)> = None;
    let mut rails = Vec::new();
    for i in 0..n {
        // The golden section spreads sizes evenly and repeats none.
        let size = 0.7 + 0.6 * (0.618_033_988_749_895 * i as f64).fract();
        let x = match &neighbor {
            Some((_, stance)) => stance.at[0] - 0.55 * (stance.size + size),
            None => 0.0,
        };
        let stance = Stance {
            at: [x, 0.0, 0.0],
            size,
            arms: 1.0,
        };
        let person = character(&mut world, &format!("{i} "), stance)?;
        if let Some((left, _)) = neighbor {
            let pairs = [
                ("hands", &left.hands[1], &person.hands[0]),
                ("feet", &left.feet[1], &person.feet[0]),
            ];
            for (label, a, b) in pairs {
                let label = format!("{label} {}", i - 1);
                world.join(&label, Ball, *a, *b)?;
            }
        } else {
            rails.push(("first", 0, 1.0, person.clone()));
        }
        neighbor = Some((person, stance));
    }
    if let Some((person, _)) = neighbor {
        rails.push(("last", 1, -1.0, person));
    }
    // A hand slides along its rail, and so does a foot: two rows each.
    let rail = PointInSlot {
        axis_world: FORWARD,
    };
    for (who, side, out, person) in rails {
        for (part, end) in [("hand", person.hands[side]), ("foot", person.feet[side])] {
            let [x, y, z] = world.position_world(&end)?;
            let hold = GROUND.at([x + 0.1 * out, y, z]);
            world.join(&format!("{who} {part}"), rail, hold, end)?;
        }
    }
    Ok(world)
}
