//! Shape bodies: a shape map `x(u; q)` and material points of fixed mass, chosen at rest.
//!
//! Everything follows by one loop over the points (Witkin 1990, §5.2: curves as bodies):
//!
//! ```text
//!     M = Σ m·LᵀL + F      inertial force −Σ m·Lᵀ·ℓ      weight Σ m·Lᵀ·g      momenta Σ m·ẋ, Σ m·x × ẋ
//! ```
//!
//! F is a floor: a number that moves nothing at the moment must not make M singular. It is 1e-10 of what the body's mass
//! at its size would be. Where the map is linear, M is constant and, if there are many numbers, patterned.

#![allow(non_snake_case)] // D, L, M, S: the letters of the papers.

mod elastic;
mod flight;
mod measure;
mod points;
mod sites;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Body, MassKind, MassPattern, Momentum, Pose, Strain};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};
use crate::shape::{MAX_NUMBERS, Of, Parameters, ShapeMap, ShapeMotion};

pub use elastic::{Elasticity, LinearStrain};
pub use points::MaterialPoint;

use points::Cached;

/// More numbers than this make a patterned block; fewer a dense one that others fold into.
const MAX_DENSE: usize = 12;
/// The floor of M, as a part of the length at which all mass would act.
const FLOOR: f64 = 1e-5;

/// A body that is a shape with numbers.
#[derive(Clone, Debug)]
pub struct ShapeBody {
    map: Arc<dyn ShapeMap>,
    points: Vec<MaterialPoint>,
    /// Of a linear map: the numbers and `L` of each point.
    cached: Option<Cached>,
    pattern: Option<Arc<MassPattern>>,
    /// Of a linear map: M, and D, in the layout of M.
    mass: Vec<f64>,
    drag: Vec<f64>,
    floor: Vec<f64>,
    /// Of a curve: where its length and area are measured, with weights.
    places: Vec<(f64, f64)>,
    strains: Vec<LinearStrain>,
    /// What the body was made of, for those who write it down.
    elasticity: Elasticity,
    mass_given: f64,
    is_by_length: bool,
    total_mass: f64,
    /// The radius of gyration at birth.
    size: f64,
    /// By how much a unit of each number turns what it moves, radians at birth.
    turning: Vec<f64>,
}

impl ShapeBody {
    /// The scalar output `body.scalar(ShapeBody::LENGTH)` of a curve: how long it is.
    pub const LENGTH: u32 = 1 << 24;
    /// The scalar output of a closed curve of the plane: its area, positive where it goes round counter-clockwise.
    pub const AREA: u32 = Self::LENGTH + 1;

    /// A shape whose mass is at these points.
    pub fn new(map: Arc<dyn ShapeMap>, points: Vec<MaterialPoint>) -> Result<Self, Error> {
        map.validate()?;
        let n = map.n_numbers();
        if n == 0 {
            return Err(Error::field("numbers", "are none; give at least one"));
        }
        if !map.is_linear() && n > MAX_NUMBERS {
            let problem = format!("are {n}; a shape like this has at most {MAX_NUMBERS}");
            return Err(Error::field("numbers", problem));
        }
        if points.is_empty() {
            return Err(Error::field("points", "are none; mass must be somewhere"));
        }
        for point in &points {
            Error::require_finite("points", &point.u)?;
            Error::require_positive("mass", &point.mass)?;
        }
        let mut body = Self {
            total_mass: points.iter().map(|point| point.mass).sum(),
            cached: None,
            pattern: None,
            mass: Vec::new(),
            drag: Vec::new(),
            floor: vec![0.0; n],
            places: measure::places(&*map),
            strains: Vec::new(),
            elasticity: Elasticity::default(),
            mass_given: points.iter().map(|point| point.mass).sum(),
            is_by_length: true,
            size: 0.0,
            turning: vec![0.0; n],
            points,
            map,
        };
        let q = body.born();
        if let Some(problem) = body.blame(&q) {
            return Err(Error::field("numbers", problem));
        }
        body.measure_at_birth(&q);
        if body.map.is_linear() {
            body.cached = Some(Cached::of(&*body.map, &body.points));
            body.lay_out(&[]);
        }
        Ok(body)
    }

    /// The map.
    pub fn map(&self) -> &Arc<dyn ShapeMap> {
        &self.map
    }

    /// Where its mass is.
    pub fn points(&self) -> &[MaterialPoint] {
        &self.points
    }

    /// Its mass.
    pub fn total_mass(&self) -> f64 {
        self.total_mass
    }

    /// The same, remembering the mass it was asked to have and how that was spread: sums of many points are off by
    /// round-off, and what is saved must make the same body again.
    #[must_use]
    pub fn given(mut self, mass: f64, by_length: bool) -> Self {
        (self.mass_given, self.is_by_length) = (mass, by_length);
        self
    }

    /// The mass it was asked to have.
    pub fn mass_given(&self) -> f64 {
        self.mass_given
    }

    /// Whether mass was spread by length.
    pub fn is_by_length(&self) -> bool {
        self.is_by_length
    }

    /// How a spline resists.
    pub fn elasticity(&self) -> Elasticity {
        self.elasticity
    }

