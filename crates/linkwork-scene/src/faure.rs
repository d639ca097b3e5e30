//! Faure's sheet of bars, as large as you like. His other figures are files of the library.

use std::f64::consts::TAU;

use linkwork::Error;
use linkwork::connector::Connector;
use linkwork::math::Vec3;
use linkwork::prelude::*;

use crate::mechanisms::gravity_down_y;
use crate::strings::rod;

/// A triangulated sheet of `n × n` square meshes of 0.2 m, each with one diagonal: 3n² + 2n bars and
/// ball joints, afloat (Faure 1999, fig. 6).
///
/// n = 10 gives the numbers of the paper: 320 solids, 1557 rows and 600 of them in loops. At each of
/// the (n + 1)² nodes the first bar carries the others: where k bars meet there are k − 1 joints.
///
/// `rise` is the height of a wave in which it starts. Without one it is flat, which is a singular
/// pose: the bars hold each other more than once in the plane, and nothing holds the nodes aside.
pub fn sheet(n: usize, rise: f64) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let mesh = 0.2;
    let place = |i: usize, j: usize| -> Vec3 {
        let (x, z) = (mesh * i as f64, mesh * j as f64);
        let wave = libm::sin(TAU * i as f64 / n as f64) * libm::cos(0.5 + z);
        [x, rise * wave, z]
    };
    // What holds each node: the first bar end that arrived there.
    let mut holders: Vec<Option<Connector>> = vec![None; (n + 1) * (n + 1)];
    let mut bar = |label: String, ends: [(usize, usize); 2]| -> Result<(), Error> {
        let points = ends.map(|(i, j)| place(i, j));
        let (body, half) = rod(&mut world, &label, (points[0], points[1]), 0.01, 0.1)?;
        for ((i, j), reach) in ends.into_iter().zip([-half, half]) {
            let end = body.at([reach, 0.0, 0.0]);
            let holder = &mut holders[j * (n + 1) + i];
            match holder {
                Some(holder) => {
                    let label = format!("{label} at {i}.{j}");
                    world.join(&label, Ball, *holder, end)?;
                }
                None => *holder = Some(end),
            }
        }
        Ok(())
    };
    for j in 0..=n {
        for i in 0..=n {
            if i < n {
                bar(format!("along {i}.{j}"), [(i, j), (i + 1, j)])?;
            }
            if j < n {
                bar(format!("across {i}.{j}"), [(i, j), (i, j + 1)])?;
            }
            if i < n && j < n {
                bar(format!("diagonal {i}.{j}"), [(i, j), (i + 1, j + 1)])?;
            }
        }
    }
    Ok(world)
}
