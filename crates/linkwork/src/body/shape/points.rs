//! The loop over material points.

use super::{MAX_DENSE, MAX_VELOCITIES, ShapeBody};
use crate::body::{Body, MassPattern};
use crate::error::Error;
use crate::linalg::order::sort;
use crate::math::{Vec3, cross, norm};
use crate::shape::{
    Domain, MAX_NUMBERS, Of, Parameters, ShapeMap, ShapeMotion, ShapeValue, gauss_legendre,
};
use std::sync::Arc;

/// So many points are gone through at once, where that is by several loops.
pub(super) const AT_ONCE: usize = 32;

/// A part of a body's mass, at parameters of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialPoint {
    /// Where on the shape.
    pub u: Parameters,
    /// How heavy.
    pub mass: f64,
}

impl MaterialPoint {
    /// All mass at one point of a shape without parameters.
    pub fn only(mass: f64) -> Vec<Self> {
        vec![Self { u: [0.0; 3], mass }]
    }

    /// Mass along a curve: in `n_parts` parts with `n` points each, evenly by length at birth, or evenly by the
    /// parameter. A closed curve with one point in each part has them evenly, which is exact for waves.
    pub fn along(
        map: &dyn ShapeMap,
        mass: f64,
        (n_parts, n): (usize, usize),
        by_length: bool,
    ) -> Result<Vec<Self>, Error> {
        Error::require_positive("mass", &mass)?;
        let Some(domain) = map.domains().first().copied() else {
            return Ok(Self::only(mass));
        };
        let q = born(map);
        let places = domain_points(domain, (n_parts, n));
        let share = |u: Parameters| {
            let motion = ShapeMotion::at(u, &q, &q);
            norm(map.eval(Of::Tangent(0), &motion, &mut |_, _, _| {}).x)
        };
        let points = places.iter().map(|&(u, weight)| ([u, 0.0, 0.0], weight));
        Ok(spread(mass, by_length, points.collect(), share))
    }

    /// Mass over a surface, in parts along each of its two parameters with points in each: evenly by area at birth, or
    /// evenly by the parameters.
    pub fn over(
        map: &dyn ShapeMap,
        mass: f64,
        parts: [(usize, usize); 2],
        by_area: bool,
    ) -> Result<Vec<Self>, Error> {
        Error::require_positive("mass", &mass)?;
        let &[first, second] = map.domains() else {
            return Err(Error::field(
                "shape",
                "is no surface; give it two parameters",
            ));
        };
        let q = born(map);
        let [along, across] = [
            domain_points(first, parts[0]),
            domain_points(second, parts[1]),
        ];
        let points = along.iter().flat_map(|&(u, weight)| {
            let row = across.iter();
            row.map(move |&(v, other)| ([u, v, 0.0], weight * other))
        });
        let share = |u: Parameters| {
            let motion = ShapeMotion::at(u, &q, &q);
            let [a, b] = [0, 1].map(|k| map.eval(Of::Tangent(k), &motion, &mut |_, _, _| {}).x);
            norm(cross(a, b))
        };
        Ok(spread(mass, by_area, points.collect(), share))
    }
}

fn born(map: &dyn ShapeMap) -> Vec<f64> {
    let mut q = vec![0.0; map.n_numbers()];
    map.start(&mut q);
    q
}

/// Points of a range in so many parts, so many in each, and their weights.
fn domain_points(domain: Domain, (n_parts, n): (usize, usize)) -> Vec<(f64, f64)> {
    let step = domain.length() / n_parts as f64;
    let gauss = match domain.closed && n == 1 {
        // From the beginning on: waves do not care where.
        true => vec![(-1.0, 2.0)],
        false => gauss_legendre(n),
    };
    let parts = (0..n_parts).flat_map(|part| {
        let points = gauss.iter();
        points.map(move |(x, weight)| {
            let at = domain.from + step * (part as f64 + 0.5 * (1.0 + x));
            (at, *weight)
        })
    });
    parts.collect()
}

/// Mass at points of given weights, by their share of the shape, or all alike.
fn spread(
    mass: f64,
    by_share: bool,
    points: Vec<(Parameters, f64)>,
    share: impl Fn(Parameters) -> f64,
) -> Vec<MaterialPoint> {
    let all = points.iter().map(|&(u, weight)| MaterialPoint {
        u,
        mass: weight * if by_share { share(u) } else { 1.0 },
    });
    let mut all: Vec<MaterialPoint> = all.collect();
    let sum: f64 = all.iter().map(|point| point.mass).sum();
    // A shape that has no size yet, or none that is finite, is spread by its parameters.
    let is_large = all
        .iter()
        .all(|point| point.mass > 1e-9 * sum / all.len() as f64);
    if by_share && !(sum > 0.0 && sum.is_finite() && is_large) {
        return spread(mass, false, points, share);
    }
    all.iter_mut().for_each(|point| point.mass *= mass / sum);
    all
}

