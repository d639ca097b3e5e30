//! The numbers of a factor, which may be the same at another state if nothing rotates.

use crate::linalg::is_same;
use crate::system::System;

/// The factored numbers, kept if they may be the same at another state.
#[derive(Debug, Default)]
pub(crate) struct Factored {
    mass: Vec<f64>,
    /// J and the directions of forces; C and the scales of rows.
    jacobian: Vec<f64>,
    push: Vec<f64>,
    compliance: Vec<f64>,
    row_scale: Vec<f64>,
    /// Damping of lower priorities, which is not in M and J.
    pub(crate) damping: f64,
    is_any: bool,
}

impl Factored {
    /// Keeps the numbers of a system. If bodies rotate, numbers differ between states and are not kept.
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

    /// Whether a system has these numbers, to the last bit. The damping of lower priorities is not compared.
    pub(crate) fn is_of(&self, system: &System) -> bool {
        self.is_any
            && is_same(&self.compliance, &system.compliance)
            && is_same(&self.jacobian, &system.jacobian)
            && is_same(&self.mass, &system.mass)
            && is_same(&self.push, &system.push)
            && is_same(&self.row_scale, &system.row_scale)
    }
}
