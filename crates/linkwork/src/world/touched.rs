//! Contacts of the last step belong to the poses of that time and to the numbers of the colliders. Moving a
//! body discards its contacts; editing colliders renumbers the others.

use super::{BodyId, Collider, GROUND, State, Touching, World};

/// Number of colliders without sensors.
fn n_solid(colliders: &[Collider]) -> usize {
    colliders.iter().filter(|own| !own.is_sensor).count()
}

impl World {
    /// The two bodies of a contact; the force is on the second. `None` if its key belongs to no colliders.
    pub fn touching_bodies(&self, touching: &Touching) -> Option<[BodyId; 2]> {
        let body = |collider: u32| {
            let mut at = collider as usize;
            let mut is_of = |n: usize| {
                let is_of = at < n;
                at = at.saturating_sub(n);
                is_of
            };
            if is_of(n_solid(&self.ground_colliders)) {
                return Some(GROUND);
            }
            let mut bodies = self.bodies.iter().filter(|record| record.enabled);
            let own = bodies.find(|record| is_of(n_solid(&record.colliders)));
            own.map(|record| record.id)
        };
        Some([body(touching.key[0])?, body(touching.key[1])?])
    }

    /// Discards the contacts of a body that was moved.
    pub(super) fn forget_touching(&mut self, body: BodyId) {
        let mut touching = std::mem::take(&mut self.state.touching);
        touching.retain(|own| !is_of(self.touching_bodies(own), body));
        self.state.touching = touching;
    }

    /// Keeps only contacts of bodies that did not move between two states.
    pub(crate) fn keep_unmoved_touching(&self, from: &State, state: &mut State) {
        let mut touching = std::mem::take(&mut state.touching);
        let stays = |body: BodyId| {
            let Ok(record) = self.body_record(body) else {
                return body == GROUND;
            };
            let pose = |of: &State| record.body.pose(of.t, &of.q[record.q_range()]);
            pose(from) == pose(state)
        };
        touching.retain(|own| match self.touching_bodies(own) {
            Some([a, b]) => stays(a) && stays(b),
            None => false,
        });
        state.touching = touching;
    }

    /// Edits colliders of a body: discards its contacts, and renumbers those of later colliders.
    pub(super) fn recount_touching<T>(
        &mut self,
        body: BodyId,
        edit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.state.touching.is_empty() {
            return edit(self);
        }
        let (first, before) = self.solids_of(body);
        let out = edit(self);
        let (_, after) = self.solids_of(body);
        let renumber = |key: &mut u32| {
            let at = *key as usize;
            if at >= first + before {
                *key = (at + after - before) as u32;
            }
            at < first || at >= first + before
        };
        self.state.touching.retain_mut(|own| {
            let [a, b, _] = &mut own.key;
            renumber(a) && renumber(b)
        });
        out
    }

    /// The number of a body's first collider, and how many it has without sensors.
    fn solids_of(&self, body: BodyId) -> (usize, usize) {
        let ground = n_solid(&self.ground_colliders);
        if body == GROUND {
            return (0, ground);
        }
        let (mut first, mut own) = (ground, 0);
        for record in self.bodies.iter().filter(|record| record.enabled) {
            let n = n_solid(&record.colliders);
            if record.id < body {
                first += n;
            } else if record.id == body {
                own = n;
            }
        }
        (first, own)
    }
}

fn is_of(bodies: Option<[BodyId; 2]>, body: BodyId) -> bool {
    bodies.is_none_or(|bodies| bodies.contains(&body))
}
