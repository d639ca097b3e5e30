//! The class of every row, decided once when a world is compiled.
//!
//! | class        | holds                                                        |
//! |--------------|--------------------------------------------------------------|
//! | `Absent`     | takes no part: its constraint is disabled                     |
//! | `Hard`       | `c = 0` exactly                                              |
//! | `Rate`       | `ċ = 0` exactly, no condition on `c`                         |
//! | `Bounded`    | with a force between bounds: no part of the factor            |
//! | `Soft`       | gives way like a spring or a damper                          |
//! | `Lower(k)`   | `c = 0` in least squares, after priority 0 and lower ones before `k` |
//! | `LowerRate`  | the same for `ċ`                                             |
//!
//! Nothing else classifies rows. Norms and gaps are asked of the [`System`], by class.

use super::numbers::System;
use crate::constraint::RowUnit;

/// The class of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RowClass {
    #[default]
    Absent,
    Hard,
    Rate,
    /// Its force lies between bounds (`bounded`).
    Bounded,
    Soft,
    /// The `k`-th of the lower priorities that occur, from zero.
    Lower(u8),
    LowerRate,
}

/// Every row's class, and the rows of each class with their factors to meters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    class: Vec<RowClass>,
    is_angle: Vec<bool>,
    pub(crate) hard: Vec<(u32, f64)>,
    /// Hard rows and rows on rates, if there are any of these.
    with_rates: Vec<(u32, f64)>,
    /// Hard rows of lower priorities.
    pub(crate) lower: Vec<(u32, f64)>,
    /// Hard rows that follow a goal: of a lower priority, or on a body that follows one.
    pub(crate) led: Vec<u32>,
    /// Number of lower priorities that occur.
    pub(crate) n_lower: usize,
}

impl Rows {
    pub(crate) fn class(&self, row: usize) -> RowClass {
        self.class[row]
    }

    /// The lower priority of a hard position row, from zero.
    pub(crate) fn lower_priority(&self, row: usize) -> Option<usize> {
        match self.class[row] {
            RowClass::Lower(k) => Some(k.into()),
            _ => None,
        }
    }

    pub(crate) fn is_bounded(&self, row: usize) -> bool {
        self.class[row] == RowClass::Bounded
    }

    pub(crate) fn is_angle(&self, row: usize) -> bool {
        self.is_angle[row]
    }

    pub(crate) fn has_lower(&self) -> bool {
        self.n_lower > 0
    }

    /// Whether some row is a condition on rates alone.
    pub(crate) fn has_rates(&self) -> bool {
        self.on_rates().len() > self.hard.len()
    }

    /// Hard rows and rows on rates.
    pub(crate) fn on_rates(&self) -> &[(u32, f64)] {
        match self.with_rates.is_empty() {
            true => &self.hard,
            false => &self.with_rates,
        }
    }

    /// Whether every row of the world is a hard one of priority 0.
    pub(super) fn are_all_hard(&self) -> bool {
        self.hard.len() == self.class.len()
    }
}

/// A row found by `compile`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSource {
    pub(super) row: usize,
    pub(super) unit: RowUnit,
    pub(super) is_soft: bool,
    pub(super) is_led: bool,
}

impl Rows {
    /// `n` rows, all absent.
    pub(super) fn new(n: usize) -> Self {
        Self {
            class: vec![RowClass::Absent; n],
            is_angle: vec![false; n],
            ..Self::default()
        }
    }

    /// Adds a row; its class follows in [`Rows::classify`].
    pub(super) fn add(&mut self, source: RowSource) {
        self.is_angle[source.row] = source.unit == RowUnit::Radian;
        self.class[source.row] = match source.is_soft {
            true => RowClass::Soft,
            false => RowClass::Hard,
        };
        if source.is_led && !source.is_soft {
            self.led.push(source.row as u32);
        }
    }

    /// Adds a row with a bounded force.
    pub(super) fn add_bounded(&mut self, row: usize, unit: RowUnit) {
        self.is_angle[row] = unit == RowUnit::Radian;
        self.class[row] = RowClass::Bounded;
    }

