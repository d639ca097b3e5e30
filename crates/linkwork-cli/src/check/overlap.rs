//! Bodies that are in each other before the first step.

use linkwork::prelude::*;
use linkwork::world::Overlap;
use serde::Serialize;

use super::warnings::Warning;
use crate::closing::ROUNDING;
use crate::numbers::{escaped, short};

/// Two bodies that are in each other.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Pair {
    bodies: [String; 2],
    /// How far, m.
    depth: f64,
}

/// Who is in whom.
#[derive(Debug)]
pub(crate) struct Overlaps {
    /// What contacts push apart.
    pushed: Vec<Pair>,
    /// What never collides, because of its groups.
    pub(crate) apart: Vec<Pair>,
}

impl Overlaps {
    pub(crate) fn of(world: &World) -> Self {
        let name = |id| world.body_label(id).unwrap_or("ground").to_owned();
        let pair = |own: &Overlap| Pair {
            bodies: own.bodies.map(name),
            depth: own.depth,
        };
        let all = world.overlaps();
        let pairs = |collide| {
            let own = all.iter().filter(move |own| own.collide == collide);
            own.filter(|own| own.depth > ROUNDING).map(pair).collect()
        };
        Self {
            pushed: pairs(true),
            apart: pairs(false),
        }
    }

    /// What contacts push apart: what a run says too.
    pub(crate) fn warning(&self) -> Option<Warning> {
        let pushed = &self.pushed;
        let names = pushed.iter().flat_map(|own| own.bodies.clone()).collect();
        (!pushed.is_empty()).then(|| Warning {
            kind: "overlap",
            names,
            text: format!(
                "{}; contacts push them apart at once",
                in_each_other(pushed)
            ),
            hint: "move one of them; or let one be \"not_with\" the other, and they never collide"
                .into(),
        })
    }
}

/// Pairs that never collide.
pub(crate) fn never_collide(apart: &[Pair]) -> String {
    format!(
        "{}; their groups keep them from colliding",
        in_each_other(apart)
    )
}

fn in_each_other(pairs: &[Pair]) -> String {
    const SHOWN: usize = 6;
    let each = |own: &Pair| {
        let [a, b] = &own.bodies;
        format!(
            "\"{}\" and \"{}\" by {} m",
            escaped(a),
            escaped(b),
            short(own.depth)
        )
    };
    let shown: Vec<String> = pairs.iter().take(SHOWN).map(each).collect();
    let more = match pairs.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more pairs"),
    };
    format!("bodies overlap at the start: {}{more}", shown.join(", "))
}
