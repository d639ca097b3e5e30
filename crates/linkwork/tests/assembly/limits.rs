//! Limits that are passed where an assembly begins, in linkages with loops.

use linkwork::assembly::AssemblyOutcome;
use linkwork::collide::Shape;
use linkwork::constraint::AngleLimit;
use linkwork::world::Collider;
use std::ops::ControlFlow;

use super::*;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

type Point = [f64; 2];

/// A point of a bar: which bar, and which of its points.
type End = (usize, usize);

/// A bar of a linkage: its points lie at these places of its own, the first at the origin, the second along x.
#[derive(Clone, Debug)]
struct Bar {
    points: Vec<Point>,
    mass: f64,
}

/// Where a bar is: its first point, and the angle of its x.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: Point,
    angle: f64,
}

/// Four-bars one after the other, and a dyad on the first coupler if it has one. The rocker of each drives the next.
#[derive(Clone, Debug)]
struct Linkage {
    /// Crank, coupler, rocker, coupler, rocker, …
    bars: Vec<Bar>,
    /// Where cranks and rockers turn.
    pivots: Vec<Point>,
    /// On which side each pair closes.
    sides: Vec<f64>,
    /// Two bars from the third point of the first coupler to a pivot.
    has_dyad: bool,
}

impl Place {
    fn point(self, own: Point) -> Point {
        let (s, c) = (libm::sin(self.angle), libm::cos(self.angle));
        [
            self.at[0] + c * own[0] - s * own[1],
            self.at[1] + s * own[0] + c * own[1],
        ]
    }
}

/// Two bars that meet, from `a` and from `b`; none where they do not reach, or are nearly straight.
fn pair(a: Point, b: Point, (r, s): (f64, f64), side: f64) -> Option<[Place; 2]> {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let d = libm::hypot(x, y);
    let along = (d * d + r * r - s * s) / (2.0 * d);
    let square = r * r - along * along;
    if square < 1e-3 * r * r {
        return None;
    }
    let turned = libm::atan2(y, x);
    let open = side * libm::atan2(square.sqrt(), along);
    let angle = turned + open;
    let knee = [a[0] + r * libm::cos(angle), a[1] + r * libm::sin(angle)];
    let back = libm::atan2(knee[1] - b[1], knee[0] - b[0]);
    Some([Place { at: a, angle }, Place { at: b, angle: back }])
}