    /// Decides the classes, once all constraints of `system` are known.
    pub(super) fn classify(&mut self, system: &System) {
        let mut occurs = [false; 1 + u8::MAX as usize];
        for constraint in &system.constraints {
            occurs[usize::from(constraint.priority)] = true;
        }
        let mut index = [0u8; 1 + u8::MAX as usize];
        for priority in (1..occurs.len()).filter(|&priority| occurs[priority]) {
            index[priority] = self.n_lower as u8;
            self.n_lower += 1;
        }
        let has_rates = system.velocity_level.contains(&true);
        for (c, constraint) in system.constraints.iter().enumerate() {
            for row in system.row_range(c as u32) {
                if self.class[row] == RowClass::Soft {
                    continue;
                }
                let entry = (row as u32, system.row_scale[row]);
                let is_rate = system.velocity_level[row];
                self.class[row] = match (constraint.priority, is_rate) {
                    (0, false) => RowClass::Hard,
                    (0, true) => RowClass::Rate,
                    (_, true) => RowClass::LowerRate,
                    (priority, false) => RowClass::Lower(index[usize::from(priority)]),
                };
                match self.class[row] {
                    RowClass::Hard => {
                        self.hard.push(entry);
                        self.with_rates.extend(has_rates.then_some(entry));
                    }
                    RowClass::Rate => self.with_rates.push(entry),
                    RowClass::Lower(_) => self.lower.push(entry),
                    RowClass::LowerRate | RowClass::Soft | RowClass::Bounded | RowClass::Absent => {
                    }
                }
            }
        }
    }
}

/// Norms by class, in meters (m/s for rates); infinite if anything is not finite.
impl System {
    /// Largest position error of priority 0.
    pub(crate) fn gap(&self) -> f64 {
        largest(&self.rows.hard, &self.c)
    }

    /// Largest position error of lower priorities.
    pub(crate) fn lower_gap(&self) -> f64 {
        largest(&self.rows.lower, &self.c)
    }

    /// Largest rate error of priority 0.
    pub(crate) fn rate_gap(&self) -> f64 {
        largest(self.rows.on_rates(), &self.c_dot)
    }

    /// Largest errors of priority 0: of positions in meters, of angles in radians.
    pub(crate) fn errors(&self) -> (f64, f64) {
        let (mut position, mut angle) = (0.0f64, 0.0f64);
        for &(row, scale) in &self.rows.hard {
            let c = self.c[row as usize].abs();
            if self.rows.is_angle(row as usize) {
                angle = angle.max(c);
            } else {
                position = position.max(scale * c);
            }
        }
        (position, angle)
    }

    /// `‖S·c‖²` of priority 0.
    pub(crate) fn hard_square(&self) -> f64 {
        let sum = self.sum_of_squares(self.rows.hard.iter());
        if sum.is_finite() { sum } else { f64::INFINITY }
    }

    /// `‖S·c‖²` of all priorities.
    pub(crate) fn square(&self) -> f64 {
        self.sum_of_squares(self.rows.hard.iter().chain(&self.rows.lower))
    }

    fn sum_of_squares<'a>(&self, rows: impl Iterator<Item = &'a (u32, f64)>) -> f64 {
        rows.map(|&(row, scale)| scale * self.c[row as usize])
            .map(|error| error * error)
            .sum()
    }

    /// Whether every row of the world is a hard one of priority 0, and no body has strains.
    pub(crate) fn is_all_hard(&self) -> bool {
        self.rows.are_all_hard() && self.strains.is_empty()
    }

    /// Whether there are springs, between bodies or within them. A factor then depends on the step.
    pub(crate) fn has_springs(&self) -> bool {
        self.has_soft_springs || !self.strains.is_empty()
    }

    /// A typical distance of joints: a thin bar is √12 times as long as its radius of gyration.
    pub(crate) fn bar_length(&self) -> f64 {
        12.0f64.sqrt() * self.characteristic_length
    }
}

fn largest(rows: &[(u32, f64)], values: &[f64]) -> f64 {
    let (mut largest, mut sum) = (0.0f64, 0.0);
    for &(row, scale) in rows {
        let value = scale * values[row as usize].abs();
        largest = if value > largest { value } else { largest };
        sum += value;
    }
    // A maximum drops NaN; a sum does not.
    if sum.is_finite() {
        largest
    } else {
        f64::INFINITY
    }
}
