//! The film: the states that time went through, one a frame, as far back as there is room for.
//!
//! A frame is a state to the last bit, so going back to it and on again gives the same motion. Frames between two
//! edits share one copy of the world, which says what their numbers belong to: a reel.

use std::collections::VecDeque;
use std::sync::Arc;

use linkwork::prelude::*;
use linkwork::step::Event;
use linkwork::world::{BodyRecord, ConstraintRecord, State, Touching};

use super::rewind::Leaving;
use crate::parameter::Start;

/// What all frames together may take, bytes.
const ROOM: usize = 32 << 20;
/// What a body, a joint or a behavior of a reel counts, bytes: about what it takes, and the same on every machine.
const RECORD: usize = 256;

/// States that time went through.
#[derive(Debug)]
pub(super) struct Film {
    /// The world as it was when time left its start; none if it never did.
    pub(super) start: Option<Box<World>>,
    /// Where bodies started, if their entries say so.
    pub(super) begun: Option<Start>,
    reels: VecDeque<Reel>,
    bytes: usize,
    room: usize,
    /// Where bodies were put that have been added since time left, and how they moved.
    pub(super) added: Vec<(BodyId, Vec<f64>, Vec<f64>)>,
    /// Joints that broke since, and when.
    pub(super) broken: Vec<(f64, ConstraintId)>,
}

/// Frames whose numbers belong to the same things.
#[derive(Debug)]
struct Reel {
    world: World,
    frames: VecDeque<State>,
}

impl Default for Film {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

impl Film {
    fn with_room(room: usize) -> Self {
        Self {
            start: None,
            begun: None,
            reels: VecDeque::new(),
            bytes: 0,
            room,
            added: Vec::new(),
            broken: Vec::new(),
        }
    }

    /// When time left its start.
    pub(super) fn left_at(&self) -> Option<f64> {
        self.start.as_ref().map(|world| world.state().t)
    }

    /// Times of the first frame and of the last.
    pub(super) fn reach(&self) -> Option<[f64; 2]> {
        let first = self.reels.front()?.frames.front()?;
        let last = self.reels.back()?.frames.back()?;
        Some([first.t, last.t])
    }

    /// The last frame that is not later, and the world it belongs to.
    pub(super) fn at(&self, time: f64) -> Option<(&World, &State)> {
        let begins = |reel: &&Reel| reel.frames.front().is_some_and(|first| first.t <= time);
        let reel = self.reels.iter().rev().find(begins)?;
        let after = reel.frames.partition_point(|frame| frame.t <= time);
        Some((&reel.world, reel.frames.get(after.checked_sub(1)?)?))
    }

    /// Frames from one time to another with the worlds they belong to, in order.
    pub(super) fn between(
        &self,
        from: f64,
        until: f64,
    ) -> impl Iterator<Item = (&World, &State)> + '_ {
        let all = self.reels.iter();
        let all = all.flat_map(|reel| reel.frames.iter().map(|frame| (&reel.world, frame)));
        all.filter(move |(_, frame)| from <= frame.t && frame.t <= until)
    }

    /// Keeps the present, in place of what was kept of this time. A frame that has later ones stays as it is.
    pub(super) fn note(&mut self, world: &World) {
        let now = world.state().t;
        match self.reach() {
            Some([_, last]) if last > now => return,
            Some([_, last]) if last == now => self.pop_last(),
            _ => {}
        }
        self.push(world, world.state().clone());
    }

    /// Time has passed from `before` on: what was kept of later times is another story, and this comes after.
    pub(super) fn go_on(&mut self, before: f64, taken: Self, events: &[(f64, Event)]) {
        self.drop_after(before);
        for mut reel in taken.reels {
            while let Some(frame) = reel.frames.pop_front() {
                self.push(&reel.world, frame);
            }
        }
        for (time, event) in events {
            if let Event::Broke { constraint, .. } = event {
                self.broken.push((*time, *constraint));
            }
        }
    }

    /// Forgets what is later.
    pub(super) fn drop_after(&mut self, time: f64) {
        while self.reach().is_some_and(|[_, last]| last > time) {
            self.pop_last();
        }
        self.broken.retain(|(broke, _)| *broke <= time);
    }

    /// Time leaves its start now.
    pub(super) fn leave(&mut self, leaving: Leaving) {
        (self.start, self.begun) = (Some(leaving.world), leaving.begun);
        self.added.clear();
        self.broken.clear();
    }

    /// Remembers where new bodies are.
    pub(super) fn note_bodies(&mut self, world: &World) {
        let Some(start) = &self.start else { return };
        for record in world.bodies() {
            let id = record.id();
            let is_known = self.added.iter().any(|own| own.0 == id);
            if !is_known && start.body_record(id).is_err() {
                let state = world.state();
                let q = state.q[record.q_range()].to_vec();
                self.added.push((id, q, state.v[record.v_range()].to_vec()));
            }
        }
    }

