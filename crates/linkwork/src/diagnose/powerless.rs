//! Joints held by the force of another (`K ≠ Jᵀ`, Baraff 1996, §8) that has no effect on them.
//!
//! ```text
//!     rank (J·M̂⁻¹·K) < rank (J·M̂⁻¹·Jᵀ)
//! ```
//!
//! with M̂⁻¹ the response of the world without such joints. Such rows can move, but the force that should hold
//! them does not act on them: it is orthogonal to them, on another body, or blocked by other joints. No
//! multiplier is large enough.

use super::tolerances::POWERLESS;
use crate::equations::{Equations, Load, Meter, Motion, Request, Soft, Terms};
use crate::linalg::dense::PivotedQr;
use crate::system::{MAX_ROWS, System};
use crate::world::{ConstraintId, ConstraintRecord, World};

/// The joints whose force has no effect on some of their rows, at the present pose.
pub fn powerless(world: &World) -> Vec<ConstraintId> {
    let pushing: Vec<usize> = (world.constraints().iter().enumerate())
        .filter(|(_, own)| own.enabled() && own.constraint().pushes_elsewhere())
        .map(|(at, _)| at)
        .collect();
    if pushing.is_empty() {
        return Vec::new();
    }
    let terms = Terms::new(Motion::Acceleration, Soft::Explicit, 0.0);
    let mut whole = Equations::default();
    whole.compile(world);
    whole.fill((world, world.state()), terms);
    let mut others = world.clone();
    for &at in &pushing {
        // The copy has the same ids.
        let _ = others.set_constraint_enabled(world.constraints()[at].id(), false);
    }
    let mut rest = Equations::default();
    rest.compile(&others);
    rest.prepare(
        (&others, others.state()),
        terms,
        &crate::solve::Method::Direct,
    );
    let mut response = Response {
        rest,
        force: vec![0.0; whole.system().n_v()],
        y: vec![0.0; whole.system().n_v()],
    };
    let system = whole.system();
    let blocks = system.constraints.iter().enumerate();
    let blocks = blocks.filter(|(_, own)| own.pushes);
    let rows = |c: usize| system.row_range(c as u32);
    let is_powerless = blocks.filter(|&(c, _)| {
        let (pushed, pulled) = (
            response.rank(system, c, true),
            response.rank(system, c, false),
        );
        pushed < pulled
    });
    let found: Vec<usize> = is_powerless.map(|(c, _)| rows(c).start).collect();
    let records = world.constraints().iter();
    let records = records.filter(|own| found.contains(&own.row_range().start) && own.enabled());
    records.map(ConstraintRecord::id).collect()
}

/// The response of the world without such joints.
struct Response {
    rest: Equations,
    force: Vec<f64>,
    y: Vec<f64>,
}

impl Response {
    /// The rank of `J·M̂⁻¹·K` over the rows of a constraint, or of `J·M̂⁻¹·Jᵀ`.
    fn rank(&mut self, system: &System, c: usize, pushes: bool) -> usize {
        let range = system.row_range(c as u32);
        let (n, scale) = (range.len(), &system.row_scale[range]);
        let mut a = [0.0; MAX_ROWS * MAX_ROWS];
        let mut motion = [0.0; MAX_ROWS];
        let (mut held, mut pushed) = (0.0f64, 0.0f64);
        for j in 0..n {
            // Mobility of its own rows with free bodies, by Cauchy's inequality.
            held = held.max(self.mobility(system, c, (j, scale[j]), false));
            pushed = pushed.max(self.mobility(system, c, (j, scale[j]), pushes));
            let request = Request {
                load: Load::Given(&self.force),
                ..Request::default()
            };
            let solution = self.rest.solve(request, &mut Meter::unlimited());
            system.constraint_motion(c as u32, &solution.motion, &mut motion[..n]);
            for i in 0..n {
                a[i * n + j] = scale[i] * motion[i];
            }
        }
        let mut qr = PivotedQr::default();
        qr.factor(n, &a[..n * n], POWERLESS * (held * pushed).sqrt());
        qr.rank()
    }

    /// `f·M⁻¹·f` for a row's unit force, which is left in `force`.
    fn mobility(
        &mut self,
        system: &System,
        c: usize,
        (row, scale): (usize, f64),
        pushes: bool,
    ) -> f64 {
        let mut unit = [0.0; MAX_ROWS];
        unit[row] = scale;
        let (force, y) = (&mut self.force, &mut self.y);
        force.fill(0.0);
        let unit = &unit[..system.row_range(c as u32).len()];
        system.for_each_side(c as u32, pushes, |body, side| {
            side.apply_transposed(unit, &mut force[system.v_range(body)]);
        });
        y.copy_from_slice(force);
        self.rest.apply_inverse_mass(y);
        force.iter().zip(&*y).map(|(f, y)| f * y).sum()
    }
}
