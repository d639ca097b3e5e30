//! Centers of ball joints, from the motion of their bodies.
//!
//! Bodies are led by their points alone, frame by frame. The center of a joint is the place that both bodies carry
//! along alike,
//!
//! ```text
//!     min Σ |(R_a − R_b)·p − (t_b − t_a)|² + F·w²·|p − p₀|²
//! ```
//!
//! with R and t from the first of F frames on, and p₀ where the joint is in the file: it counts where bodies hardly
//! turn against each other.

use linkwork::connector::{Connector, Site};
use linkwork::math::{
    Mat3, Vec3, add, mat_mul, mat_t_vec, mat_vec, quat_to_matrix, sub, sym_inverse, sym_pack,
    sym_vec, transpose,
};
use linkwork::prelude::*;
use linkwork::world::ConstraintRecord;

use super::track::{TrackOptions, fit_frame, times};
use crate::fault::{Fault, Under};
use crate::scene::Scene;

/// How much the place in the file counts, in radians of turn.
const PRIOR: f64 = 0.03;

/// A joint whose center is sought.
struct Joint {
    id: ConstraintId,
    bodies: [BodyId; 2],
    /// Poses of both bodies in the first frame.
    first: [(Mat3, Vec3); 2],
    guess: Vec3,
    normal: Mat3,
    right: Vec3,
}

/// Finds the centers of these joints, which must connect points of two bodies, and puts them there. How far each moved,
/// meters. The bodies are where they were before.
pub fn find_centers(
    scene: &mut Scene,
    names: &[String],
    options: &TrackOptions,
) -> Result<Vec<f64>, Fault> {
    let mut joints = Vec::new();
    for name in names {
        joints.push(joint(&scene.world, name).under(name)?);
    }
    let before = scene.clone();
    for own in &joints {
        scene.world.set_constraint_enabled(own.id, false)?;
    }
    let times = times(scene);
    let mut simulator = Simulator::new();
    for (frame, time) in times.iter().enumerate() {
        fit_frame(scene, &mut simulator, *time, options)?;
        for own in &mut joints {
            let poses = [
                pose(&scene.world, own.bodies[0])?,
                pose(&scene.world, own.bodies[1])?,
            ];
            if frame == 0 {
                (own.first, own.guess) = (poses, place(&scene.world, own.id)?);
            }
            own.add(poses);
        }
    }
    *scene = before;
    let mut moved = Vec::new();
    for own in joints {
        let prior = times.len() as f64 * PRIOR * PRIOR;
        let mut normal = own.normal;
        (0..3).for_each(|k| normal[k][k] += prior);
        // From the guess, so that a far origin costs no digits.
        let shift = sym_vec(&sym_inverse(&sym_pack(&normal)), own.right);
        put(scene, &own, add(own.guess, shift))?;
        moved.push(linkwork::math::norm(shift));
    }
    Ok(moved)
}

impl Joint {
    /// One frame more: `A = R_a − R_b` from the first frame on, and how far apart the guess is carried.
    fn add(&mut self, poses: [(Mat3, Vec3); 2]) {
        let turned = [0, 1].map(|k| mat_mul(&poses[k].0, &transpose(&self.first[k].0)));
        let carried = [0, 1].map(|k: usize| {
            let arm = sub(self.guess, self.first[k].1);
            add(poses[k].1, mat_vec(&turned[k], arm))
        });
        let gap = sub(carried[1], carried[0]);
        let a: Mat3 = std::array::from_fn(|i| sub(turned[0][i], turned[1][i]));
        let square = mat_mul(&transpose(&a), &a);
        self.normal = std::array::from_fn(|i| add(self.normal[i], square[i]));
        self.right = add(self.right, mat_t_vec(&a, gap));
    }
}

fn joint(world: &World, name: &str) -> Result<Joint, Fault> {
    let Some(id) = world.find_constraint(name) else {
        let known = world.constraints().iter().map(ConstraintRecord::label);
        return Err(Fault::at("", "no joint has this name").meant(name, known));
    };
    let connectors = world.constraint_record(id)?.connectors();
    let &[a, b] = connectors else {
        let fault = Fault::at("", "is no joint between two bodies");
        return Err(fault.hint("only joints of two points have a center"));
    };
    let (Some(first), Some(second)) = (a.body(), b.body()) else {
        return Err(Fault::at("", "hangs on quantities, which have no center"));
    };
    let bodies = [first, second];
    Ok(Joint {
        id,
        bodies,
        first: [pose(world, bodies[0])?, pose(world, bodies[1])?],
        guess: place(world, id)?,
        normal: [[0.0; 3]; 3],
        right: [0.0; 3],
    })
}

/// Where a joint is on its second body.
fn place(world: &World, id: ConstraintId) -> Result<Vec3, Fault> {
    let record = world.constraint_record(id)?;
    let last = record.connectors().last();
    let value = last.map(|own| world.connector_value(own)).transpose()?;
    let place = value.and_then(|own| own.x.first_chunk().copied());
    place.ok_or_else(|| Fault::at("", "is no joint of points in space"))
}

fn pose(world: &World, body: BodyId) -> Result<(Mat3, Vec3), Fault> {
    let pose = world.pose(body)?;
    let pose = pose.ok_or_else(|| Fault::at("", "has a body without a pose"))?;
    Ok((quat_to_matrix(pose.rotation), pose.position))
}

/// Puts a joint where its center is, on both of its bodies.
fn put(scene: &mut Scene, own: &Joint, center: Vec3) -> Result<(), Fault> {
    let world = &mut scene.world;
    let record = world.constraint_record(own.id)?;
    let law = record.shared_constraint();
    let (mut connectors, compliance) = (record.connectors().to_vec(), record.compliance().to_vec());
    let places = connectors.iter_mut().zip(own.bodies).zip(own.first);
    for ((connector, body), (rotation, origin)) in places {
        let here = mat_t_vec(&rotation, sub(center, origin));
        let place = match world.body_record(body) {
            Ok(record) => {
                let q = &world.state().q[record.q_range()];
                record.body().material_site(q, Site::Point(here))?
            }
            // The ground.
            Err(_) => Site::Point(here),
        };
        let site = match (connector.site(), place) {
            (Some(Site::Frame { rotation, .. }), Site::Point(origin)) => Site::Frame {
                origin,
                rotation: *rotation,
            },
            (_, place) => place,
        };
        *connector = Connector::new(body, site);
    }
    world.replace_shared_constraint(own.id, law, &connectors)?;
    world.set_compliance(own.id, &compliance)?;
    Ok(())
}
