//! Where a superquadric begins, from its points alone: no guess of a user's is needed.
//!
//! Each principal axis of the points is tried as its z. First its frame and its sizes go to the points, then all of its
//! shape; from there it is tried turned by 45° too, and the best of the six goes on. A frame is a step of Levenberg's
//! and Marquardt's,
//!
//! ```text
//!     (H + d·D)·δ = −g      H = Σ w·JᵀJ,  g = Σ w·Jᵀr      d ← 0.3·d if E is smaller, else 8·d
//! ```
//!
//! cut at 0.4 rad, sizes or logarithms of sizes. What no point holds must not run away: sizes are at most half of the
//! diagonal of the points' box, the middle is inside of it, other numbers are pulled to where they were born, and
//! bodies that are seen from one side are made small. Lengths are in parts of how far points extend, and along their
//! principal axes, so that neither units matter nor where points are.

use linkwork::math::{
    IDENTITY3, Mat3, Vec3, add, column, cross, dot, mat_mul, mat_t_vec, mat_vec, norm,
    quat_from_matrix, rotation_exp, scale, sub, sym_eigen, transpose,
};
use linkwork::shape::{N_COORDINATES, ShapeMap, Superquadric};

use super::own::{as_pull, bounds};
use super::pull::by_frame;
use super::scatter::{loss, scatter};
use crate::fault::Fault;
use crate::scene::Scene;

/// Frames of pose and size, then of all numbers, and most frames of the best.
const COARSE: usize = 8;
const FINE: usize = 12;
const MOST: usize = 60;
/// No step is longer, in radians, sizes, or logarithms of sizes.
const STRIDE: f64 = 0.4;
/// What resists a step at first, of the curvature that a point has.
const FIRST_DRAG: f64 = 1e-3;
/// A step that is shorter is the last.
const SETTLED: f64 = 1e-3;
/// Errors beyond this part of the extent count alike where starts are compared.
const CAP: f64 = 0.05;
/// What is turned must come to less than this part of the error: it may have come back to where it was.
const BETTER: f64 = 0.98;
/// Points scatter by no less than this part of the extent.
const LEAST: f64 = 1e-6;
/// Degrees of freedom of a frame in space.
const FRAME: usize = 6;
const N: usize = FRAME + N_COORDINATES;

/// Where a superquadric is, and what its numbers are.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    /// Its middle.
    pub origin: Vec3,
    /// From its frame to the world.
    pub rotation: Mat3,
    /// Numbers of its shape.
    pub q: [f64; N_COORDINATES],
    /// Frames that it took, those of the best of the starts only.
    pub frames: usize,
}

/// Finds where the body of each pull of a surface begins, at the present moment, and puts it there. How many bodies.
pub fn find_start(scene: &mut Scene, one_sided: bool) -> Result<usize, Fault> {
    let world = &scene.world;
    let mut found = Vec::new();
    for record in world.constraints() {
        let Some(pull) = as_pull(record).filter(|own| !own.said().keeps_places) else {
            continue;
        };
        let (Some(shape), Some(body)) = (pull.shape(), record.connectors()[0].body()) else {
            continue;
        };
        let frame = pull.sequence().frame_at(world.state().t);
        let points: Vec<Vec3> = frame.points.iter().map(|own| own.at).collect();
        let Some(guess) = search(shape, &points, one_sided) else {
            let problem = format!("has {} points, too few to begin with", points.len());
            return Err(Fault::at(format!("joints.{}", record.label()), problem));
        };
        found.push((body, guess, shape.n_numbers()));
    }
    for (body, guess, n) in &found {
        let record = scene.world.body_record(*body)?;
        let mut q = scene.world.state().q[record.q_range()].to_vec();
        q[..3].copy_from_slice(&guess.origin);
        q[3..7].copy_from_slice(&quat_from_matrix(&guess.rotation));
        q[7..7 + n].copy_from_slice(&guess.q[..*n]);
        scene.world.set_q(*body, &q)?;
    }
    Ok(found.len())
}

