//! Bounded rows laid over the factor of everything else.
//!
//! The factor answers for joints, springs and masses. Of the rows that take part, `W = G·M̂⁻¹·Gᵀ` is found by one
//! response each (Baraff 1996, §8), and their impulses by `linalg::bounded`. Rows are scaled to meters, and impulses
//! accordingly: what a row pushes with is `s·r`.

use crate::equations::{Load, Request};
use crate::frame::Frame;
use crate::linalg::bounded::{BoundedProblem, Group, Set};
use crate::linalg::size;
use crate::system::{BoundedRow, Role, System};

/// The rows that take part in a solve.
#[derive(Debug, Default)]
pub(super) struct Over {
    /// Their places in `System::bounded`.
    pub(super) chosen: Vec<usize>,
    pub(super) rows: BoundedProblem,
    load: Vec<f64>,
}

impl Over {
    pub(super) fn size(&mut self, system: &System) {
        let n = system.bounded.len();
        self.chosen.clear();
        self.chosen.reserve(n);
        // All at once, so that no step allocates.
        self.rows.size(n);
        size(&mut self.load, system.n_v());
    }

    /// Each chosen row with its place among them.
    pub(super) fn iter<'s>(
        &self,
        system: &'s System,
    ) -> impl Iterator<Item = (usize, &'s BoundedRow)> + use<'_, 's> {
        let chosen = self.chosen.iter().enumerate();
        chosen.map(|(i, &at)| (i, &system.bounded[at]))
    }

    /// The same for displacements, of which none are across.
    pub(super) fn respond_without_friction(&mut self, frame: &mut Frame<'_, '_>) {
        self.respond(frame, 1.0);
        for group in &mut self.rows.groups {
            group.set = Set::ONE_SIDED;
        }
    }

    /// Finds how the chosen rows respond to each other on the factor, and bounds their impulses for `h` seconds.
    pub(super) fn respond(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let n = self.chosen.len();
        self.rows.size(n);
        for i in 0..n {
            let system = frame.equations.system();
            let own = system.bounded[self.chosen[i]];
            self.begin_group(i, own.role, h / own.scale(system));
            self.load.fill(0.0);
            own.push(system, 1.0, &mut self.load);
            let request = Request {
                load: Load::Given(&self.load),
                ..Request::default()
            };
            frame.equations.solve(request, &mut frame.meter);
            let (system, solution) = (frame.equations.system(), frame.equations.solution());
            for j in 0..n {
                let other = &system.bounded[self.chosen[j]];
                self.rows.response[j * n + i] = other.motion(system, &solution.motion);
            }
            frame.equations.apply_inverse_mass(&mut self.load);
            let mobility = own.motion(frame.equations.system(), &self.load);
            if let Some(group) = self.rows.groups.last_mut() {
                group.mobility += mobility / group.n as f64;
            }
        }
        for group in &mut self.rows.groups {
            // What nothing can move pushes with nothing.
            group.mobility = group.mobility.max(f64::MIN_POSITIVE);
        }
        // Symmetric but for round-off.
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (self.rows.response[i * n + j] + self.rows.response[j * n + i]);
                self.rows.response[i * n + j] = mean;
                self.rows.response[j * n + i] = mean;
            }
        }
    }

    /// Whether the row after the `i`-th is one across it.
    fn has_across(&self, i: usize) -> bool {
        self.chosen
            .get(i + 1)
            .is_some_and(|next| *next == self.chosen[i] + 1)
    }

    /// Says what the impulse of row `i` may be, where it is the first of a set; forces count for `h` seconds.
    fn begin_group(&mut self, i: usize, role: Role, h: f64) {
        let (set, n) = match role {
            Role::Stop { .. } => (Set::ONE_SIDED, 1),
            Role::Force { least, most } => {
                let (least, most) = (least * h, most * h);
                (Set::Between { least, most }, 1)
            }
            Role::Normal {
                friction, n_across, ..
            } => {
                // Where only normals take part, there is nothing across.
                let n = if self.has_across(i) { 1 + n_across } else { 1 };
                (Set::Cone { friction }, n)
            }
            Role::Across => return,
        };
        self.rows.groups.push(Group {
            set,
            start: i,
            n,
            mobility: 0.0,
        });
    }

    /// `f ← f + Gᵀ·r`.
    pub(super) fn push(&self, system: &System, r: &[f64], f: &mut [f64]) {
        for (i, row) in self.iter(system) {
            row.push(system, r[i], f);
        }
    }
}