impl Linkage {
    fn random(random: &mut Random, n_loops: usize, has_dyad: bool) -> Self {
        let bar = |random: &mut Random, low: f64, high: f64| {
            let length = random.between(low, high);
            let third = [random.between(0.2, 1.0), random.between(-0.6, 0.6)];
            Bar {
                points: vec![[0.0; 2], [length, 0.0], third],
                mass: 10.0f64.powf(random.between(-1.0, 1.0)),
            }
        };
        let mut bars = vec![bar(random, 0.2, 0.6)];
        let mut pivots = vec![[0.0; 2]];
        for k in 0..n_loops {
            bars.push(bar(random, 0.5, 1.2));
            bars.push(bar(random, 0.4, 1.0));
            pivots.push([1.0 + k as f64, random.between(-0.3, 0.3)]);
        }
        if has_dyad {
            bars.push(bar(random, 0.5, 1.2));
            bars.push(bar(random, 0.5, 1.2));
            pivots.push([random.between(0.0, 1.0), random.between(1.0, 1.5)]);
        }
        let sides = (0..n_loops + 1).map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 });
        Self {
            sides: sides.collect(),
            bars,
            pivots,
            has_dyad,
        }
    }

    fn n_loops(&self) -> usize {
        self.pivots.len() - 1
    }

    /// Where all bars are when the crank is at an angle.
    fn places(&self, crank: f64) -> Option<Vec<Place>> {
        let n_chain = self.n_loops() - usize::from(self.has_dyad);
        let length = |at: usize| self.bars[at].points[1][0];
        let at = self.pivots[0];
        let mut places = vec![Place { at, angle: crank }];
        for k in 0..n_chain {
            // The rocker of the loop before drives by its third point.
            let own = if k == 0 { 1 } else { 2 };
            let from = places[2 * k].point(self.bars[2 * k].points[own]);
            let reach = (length(2 * k + 1), length(2 * k + 2));
            places.extend(pair(from, self.pivots[k + 1], reach, self.sides[k])?);
        }
        if self.has_dyad {
            let from = places[1].point(self.bars[1].points[2]);
            let n = 2 * n_chain + 1;
            let reach = (length(n), length(n + 1));
            places.extend(pair(
                from,
                self.pivots[n_chain + 1],
                reach,
                self.sides[n_chain],
            )?);
        }
        Some(places)
    }

    /// Its hinges: bar and point of either side; no bar is the ground.
    fn hinges(&self) -> Vec<(Option<End>, End)> {
        let n_chain = self.n_loops() - usize::from(self.has_dyad);
        let mut hinges = vec![(None, (0, 0))];
        for k in 0..n_chain {
            let own = if k == 0 { 1 } else { 2 };
            hinges.push((Some((2 * k, own)), (2 * k + 1, 0)));
            hinges.push((Some((2 * k + 1, 1)), (2 * k + 2, 1)));
            hinges.push((None, (2 * k + 2, 0)));
        }
        if self.has_dyad {
            let n = 2 * n_chain + 1;
            hinges.push((Some((1, 2)), (n, 0)));
            hinges.push((Some((n, 1)), (n + 1, 1)));
            hinges.push((None, (n + 1, 0)));
        }
        hinges
    }

    /// The angle of a hinge, between minus and plus half a turn.
    fn angle(&self, places: &[Place], hinge: usize) -> f64 {
        let (a, (b, _)) = self.hinges()[hinge];
        let a = a.map_or(0.0, |(a, _)| places[a].angle);
        near_zero(places[b].angle - a)
    }

    /// The linkage where its bars are, with these ranges on hinges.
    fn world(&self, places: &[Place], limits: &[(usize, f64, f64)]) -> World {
        let mut world = World::new();
        let mut ids = Vec::new();
        for (at, (bar, place)) in self.bars.iter().zip(places).enumerate() {
            let length = bar.points[1][0];
            let rod = Rod {
                length,
                radius: 0.02,
                mass: bar.mass,
            };
            let [x, y] = place.point([0.5 * length, 0.0]);
            let pose = Pose::turned([x, y, 0.0], [0.0, 0.0, place.angle]);
            ids.push(world.add_body_at(&format!("bar {at}"), rod, pose).unwrap());
        }
        let local = |(bar, point): (usize, usize)| {
            let [x, y] = self.bars[bar].points[point];
            (ids[bar], [x - 0.5 * self.bars[bar].points[1][0], y, 0.0])
        };
        for (at, (a, b)) in self.hinges().into_iter().enumerate() {
            let hinge = Hinge { axis_world: Z };
            let (body, place) = local(b);
            let world_place = places[b.0].point(self.bars[b.0].points[b.1]);
            let ground = (GROUND, [world_place[0], world_place[1], 0.0]);
            let (other, on_other) = a.map_or(ground, local);
            let label = format!("hinge {at}");
            world
                .join(&label, hinge, other.at(on_other), body.at(place))
                .unwrap();
            for &(_, lower, upper) in limits.iter().filter(|own| own.0 == at) {
                let limit = AngleLimit {
                    lower,
                    upper,
                    restitution: 0.0,
                };
                let frames = [other.frame_along(on_other, Z), body.frame_along(place, Z)];
                world
                    .add_constraint(&format!("limits {at}"), limit, &frames)
                    .unwrap();
            }
        }
        world
    }
}

