//! The contract finds what is wrong: one fault at a time in an otherwise good body.

use super::check_body;
use crate::body::{Body, Cuboid, MassKind, Momentum, Pose, RigidBody, Strain};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{IDENTITY3, Vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    AsymmetricMass,
    IndefiniteMass,
    MassNotOverwritten,
    WrongL,
    WrongRate,
    NoEll,
    WrongColumns,
    UnsortedColumns,
    WrongMomentum,
    WrongField,
    FieldNotAdded,
    HiddenEnergy,
    Motor,
    WrongGradient,
    WrongStrainRate,
    WrongStrainGamma,
    NegativeStiffness,
    DriftingDisplace,
    LongQuaternion,
    MirroredFrame,
    WrongPose,
    NotFinite,
}

#[derive(Debug)]
struct Faulty {
    inner: RigidBody,
    fault: Fault,
}

impl Faulty {
    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

impl Body for Faulty {
    fn n_q(&self) -> usize {
        7
    }
    fn n_v(&self) -> usize {
        6
    }
    fn validate(&self) -> Result<(), Error> {
        self.inner.validate()
    }
    fn initial_q(&self, q: &mut [f64]) {
        self.inner.initial_q(q);
    }
    fn check_q(&self, q: &mut [f64]) -> Result<(), Error> {
        self.inner.check_q(q)
    }
    fn mass_kind(&self) -> MassKind {
        self.inner.mass_kind()
    }
    fn mass(&self, q: &[f64], M: &mut [f64]) {
        let before = M[1];
        self.inner.mass(q, M);
        match self.fault {
            Fault::AsymmetricMass => M[1] += 0.1,
            Fault::IndefiniteMass => M[35] = -M[35],
            Fault::MassNotOverwritten => M[1] += before,
            _ => {}
        }
    }
    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.inner.internal_force(q, v, f);
        if self.has(Fault::Motor) {
            f[0] += v[0];
        }
    }
    fn internal_energy(&self, q: &[f64]) -> f64 {
        if self.has(Fault::HiddenEnergy) {
            q[0] * q[0]
        } else {
            0.0
        }
    }
    fn n_strains(&self) -> usize {
        1
    }
    /// s = x², without resistance.
    fn strain(&self, _i: usize, q: &[f64], v: &[f64], S: &mut [f64]) -> Strain {
        S[0] = 2.0 * q[0];
        let mut strain = Strain {
            value: q[0] * q[0],
            rate: 2.0 * q[0] * v[0],
            gamma: 2.0 * v[0] * v[0],
            ..Strain::default()
        };
        match self.fault {
            Fault::WrongGradient => S[4] += 0.1,
            Fault::WrongStrainRate => strain.rate *= 1.01,
            Fault::WrongStrainGamma => strain.gamma = 0.0,
            Fault::NegativeStiffness => strain.stiffness = -1.0,
            _ => {}
        }
        strain
    }
    fn uniform_field(&self, q: &[f64], g: Vec3, f: &mut [f64]) {
        if self.has(Fault::FieldNotAdded) {
            f.fill(0.0);
        }
        self.inner.uniform_field(q, g, f);
        if self.has(Fault::WrongField) {
            f[4] += g[1];
        }
    }
    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        self.inner.center_of_mass(q)
    }
    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let mut momentum = self.inner.momentum(q, v);
        if self.has(Fault::WrongMomentum) {
            momentum.linear[2] *= 1.001;
        }
        momentum
    }
    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        self.inner.displace(q, dq);
        if self.has(Fault::DriftingDisplace) {
            q[0] += 1e-3;
        }
        if self.has(Fault::LongQuaternion) {
            for k in 3..7 {
                q[k] *= 1.0 + 3.0 * dq.iter().map(|d| d.abs()).sum::<f64>();
            }
        }
    }
    fn pose(&self, t: f64, q: &[f64]) -> Option<Pose> {
        let mut pose = self.inner.pose(t, q)?;
        if self.has(Fault::WrongPose) {
            pose.position[0] += 1.0;
        }
        Some(pose)
    }
    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        self.inner.q_from_pose(pose, q)
    }
    fn offers(&self) -> &'static str {
        self.inner.offers()
    }
    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        self.inner.connector_kind(site)
    }
    fn columns(&self, _site: &Site) -> Option<Vec<u32>> {
        match self.fault {
            Fault::WrongColumns => Some(vec![0, 1, 2, 3, 4]),
            Fault::UnsortedColumns => Some(vec![1, 0, 2, 3, 4, 5]),
            _ => None,
        }
    }
    fn connector(&self, site: &Site, t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        if self.has(Fault::WrongColumns) {
            // Right in every column it has: only the missing one gives it away.
            let mut wide = [0.0; 36];
            let n_rows = out.x_dot.len();
            let mut full = ConnectorMut {
                x: out.x,
                x_dot: out.x_dot,
                L: crate::linalg::MatMut::new(&mut wide[..6 * n_rows], 6),
                ell: out.ell,
            };
            self.inner.connector(site, t, q, v, &mut full);
            for i in 0..n_rows {
                for j in 0..5 {
                    out.L.set(i, j, wide[6 * i + j]);
                }
            }
            return;
        }
        self.inner.connector(site, t, q, v, out);
        match self.fault {
            Fault::WrongL => out.L.add(0, 4, 1e-3),
            Fault::WrongRate => out.x_dot[1] += 1e-3,
            Fault::NoEll => out.ell.fill(0.0),
            Fault::NotFinite => out.ell[0] = f64::INFINITY,
            Fault::MirroredFrame if out.x.len() == 12 => {
                for i in 0..3 {
                    out.x[3 + 3 * i] = -out.x[3 + 3 * i];
                }
            }
            _ => {}
        }
    }
}

