//! Forward and backward sweeps over the steps of the branches.

use super::generic::Load;
use super::{Branches, FramePivot, Step, StepKind};
use crate::math::{Vec3, add, cross, dot, mat_t_vec, mat_vec, scale, sub, sym_vec};
use crate::system::{MassBlock, System};
use crate::topology::NONE;

/// The steps of a forward sweep, ascending; with a step also that of its parent.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) enum Over<'a> {
    /// From this step on.
    From(usize),
    /// These steps.
    Path(&'a [u32]),
}

impl Over<'_> {
    /// Number of steps, of `n` in total.
    #[inline(always)]
    fn len(self, n: usize) -> usize {
        match self {
            Self::From(first) => n - first,
            Self::Path(path) => path.len(),
        }
    }

    #[inline(always)]
    fn at(self, k: usize) -> usize {
        match self {
            Self::From(first) => first + k,
            Self::Path(path) => path[k] as usize,
        }
    }
}

impl Branches {
    /// Forward sweep over some steps: carries loads and errors to the roots and to the core.
    ///
    /// `force` is the load on every body, `b` the right-hand side of the rows (`None`: zero).
    pub(in crate::solve) fn forward(
        &mut self,
        system: &System,
        over: Over<'_>,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
    ) {
        self.load_bodies(over, force);
        if let Some(b) = b {
            self.load_absorbed(system, b);
        }
        let n = over.len(self.steps.len());
        #[cfg(test)]
        {
            self.visits[0] += n;
        }
        for k in 0..n {
            let step = self.steps[over.at(k)];
            match step.kind {
                StepKind::Ball { pivot, .. } => {
                    let pivot = &self.balls[pivot as usize];
                    let p = &self.load[step.body as usize];
                    let (p_v, p_w) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
                    // p′ = p_v − E·p_w, less what K must do for b.
                    let mut f = sub(p_v, mat_vec(&pivot.e, p_w));
                    if let Some(b) = b {
                        f = sub(f, sym_vec(&pivot.k, signed_rows(&step, b)));
                    }
                    if step.parent != NONE {
                        add_load(
                            &mut self.load[step.parent as usize],
                            f,
                            cross(pivot.push, f),
                        );
                    }
                }
                StepKind::Frame { joint, pivot } => {
                    let pivot = &self.frames[pivot as usize];
                    let p = &self.load[step.body as usize];
                    let (mut f, mut n) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
                    let mut moved = Default::default();
                    if let Some(b) = b
                        && (step.parent != NONE || step.seat != NONE)
                    {
                        moved = pair_motion(system, &step, joint, pivot, b);
                    }
                    let first = pivot.first_free as usize;
                    for k in first..first + pivot.n_free as usize {
                        let free = &self.free[k];
                        let mut e = dot(free.s, if free.is_rotation { n } else { f });
                        if step.seat != NONE {
                            e += self.riders.push(step.seat, e, b, moved);
                        }
                        self.free_load[k] = e;
                        f = sub(f, scale(e * free.inv_d, free.h_force));
                        n = sub(n, scale(e * free.inv_d, free.h_torque));
                    }
                    // Kept for λ in the backward sweep.
                    self.load[step.body as usize] = [f[0], f[1], f[2], n[0], n[1], n[2]];
                    if step.parent != NONE {
                        if b.is_some() {
                            let (df, dn) = pivot.phi.apply(moved.0, moved.1);
                            f = sub(f, df);
                            n = sub(n, dn);
                        }
                        let torque = add(n, cross(pivot.push, f));
                        add_load(&mut self.load[step.parent as usize], f, torque);
                    }
                }
                StepKind::Pin { pivot, .. } => {
                    let pin = &self.pins[pivot as usize];
                    pin.forward(&step, b, &mut self.riders, &mut self.force);
                }
                StepKind::Generic { pivot } => {
                    let load = self.generic_load(&step);
                    let share = self.generic.forward(system, pivot, load, &self.force, b);
                    if step.parent != NONE && step.parent_is_rigid {
                        let f = [share[0], share[1], share[2]];
                        let n = [share[3], share[4], share[5]];
                        // From the center of mass to the parent's reference point.
                        let reference = self.reference(system, step.parent_step);
                        let torque = sub(n, cross(reference, f));
                        add_load(&mut self.load[step.parent as usize], f, torque);
                    } else if step.parent != NONE {
                        let n_v = share.len();
                        let force = &mut self.force[step.parent_v0 as usize..][..n_v];
                        for (force, share) in force.iter_mut().zip(share) {
                            *force += share;
                        }
                    }
                }
            }
        }
    }

