//! The state: all that changes while time passes.

/// Time, coordinates, velocities and the last multipliers of a world.
///
/// Bodies and constraints follow each other in the order of their ids.
#[derive(Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Position coordinates, `n_q`.
    pub q: Vec<f64>,
    /// Velocity coordinates, `n_v`.
    pub v: Vec<f64>,
    /// Multipliers of the last solve or the last step, `n_rows`: forces and torques, and the warm
    /// start of the iterative methods.
    pub lambda: Vec<f64>,
    /// The sub-step that suited the last step, seconds; zero when that is not known.
    pub substep: f64,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut state = Self::default();
        state.clone_from(self);
        state
    }

    /// Keeps its memory where the lengths are equal; a derived one would allocate anew.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            t,
            q,
            v,
            lambda,
            substep,
        } = source;
        (self.t, self.substep) = (*t, *substep);
        self.q.clone_from(q);
        self.v.clone_from(v);
        self.lambda.clone_from(lambda);
    }
}
