//! Tunneling: which bodies pass through each other between two states.
//!
//! Candidates for contact are found at the start of a step (`contacts`). A body that moves by more than its
//! thickness can meet others on its way, or be on their far side at the end. Such a step is cut short at the
//! first contact (`collide/sweep.rs`), and the next step starts there with new candidates. For slow bodies this
//! costs a comparison of two poses.

use super::contacts::{ColliderAt, Contacts, may_meet};
use super::layout::Layout;
use super::touch::{MOST_V, now, place};
use super::turning::turn_at;
use crate::collide::{Aabb, Place, Shape, Way, bounds};
use crate::math::{Vec3, add, dot, norm, quat_conjugate, quat_log, quat_mul, scale, sub, unit};
use crate::system::tolerances::{MANY, SLOW};
use crate::topology::NONE;
use crate::world::{State, World};

impl Contacts {
    /// The fraction of the motion from one state to another, `h` seconds later, after which something passes
    /// through something. Contacts were found at the first state.
    pub(crate) fn find_passing(
        &mut self,
        world: &World,
        layout: &Layout,
        (from, to): (&State, &State),
        h: f64,
    ) -> Option<f64> {
        if !self.is_any_fast(world, layout, to, h) {
            return None;
        }
        self.ways.clear();
        self.boxes.clear();
        for collider in &layout.colliders {
            // Nodes are candidates wherever they can come within the step.
            if collider.is_soft() {
                self.boxes
                    .push(bounds(&Shape::Sphere { radius: 0.0 }, &Place::at([0.0; 3])));
                self.ways.push(Way::still());
                continue;
            }
            let around = |state: &State| {
                let (shape, place) = now((world, state), collider);
                bounds(&shape, &place)
            };
            let before = around(from);
            let way = way(world, collider, (from, to), h, &before);
            let mut swept = before;
            if !before.is_endless() {
                swept.include(&around(to));
                // The path of a rotating body deviates from a straight line by at most R·(1 − cos φ/2).
                let half = 0.5 * norm(way.turns);
                let bends = way.radius * (0.5 * half * half).min(2.0);
                swept = swept.grown(bends);
            }
            self.boxes.push(swept);
            self.ways.push(way);
        }
        self.overlaps.clear();
        self.broad.pairs(&self.boxes, &mut self.overlaps);
        let mut first: Option<f64> = None;
        for &[a, b] in &self.overlaps {
            let [own, other] = [a, b].map(|at| &layout.colliders[at as usize]);
            let ways = [a, b].map(|at| &self.ways[at as usize]);
            // Everything that can touch a plane is a candidate at any distance.
            let thick = own.thick.max(other.thick);
            let is_fast = ways[0].against(ways[1]) > 2.0 * SLOW * thick;
            if !is_fast || !may_meet(world, layout, own, other) {
                continue;
            }
            let shapes = [own, other].map(|at| now((world, from), at).0);
            let found =
                self.finder
                    .find_passing((&shapes[0], ways[0]), (&shapes[1], ways[1]), thick);
            if let Some(s) = found {
                first = Some(first.map_or(s, |first| first.min(s)));
            }
        }
        first
    }

    /// Whether anything moves far compared with its thickness.
    fn is_any_fast(&self, world: &World, layout: &Layout, to: &State, h: f64) -> bool {
        let mut all = layout.colliders.iter().enumerate();
        all.any(|(k, collider)| {
            if collider.record == NONE || collider.is_soft() {
                return false;
            }
            let slow = SLOW * collider.thick;
            let is_moved = world.bodies()[collider.record as usize]
                .v_range()
                .is_empty();
            // After two full turns a quaternion is the same.
            let spins = !is_moved && h * self.speeds[k] > MANY * collider.thick;
            let (before, now) = (&self.places[k], place((world, to), collider).1);
            let half: Vec3 = [0, 1, 2].map(|i| self.boxes[k].high[i] - self.boxes[k].low[i]);
            // |q − q₀| = 2·sin φ/4 ≥ φ/π·√2/2: an angle of at most 4.5 of it.
            let turned = [0, 1, 2, 3].map(|i| now.rotation[i] - before.rotation[i]);
            let angle = 4.5 * turned.iter().map(|x| x * x).sum::<f64>().sqrt();
            let moves = norm(sub(now.position, before.position));
            spins || moves + angle * norm(half) > slow
        })
    }
}

/// The motion of a collider from one state to another.
fn way(
    world: &World,
    collider: &ColliderAt,
    (from, to): (&State, &State),
    h: f64,
    around: &Aabb,
) -> Way {
    let (start, own) = place((world, from), collider);
    let (end, _) = place((world, to), collider);
    let center = |state: &State, otherwise: Vec3| match collider.record {
        NONE => otherwise,
        record => {
            let record = &world.bodies()[record as usize];
            match record.v_range().is_empty() {
                true => otherwise,
                false => record.body.center_of_mass(&state.q[record.q_range()]).1,
            }
        }
    };
    let at = center(from, start.position);
    let moves = sub(center(to, end.position), at);
    let turned = quat_log(quat_mul(end.rotation, quat_conjugate(start.rotation)));
    let (_, spin, _) = turn_at((world, from), collider, &mut [0.0; 6 * MOST_V]);
    let turns = with_full_turns(turned, scale(h, spin));
    let reach = |k: usize| {
        let [low, high] = [around.low[k] - at[k], around.high[k] - at[k]];
        low.abs().max(high.abs())
    };
    let reach = [0, 1, 2].map(reach);
    Way {
        center: at,
        arm: sub(own.position, at),
        rotation: own.rotation,
        moves,
        turns,
        radius: if around.is_endless() {
            0.0
        } else {
            norm(reach)
        },
    }
}

/// Of the rotation vectors of a rotation, which differ by full turns, the one nearest to an expected one.
fn with_full_turns(turned: Vec3, expected: Vec3) -> Vec3 {
    let Some(axis) = unit(turned) else {
        return turned;
    };
    let turn = std::f64::consts::TAU;
    let missing = (dot(axis, sub(expected, turned)) / turn).round();
    add(turned, scale(missing * turn, axis))
}
