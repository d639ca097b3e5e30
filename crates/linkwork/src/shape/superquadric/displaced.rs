//! A superquadric with displacements beside its global shape: `p = s(u; q_s) + Σ Ψₖ(X)·ηₖ`.
//!
//! What is no longer in closed form is computed here: which matter is at a place, by Newton's method; the outward
//! normal, by Nanson's formula; and the volume, `∫ det(∂p/∂X) dV`.

use super::super::number::{Jet, Number, Slope, Taylor};
use super::super::{MAX_NUMBERS, Of, Parameters, ShapeMap, ShapeMotion};
use super::Superquadric;
use super::deform::unit;
use super::field::DisplacementFields;
use super::modes::{Point, modes};
use super::moments::{self, Detail};
use crate::error::Error;
use crate::math::{IDENTITY3, Mat3, Vec3, add, cross, dot, norm, sub, transpose};
use crate::shape::tolerances::FOUND;

/// The most steps of Newton's method.
const MOST_STEPS: usize = 40;

impl Superquadric {
    /// The same with displacements. Their numbers come behind those of the coordinates.
    pub fn with_fields(mut self, fields: DisplacementFields) -> Result<Self, Error> {
        if self.has_free_exponents() {
            let problem = "has exponents, which cannot be free beside displacements; hold them";
            return Err(Error::field("free", problem));
        }
        self.fields = fields;
        // An affine solid is stretched alike everywhere.
        self.solid = match self.coordinates.is_empty() && self.fields.is_affine() {
            true => vec![([0.0; 3], self.born.volume())],
            false => self.solid_points()?,
        };
        Ok(self)
    }

    /// The same with its slowest vibration modes, of a matter with this density and these Lamé constants; and their ω².
    pub fn with_modes(
        self,
        n: usize,
        density: f64,
        lame: [f64; 2],
    ) -> Result<(Self, Vec<f64>), Error> {
        let mut q = vec![0.0; self.coordinates.len()];
        self.start(&mut q);
        let mut points = Vec::new();
        for (u, volume) in moments::solid(&self.born.form(), Detail::Modes)? {
            let mut material = [0.0; 3];
            self.material(u, &mut material);
            self.each_row(&q, &material, &mut |x, own| {
                let n = q.len();
                let mut rows = Vec::with_capacity(3 * (6 + n));
                for axis in 0..3 {
                    rows.extend(IDENTITY3[axis]);
                    // ω × x.
                    rows.extend(IDENTITY3.map(|turn| cross(turn, x)[axis]));
                    rows.extend(&own[axis * n..(axis + 1) * n]);
                }
                points.push(Point {
                    x,
                    mass: density * volume,
                    volume,
                    rows,
                });
            });
        }
        let (fields, squares) = modes(&points, lame, n, self.length());
        Ok((self.with_fields(fields)?, squares))
    }

    /// What a mode of size one moves matter by, on average.
    pub fn length(&self) -> f64 {
        self.born.a.into_iter().fold(0.0, f64::max)
    }

    /// Its displacements.
    pub fn fields(&self) -> &DisplacementFields {
        &self.fields
    }

