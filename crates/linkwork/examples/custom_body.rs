//! A body the engine has never heard of: a skater, drawn as a ring that breathes.
//!
//! The ring lies in the plane, turns about its center, and its radius is a coordinate: pulled in by
//! a spring, flung out by its own spin. The mass matrix depends on the radius, so the inner force
//! contains the terms a figure skater feels:
//!
//! ```text
//!     q = (x, y, θ, r)      M = diag(m, m, m·r², m)
//!     f_θ = −2·m·r·ṙ·θ̇      (Coriolis: arms in, faster)
//!     f_r = m·r·θ̇² − k·(r − r₀)
//! ```
//!
//! Run with `cargo run --example custom_body`.

#![allow(clippy::print_stdout, non_snake_case)] // M, L: the letters of the papers.

use linkwork::body::{Body, MassKind, Momentum, check_body};
use linkwork::connector::{ConnectorKind, ConnectorMut, Site};
use linkwork::constraint::{RowUnit, ScalarEquals};
use linkwork::math::Vec3;
use linkwork::prelude::*;

/// A ring of the plane with a variable radius.
#[derive(Debug)]
struct Skater {
    mass: f64,
    rest_radius: f64,
    stiffness: f64,
}

impl Skater {
    /// Scalar output 0: the radius.
    const RADIUS: u32 = 0;
}

impl Body for Skater {
    fn n_q(&self) -> usize {
        4
    }

    fn n_v(&self) -> usize {
        4
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("mass", &self.mass)?;
        Error::require_positive("rest_radius", &self.rest_radius)?;
        Error::require_not_negative("stiffness", &self.stiffness)
    }

    fn initial_q(&self, q: &mut [f64]) {
        q.copy_from_slice(&[0.0, 0.0, 0.0, self.rest_radius]);
    }

    fn check_q(&self, q: &mut [f64]) -> Result<(), Error> {
        Error::require_finite("position", q)?;
        // A ring without radius has no inertia.
        Error::require_positive("radius", &q[3])
    }

    fn mass_kind(&self) -> MassKind {
        MassKind::Diagonal
    }

    fn mass(&self, q: &[f64], M: &mut [f64]) {
        let m = self.mass;
        M.copy_from_slice(&[m, m, m * q[3] * q[3], m]);
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        let (m, r, spin, r_dot) = (self.mass, q[3], v[2], v[3]);
        f[2] -= 2.0 * m * r * r_dot * spin;
        f[3] += m * r * spin * spin - self.stiffness * (r - self.rest_radius);
    }

    fn internal_energy(&self, q: &[f64]) -> f64 {
        0.5 * self.stiffness * (q[3] - self.rest_radius) * (q[3] - self.rest_radius)
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        f[0] += self.mass * acceleration_world[0];
        f[1] += self.mass * acceleration_world[1];
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        (self.mass, [q[0], q[1], 0.0])
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let orbit = q[0] * v[1] - q[1] * v[0];
        let spin = q[3] * q[3] * v[2];
        Momentum {
            linear: [self.mass * v[0], self.mass * v[1], 0.0],
            angular: [0.0, 0.0, self.mass * (orbit + spin)],
        }
    }

    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        for k in 0..4 {
            q[k] += dq[k];
        }
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        Some(Pose::in_plane([q[0], q[1]], q[2]))
    }

    fn offers(&self) -> &'static str {
        "points in the plane, in units of the radius, and the radius (scalar output 0)"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Point2(p) => {
                Error::require_finite("point", p)?;
                Ok(Some(ConnectorKind::Point2))
            }
            Site::Scalar(Self::RADIUS) => Ok(Some(ConnectorKind::Scalar)),
            _ => Ok(None),
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        let (r, spin, r_dot) = (q[3], v[2], v[3]);
        let Site::Point2(p) = site else {
            out.x[0] = r;
            out.x_dot[0] = r_dot;
            out.L.set(0, 3, 1.0);
            return;
        };
        // x = center + r·u with u = R(θ)·p, and n = du/dθ:
        // ẋ = … + ṙ·u + r·θ̇·n,  ℓ = 2·ṙ·θ̇·n − r·θ̇²·u.
        let (sin, cos) = libm::sincos(q[2]);
        let u = [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1]];
        let n = [-u[1], u[0]];
        for k in 0..2 {
            out.x[k] = q[k] + r * u[k];
            out.x_dot[k] = v[k] + r_dot * u[k] + r * spin * n[k];
            out.ell[k] = 2.0 * r_dot * spin * n[k] - r * spin * spin * u[k];
            out.L.set(k, k, 1.0);
            out.L.set(k, 2, r * n[k]);
            out.L.set(k, 3, u[k]);
        }
    }
}

fn skater() -> Skater {
    Skater {
        mass: 60.0,
        rest_radius: 0.5,
        stiffness: 400.0,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A mistake in L, ℓ or the Coriolis terms would be named here.
    let sites = [Site::Point2([1.0, 0.0]), Site::Scalar(Skater::RADIUS)];
    check_body(&skater(), &sites, 1)?;
    println!("the skater keeps the contract of a body");

    // Arms coming in at 0.5 m/s: m·r²·θ̇ stays, so θ̈ = −2·ṙ·θ̇/r.
    let mut world = World::new();
    let ring = world.add_body("skater", skater())?;
    let (m, r, spin, r_dot) = (skater().mass, 0.8, 2.0, -0.5);
    world.set_q(ring, &[0.0, 0.0, 0.0, r])?;
    world.set_v(ring, &[0.0, 0.0, spin, r_dot])?;
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let spin_up = solution.of_body(&world, ring)?[2];
    let torque = m * (r * r * spin_up + 2.0 * r * r_dot * spin);
    println!(
        "arms in: spins up by {spin_up:.3} rad/s²; torque about the center {:.3} N·m",
        torque.abs()
    );
    assert!((spin_up - 2.5).abs() < 1e-12 && torque.abs() < 1e-10);

    // Arms held still, by a constraint on the radius: what the spring does not pull of m·r·θ̇².
    world.set_v(ring, &[0.0, 0.0, spin, 0.0])?;
    let hold = ScalarEquals {
        value: r,
        unit: RowUnit::Meter,
    };
    let arms = world.add_constraint("arms", hold, &[ring.scalar(Skater::RADIUS)])?;
    let solution = simulator.accelerations(&world, Method::Direct);
    let pull = solution.of_constraint(&world, arms)?[0];
    let hand = world.connector_acceleration(&ring.at([1.0, 0.0]), &solution.motion)?;
    println!("arms held: {pull:.3} N on the radius, the hand accelerates by {hand:.3?} m/s²");
    let spring = 400.0 * (r - 0.5); // 120 N of the 192 N
    assert!((pull - (spring - m * r * spin * spin)).abs() < 1e-10);
    assert!((hand[0] + r * spin * spin).abs() < 1e-12 && hand[1].abs() < 1e-12);

    // The world refuses what the body refuses, in the body's words.
    if let Err(problem) = world.set_q(ring, &[0.0, 0.0, 0.0, -1.0]) {
        println!("{problem}");
    }
    if let Err(problem) = world.connector_value(&ring.direction([1.0, 0.0, 0.0])) {
        println!("{problem}");
    }
    Ok(())
}
