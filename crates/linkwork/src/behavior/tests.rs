//! Laws every force obeys: it follows from its energy, pairs push back, dampers take power away.

use super::*;
use crate::math::{Mat3, add, column, cross, mat_mul, rotation_exp, scale};
use proptest::prelude::*;

/// A connector of any kind: `x` and `ẋ` of each kind are read off a moving frame.
#[derive(Clone, Copy, Debug)]
struct Mover {
    position: Vec3,
    rotation: Mat3,
    /// Unbounded angle, for frames in the plane.
    angle: f64,
    velocity: Vec3,
    omega: Vec3,
}

impl Mover {
    /// From twelve numbers in [−1, 1].
    fn new(random: &[f64]) -> Self {
        let vector = |k: usize| [random[k], random[k + 1], random[k + 2]];
        Self {
            position: vector(0),
            rotation: rotation_exp(scale(2.0, vector(3))),
            angle: 5.0 * random[3],
            velocity: vector(6),
            omega: vector(9),
        }
    }

    fn at_rest(&self) -> Self {
        Self {
            velocity: [0.0; 3],
            omega: [0.0; 3],
            ..*self
        }
    }

    /// After a time h of the present motion.
    fn after(&self, h: f64) -> Self {
        Self {
            position: add(self.position, scale(h, self.velocity)),
            rotation: mat_mul(&rotation_exp(scale(h, self.omega)), &self.rotation),
            angle: self.angle + h * self.omega[2],
            ..*self
        }
    }

    fn x(&self, kind: ConnectorKind) -> Vec<f64> {
        let p = self.position;
        match kind {
            ConnectorKind::Point3 => p.to_vec(),
            ConnectorKind::Frame3 => {
                [p, self.rotation[0], self.rotation[1], self.rotation[2]].concat()
            }
            ConnectorKind::Point2 => p[..2].to_vec(),
            ConnectorKind::Frame2 => vec![p[0], p[1], self.angle],
            ConnectorKind::Direction3 => column(&self.rotation, 0).to_vec(),
            ConnectorKind::Scalar => vec![self.area()],
            ConnectorKind::Vector(_) => unreachable!("no behavior takes one"),
        }
    }

    fn x_dot(&self, kind: ConnectorKind) -> Vec<f64> {
        let v = self.velocity;
        match kind {
            ConnectorKind::Point3 => v.to_vec(),
            ConnectorKind::Frame3 => [v, self.omega].concat(),
            ConnectorKind::Point2 => v[..2].to_vec(),
            ConnectorKind::Frame2 => vec![v[0], v[1], self.omega[2]],
            ConnectorKind::Direction3 => cross(self.omega, column(&self.rotation, 0)).to_vec(),
            ConnectorKind::Scalar => {
                vec![v[0] * self.position[1] + self.position[0] * v[1]]
            }
            ConnectorKind::Vector(_) => unreachable!("no behavior takes one"),
        }
    }

    /// A number of it: that of the rectangle from the origin.
    fn area(&self) -> f64 {
        self.position[0] * self.position[1]
    }
}

/// A behavior between connectors in the plane.
#[derive(Debug)]
struct InPlane<B>(B);

impl<B: Behavior> Behavior for InPlane<B> {
    fn inputs(&self) -> &[ConnectorKind] {
        self.0.inputs_in_plane()
    }

    fn validate(&self) -> Result<(), Error> {
        self.0.validate()
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        self.0.eval(t, inputs, out);
    }