fn near_zero(angle: f64) -> f64 {
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

/// A linkage that begins beyond some of its limits, by 5 to 60 degrees. There is a pose within all of them, and a way
/// to it on which it stays closed and no pair of bars gets straight.
fn beyond(random: &mut Random, n_loops: usize, has_dyad: bool) -> World {
    loop {
        let linkage = Linkage::random(random, n_loops, has_dyad);
        let known = random.between(-3.0, 3.0);
        let start = known + random.between(-1.8, 1.8);
        let way = |part: usize| linkage.places(known + (start - known) * part as f64 / 200.0);
        if (0..=200).any(|part| way(part).is_none()) {
            continue;
        }
        let (Some(within), Some(first)) = (way(0), way(200)) else {
            continue;
        };
        let mut limits = Vec::new();
        let mut most = 0.0f64;
        for hinge in 0..linkage.hinges().len() {
            let half = random.between(2.0, 15.0).to_radians();
            let middle = linkage.angle(&within, hinge);
            if random.below(2) == 0 {
                limits.push((hinge, middle - half, middle + half));
                let off = near_zero(linkage.angle(&first, hinge) - middle).abs();
                most = most.max(off - half);
            }
        }
        let most = most.to_degrees();
        if (5.0..60.0).contains(&most) {
            return linkage.world(&first, &limits);
        }
    }
}

/// Of linkages that begin beyond their limits so many come within them. Pushing back alone meets 300, 294, 288 and 290.
#[test]
fn linkages_come_within_their_limits() {
    for (what, n_loops, has_dyad, wanted) in [
        ("four-bars", 1, false, 300),
        ("six-bars", 1, true, 300),
        ("chains of 2", 2, false, 298),
        ("chains of 4", 4, false, 300),
    ] {
        let mut random = Random::new(7);
        let (mut met, mut iterations) = (0, 0);
        for _ in 0..300 {
            let mut world = beyond(&mut random, n_loops, has_dyad);
            let report = assemble(&mut world);
            iterations += report.iterations;
            // Joints come first, and what is left is told.
            assert!(report.position_error < 1e-9, "{report:?}");
            let is_met = report.outcome == AssemblyOutcome::Assembled;
            assert_eq!(is_met, report.residuals.is_empty(), "{report:?}");
            if is_met {
                check_closed(&world, what);
                met += 1;
            }
        }
        eprintln!("{what}: {met} of 300, {iterations} displacements");
        assert!(met >= wanted, "{what}: {met} of 300");
    }
}

fn bar(length: f64) -> Bar {
    Bar {
        points: vec![[0.0; 2], [length, 0.0]],
        mass: 1.0,
    }
}

fn degrees(hinge: usize, lower: f64, upper: f64) -> (usize, f64, f64) {
    (hinge, lower.to_radians(), upper.to_radians())
}

/// A four-bar whose crank is in line with its coupler, nearly a parallelogram: both limits are 30 degrees away.
/// Whichever way the crank turns, the rocker turns the other way, and to turn both the same way the loop has to close
/// in its other pose.
fn in_line() -> World {
    let rocker = [0.05512, 0.006];
    let linkage = Linkage {
        bars: vec![
            bar(0.055),
            bar(0.35012),
            bar(libm::hypot(rocker[0], rocker[1])),
        ],
        pivots: vec![[0.0; 2], [0.35, -0.006]],
        sides: vec![1.0],
        has_dyad: false,
    };
    let askew = libm::atan2(rocker[1], rocker[0]);
    let places = [
        ([0.0; 2], 0.0),
        ([0.055, 0.0], 0.0),
        ([0.35, -0.006], askew),
    ];
    let places = places.map(|(at, angle)| Place { at, angle });
    let askew = askew.to_degrees();
    let limits = [
        degrees(0, -140.0, -30.0),
        degrees(3, askew - 140.0, askew - 30.0),
    ];
    linkage.world(&places, &limits)
}

#[test]
fn a_loop_closes_in_its_other_pose_if_limits_ask_for_it() {
    let mut world = in_line();
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
    assert!(report.residuals.is_empty());
    check_closed(&world, "in line");
}

/// A rocker that swings from 86.18 to 126.87 degrees, whatever its crank does, is to be at 66.18 degrees or less.
fn out_of_reach(crank: f64) -> World {
    let linkage = Linkage {
        bars: vec![bar(0.2), bar(1.0), bar(0.6)],
        pivots: vec![[0.0; 2], [1.0, 0.0]],
        sides: vec![1.0],
        has_dyad: false,
    };
    let least = 180.0 - libm::acos(-0.08 / 1.2).to_degrees();
    let places = linkage.places(crank).unwrap();
    linkage.world(&places, &[degrees(3, 0.0, least - 20.0)])
}

/// It is named, with what is left of it; joints stay closed.
#[test]
fn a_limit_out_of_reach_is_named() {
    for crank in [-2.0, 0.5, 1.5, 3.0] {
        let mut world = out_of_reach(crank);
        let report = assemble(&mut world);
        assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{report:?}");
        assert!(report.position_error < 1e-9 && report.angle_error < 1e-9);
        let [left] = &report.residuals[..] else {
            panic!("{report:?}");
        };
        assert_eq!(left.label, "limits 3");
        let left = left.angle.to_degrees();
        assert!((20.0 - 1e-9..20.01).contains(&left), "{left} from {crank}");
    }
}

/// A bar within its limits whose ball lies in the ground. Pushing back moves the ball out, far beyond a limit. Where it
/// began nothing is lacking to descend from, and it was pushed back from there again, forever.
#[test]
fn a_bar_held_in_the_ground_by_its_limits_stays_within_them() {
    let mut world = World::new();
    let rod = Rod {
        length: 1.0,
        radius: 0.02,
        mass: 1.0,
    };
    let bar = world
        .add_body_at("bar", rod, Pose::at([0.5, 0.0, 0.0]))
        .unwrap();
    let end = [-0.5, 0.0, 0.0];
    let hinge = Hinge { axis_world: Z };
    world
        .join("hinge", hinge, GROUND.at([0.0; 3]), bar.at(end))
        .unwrap();
    let limit = AngleLimit {
        lower: -0.1,
        upper: 0.1,
        restitution: 0.0,
    };
    let frames = [GROUND.frame_along([0.0; 3], Z), bar.frame_along(end, Z)];
    let limits = world.add_constraint("limits", limit, &frames).unwrap();
    // 0.1 m from the hinge; out of the ground it is at half a radian.
    let ball = Collider::new(Shape::Sphere { radius: 0.02 });
    let ball = ball.placed(Pose::at([-0.4, 0.0, 0.0]));
    world.set_colliders(bar, vec![ball]).unwrap();
    let up = [0.0, 0.0, std::f64::consts::FRAC_PI_2];
    let ground = Collider::new(Shape::Plane).placed(Pose::turned([0.0, 0.028, 0.0], up));
    world.set_colliders(GROUND, vec![ground]).unwrap();

    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
    assert!(report.residuals.is_empty(), "{report:?}");
    assert!(report.position_error < 1e-9 && report.angle_error < 1e-9);
    let [[angle, _]] = world.joint_angles(limits).unwrap()[..] else {
        panic!("an angle");
    };
    assert!(angle.abs() <= 0.1 + 1e-9, "{angle}");
}

/// The way to limits is told, displacement by displacement, and ends where the caller asks for it, with closed joints.
#[test]
fn the_way_to_limits_is_told_and_ends_when_asked() {
    let mut world = out_of_reach(0.5);
    let options = AssembleOptions::default();
    let mut told = Vec::new();
    let report = Simulator::new()
        .assemble_with(&mut world, &options, &mut |on_way| {
            told.push(on_way.iteration);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(told.iter().copied().eq(0..=report.iterations), "{told:?}");
    assert!(report.iterations > 3);

    let mut world = out_of_reach(0.5);
    let report = Simulator::new()
        .assemble_with(&mut world, &options, &mut |on_way| match on_way.iteration {
            0..3 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        })
        .unwrap();
    let ended = (report.outcome, report.iterations);
    assert_eq!(ended, (AssemblyOutcome::Interrupted, 3));
    assert!(report.position_error < 1e-9 && !report.residuals.is_empty());

    let mut world = out_of_reach(0.5);
    let report = Simulator::new()
        .assemble(&mut world, &options.with_max_iterations(3))
        .unwrap();
    let ended = (report.outcome, report.iterations);
    assert_eq!(ended, (AssemblyOutcome::Failed, 3));
    assert!(report.position_error < 1e-9 && !report.residuals.is_empty());
}