    fn push(&mut self, world: &World, frame: State) {
        let last = self.reels.back();
        if !last.is_some_and(|reel| is_alike(&reel.world, world)) {
            self.bytes += bytes_of_world(world);
            self.reels.push_back(Reel {
                world: world.clone(),
                frames: VecDeque::new(),
            });
        }
        if let Some(reel) = self.reels.back_mut() {
            self.bytes += bytes_of(&frame);
            reel.frames.push_back(frame);
        }
        // The newest is kept, however large it is.
        while self.bytes > self.room
            && self.reach().is_some_and(|[first, last]| first < last)
            && let Some(reel) = self.reels.front_mut()
        {
            self.bytes -= reel.frames.pop_front().map_or(0, |frame| bytes_of(&frame));
            if reel.frames.is_empty() {
                self.bytes -= bytes_of_world(&reel.world);
                self.reels.pop_front();
            }
        }
    }

    fn pop_last(&mut self) {
        let Some(reel) = self.reels.back_mut() else {
            return;
        };
        self.bytes -= reel.frames.pop_back().map_or(0, |frame| bytes_of(&frame));
        if reel.frames.is_empty() {
            self.bytes -= bytes_of_world(&reel.world);
            self.reels.pop_back();
        }
    }
}

/// Eight bytes a number, on every machine: a replay forgets what the session did.
fn bytes_of(frame: &State) -> usize {
    let turns = frame.turns.joints.len() + frame.turns.springs.len();
    let numbers = frame.q.len() + frame.v.len() + 2 * frame.lambda.len() + turns;
    8 * (numbers + 16) + frame.touching.len() * size_of::<Touching>()
}

fn bytes_of_world(world: &World) -> usize {
    let records = world.bodies().len() + world.constraints().len() + world.behaviors().len();
    RECORD * (records + 1) + bytes_of(world.state())
}

/// Whether the numbers of both states belong to the same things. What laws say may differ, but not which joints are
/// still closing.
fn is_alike(one: &World, other: &World) -> bool {
    let body = |own: &BodyRecord| {
        let solid = own.colliders().iter().filter(|own| !own.is_sensor).count();
        (own.id(), own.q_range(), own.v_range(), own.enabled(), solid)
    };
    let joint = |own: &ConstraintRecord| (own.id(), own.row_range(), own.angle_range());
    let closing = |one: &ConstraintRecord, other: &ConstraintRecord| {
        let (one, other) = (one.shared_constraint(), other.shared_constraint());
        let closes = one.as_closing().is_some() || other.as_closing().is_some();
        !closes || Arc::ptr_eq(&one, &other)
    };
    let solid = |world: &World| world.colliders(GROUND).map_or(0, <[_]>::len);
    let joints = || one.constraints().iter().zip(other.constraints());
    one.bodies().len() == other.bodies().len()
        && one.constraints().len() == other.constraints().len()
        && one.behaviors().len() == other.behaviors().len()
        && solid(one) == solid(other)
        && one
            .bodies()
            .iter()
            .map(body)
            .eq(other.bodies().iter().map(body))
        && joints().all(|(one, other)| joint(one) == joint(other) && closing(one, other))
        && one
            .behaviors()
            .iter()
            .zip(other.behaviors())
            .all(|(one, other)| (one.id(), one.angle_range()) == (other.id(), other.angle_range()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_frames_go_when_there_is_no_room_for_more() {
        let mut world = crate::library::open("four-bar").unwrap().world;
        let one = bytes_of(world.state());
        let mut film = Film::with_room(bytes_of_world(&world) + 10 * one);
        for k in 0..25 {
            world.set_time(f64::from(k)).unwrap();
            film.note(&world);
            assert!(film.bytes <= film.room);
        }
        assert_eq!(film.reach(), Some([15.0, 24.0]));
        assert!(film.at(14.9).is_none());
        assert_eq!(film.at(17.5).unwrap().1.t, 17.0);
        assert_eq!(film.at(99.0).unwrap().1.t, 24.0);
        assert_eq!(film.between(16.0, 18.5).count(), 3);
        // Of the same time only the last is kept.
        film.note(&world);
        assert_eq!(film.between(0.0, 99.0).count(), 10);
        film.drop_after(20.0);
        assert_eq!(film.reach(), Some([15.0, 20.0]));
        film.drop_after(0.0);
        assert_eq!((film.reach(), film.bytes), (None, 0));
    }

    #[test]
    fn a_frame_that_is_larger_than_the_room_is_kept_alone() {
        let mut world = crate::library::open("four-bar").unwrap().world;
        let mut film = Film::with_room(1);
        for k in 0..3 {
            world.set_time(f64::from(k)).unwrap();
            film.note(&world);
        }
        assert_eq!(film.reach(), Some([2.0, 2.0]));
    }
}
