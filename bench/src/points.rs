//! `points`: forty random superquadrics, tapered and bent, found from a thousand points each.

use std::time::Instant;

use linkwork::math::{
    Mat3, Vec3, add, cross, dot, mat_t_vec, mat_vec, norm, rotation_exp, scale, sub,
};
use linkwork::shape::{Superquadric, SuperquadricForm};
use linkwork_scene::points::search;

use crate::table::table;

const TRIALS: usize = 40;
const POINTS: usize = 1000;
/// Rings and meridians of the mesh that points are drawn from.
const RINGS: usize = 40;
const MERIDIANS: usize = 60;

/// What is seen of a solid.
struct Case {
    name: &'static str,
    /// Along each axis, of a solid of about one meter.
    noise: f64,
    /// This part of the points is anywhere.
    strays: f64,
    one_sided: bool,
}

const CASES: [Case; 4] = [
    Case {
        name: "clean",
        noise: 0.0,
        strays: 0.0,
        one_sided: false,
    },
    Case {
        name: "noise 1 %",
        noise: 0.01,
        strays: 0.0,
        one_sided: false,
    },
    Case {
        name: "noise 1 %, 10 % strays",
        noise: 0.01,
        strays: 0.1,
        one_sided: false,
    },
    Case {
        name: "noise 1 %, one side, not bent",
        noise: 0.01,
        strays: 0.0,
        one_sided: true,
    },
];

/// Measures and lays out the result.
pub(crate) fn run() -> Result<String, String> {
    let mut lines = Vec::new();
    for case in &CASES {
        let mut random = Random(2024);
        let (mut seen, mut whole, mut frames) = (Vec::new(), Vec::new(), Vec::new());
        let clock = Instant::now();
        let mut time = 0.0;
        for _ in 0..TRIALS {
            let trial = Trial::of(case, &mut random);
            let (map, points) = (trial.map(case)?, trial.points(case, &mut random));
            let began = clock.elapsed().as_secs_f64();
            let found = search(&map, &points, case.one_sided).ok_or("too few points")?;
            time += clock.elapsed().as_secs_f64() - began;
            let off = |points: Vec<Vec3>| {
                let inward = |z: &Vec3| mat_t_vec(&found.rotation, sub(*z, found.origin));
                let q = &found.q[..map.coordinates().count()];
                let all = points.iter().map(|z| map.distance(q, inward(z)).abs());
                all.sum::<f64>() / points.len() as f64
            };
            let view = case.one_sided.then_some(trial.view);
            seen.push(off(trial.sample(500, 0.0, view, &mut random)));
            whole.push(off(trial.sample(500, 0.0, None, &mut random)));
            frames.push(found.frames as f64);
        }
        let good = |errors: &[f64]| {
            errors
                .iter()
                .filter(|own| **own < 0.01 + 0.5 * case.noise)
                .count()
        };
        let (good_seen, good_whole) = (good(&seen), good(&whole));
        lines.push(vec![
            case.name.to_owned(),
            format!("{:.4}, {:.4}", part(&mut seen, 0.5), part(&mut seen, 0.9)),
            format!("{good_seen} of {TRIALS}"),
            format!("{good_whole} of {TRIALS}"),
            format!(
                "{:.0}, {:.0}",
                part(&mut frames, 0.5),
                part(&mut frames, 1.0)
            ),
            format!("{:.0}", 1e3 * time / TRIALS as f64),
        ]);
    }
    let head = [
        "data",
        "error: median, 90 %",
        "good where seen",
        "good all over",
        "frames: median, most",
        "ms a fit",
    ];
    Ok(table(&head, &lines))
}

/// The number that this part of a list is not above.
fn part(list: &mut [f64], part: f64) -> f64 {
    list.sort_by(f64::total_cmp);
    list[((list.len() - 1) as f64 * part) as usize]
}

/// A solid somewhere, seen from somewhere.
struct Trial {
    form: SuperquadricForm,
    origin: Vec3,
    rotation: Mat3,
    view: Vec3,
    /// Corners of triangles, and the areas up to each.
    triangles: Vec<[Vec3; 3]>,
    areas: Vec<f64>,
}

