//! What cannot be meant is refused by name, and the world is exactly as before.

use linkwork::body::{
    Body, FixedPose, IntoBody, MassKind, MassProperties, Momentum, PlanarBody, Sheet, Spin, Troid,
};
use linkwork::connector::{Connector, ConnectorKind, ConnectorMut, Site};
use linkwork::constraint::{FramePair, ScalarEquals, SpinRelation};
use linkwork::prelude::*;

use crate::bits;

struct Known {
    world: World,
    rod: BodyId,
    other: BodyId,
    particle: BodyId,
    flat: BodyId,
    troid: BodyId,
    moved: BodyId,
    joint: ConstraintId,
    rope: ConstraintId,
    spring: BehaviorId,
    /// Ids that are gone, and ids of another world.
    gone: (BodyId, ConstraintId, BehaviorId),
    foreign: (BodyId, ConstraintId, BehaviorId),
}

fn good_rod() -> Rod {
    Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    }
}

fn good_spring() -> Spring {
    Spring {
        stiffness: 10.0,
        rest_length: 0.5,
        damping: 0.1,
    }
}

fn known() -> Known {
    let build = || {
        let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
        let gone = world.add_body("gone", good_rod()).unwrap();
        let rod = world.add_body("rod", good_rod()).unwrap();
        let at = [GROUND.at([0.0; 3]), gone.at([0.0; 3])];
        let gone_joint = world
            .add_constraint("gone", FramePair::ball(), &at)
            .unwrap();
        let gone_spring = world.add_behavior("gone", good_spring(), &at).unwrap();
        world.remove_body(gone).unwrap();
        let other = world
            .add_body_at("other", good_rod(), Pose::at([1.0, 0.2, 0.1]))
            .unwrap();
        let joint = world
            .join(
                "joint",
                Ball,
                GROUND.at([-0.5, 0.0, 0.0]),
                rod.at([-0.5, 0.0, 0.0]),
            )
            .unwrap();
        let at = [rod.at([0.5, 0.0, 0.0]), other.at([0.5, 0.0, 0.0])];
        let rope = world
            .add_constraint("rope", Distance { length: 1.0 }, &at)
            .unwrap();
        let spring = world.add_behavior("spring", good_spring(), &at).unwrap();
        (
            world,
            rod,
            other,
            joint,
            rope,
            spring,
            (gone, gone_joint, gone_spring),
        )
    };
    let (mut world, rod, other, joint, rope, spring, gone) = build();
    let (_, rod_elsewhere, _, joint_elsewhere, _, spring_elsewhere, _) = build();
    let particle = world.add_body("particle", Particle { mass: 1.0 }).unwrap();
    let disc = PlanarDisc {
        radius: 0.3,
        mass: 1.0,
    };
    let flat = world.add_body("flat", disc).unwrap();
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([1.0, 1.0], 1.0).unwrap(),
        stiffness: 1.0,
        area_stiffness: 1.0,
        damping: 0.0,
    };
    let troid = world.add_body("troid", troid).unwrap();
    let moved = Kinematic::new(FixedPose(Pose::at([0.0, 1.0, 0.0])));
    let moved = world.add_body("moved", moved).unwrap();
    Known {
        world,
        rod,
        other,
        particle,
        flat,
        troid,
        moved,
        joint,
        rope,
        spring,
        gone,
        foreign: (rod_elsewhere, joint_elsewhere, spring_elsewhere),
    }
}

/// Tries an edit; it must be refused in these words and leave no trace.
fn refuse<T: std::fmt::Debug>(
    words: &[&str],
    edit: impl FnOnce(&mut World, &Known) -> Result<T, Error>,
) {
    let known = known();
    let mut world = known.world.clone();
    let before = format!("{world:?}");
    let error = match edit(&mut world, &known) {
        Err(error) => error.to_string(),
        Ok(accepted) => panic!("accepted what should read {words:?}: {accepted:?}"),
    };
    for word in words {
        assert!(error.contains(word), "\"{error}\" lacks \"{word}\"");
    }
    assert!(!error.ends_with('.'), "\"{error}\" ends with a full stop");
    assert_eq!(format!("{world:?}"), before, "{error}: the world changed");
    assert_eq!(
        bits(&world),
        bits(&known.world),
        "{error}: the motion changed"
    );
}