    /// The sizes of displacements among the numbers.
    fn sizes<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        &q[self.coordinates.len()..]
    }

    pub(super) fn is_displaced(&self, q: &[f64]) -> bool {
        self.sizes(q).iter().any(|size| *size != 0.0)
    }

    /// Where the matter was at birth.
    fn birth<T: Number>(&self, u: [T; 3]) -> [T; 3] {
        let form = self.born.form().map(T::constant);
        form.deform(unit(u, form.e))
    }

    /// All fields at a point, or how they change along it.
    pub(super) fn each_field<T: Number>(
        &self,
        of: Of,
        u: [T; 3],
        see: &mut dyn FnMut(usize, [T; 3]),
    ) {
        if self.fields.is_empty() {
            return;
        }
        let still = |own: T| Slope {
            at: own,
            along: T::constant(0.0),
        };
        let moved: [Slope<T>; 3] = match of {
            Of::Point => return self.fields.each(self.birth(u), see),
            Of::Tangent(k) => {
                let mut u = u.map(still);
                u[k].along = T::constant(1.0);
                self.birth(u)
            }
            Of::Along(d) => {
                let x = self.birth(u);
                std::array::from_fn(|k| Slope {
                    at: x[k],
                    along: T::constant(d[k]),
                })
            }
        };
        let mut see_along = |k: usize, field: [Slope<T>; 3]| see(k, field.map(|x| x.along));
        self.fields.each(moved, &mut see_along);
    }

    /// The point of the primitive whose matter is at `p`, from where it would be without displacements.
    pub(super) fn find(&self, p: Vec3, q: &[f64], mut x: Vec3) -> Option<Vec3> {
        let form = self.form(|number| Jet::<3>::constant(q[number]));
        let born = self.born.form().map(Jet::constant);
        let sizes = self.sizes(q);
        for _ in 0..MOST_STEPS {
            let at = std::array::from_fn(|k| Jet::variable(x[k], k));
            let mut y = form.deform(at);
            self.fields.each(born.deform(at), &mut |k, field| {
                y = std::array::from_fn(|axis| y[axis] + field[axis] * sizes[k]);
            });
            let step = solve(&y.map(|y| y.d), sub(p, y.map(|y| y.v)));
            x = add(x, step);
            if norm(step) <= FOUND {
                return Some(x);
            }
        }
        None
    }

    /// `∂p/∂X` by columns, with its rates, and its derivatives by each number.
    fn gradient(
        &self,
        motion: &ShapeMotion<'_>,
        slopes: &mut [[Vec3; 3]; MAX_NUMBERS],
    ) -> [[Taylor; 3]; 3] {
        let mut columns = [[Taylor::default(); 3]; 3];
        for (j, column) in columns.iter_mut().enumerate() {
            let mut see = |row: usize, number: usize, value| slopes[number][j][row] = value;
            let value = self.eval(Of::Along(IDENTITY3[j]), motion, &mut see);
            *column = std::array::from_fn(|row| Taylor {
                v: value.x[row],
                d: value.x_dot[row],
                dd: value.ell[row],
            });
        }
        columns
    }

    /// Whether nothing is turned inside out.
    pub(super) fn check_gradient(&self, q: &[f64]) -> Result<(), Error> {
        for (u, _) in &self.solid {
            let mut slopes = [[[0.0; 3]; 3]; MAX_NUMBERS];
            let columns = self.gradient(&ShapeMotion::at(*u, q, q), &mut slopes);
            let room = determinant(columns).v;
            if room.is_nan() || room <= 0.0 {
                let problem = "turns it inside out; displace it less";
                return Err(Error::field("q", problem));
            }
        }
        Ok(())
    }

    /// The outward normal: that of birth, carried by the cofactors of the gradient.
    pub(super) fn carried_normal(&self, u: Parameters, q: &[f64], born: Vec3) -> Vec3 {
        let mut slopes = [[[0.0; 3]; 3]; MAX_NUMBERS];
        let columns = self.gradient(&ShapeMotion::at(u, q, q), &mut slopes);
        let [x, y, z] = cofactors(columns);
        std::array::from_fn(|k| x[k] * born[0] + y[k] * born[1] + z[k] * born[2])
    }

    /// [`ShapeMap::measure`] of the volume.
    pub(super) fn fill_displaced_volume(
        &self,
        q: &[f64],
        v: &[f64],
        entry: &mut dyn FnMut(usize, f64),
    ) -> [f64; 3] {
        let mut rows = [0.0; MAX_NUMBERS];
        let mut sum = Taylor::default();
        for (u, volume) in &self.solid {
            let mut slopes = [[[0.0; 3]; 3]; MAX_NUMBERS];
            let columns = self.gradient(&ShapeMotion::at(*u, q, v), &mut slopes);
            sum = sum + determinant(columns) * *volume;
            let cofactors = cofactors(columns);
            for (row, slope) in rows.iter_mut().zip(&slopes) {
                let pairs = cofactors.iter().zip(slope);
                *row += volume * pairs.map(|(c, s)| dot(*c, *s)).sum::<f64>();
            }
        }
        let rows = rows.into_iter().take(self.n_numbers());
        rows.enumerate()
            .for_each(|(number, row)| entry(number, row));
        [sum.v, sum.d, sum.dd]
    }
}

fn determinant([a, b, c]: [[Taylor; 3]; 3]) -> Taylor {
    let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1)
}

/// The derivatives of the determinant by the columns.
fn cofactors(columns: [[Taylor; 3]; 3]) -> [Vec3; 3] {
    let [a, b, c] = columns.map(|column| column.map(|x| x.v));
    [cross(b, c), cross(c, a), cross(a, b)]
}

/// `A⁻¹·b` by Cramer's rule.
pub(crate) fn solve(a: &Mat3, b: Vec3) -> Vec3 {
    let [x, y, z] = transpose(a);
    let by = 1.0 / dot(x, cross(y, z));
    [cross(y, z), cross(z, x), cross(x, y)].map(|row| by * dot(row, b))
}
