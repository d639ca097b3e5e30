//! A lower priority comes down to least squares where priority 0 has to be iterated too, whatever a frame may
//! spend (Faure 1999, §3.4): one sum, which every iteration makes smaller.
//!
//! ```text
//!     L = ½·Σ (w·c₁)² + ½·ρ·Σ c₀² − ℓᵀ·c₀        λ₁ = −w²·c₁,   λ₀ = ℓ − ρ·c₀
//! ```
//!
//! Where it is lowest, joints are open by `(ℓ − λ₀)/ρ`. So `ℓ ← λ₀` whenever nearly all that is left of the
//! slope is what joints are open by, and what priority 0 holds is found over many frames: `ℓ` is what the state
//! keeps (`State.unfinished`), and then joints are closed with errors at their least. No equation is solved, so
//! none can be cut short.
//!
//! Each iteration is one of conjugate gradients on the bodies, scaled body by body:
//!
//! ```text
//!     p ← P⁻¹·Jᵀ·λ + β·p,   P = ε·M + K₊(λ) + Σ J_bᵀ·D·J_b,   D = (ρ, w²)
//! ```
//!
//! with β such that `p` is conjugate to the last one in `H = ε·M + K₊ + Jᵀ·D·J`, and as far as `H` says, halved until
//! `L` falls. `K` is the geometric stiffness, as in `descend`.
//! In a hand no body goes further in a frame than a few times as far as the goal.

use super::close::{Closing, is_led_by_gradients};
use super::tolerances::{
    DESCENTS_OF_ALL, ENOUGH_DESCENT, EXACTNESS, GRADIENT_HALVINGS, LEAST_ALONG, LEAST_GAIN,
    LEFT_IN_HAND, LEFT_OF_SLOPE, MOST_TURN, RIDGE, SLOW, SMALL_BODY, WIDE,
};
use super::{farthest, most_turn};
use crate::equations::{Motion, Soft, Terms};
use crate::frame::Frame;
use crate::linalg::blocks::Blocks;
use crate::linalg::dense::dot;
use crate::linalg::size;
use crate::system::{MAX_ROWS, System};

/// The buffers, of worlds that need them.
#[derive(Debug, Default)]
pub(super) struct Augmented {
    /// `D` and `λ` of every row.
    weight: Vec<f64>,
    lambda: Vec<f64>,
    /// `Jᵀ·λ`, `P⁻¹·Jᵀ·λ`, `p` and `H·p`.
    force: Vec<f64>,
    way: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    /// Of one constraint, and of one body.
    moved: [f64; MAX_ROWS],
    part: Vec<f64>,
    start_q: Vec<f64>,
    /// Velocity coordinates that are scaled together: those of a small body, single ones of a large one. The first
    /// group of each body.
    groups: Vec<usize>,
    first_group: Vec<usize>,
    blocks: Blocks,
}

