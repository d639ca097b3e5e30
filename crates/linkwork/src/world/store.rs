//! The records of one kind, in the order of their ids, found by id or label, each with its slices of the state.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::{State, WorldTag};
use crate::connector::{Connector, ConnectorKind};
use crate::error::Error;
use crate::id::Id;

/// Where the four kinds (bodies, constraints, behaviors, blocks) differ.
pub(super) trait Record: Clone {
    type Id: Id;

    /// A label that no record may have.
    const RESERVED_LABEL: Option<&'static str> = None;

    fn id(&self) -> Self::Id;

    fn label(&self) -> &Arc<str>;

    fn set_label(&mut self, label: Arc<str>);

    fn connectors(&self) -> &[Connector] {
        &[]
    }

    /// The kinds of connector it takes.
    fn kinds(&self) -> &[ConnectorKind] {
        &[]
    }

    fn set_enabled(&mut self, enabled: bool);

    /// The lists of the state in which it has a slice, and the initial value of each.
    fn lists(state: &mut State) -> Lists<'_>;

    /// The lengths of its slices.
    fn lengths(&self) -> [usize; LISTS] {
        [0; LISTS]
    }

    /// Where its slices begin.
    fn starts(&self) -> [usize; LISTS] {
        [0; LISTS]
    }

    /// Notes where its slices begin.
    fn place(&mut self, _starts: [usize; LISTS]) {}
}

/// Largest number of lists in which a record has a slice.
pub(super) const LISTS: usize = 3;

/// Lists of the state, each with what an empty slice of it holds.
pub(super) type Lists<'a> = [Option<(&'a mut Vec<f64>, f64)>; LISTS];

/// The numbers of a record's slices.
pub(super) type Slices = [Vec<f64>; LISTS];

/// A record that was removed, with its slice of the state.
pub(super) type Taken<R> = (R, Slices);

/// The records of one kind. It reads as the slice of them. Copies share them until one of them is edited.
#[derive(Clone, Debug)]
pub(super) struct Store<R> {
    tag: WorldTag,
    records: Arc<Vec<R>>,
    /// Numbers of ids, by label.
    numbers: Arc<BTreeMap<Arc<str>, u64>>,
    next_number: u64,
}

impl<R> Deref for Store<R> {
    type Target = [R];

    fn deref(&self) -> &[R] {
        &self.records
    }
}

impl<R: Clone> DerefMut for Store<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        Arc::<Vec<R>>::make_mut(&mut self.records)
    }
}

impl<R: Record> Store<R> {
    pub(super) fn new(tag: WorldTag) -> Self {
        Self {
            tag,
            records: Arc::default(),
            numbers: Arc::default(),
            next_number: 1,
        }
    }

    /// The id with this label.
    pub(super) fn find(&self, label: &str) -> Option<R::Id> {
        let number = self.numbers.get(label)?;
        Some(R::Id::new(*number, self.tag))
    }

    /// Position of the record with this id.
    pub(super) fn position(&self, id: R::Id) -> Option<usize> {
        if id.world() != self.tag {
            return None;
        }
        let number = |record: &R| record.id().number();
        // Numbers begin at one, and most worlds have few gaps.
        let guess = (id.number() as usize).wrapping_sub(1);
        match self.records.get(guess) {
            Some(record) if number(record) == id.number() => Some(guess),
            _ => self.records.binary_search_by_key(&id.number(), number).ok(),
        }
    }

    /// Position of the record with this id, or an error.
    pub(super) fn index(&self, id: R::Id) -> Result<usize, Error> {
        self.position(id)
            .ok_or_else(|| id.unknown(self.tag, self.next_number))
    }

    pub(super) fn get(&self, id: R::Id) -> Result<&R, Error> {
        Ok(&self.records[self.index(id)?])
    }

    pub(super) fn get_mut(&mut self, id: R::Id) -> Result<&mut R, Error> {
        let index = self.index(id)?;
        Ok(&mut self[index])
    }

    /// The id of the next record that is added.
    pub(super) fn next_id(&self) -> R::Id {
        R::Id::new(self.next_number, self.tag)
    }

    /// Ids given out by `later` are not used again.
    pub(super) fn skip_numbers_of(&mut self, later: &Self) {
        self.next_number = self.next_number.max(later.next_number);
    }

