//! Quantities: what is worked out of others.

use super::is_default;
use crate::read::record::record;

record! {
    /// A number, point or direction that is worked out of others by a formula. Joints, springs, hands, traces and
    /// other formulas take it by its name, as they take a connector.
    #[derive(Default)]
    pub struct QuantityEntry {
        /// Its name.
        pub name: String,
        /// The formula, such as "(crank.tip + 'bar 2'.tip)/2": a number, or a vector, which is a point.
        pub is: String,
        /// Whether a vector in space is a direction: it is brought to the length one.
        #[serde(default, skip_serializing_if = "is_default")]
        pub direction: bool,
        /// Whether it acts; what hangs on a quantity that rests, rests with it.
        pub enabled: Option<bool>,
    }
}