impl Augmented {
    /// Forgets a world.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
    }

    fn size(&mut self, system: &System, n_q: usize) {
        if !self.groups.is_empty() {
            return;
        }
        for buffer in [&mut self.weight, &mut self.lambda] {
            size(buffer, system.n_rows());
        }
        for buffer in [
            &mut self.force,
            &mut self.way,
            &mut self.direction,
            &mut self.product,
        ] {
            size(buffer, system.n_v());
        }
        size(&mut self.start_q, n_q);
        self.first_group.clear();
        let mut largest = SMALL_BODY;
        for body in 0..system.bodies.len() as u32 {
            let v = system.v_range(body);
            let every = if v.len() > SMALL_BODY {
                1
            } else {
                v.len().max(1)
            };
            largest = largest.max(v.len());
            self.first_group.push(self.groups.len());
            self.groups.extend(v.step_by(every));
        }
        size(&mut self.part, 2 * largest);
        self.groups.push(system.n_v());
        self.blocks = Blocks::new(&self.groups);
        self.weight.fill(0.0);
        for (c, block) in system.constraints.iter().enumerate() {
            for row in system.row_range(c as u32) {
                let scale = system.row_scale[row];
                if system.rows.lower_priority(row).is_some() {
                    let weight = scale * block.weight;
                    self.weight[row] = weight * weight;
                }
            }
        }
        for &(row, scale) in &system.rows.hard {
            self.weight[row as usize] = EXACTNESS * scale * scale;
        }
    }

    /// `L` of what was filled, and `λ`.
    fn measure(&mut self, system: &System, held: &[f64]) -> f64 {
        let mut sum = 0.0;
        let rows = system.c.iter().zip(&self.weight).zip(held);
        for (((c, weight), held), lambda) in rows.zip(&mut self.lambda) {
            *lambda = if *weight > 0.0 {
                held - weight * c
            } else {
                0.0
            };
            sum += (0.5 * weight * c - held) * c;
        }
        sum
    }

    /// `Σ (w·c₁)² + ρ·Σ c₀²`.
    fn square(&self, system: &System) -> f64 {
        let rows = system.c.iter().zip(&self.weight);
        rows.map(|(c, weight)| weight * c * c).sum()
    }

    /// `Σ ρ·c₀²`: what joints are open by.
    fn open(&self, system: &System) -> f64 {
        let squares = system.rows.hard.iter().map(|&(row, _)| {
            let row = row as usize;
            self.weight[row] * system.c[row] * system.c[row]
        });
        squares.sum()
    }

    /// `P⁻¹·Jᵀ·λ` into `way`; returns what it does to the sum at first, `(Jᵀ·λ)ᵀ·P⁻¹·(Jᵀ·λ)`. Masses contain what
    /// the pull turns bodies with.
    fn scale(&mut self, system: &System, ridge: f64) -> f64 {
        self.force.fill(0.0);
        for c in 0..system.constraints.len() as u32 {
            let lambda = &self.lambda[system.row_range(c)];
            system.add_constraint_force(c, lambda, &mut self.force);
        }
        self.fill_blocks(system, ridge);
        self.way.copy_from_slice(&self.force);
        self.blocks.solve(&self.groups, &mut self.way);
        self.blocks.solve_transposed(&self.groups, &mut self.way);
        dot(&self.way, &self.force)
    }

    /// Fills and factors `P`.
    fn fill_blocks(&mut self, system: &System, ridge: f64) {
        let Self { blocks, part, .. } = self;
        for body in 0..system.bodies.len() as u32 {
            let (n, group) = (system.v_range(body).len(), self.first_group[body as usize]);
            if n > SMALL_BODY {
                (0..n).for_each(|i| blocks.block(group + i, 1)[0] = 0.0);
                continue;
            }
            let block = blocks.block(group, n);
            let (unit, column) = part[..2 * n].split_at_mut(n);
            unit.fill(0.0);
            for i in 0..n {
                unit[i] = ridge;
                system.multiply_mass(body, unit, column);
                unit[i] = 0.0;
                (0..n).for_each(|j| block[j * n + i] = column[j]);
            }
        }
        let mut unit = [0.0; MAX_ROWS];
        for c in 0..system.constraints.len() as u32 {
            let rows = system.row_range(c);
            for (i, weight) in self.weight[rows.clone()].iter().enumerate() {
                if *weight == 0.0 {
                    continue;
                }
                unit[i] = 1.0;
                system.for_each_side(c, false, |body, side| {
                    let (n, group) = (system.v_range(body).len(), self.first_group[body as usize]);
                    let part = &mut part[..n];
                    part.fill(0.0);
                    side.apply_transposed(&unit[..rows.len()], part);
                    if n > SMALL_BODY {
                        for (i, j) in part.iter().enumerate() {
                            blocks.block(group + i, 1)[0] += weight * j * j;
                        }
                        return;
                    }
                    let block = blocks.block(group, n);
                    for (row, a) in block.chunks_exact_mut(n).zip(&*part) {
                        for (entry, b) in row.iter_mut().zip(&*part) {
                            *entry += weight * a * b;
                        }
                    }
                });
                unit[i] = 0.0;
            }
        }
        for (group, ends) in self.groups.windows(2).enumerate() {
            blocks.factor(group, ends[1] - ends[0]);
        }
    }

    /// `H·p` into `product`; returns `pᵀ·H·p`.
    fn multiply(&mut self, system: &System, ridge: f64) -> f64 {
        system.multiply_masses(&self.direction, &mut self.product);
        self.product
            .iter_mut()
            .for_each(|product| *product *= ridge);
        for c in 0..system.constraints.len() as u32 {
            let rows = system.row_range(c);
            let moved = &mut self.moved[..rows.len()];
            system.constraint_motion(c, &self.direction, moved);
            for (moved, weight) in moved.iter_mut().zip(&self.weight[rows]) {
                *moved *= weight;
            }
            system.add_constraint_force(c, moved, &mut self.product);
        }
        dot(&self.direction, &self.product)
    }

    /// The next direction; how fast the sum falls along it, and how much of it leads to where it is lowest.
    fn turn(&mut self, system: &System, ridge: f64) -> (f64, f64) {
        let curvature = self.multiply(system, ridge);
        let steepest = dot(&self.force, &self.way);
        let mut beta = 0.0;
        if curvature > 0.0 {
            beta = -dot(&self.way, &self.product) / curvature;
            let along = steepest + beta * dot(&self.force, &self.direction);
            if !beta.is_finite() || along < LEAST_ALONG * steepest {
                beta = 0.0;
            }
        }
        for (p, way) in self.direction.iter_mut().zip(&self.way) {
            *p = way + beta * *p;
        }
        let fall = dot(&self.force, &self.direction);
        (fall, fall / self.multiply(system, ridge))
    }
}

