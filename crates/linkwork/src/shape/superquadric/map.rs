//! What the map of a superquadric gives: places, rows and rates of one point or of many, and numbers of the whole.

use super::deform::{parameters, unit};
use super::{N_COORDINATES, N_PARTIALS, Superquadric, check_bend, value_of};
use crate::error::Error;
use crate::math::{Vec3, add, scale};
use crate::shape::number::{Jet, Taylor};
use crate::shape::{
    Domain, MAX_NUMBERS, Of, Parameters, ShapeMap, ShapeMotion, ShapeValue, VOLUME,
};
use std::f64::consts::{FRAC_PI_2, PI};

/// Most superquadrics have no more numbers: their jets are shorter.
const FEW: usize = 8;
const DOMAINS: [Domain; 3] = [
    Domain {
        from: 0.0,
        to: 1.0,
        closed: false,
    },
    Domain {
        from: -FRAC_PI_2,
        to: FRAC_PI_2,
        closed: false,
    },
    Domain {
        from: -PI,
        to: PI,
        closed: true,
    },
];

/// `x + Σ fieldₖ·sizeₖ`.
fn moved(x: Vec3, fields: &[Vec3], sizes: &[f64]) -> Vec3 {
    let parts = fields.iter().zip(sizes);
    parts.fold(x, |x, (field, size)| add(x, scale(*size, *field)))
}

impl Superquadric {
    /// What [`ShapeMap::material`] told, by point: a point of the primitive, and fields.
    fn points<'a>(&self, points: &'a [f64]) -> impl Iterator<Item = (Vec3, &'a [Vec3])> {
        let each = points.chunks_exact(self.n_material());
        each.filter_map(|own| own.as_chunks().0.split_first().map(|(p, f)| (*p, f)))
    }

    fn each_jet<const N: usize>(
        &self,
        q: &[f64],
        points: &[f64],
        see: &mut dyn FnMut(Vec3, &[f64]),
    ) {
        let form = self.form(|number| Jet::<N>::variable(q[number], number));
        let (n, n_own) = (self.n_numbers(), self.coordinates.len());
        let mut l = [0.0; 3 * MAX_NUMBERS];
        for (point, fields) in self.points(points) {
            let x = self.deform_at(point, &form);
            for (axis, x) in x.iter().enumerate() {
                let (own, others) = l[axis * n..(axis + 1) * n].split_at_mut(n_own);
                own.copy_from_slice(&x.d[..n_own]);
                let along = fields.iter().map(|field| field[axis]);
                others.iter_mut().zip(along).for_each(|(l, f)| *l = f);
            }
            see(moved(x.map(|x| x.v), fields, &q[n_own..]), &l[..3 * n]);
        }
    }
}

impl ShapeMap for Superquadric {
    fn n_numbers(&self) -> usize {
        self.coordinates.len() + self.fields.len()
    }

    fn dimension(&self) -> usize {
        3
    }

    fn domains(&self) -> &[Domain] {
        &DOMAINS
    }

    fn validate(&self) -> Result<(), Error> {
        self.born.validate()
    }

    fn start(&self, q: &mut [f64]) {
        q.fill(0.0);
        self.numbers_at(&self.born, q);
    }

    fn check(&self, q: &[f64]) -> Result<(), Error> {
        check_bend(&self.form(|number| q[number]))?;
        self.check_gradient(q)
    }

    fn name(&self, number: usize) -> Option<&str> {
        Some(match self.coordinates.get(number) {
            Some(own) => Self::NAMES[usize::from(*own)],
            None => self.fields.name(number - self.coordinates.len())?,
        })
    }

    fn place(&self, u: Parameters, q: &[f64]) -> Vec3 {
        let form = self.form(|number| q[number]);
        let mut x = form.deform(unit(u, form.e));
        let sizes = &q[self.coordinates.len()..];
        self.each_field(Of::Point, u, &mut |k, field| {
            x = add(x, scale(sizes[k], field));
        });
        x
    }

    fn n_material(&self) -> usize {
        3 * (1 + self.fields.len())
    }

    fn material(&self, u: Parameters, out: &mut [f64]) {
        out[..3].copy_from_slice(&match self.has_free_exponents() {
            true => u,
            false => unit(u, self.born.e),
        });
        self.each_field(Of::Point, u, &mut |k, field| {
            out[3 * (1 + k)..3 * (2 + k)].copy_from_slice(&field);
        });
    }

    fn each_place(&self, q: &[f64], points: &[f64], see: &mut dyn FnMut(Vec3)) {
        let form = self.form(|number| q[number]);
        let sizes = &q[self.coordinates.len()..];
        for (point, fields) in self.points(points) {
            see(moved(self.deform_at(point, &form), fields, sizes));
        }
    }

