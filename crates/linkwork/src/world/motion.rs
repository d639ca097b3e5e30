//! Connectors at the present state: their outputs, and their dependence on accelerations.

#![allow(non_snake_case)] // D, L: the letters of the papers.

use super::check::connector_kind;
use super::{BlockId, BodyId, ConnectorValue, GROUND, World};
use crate::block::Evaluation;
use crate::body::{Body, Ground};
use crate::connector::{Connector, ConnectorMut, Input, Site};
use crate::error::Error;
use crate::linalg::MatMut;

/// [`ConnectorValue`] with `L` and `ℓ` of `ẍ = Σ L·v̇ + ℓ`.
#[derive(Clone, Debug)]
pub(crate) struct ConnectorMotion {
    pub(crate) value: ConnectorValue,
    pub(crate) ell: Vec<f64>,
    /// `L`, for every body that moves it.
    pub(crate) sides: Vec<BodyMotion>,
}

/// The dependence of a connector on one body.
#[derive(Clone, Debug)]
pub(crate) struct BodyMotion {
    pub(crate) body: BodyId,
    /// `n_x_dot × n_v`, row-major.
    pub(crate) L: Vec<f64>,
}

impl World {
    /// A connector's output at this moment.
    pub fn connector_value(&self, connector: &Connector) -> Result<ConnectorValue, Error> {
        Ok(self.connector_motion(connector)?.value)
    }

    /// A connector's output at this moment, and its dependence on the bodies' accelerations.
    pub(crate) fn connector_motion(&self, connector: &Connector) -> Result<ConnectorMotion, Error> {
        match connector {
            Connector::Site { body, site } => self.site_motion(*body, site),
            Connector::Output { block, output } => {
                self.kind_of(connector, "connector")?;
                let mut outputs = self.block_motion(*block)?;
                Ok(outputs.swap_remove(*output as usize))
            }
        }
    }

    fn site_motion(&self, id: BodyId, site: &Site) -> Result<ConnectorMotion, Error> {
        let (body, q, v): (&dyn Body, &[f64], &[f64]) = if id == GROUND {
            (&Ground, &[], &[])
        } else {
            let record = self.body_record(id)?;
            (
                &*record.body,
                &self.state.q[record.q_range()],
                &self.state.v[record.v_range()],
            )
        };
        let kind = connector_kind(body, self.body_label(id)?, "connector", site)?;
        let columns = body.columns(site);
        let (n, n_v) = (kind.n_x_dot(), body.n_v());
        let n_cols = columns.as_ref().map_or(n_v, Vec::len);
        let (mut x, mut x_dot) = (vec![0.0; kind.n_x()], vec![0.0; n]);
        let (mut L, mut ell) = (vec![0.0; n * n_cols], vec![0.0; n]);
        let mut out = ConnectorMut {
            x: &mut x,
            x_dot: &mut x_dot,
            L: MatMut::new(&mut L, n_cols),
            ell: &mut ell,
        };
        body.connector(site, self.state.t, q, v, &mut out);
        if let Some(columns) = columns {
            let mut whole = vec![0.0; n * n_v];
            for (i, row) in L.chunks_exact(n_cols.max(1)).enumerate() {
                for (&column, entry) in columns.iter().zip(row) {
                    whole[i * n_v + column as usize] = *entry;
                }
            }
            L = whole;
        }
        let sides = (n_v > 0).then_some(BodyMotion { body: id, L });
        Ok(ConnectorMotion {
            value: ConnectorValue { kind, x, x_dot },
            ell,
            sides: sides.into_iter().collect(),
        })
    }

    /// All outputs of a block. Blocks that it takes are evaluated first, each once, in the order of ids.
    fn block_motion(&self, id: BlockId) -> Result<Vec<ConnectorMotion>, Error> {
        let last = self.blocks.index(id)?;
        let mut is_needed = vec![false; last + 1];
        is_needed[last] = true;
        for at in (0..=last).rev() {
            let inputs = self.blocks[at].inputs.iter().filter(|_| is_needed[at]);
            let taken: Vec<BlockId> = inputs.filter_map(Connector::block).collect();
            for block in taken {
                is_needed[self.blocks.index(block)?] = true;
            }
        }
        let mut known: Vec<Vec<ConnectorMotion>> = vec![Vec::new(); last + 1];
        for at in (0..=last).filter(|&at| is_needed[at]) {
            let inputs = self.blocks[at].inputs.iter();
            let inputs: Result<Vec<_>, Error> = inputs
                .map(|input| match input {
                    Connector::Site { body, site } => self.site_motion(*body, site),
                    Connector::Output { block, output } => {
                        let of_block = &known[self.blocks.index(*block)?];
                        Ok(of_block[*output as usize].clone())
                    }
                })
                .collect();
            known[at] = self.outputs_of(at, &inputs?);
        }
        Ok(known.swap_remove(last))
    }

    /// `L = Σ D·L_i`, `ℓ = γ + Σ D·ℓ_i` of every output of the block at a position.
    fn outputs_of(&self, at: usize, inputs: &[ConnectorMotion]) -> Vec<ConnectorMotion> {
        let block = &*self.blocks[at].block;
        let values: Vec<Input<'_>> = inputs.iter().map(|input| input.value.input()).collect();
        let now = Evaluation::of(block, self.state.t, &values);
        let mut outputs = Vec::new();
        let (mut x0, mut row0) = (0, 0);
        for &kind in block.outputs() {
            let (n_x, n) = (kind.n_x(), kind.n_x_dot());
            let mut output = ConnectorMotion {
                value: ConnectorValue {
                    kind,
                    x: now.x[x0..x0 + n_x].to_vec(),
                    x_dot: now.x_dot[row0..row0 + n].to_vec(),
                },
                ell: now.gamma[row0..row0 + n].to_vec(),
                sides: Vec::new(),
            };
            let mut column0 = 0;
            for input in inputs {
                let n_own = input.ell.len();
                let rows = (row0..row0 + n).map(|row| &now.D[row * now.n_in + column0..][..n_own]);
                let rows: Vec<&[f64]> = rows.collect();
                output.add(&rows, input);
                column0 += n_own;
            }
            outputs.push(output);
            (x0, row0) = (x0 + n_x, row0 + n);
        }
        outputs
    }
}

impl ConnectorMotion {
    /// Adds the contribution of an input by its rows of `D`.
    fn add(&mut self, D: &[&[f64]], input: &Self) {
        for (ell, row) in self.ell.iter_mut().zip(D) {
            *ell += row.iter().zip(&input.ell).map(|(d, l)| d * l).sum::<f64>();
        }
        for side in &input.sides {
            let n_v = side.L.len() / input.ell.len();
            let mut own = self.sides.iter().position(|own| own.body == side.body);
            if own.is_none() {
                own = Some(self.sides.len());
                self.sides.push(BodyMotion {
                    body: side.body,
                    L: vec![0.0; D.len() * n_v],
                });
            }
            let Some(own) = own.map(|at| &mut self.sides[at]) else {
                continue;
            };
            for (out, row) in own.L.chunks_exact_mut(n_v).zip(D) {
                for (d, l) in row.iter().zip(side.L.chunks_exact(n_v)) {
                    out.iter_mut().zip(l).for_each(|(out, l)| *out += d * l);
                }
            }
        }
    }
}