/// Fits a superquadric to points; none if there are fewer than it has numbers.
pub fn search(shape: &Superquadric, points: &[Vec3], one_sided: bool) -> Option<Guess> {
    let n = shape.n_numbers();
    if points.len() < FRAME + n {
        return None;
    }
    // In parts of how far points extend, about their middle.
    let inverse = 1.0 / points.len() as f64;
    let middle = points
        .iter()
        .fold([0.0; 3], |sum, z| add(sum, scale(inverse, *z)));
    let spread = points
        .iter()
        .map(|z| norm(sub(*z, middle)).powi(2) * inverse)
        .sum::<f64>()
        .sqrt();
    if !(spread.is_finite() && spread > 0.0) {
        return None;
    }
    let mut points: Vec<Vec3> = points
        .iter()
        .map(|z| scale(1.0 / spread, sub(*z, middle)))
        .collect();
    let (squares, axes) = principal_axes(&points);
    for z in &mut points {
        *z = mat_t_vec(&axes, *z);
    }
    let [low, high] = bounds(points.iter().copied());
    let mut born = [0.0; N_COORDINATES];
    shape.start(&mut born[..n]);
    let own = Search {
        shape,
        points: &points,
        squares,
        low,
        high,
        largest: libm::log(0.5 * norm(sub(high, low))),
        born,
        one_sided,
    };
    let mut found = own.run();
    found.origin = add(middle, scale(spread, mat_vec(&axes, found.origin)));
    found.rotation = mat_mul(&axes, &found.rotation);
    for (k, coordinate) in shape.coordinates().enumerate() {
        if coordinate < 3 {
            found.q[k] += libm::log(spread);
        }
    }
    Some(found)
}

/// Mean squares of points along their principal axes, and these, from the longest to the shortest: each towards the
/// side on which points reach farther, so that they turn with the points.
fn principal_axes(points: &[Vec3]) -> (Vec3, Mat3) {
    let mut square = [0.0; 6];
    for z in points {
        let products = [
            z[0] * z[0],
            z[1] * z[1],
            z[2] * z[2],
            z[0] * z[1],
            z[0] * z[2],
            z[1] * z[2],
        ];
        for (sum, own) in square.iter_mut().zip(products) {
            *sum += own / points.len() as f64;
        }
    }
    let (values, vectors) = sym_eigen(&square);
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let [x, y] = [order[0], order[1]].map(|k| {
        let along = column(&vectors, k);
        let reach = points.iter().map(|z| dot(*z, along));
        let reach: f64 = reach.map(|x| x * x * x).sum();
        scale(1.0f64.copysign(reach), along)
    });
    let squares = order.map(|k| values[k]);
    (squares, transpose(&[x, y, cross(x, y)]))
}

struct Search<'a> {
    shape: &'a Superquadric,
    /// Along their principal axes.
    points: &'a [Vec3],
    /// Their mean squares.
    squares: Vec3,
    low: Vec3,
    high: Vec3,
    /// The logarithm of the largest size.
    largest: f64,
    born: [f64; N_COORDINATES],
    one_sided: bool,
}

/// H and g.
struct Normal {
    matrix: [[f64; N]; N],
    right: [f64; N],
}

