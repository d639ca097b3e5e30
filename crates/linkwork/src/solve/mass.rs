//! Inverse masses, body by body.

use crate::linalg::{is_same, small};
use crate::math::{Sym3, sym_inverse, sym_vec};
use crate::system::{MassBlock, System};

/// The inverse of a rigid body's mass, `diag(1/m, I⁻¹)`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RigidInverse {
    pub(super) inv_mass: f64,
    pub(super) inv_inertia: Sym3,
}

impl RigidInverse {
    /// The inverse for a body without children.
    #[inline(always)]
    pub(super) fn new(system: &System, rigid: u32) -> Self {
        let rigid = &system.rigid[rigid as usize];
        Self {
            inv_mass: rigid.inv_mass,
            inv_inertia: sym_inverse(&rigid.inertia_world),
        }
    }

    /// `M⁻¹·f`.
    #[inline(always)]
    pub(super) fn times(&self, f: &[f64]) -> [f64; 6] {
        let spin = sym_vec(&self.inv_inertia, [f[3], f[4], f[5]]);
        let m = self.inv_mass;
        [m * f[0], m * f[1], m * f[2], spin[0], spin[1], spin[2]]
    }
}

/// The storage of the inverse of one body's mass.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inverse {
    Rigid(RigidInverse),
    /// Of a planar body.
    Planar(Sym3),
    /// A Cholesky factor at an offset of some storage.
    Dense {
        offset: u32,
    },
    /// The factor of a patterned block at an offset of some storage; or its diagonal, if the block is diagonal.
    Patterned {
        pattern: u32,
        offset: u32,
        is_diagonal: bool,
    },
    /// Diagonal, or the body's own factor.
    Own,
}

impl Inverse {
    /// `f ← M⁻¹·f`.
    #[inline(always)]
    pub(super) fn apply(&self, system: &System, storage: &[f64], body: u32, f: &mut [f64]) {
        match self {
            Self::Rigid(rigid) => {
                let y = rigid.times(f);
                f[..6].copy_from_slice(&y);
            }
            Self::Planar(inverse) => {
                let y = sym_vec(inverse, [f[0], f[1], f[2]]);
                f[..3].copy_from_slice(&y);
            }
            Self::Dense { offset } => {
                let n = f.len();
                small::cholesky_solve(n, &storage[*offset as usize..][..n * n], f);
            }
            Self::Patterned {
                offset,
                is_diagonal: true,
                ..
            } => {
                let mass = &storage[*offset as usize..];
                f.iter_mut().zip(mass).for_each(|(f, m)| *f /= m);
            }
            Self::Patterned {
                pattern, offset, ..
            } => {
                let sparse = &system.patterns[*pattern as usize].sparse;
                sparse.solve(&storage[*offset as usize..][..sparse.n_values()], f);
            }
            Self::Own => match system.bodies[body as usize].mass {
                MassBlock::Diagonal(offset) => {
                    let mass = &system.mass[offset as usize..][..f.len()];
                    f.iter_mut().zip(mass).for_each(|(f, m)| *f /= m);
                }
                MassBlock::Opaque {
                    operator,
                    offset,
                    n_storage,
                } => {
                    let own = &system.mass[offset as usize..][..n_storage as usize];
                    system.operators[operator as usize].solve(own, f);
                }
                _ => unreachable!("only large bodies keep their own factor"),
            },
        }
    }
}

/// Size of the factor of a patterned block.
pub(super) fn n_factor(system: &System, pattern: u32) -> usize {
    let sparse = &system.patterns[pattern as usize].sparse;
    sparse.n_values() + sparse.n_work()
}

/// Factors the values of a patterned block, with additions, into `storage`.
pub(super) fn factor_patterned(
    system: &System,
    pattern: u32,
    (values, added): (&[f64], Option<&[f64]>),
    storage: &mut [f64],
) {
    let sparse = &system.patterns[pattern as usize].sparse;
    let n = sparse.n_values();
    let (own, rest) = storage.split_at_mut(n);
    own.copy_from_slice(&values[..n]);
    for (own, added) in own.iter_mut().zip(added.into_iter().flatten()) {
        *own += added;
    }
    sparse.factor(own, &mut rest[..sparse.n_work()]);
}

/// Number of values of a patterned block.
fn n_values(system: &System, pattern: u32) -> usize {
    system.patterns[pattern as usize].sparse.n_values()
}

/// The inverse mass of every body, without children: `W` of Witkin 1990, eq. 5.
#[derive(Clone, Debug, Default)]
pub(crate) struct MassInverse {
    inverse: Vec<Inverse>,
    storage: Vec<f64>,
}

impl MassInverse {
    pub(crate) fn new(system: &System) -> Self {
        let mut own = Self::default();
        own.lay_out(system);
        own
    }

