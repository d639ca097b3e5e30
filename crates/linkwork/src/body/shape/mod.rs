//! Shape bodies: a shape map `x(u; q)` and material points of fixed mass, chosen at rest.
//!
//! Everything follows by one loop over the points (Witkin 1990, §5.2: curves as bodies; Metaxas 1993, eq. 12: solids):
//!
//! ```text
//!     M = Σ m·LᵀL + F      inertial force −Σ m·Lᵀ·ℓ      weight Σ m·Lᵀ·g      momenta Σ m·ẋ, Σ m·x × ẋ
//! ```
//!
//! F is a floor: a number that moves nothing at the moment must not make M singular. It is 1e-10 of what the body's
//! mass at its size would be. Where the map is linear, M is constant and, if there are many numbers, patterned. A solid
//! has a rigid frame in front of its map, v = (ċ, ω, q̇).

#![allow(non_snake_case)] // D, L, M, S: the letters of the papers.

mod elastic;
mod flight;
mod frame;
mod matter;
mod measure;
mod points;
mod sites;
mod solid;
mod still;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Body, Deformed, MassKind, MassPattern, Momentum, Pose, Strain};
use crate::body::tolerances::FLOOR;
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};
use crate::shape::{MAX_NUMBERS, Of, ShapeMap, ShapeMotion};

pub use elastic::{Elasticity, LinearStrain};
pub use matter::{Displacement, Freedom, Matter};
pub use points::MaterialPoint;

use frame::{FRAME_Q, FRAME_V};
use points::{Cached, material};
use still::Still;

/// More numbers than this make a patterned block; fewer a dense one that others fold into.
const MAX_DENSE: usize = 12;
/// Numbers of a map that is not linear, and its frame.
const MAX_VELOCITIES: usize = MAX_NUMBERS + FRAME_V;

/// A body that is a shape with numbers.
#[derive(Clone, Debug)]
pub struct ShapeBody {
    map: Arc<dyn ShapeMap>,
    points: Vec<MaterialPoint>,
    /// What the map knows each point by, one behind the other.
    material: Vec<f64>,
    /// The numbers at birth.
    born: Vec<f64>,
    /// Whether there is a rigid frame in front of the map.
    is_framed: bool,
    /// Of a solid without numbers.
    still: Option<Still>,
    /// How far a strain goes before its rest follows.
    yield_at: Option<f64>,
    /// What a superquadric is made of.
    matter: Option<Matter>,
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
    /// The scalar output of a solid: its volume.
    pub const VOLUME: u32 = crate::shape::VOLUME;

    /// A shape whose mass is at these points.
    pub fn new(map: Arc<dyn ShapeMap>, points: Vec<MaterialPoint>) -> Result<Self, Error> {
        Self::made(map, points, false)
    }

    /// The same behind a rigid frame: the map says where points are in that frame, and must not be able to move them as
    /// one. Without numbers it is a rigid body.
    pub fn framed(map: Arc<dyn ShapeMap>, points: Vec<MaterialPoint>) -> Result<Self, Error> {
        let mut body = Self::made(map, points, true)?;
        body.still = (body.map.n_numbers() == 0).then(|| Still::of(&body));
        Ok(body)
    }

