//! A fingerprint of a state: equal bits give equal numbers, on every machine.

use crate::world::{State, World};

impl State {
    /// A 64-bit hash of every bit of the state; a part counts only where it is present.
    ///
    /// Two zeros of different sign are different bits. Not cryptographic: for telling whether two
    /// runs are the same.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash(self.hash_parts(!self.unfinished.is_empty()));
        if self.turns.any() {
            let counts = self.turns.joints.iter().chain(&self.turns.springs);
            counts.for_each(|&count| hash.add(count));
        }
        for own in &self.touching {
            own.key.iter().for_each(|&part| hash.mix(part.into()));
            let numbers = [own.point_world, own.normal_world, own.force_world];
            numbers.as_flattened().iter().for_each(|&x| hash.add(x));
            if own.moment_world != [0.0; 3] {
                own.moment_world.iter().for_each(|&x| hash.add(x));
            }
        }
        hash.0
    }

    /// The hash that logs of version 0.1 have: it mixes in every part that was known then, also those
    /// that are absent.
    pub fn hash_0_1(&self) -> u64 {
        self.hash_parts(true)
    }

    fn hash_parts(&self, with_unfinished: bool) -> u64 {
        let mut hash = Hash::default();
        hash.add(self.t);
        hash.add(self.substep);
        for part in [&self.q, &self.v, &self.lambda] {
            hash.mix(part.len() as u64);
            part.iter().for_each(|&value| hash.add(value));
        }
        if with_unfinished {
            // As many zeros as rows, if nothing is unfinished.
            let n_rows = self.lambda.len();
            let nothing =
                std::iter::repeat_n(&0.0, n_rows - self.unfinished.rows().len().min(n_rows));
            hash.mix(n_rows as u64);
            let rows = self.unfinished.rows().iter().chain(nothing);
            rows.for_each(|&value| hash.add(value));
        }
        if !self.unfinished.held().is_empty() {
            hash.mix(HELD);
        }
        hash.0
    }
}

impl World {
    /// [`State::hash`] of the present state.
    pub fn state_hash(&self) -> u64 {
        self.state().hash()
    }
}

/// Tells rows that priority 0 holds from a direction.
const HELD: u64 = 1;

/// Multiply and fold, as in the family of FNV, on whole words.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, value: f64) {
        self.mix(value.to_bits());
    }

    fn mix(&mut self, word: u64) {
        let x = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
}

#[cfg(test)]
mod tests {
    use crate::connector::Turns;
    use crate::world::{State, Touching, Unfinished};

    #[test]
    fn any_bit_changes_it() {
        let state = State {
            t: 1.0,
            q: vec![0.5, -2.0],
            v: vec![0.0],
            lambda: vec![],
            unfinished: Unfinished::default(),
            turns: Turns::default(),
            touching: vec![],
            substep: 0.0,
        };
        let changes: [fn(&mut State); 10] = [
            |state| state.t = 1.0f64.next_up(),
            |state| state.q.swap(0, 1),
            |state| state.v[0] = -0.0,
            |state| state.lambda.push(0.0),
            |state| state.unfinished = Unfinished::along(vec![1.0]),
            |state| state.unfinished = Unfinished::holding(vec![1.0]),
            |state| state.turns.joints.push(1.0),
            |state| {
                let at = [0.0; 3];
                state.touching.push(Touching::new([0, 1, 2], at, at, at));
            },
            |state| {
                let at = [0.0; 3];
                let own = Touching::new([0, 1, 2], at, at, at).with_moment([0.0, 1.0, 0.0]);
                state.touching.push(own);
            },
            |state| state.q[0] = 0.5f64.next_down(),
        ];
        let mut seen = vec![state.hash()];
        for change in changes {
            let mut other = state.clone();
            change(&mut other);
            assert!(!seen.contains(&other.hash()));
            seen.push(other.hash());
        }
        assert_eq!(state.hash(), state.clone().hash());
    }
}
