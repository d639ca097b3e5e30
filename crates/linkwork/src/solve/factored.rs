//! The numbers of which a factor was made: where nothing rotates, they may be the same at another place.

use crate::linalg::is_same;
use crate::system::System;

/// The numbers that were factored, kept where they may be the same at another place.
#[derive(Debug, Default)]
pub(crate) struct Factored {
    mass: Vec<f64>,
    /// J, and the directions of forces; C, and what scales rows.
    jacobian: Vec<f64>,
    push: Vec<f64>,
    compliance: Vec<f64>,
    row_scale: Vec<f64>,
    /// How much lower priorities are damped, which is no part of M and J.
    pub(crate) damping: f64,
    is_any: bool,
}

impl Factored {
    /// Keeps the numbers of a system. Where bodies turn they differ from place to place, and none are kept.
    pub(crate) fn keep(&mut self, system: &System) {
        self.is_any = system.may_be_constant();
        if self.is_any {
            self.mass.clone_from(&system.mass);
            self.jacobian.clone_from(&system.jacobian);
            self.push.clone_from(&system.push);
            self.compliance.clone_from(&system.compliance);
            self.row_scale.clone_from(&system.row_scale);
            self.damping = system.lower_damping;
        }
    }

    /// Whether a system has these numbers, to the last bit. How much lower priorities are damped is no part of M and J.
    pub(crate) fn is_of(&self, system: &System) -> bool {
        self.is_any
            && is_same(&self.compliance, &system.compliance)
            && is_same(&self.jacobian, &system.jacobian)
            && is_same(&self.mass, &system.mass)
            && is_same(&self.push, &system.push)
            && is_same(&self.row_scale, &system.row_scale)
    }
}
