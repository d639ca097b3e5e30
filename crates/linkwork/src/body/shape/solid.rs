//! Connectors of solids: points and frames by where their matter was at birth, of the surface, inside, and numbers.
//!
//! A frame rides on the matter: two directions of birth are carried along by the deformation, and made orthonormal
//! again,
//!
//! ```text
//!     tᵢ = F·F₀⁻¹·dᵢ      x = t₁/|t₁|      y = (t₂ − (x·t₂)·x)/|…|      z = x × y
//!     ω = ½·Σ eᵢ × ėᵢ      ω̇ = ½·Σ eᵢ × ëᵢ
//! ```
//!
//! so that hinges, welds and sliders attach, also at poles and edges, where longitudes end.

use super::frame::Frame;
use super::{MAX_VELOCITIES, ShapeBody};
use crate::body::Body;
use crate::body::rigid::check_space_site;
use crate::body::tolerances::PAST_POLE;
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, Shown};
use crate::math::{
    Mat3, Vec3, add, column, complete_basis, cross, dot, mat_vec, scale, sub, transpose, unit,
};
use crate::shape::number::{Jet, Taylor, normal, orthonormal};
use crate::shape::{Of, Parameters, ShapeMotion, solve};

type Buffer = [f64; 3 * MAX_VELOCITIES];