    fn made(
        map: Arc<dyn ShapeMap>,
        points: Vec<MaterialPoint>,
        is_framed: bool,
    ) -> Result<Self, Error> {
        map.validate()?;
        let n = map.n_numbers();
        if is_framed && map.dimension() != 3 {
            let problem = "is of the plane; a frame in front of it is one in space";
            return Err(Error::field("shape", problem));
        }
        if n == 0 && !is_framed {
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
        let mut born = vec![0.0; n];
        map.start(&mut born);
        let mut body = Self {
            born,
            is_framed,
            still: None,
            yield_at: None,
            matter: None,
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
            material: material(&*map, &points),
            points,
            map,
        };
        let mut q = vec![0.0; body.n_q()];
        body.initial_q(&mut q);
        if let Some(problem) = body.blame(&q) {
            return Err(Error::field("numbers", problem));
        }
        body.measure_at_birth(&q);
        if body.is_straight() {
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

    /// Whether points are linear in all coordinates, so that mass is constant and flight straight.
    fn is_straight(&self) -> bool {
        self.map.is_linear() && !self.is_framed
    }

    /// Why a point is nowhere.
    fn blame(&self, q: &[f64]) -> Option<String> {
        let q = self.numbers(q);
        let bad = self.points.iter().find(|point| {
            let mut is_finite = true;
            let mut see = |_, _, value: f64| is_finite &= value.is_finite();
            let motion = ShapeMotion::at(point.u, q, q);
            let x = self.map.eval(Of::Point, &motion, &mut see).x;
            !(is_finite && x.iter().all(|x| x.is_finite()))
        })?;
        let why = self.map.blame(bad.u, q);
        let u = bad.u[0];
        Some(why.unwrap_or_else(|| format!("make no point at u = {u}; change them")))
    }

    /// Size, floor, and how far numbers turn what they move.
    fn measure_at_birth(&mut self, q: &[f64]) {
        let (mass, center) = self.center_of_mass(q);
        let frame = self.frame_at(q);
        let mut square = 0.0;
        for point in &self.points {
            let arm = sub(self.place(frame.as_ref(), point.u, q), center);
            square += point.mass * dot(arm, arm);
        }
        self.size = (square / mass).sqrt();
        let length = if self.size > 0.0 { self.size } else { 1.0 };
        for (floor, q) in self.floor.iter_mut().zip(&self.born) {
            let part = FLOOR * length / q.abs().max(1.0);
            *floor = mass * part * part;
        }
        if self.is_straight() || self.is_framed {
            return;
        }
        let q = &self.born;
        let mut unit = vec![0.0; q.len()];
        for k in 0..q.len() {
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
        let rest = self.yield_at.map_or(0, |_| self.strains.len());
        self.n_frame().0 + self.map.n_numbers() + rest
    }

    fn n_v(&self) -> usize {
        self.n_frame().1 + self.map.n_numbers()
    }

    fn validate(&self) -> Result<(), Error> {
        self.map.validate()
    }

    fn initial_q(&self, q: &mut [f64]) {
        match self.is_framed {
            true => self.start_framed(q),
            false => q.copy_from_slice(&self.born),
        }
    }

    fn check_q(&self, q: &mut [f64]) -> Result<(), Error> {
        match self.is_framed {
            true => self.check_frame(q),
            false => Error::require_finite("position", q),
        }
    }

    fn is_smooth_at(&self, q: &[f64]) -> bool {
        !self.is_framed || self.map.check(self.numbers(q)).is_ok()
    }

    fn mass_kind(&self) -> MassKind {
        match &self.pattern {
            Some(pattern) => MassKind::Patterned(pattern.clone()),
            None => MassKind::Dense,
        }
    }

    fn mass(&self, q: &[f64], M: &mut [f64]) {
        match self.is_straight() {
            true => M[..self.mass.len()].copy_from_slice(&self.mass),
            false => self.fill_mass(q, M),
        }
    }

    fn drag_metric(&self, q: &[f64], D: &mut [f64]) {
        match self.is_straight() {
            true => D[..self.drag.len()].copy_from_slice(&self.drag),
            false => self.fill_mass(q, D),
        }
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.inertial_force(q, v, f);
        let from = self.n_frame().1;
        for (i, strain) in self.strains.iter().enumerate() {
            let rest = self.rest_of(i, q);
            strain.push(self.numbers(q), self.rates(v), rest, &mut f[from..]);
        }
    }

    fn inertial_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        if self.is_straight() {
            return;
        }
        if self.is_framed {
            return self.push_inertia(q, v, f);
        }
        self.for_each_point(q, v, |mass, value, row| {
            for axis in 0..self.map.dimension() {
                row.add_to(axis, -mass * value.ell[axis], f);
            }
        });
    }

    fn internal_energy(&self, q: &[f64]) -> f64 {
        let strains = self.strains.iter().enumerate();
        let numbers = self.numbers(q);
        strains
            .map(|(i, strain)| strain.energy(numbers, self.rest_of(i, q)))
            .sum()
    }

    fn n_strains(&self) -> usize {
        self.strains.len()
    }

    fn strain_columns(&self, i: usize) -> Option<Vec<u32>> {
        let from = self.n_frame().1 as u32;
        let numbers = self.strains[i].numbers.iter();
        Some(numbers.map(|number| from + number).collect())
    }

    fn strain(&self, i: usize, q: &[f64], v: &[f64], S: &mut [f64]) -> Strain {
        let rest = self.rest_of(i, q);
        self.strains[i].at(self.numbers(q), self.rates(v), rest, S)
    }

    fn uniform_field(&self, q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        if acceleration_world == [0.0; 3] {
            return;
        }
        self.for_each_row(q, |mass, _, row| {
            for (axis, g) in (0..self.map.dimension()).zip(acceleration_world) {
                row.add_to(axis, mass * g, f);
            }
        });
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        let mut moment = [0.0; 3];
        let mut add_point = |mass: f64, x: Vec3| moment = add(moment, scale(mass, x));
        match self.frame_at(q) {
            Some(frame) => {
                let mut masses = self.points.iter();
                let mut see = |p: Vec3| {
                    if let Some(point) = masses.next() {
                        add_point(point.mass, frame.place(p));
                    }
                };
                self.map
                    .each_place(self.numbers(q), &self.material, &mut see);
            }
            None => self.for_each_row(q, |mass, x, _| add_point(mass, x)),
        }
        (self.total_mass, scale(1.0 / self.total_mass, moment))
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        if self.is_framed {
            return self.framed_momentum(q, v);
        }
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

    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        match self.is_framed {
            true => self.displace_framed(q, dq),
            false => q.iter_mut().zip(dq).for_each(|(q, dq)| *q += dq),
        }
    }

    fn way(&self, from: &[f64], to: &[f64], dq: &mut [f64]) {
        self.find_way(from, to, dq);
    }

    fn chart_rate(&self, dq: &[f64], v: &[f64], rate: &mut [f64]) {
        match self.is_framed {
            true => Self::framed_chart_rate(dq, v, rate),
            false => rate.copy_from_slice(v),
        }
    }

    fn begin_step(&self, q: &mut [f64], _dt: f64) {
        self.give_way(q);
    }

    fn turn_of(&self, dq: &[f64]) -> f64 {
        if self.is_framed {
            return Self::framed_turn_of(dq);
        }
        let turns = dq.iter().zip(&self.turning);
        turns.map(|(dq, turning)| (dq * turning).abs()).sum()
    }

    fn scale_turn(&self, dq: &mut [f64], factor: f64) {
        if self.is_framed {
            return dq[3..].iter_mut().for_each(|dq| *dq *= factor);
        }
        for (dq, turning) in dq.iter_mut().zip(&self.turning) {
            if *turning > 0.0 {
                *dq *= factor;
            }
        }
    }

    fn material_site(&self, q: &[f64], site: Site) -> Result<Site, Error> {
        match self.is_framed {
            true => self.born_site(q, site),
            false => Ok(site),
        }
    }

    fn deformed(&self, q: &[f64]) -> Option<Deformed> {
        let form = self.form_at(q).filter(|_| self.still.is_none())?;
        Some(Deformed::Superquadric(form))
    }

    fn shape(&self) -> Option<&Arc<dyn ShapeMap>> {
        // Behind a frame the numbers of the map are not all that a point depends on.
        (!self.is_framed).then_some(&self.map)
    }

    fn solid(&self) -> Option<&Arc<dyn ShapeMap>> {
        self.is_framed.then_some(&self.map)
    }

    fn moves_as_one(&self) -> bool {
        self.still.is_some()
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        self.is_framed.then(|| Pose {
            position: [q[0], q[1], q[2]],
            rotation: [q[3], q[4], q[5], q[6]],
        })
    }

    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        if !self.is_framed {
            let problem = "cannot be set on this body; set its coordinates";
            return Err(Error::field("pose", problem));
        }
        if q[FRAME_Q..].iter().any(|q| !q.is_finite()) {
            self.start_behind(q);
        }
        q[..3].copy_from_slice(&pose.position);
        q[3..FRAME_Q].copy_from_slice(&pose.rotation);
        self.check_frame(q)
    }

    fn gyration_radius(&self) -> Option<f64> {
        (self.size > 0.0).then_some(self.size)
    }

    fn offers(&self) -> &'static str {
        if self.is_framed {
            return "points, frames and directions in space, points and frames of its surface, points inside, what its \
                    shape is free to change, and its volume";
        }
        "points and tangents by their parameter, its numbers, and the length and area of a curve"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match self.is_framed {
            true => self.kind_of_solid(site),
            false => self.kind_of(site),
        }
    }

    fn columns(&self, site: &Site) -> Option<Vec<u32>> {
        if self.is_framed {
            return None;
        }
        match *site {
            Site::Curve(u) | Site::Curve2(u) | Site::Tangent(u) => {
                self.map.numbers_of([u, 0.0, 0.0])
            }
            Site::Scalar(number) if (number as usize) < self.n_v() => Some(vec![number]),
            _ => None,
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        match self.is_framed {
            true => self.fill_solid(site, (q, v), out),
            false => self.fill_connector(site, q, v, out),
        }
    }
}