impl Search<'_> {
    fn n(&self) -> usize {
        FRAME + self.shape.n_numbers()
    }

    fn is_size(&self, k: usize) -> bool {
        self.shape.coordinates().nth(k).is_some_and(|own| own < 3)
    }

    fn run(&self) -> Guess {
        let all = [true; N];
        let mut coarse = all;
        for k in 0..self.shape.n_numbers() {
            coarse[FRAME + k] = self.is_size(k);
        }
        let mut best: Option<(f64, Guess, f64)> = None;
        for axis in 0..3 {
            let mut guess = self.start(axis);
            self.go(&mut guess, &coarse, COARSE);
            let drag = self.go(&mut guess, &all, FINE);
            let turned = self.turned(&guess).map(|mut own| {
                let drag = self.go(&mut own, &all, FINE);
                (own, drag)
            });
            let tried = [(Some((guess, drag)), 1.0), (turned, BETTER)];
            for (own, least) in tried {
                let Some((guess, drag)) = own else { continue };
                let off = self.off(&guess);
                let cost = off.iter().map(|r| r.abs().min(CAP)).sum::<f64>();
                if best.as_ref().is_none_or(|own| cost < least * own.0) {
                    best = Some((cost, guess, drag));
                }
            }
        }
        let Some((_, mut guess, mut drag)) = best else {
            return self.start(0);
        };
        for _ in 0..MOST {
            let (moved, step) = self.frame(&mut guess, &all, &mut drag);
            if step < if moved { SETTLED } else { 0.1 * SETTLED } {
                break;
            }
        }
        guess
    }

    /// So many frames from the first drag on. The last drag.
    fn go(&self, guess: &mut Guess, free: &[bool; N], frames: usize) -> f64 {
        let mut drag = FIRST_DRAG;
        for _ in 0..frames {
            self.frame(guess, free, &mut drag);
        }
        drag
    }

    /// The same solid all but its corners, told the other way round: a prism with a square of ε₂ = ε is almost one with
    /// 2 − ε that is turned by 45° about z, `a′ = a·2^((1 − ε)/2)` being as wide along its corners. Frames do not find
    /// from one to the other. None where ε₂ is held.
    fn turned(&self, at: &Guess) -> Option<Guess> {
        let place = |of: usize| self.shape.coordinates().position(|own| own == of);
        let (x, y, around) = (place(0)?, place(1)?, place(4)?);
        let mut next = *at;
        let exponent = 0.9 * libm::tanh(0.5 * at.q[around]);
        let wide = 0.5 * (at.q[x] + at.q[y]) - 0.5 * exponent * std::f64::consts::LN_2;
        (next.q[x], next.q[y], next.q[around]) = (wide, wide, -at.q[around]);
        if let (Some(x), Some(y)) = (place(5), place(6)) {
            let taper = 0.5 * (at.q[x] + at.q[y]);
            (next.q[x], next.q[y]) = (taper, taper);
        }
        // Shear and bend are vectors across z.
        for (x, y) in [(7, 8), (10, 11)] {
            if let (Some(x), Some(y)) = (place(x), place(y)) {
                let (along, across) = (at.q[x], at.q[y]);
                next.q[x] = std::f64::consts::FRAC_1_SQRT_2 * (along + across);
                next.q[y] = std::f64::consts::FRAC_1_SQRT_2 * (across - along);
            }
        }
        let turn = rotation_exp([0.0, 0.0, std::f64::consts::FRAC_PI_4]);
        next.rotation = mat_mul(&at.rotation, &turn);
        Some(next)
    }

    /// An ellipsoid with one of the principal axes along its z.
    fn start(&self, axis: usize) -> Guess {
        let order = [(axis + 1) % 3, (axis + 2) % 3, axis];
        let (x, z) = (IDENTITY3[order[0]], IDENTITY3[order[2]]);
        let mut q = self.born;
        for (k, coordinate) in self.shape.coordinates().enumerate().filter(|own| own.1 < 3) {
            let value = self.squares[order[coordinate]].max(1e-12).sqrt();
            q[k] = libm::log(1.5 * value);
        }
        Guess {
            origin: [0.0; 3],
            rotation: transpose(&[x, cross(z, x), z]),
            q,
            frames: 0,
        }
    }

    fn off(&self, at: &Guess) -> Vec<f64> {
        let q = &at.q[..self.shape.n_numbers()];
        let off = self.inward(at).map(|p| self.shape.distance(q, p));
        off.collect()
    }

    fn inward<'s>(&'s self, at: &'s Guess) -> impl Iterator<Item = Vec3> + 's {
        self.points
            .iter()
            .map(|z| mat_t_vec(&at.rotation, sub(*z, at.origin)))
    }

    /// How much what is seen from one side counts where it is larger: `a₁·a₂·a₃`.
    fn volume(&self, at: &Guess) -> f64 {
        let sizes = (0..self.shape.n_numbers()).filter(|k| self.is_size(*k));
        match self.one_sided {
            true => libm::exp(sizes.map(|k| at.q[k]).sum()),
            false => 1.0,
        }
    }

    fn energy(&self, off: &[f64], at: &Guess, sigma: f64) -> f64 {
        let variance = sigma * sigma;
        let losses = off.iter().map(|r| loss(r * r, sigma).0);
        let own = (0..self.shape.n_numbers()).filter(|k| !self.is_size(*k));
        let bent = own.map(|k| 0.5 * variance * (at.q[k] - self.born[k]).powi(2));
        losses.sum::<f64>() * self.volume(at) + bent.sum::<f64>()
    }

    /// One frame: whether it helped, and how long its step was.
    fn frame(&self, at: &mut Guess, free: &[bool; N], drag: &mut f64) -> (bool, f64) {
        at.frames += 1;
        let off = self.off(at);
        let mut sizes: Vec<f64> = off.iter().map(|r| r.abs()).collect();
        let sigma = scatter(&mut sizes).max(LEAST);
        let mut normal = self.normal(at, sigma);
        let n = self.n();
        let largest = (0..n - FRAME)
            .filter(|k| self.is_size(*k))
            .map(|k| libm::exp(at.q[k]));
        let size = largest.fold(1e-6, f64::max);
        let weight = *drag * self.points.len() as f64 * self.volume(at);
        for k in 0..n {
            let unit = if k < 3 { 1.0 } else { size * size };
            normal.matrix[k][k] += weight * unit;
        }
        normal.hold(n, free);
        if !normal.solve(n) {
            *drag *= 8.0;
            return (false, 1.0);
        }
        let mut step = normal.right;
        let longest = |own: &[f64; N]| {
            let shift = norm([own[0], own[1], own[2]]) / size;
            let turn = norm([own[3], own[4], own[5]]);
            own[FRAME..n]
                .iter()
                .fold(shift.max(turn), |most, own| most.max(own.abs()))
        };
        let length = longest(&step);
        if length > STRIDE {
            step.iter_mut().for_each(|own| *own *= STRIDE / length);
        }
        let tried = self.displaced(at, &step);
        let is_smaller =
            self.energy(&self.off(&tried), &tried, sigma) <= self.energy(&off, at, sigma);
        if is_smaller {
            *at = tried;
            *drag = (0.3 * *drag).max(1e-9);
        } else {
            *drag = (8.0 * *drag).min(1e3);
        }
        (is_smaller, length.min(STRIDE))
    }

    fn normal(&self, at: &Guess, sigma: f64) -> Normal {
        let (n, numbers) = (self.n(), self.shape.n_numbers());
        let mut sums = Normal {
            matrix: [[0.0; N]; N],
            right: [0.0; N],
        };
        let volume = self.volume(at);
        let mut points = self.points.iter();
        let q = &at.q[..numbers];
        let mut inward = self.inward(at);
        self.shape
            .each_flat_distance(q, &mut inward, &mut |r, flat| {
                let Some(z) = points.next() else { return };
                let mut slopes = [0.0; N];
                let by_point = [flat[numbers], flat[numbers + 1], flat[numbers + 2]];
                let arm = sub(*z, at.origin);
                slopes[..FRAME].copy_from_slice(&by_frame(&at.rotation, arm, by_point));
                for k in 0..numbers {
                    let is_small = self.one_sided && self.is_size(k);
                    slopes[FRAME + k] = flat[k] + if is_small { 0.5 * r } else { 0.0 };
                }
                let weight = volume * loss(r * r, sigma).1;
                for i in 0..n {
                    let slope = weight * slopes[i];
                    sums.right[i] -= slope * r;
                    for (sum, other) in sums.matrix[i][..=i].iter_mut().zip(&slopes) {
                        *sum += slope * other;
                    }
                }
            });
        for k in (0..numbers).filter(|k| !self.is_size(*k)) {
            let weight = sigma * sigma;
            sums.matrix[FRAME + k][FRAME + k] += weight;
            sums.right[FRAME + k] -= weight * (at.q[k] - self.born[k]);
        }
        sums
    }

    /// Displaced, but within bounds.
    fn displaced(&self, at: &Guess, step: &[f64; N]) -> Guess {
        let mut next = *at;
        for k in 0..3 {
            next.origin[k] = (at.origin[k] + step[k]).clamp(self.low[k], self.high[k]);
        }
        next.rotation = mat_mul(&rotation_exp([step[3], step[4], step[5]]), &at.rotation);
        for k in 0..self.shape.n_numbers() {
            next.q[k] += step[FRAME + k];
            if self.is_size(k) {
                next.q[k] = next.q[k].clamp(self.largest - 5.0, self.largest);
            }
        }
        next
    }
}