    fn born(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.map.n_numbers()];
        self.map.start(&mut q);
        q
    }

    /// Why a point is nowhere.
    fn blame(&self, q: &[f64]) -> Option<String> {
        let motion = |u: Parameters| ShapeMotion::at(u, q, q);
        let bad = self.points.iter().find(|point| {
            let mut is_finite = true;
            let mut see = |_, _, value: f64| is_finite &= value.is_finite();
            let value = self.map.eval(Of::Point, &motion(point.u), &mut see);
            !(is_finite && value.x.iter().all(|x| x.is_finite()))
        })?;
        let why = self.map.blame(bad.u, q);
        let u = bad.u[0];
        Some(why.unwrap_or_else(|| format!("make no point at u = {u}; change them")))
    }

    /// Size, floor, and how far numbers turn what they move.
    fn measure_at_birth(&mut self, q: &[f64]) {
        let n = q.len();
        let (mass, center) = self.center_of_mass(q);
        let still = vec![0.0; n];
        let mut square = 0.0;
        for point in &self.points {
            let motion = ShapeMotion::at(point.u, q, &still);
            let arm = sub(
                self.map.eval(Of::Point, &motion, &mut |_, _, _| {}).x,
                center,
            );
            square += point.mass * dot(arm, arm);
        }
        self.size = (square / mass).sqrt();
        let length = if self.size > 0.0 { self.size } else { 1.0 };
        for (floor, q) in self.floor.iter_mut().zip(q) {
            let part = FLOOR * length / q.abs().max(1.0);
            *floor = mass * part * part;
        }
        if self.map.is_linear() {
            return;
        }
        let mut unit = vec![0.0; n];
        for k in 0..n {
            unit[k] = 1.0;
            let (mut bend, mut speed) = (0.0f64, 0.0f64);
            for point in &self.points {
                let motion = ShapeMotion::at(point.u, q, &unit);
                let value = self.map.eval(Of::Point, &motion, &mut |_, _, _| {});
                (bend, speed) = (bend.max(norm(value.ell)), speed.max(norm(value.x_dot)));
            }
            unit[k] = 0.0;
            self.turning[k] = if speed > 0.0 { bend / speed } else { 0.0 };
        }
    }
}

impl Body for ShapeBody {
    fn n_q(&self) -> usize {
        self.map.n_numbers()
    }

    fn n_v(&self) -> usize {
        self.map.n_numbers()
    }

    fn validate(&self) -> Result<(), Error> {
        self.map.validate()
    }

    fn initial_q(&self, q: &mut [f64]) {
        self.map.start(q);
    }

    fn mass_kind(&self) -> MassKind {
        match &self.pattern {
            Some(pattern) => MassKind::Patterned(pattern.clone()),
            None => MassKind::Dense,
        }
    }

    fn mass(&self, q: &[f64], M: &mut [f64]) {
        match self.map.is_linear() {
            true => M[..self.mass.len()].copy_from_slice(&self.mass),
            false => self.fill_mass(q, M),
        }
    }

    fn drag_metric(&self, q: &[f64], D: &mut [f64]) {
        match self.map.is_linear() {
            true => D[..self.drag.len()].copy_from_slice(&self.drag),
            false => self.fill_mass(q, D),
        }
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.inertial_force(q, v, f);
        for strain in &self.strains {
            strain.push(q, v, f);
        }
    }

    fn inertial_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        if self.map.is_linear() {
            return;
        }
        self.for_each_point(q, v, |mass, value, row| {
            for axis in 0..self.map.dimension() {
                row.add_to(axis, -mass * value.ell[axis], f);
            }
        });
    }

    fn internal_energy(&self, q: &[f64]) -> f64 {
        self.strains.iter().map(|strain| strain.energy(q)).sum()
    }

    fn n_strains(&self) -> usize {
        self.strains.len()
    }

    fn strain_columns(&self, i: usize) -> Option<Vec<u32>> {
        Some(self.strains[i].numbers.clone())
    }

    fn strain(&self, i: usize, q: &[f64], v: &[f64], S: &mut [f64]) -> Strain {
        self.strains[i].at(q, v, S)
    }

    fn uniform_field(&self, q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        if acceleration_world == [0.0; 3] {
            return;
        }
        self.for_each_point(q, q, |mass, _, row| {
            for (axis, g) in (0..self.map.dimension()).zip(acceleration_world) {
                row.add_to(axis, mass * g, f);
            }
        });
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        let mut moment = [0.0; 3];
        self.for_each_point(q, q, |mass, value, _| {
            moment = add(moment, scale(mass, value.x));
        });
        (self.total_mass, scale(1.0 / self.total_mass, moment))
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let mut out = Momentum::default();
        self.for_each_point(q, v, |mass, value, _| {
            let part = scale(mass, value.x_dot);
            out.linear = add(out.linear, part);
            out.angular = add(out.angular, cross(value.x, part));
        });
        out
    }

    fn free_flight(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        self.fly(q, v, h, dq);
    }

    fn turn_of(&self, dq: &[f64]) -> f64 {
        let turns = dq.iter().zip(&self.turning);
        turns.map(|(dq, turning)| (dq * turning).abs()).sum()
    }

    fn scale_turn(&self, dq: &mut [f64], factor: f64) {
        for (dq, turning) in dq.iter_mut().zip(&self.turning) {
            if *turning > 0.0 {
                *dq *= factor;
            }
        }
    }

    fn shape(&self) -> Option<&Arc<dyn ShapeMap>> {
        Some(&self.map)
    }

    fn pose(&self, _t: f64, _q: &[f64]) -> Option<Pose> {
        None
    }

    fn gyration_radius(&self) -> Option<f64> {
        (self.size > 0.0).then_some(self.size)
    }

    fn offers(&self) -> &'static str {
        "points and tangents by their parameter, its numbers, and the length and area of a curve"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        self.kind_of(site)
    }

    fn columns(&self, site: &Site) -> Option<Vec<u32>> {
        match *site {
            Site::Curve(u) | Site::Curve2(u) | Site::Tangent(u) => {
                self.map.numbers_of([u, 0.0, 0.0])
            }
            Site::Scalar(number) if (number as usize) < self.n_v() => Some(vec![number]),
            _ => None,
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        self.fill_connector(site, q, v, out);
    }
}
