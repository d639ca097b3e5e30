//! Slots: one per connector, shared by all uses of the same site of the same body. Outputs of blocks get theirs
//! in `blocks`.

use super::compile::Builder;
use super::layout::{Layout, SiteAt, SiteName, Slot, SlotSide, SpaceSource};
use crate::body::{Body, Ground};
use crate::connector::{ConnectorKind, Site};
use crate::topology::NONE;
use crate::world::World;

/// A hash table of slots by body and site. Slots are numbered in order of first use; the table is never
/// iterated, so their order does not depend on it.
pub(super) struct SlotTable {
    /// Slots or `NONE`, with linear probing; more than half is empty.
    places: Vec<u32>,
}

impl SlotTable {
    pub(super) fn with_room(n: usize) -> Self {
        Self {
            places: vec![NONE; (2 * n + 1).next_power_of_two()],
        }
    }

    /// The entry of a site of the body at `record`: its slot, or a free entry.
    fn place(&mut self, (world, layout): (&World, &Layout), record: u32, site: &Site) -> &mut u32 {
        let key = site_key(site);
        let mut hash = u64::from(record);
        let mut mix = |part: u64| {
            hash = (hash.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        };
        mix(key.0);
        key.1.iter().for_each(|number| mix(number.to_bits()));
        key.2.iter().for_each(|number| mix(number.to_bits()));
        let mask = self.places.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let slot = self.places[at];
            let is_it = |slot: &Slot| {
                let Some(at) = slot.at.filter(|at| at.record == record) else {
                    return false;
                };
                let other = site_key(at.name.site(world));
                let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
                other.0 == key.0
                    && other.1.iter().zip(key.1).all(same)
                    && other.2.iter().zip(key.2).all(same)
            };
            if slot == NONE || is_it(&layout.slots[slot as usize]) {
                return &mut self.places[at];
            }
            at = (at + 1) & mask;
        }
    }
}

impl Builder<'_> {
    /// The slot of a site on the body at `record` (`NONE` for the ground), the same for all its uses.
    pub(super) fn intern(&mut self, record: u32, name: SiteName) -> u32 {
        let site = name.site(self.world);
        let place = self.table.place((self.world, self.layout), record, site);
        if *place != NONE {
            return *place;
        }
        let at = self.layout.slots.len() as u32;
        *place = at;
        let (body, rigid) = match record {
            NONE => (NONE, NONE),
            at => (self.index_of[at as usize], self.rigid_of[at as usize]),
        };
        // Sites of the typed pools are known without asking the body.
        let (kind, columns, n_v) = match site {
            Site::Point(_) if rigid != NONE => (ConnectorKind::Point3, None, 6),
            Site::Frame { .. } if rigid != NONE => (ConnectorKind::Frame3, None, 6),
            _ => self.ask(record, site),
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
            let com = self.com_body.get(rigid as usize);
            let lever_body = crate::math::sub(origin, com.copied().unwrap_or_default());
            self.layout.space.push(SpaceSource {
                rigid,
                lever_body,
                frame,
                slot: at,
                shared: NONE,
                whole: false,
            });
        }
        self.layout.slots.push(Slot {
            at: Some(SiteAt { record, body, name }),
            kind,
            space,
            x0: NONE,
            x_dot0: NONE,
            side0: self.layout.sides.len() as u32,
            n_sides: u32::from(body != NONE),
        });
        if body != NONE {
            let mut side = SlotSide {
                body,
                l0: NONE,
                is_identity: matches!(site, Site::Coordinates),
                n_cols: n_v as u32,
                columns: NONE,
            };
            if let Some(columns) = columns {
                side.columns = self.layout.slot_columns.len() as u32;
                side.n_cols = columns.len() as u32;
                self.layout.slot_columns.extend(columns);
            }
            self.layout.sides.push(side);
        }
        at
    }

    /// Asks the body at `record` for the kind and columns of a site, and its number of velocities.
    fn ask(&self, record: u32, site: &Site) -> (ConnectorKind, Option<Vec<u32>>, usize) {
        let ground: &dyn Body = &Ground;
        let body = match record {
            NONE => ground,
            at => &*self.world.bodies()[at as usize].body,
        };
        let Ok(Some(kind)) = body.connector_kind(site) else {
            unreachable!("the world checks a site when it is used")
        };
        (kind, body.columns(site), body.n_v())
    }

    /// Allocates a slot in the generic arrays.
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
        layout.n_x += slot.kind.n_x();
        layout.n_x_dot += slot.kind.n_x_dot();
        let sides = &mut layout.sides[slot.side0 as usize..][..slot.n_sides as usize];
        for side in sides.iter_mut().filter(|side| !side.is_identity) {
            side.l0 = layout.n_l as u32;
            layout.n_l += slot.kind.n_x_dot() * side.n_cols as usize;
        }
    }
}

/// The tag of a site, and its numbers, which are compared by their bits.
#[inline]
fn site_key(site: &Site) -> (u64, &[f64], &[f64]) {
    match site {
        Site::Point(p) => (1, p, &[]),
        Site::Frame { origin, rotation } => (2, origin, rotation.as_flattened()),
        Site::Direction(d) => (3, d, &[]),
        Site::Point2(p) => (4, p, &[]),
        Site::Frame2 { origin, angle } => (5, origin, std::slice::from_ref(angle)),
        Site::Scalar(index) => (6 | u64::from(*index) << 3, &[], &[]),
        Site::Node(index) => (7 | u64::from(*index) << 3, &[], &[]),
        // The lower three bits of these are zero.
        Site::Curve(u) => (1 << 3, std::slice::from_ref(u), &[]),
        Site::Curve2(u) => (3 << 3, std::slice::from_ref(u), &[]),
        Site::Tangent(u) => (2 << 3, std::slice::from_ref(u), &[]),
        Site::Surface(u) => (4 << 3, u, &[]),
        Site::SurfaceFrame(u) => (5 << 3, u, &[]),
        Site::Interior(u) => (6 << 3, u, &[]),
        Site::Coordinates => (0, &[], &[]),
    }
}
