//! A large body: a bar of point masses joined by springs, three coordinates each.

#![allow(dead_code, non_snake_case)] // Not every binary uses everything. M, L: the papers' letters.

use std::sync::Arc;

use linkwork::body::{Body, MassKind, MassOperator, MassPattern, Momentum, Pose};
use linkwork::connector::{ConnectorKind, ConnectorMut, Site};
use linkwork::error::Error;
use linkwork::math::{Vec3, add, cross, dot, norm, scale, sub};

/// `n_nodes` point masses along x. Springs join each to the next two, so that the bar resists
/// stretching and bending. `Site::Node(i)` is node i, a point in space.
#[derive(Debug)]
pub(crate) struct LumpedBar {
    n_nodes: usize,
    spacing: f64,
    node_mass: f64,
    stiffness: f64,
    damping: f64,
    mass_kind: MassKind,
}

impl LumpedBar {
    /// A bar with a diagonal mass.
    pub(crate) fn diagonal(n_nodes: usize) -> Self {
        Self {
            n_nodes,
            spacing: 0.1,
            node_mass: 0.02,
            stiffness: 200.0,
            damping: 0.5,
            mass_kind: MassKind::Diagonal,
        }
    }

    /// The same bar, its mass known only by what it does to a vector.
    pub(crate) fn opaque(n_nodes: usize) -> Self {
        let bar = Self::diagonal(n_nodes);
        let mass_kind = MassKind::Opaque(Arc::new(LumpedMass {
            n: 3 * n_nodes,
            node_mass: bar.node_mass,
        }));
        Self { mass_kind, ..bar }
    }

    /// The same bar, its mass a band in which only the diagonal is not zero.
    pub(crate) fn patterned(n_nodes: usize) -> Self {
        let band = MassPattern::band(n_nodes, 3, 1, false);
        let mass_kind = MassKind::Patterned(Arc::new(band));
        Self {
            mass_kind,
            ..Self::diagonal(n_nodes)
        }
    }

    /// Pairs of nodes that a spring joins, and its rest length.
    fn springs(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let (n, spacing) = (self.n_nodes, self.spacing);
        (0..n).flat_map(move |i| {
            [1, 2]
                .into_iter()
                .filter(move |reach| i + reach < n)
                .map(move |reach| (i, i + reach, spacing * reach as f64))
        })
    }
}

fn node(values: &[f64], i: usize) -> Vec3 {
    [values[3 * i], values[3 * i + 1], values[3 * i + 2]]
}

/// A diagonal mass that hides.
#[derive(Debug)]
struct LumpedMass {
    n: usize,
    node_mass: f64,
}

impl MassOperator for LumpedMass {
    fn n_storage(&self) -> usize {
        self.n
    }

    fn factor(&self, _q: &[f64], storage: &mut [f64]) {
        storage.fill(self.node_mass);
    }

    fn solve(&self, storage: &[f64], f: &mut [f64]) {
        for (f, m) in f.iter_mut().zip(storage) {
            *f /= m;
        }
    }

    fn multiply(&self, storage: &[f64], v: &[f64], out: &mut [f64]) {
        for ((out, m), v) in out.iter_mut().zip(storage).zip(v) {
            *out = m * v;
        }
    }
}

impl Body for LumpedBar {
    fn n_q(&self) -> usize {
        3 * self.n_nodes
    }

    fn n_v(&self) -> usize {
        3 * self.n_nodes
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("n_nodes", &(self.n_nodes as f64))
    }

    fn initial_q(&self, q: &mut [f64]) {
        q.fill(0.0);
        for i in 0..self.n_nodes {
            q[3 * i] = self.spacing * i as f64;
        }
    }

    fn mass_kind(&self) -> MassKind {
        self.mass_kind.clone()
    }

    fn mass(&self, _q: &[f64], M: &mut [f64]) {
        M.fill(self.node_mass);
        if let MassKind::Patterned(pattern) = &self.mass_kind {
            for (m, (i, j)) in M.iter_mut().zip(pattern.entries()) {
                *m = if i == j { self.node_mass } else { 0.0 };
            }
        }
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        for (i, j, rest) in self.springs() {
            let d = sub(node(q, j), node(q, i));
            let along = scale(1.0 / norm(d), d);
            let rate = dot(sub(node(v, j), node(v, i)), along);
            let pull = self.stiffness * (norm(d) - rest) + self.damping * rate;
            for k in 0..3 {
                f[3 * i + k] += pull * along[k];
                f[3 * j + k] -= pull * along[k];
            }
        }
    }

    fn internal_energy(&self, q: &[f64]) -> f64 {
        self.springs()
            .map(|(i, j, rest)| {
                let stretch = norm(sub(node(q, j), node(q, i))) - rest;
                0.5 * self.stiffness * stretch * stretch
            })
            .sum()
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        for i in 0..self.n_nodes {
            for k in 0..3 {
                f[3 * i + k] += self.node_mass * acceleration_world[k];
            }
        }
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        let sum = (0..self.n_nodes).fold([0.0; 3], |sum, i| add(sum, node(q, i)));
        let n = self.n_nodes as f64;
        (self.node_mass * n, scale(1.0 / n, sum))
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let mut momentum = Momentum::default();
        for i in 0..self.n_nodes {
            let linear = scale(self.node_mass, node(v, i));
            momentum.linear = add(momentum.linear, linear);
            momentum.angular = add(momentum.angular, cross(node(q, i), linear));
        }
        momentum
    }

    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        for (q, dq) in q.iter_mut().zip(dq) {
            *q += dq;
        }
    }

    fn pose(&self, _t: f64, _q: &[f64]) -> Option<Pose> {
        None
    }

    fn offers(&self) -> &'static str {
        "nodes, counted from zero"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Node(i) if (*i as usize) < self.n_nodes => Ok(Some(ConnectorKind::Point3)),
            Site::Node(i) => Err(Error::field(
                "node",
                format!("is {i}; the bar has {} nodes", self.n_nodes),
            )),
            _ => Ok(None),
        }
    }

    fn columns(&self, site: &Site) -> Option<Vec<u32>> {
        match site {
            Site::Node(i) => Some(vec![3 * i, 3 * i + 1, 3 * i + 2]),
            _ => None,
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        if let Site::Node(i) = site {
            out.x.copy_from_slice(&node(q, *i as usize));
            out.x_dot.copy_from_slice(&node(v, *i as usize));
            for k in 0..3 {
                out.L.set(k, k, 1.0);
            }
        }
    }
}
