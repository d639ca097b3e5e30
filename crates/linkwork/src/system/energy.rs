//! Kinetic energy with the filled masses.

use super::numbers::{BodyBlock, MassBlock, RigidBlock, System};
use super::soft::RotorRow;
use crate::math::{Vec3, ascending, norm, sym_eigen, sym_vec};

impl System {
    /// Kinetic energy of velocities `v`. `momentum` is scratch, n_v.
    pub(crate) fn kinetic_energy(&self, v: &[f64], momentum: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        for body in 0..self.bodies.len() as u32 {
            let range = self.v_range(body);
            let (v, momentum) = (&v[range.clone()], &mut momentum[range]);
            self.multiply_mass(body, v, momentum);
            energy += 0.5 * v.iter().zip(momentum).map(|(v, p)| v * *p).sum::<f64>();
        }
        // What strains lent to the mass does not move.
        for (at, strain) in self.strains.iter().enumerate() {
            let rate = self.strain_motion(at, v);
            energy -= 0.5 * strain.weight * rate * rate;
        }
        for rotor in &self.rotors {
            let rate = self.rotor_rate(rotor, v);
            energy += 0.5 * rotor.inertia * rate * rate;
        }
        energy
    }

    /// `J·v` of an armature's row.
    fn rotor_rate(&self, rotor: &RotorRow, v: &[f64]) -> f64 {
        let mut rate = [0.0];
        self.constraint_motion(rotor.constraint, v, &mut rate);
        rate[0]
    }

    /// The mass of all bodies without opaque ones.
    pub(crate) fn total_mass(&self) -> f64 {
        self.bodies.iter().map(|block| self.mass_of(block)).sum()
    }

    fn mass_of(&self, block: &BodyBlock) -> f64 {
        match block.mass {
            MassBlock::Rigid(at) => self.rigid[at as usize].mass,
            MassBlock::Dense(offset) | MassBlock::Diagonal(offset) => self.mass[offset as usize],
            MassBlock::Patterned { pattern, offset } => {
                let diagonal = self.patterns[pattern as usize].sparse.diagonal();
                diagonal
                    .map(|(at, _)| self.mass[offset as usize + at])
                    .sum()
            }
            MassBlock::Opaque { .. } => 0.0,
        }
    }

    /// Gives every body the mass of the heaviest, until the next fill, so that displacements are shared
    /// equally, not by momentum. Patterned and opaque masses are not changed.
    pub(crate) fn weigh_alike(&mut self) {
        let masses = self.bodies.iter().map(|block| self.mass_of(block));
        let heaviest = masses.fold(0.0, f64::max);
        for at in 0..self.bodies.len() {
            let block = self.bodies[at];
            let (times, n) = (heaviest / self.mass_of(&block), block.n_v as usize);
            if !times.is_finite() {
                continue;
            }
            let entries = match block.mass {
                MassBlock::Rigid(at) => {
                    let own = &mut self.rigid[at as usize];
                    own.mass *= times;
                    own.inv_mass = 1.0 / own.mass;
                    &mut own.inertia_world[..]
                }
                MassBlock::Dense(offset) => &mut self.mass[offset as usize..][..n * n],
                MassBlock::Diagonal(offset) => &mut self.mass[offset as usize..][..n],
                MassBlock::Patterned { .. } | MassBlock::Opaque { .. } => continue,
            };
            entries.iter_mut().for_each(|entry| *entry *= times);
        }
    }

    /// The change of kinetic energy between two velocities, and the energy of their mean: `½·(v₁ − v₀)ᵀ·M·(v₁ +
    /// v₀)` and `⅛·(v₁ + v₀)ᵀ·M·(v₁ + v₀)`. Scratch is n_v each.
    pub(crate) fn kinetic_change(
        &self,
        before: &[f64],
        now: &[f64],
        (sum, momentum): (&mut [f64], &mut [f64]),
    ) -> (f64, f64) {
        let (mut grown, mut square) = (0.0, 0.0);
        for (body, block) in self.bodies.iter().enumerate() {
            let range = block.v0 as usize..(block.v0 + block.n_v) as usize;
            let (before, now) = (&before[range.clone()], &now[range.clone()]);
            if let MassBlock::Rigid(at) = block.mass
                && let (Some(before), Some(now)) = (before.first_chunk(), now.first_chunk())
            {
                let of_rigid = self.rigid[at as usize].change(before, now);
                grown += of_rigid.0;
                square += of_rigid.1;
                continue;
            }
            let (sum, momentum) = (&mut sum[range.clone()], &mut momentum[range]);
            for k in 0..sum.len() {
                sum[k] = before[k] + now[k];
            }
            self.multiply_mass(body as u32, sum, momentum);
            for k in 0..sum.len() {
                grown += (now[k] - before[k]) * momentum[k];
                square += sum[k] * momentum[k];
            }
        }
        // What strains lent to the mass does not move.
        for (at, strain) in self.strains.iter().enumerate() {
            let (was, is) = (self.strain_motion(at, before), self.strain_motion(at, now));
            grown -= strain.weight * (is - was) * (is + was);
            square -= strain.weight * (is + was) * (is + was);
        }
        for rotor in &self.rotors {
            let (was, is) = (self.rotor_rate(rotor, before), self.rotor_rate(rotor, now));
            grown += rotor.inertia * (is - was) * (is + was);
            square += rotor.inertia * (is + was) * (is + was);
        }
        (0.5 * grown, 0.125 * square)
    }
}

impl RigidBlock {
    /// Nutation of the free body, `|I·ω|/I₂` with its middle moment of inertia, rad/s.
    pub(crate) fn nutation(&self, omega: Vec3) -> f64 {
        let (moments, _) = sym_eigen(&self.inertia_world);
        norm(sym_vec(&self.inertia_world, omega)) / moments[ascending(&moments)[1]]
    }

    /// `(v₁ − v₀)ᵀ·M·(v₁ + v₀)` and `(v₁ + v₀)ᵀ·M·(v₁ + v₀)`.
    #[inline]
    fn change(&self, before: &[f64; 6], now: &[f64; 6]) -> (f64, f64) {
        let sum: [f64; 6] = std::array::from_fn(|k| now[k] + before[k]);
        let spin = sym_vec(&self.inertia_world, [sum[3], sum[4], sum[5]]);
        let (mut grown, mut square) = (0.0, 0.0);
        for k in 0..3 {
            let (momentum, spin) = (self.mass * sum[k], spin[k]);
            grown += (now[k] - before[k]) * momentum + (now[3 + k] - before[3 + k]) * spin;
            square += sum[k] * momentum + sum[3 + k] * spin;
        }
        (grown, square)
    }
}