    /// `Jᵀ·C⁻¹·b` of absorbed rows.
    fn load_absorbed(&mut self, system: &System, b: &[f64]) {
        for at in 0..self.absorbed.bodies().len() {
            let (body, step) = self.absorbed.body(at);
            if !matches!(system.bodies[body as usize].mass, MassBlock::Rigid(_)) {
                let range = system.v_range(body);
                self.absorbed
                    .add_load(system, at, b, &mut self.force[range]);
                continue;
            }
            let mut f = [0.0; 6];
            self.absorbed.add_load(system, at, b, &mut f);
            let (f, n) = ([f[0], f[1], f[2]], [f[3], f[4], f[5]]);
            let reference = self.reference(system, step);
            let n = sub(n, cross(reference, f));
            add_load(&mut self.load[body as usize], f, n);
        }
    }

    fn generic_load(&self, step: &Step) -> Load {
        if step.rigid == NONE {
            Load::Force
        } else {
            Load::Rigid(self.load[step.body as usize])
        }
    }

    /// Moves the loads of some steps to their reference points.
    fn load_bodies(&mut self, over: Over<'_>, force: Option<&[f64]>) {
        for k in 0..over.len(self.steps.len()) {
            let step = &self.steps[over.at(k)];
            let v0 = step.v0 as usize;
            if step.rigid == NONE {
                let n_v = match step.kind {
                    StepKind::Generic { pivot } => self.generic.n_v(pivot),
                    _ => 3,
                };
                match force {
                    Some(force) => self.force[v0..v0 + n_v].copy_from_slice(&force[v0..v0 + n_v]),
                    None => self.force[v0..v0 + n_v].fill(0.0),
                }
                continue;
            }
            let Some(force) = force else {
                self.load[step.body as usize] = [0.0; 6];
                continue;
            };
            let f = &force[v0..v0 + 6];
            let (f, n) = ([f[0], f[1], f[2]], [f[3], f[4], f[5]]);
            let r = match step.kind {
                StepKind::Ball { pivot, .. } => self.balls[pivot as usize].r,
                StepKind::Frame { pivot, .. } => self.frames[pivot as usize].r,
                StepKind::Pin { .. } | StepKind::Generic { .. } => [0.0; 3],
            };
            let n = sub(n, cross(r, f));
            self.load[step.body as usize] = [f[0], f[1], f[2], n[0], n[1], n[2]];
        }
    }

    /// Adds the load of children on a body of the core to `out` (without its own force).
    pub(in crate::solve) fn core_load(&self, system: &System, body: u32, out: &mut [f64]) {
        match system.bodies[body as usize].mass {
            MassBlock::Rigid(_) => {
                for (out, load) in out.iter_mut().zip(&self.load[body as usize]) {
                    *out += load;
                }
            }
            _ => {
                for (out, load) in out.iter_mut().zip(&self.force[system.v_range(body)]) {
                    *out += load;
                }
            }
        }
    }

    /// Clears the loads of core bodies before a forward sweep.
    pub(in crate::solve) fn clear_core_load(&mut self, system: &System, body: u32) {
        self.load[body as usize] = [0.0; 6];
        if !matches!(system.bodies[body as usize].mass, MassBlock::Rigid(_)) {
            self.force[system.v_range(body)].fill(0.0);
        }
    }