    /// Refuses a label that a new record may not have.
    pub(super) fn check_label(&self, label: &str) -> Result<(), Error> {
        let item = R::Id::ITEM;
        if label.is_empty() {
            let problem = Error::field("label", "is empty; name it");
            return Err(problem.of(item, label));
        }
        if R::RESERVED_LABEL == Some(label) || self.numbers.contains_key(label) {
            let label = label.to_owned();
            return Err(Error::DuplicateLabel { item, label });
        }
        Ok(())
    }

    /// Gives a record another label.
    pub(super) fn set_label(&mut self, id: R::Id, label: &str) -> Result<(), Error> {
        let index = self.index(id)?;
        self.check_label(label)?;
        let numbers = Arc::make_mut(&mut self.numbers);
        numbers.remove(self.records[index].label());
        let label: Arc<str> = label.into();
        numbers.insert(label.clone(), id.number());
        self[index].set_label(label);
        Ok(())
    }

    /// Refuses to restore removed records that no longer fit.
    pub(super) fn check_restorable(&self, taken: &[Taken<R>]) -> Result<(), Error> {
        for (record, _) in taken {
            if record.id().world() != self.tag {
                return Err(record.id().unknown(self.tag, self.next_number));
            }
            self.check_label(record.label())?;
        }
        Ok(())
    }

    /// Adds a record with the id [`Store::next_id`] gave.
    pub(super) fn add(&mut self, record: R, slices: Slices, state: &mut State) -> R::Id {
        let id = record.id();
        self.put_back((record, slices), state);
        self.next_number += 1;
        id
    }

    /// Removes the record at `index`, and its slice of the state.
    pub(super) fn take(&mut self, index: usize, state: &mut State) -> Taken<R> {
        let lengths = self.records[index].lengths();
        let starts = self.starts(index);
        let record = Arc::make_mut(&mut self.records).remove(index);
        Arc::make_mut(&mut self.numbers).remove(record.label());
        let mut slices = Slices::default();
        for (k, list) in R::lists(state).into_iter().enumerate() {
            if let Some((list, _)) = list {
                slices[k] = list.drain(starts[k]..starts[k] + lengths[k]).collect();
            }
        }
        self.place_from(index, starts);
        (record, slices)
    }

    /// Removes all records that have such a connector, the last first.
    pub(super) fn take_where(
        &mut self,
        is_taken: impl Fn(&Connector) -> bool,
        state: &mut State,
    ) -> Vec<Taken<R>> {
        let mut taken = Vec::new();
        for index in (0..self.records.len()).rev() {
            if self.records[index].connectors().iter().any(&is_taken) {
                taken.push(self.take(index, state));
            }
        }
        taken
    }

    /// Restores a record at the place of its id, with its slices of the state.
    pub(super) fn put_back(&mut self, (record, slices): Taken<R>, state: &mut State) {
        let number = record.id().number();
        let index = self
            .records
            .partition_point(|other| other.id().number() < number);
        let (starts, lengths) = (self.starts(index), record.lengths());
        for (k, list) in R::lists(state).into_iter().enumerate() {
            if let Some((list, empty)) = list {
                // The list may have been absent when the record was removed.
                let empty = std::iter::repeat(empty);
                let slice = slices[k].iter().copied().chain(empty).take(lengths[k]);
                list.splice(starts[k]..starts[k], slice);
            }
        }
        Arc::make_mut(&mut self.numbers).insert(record.label().clone(), number);
        Arc::make_mut(&mut self.records).insert(index, record);
        self.place_from(index, starts);
    }

    /// Gives the record at `index` empty slices of its present lengths.
    pub(super) fn clear_slices(&mut self, index: usize, old: [usize; LISTS], state: &mut State) {
        let starts = self.starts(index);
        let new = self.records[index].lengths();
        for (k, list) in R::lists(state).into_iter().enumerate() {
            if let Some((list, empty)) = list {
                let empty = std::iter::repeat_n(empty, new[k]);
                list.splice(starts[k]..starts[k] + old[k], empty);
            }
        }
        self.place_from(index, starts);
    }

    /// Where the slices of a record at `index` begin.
    fn starts(&self, index: usize) -> [usize; LISTS] {
        let before = self.records[..index].last();
        before.map_or([0; LISTS], |before| sum(before.starts(), before.lengths()))
    }

    /// Notes where slices begin, from the record at `index` on.
    fn place_from(&mut self, index: usize, mut starts: [usize; LISTS]) {
        for record in &mut self[index..] {
            record.place(starts);
            starts = sum(starts, record.lengths());
        }
    }
}

fn sum(a: [usize; LISTS], b: [usize; LISTS]) -> [usize; LISTS] {
    std::array::from_fn(|k| a[k] + b[k])
}