/// What a map knows points by.
pub(super) fn material(map: &dyn ShapeMap, points: &[MaterialPoint]) -> Vec<f64> {
    let n = map.n_material();
    let mut out = vec![0.0; n * points.len()];
    for (out, point) in out.chunks_exact_mut(n).zip(points) {
        map.material(point.u, out);
    }
    out
}

/// Numbers and `L` of the points of a linear map.
#[derive(Clone, Debug, Default)]
pub(super) struct Cached {
    /// Where those of each point begin.
    start: Vec<u32>,
    /// Axis, number and value of each entry.
    entries: Vec<(u32, u32, f64)>,
}

impl Cached {
    pub(super) fn of(map: &dyn ShapeMap, points: &[MaterialPoint]) -> Self {
        let none = vec![0.0; map.n_numbers()];
        let mut out = Self {
            start: vec![0],
            entries: Vec::new(),
        };
        for point in points {
            let motion = ShapeMotion::at(point.u, &none, &none);
            let entries = &mut out.entries;
            map.eval(Of::Point, &motion, &mut |axis, number, value| {
                entries.push((axis as u32, number as u32, value));
            });
            out.start.push(out.entries.len() as u32);
        }
        out
    }

    fn row(&self, at: usize) -> &[(u32, u32, f64)] {
        &self.entries[self.start[at] as usize..self.start[at + 1] as usize]
    }
}

/// `L` of one point.
pub(super) enum Row<'a> {
    /// All numbers, axis by axis.
    Full(&'a [f64], usize),
    Sparse(&'a [(u32, u32, f64)]),
}

impl Row<'_> {
    /// `f ← f + Lᵀ·force` for a force along an axis.
    pub(super) fn add_to(&self, axis: usize, force: f64, f: &mut [f64]) {
        match self {
            Self::Full(l, n) => {
                for (f, l) in f.iter_mut().zip(&l[axis * n..(axis + 1) * n]) {
                    *f += l * force;
                }
            }
            Self::Sparse(entries) => {
                for (_, number, l) in entries.iter().filter(|own| own.0 as usize == axis) {
                    f[*number as usize] += l * force;
                }
            }
        }
    }
}