impl Normal {
    /// What is not free stays.
    fn hold(&mut self, n: usize, free: &[bool; N]) {
        for k in (0..n).filter(|k| !free[*k]) {
            for i in 0..n {
                (self.matrix[k][i], self.matrix[i][k]) = (0.0, 0.0);
            }
            (self.matrix[k][k], self.right[k]) = (1.0, 0.0);
        }
    }

    /// By Cholesky's factor of the lower half; false where that is lost.
    fn solve(&mut self, n: usize) -> bool {
        let (a, b) = (&mut self.matrix, &mut self.right);
        for i in 0..n {
            for k in 0..=i {
                let done: f64 = (0..k).map(|j| a[i][j] * a[k][j]).sum();
                let own = a[i][k] - done;
                if k < i {
                    a[i][k] = own / a[k][k];
                } else if own > 0.0 {
                    a[i][i] = own.sqrt();
                } else {
                    return false;
                }
            }
            let done: f64 = (0..i).map(|j| a[i][j] * b[j]).sum();
            b[i] = (b[i] - done) / a[i][i];
        }
        for i in (0..n).rev() {
            let done: f64 = (i + 1..n).map(|j| a[j][i] * b[j]).sum();
            b[i] = (b[i] - done) / a[i][i];
        }
        true
    }
}