#[test]
fn each_fault_is_found_and_named() {
    let sites = [
        Site::Point([0.3, -0.2, 0.5]),
        Site::Frame {
            origin: [0.1, 0.2, 0.3],
            rotation: IDENTITY3,
        },
    ];
    let block = Cuboid {
        size: [0.3, 0.4, 0.5],
        mass: 2.0,
    };
    let rows = [
        (Fault::AsymmetricMass, "symmetric"),
        (Fault::IndefiniteMass, "positive definite"),
        (Fault::MassNotOverwritten, "M is"),
        (Fault::WrongL, "∂x/∂q"),
        (Fault::WrongRate, "ẋ of the point in space, row 1"),
        (Fault::NoEll, "ℓ of the point in space"),
        (Fault::WrongColumns, "column 5"),
        (Fault::UnsortedColumns, "ascend"),
        (Fault::WrongMomentum, "linear momentum, component 2"),
        (Fault::WrongField, "uniform_field along axis 1"),
        (Fault::FieldNotAdded, "uniform_field"),
        (Fault::HiddenEnergy, "internal_energy"),
        (Fault::Motor, "creates no energy"),
        (Fault::WrongGradient, "S of strain 0"),
        (Fault::WrongStrainRate, "ṡ of strain 0"),
        (Fault::WrongStrainGamma, "γ of strain 0"),
        (Fault::NegativeStiffness, "neither pushes nor drives"),
        (Fault::DriftingDisplace, "displace by zero"),
        (Fault::LongQuaternion, "check_q"),
        (Fault::MirroredFrame, "right-handed"),
        (Fault::WrongPose, "q_from_pose"),
        (Fault::NotFinite, "ℓ"),
    ];
    let body = |fault| Faulty {
        inner: RigidBody::new(block.mass_properties().unwrap()),
        fault,
    };
    assert_eq!(check_body(&body(Fault::None), &sites, 3), Ok(()));
    for (fault, words) in rows {
        let violation = check_body(&body(fault), &sites, 3).unwrap_err().to_string();
        assert!(violation.contains(words), "{fault:?}: {violation}");
    }
}

#[test]
fn unknown_sites_are_refused() {
    let block = Cuboid {
        size: [0.3, 0.4, 0.5],
        mass: 2.0,
    };
    let body = RigidBody::new(block.mass_properties().unwrap());
    let violation = check_body(&body, &[Site::Node(4)], 1).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "broken promise: the body has no node 4"
    );
}
