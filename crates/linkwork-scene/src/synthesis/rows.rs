//! Rows over the coordinates of a pose and the numbers of the design.

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, RowUnit, Rows};
use linkwork::prelude::Error;

use super::linkage::Place;

const METERS: [RowUnit; 2] = [RowUnit::Meter, RowUnit::Meter];

/// Two places of a pose are one: `c = X_a − X_b`.
#[derive(Debug)]
pub(super) struct Pinned {
    pub(super) kinds: [ConnectorKind; 2],
    pub(super) places: [Place; 2],
}

impl Constraint for Pinned {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &METERS
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        for (place, sign) in self.places.iter().zip([1.0, -1.0]) {
            add_place(place, sign, inputs, out);
        }
    }
}

/// The pen of a pose is where the path wants it: `c = X − wanted`, a soft row.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) kinds: [ConnectorKind; 2],
    pub(super) pen: Place,
    pub(super) wanted: [f64; 2],
}

impl Constraint for Wanted {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &METERS
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("path", &self.wanted)
    }

    // A step that leads away from the path is halved.
    fn is_objective(&self) -> bool {
        true
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        add_place(&self.pen, 1.0, inputs, out);
        for k in 0..2 {
            out.c[k] -= self.wanted[k];
        }
    }
}

/// The crank of a pose lags behind a phase of the design: `c = θ − phase − lag`.
#[derive(Debug)]
pub(super) struct Timed {
    pub(super) kinds: [ConnectorKind; 2],
    /// Which number of the design the phase is.
    pub(super) phase: usize,
    pub(super) lag: f64,
}

/// Where the angle of the crank is among the coordinates of a pose.
pub(super) const CRANK: usize = 2;

impl Constraint for Timed {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Radian]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("lag", &self.lag)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let [pose, design] = [&inputs[0], &inputs[1]];
        out.c[0] = pose.x[CRANK] - design.x[self.phase] - self.lag;
        out.c_dot[0] = pose.x_dot[CRANK] - design.x_dot[self.phase];
        out.dc_dx(0).set(0, CRANK, 1.0);
        out.dc_dx(1).set(0, self.phase, -1.0);
    }
}

/// The crank turns about as far from one pose to the next as in all others: `c = θ_b − θ_a − turn`, a soft row that
/// keeps poses in order where nothing else says when the pen is where.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) kinds: [ConnectorKind; 2],
    pub(super) turn: f64,
}

impl Constraint for Ordered {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Radian]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("turn", &self.turn)
    }

    fn is_objective(&self) -> bool {
        true
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c[0] = inputs[1].x[CRANK] - inputs[0].x[CRANK] - self.turn;
        out.c_dot[0] = inputs[1].x_dot[CRANK] - inputs[0].x_dot[CRANK];
        out.dc_dx(0).set(0, CRANK, -1.0);
        out.dc_dx(1).set(0, CRANK, 1.0);
    }
}

fn add_place(place: &Place, sign: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
    let now = place.moving(&inputs[0], &inputs[1], |input, column, slope| {
        let mut columns = out.dc_dx(input);
        for k in 0..2 {
            columns.add(k, column, sign * slope[k]);
        }
    });
    for k in 0..2 {
        out.c[k] += sign * now.x[k];
        out.c_dot[k] += sign * now.rate[k];
        out.gamma[k] += sign * now.rest[k];
    }
}

#[cfg(test)]
mod tests {
    use linkwork::constraint::check_constraint;

    use super::super::linkage::Coordinate::{Fixed, Number};
    use super::*;

    const KINDS: [ConnectorKind; 2] = [ConnectorKind::Vector(6), ConnectorKind::Vector(4)];

    #[test]
    fn rows_keep_the_contract_of_constraints() {
        let on_bar = |bar, at| Place { bar: Some(bar), at };
        let ground = Place {
            bar: None,
            at: [Number(3), Fixed(0.2)],
        };
        for places in [
            [
                on_bar(0, [Number(0), Number(1)]),
                on_bar(1, [Fixed(0.3), Number(2)]),
            ],
            [ground, on_bar(1, [Fixed(-0.4), Fixed(0.1)])],
        ] {
            check_constraint(
                &Pinned {
                    kinds: KINDS,
                    places,
                },
                3,
            )
            .unwrap();
            let pen = places[0];
            let wanted = Wanted {
                kinds: KINDS,
                pen,
                wanted: [0.4, -0.7],
            };
            check_constraint(&wanted, 4).unwrap();
        }
        let timed = Timed {
            kinds: KINDS,
            phase: 1,
            lag: 0.5,
        };
        check_constraint(&timed, 5).unwrap();
        let kinds = [ConnectorKind::Vector(6); 2];
        check_constraint(&Ordered { kinds, turn: 0.1 }, 6).unwrap();
    }
}
