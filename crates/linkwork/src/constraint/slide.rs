//! A point slides along a curve, and two curves touch: the place of the contact is a number of its own.
//!
//! Inputs of [`SlideOnCurve`]: all numbers q of the curve, the place u, the point p. Of [`CurveTangency`]: q and u of
//! both curves. With `x(u; q)` of the curve's map and `⊥` across the tangent `x_u`, in the plane:
//!
//! ```text
//!     slide      x(u; q) − p = 0                                       n rows, one more unknown
//!     tangency   x_a(u; q_a) − x_b(v; q_b) = 0,  x_a′ × x_b′/(|x_a′|·|x_b′|) = 0    3 rows, two unknowns
//! ```
//!
//! u is state like any other number: it is saved, undone and held at its ends by limits. Nothing is searched, so
//! nothing jumps. Tangency is singular where a tangent vanishes, and where both curves have the same curvature.

use std::sync::Arc;

use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Error;
use crate::math::{Vec3, dot, sub};
use crate::shape::{Of, ShapeMap, ShapeMotion, ShapeValue};

/// A point of a body is somewhere on a curve.
#[derive(Clone, Debug)]
pub struct SlideOnCurve {
    curve: Arc<dyn ShapeMap>,
    kinds: [ConnectorKind; 3],
}

/// Two curves of the plane touch somewhere.
#[derive(Clone, Debug)]
pub struct CurveTangency {
    curves: [Arc<dyn ShapeMap>; 2],
    kinds: [ConnectorKind; 4],
}

fn vector(curve: &Arc<dyn ShapeMap>) -> ConnectorKind {
    ConnectorKind::Vector(curve.n_numbers() as u32)
}

fn require_curve(curve: &Arc<dyn ShapeMap>) -> Result<(), Error> {
    if curve.domains().len() != 1 {
        return Err(Error::field(
            "curve",
            "is no curve; give a body with one parameter",
        ));
    }
    Ok(())
}

fn motion<'i>(q: &Input<'i>, u: &Input<'i>) -> ShapeMotion<'i> {
    ShapeMotion {
        u: [u.x[0], 0.0, 0.0],
        u_dot: [u.x_dot[0], 0.0, 0.0],
        q: q.x,
        v: q.x_dot,
    }
}

impl SlideOnCurve {
    /// Along the curve of a body with this map.
    pub fn new(curve: Arc<dyn ShapeMap>) -> Self {
        let point = match curve.dimension() {
            2 => ConnectorKind::Point2,
            _ => ConnectorKind::Point3,
        };
        Self {
            kinds: [vector(&curve), ConnectorKind::Scalar, point],
            curve,
        }
    }
}

impl Constraint for SlideOnCurve {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        match self.curve.dimension() {
            2 => &self.kinds,
            _ => &[],
        }
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter; 3][..self.curve.dimension()]
    }

    fn validate(&self) -> Result<(), Error> {
        require_curve(&self.curve)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let motion = motion(&inputs[0], &inputs[1]);
        let mut columns = out.dc_dx(0);
        let value = self
            .curve
            .eval(Of::Point, &motion, &mut |row, number, slope| {
                columns.set(row, number, slope);
            });
        let point = &inputs[2];
        for row in 0..self.curve.dimension() {
            out.c[row] = value.x[row] - point.x[row];
            out.c_dot[row] = value.x_dot[row] - point.x_dot[row];
            out.gamma[row] = value.ell[row];
            out.dc_dx(1).set(row, 0, value.x_u[0][row]);
            out.dc_dx(2).set(row, row, -1.0);
        }
    }

    fn allows_same_body(&self) -> bool {
        true
    }

    fn for_map(&self, input: usize, map: &Arc<dyn ShapeMap>) -> Option<Arc<dyn Constraint>> {
        (input == 0).then(|| Arc::new(Self::new(map.clone())) as Arc<dyn Constraint>)
    }
}

impl CurveTangency {
    /// Of the curves of two bodies with these maps, both of the plane.
    pub fn new(a: Arc<dyn ShapeMap>, b: Arc<dyn ShapeMap>) -> Self {
        let kinds = [
            vector(&a),
            ConnectorKind::Scalar,
            vector(&b),
            ConnectorKind::Scalar,
        ];
        Self {
            curves: [a, b],
            kinds,
        }
    }
}

/// `t = x′/|x′|` as numbers of the row: x′ and what its unit vector does.
struct Unit {
    t: Vec3,
    length: f64,
    rate: Vec3,
    second: Vec3,
}

impl Unit {
    fn of(value: &ShapeValue) -> Self {
        let length = dot(value.x, value.x).sqrt();
        let t = value.x.map(|x| x / length);
        let across = |a: Vec3| sub(a, t.map(|t_k| t_k * dot(t, a))).map(|a| a / length);
        let rate = across(value.x_dot);
        let stretch = dot(t, value.x_dot) / length;
        let turn = dot(rate, rate);
        let bent = across(value.ell);
        let second = [0, 1, 2].map(|k| bent[k] - 2.0 * stretch * rate[k] - turn * t[k]);
        Self {
            t,
            length,
            rate,
            second,
        }
    }