    fn lay_out(&mut self, system: &System) {
        let mut n_storage = 0;
        let inverse = system.bodies.iter().map(|block| match block.mass {
            MassBlock::Rigid(_) => Inverse::Rigid(RigidInverse::default()),
            MassBlock::Dense(_) => {
                n_storage += block.n_v * block.n_v;
                Inverse::Dense {
                    offset: n_storage - block.n_v * block.n_v,
                }
            }
            MassBlock::Patterned { pattern, .. } => {
                // The factor, and the numbers from which it was computed.
                let n = (n_factor(system, pattern) + n_values(system, pattern)) as u32;
                n_storage += n;
                Inverse::Patterned {
                    pattern,
                    offset: n_storage - n,
                    is_diagonal: false,
                }
            }
            _ => Inverse::Own,
        });
        self.inverse.clear();
        self.inverse.extend(inverse);
        self.storage.clear();
        self.storage.resize(n_storage as usize, 0.0);
    }

    /// Sizes the storage for the bodies of `system`. Rigid ones are laid out with their first factor.
    pub(crate) fn size(&mut self, system: &System) {
        let mut masses = system.bodies.iter().map(|block| block.mass);
        match masses.all(|mass| matches!(mass, MassBlock::Rigid(_))) {
            true => {
                self.inverse.clear();
                self.inverse.reserve(system.bodies.len());
            }
            false => self.lay_out(system),
        }
    }

    pub(crate) fn factor(&mut self, system: &System) {
        if self.inverse.len() != system.bodies.len() {
            self.lay_out(system);
        }
        for (block, inverse) in system.bodies.iter().zip(&mut self.inverse) {
            match (block.mass, &mut *inverse) {
                (MassBlock::Rigid(rigid), _) => {
                    *inverse = Inverse::Rigid(RigidInverse::new(system, rigid));
                }
                (MassBlock::Dense(from), Inverse::Dense { offset }) => {
                    let n = block.n_v as usize;
                    let storage = &mut self.storage[*offset as usize..][..n * n];
                    storage.copy_from_slice(&system.mass[from as usize..][..n * n]);
                    small::cholesky(n, storage);
                }
                (
                    MassBlock::Patterned { pattern, offset },
                    Inverse::Patterned {
                        offset: to,
                        is_diagonal,
                        ..
                    },
                ) => {
                    let n = n_values(system, pattern);
                    let values = &system.mass[offset as usize..][..n];
                    let storage = &mut self.storage[*to as usize..];
                    let (storage, kept) = storage.split_at_mut(n_factor(system, pattern));
                    let told = system.patterns[pattern as usize]
                        .diagonal(&system.mass[offset as usize..])
                        .filter(|_| system.masses_are_own);
                    if let Some(told) = told {
                        *is_diagonal = true;
                        storage[..told.len()].copy_from_slice(told);
                        // No factor yet.
                        kept[0] = f64::NAN;
                        continue;
                    }
                    // Masses of splines and meshes do not depend on the state: one factor serves all.
                    if !is_same(&kept[..n], values) {
                        let sparse = &system.patterns[pattern as usize].sparse;
                        *is_diagonal = sparse.take_diagonal(values, storage);
                        if !*is_diagonal {
                            factor_patterned(system, pattern, (values, None), storage);
                        }
                        kept[..n].copy_from_slice(values);
                    }
                }
                _ => {}
            }
        }
    }

    /// `f ← M⁻¹·f` for one body's part.
    #[inline]
    pub(crate) fn apply(&self, system: &System, body: u32, f: &mut [f64]) {
        self.inverse[body as usize].apply(system, &self.storage, body, f);
    }

    /// `(J·M⁻¹·Jᵀ)ᵢᵢ + Cᵢᵢ` of row `i` of a constraint: its mobility with free bodies. `scratch` is n_v.
    pub(crate) fn mobility(&self, system: &System, c: u32, i: usize, scratch: &mut [f64]) -> f64 {
        let range = system.row_range(c);
        let (mut unit, mut rows) = ([0.0; super::MAX_ROWS], [0.0; super::MAX_ROWS]);
        unit[i] = 1.0;
        let (unit, rows) = (&unit[..range.len()], &mut rows[..range.len()]);
        system.for_each_side(c, false, |body, side| {
            let part = &mut scratch[system.v_range(body)];
            part.fill(0.0);
            side.apply_transposed(unit, part);
            self.apply(system, body, part);
            side.apply(part, rows);
        });
        rows[i] + system.compliance[range.start + i]
    }

    /// `f ← M⁻¹·f` for all bodies.
    pub(crate) fn apply_all(&self, system: &System, f: &mut [f64]) {
        for body in 0..system.bodies.len() as u32 {
            self.apply(system, body, &mut f[system.v_range(body)]);
        }
    }
}