impl Trial {
    fn of(case: &Case, random: &mut Random) -> Self {
        let sizes = [(0.2, 0.5), (0.2, 0.5), (0.8, 1.2)];
        let a = sizes.map(|(from, to)| random.between(from, to));
        let mut form = SuperquadricForm::new(a, random.pair(0.3, 1.2));
        form.taper = random.pair(-0.5, 0.5);
        if !case.one_sided {
            form.bend = random.pair(-0.8, 0.8);
        }
        let origin = random.normal();
        let angle = random.between(0.0, 3.1);
        let mut own = Self {
            form,
            origin,
            rotation: rotation_exp(scale(angle, random.direction())),
            view: random.direction(),
            triangles: Vec::new(),
            areas: Vec::new(),
        };
        own.mesh();
        own
    }

    fn mesh(&mut self) {
        use std::f64::consts::{PI, TAU};
        let corner = |i: usize, j: usize| {
            let u = PI * (i as f64 / RINGS as f64 - 0.5);
            self.form
                .surface_point(u, TAU * (j as f64 / MERIDIANS as f64 - 0.5))
        };
        let mut area = 0.0;
        for i in 0..RINGS {
            for j in 0..MERIDIANS {
                let [a, b, c, d] = [
                    corner(i, j),
                    corner(i, j + 1),
                    corner(i + 1, j + 1),
                    corner(i + 1, j),
                ];
                for own in [[a, b, c], [a, c, d]] {
                    area += 0.5 * norm(outward(&own));
                    self.triangles.push(own);
                    self.areas.push(area);
                }
            }
        }
    }

    /// Points all over the surface, or where it faces `view`.
    fn sample(&self, n: usize, noise: f64, view: Option<Vec3>, random: &mut Random) -> Vec<Vec3> {
        let mut points = Vec::new();
        let all = self.areas.last().copied().unwrap_or(0.0);
        while points.len() < n {
            let at = random.between(0.0, all);
            let own = &self.triangles[self.areas.partition_point(|area| *area <= at)];
            let [mut u, mut v] = random.pair(0.0, 1.0);
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let faces = |view: Vec3| dot(outward(own), mat_t_vec(&self.rotation, view)) >= 0.0;
            if !view.is_none_or(faces) {
                continue;
            }
            let [a, b, c] = *own;
            let p = add(a, add(scale(u, sub(b, a)), scale(v, sub(c, a))));
            let x = add(self.origin, mat_vec(&self.rotation, p));
            points.push(add(x, scale(noise, random.normal())));
        }
        points
    }

    fn points(&self, case: &Case, random: &mut Random) -> Vec<Vec3> {
        let view = case.one_sided.then_some(self.view);
        let mut points = self.sample(POINTS, case.noise, view, random);
        for own in points
            .iter_mut()
            .take((case.strays * POINTS as f64) as usize)
        {
            *own = add(self.origin, [0; 3].map(|_| random.between(-2.0, 2.0)));
        }
        points
    }

    /// The shape that is sought: a ball to begin with, all of it free but shear and twist.
    fn map(&self, case: &Case) -> Result<Superquadric, String> {
        let free: &[usize] = match case.one_sided {
            true => &[0, 1, 2, 3, 4, 5, 6],
            false => &[0, 1, 2, 3, 4, 5, 6, 10, 11],
        };
        let ball = SuperquadricForm::new([1.0; 3], [1.0; 2]);
        Superquadric::new(ball, free).map_err(|error| error.to_string())
    }
}

fn outward([a, b, c]: &[Vec3; 3]) -> Vec3 {
    cross(sub(*b, *a), sub(*c, *a))
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn between(&mut self, from: f64, to: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from + (to - from) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn pair(&mut self, from: f64, to: f64) -> [f64; 2] {
        [self.between(from, to), self.between(from, to)]
    }

    /// Normally scattered along each axis.
    fn normal(&mut self) -> Vec3 {
        [0; 3].map(|_| {
            let (size, turn) = (
                self.between(1e-300, 1.0),
                self.between(0.0, std::f64::consts::TAU),
            );
            (-2.0 * size.ln()).sqrt() * turn.cos()
        })
    }

    fn direction(&mut self) -> Vec3 {
        let own = self.normal();
        scale(1.0 / norm(own), own)
    }
}