    /// Backward sweep down to step `from`: writes the motion `y` and the multipliers of the steps.
    /// The motion of core bodies must be in `y` already.
    pub(in crate::solve) fn backward(
        &mut self,
        system: &System,
        from: usize,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        #[cfg(test)]
        {
            self.visits[1] += self.steps.len() - from;
        }
        for at in (from..self.steps.len()).rev() {
            let step = self.steps[at];
            match step.kind {
                StepKind::Ball { pivot, .. } => {
                    let pivot = &self.balls[pivot as usize];
                    let p = &self.load[step.body as usize];
                    let (p_v, p_w) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
                    let mut u = parent_point(&step, pivot.r_parent, y).0;
                    if let Some(b) = b {
                        u = add(u, signed_rows(&step, b));
                    }
                    // w = K·u₀ − p′ and ω = C⁻¹·p_w − Eᵀ·u₀.
                    let e_pw = mat_vec(&pivot.e, p_w);
                    let force = add(sub(sym_vec(&pivot.k, u), p_v), e_pw);
                    let omega = sub(sym_vec(&pivot.c_inv, p_w), mat_t_vec(&pivot.e, u));
                    let velocity = sub(u, cross(omega, pivot.r));
                    let sign = if step.is_b { 1.0 } else { -1.0 };
                    lambda[step.row0 as usize..step.row0 as usize + 3]
                        .copy_from_slice(&scale(sign, force));
                    let y = &mut y[step.v0 as usize..step.v0 as usize + 6];
                    y[..3].copy_from_slice(&velocity);
                    y[3..].copy_from_slice(&omega);
                }
                StepKind::Frame { joint, pivot } => {
                    let pivot = &self.frames[pivot as usize];
                    let (mut u, mut w) = parent_point(&step, pivot.r_parent, y);
                    if let Some(b) = b {
                        let (du, dw) = pair_motion(system, &step, joint, pivot, b);
                        u = add(u, du);
                        w = add(w, dw);
                    }
                    let p = &self.load[step.body as usize];
                    let (f, n) = pivot.phi.apply(u, w);
                    let (mut f, mut n) = (sub(f, [p[0], p[1], p[2]]), sub(n, [p[3], p[4], p[5]]));
                    if step.seat != NONE {
                        let free = &self.free[pivot.first_free as usize];
                        let h_u = dot(free.h_force, u) + dot(free.h_torque, w);
                        let pushed = self.riders.multipliers(step.seat, h_u, lambda);
                        (f, n) = (sub(f, pushed.0), sub(n, pushed.1));
                    }
                    let frame = &system.frames[joint as usize];
                    let sign = if step.is_b { 1.0 } else { -1.0 };
                    let (row0, n_t) = (step.row0 as usize, frame.n_t as usize);
                    let held = scale(sign, frame.translation(f));
                    for k in 0..n_t {
                        lambda[row0 + k] = held[k];
                    }
                    for k in 0..frame.n_r as usize {
                        lambda[row0 + n_t + k] = sign * dot(pivot.dual_g[k], n);
                    }
                    let first = pivot.first_free as usize;
                    for k in (first..first + pivot.n_free as usize).rev() {
                        let free = &self.free[k];
                        let z = (self.free_load[k] - dot(free.h_force, u) - dot(free.h_torque, w))
                            * free.inv_d;
                        if free.is_rotation {
                            w = add(w, scale(z, free.s));
                        } else {
                            u = add(u, scale(z, free.s));
                        }
                    }
                    let y = &mut y[step.v0 as usize..step.v0 as usize + 6];
                    y[..3].copy_from_slice(&sub(u, cross(w, pivot.r)));
                    y[3..].copy_from_slice(&w);
                }
                StepKind::Pin { pivot, .. } => {
                    let pin = &self.pins[pivot as usize];
                    pin.backward(&step, b, (&self.riders, &self.force), lambda, y);
                }
                StepKind::Generic { pivot } => {
                    self.generic.backward(system, pivot, lambda, y);
                }
            }
        }
        self.absorbed.multipliers(system, b, y, lambda);
    }
}

/// `±b` of a three-row joint: `+` when the body is side b.
#[inline(always)]
fn signed_rows(step: &Step, b: &[f64]) -> Vec3 {
    let sign = if step.is_b { 1.0 } else { -1.0 };
    let b = &b[step.row0 as usize..step.row0 as usize + 3];
    [sign * b[0], sign * b[1], sign * b[2]]
}

/// `±N⁺·b`: the smallest relative motion that gives the rows `b`.
#[inline(always)]
fn pair_motion(
    system: &System,
    step: &Step,
    joint: u32,
    pivot: &FramePivot,
    b: &[f64],
) -> (Vec3, Vec3) {
    let frame = &system.frames[joint as usize];
    let sign = if step.is_b { 1.0 } else { -1.0 };
    let (row0, n_t) = (step.row0 as usize, frame.n_t as usize);
    let u = scale(sign, frame.translation_transposed(&b[row0..row0 + n_t]));
    let mut w = [0.0; 3];
    for k in 0..frame.n_r as usize {
        w = add(w, scale(sign * b[row0 + n_t + k], pivot.dual_g[k]));
    }
    (u, w)
}

/// The parent's motion where the joint is.
#[inline(always)]
fn parent_point(step: &Step, r_parent: Vec3, y: &[f64]) -> (Vec3, Vec3) {
    if step.parent == NONE {
        return ([0.0; 3], [0.0; 3]);
    }
    let y = &y[step.parent_v0 as usize..step.parent_v0 as usize + 6];
    let w = [y[3], y[4], y[5]];
    (add([y[0], y[1], y[2]], cross(w, r_parent)), w)
}

#[inline(always)]
fn add_load(load: &mut [f64; 6], f: Vec3, n: Vec3) {
    for k in 0..3 {
        load[k] += f[k];
        load[3 + k] += n[k];
    }
}
