//! Mass, momentum and forces.

#![allow(non_snake_case)] // M: the letter of the papers.

use super::probe::Probe;
use super::{BodyViolation, dot, largest, refused, require, require_all};
use crate::body::MassKind;
use crate::math;

impl Probe<'_> {
    pub(super) fn check_mass(&mut self) -> Result<(), BodyViolation> {
        let n = self.body.n_v();
        match self.body.mass_kind() {
            MassKind::Dense => {
                // Whatever was in the storage before must be overwritten.
                let mut M = vec![f64::NAN; n * n];
                self.body.mass(&self.q, &mut M);
                check_dense("M", &M, n)?;
                M.fill(f64::NAN);
                self.body.drag_metric(&self.q, &mut M);
                check_dense("drag_metric", &M, n)
            }
            MassKind::Diagonal => {
                let mut M = vec![f64::NAN; n];
                self.body.mass(&self.q, &mut M);
                check_positive("M", &M)?;
                M.fill(f64::NAN);
                self.body.drag_metric(&self.q, &mut M);
                check_positive("drag_metric", &M)
            }
            MassKind::Patterned(pattern) => {
                let mut M = vec![f64::NAN; pattern.entries().len()];
                self.body.mass(&self.q, &mut M);
                check_dense("M", &pattern.expand(&M), n)?;
                M.fill(f64::NAN);
                self.body.drag_metric(&self.q, &mut M);
                check_dense("drag_metric", &pattern.expand(&M), n)
            }
            MassKind::Opaque(_) => self.check_opaque(),
        }
    }

    /// `multiply` is symmetric and positive, and `solve` undoes it.
    fn check_opaque(&mut self) -> Result<(), BodyViolation> {
        let n = self.body.n_v();
        let (a, b) = (self.uniform_vector(n), self.uniform_vector(n));
        let (M_a, M_b) = (self.multiply(&self.q, &a), self.multiply(&self.q, &b));
        let scale = largest(&M_a).max(largest(&M_b)) * n as f64;
        let symmetric = || "M is symmetric: a·M·b = b·M·a".to_string();
        require(symmetric, dot(&a, &M_b), dot(&b, &M_a), 1e-10 * scale)?;
        if dot(&a, &M_a) <= 0.0 {
            return Err(refused("M is positive definite: a·M·a > 0"));
        }
        let MassKind::Opaque(operator) = self.body.mass_kind() else {
            return Err(refused("mass_kind stays the same"));
        };
        let mut storage = vec![0.0; operator.n_storage()];
        operator.factor(&self.q, &mut storage);
        let mut back = M_a;
        operator.solve(&storage, &mut back);
        for i in 0..n {
            let promise = || format!("solve undoes multiply, entry {i}");
            require(promise, back[i], a[i], 1e-8)?;
        }
        Ok(())
    }

    /// `M(q)·a`, whatever the layout.
    fn multiply(&self, q: &[f64], a: &[f64]) -> Vec<f64> {
        let n = a.len();
        let mut out = vec![0.0; n];
        match self.body.mass_kind() {
            MassKind::Dense => {
                let mut M = vec![0.0; n * n];
                self.body.mass(q, &mut M);
                for i in 0..n {
                    out[i] = dot(&M[i * n..(i + 1) * n], a);
                }
            }
            MassKind::Diagonal => {
                self.body.mass(q, &mut out);
                for i in 0..n {
                    out[i] *= a[i];
                }
            }
            MassKind::Patterned(pattern) => {
                let mut M = vec![0.0; pattern.entries().len()];
                self.body.mass(q, &mut M);
                pattern.multiply(&M, a, &mut out);
            }
            MassKind::Opaque(operator) => {
                let mut storage = vec![0.0; operator.n_storage()];
                operator.factor(q, &mut storage);
                operator.multiply(&storage, a, &mut out);
            }
        }
        out
    }

    /// Linear momentum is the rate of mass × center of mass.
    pub(super) fn check_momentum(&self) -> Result<(), BodyViolation> {
        if self.body.n_v() == 0 {
            return Ok(());
        }
        let given = self.body.momentum(&self.q, &self.v).linear;
        let moment = |_t: f64, q: &[f64]| {
            let (mass, com) = self.body.center_of_mass(q);
            math::scale(mass, com).to_vec()
        };
        let found = self.derivative(&self.v, moment);
        let size = largest(&moment(self.t, &self.q));
        let promise = |i| format!("linear momentum, component {i}, is the rate of mass × com");
        require_all(promise, &given, &found, size)
    }

    /// The generalized force of gravity is `−∂/∂q` of the potential `−m·g·com`.
    pub(super) fn check_uniform_field(&self) -> Result<(), BodyViolation> {
        let n_v = self.body.n_v();
        let moment = |_t: f64, q: &[f64]| {
            let (mass, com) = self.body.center_of_mass(q);
            math::scale(mass, com).to_vec()
        };
        let size = largest(&moment(self.t, &self.q));
        let fields: Vec<Vec<f64>> = (0..3)
            .map(|k| {
                let mut g = [0.0; 3];
                g[k] = 1.0;
                // Forces are added to what is there.
                let mut f = vec![1.0; n_v];
                self.body.uniform_field(&self.q, g, &mut f);
                f.iter().map(|f| f - 1.0).collect()
            })
            .collect();
        for j in 0..n_v {
            let given = [fields[0][j], fields[1][j], fields[2][j]];
            let found = self.derivative(&self.along(j), moment);
            let promise =
                |k| format!("uniform_field along axis {k} adds m·∂com/∂q to the force, entry {j}");
            require_all(promise, &given, &found, 1.0 + size)?;
        }
        Ok(())
    }

    pub(super) fn check_internal_force(&self) -> Result<(), BodyViolation> {
        let n_v = self.body.n_v();
        if n_v == 0 {
            return Ok(());
        }
        let energy = |_t: f64, q: &[f64]| vec![self.body.internal_energy(q)];
        let stored = self.body.internal_energy(&self.q).abs();
        let force = |v: &[f64], start: f64| {
            let mut f = vec![start; n_v];
            self.body.internal_force(&self.q, v, &mut f);
            f.iter().map(|f| f - start).collect::<Vec<f64>>()
        };
        let at_rest = force(&vec![0.0; n_v], 0.0);
        let found: Vec<f64> = (0..n_v)
            .map(|j| -self.derivative(&self.along(j), energy)[0])
            .collect();
        let promise = |j| format!("internal_force at rest is −∂(internal_energy)/∂q, entry {j}");
        require_all(promise, &at_rest, &found, stored)?;

        let moving = force(&self.v, 0.0);
        let added = force(&self.v, 1.0);
        let promise = |j| format!("internal_force adds to the force, entry {j}");
        require_all(promise, &added, &moving, 1.0 + largest(&moving))?;

        // Power balance: v·f + ½·v·Ṁ·v + dE/dt is minus the dissipation.
        let kinetic = |_t: f64, q: &[f64]| vec![0.5 * dot(&self.v, &self.multiply(q, &self.v))];
        let (kinetic_here, bend) = (
            kinetic(self.t, &self.q)[0],
            self.derivative(&self.v, kinetic)[0],
        );
        let work = dot(&self.v, &moving);
        let release = self.derivative(&self.v, energy)[0];
        let power = work + bend + release;
        let size = work.abs() + bend.abs() + release.abs();
        let tolerance = 1e-7 * size + 1e-10 * (1e-3 + stored + kinetic_here.abs());
        if power <= tolerance {
            return Ok(());
        }
        let promise = || {
            "internal_force creates no energy (where M depends on q it contains \
             −Ṁ·v + ½·∂(v·M·v)/∂q): v·f + ½·v·Ṁ·v + dE/dt"
                .into()
        };
        require(promise, power, 0.0, tolerance)
    }

    /// All strains at once are those that are told one by one, and each is told once, in turn.
    fn check_strains_at_once(&self) -> Result<(), BodyViolation> {
        let (mut told, mut wrong) = (0, None);
        let at_once = self.body.strains(&self.q, &self.v, &mut |i, strain, S| {
            let mut own = vec![0.0; S.len()];
            let alone = self.body.strain(i, &self.q, &self.v, &mut own);
            if i != told || alone != strain || own != S {
                wrong.get_or_insert(i);
            }
            told += 1;
        });
        if at_once && told != self.body.n_strains() {
            wrong.get_or_insert(told);
        }
        // Without rates, and without gradients.
        self.body.strains(&self.q, &[], &mut |i, strain, S| {
            let mut own = vec![0.0; S.len()];
            let alone = self.body.strain(i, &self.q, &self.v, &mut own);
            if alone.value != strain.value || own != S {
                wrong.get_or_insert(i);
            }
        });
        told = 0;
        let in_short = self.body.strain_values(&self.q, &mut |i, value| {
            let mut own = vec![
                0.0;
                self.body
                    .strain_columns(i)
                    .map_or(self.body.n_v(), |own| own.len())
            ];
            if i != told || self.body.strain(i, &self.q, &self.v, &mut own).value != value {
                wrong.get_or_insert(i);
            }
            told += 1;
        });
        if in_short && told != self.body.n_strains() {
            wrong.get_or_insert(told);
        }
        match wrong {
            None => Ok(()),
            Some(i) => Err(refused(format!("strains tells strain {i} as strain does"))),
        }
    }

    pub(super) fn check_strains(&self) -> Result<(), BodyViolation> {
        self.check_strains_at_once()?;
        let n_v = self.body.n_v();
        for i in 0..self.body.n_strains() {
            let columns = self.body.strain_columns(i);
            if let Some(columns) = &columns
                && !(columns.windows(2).all(|pair| pair[0] < pair[1])
                    && columns.iter().all(|&column| (column as usize) < n_v))
            {
                return Err(refused(format!(
                    "strain_columns of strain {i} are coordinates, ascending"
                )));
            }
            let strain = |q: &[f64], S: &mut [f64]| {
                let Some(columns) = &columns else {
                    return self.body.strain(i, q, &self.v, S);
                };
                let mut packed = vec![0.0; columns.len()];
                let strain = self.body.strain(i, q, &self.v, &mut packed);
                for (&column, s) in columns.iter().zip(packed) {
                    S[column as usize] = s;
                }
                strain
            };
            let mut S = vec![0.0; n_v];
            let here = strain(&self.q, &mut S);
            if !(here.stiffness >= 0.0 && here.damping >= 0.0) {
                return Err(refused(format!("strain {i} neither pushes nor drives")));
            }
            let value = |_t: f64, q: &[f64]| vec![strain(q, &mut vec![0.0; n_v]).value];
            let found: Vec<f64> = (0..n_v)
                .map(|j| self.derivative(&self.along(j), value)[0])
                .collect();
            let promise = |j| format!("S of strain {i} is ∂s/∂q, entry {j}");
            require_all(promise, &S, &found, 1.0 + here.value.abs())?;
            let promise = |_| format!("ṡ of strain {i} is S·v");
            require_all(
                promise,
                &[here.rate],
                &[dot(&S, &self.v)],
                1.0 + largest(&S),
            )?;
            let rate = |_t: f64, q: &[f64]| vec![strain(q, &mut vec![0.0; n_v]).rate];
            let found = self.derivative(&self.v, rate);
            let promise = |_| format!("γ of strain {i} is the rate of ṡ while v is constant");
            require_all(promise, &[here.gamma], &found, 1.0 + here.rate.abs())?;
        }
        Ok(())
    }
}

