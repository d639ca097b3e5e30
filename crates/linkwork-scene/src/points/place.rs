//! Where points with names are on their body: those of the first frame as the body stands in the file, others as those
//! that are known carry the body.

use linkwork::body::nearest_turn;
use linkwork::math::{Mat3, Vec3, add, mat_t_vec, mat_vec, quat_to_matrix, scale, sub};

use super::PointFrame;

/// Fewer points do not say how a body is turned …
const LEAST: usize = 3;
/// … nor do points that are this close to a line.
const ON_A_LINE: f64 = 1e-6;

/// Where a body is: its origin and its rotation.
type Motion = (Vec3, Mat3);

/// Places of `n` points in the frame of their body, by their labels. `start` is where the body is in the file. What is
/// seen only beside too few others is taken as if it were seen at the start, what is never seen is in the middle.
pub(super) fn places(frames: &[PointFrame], n: usize, start: Motion) -> Vec<Vec3> {
    let mut known = vec![None; n];
    let is_seen = |own: &&PointFrame| !own.points.is_empty();
    if let Some(first) = frames.iter().find(is_seen) {
        see(first, start, &mut known);
    }
    for frame in frames {
        let is_new = frame.points.iter().any(|own| known[own.id].is_none());
        if is_new && let Some(motion) = carried(frame, &known) {
            see(frame, motion, &mut known);
        }
    }
    frames
        .iter()
        .for_each(|frame| see(frame, start, &mut known));
    let places = known.into_iter();
    places.map(Option::unwrap_or_default).collect()
}

fn see(frame: &PointFrame, (origin, rotation): Motion, known: &mut [Option<Vec3>]) {
    for own in &frame.points {
        let here = mat_t_vec(&rotation, sub(own.at, origin));
        known[own.id].get_or_insert(here);
    }
}

/// The motion that carries known places nearest to the points of a frame, if these say how it turns.
fn carried(frame: &PointFrame, known: &[Option<Vec3>]) -> Option<Motion> {
    let points = frame.points.iter();
    let pairs = points.filter_map(|own| Some((known[own.id]?, own.at)));
    let pairs: Vec<(Vec3, Vec3)> = pairs.collect();
    if pairs.len() < LEAST {
        return None;
    }
    let part = 1.0 / pairs.len() as f64;
    let (mut from, mut to) = ([0.0; 3], [0.0; 3]);
    for (p, z) in &pairs {
        (from, to) = (add(from, scale(part, *p)), add(to, scale(part, *z)));
    }
    let mut s = [[0.0; 3]; 3];
    for (p, z) in &pairs {
        for (row, p) in s.iter_mut().zip(sub(*p, from)) {
            *row = add(*row, scale(p, sub(*z, to)));
        }
    }
    let (turn, apart) = nearest_turn(&s);
    let rotation = quat_to_matrix(turn);
    (apart > ON_A_LINE).then(|| (sub(to, mat_vec(&rotation, from)), rotation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Seen;
    use linkwork::math::{norm, rotation_exp};

    const TRUTH: [Vec3; 5] = [
        [0.1, 0.0, 0.0],
        [0.0, 0.2, 0.0],
        [0.0, 0.0, 0.3],
        [0.1, 0.2, 0.3],
        [-0.1, 0.1, 0.2],
    ];

    /// A body that goes on by 0.1 m and 0.3 rad a frame, of which these points are seen.
    fn frames(seen: &[&[usize]]) -> Vec<PointFrame> {
        let each = seen.iter().enumerate().map(|(k, ids)| {
            let rotation = rotation_exp(scale(0.3 * k as f64, [0.6, 0.0, 0.8]));
            let origin = [1.0 + 0.1 * k as f64, 0.0, 0.0];
            let see = |id: &usize| Seen {
                id: *id,
                at: add(origin, mat_vec(&rotation, TRUTH[*id])),
            };
            PointFrame {
                time: k as f64,
                points: ids.iter().map(see).collect(),
            }
        });
        each.collect()
    }

    /// The largest error of the places of points that are seen.
    fn off(seen: &[&[usize]]) -> f64 {
        let found = places(&frames(seen), 5, ([1.0, 0.0, 0.0], rotation_exp([0.0; 3])));
        let ids = seen.iter().flat_map(|ids| ids.iter());
        ids.fold(0.0, |most, &id| norm(sub(found[id], TRUTH[id])).max(most))
    }

    /// A marker that is hidden at first has its place where the others carry the body by then.
    #[test]
    fn what_is_seen_late_has_its_place() {
        assert!(off(&[&[0, 1, 2], &[0, 1], &[0, 1, 2, 3]]) < 1e-12);
        // One that came late helps to find another.
        assert!(off(&[&[0, 1, 2], &[0, 1, 2, 3], &[1, 2, 3, 4]]) < 1e-12);
        // Two do not say how the body turns.
        assert!(off(&[&[0, 1], &[0, 1, 2]]) > 0.05);
        assert!(off(&[&[0, 1], &[0, 1, 2], &[]]) > 0.05);
        // Before the first frame with points there is nothing.
        let found = places(
            &frames(&[&[], &[0]]),
            5,
            ([1.0, 0.0, 0.0], rotation_exp([0.0; 3])),
        );
        assert_eq!(found[4], [0.0; 3]);
    }
}
