//! Slots: one per connector, shared by everyone who names the same site of the same body.

use super::compile::Builder;
use super::layout::{Layout, Slot, SpaceSource};
use crate::connector::{ConnectorKind, Site};
use crate::topology::NONE;

/// Finds slots by body and site. Slots are numbered as they come; the table is never walked, so
/// their order does not depend on it.
pub(super) struct SlotTable {
    /// Slots or `NONE`, at their hash or after it; more than half of it is empty.
    places: Vec<u32>,
}

impl SlotTable {
    pub(super) fn with_room(n: usize) -> Self {
        Self {
            places: vec![NONE; (2 * n + 1).next_power_of_two()],
        }
    }

    /// The place of a site of the body at `record`: of its slot, or free for it.
    fn place(&mut self, layout: &Layout, record: u32, site: &Site) -> &mut u32 {
        let (key, n) = site_key(site);
        let hash = key[..n].iter().fold(u64::from(record), |hash, part| {
            (hash.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        let mask = self.places.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let slot = self.places[at];
            let is_it = |slot: &Slot| {
                let (other, m) = site_key(&slot.site);
                slot.record == record && other[..m] == key[..n]
            };
            if slot == NONE || is_it(&layout.slots[slot as usize]) {
                return &mut self.places[at];
            }
            at = (at + 1) & mask;
        }
    }
}

impl Builder<'_> {
    /// The slot of a site on the body at `record` (`NONE` for the ground), the same for everyone who
    /// names it.
    pub(super) fn intern(&mut self, record: u32, site: &Site) -> u32 {
        let place = self.table.place(self.layout, record, site);
        if *place != NONE {
            return *place;
        }
        let at = self.layout.slots.len() as u32;
        *place = at;
        let (body, kind, columns, rigid, n_v, com) = if record == NONE {
            let kind = crate::body::Body::connector_kind(&crate::body::Ground, site);
            (NONE, kind, None, NONE, 0, [0.0; 3])
        } else {
            let position = record as usize;
            let record = &self.world.bodies()[position];
            let com = record
                .body
                .as_rigid()
                .map_or([0.0; 3], |rigid| rigid.properties().com_body);
            (
                self.index_of[position],
                record.body.connector_kind(site),
                record.body.columns(site),
                self.rigid_of[position],
                record.body.n_v(),
                com,
            )
        };
        let Ok(Some(kind)) = kind else {
            unreachable!("the world checks a site when it is used")
        };
        let in_space = matches!(kind, ConnectorKind::Point3 | ConnectorKind::Frame3);
        let mut space = NONE;
        if in_space && (rigid != NONE || n_v == 0) {
            space = self.layout.space.len() as u32;
            let (origin, frame) = match site {
                Site::Frame { origin, rotation } => {
                    self.layout.frame_rotations.push(*rotation);
                    (*origin, self.layout.frame_rotations.len() as u32 - 1)
                }
                Site::Point(origin) => (*origin, NONE),
                _ => unreachable!("only points and frames are of these kinds"),
            };
            let lever_body = crate::math::sub(origin, com);
            self.layout.space.push(SpaceSource {
                rigid,
                lever_body,
                frame,
                slot: at,
                exclusive: false,
                whole: false,
            });
        }
        let mut slot = Slot {
            record,
            body,
            site: *site,
            kind,
            space,
            x0: NONE,
            x_dot0: NONE,
            l0: NONE,
            n_cols: n_v as u32,
            columns: NONE,
        };
        if let Some(columns) = columns {
            slot.columns = self.layout.slot_columns.len() as u32;
            slot.n_cols = columns.len() as u32;
            self.layout.slot_columns.extend(columns);
        }
        self.layout.slots.push(slot);
        at
    }

    /// Gives a slot room in the generic arrays.
    pub(super) fn need_generic(&mut self, slot: u32) {
        let layout = &mut *self.layout;
        let at = slot;
        let slot = &mut layout.slots[at as usize];
        if slot.x0 != NONE {
            return;
        }
        layout.generic_slots.push(at);
        slot.x0 = layout.n_x as u32;
        slot.x_dot0 = layout.n_x_dot as u32;
        slot.l0 = layout.n_l as u32;
        layout.n_x += slot.kind.n_x();
        layout.n_x_dot += slot.kind.n_x_dot();
        layout.n_l += slot.kind.n_x_dot() * slot.n_cols as usize;
    }
}

/// What a site is and the bits of its numbers, to find equal ones; and how many there are.
#[inline]
fn site_key(site: &Site) -> ([u64; 13], usize) {
    let mut key = [0; 13];
    let mut put = |kind: u64, numbers: &[f64]| {
        key[0] = kind;
        for (key, number) in key[1..].iter_mut().zip(numbers) {
            *key = number.to_bits();
        }
        1 + numbers.len()
    };
    let n = match site {
        Site::Point(p) => put(1, p),
        Site::Frame { origin, rotation } => {
            put(2, origin);
            for (key, number) in key[4..].iter_mut().zip(rotation.as_flattened()) {
                *key = number.to_bits();
            }
            13
        }
        Site::Direction(d) => put(3, d),
        Site::Point2(p) => put(4, p),
        Site::Frame2 { origin, angle } => put(5, &[origin[0], origin[1], *angle]),
        Site::Scalar(index) => {
            key[..2].copy_from_slice(&[6, u64::from(*index)]);
            2
        }
        Site::Node(index) => {
            key[..2].copy_from_slice(&[7, u64::from(*index)]);
            2
        }
    };
    (key, n)
}