    fn each_row(&self, q: &[f64], points: &[f64], see: &mut dyn FnMut(Vec3, &[f64])) {
        match self.coordinates.len() {
            0..=FEW => self.each_jet::<FEW>(q, points, see),
            _ => self.each_jet::<N_PARTIALS>(q, points, see),
        }
    }

    fn each_motion(&self, q: &[f64], v: &[f64], points: &[f64], see: &mut dyn FnMut(&ShapeValue)) {
        let form = self.form(|number| Taylor::moving(q[number], v[number]));
        let n = self.coordinates.len();
        for (point, fields) in self.points(points) {
            let x = self.deform_at(point, &form);
            see(&ShapeValue {
                x: moved(x.map(|x| x.v), fields, &q[n..]),
                x_dot: moved(x.map(|x| x.d), fields, &v[n..]),
                ell: x.map(|x| x.dd),
                ..ShapeValue::default()
            });
        }
    }

    fn locate(&self, p: Vec3, q: &[f64]) -> Option<Parameters> {
        let form = self.form(|number| q[number]);
        let mut x = form.undeform(p);
        if self.is_displaced(q) {
            x = self.find(p, q, x)?;
        }
        let is_inside = form.room(x) > 0.0 && x.iter().all(|x| x.is_finite());
        let found = is_inside.then(|| parameters(x, form.e))?;
        found.iter().all(|u| u.is_finite()).then_some(found)
    }

    fn normal(&self, u: Parameters, q: &[f64]) -> Option<Vec3> {
        if self.is_displaced(q) {
            let mut born = vec![0.0; q.len()];
            self.start(&mut born);
            let normal = self.normal(u, &born)?;
            return crate::math::unit(self.carried_normal(u, q, normal));
        }
        crate::math::unit(self.gauge(q, self.place(u, q)).1)
    }

    fn has_measure(&self, index: u32) -> Result<bool, Error> {
        let name = match Self::NAMES.get(index as usize) {
            Some(name) => *name,
            None if index == VOLUME => "volume",
            None => return Ok((index as usize) < N_COORDINATES + self.fields.len()),
        };
        let is_free = match index {
            VOLUME => self.n_numbers() > 0,
            own => self.number_of(own as usize).is_some(),
        };
        if is_free {
            return Ok(true);
        }
        let problem = format!("is \"{name}\", which is held; free what it depends on");
        Err(Error::field("scalar", problem))
    }

    fn measure(
        &self,
        index: u32,
        q: &[f64],
        v: &[f64],
        entry: &mut dyn FnMut(usize, f64),
    ) -> [f64; 3] {
        let coordinate = index as usize;
        if index != VOLUME && coordinate >= N_COORDINATES {
            let number = self.coordinates.len() + coordinate - N_COORDINATES;
            entry(number, 1.0);
            return [q[number], v[number], 0.0];
        }
        let Some(number) = self.number_of(coordinate) else {
            return self.fill_volume(q, v, entry);
        };
        let own = value_of(coordinate, Taylor::moving(q[number], 1.0));
        entry(number, own.d);
        [own.v, own.d * v[number], own.dd * v[number] * v[number]]
    }

    fn eval(
        &self,
        of: Of,
        motion: &ShapeMotion<'_>,
        entry: &mut dyn FnMut(usize, usize, f64),
    ) -> ShapeValue {
        let moving = |k: usize| Taylor::moving(motion.u[k], motion.u_dot[k]);
        let variable = |k: usize| Jet::variable(motion.u[k], N_COORDINATES + k);
        let n = self.coordinates.len();
        let rows = self.jets(motion.q);
        let mut rows = self.eval_as(of, std::array::from_fn(variable), motion.u, &rows);
        self.each_field(of, std::array::from_fn(variable), &mut |k, field| {
            for (axis, (row, field)) in rows.iter_mut().zip(field).enumerate() {
                entry(axis, n + k, field.v);
                *row = *row + field * motion.q[n + k];
            }
        });
        let mut out = ShapeValue::default();
        for (axis, x) in rows.iter().enumerate() {
            for (number, value) in x.d.iter().take(n).enumerate() {
                entry(axis, number, *value);
            }
            for (k, x_u) in out.x_u.iter_mut().enumerate() {
                x_u[axis] = x.d[N_COORDINATES + k];
            }
        }
        let rates = self.rates(motion);
        let mut x = self.eval_as(of, std::array::from_fn(moving), motion.u, &rates);
        self.each_field(of, std::array::from_fn(moving), &mut |k, field| {
            let size = Taylor::moving(motion.q[n + k], motion.v[n + k]);
            x = std::array::from_fn(|axis| x[axis] + field[axis] * size);
        });
        (out.x, out.x_dot, out.ell) = (x.map(|x| x.v), x.map(|x| x.d), x.map(|x| x.dd));
        out
    }
}