fn check_positive(name: &str, diagonal: &[f64]) -> Result<(), BodyViolation> {
    for (i, &value) in diagonal.iter().enumerate() {
        if !(value.is_finite() && value > 0.0) {
            return Err(refused(format!(
                "{name} is positive; entry {i} is {value:e}"
            )));
        }
    }
    Ok(())
}

/// Symmetry entry by entry, positive definiteness by Cholesky.
fn check_dense(name: &str, M: &[f64], n: usize) -> Result<(), BodyViolation> {
    let size = largest(M);
    for i in 0..n {
        for j in 0..i {
            let promise = || format!("{name} is symmetric, entry ({i}, {j})");
            require(promise, M[i * n + j], M[j * n + i], 1e-12 * size)?;
        }
    }
    let mut factor = M.to_vec();
    for j in 0..n {
        for i in j..n {
            let (row_i, row_j) = (&factor[i * n..i * n + j], &factor[j * n..j * n + j]);
            let rest = factor[i * n + j] - dot(row_i, row_j);
            if i > j {
                factor[i * n + j] = rest / factor[j * n + j];
            } else if rest > 1e-14 * M[j * n + j].abs() && rest.is_finite() {
                factor[j * n + j] = rest.sqrt();
            } else {
                let promise = format!("{name} is positive definite; pivot {j} is {rest:e}");
                return Err(refused(promise));
            }
        }
    }
    Ok(())
}
