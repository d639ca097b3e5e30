//! Slots: one per connector, shared by everyone who names the same site of the same body.

use super::compile::Builder;
use super::layout::{Slot, SpaceSource};
use crate::connector::{Connector, ConnectorKind, Site};
use crate::topology::NONE;
use crate::world::GROUND;

impl Builder<'_> {
    /// The slot of a connector, the same for everyone who names the same site of the same body.
    pub(super) fn intern(&mut self, connector: &Connector) -> u32 {
        let key = (connector.body.number(), site_key(&connector.site));
        if let Some(&slot) = self.interned.get(&key) {
            return slot;
        }
        let at = self.layout.slots.len() as u32;
        let (record, body, kind, columns, rigid, n_v, com) = if connector.body == GROUND {
            let kind = crate::body::Body::connector_kind(&crate::body::Ground, &connector.site);
            (NONE, NONE, kind, None, NONE, 0, [0.0; 3])
        } else {
            let position = self
                .world
                .bodies()
                .partition_point(|record| record.id < connector.body);
            let record = &self.world.bodies()[position];
            let kind = record.body.connector_kind(&connector.site);
            let com = record
                .body
                .as_rigid()
                .map_or([0.0; 3], |rigid| rigid.properties().com_body);
            (
                position as u32,
                self.index_of[position],
                kind,
                record.body.columns(&connector.site),
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
            let (origin, frame) = match &connector.site {
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
            site: connector.site.clone(),
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
        self.interned.insert(key, at);
        at
    }

    /// Gives a slot room in the generic arrays.
    pub(super) fn need_generic(&mut self, slot: u32) {
        let layout = &mut self.layout;
        let slot = &mut layout.slots[slot as usize];
        if slot.x0 != NONE {
            return;
        }
        slot.x0 = layout.n_x as u32;
        slot.x_dot0 = layout.n_x_dot as u32;
        slot.l0 = layout.n_l as u32;
        layout.n_x += slot.kind.n_x();
        layout.n_x_dot += slot.kind.n_x_dot();
        layout.n_l += slot.kind.n_x_dot() * slot.n_cols as usize;
    }
}

/// The bits of a site, to find equal ones.
fn site_key(site: &Site) -> [u64; 13] {
    let mut key = [0; 13];
    let mut put = |tag: u64, numbers: &[f64]| {
        key[0] = tag;
        for (key, number) in key[1..].iter_mut().zip(numbers) {
            *key = number.to_bits();
        }
    };
    match site {
        Site::Point(p) => put(1, p),
        Site::Frame { origin, rotation } => {
            put(2, origin);
            for (key, number) in key[4..].iter_mut().zip(rotation.as_flattened()) {
                *key = number.to_bits();
            }
        }
        Site::Direction(d) => put(3, d),
        Site::Point2(p) => put(4, p),
        Site::Frame2 { origin, angle } => put(5, &[origin[0], origin[1], *angle]),
        Site::Scalar(index) => key[..2].copy_from_slice(&[6, u64::from(*index)]),
        Site::Node(index) => key[..2].copy_from_slice(&[7, u64::from(*index)]),
    }
    key
}
