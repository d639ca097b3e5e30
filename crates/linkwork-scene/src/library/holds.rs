//! What must hold of a scene while it runs.

use serde::Serialize;

/// What must hold of a scene while it runs, besides that it is finite and its joints are closed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// Energy: of what is exchanged (the largest change of kinetic energy), at most 0.5 % more than
    /// at the start and 10 % less.
    Energy,
    /// Energy never grows: something takes it away.
    Loss,
    /// Energy grows by the work of the motor and by nothing else: within 0.5 % of what is exchanged.
    Work,
    /// Momentum, linear and angular, and energy: nothing outside acts.
    Momentum,
    /// Everything is driven, and is where it was after so many seconds.
    Period(f64),
    /// What is driven repeats itself after so many seconds, and dampers make the rest follow.
    Settles(f64),
    /// The spin about the middle axis turns over every so many seconds; momentum holds.
    Flips(f64),
    /// Nothing moves.
    Rest,
    /// Joints are open at the start; assembly closes them all.
    Assembles,
    /// Things touch and are driven: what the mechanism must do has a test of its own.
    Runs,
    /// Bindings of lower priorities cannot all hold; assembly closes the rest, and all of priority 0.
    GivesWay,
}