    /// What a change of x′ does to `t × w` of a fixed w, per unit along each axis: the cross product with what is
    /// across t.
    fn slope(&self, w: Vec3) -> [f64; 2] {
        // (P·e)×w/|x′| with P = 1 − t·tᵀ.
        let along = cross(self.t, w);
        [
            (w[1] - self.t[0] * along) / self.length,
            (-w[0] - self.t[1] * along) / self.length,
        ]
    }
}

fn cross(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

impl Constraint for CurveTangency {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter, RowUnit::Meter, RowUnit::Radian]
    }

    fn validate(&self) -> Result<(), Error> {
        for curve in &self.curves {
            require_curve(curve)?;
            if curve.dimension() != 2 {
                return Err(Error::field(
                    "curve",
                    "is in space; curves of the plane touch",
                ));
            }
        }
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let motions = [0, 2].map(|at| motion(&inputs[at], &inputs[at + 1]));
        let tangent = |k: usize| {
            let none = &mut |_, _, _| {};
            self.curves[k].eval(Of::Tangent(0), &motions[k], none)
        };
        let tangents = [tangent(0), tangent(1)];
        let units = [Unit::of(&tangents[0]), Unit::of(&tangents[1])];
        for k in 0..2 {
            let sign = if k == 0 { 1.0 } else { -1.0 };
            let mut columns = out.dc_dx(2 * k);
            let value = self.curves[k].eval(Of::Point, &motions[k], &mut |row, number, slope| {
                columns.add(row, number, sign * slope);
            });
            // t_a × t_b: by x_a′ as it is, by x_b′ with the other sign.
            let by = units[k].slope(units[1 - k].t).map(|slope| sign * slope);
            self.curves[k].eval(Of::Tangent(0), &motions[k], &mut |row, number, slope| {
                columns.add(2, number, by[row] * slope);
            });
            for row in 0..2 {
                out.c[row] += sign * value.x[row];
                out.c_dot[row] += sign * value.x_dot[row];
                out.gamma[row] += sign * value.ell[row];
                out.dc_dx(2 * k + 1).set(row, 0, sign * value.x_u[0][row]);
            }
            let bent = tangents[k].x_u[0];
            out.dc_dx(2 * k + 1)
                .set(2, 0, by[0] * bent[0] + by[1] * bent[1]);
        }
        let [a, b] = &units;
        out.c[2] = cross(a.t, b.t);
        out.c_dot[2] = cross(a.rate, b.t) + cross(a.t, b.rate);
        out.gamma[2] = cross(a.second, b.t) + 2.0 * cross(a.rate, b.rate) + cross(a.t, b.second);
    }

    fn allows_same_body(&self) -> bool {
        true
    }

    fn for_map(&self, input: usize, map: &Arc<dyn ShapeMap>) -> Option<Arc<dyn Constraint>> {
        let [a, b] = &self.curves;
        let again = match input {
            0 => Self::new(map.clone(), b.clone()),
            2 => Self::new(a.clone(), map.clone()),
            _ => return None,
        };
        Some(Arc::new(again))
    }
}

/// Two directions of the plane are parallel, as tangents of curves are where these go on smoothly, or along a given
/// direction: `z·(a × b) = 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParallelInPlane;

impl Constraint for ParallelInPlane {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Direction3; 2]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Radian]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (inputs[0].position(), inputs[1].position());
        let (a_dot, b_dot) = (inputs[0].velocity(), inputs[1].velocity());
        out.c[0] = cross(a, b);
        out.c_dot[0] = cross(a_dot, b) + cross(a, b_dot);
        out.gamma[0] = 2.0 * cross(a_dot, b_dot);
        out.dc_dx(0).set3(0, 0, [b[1], -b[0], 0.0]);
        out.dc_dx(1).set3(0, 0, [-a[1], a[0], 0.0]);
    }

    fn allows_same_body(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::shape::Spline;

    fn curve(closed: bool) -> Arc<dyn ShapeMap> {
        let points = [[0.0, 0.0], [1.0, 0.3], [1.4, 1.2], [0.2, 1.7], [-0.8, 0.9]];
        Arc::new(Spline::in_plane(&points, 4, closed))
    }

    #[test]
    fn rows_are_those_of_differences() {
        for seed in 0..4 {
            check_constraint(&SlideOnCurve::new(curve(false)), seed)
                .unwrap_or_else(|violation| panic!("{violation}"));
            let tangency = CurveTangency::new(curve(false), curve(true));
            check_constraint(&tangency, seed).unwrap_or_else(|violation| panic!("{violation}"));
            check_constraint(&ParallelInPlane, seed)
                .unwrap_or_else(|violation| panic!("{violation}"));
        }
    }
}
