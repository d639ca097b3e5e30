//! Connectors of shapes: points and tangents by their parameter, numbers, length and area.

use super::ShapeBody;
use crate::body::Body;
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, Shown};
use crate::math::{Vec3, dot, norm, scale, sub};
use crate::shape::{Domain, Of, Parameters, ShapeMotion};

impl ShapeBody {
    fn is_curve(&self) -> bool {
        self.map.domains().len() == 1
    }

    pub(super) fn kind_of(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        let n = self.n_v();
        let point = match self.map.dimension() {
            2 => ConnectorKind::Point2,
            _ => ConnectorKind::Point3,
        };
        Ok(match *site {
            Site::Curve(u) | Site::Curve2(u) | Site::Tangent(u) => {
                let other = match self.map.dimension() {
                    2 => matches!(site, Site::Curve(_)),
                    _ => matches!(site, Site::Curve2(_)),
                };
                if other || self.map.domains().len() > 1 {
                    return Ok(None);
                }
                let is_tangent = matches!(site, Site::Tangent(_));
                if is_tangent && !self.is_curve() {
                    return Ok(None);
                }
                self.check_place("curve", &[u])?;
                Some(match is_tangent {
                    true => ConnectorKind::Direction3,
                    false => point,
                })
            }
            Site::Surface(u) if self.map.domains().len() == 2 => {
                self.check_place("surface", &u)?;
                Some(point)
            }
            Site::Scalar(Self::LENGTH) if self.is_curve() => Some(ConnectorKind::Scalar),
            Site::Scalar(Self::AREA) => {
                let is_closed = self.map.domains().first().is_some_and(|own| own.closed);
                let encloses = self.is_curve() && is_closed && self.map.dimension() == 2;
                encloses.then_some(ConnectorKind::Scalar)
            }
            Site::Scalar(number) if (number as usize) < n => Some(ConnectorKind::Scalar),
            Site::Scalar(number) => {
                let problem = format!("is number {number}; there are {n}, from 0");
                return Err(Error::field("scalar", problem));
            }
            Site::Coordinates => Some(ConnectorKind::Vector(n as u32)),
            _ => None,
        })
    }

    /// Refuses a place beyond the ends of a shape.
    fn check_place(&self, field: &'static str, u: &[f64]) -> Result<(), Error> {
        Error::require_finite(field, u)?;
        for (u, domain) in u.iter().zip(self.map.domains()) {
            let Domain { from, to, closed } = *domain;
            if !closed && !(from..=to).contains(u) {
                let problem = format!("is {}; this {field} goes from {from} to {to}", Shown(*u));
                return Err(Error::field(field, problem));
            }
        }
        Ok(())
    }

    pub(super) fn fill_connector(
        &self,
        site: &Site,
        q: &[f64],
        v: &[f64],
        out: &mut ConnectorMut<'_>,
    ) {
        match *site {
            Site::Curve(u) | Site::Curve2(u) => self.fill_point([u, 0.0, 0.0], q, v, out),
            Site::Surface([a, b]) => self.fill_point([a, b, 0.0], q, v, out),
            Site::Tangent(u) => self.fill_tangent(u, q, v, out),
            Site::Scalar(Self::LENGTH) => self.fill_length(q, v, out),
            Site::Scalar(Self::AREA) => self.fill_area(q, v, out),
            Site::Scalar(number) => {
                let at = number as usize;
                (out.x[0], out.x_dot[0]) = (q[at], v[at]);
                out.L.set(0, 0, 1.0);
            }
            _ => {
                out.x.copy_from_slice(q);
                out.x_dot.copy_from_slice(v);
                for k in 0..q.len() {
                    out.L.set(k, k, 1.0);
                }
            }
        }
    }

    fn fill_point(&self, u: Parameters, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        let motion = ShapeMotion::at(u, q, v);
        let l = &mut out.L;
        let is_packed = l.n_cols() < q.len();
        let value = self
            .map
            .eval(Of::Point, &motion, &mut |row, number, value| {
                l.set(row, self.column(is_packed, u, number), value);
            });
        let d = self.map.dimension();
        out.x.copy_from_slice(&value.x[..d]);
        out.x_dot.copy_from_slice(&value.x_dot[..d]);
        out.ell.copy_from_slice(&value.ell[..d]);
    }

    /// `t = x_u/|x_u|`: with P across t, `ṫ = P·ẋ_u/|x_u|`, and what is left of ẗ.
    fn fill_tangent(&self, u: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        let motion = ShapeMotion::at([u, 0.0, 0.0], q, v);
        let still = self.map.eval(Of::Tangent(0), &motion, &mut |_, _, _| {});
        let length = norm(still.x);
        let t = scale(1.0 / length, still.x);
        let across = |a: Vec3| sub(a, scale(dot(t, a), t));
        let l = &mut out.L;
        let is_packed = l.n_cols() < q.len();
        self.map
            .eval(Of::Tangent(0), &motion, &mut |row, number, value| {
                let mut axis = [0.0; 3];
                axis[row] = value / length;
                let turned = across(axis);
                let column = self.column(is_packed, motion.u, number);
                for (k, turned) in turned.into_iter().enumerate() {
                    l.add(k, column, turned);
                }
            });
        let rate = scale(1.0 / length, across(still.x_dot));
        let stretch = dot(t, still.x_dot) / length;
        // ẗ = P·ẍ_u/|x_u| − 2·(t·ẋ_u)/|x_u|·ṫ − |ṫ|²·t.
        let mut ell = scale(1.0 / length, across(still.ell));
        ell = sub(ell, scale(2.0 * stretch, rate));
        ell = sub(ell, scale(dot(rate, rate), t));
        out.x.copy_from_slice(&t);
        out.x_dot.copy_from_slice(&rate);
        out.ell.copy_from_slice(&ell);
    }

    /// The column of a number at a site: among those that the site depends on, or among all.
    fn column(&self, is_packed: bool, u: Parameters, number: usize) -> usize {
        match is_packed {
            true => self.map.place_of(u, number),
            false => number,
        }
    }
}