/// Adds a body that must be refused for a field.
fn refuse_body(field: &str, advice: &str, body: impl IntoBody) {
    refuse(&["body \"new\"", field, advice], |world, _| {
        world.add_body("new", body)
    });
}

const BAD: [f64; 5] = [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
const POSITIVE: &str = "give a finite number greater than zero";

#[test]
fn bodies() {
    for bad in BAD {
        for (field, rod) in [
            (
                "length",
                Rod {
                    length: bad,
                    ..good_rod()
                },
            ),
            (
                "radius",
                Rod {
                    radius: bad,
                    ..good_rod()
                },
            ),
            (
                "mass",
                Rod {
                    mass: bad,
                    ..good_rod()
                },
            ),
        ] {
            refuse_body(field, POSITIVE, rod);
        }
        refuse_body("mass", POSITIVE, Particle { mass: bad });
        refuse_body(
            "size",
            POSITIVE,
            Cuboid {
                size: [1.0, bad, 1.0],
                mass: 1.0,
            },
        );
        refuse_body(
            "mass",
            POSITIVE,
            Cuboid {
                size: [1.0; 3],
                mass: bad,
            },
        );
        refuse_body(
            "radius",
            POSITIVE,
            Sphere {
                radius: bad,
                mass: 1.0,
            },
        );
        refuse_body(
            "mass",
            POSITIVE,
            Sphere {
                radius: 1.0,
                mass: bad,
            },
        );
        refuse_body(
            "thickness",
            POSITIVE,
            Disc {
                radius: 1.0,
                thickness: bad,
                mass: 1.0,
            },
        );
        refuse_body(
            "length",
            POSITIVE,
            Cylinder {
                radius: 1.0,
                length: bad,
                mass: 1.0,
            },
        );
        refuse_body(
            "length",
            POSITIVE,
            PlanarRod {
                length: bad,
                mass: 1.0,
            },
        );
        refuse_body(
            "radius",
            POSITIVE,
            PlanarDisc {
                radius: bad,
                mass: 1.0,
            },
        );
        refuse_body(
            "size",
            POSITIVE,
            PlanarBox {
                size: [1.0, bad],
                mass: 1.0,
            },
        );
        let flat = PlanarBody {
            mass: 1.0,
            inertia: bad,
            com_body: [0.0; 2],
            outline: None,
        };
        refuse_body("inertia", POSITIVE, flat);
        refuse_body(
            "mass",
            POSITIVE,
            RigidBody::new(MassProperties::centered(bad, [1.0; 3])),
        );
        let moments = [1.0, bad, 1.0];
        refuse_body(
            "inertia_body",
            "",
            RigidBody::new(MassProperties::centered(1.0, moments)),
        );
    }
    for bad in NOT_FINITE {
        let properties = MassProperties {
            com_body: [0.0, bad, 0.0],
            ..MassProperties::centered(1.0, [1.0; 3])
        };
        refuse_body(
            "com_body",
            "give finite numbers",
            RigidBody::new(properties),
        );
        let spin = Spin {
            start: Pose::at([0.0; 3]),
            point_world: [0.0; 3],
            axis_world: [0.0, 0.0, 1.0],
            rate: bad,
        };
        refuse_body("rate", "give finite numbers", Kinematic::new(spin));
    }
    let flat_inertia = MassProperties::centered(1.0, [1.0, 1.0, 2.5]);
    refuse_body(
        "inertia_body",
        "greater than the sum of the other two",
        RigidBody::new(flat_inertia),
    );
    let troid = |stiffness: f64| Troid {
        outline: None,
        sheet: Sheet::rectangle([1.0, 1.0], 1.0).unwrap(),
        stiffness,
        area_stiffness: 0.0,
        damping: 0.0,
    };
    refuse_body("stiffness", "zero or greater", troid(-1.0));
    refuse(&["body \"rod\"", "choose a different one"], |world, _| {
        world.add_body("rod", good_rod())
    });
    refuse(
        &["body \"ground\"", "choose a different one"],
        |world, _| world.add_body("ground", good_rod()),
    );
    refuse(&["label", "name it"], |world, _| {
        world.add_body("", good_rod())
    });
    refuse(&["body \"rod\"", "mass", POSITIVE], |world, known| {
        world.replace_body(
            known.rod,
            Rod {
                mass: -1.0,
                ..good_rod()
            },
        )
    });
    refuse(&["body \"rod\"", "n_q", "takes 7"], |world, known| {
        world.replace_body(known.rod, Particle { mass: 1.0 })
    });
}

#[test]
fn positions_and_velocities() {
    for bad in NOT_FINITE {
        refuse(
            &["body \"new\"", "position", "give finite numbers"],
            |world, _| world.add_body_at("new", good_rod(), Pose::at([0.0, bad, 0.0])),
        );
        refuse(
            &["body \"rod\"", "position", "give finite numbers"],
            |world, known| world.set_pose(known.rod, Pose::at([bad, 0.0, 0.0])),
        );
        refuse(
            &["body \"rod\"", "position", "give finite numbers"],
            |world, known| world.set_q(known.rod, &[bad, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        );
        refuse(
            &["body \"particle\"", "position", "give finite numbers"],
            |world, known| world.set_q(known.particle, &[0.0, bad, 0.0]),
        );
        refuse(
            &["body \"rod\"", "velocity", "give finite numbers"],
            |world, known| world.set_v(known.rod, &[0.0, 0.0, bad, 0.0, 0.0, 0.0]),
        );
        refuse(&["time", "world"], |world, _| world.set_time(bad));
        refuse(&["state", "\"rod\"", "check"], |world, _| {
            let mut state = world.state().clone();
            state.q[0] = bad;
            world.set_state(state)
        });
        refuse(&["time", "check"], |world, _| {
            let mut state = world.state().clone();
            state.t = bad;
            world.set_state(state)
        });
        refuse(&["multipliers", "\"joint\"", "check"], |world, _| {
            let mut state = world.state().clone();
            state.lambda[1] = bad;
            world.set_state(state)
        });
    }
    refuse(
        &["body \"rod\"", "rotation", "give one of length 1"],
        |world, known| {
            let rotation = [0.0; 4];
            world.set_pose(
                known.rod,
                Pose {
                    position: [0.0; 3],
                    rotation,
                },
            )
        },
    );
    refuse(&["body \"rod\"", "position", "takes 7"], |world, known| {
        world.set_q(known.rod, &[0.0; 3])
    });
    refuse(&["body \"rod\"", "velocity", "takes 6"], |world, known| {
        world.set_v(known.rod, &[0.0; 7])
    });
    refuse(&["body \"flat\"", "position", "z = 0"], |world, known| {
        world.set_pose(known.flat, Pose::at([0.0, 0.0, 1.0]))
    });
    refuse(&["body \"moved\"", "pose", "prescribed"], |world, known| {
        world.set_pose(known.moved, Pose::at([0.0; 3]))
    });
    refuse(&["body \"rod\"", "rotation"], |world, _| {
        let mut state = world.state().clone();
        state.q[3..7].fill(0.0);
        world.set_state(state)
    });
    refuse(&["world", "state"], |world, _| {
        let mut state = world.state().clone();
        state.v.push(0.0);
        world.set_state(state)
    });
}

#[test]
fn ids() {
    let removed = "was removed; add it again or restore";
    let foreign = "belongs to another world; use an id of this world";
    type Pick = fn(&Known) -> (BodyId, ConstraintId, BehaviorId);
    let stale: [(Pick, &str); 2] = [
        (|known| known.gone, removed),
        (|known| known.foreign, foreign),
    ];
    for (pick, words) in stale {
        let body = ["body #", words];
        refuse(&body, |world, known| world.remove_body(pick(known).0));
        refuse(&body, |world, known| world.set_v(pick(known).0, &[0.0; 6]));
        refuse(&body, |world, known| world.set_q(pick(known).0, &[0.0; 7]));
        refuse(&body, |world, known| {
            world.set_pose(pick(known).0, Pose::at([0.0; 3]))
        });
        refuse(&body, |world, known| {
            world.replace_body(pick(known).0, good_rod())
        });
        refuse(&body, |world, known| {
            world.set_body_enabled(pick(known).0, false)
        });
        refuse(&body, |world, known| {
            world.join(
                "new",
                Ball,
                known.rod.at([0.0; 3]),
                pick(known).0.at([0.0; 3]),
            )
        });
        refuse(&body, |world, known| {
            let hinge = Hinge {
                axis_world: [0.0, 0.0, 1.0],
            };
            world.join(
                "new",
                hinge,
                known.rod.at([0.0; 3]),
                pick(known).0.at([0.0; 3]),
            )
        });
        refuse(&body, |world, known| {
            let at = [known.rod.at([0.0; 3]), pick(known).0.at([0.0; 3])];
            world.add_behavior("new", good_spring(), &at)
        });
        let constraint = ["constraint #", words];
        refuse(&constraint, |world, known| {
            world.remove_constraint(pick(known).1)
        });
        refuse(&constraint, |world, known| {
            world.set_priority(pick(known).1, 1)
        });
        refuse(&constraint, |world, known| {
            world.set_weight(pick(known).1, 1.0)
        });
        refuse(&constraint, |world, known| {
            world.set_compliance(pick(known).1, &[0.0; 3])
        });
        refuse(&constraint, |world, known| {
            world.set_constraint_enabled(pick(known).1, false)
        });
        let behavior = ["behavior #", words];
        refuse(&behavior, |world, known| {
            world.remove_behavior(pick(known).2)
        });
        refuse(&behavior, |world, known| {
            world.set_behavior_enabled(pick(known).2, false)
        });
        refuse(&behavior, |world, known| {
            world.replace_behavior(pick(known).2, good_spring())
        });
    }
    refuse(&["the ground cannot be removed"], |world, _| {
        world.remove_body(GROUND)
    });
}

#[test]
fn constraints() {
    type Ends = fn(&Known) -> (Connector, Connector);
    let ends: Ends = |known| (known.rod.at([0.0; 3]), known.other.at([0.0; 3]));
    for bad in BAD {
        refuse(&["constraint \"new\"", "length"], |world, known| {
            let (a, b) = ends(known);
            world.add_constraint("new", Distance { length: bad }, &[a, b])
        });
        refuse(
            &["constraint \"rope\"", "weight", "1e-6 to 1e6"],
            |world, known| world.set_weight(known.rope, bad),
        );
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        refuse(
            &["constraint \"rope\"", "compliance", "zero or greater"],
            |world, known| world.set_compliance(known.rope, &[bad]),
        );
    }
    refuse(
        &["constraint \"rope\"", "compliance", "give 1"],
        |world, known| world.set_compliance(known.rope, &[0.0, 0.0]),
    );
    for bad in NOT_FINITE {
        refuse(
            &["body \"rod\"", "point", "give finite numbers"],
            |world, known| {
                world.join(
                    "new",
                    Ball,
                    known.rod.at([0.0, bad, 0.0]),
                    known.other.at([0.0; 3]),
                )
            },
        );
        refuse(
            &["constraint \"new\"", "axis_world", "other than zero"],
            |world, known| {
                let (a, b) = ends(known);
                let axis_world = [bad, 0.0, 0.0];
                world.join("new", Hinge { axis_world }, a, b)
            },
        );
        refuse(
            &["constraint \"new\"", "value", "give finite numbers"],
            |world, known| {
                let at = [known.troid.scalar(Troid::AREA)];
                world.add_constraint("new", ScalarEquals::area(bad), &at)
            },
        );
    }
    refuse(
        &["constraint \"new\"", "axis_world", "other than zero"],
        |world, known| {
            let (a, b) = ends(known);
            world.join(
                "new",
                Hinge {
                    axis_world: [0.0; 3],
                },
                a,
                b,
            )
        },
    );
    refuse(
        &[
            "constraint \"new\"",
            "both connectors sit on body \"rod\"",
            "two different bodies",
        ],
        |world, known| {
            world.join(
                "new",
                Ball,
                known.rod.at([0.5, 0.0, 0.0]),
                known.rod.at([0.0; 3]),
            )
        },
    );
    // Two points of one rigid body never move against each other; two of a troid do.
    refuse(
        &["constraint \"new\"", "body \"rod\"", "two different bodies"],
        |world, known| {
            let at = [known.rod.at([0.5, 0.0, 0.0]), known.rod.at([0.0; 3])];
            world.add_constraint("new", Distance { length: 0.4 }, &at)
        },
    );
    refuse(
        &[
            "constraint \"new\"",
            "body \"flat\"",
            "two different bodies",
        ],
        |world, known| {
            let at = [known.flat.at([0.5, 0.0]), known.flat.at([0.0; 2])];
            world.add_constraint("new", Distance { length: 0.4 }, &at)
        },
    );
    refuse(
        &["constraint \"new\"", "body \"rod\"", "two different bodies"],
        |world, known| {
            let at = [
                known.rod.frame_at([0.5, 0.0, 0.0]),
                known.rod.frame_at([0.0; 3]),
            ];
            world.add_constraint("new", SpinRelation::new(&[1.0]), &at)
        },
    );
    let nothing = [
        "constraint \"new\"",
        "attach at least one to a body that can move",
    ];
    refuse(&nothing, |world, _| {
        world.join("new", Ball, GROUND.at([0.0; 3]), GROUND.at([1.0, 0.0, 0.0]))
    });
    refuse(&nothing, |world, known| {
        world.join("new", Ball, GROUND.at([0.0; 3]), known.moved.at([0.0; 3]))
    });
    refuse(
        &["\"new\"", "body \"particle\" has no frame", "offers"],
        |world, known| {
            let hinge = Hinge {
                axis_world: [0.0, 0.0, 1.0],
            };
            world.join(
                "new",
                hinge,
                known.rod.at([0.0; 3]),
                known.particle.at([0.0; 3]),
            )
        },
    );
    refuse(
        &["\"new\"", "body \"flat\" has no point in space", "offers"],
        |world, known| world.join("new", Ball, known.rod.at([0.0; 3]), known.flat.at([0.0; 3])),
    );
    refuse(
        &["\"new\"", "body \"rod\" has no scalar output", "offers"],
        |world, known| world.add_constraint("new", ScalarEquals::area(1.0), &[known.rod.scalar(0)]),
    );
    refuse(
        &["\"new\"", "body \"troid\" has no scalar output 7", "offers"],
        |world, known| {
            world.add_constraint("new", ScalarEquals::area(1.0), &[known.troid.scalar(7)])
        },
    );
    refuse(&["\"new\"", "takes 2 connectors, but 1"], |world, known| {
        world.add_constraint("new", FramePair::ball(), &[known.rod.at([0.0; 3])])
    });
    refuse(
        &["\"new\"", "connector 1 must be a frame in space"],
        |world, known| {
            let at = [known.rod.frame_at([0.0; 3]), known.other.at([0.0; 3])];
            world.add_constraint("new", FramePair::hinge(), &at)
        },
    );
    refuse(
        &["constraint \"joint\"", "choose a different one"],
        |world, known| {
            let (a, b) = ends(known);
            world.join("joint", Ball, a, b)
        },
    );
    refuse(&["constraint \"rope\"", "length"], |world, known| {
        let (a, b) = ends(known);
        world.replace_constraint(known.rope, Distance { length: -1.0 }, &[a, b])
    });
    refuse(
        &["constraint \"joint\"", "two different bodies"],
        |world, known| {
            let at = [known.rod.at([0.0; 3]), known.rod.at([0.1, 0.0, 0.0])];
            world.replace_constraint(known.joint, FramePair::ball(), &at)
        },
    );
}

#[test]
fn behaviors() {
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        refuse(
            &["behavior \"new\"", "stiffness", "zero or greater"],
            |world, known| {
                let spring = Spring {
                    stiffness: bad,
                    ..good_spring()
                };
                let at = [known.rod.at([0.0; 3]), known.other.at([0.0; 3])];
                world.add_behavior("new", spring, &at)
            },
        );
        refuse(
            &["behavior \"spring\"", "damping", "zero or greater"],
            |world, known| {
                let spring = Spring {
                    damping: bad,
                    ..good_spring()
                };
                world.replace_behavior(known.spring, spring)
            },
        );
    }
    refuse(
        &[
            "behavior \"new\"",
            "acceleration_world",
            "give finite numbers",
        ],
        |world, _| {
            let acceleration_world = [0.0, f64::NAN, 0.0];
            world.add_behavior("new", Gravity { acceleration_world }, &[])
        },
    );
    refuse(
        &["behavior \"spring\"", "choose a different one"],
        |world, known| {
            let at = [known.rod.at([0.0; 3]), known.other.at([0.0; 3])];
            world.add_behavior("spring", good_spring(), &at)
        },
    );
    refuse(&["\"new\"", "takes 2 connectors, but 0"], |world, _| {
        world.add_behavior("new", good_spring(), &[])
    });
}

/// What was removed comes back only where it fits.
#[test]
fn restoring() {
    // A constraint or a behavior whose body is gone.
    let known = known();
    let mut world = known.world.clone();
    let rope = world.remove_constraint(known.rope).unwrap();
    let spring = world.remove_behavior(known.spring).unwrap();
    world.remove_body(known.other).unwrap();
    for removed in [&rope, &spring] {
        let before = format!("{world:?}");
        let error = world.restore_removed(removed).unwrap_err().to_string();
        assert!(error.contains("was removed"), "{error}");
        assert_eq!(format!("{world:?}"), before);
        bits(&world);
    }
    // Twice.
    let mut world = known.world.clone();
    let removed = world.remove_body(known.other).unwrap();
    world.restore_removed(&removed).unwrap();
    let before = format!("{world:?}");
    let error = world.restore_removed(&removed).unwrap_err().to_string();
    assert!(error.contains("\"other\""), "{error}");
    assert_eq!(format!("{world:?}"), before);
    // Into another world.
    let mut elsewhere = World::new();
    let error = elsewhere.restore_removed(&removed).unwrap_err().to_string();
    assert!(error.contains("another world"), "{error}");
    // Onto a body that no longer has the site.
    let mut world = known.world.clone();
    let area = ScalarEquals::area(0.5);
    let area = world
        .add_constraint("area", area, &[known.troid.scalar(Troid::AREA)])
        .unwrap();
    let removed = world.remove_constraint(area).unwrap();
    world.replace_body(known.troid, Plain).unwrap();
    let before = format!("{world:?}");
    let error = world.restore_removed(&removed).unwrap_err().to_string();
    assert!(error.contains("\"troid\" has no scalar output"), "{error}");
    assert_eq!(format!("{world:?}"), before);
    bits(&world);
}

/// Six numbers and nothing to hold on to.
#[derive(Debug)]
struct Plain;

impl Body for Plain {
    fn n_q(&self) -> usize {
        6
    }
    fn n_v(&self) -> usize {
        6
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn initial_q(&self, q: &mut [f64]) {
        q.fill(0.0);
    }
    fn mass_kind(&self) -> MassKind {
        MassKind::Diagonal
    }
    fn mass(&self, _q: &[f64], mass: &mut [f64]) {
        mass.fill(1.0);
    }
    fn internal_force(&self, _q: &[f64], _v: &[f64], _f: &mut [f64]) {}
    fn uniform_field(&self, _q: &[f64], _acceleration_world: [f64; 3], _f: &mut [f64]) {}
    fn center_of_mass(&self, _q: &[f64]) -> (f64, [f64; 3]) {
        (1.0, [0.0; 3])
    }
    fn momentum(&self, _q: &[f64], _v: &[f64]) -> Momentum {
        Momentum::default()
    }
    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        q.iter_mut().zip(dq).for_each(|(q, dq)| *q += dq);
    }
    fn pose(&self, _t: f64, _q: &[f64]) -> Option<Pose> {
        None
    }
    fn offers(&self) -> &'static str {
        "nothing"
    }
    fn connector_kind(&self, _site: &Site) -> Result<Option<ConnectorKind>, Error> {
        Ok(None)
    }
    fn connector(
        &self,
        _site: &Site,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _out: &mut ConnectorMut<'_>,
    ) {
    }
}

#[test]
fn forces_between_two_grounds() {
    refuse(&["behavior \"idle\"", "can move"], |world, _| {
        let spring = Spring {
            stiffness: 1.0,
            rest_length: 1.0,
            damping: 0.0,
        };
        let ends = [GROUND.at([0.0; 3]), GROUND.at([1.0, 0.0, 0.0])];
        world.add_behavior("idle", spring, &ends)
    });
}
