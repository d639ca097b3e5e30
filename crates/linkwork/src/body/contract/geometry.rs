//! Connectors: `x`, `ẋ`, `L`, `ℓ`, `columns`.

#![allow(non_snake_case)] // L: the letter of the papers.

use super::probe::Probe;
use super::{BodyViolation, dot, largest, refused, require, require_all};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::linalg::MatMut;
use crate::math::{Mat3, determinant, mat_mul, mat_t_mul, rotation_log, transpose};

/// A connector's output with `L` over all velocity coordinates, `n_x_dot × n_v`.
struct Output {
    x: Vec<f64>,
    x_dot: Vec<f64>,
    L: Vec<f64>,
    ell: Vec<f64>,
}

impl Probe<'_> {
    pub(super) fn check_connector(&mut self, site: &Site) -> Result<(), BodyViolation> {
        let kind = match self.body.connector_kind(site) {
            Ok(Some(kind)) => kind,
            Ok(None) => return Err(refused(format!("the body has no {site}"))),
            Err(problem) => return Err(refused(format!("the body refuses the {site}: {problem}"))),
        };
        let columns = self.columns(site)?;
        let (n_v, n_rows) = (self.body.n_v(), kind.n_x_dot());
        let here = self.output(site, kind, &columns, self.t, &self.q);
        check_shape(site, kind, &here.x)?;
        let size = largest(&here.x);

        // Differences of x, with rotations measured from the one here.
        let rotation_here = rotation(kind, &here.x);
        let position_like = |t: f64, q: &[f64]| {
            let x = self.output(site, kind, &columns, t, q).x;
            match rotation_here {
                Some(rotation_here) => {
                    let there = rotation(kind, &x).unwrap_or(rotation_here);
                    let turn = rotation_log(&mat_mul(&there, &transpose(&rotation_here)));
                    [[x[0], x[1], x[2]], turn].concat()
                }
                None => x,
            }
        };
        for j in 0..n_v {
            let given: Vec<f64> = (0..n_rows).map(|i| here.L[i * n_v + j]).collect();
            let found = self.derivative(&self.along(j), position_like);
            let promise = |i| format!("L of the {site}, row {i}, column {j}, is ∂x/∂q");
            require_all(promise, &given, &found, size)?;
        }
        let found = self.derivative(&self.v, position_like);
        let promise = |i| format!("ẋ of the {site}, row {i}, is the rate of x");
        require_all(promise, &here.x_dot, &found, size)?;
        if n_v > 0 {
            let found: Vec<f64> = here.L.chunks(n_v).map(|row| dot(row, &self.v)).collect();
            let promise = |i| format!("ẋ of the {site}, row {i}, is L·v");
            require_all(promise, &here.x_dot, &found, 0.0)?;
        }
        let rate = |t: f64, q: &[f64]| self.output(site, kind, &columns, t, q).x_dot;
        let found = self.derivative(&self.v, rate);
        let promise = |i| format!("ℓ of the {site}, row {i}, is the rate of ẋ while v is constant");
        require_all(promise, &here.ell, &found, largest(&here.x_dot))?;
        if *site == Site::Coordinates {
            self.check_coordinates(kind, &here)?;
        }
        self.check_columns(site, kind, &columns, &here)
    }

    /// All coordinates are `x = q`, `ẋ = v` to the last bit: the engine reads them without asking the body.
    fn check_coordinates(&self, kind: ConnectorKind, here: &Output) -> Result<(), BodyViolation> {
        let n = self.body.n_v();
        if kind != ConnectorKind::Vector(n as u32) || self.body.n_q() != n {
            return Err(refused("coordinates are a vector of n_q = n_v numbers"));
        }
        if here.x != self.q || here.x_dot != self.v {
            return Err(refused("coordinates are x = q with the rate ẋ = v"));
        }
        Ok(())
    }

    /// The columns of `L`, all of them unless the body says otherwise.
    fn columns(&self, site: &Site) -> Result<Vec<usize>, BodyViolation> {
        let n_v = self.body.n_v();
        let Some(columns) = self.body.columns(site) else {
            return Ok((0..n_v).collect());
        };
        let columns: Vec<usize> = columns.iter().map(|&column| column as usize).collect();
        let ascending = columns.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || columns.last().is_some_and(|&last| last >= n_v) {
            return Err(refused(format!(
                "columns of the {site} ascend and stay below n_v = {n_v}"
            )));
        }
        Ok(columns)
    }

    /// A displacement outside `columns`, small or not, moves nothing.
    fn check_columns(
        &mut self,
        site: &Site,
        kind: ConnectorKind,
        columns: &[usize],
        here: &Output,
    ) -> Result<(), BodyViolation> {
        if columns.len() == self.body.n_v() {
            return Ok(());
        }
        let mut dq = self.uniform_vector(self.body.n_v());
        for &column in columns {
            dq[column] = 0.0;
        }
        for s in [1e-3, 0.1] {
            let q = self.displaced(&dq, s);
            let there = self.output(site, kind, columns, self.t, &q);
            for i in 0..here.x.len() {
                let promise = || format!("x[{i}] of the {site} depends on its columns only");
                let tolerance = 1e-12 * (1.0 + largest(&here.x));
                require(promise, there.x[i], here.x[i], tolerance)?;
            }
        }
        Ok(())
    }

    fn output(
        &self,
        site: &Site,
        kind: ConnectorKind,
        columns: &[usize],
        t: f64,
        q: &[f64],
    ) -> Output {
        let (n_v, n_rows) = (self.body.n_v(), kind.n_x_dot());
        let mut output = Output {
            x: vec![0.0; kind.n_x()],
            x_dot: vec![0.0; n_rows],
            L: vec![0.0; n_rows * n_v],
            ell: vec![0.0; n_rows],
        };
        let mut L = vec![0.0; n_rows * columns.len()];
        let mut out = ConnectorMut {
            x: &mut output.x,
            x_dot: &mut output.x_dot,
            L: MatMut::new(&mut L, columns.len()),
            ell: &mut output.ell,
        };
        self.body.connector(site, t, q, &self.v, &mut out);
        for i in 0..n_rows {
            for (k, &column) in columns.iter().enumerate() {
                output.L[i * n_v + column] = L[i * columns.len() + k];
            }
        }
        output
    }
}

fn rotation(kind: ConnectorKind, x: &[f64]) -> Option<Mat3> {
    (kind == ConnectorKind::Frame3).then(|| {
        let row = |i: usize| [x[3 + 3 * i], x[4 + 3 * i], x[5 + 3 * i]];
        [row(0), row(1), row(2)]
    })
}

/// A frame's x holds a rotation, a direction's x has length one.
fn check_shape(site: &Site, kind: ConnectorKind, x: &[f64]) -> Result<(), BodyViolation> {
    if let Some(rotation) = rotation(kind, x) {
        let gram = mat_t_mul(&rotation, &rotation);
        for i in 0..3 {
            for j in 0..3 {
                let found = f64::from(u8::from(i == j));
                let promise = || format!("axes {i} and {j} of the {site} are orthonormal");
                require(promise, gram[i][j], found, 1e-9)?;
            }
        }
        let promise = || format!("axes of the {site} are right-handed");
        require(promise, determinant(&rotation), 1.0, 1e-9)?;
    }
    if kind == ConnectorKind::Direction3 {
        let promise = || format!("the {site} has length one");
        require(promise, dot(x, x).sqrt(), 1.0, 1e-9)?;
    }
    Ok(())
}
