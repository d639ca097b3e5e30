//! Another start: open parts are moved aside by fixed amounts, so that a saddle or a false closure
//! is left. The amounts come from an additive sequence, not from chance.

use crate::integrate::Stage;

/// How far parts are moved in tries one, two, three, …: in lengths of a bar, and radians.
const AMOUNTS: [f64; 3] = [0.3, 1.0, 2.0];
/// The fractions of its multiples are spread evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl Stage<'_, '_> {
    /// Moves every body that a constraint which is open (in the probe) holds.
    pub(super) fn perturb(&mut self, attempt: usize) {
        let amount = AMOUNTS[attempt % AMOUNTS.len()];
        let length = self.length();
        let (system, work) = (&self.equations.probe, &mut *self.work);
        work.dq.fill(0.0);
        let mut n = 1000 * attempt;
        for record in self.world.constraints() {
            let error = |row: usize| system.row_scale[row] * system.c[row].abs();
            let is_open = record.row_range().any(|row| error(row) > self.tolerance);
            if record.priority > 0 || !is_open {
                continue;
            }
            for connector in &record.connectors {
                let Ok(body) = self.world.body_record(connector.body) else {
                    continue;
                };
                let dq = &mut work.dq[body.v_range()];
                for i in 0..dq.len() {
                    n += 1;
                    let spread = GOLDEN * n as f64;
                    // What turns the body is an angle, anything else a length.
                    dq.fill(0.0);
                    dq[i] = 1.0;
                    let unit = if body.body.turn_of(dq) > 0.0 {
                        1.0
                    } else {
                        length
                    };
                    work.force[body.v0 + i] =
                        amount * unit * (2.0 * (spread - spread.floor()) - 1.0);
                }
                dq.copy_from_slice(&work.force[body.v_range()]);
            }
        }
        let layout = &self.equations.layout;
        layout.displace(self.world, &mut work.state.q, &work.dq);
    }
}