    fn energy(&self, t: f64, inputs: &[Input<'_>]) -> f64 {
        self.0.energy(t, inputs)
    }
}

fn with_inputs<T>(
    behavior: &dyn Behavior,
    movers: &[Mover],
    read: impl FnOnce(&[Input<'_>]) -> T,
) -> T {
    let kinds = behavior.inputs();
    let values: Vec<_> = kinds
        .iter()
        .zip(movers)
        .map(|(kind, mover)| (*kind, mover.x(*kind), mover.x_dot(*kind)))
        .collect();
    let inputs: Vec<_> = values
        .iter()
        .map(|(kind, x, x_dot)| Input {
            kind: *kind,
            x,
            x_dot,
        })
        .collect();
    read(&inputs)
}

/// The force on each connector, in `n_x_dot` numbers.
fn forces(behavior: &dyn Behavior, movers: &[Mover]) -> Vec<Vec<f64>> {
    let kinds = behavior.inputs();
    let n: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
    let mut storage = vec![f64::NAN; n];
    let mut out = Forces::new(kinds, &mut storage);
    with_inputs(behavior, movers, |inputs| {
        behavior.eval(0.0, inputs, &mut out);
    });
    (0..kinds.len()).map(|i| out.on(i).to_vec()).collect()
}

fn energy(behavior: &dyn Behavior, movers: &[Mover]) -> f64 {
    with_inputs(behavior, movers, |inputs| behavior.energy(0.0, inputs))
}

/// `Σ f·ẋ`, with the motion of `movers`.
fn power(behavior: &dyn Behavior, forces: &[Vec<f64>], movers: &[Mover]) -> f64 {
    let kinds = behavior.inputs();
    (0..kinds.len())
        .map(|i| {
            let x_dot = movers[i].x_dot(kinds[i]);
            forces[i].iter().zip(x_dot).map(|(f, v)| f * v).sum::<f64>()
        })
        .sum()
}

/// Sum of forces and of moments about the world's origin.
fn resultant(behavior: &dyn Behavior, forces: &[Vec<f64>], movers: &[Mover]) -> (Vec3, Vec3) {
    let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
    for (i, kind) in behavior.inputs().iter().enumerate() {
        let f = &forces[i];
        let (linear, torque, position) = match kind {
            ConnectorKind::Point3 => ([f[0], f[1], f[2]], [0.0; 3], movers[i].position),
            ConnectorKind::Frame3 => ([f[0], f[1], f[2]], [f[3], f[4], f[5]], movers[i].position),
            // In the plane z = 0.
            _ => (
                [f[0], f[1], 0.0],
                [0.0, 0.0, f.get(2).copied().unwrap_or(0.0)],
                [movers[i].position[0], movers[i].position[1], 0.0],
            ),
        };
        force = add(force, linear);
        moment = add(moment, add(torque, cross(position, linear)));
    }
    (force, moment)
}

/// Behaviors with an energy, some damped.
fn elastic(damping: f64) -> Vec<Box<dyn Behavior>> {
    vec![
        Box::new(Spring {
            stiffness: 3.0,
            rest_length: 0.7,
            damping,
        }),
        Box::new(Spring {
            stiffness: 3.0,
            rest_length: 0.0,
            damping,
        }),
        Box::new(InPlane(Spring {
            stiffness: 2.0,
            rest_length: 0.4,
            damping,
        })),
        Box::new(TorsionSpring {
            stiffness: 1.5,
            rest_angle: 2.0,
            damping,
        }),
        Box::new(InPlane(TorsionSpring {
            stiffness: 1.5,
            rest_angle: -7.0,
            damping,
        })),
    ]
}

/// Behaviors that only push back.
fn pairs() -> Vec<Box<dyn Behavior>> {
    let mut all = elastic(0.8);
    all.push(Box::new(JointFriction {
        angular: 0.5,
        linear: 0.9,
    }));
    all.push(Box::new(InPlane(JointFriction {
        angular: 0.5,
        linear: 0.9,
    })));
    all.push(Box::new(Motor { torque: -1.2 }));
    all.push(Box::new(InPlane(Motor { torque: 0.6 })));
    all.push(Box::new(Thrust { force: 1.7 }));
    all.push(Box::new(InPlane(Thrust { force: -0.7 })));
    all
}

/// Whether a spring between these is far enough from where its force jumps.
fn smooth(movers: &[Mover]) -> bool {
    let apart = |k: usize| movers[1].position[k] - movers[0].position[k];
    let axes = crate::math::dot(
        column(&movers[0].rotation, 0),
        column(&movers[1].rotation, 0),
    );
    apart(0) * apart(0) + apart(1) * apart(1) > 0.01 && axes > -0.9
}

proptest! {
    #[test]
    fn force_follows_from_energy(random in prop::collection::vec(-1.0..1.0_f64, 24)) {
        let movers = [Mover::new(&random[..12]), Mover::new(&random[12..])];
        prop_assume!(smooth(&movers));
        let mut all = elastic(0.0);
        all.push(Box::new(PointForce { force_world: [0.3, -0.6, 0.9] }));
        all.push(Box::new(InPlane(PointForce { force_world: [0.3, -0.6, 0.0] })));
        all.push(Box::new(OutputForce::on_direction([0.3, -0.6, 0.9])));
        all.push(Box::new(OutputForce::on_scalar(0.8)));
        all.push(Box::new(ConstantForce {
            force: [0.3, -0.6, 0.9],
            torque: [0.0; 3],
            axes: Axes::World,
        }));
        for behavior in &all {
            let behavior = &**behavior;
            let h = 1e-5;
            let at = |s: f64| energy(behavior, &movers.map(|mover| mover.after(s)));
            let (ahead, back) = (at(h), at(-h));
            // Half a turn from rest the torsion spring's energy ½·1.5·π² has its ridge.
            if (energy(behavior, &movers) - 7.402).abs() < 0.01 {
                continue;
            }
            let rate = (ahead - back) / (2.0 * h);
            let found = power(behavior, &forces(behavior, &movers), &movers);
            let tolerance = 1e-6 * (1.0 + found.abs());
            prop_assert!((rate + found).abs() < tolerance, "{behavior:?}: {rate} and {found}");
        }
    }

    #[test]
    fn pairs_push_back(random in prop::collection::vec(-1.0..1.0_f64, 24)) {
        let movers = [Mover::new(&random[..12]), Mover::new(&random[12..])];
        for behavior in &pairs() {
            let f = forces(&**behavior, &movers);
            let (force, moment) = resultant(&**behavior, &f, &movers);
            let size = f.concat().iter().fold(1.0_f64, |s, f| s.max(f.abs()));
            for k in 0..3 {
                prop_assert!(force[k].abs() < 1e-14 * size, "{behavior:?}: {force:?}");
                prop_assert!(moment[k].abs() < 1e-14 * size, "{behavior:?}: {moment:?}");
            }
        }
    }

    #[test]
    fn dampers_take_power_away(random in prop::collection::vec(-1.0..1.0_f64, 24)) {
        let movers = [Mover::new(&random[..12]), Mover::new(&random[12..])];
        let mut all = elastic(0.8);
        all.push(Box::new(JointFriction { angular: 0.5, linear: 0.9 }));
        all.push(Box::new(InPlane(JointFriction { angular: 0.5, linear: 0.9 })));
        all.push(Box::new(ViscousDrag { linear: 0.4, angular: 0.2 }));
        all.push(Box::new(InPlane(ViscousDrag { linear: 0.4, angular: 0.2 })));
        for behavior in &all {
            // The part of the force that comes with the motion.
            let mut f = forces(&**behavior, &movers);
            let still = forces(&**behavior, &movers.map(|mover| mover.at_rest()));
            for (f, still) in f.iter_mut().flatten().zip(still.concat()) {
                *f -= still;
            }
            let taken = power(&**behavior, &f, &movers);
            prop_assert!(taken <= 1e-12, "{behavior:?}: {taken}");
        }
    }
}

/// Two frames with a common axis x, the second turned by `angle` about it.
fn hinge(angle: f64) -> [Mover; 2] {
    let a = Mover::new(&[0.1, 0.2, 0.3, 0.4, -0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let b = Mover {
        rotation: mat_mul(&a.rotation, &rotation_exp([angle, 0.0, 0.0])),
        ..a
    };
    [a, b]
}

#[test]
fn torsion_spring_turns_back_to_the_rest_that_is_written() {
    let spring = TorsionSpring {
        stiffness: 2.0,
        rest_angle: 3.0,
        damping: 0.0,
    };
    // 3.1 and −3.1 are on either side of ±π: from the one rest is near, from the other nearly a turn away.
    for (angle, deflection) in [
        (3.1, 0.1),
        (-3.1, -6.1),
        (2.0, -1.0),
        (0.0, -3.0),
        (-0.1, -3.1),
        (-0.2, -3.2),
    ] {
        let movers = hinge(angle);
        let torque = forces(&spring, &movers)[1][3..].to_vec();
        let axis = column(&movers[0].rotation, 0);
        for k in 0..3 {
            let expected = -2.0 * deflection * axis[k];
            assert!((torque[k] - expected).abs() < 1e-12, "{angle}: {torque:?}");
        }
        let stored = energy(&spring, &movers);
        assert!((stored - deflection * deflection).abs() < 1e-12);
    }
}

#[test]
fn springs_of_no_length_do_not_push() {
    let mover = hinge(0.0)[0];
    for behavior in elastic(1.0).iter().take(3) {
        assert!(
            forces(&**behavior, &[mover, mover])
                .concat()
                .iter()
                .all(|f| *f == 0.0)
        );
    }
}

#[test]
fn thrusters_turn_with_their_frame() {
    let thruster = ConstantForce {
        force: [1.0, 0.0, 0.0],
        torque: [0.0, 2.0, 0.0],
        axes: Axes::Frame,
    };
    let mover = hinge(0.0)[0];
    let f = forces(&thruster, &[mover]);
    assert_eq!(f[0][..3], column(&mover.rotation, 0));
    assert_eq!(f[0][3..], scale(2.0, column(&mover.rotation, 1)));
    assert_eq!(energy(&thruster, &[mover]), 0.0);
}

#[test]
fn bad_numbers_are_refused_by_name() {
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let spring = |stiffness, rest_length, damping| Spring {
            stiffness,
            rest_length,
            damping,
        };
        let torsion = |stiffness, rest_angle, damping| TorsionSpring {
            stiffness,
            rest_angle,
            damping,
        };
        let friction = |angular, linear| JointFriction { angular, linear };
        let drag = |linear, angular| ViscousDrag { linear, angular };
        let rows: [(&dyn Behavior, &str); 9] = [
            (&spring(bad, 1.0, 1.0), "stiffness"),
            (&spring(1.0, bad, 1.0), "rest_length"),
            (&spring(1.0, 1.0, bad), "damping"),
            (&torsion(bad, 1.0, 1.0), "stiffness"),
            (&torsion(1.0, 1.0, bad), "damping"),
            (&friction(bad, 1.0), "angular"),
            (&friction(1.0, bad), "linear"),
            (&drag(bad, 1.0), "linear"),
            (&drag(1.0, bad), "angular"),
        ];
        for (behavior, field) in rows {
            assert_eq!(behavior.validate().unwrap_err().field_name(), Some(field));
        }
    }
    let nan = f64::NAN;
    let rows: [(&dyn Behavior, &str); 5] = [
        (&Motor { torque: nan }, "torque"),
        (&Thrust { force: nan }, "force"),
        (&OutputForce::on_scalar(nan), "force"),
        (&OutputForce::on_direction([nan, 0.0, 0.0]), "force"),
        (
            &PointForce {
                force_world: [0.0, nan, 0.0],
            },
            "force_world",
        ),
    ];
    for (behavior, field) in rows {
        assert_eq!(behavior.validate().unwrap_err().field_name(), Some(field));
    }
}