impl ShapeBody {
    pub(super) fn kind_of_solid(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Surface([u, v]) | Site::SurfaceFrame([u, v]) => {
                self.check_parameters("surface", [1.0, *u, *v])?;
                Ok(Some(match site {
                    Site::Surface(_) => ConnectorKind::Point3,
                    _ => ConnectorKind::Frame3,
                }))
            }
            Site::Interior(u) => {
                self.check_parameters("interior", *u)?;
                Ok(Some(ConnectorKind::Point3))
            }
            Site::Scalar(index) => {
                let has = self.map.has_measure(*index)?;
                Ok(has.then_some(ConnectorKind::Scalar))
            }
            Site::Point(p) | Site::Frame { origin: p, .. } => {
                let kind = check_space_site(site)?;
                if self.map.locate(*p, &self.born).is_none() {
                    let problem = format!("is at {p:?}, where the body has no material");
                    return Err(Error::field("point", problem));
                }
                Ok(kind)
            }
            _ => check_space_site(site),
        }
    }

    fn check_parameters(&self, field: &'static str, u: Parameters) -> Result<(), Error> {
        let [radius, latitude, longitude] = u;
        Error::require_finite(field, &u)?;
        if !(0.0..=1.0).contains(&radius) {
            let problem = format!(
                "has r = {}; give 0 (the middle) to 1 (the surface)",
                Shown(radius)
            );
            return Err(Error::field(field, problem));
        }
        if latitude.abs() > std::f64::consts::FRAC_PI_2 + PAST_POLE {
            let problem = format!("has u = {latitude}; give a latitude from −π/2 to π/2");
            return Err(Error::field(field, problem));
        }
        if longitude.abs() > std::f64::consts::TAU {
            let problem = format!("has v = {longitude}; give a longitude from −π to π");
            return Err(Error::field(field, problem));
        }
        Ok(())
    }

    /// Which matter a site is at.
    fn matter_at(&self, site: &Site) -> Parameters {
        match site {
            Site::Surface([u, v]) | Site::SurfaceFrame([u, v]) => [1.0, *u, *v],
            Site::Interior(u) => *u,
            Site::Point(p) | Site::Frame { origin: p, .. } => {
                let found = self.map.locate(*p, &self.born);
                found.unwrap_or_else(|| unreachable!("the world checks a site before it is used"))
            }
            // A direction is carried along where the middle is.
            _ => [0.0; 3],
        }
    }

    /// The axes at birth of a frame of the surface: x along the normal, y along the latitude.
    fn surface_axes(&self, u: Parameters) -> [Vec3; 2] {
        let normal = self.map.normal(u, &self.born).unwrap_or([1.0, 0.0, 0.0]);
        let motion = ShapeMotion::at(u, &self.born, &self.born);
        let tangent = self.map.eval(Of::Tangent(1), &motion, &mut |_, _, _| {}).x;
        let across = sub(tangent, scale(dot(normal, tangent), normal));
        let is_sound = dot(across, across) > 1e-12 * self.size * self.size;
        let y = unit(across).filter(|_| is_sound);
        [normal, y.unwrap_or_else(|| complete_basis(normal).0)]
    }

    pub(super) fn fill_solid(
        &self,
        site: &Site,
        (q, v): (&[f64], &[f64]),
        out: &mut ConnectorMut<'_>,
    ) {
        let n = self.n_v();
        if let Site::Scalar(index) = *site {
            let behind = self.n_frame().1;
            let l = &mut out.L;
            let (numbers, rates) = (self.numbers(q), self.rates(v));
            let own = self
                .map
                .measure(index, numbers, rates, &mut |number, value| {
                    l.set(0, behind + number, value);
                });
            (out.x[0], out.x_dot[0], out.ell[0]) = (own[0], own[1], own[2]);
            return;
        }
        let u = self.matter_at(site);
        let axes = match site {
            Site::Direction(d) => return self.fill_direction(u, *d, (q, v), out),
            Site::Frame { rotation, .. } => Some([column(rotation, 0), column(rotation, 1)]),
            Site::SurfaceFrame(_) => Some(self.surface_axes(u)),
            _ => None,
        };
        let mut l: Buffer = [0.0; 3 * MAX_VELOCITIES];
        let value = self.eval(u, (q, v), &mut l);
        out.x[..3].copy_from_slice(&value.x);
        out.x_dot[..3].copy_from_slice(&value.x_dot);
        out.ell[..3].copy_from_slice(&value.ell);
        for axis in 0..3 {
            for k in 0..n {
                out.L.set(axis, k, l[axis * n + k]);
            }
        }
        if let (Some(axes), Some(frame)) = (axes, self.frame_at(q)) {
            self.fill_axes(u, axes, &frame, (q, v), out);
        }
    }

    /// The axes that two directions of birth became, over any number.
    fn carried(&self, u: Parameters, axes: [Vec3; 2], (q, v): (&[f64], &[f64])) -> Carried {
        let motion = ShapeMotion::at(u, self.numbers(q), self.rates(v));
        let mut rows = [[[0.0; 3]; 2]; MAX_VELOCITIES];
        let mut rates = [[Taylor::default(); 3]; 2];
        for (k, (axis, rates)) in axes.into_iter().zip(&mut rates).enumerate() {
            let mut see = |row: usize, number: usize, value| rows[number][k][row] = value;
            let value = self.map.eval(Of::Along(axis), &motion, &mut see);
            for (row, rate) in rates.iter_mut().enumerate() {
                *rate = Taylor {
                    v: value.x[row],
                    d: value.x_dot[row],
                    dd: value.ell[row],
                };
            }
        }
        Carried { rates, rows }
    }

    /// Rotation, ω and their rows of a frame.
    fn fill_axes(
        &self,
        u: Parameters,
        axes: [Vec3; 2],
        frame: &Frame,
        (q, v): (&[f64], &[f64]),
        out: &mut ConnectorMut<'_>,
    ) {
        let carried = self.carried(u, axes, (q, v));
        let own = orthonormal(carried.rates);
        let at = own.map(|axis| mat_vec(&frame.rotation, axis.map(|x| x.v)));
        for (row, x) in transpose(&at).into_iter().enumerate() {
            out.x[3 + 3 * row..6 + 3 * row].copy_from_slice(&x);
        }
        let omega = [v[3], v[4], v[5]];
        let turning = |rate: fn(Taylor) -> f64| {
            let turned = own.map(|axis| cross(axis.map(|x| x.v), axis.map(rate)));
            let sum = add(turned[0], add(turned[1], turned[2]));
            mat_vec(&frame.rotation, scale(0.5, sum))
        };
        let (turn, bend) = (turning(|x| x.d), turning(|x| x.dd));
        out.x_dot[3..].copy_from_slice(&add(omega, turn));
        out.ell[3..].copy_from_slice(&add(cross(omega, turn), bend));
        for k in 0..3 {
            out.L.set(3 + k, 3 + k, 1.0);
        }
        let behind = self.n_frame().1;
        for (number, rows) in carried.rows[..self.map.n_numbers()].iter().enumerate() {
            let vectors = [0, 1].map(|k: usize| {
                std::array::from_fn(|row| Jet {
                    v: carried.rates[k][row].v,
                    d: [rows[k][row]],
                })
            });
            let own: [[Jet<1>; 3]; 3] = orthonormal(vectors);
            let turned = own.map(|axis| cross(axis.map(|x| x.v), axis.map(|x| x.d[0])));
            let sum = add(turned[0], add(turned[1], turned[2]));
            let turned = mat_vec(&frame.rotation, scale(0.5, sum));
            for (row, turned) in turned.into_iter().enumerate() {
                out.L.set(3 + row, behind + number, turned);
            }
        }
    }

    /// A direction and its rows: the first axis of a frame, `ḋ = ω × d`.
    fn fill_direction(
        &self,
        u: Parameters,
        d: Vec3,
        (q, v): (&[f64], &[f64]),
        out: &mut ConnectorMut<'_>,
    ) {
        let Some(frame) = self.frame_at(q) else {
            return;
        };
        let carried = self.carried(u, [d, complete_basis(d).0], (q, v));
        let [own, ..] = orthonormal(carried.rates);
        let turned = |rate: fn(Taylor) -> f64| mat_vec(&frame.rotation, own.map(rate));
        let (x, rate, bend) = (turned(|x| x.v), turned(|x| x.d), turned(|x| x.dd));
        let omega = [v[3], v[4], v[5]];
        out.x.copy_from_slice(&x);
        out.x_dot.copy_from_slice(&add(cross(omega, x), rate));
        let turning = cross(omega, add(cross(omega, x), scale(2.0, rate)));
        out.ell.copy_from_slice(&add(turning, bend));
        out.L.set3(0, 3, [0.0, x[2], -x[1]]);
        out.L.set3(1, 3, [-x[2], 0.0, x[0]]);
        out.L.set3(2, 3, [x[1], -x[0], 0.0]);
        let behind = self.n_frame().1;
        for (number, rows) in carried.rows[..self.map.n_numbers()].iter().enumerate() {
            let vector = std::array::from_fn(|row| Jet {
                v: carried.rates[0][row].v,
                d: [rows[0][row]],
            });
            let moved: [Jet<1>; 3] = normal(vector);
            let moved = mat_vec(&frame.rotation, moved.map(|x| x.d[0]));
            for (row, moved) in moved.into_iter().enumerate() {
                out.L.set(row, behind + number, moved);
            }
        }
    }

    /// The site of what is here in the frame now, by where its matter was at birth.
    pub(super) fn born_site(&self, q: &[f64], site: Site) -> Result<Site, Error> {
        let now = self.numbers(q);
        let find = |p: Vec3| {
            let found = self.map.locate(p, now);
            found.ok_or_else(|| {
                let problem = "in the body's frame, where it has no material";
                Error::field("point", format!("is at {p:?} {problem}"))
            })
        };
        Ok(match site {
            Site::Point(p) => Site::Point(self.map.place(find(p)?, &self.born)),
            Site::Frame { origin, rotation } => {
                let u = find(origin)?;
                Site::Frame {
                    origin: self.map.place(u, &self.born),
                    rotation: self.born_axes(u, now, &rotation),
                }
            }
            Site::Direction(d) => {
                let own = self.gradient([0.0; 3], now);
                let d = unit(solve(&own, d)).unwrap_or(d);
                Site::Direction(d)
            }
            other => other,
        })
    }

    /// `F·F₀⁻¹` at numbers: what the axes of birth became, as columns.
    fn gradient(&self, u: Parameters, now: &[f64]) -> Mat3 {
        let motion = ShapeMotion::at(u, now, now);
        let axis = |k: usize| {
            let mut d = [0.0; 3];
            d[k] = 1.0;
            self.map.eval(Of::Along(d), &motion, &mut |_, _, _| {}).x
        };
        transpose(&[axis(0), axis(1), axis(2)])
    }

    /// Axes at birth that are carried to the columns of `rotation` now.
    fn born_axes(&self, u: Parameters, now: &[f64], rotation: &Mat3) -> Mat3 {
        let own = self.gradient(u, now);
        let vectors = [0, 1].map(|k| solve(&own, column(rotation, k)));
        transpose(&orthonormal(vectors))
    }
}

/// Two directions of birth now, how they move, and their rows by number.
struct Carried {
    rates: [[Taylor; 3]; 2],
    rows: [[[f64; 3]; 2]; MAX_VELOCITIES],
}