impl ShapeBody {
    /// A few points at a time, and what the map knows them by.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (&[MaterialPoint], &[f64])> {
        let material = self.material.chunks(AT_ONCE * self.map.n_material());
        self.points.chunks(AT_ONCE).zip(material)
    }

    /// Calls `visit(mass, motion, L)` for each material point.
    pub(super) fn for_each_point(
        &self,
        q: &[f64],
        v: &[f64],
        mut visit: impl FnMut(f64, &ShapeValue, Row<'_>),
    ) {
        if self.cached.is_some() || self.is_large() {
            return self.for_each_linear(q, v, visit);
        }
        let n = self.n_v();
        let mut l = [0.0; 3 * MAX_VELOCITIES];
        let l = &mut l[..3 * n];
        for point in &self.points {
            l.fill(0.0);
            let value = self.eval(point.u, (q, v), l);
            visit(point.mass, &value, Row::Full(l, n));
        }
    }

    /// Calls `visit(mass, x, L)` for each material point.
    pub(super) fn for_each_row(&self, q: &[f64], mut visit: impl FnMut(f64, Vec3, Row<'_>)) {
        if self.cached.is_some() || self.is_large() {
            return self.for_each_linear(q, q, |mass, value, row| visit(mass, value.x, row));
        }
        let (n, frame) = (self.n_v(), self.frame_at(q));
        let mut l = [0.0; 3 * MAX_VELOCITIES];
        let l = &mut l[..3 * n];
        let mut masses = self.points.iter();
        let mut see = |p: Vec3, rows: &[f64]| {
            let Some(point) = masses.next() else { return };
            let x = self.carry(frame.as_ref(), p, rows, l);
            visit(point.mass, x, Row::Full(l, n));
        };
        self.map.each_row(self.numbers(q), &self.material, &mut see);
    }

    /// A linear map may have more numbers than lie on the stack, but is asked only before its rows are kept.
    fn is_large(&self) -> bool {
        self.map.n_numbers() > MAX_NUMBERS
    }

    fn for_each_linear(
        &self,
        q: &[f64],
        v: &[f64],
        mut visit: impl FnMut(f64, &ShapeValue, Row<'_>),
    ) {
        for (at, point) in self.points.iter().enumerate() {
            let Some(cached) = &self.cached else {
                let motion = ShapeMotion::at(point.u, q, v);
                let value = self.map.eval(Of::Point, &motion, &mut |_, _, _| {});
                visit(point.mass, &value, Row::Sparse(&[]));
                continue;
            };
            let row = cached.row(at);
            let mut value = ShapeValue::default();
            for &(axis, number, l) in row {
                value.x[axis as usize] += l * q[number as usize];
                value.x_dot[axis as usize] += l * v[number as usize];
            }
            visit(point.mass, &value, Row::Sparse(row));
        }
    }

    /// `Σ m·LᵀL + F`, all of it.
    pub(super) fn fill_mass(&self, q: &[f64], M: &mut [f64]) {
        M.fill(0.0);
        self.for_each_row(q, |mass, _, row| {
            if let Row::Full(l, _) = row {
                self.add_mass(mass, l, M);
            }
        });
        self.finish_mass(M);
    }

    /// `m·LᵀL` of a point, below the diagonal.
    pub(super) fn add_mass(&self, mass: f64, l: &[f64], M: &mut [f64]) {
        let n = self.n_v();
        for l in l.chunks_exact(n).take(self.map.dimension()) {
            for (i, &own) in l.iter().enumerate().filter(|(_, own)| **own != 0.0) {
                let left = mass * own;
                for (M, l) in M[i * n..=i * n + i].iter_mut().zip(l) {
                    *M += left * l;
                }
            }
        }
    }

    /// F, and what is above the diagonal.
    pub(super) fn finish_mass(&self, M: &mut [f64]) {
        let (n, from) = (self.n_v(), self.n_frame().1);
        for i in 0..n {
            if i >= from {
                M[i * n + i] += self.floor[i - from];
            }
            for j in 0..i {
                M[j * n + i] = M[i * n + j];
            }
        }
    }

    /// The constant M of a linear map, D with `extra` on top of it (rows with a weight), and their pattern.
    pub(super) fn lay_out(&mut self, extra: &[(Vec<u32>, Vec<f64>, f64)]) {
        let n = self.map.n_numbers();
        let Some(cached) = &self.cached else { return };
        let (mut keys, mut parts) = (Vec::new(), Vec::new());
        let mut add = |i: u32, j: u32, m: f64, d: f64| {
            let place = u64::from(i.max(j)) << 32 | u64::from(i.min(j));
            keys.push((place, parts.len() as u32));
            parts.push((m, d));
        };
        for k in 0..n as u32 {
            add(k, k, self.floor[k as usize], self.floor[k as usize]);
        }
        for (at, point) in self.points.iter().enumerate() {
            let row = cached.row(at);
            for (k, &(axis, i, a)) in row.iter().enumerate() {
                for &(other, j, b) in &row[..=k] {
                    if axis == other {
                        add(i, j, point.mass * a * b, point.mass * a * b);
                    }
                }
            }
        }
        for (numbers, row, weight) in extra {
            for (k, (&i, a)) in numbers.iter().zip(row).enumerate() {
                for (&j, b) in numbers[..=k].iter().zip(row) {
                    add(i, j, 0.0, weight * a * b);
                }
            }
        }
        // Entries in order, each the sum of its parts.
        sort(&mut keys);
        let mut entries: Vec<((u32, u32), (f64, f64))> = Vec::new();
        for (place, part) in keys {
            let at = ((place >> 32) as u32, place as u32);
            let (m, d) = parts[part as usize];
            match entries.last_mut().filter(|(own, _)| *own == at) {
                Some((_, sum)) => *sum = (sum.0 + m, sum.1 + d),
                None => entries.push((at, (m, d))),
            }
        }
        if n <= MAX_DENSE {
            self.mass = vec![0.0; n * n];
            self.drag = vec![0.0; n * n];
            for ((i, j), (m, d)) in entries {
                let (i, j) = (i as usize, j as usize);
                (self.mass[i * n + j], self.mass[j * n + i]) = (m, m);
                (self.drag[i * n + j], self.drag[j * n + i]) = (d, d);
            }
            return;
        }
        let Ok(mut pattern) = MassPattern::new(n, entries.iter().map(|(at, _)| *at)) else {
            unreachable!("entries are on or below the diagonal, and each is there once")
        };
        if let Some(order) = self.order()
            && let Ok(ordered) = pattern.clone().with_order(order)
        {
            pattern = ordered;
        }
        self.pattern = Some(Arc::new(pattern));
        (self.mass, self.drag) = entries.into_iter().map(|(_, sums)| sums).unzip();
    }

    /// Of a curve: the numbers along it; where its ends meet folded, so that a band stays one.
    fn order(&self) -> Option<Vec<u32>> {
        let [domain] = self.map.domains() else {
            return None;
        };
        let (n, group) = (self.map.n_numbers(), self.map.dimension());
        let band = MassPattern::band(n / group, group, 0, domain.closed);
        band.order().map(<[u32]>::to_vec)
    }
}
