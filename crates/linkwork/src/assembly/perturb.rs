//! Another start: open parts are displaced by fixed amounts, to leave a saddle or a false closure. The amounts
//! come from an additive sequence, not from a random generator.

use super::tolerances::PERTURBATIONS;
use crate::frame::Frame;
use crate::system::RowClass;

/// The fractional parts of its multiples are spread evenly over [0, 1).
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Displaces every body of a constraint that is open in the probe. With `has_limits`, limits count as open
/// where they are violated.
pub(super) fn perturb(frame: &mut Frame<'_, '_>, attempt: usize, has_limits: bool) {
    let amount = PERTURBATIONS[attempt % PERTURBATIONS.len()];
    let system = frame.equations.probe();
    let length = frame.system().bar_length();
    let mut dq = vec![0.0; system.n_v()];
    let mut n = 1000 * attempt;
    for record in frame.world.constraints() {
        let error = |row: usize| {
            let c = match system.rows.class(row) {
                RowClass::Bounded if has_limits => -system.c[row],
                _ => system.c[row].abs(),
            };
            system.row_scale[row] * c
        };
        let is_open = record.row_range().any(|row| error(row) > frame.tolerance);
        if record.priority > 0 || !is_open {
            continue;
        }
        let connectors = record.connectors.iter();
        for id in connectors.flat_map(|own| frame.world.bodies_of(own)) {
            let Ok(body) = frame.world.body_record(*id) else {
                continue;
            };
            let mut unit = vec![0.0; body.v_range().len()];
            for (i, dq) in dq[body.v_range()].iter_mut().enumerate() {
                n += 1;
                let spread = GOLDEN * n as f64;
                // Coordinates that rotate the body get an angle, all others a length.
                unit.fill(0.0);
                unit[i] = 1.0;
                let is_turn = body.body.turn_of(&unit) > 0.0;
                let unit = if is_turn { 1.0 } else { length };
                *dq = amount * unit * (2.0 * (spread - spread.floor()) - 1.0);
            }
        }
    }
    frame.displace(&dq);
}