impl Closing {
    /// Brings all priorities down together where hands alone give way. Where they rest and errors hardly fall any more,
    /// priority 0 closes alone from the next frame on, which takes fewer iterations.
    #[cold]
    pub(super) fn follow_together(&mut self, frame: &mut Frame<'_, '_>, reach: f64, damping: f64) {
        frame.fill_terms(Terms::new(Motion::Displacement, Soft::Absent, damping));
        let n_q = frame.state.q.len();
        self.augmented.size(frame.equations.system(), n_q);
        let before = self.augmented.square(frame.equations.system());
        self.descend_together(frame, reach, damping);
        let own = &self.augmented;
        let system = frame.fill_probe(Motion::Displacement, Soft::Absent);
        let (after, open) = (own.square(system), own.open(system));
        if reach.is_finite() || after <= SLOW * before || open > WIDE * after {
            return;
        }
        // A direction with no part of lower priorities tells it. Along the errors themselves it is dropped at once.
        frame.state.unfinished.clear();
        let direction = frame.state.unfinished.go_on(frame.state.lambda.len());
        let system = frame.equations.system();
        for &(row, scale) in &system.rows.hard {
            direction[row as usize] = scale * system.c[row as usize];
        }
    }

    /// Brings all priorities down together as far as the budget lets it.
    #[cold]
    pub(super) fn descend_together(&mut self, frame: &mut Frame<'_, '_>, reach: f64, damping: f64) {
        let terms = Terms::new(Motion::Displacement, Soft::Absent, damping);
        frame.fill_terms(terms);
        let n_q = frame.state.q.len();
        self.augmented.size(frame.equations.system(), n_q);
        let ridge = RIDGE * frame.equations.lower_mobility(&mut self.force);
        self.augmented.direction.fill(0.0);
        let n_rows = frame.state.lambda.len();
        frame.state.unfinished.hold(n_rows);
        let length = frame.system().characteristic_length();
        let mut left = reach;
        let mut may_hold = true;
        let enough = if is_led_by_gradients(frame) {
            LEFT_IN_HAND
        } else {
            LEFT_OF_SLOPE
        };
        for _ in 0..DESCENTS_OF_ALL {
            if left <= 0.0 || frame.out_of_budget() {
                return;
            }
            let own = &mut self.augmented;
            let sum = own.measure(frame.equations.system(), frame.state.unfinished.held());
            let open = own.open(frame.equations.system());
            let is_closed = frame.system().gap() <= frame.tolerance;
            self.stiffness
                .fill(frame.equations.system(), &own.lambda, 1.0);
            self.stiffness
                .stiffen(frame.equations.modify(), 1.0 / ridge);
            let system = frame.equations.system();
            let slope = own.scale(system, ridge);
            if is_closed && slope <= LEAST_GAIN * sum.abs() {
                return;
            }
            if may_hold && !is_closed && slope <= enough * open {
                let held = frame.state.unfinished.hold(n_rows);
                for &(row, _) in &system.rows.hard {
                    held[row as usize] = own.lambda[row as usize];
                }
                own.direction.fill(0.0);
                may_hold = false;
                frame.fill_terms(terms);
                continue;
            }
            let (fall, least) = own.turn(system, ridge);
            let far = farthest(frame.world, &own.direction, length);
            let most = least.min(MOST_TURN / most_turn(frame.world, &own.direction));
            let taken = self.go_down_together(frame, terms, (sum, fall), most.min(left / far));
            if taken == 0.0 {
                return;
            }
            left -= taken * far;
            may_hold = true;
            frame.count_iteration();
        }
    }

    /// Goes so much of the direction, and halves it until the sum falls enough. Returns what was taken; zero where no
    /// part does, and the state is where it was then.
    fn go_down_together(
        &mut self,
        frame: &mut Frame<'_, '_>,
        terms: Terms,
        (sum, fall): (f64, f64),
        mut part: f64,
    ) -> f64 {
        let own = &mut self.augmented;
        own.start_q.copy_from_slice(&frame.state.q);
        for _ in 0..=GRADIENT_HALVINGS {
            for (dq, p) in self.dq.iter_mut().zip(&own.direction) {
                *dq = part * p;
            }
            frame.displace(&self.dq);
            frame.fill_terms(terms);
            let after = own.measure(frame.equations.system(), frame.state.unfinished.held());
            if after < sum - ENOUGH_DESCENT * part * fall {
                return part;
            }
            frame.state.q.copy_from_slice(&own.start_q);
            part *= 0.5;
        }
        0.0
    }
}
