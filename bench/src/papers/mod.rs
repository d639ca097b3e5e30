//! `papers`: published times beside ours, and the ratios the engine is held to.

mod contacts;

use linkwork::constraint::FramePair;
use linkwork::prelude::*;

use crate::solve::{Entry, Row, Velocities, parse_methods, scene, solve, stir};
use crate::table::{table, us};
use crate::targets::{self, verdict};

/// Faure 1999, Table 2: p, m, and the numbers of acyclic and loop constraints a, l.
const LADDERS: [(usize, usize, usize, usize); 5] = [
    (12, 1, 75, 3),
    (12, 4, 300, 12),
    (1, 48, 432, 144),
    (1, 96, 864, 288),
    (6, 96, 3744, 288),
];

/// The table's methods, ours of the same kind, and the published milliseconds by ladder.
const FAURE: [(&str, &str, [Option<f64>; 5]); 4] = [
    (
        "full dense",
        "normal-dense",
        [Some(16.0), Some(405.0), Some(1733.0), Some(13034.0), None],
    ),
    (
        "full iterative",
        "normal-cg:1e-3",
        [
            Some(4.4),
            Some(50.0),
            Some(121.0),
            Some(370.0),
            Some(2501.0),
        ],
    ),
    (
        "structured dense",
        "forest-dense",
        [
            Some(3.1),
            Some(21.0),
            Some(323.0),
            Some(1350.0),
            Some(4612.0),
        ],
    ),
    (
        "our method (Faure's)",
        "forest-krylov:1e-3",
        [Some(4.5), Some(15.0), Some(35.0), Some(68.0), Some(208.0)],
    ),
];

/// Measured besides: not in the table.
const BESIDES: [&str; 3] = ["forest-krylov", "direct", "faer"];

/// Measured besides, by `direct` alone: their ratios are told.
const RATIOS: [&str; 6] = [
    "ladder:1,48",
    "ladder:1,1000",
    "chain:1000",
    "chain-hinge:1000",
    "baraff-chains-108",
    "tree:54",
];

/// What is solved, and by which methods.
pub(crate) struct Structure {
    pub(crate) name: String,
    pub(crate) world: World,
    pub(crate) methods: Vec<Entry>,
}

/// Everything that is solved here.
pub(crate) fn structures() -> Result<Vec<Structure>, String> {
    let mut structures = vec![];
    for (how, velocities) in [
        ("at rest", Velocities::Rest),
        ("in motion", Velocities::Allowed),
    ] {
        for at in 0..LADDERS.len() {
            let mut ladder = ladder(at, velocities)?;
            ladder.name = format!("{} {how}", ladder.name);
            structures.push(ladder);
        }
    }
    structures.extend(baraffs()?.map(|(structure, ..)| structure));
    for name in RATIOS {
        structures.push(ratio(name)?);
    }
    Ok(structures)
}

/// Measures and lays out everything.
pub(crate) fn run() -> Result<String, String> {
    let (at_rest, moving) = (ladders(Velocities::Rest)?, ladders(Velocities::Allowed)?);
    let intro = "Faure 1999, Table 2. Published: ms on an SGI O2, 180 MHz R5000, a ladder \"swinging\" in a\n\
         state that is not given, each constraint to 1e-3. Ours: µs on this machine for assembly,\n\
         factor, solve and residual, each constraint to 1e-3 of the largest error without constraint\n\
         forces. What iterations cost depends on the state, so there are two.\n";
    let faure = [
        intro.to_owned(),
        format!("Released at rest\n{}", faure(&at_rest)),
        format!("In motion\n{}", faure(&moving)),
    ];
    let contacts = contacts::contacts()?;
    Ok([faure.join("\n"), baraff()?, contacts, ratios(&moving[4])?].join("\n"))
}

/// The rows of every ladder, each measured in one interleaved run.
fn ladders(velocities: Velocities) -> Result<Vec<Vec<Row>>, String> {
    let measured = |at: usize| {
        let Structure {
            name,
            world,
            methods,
        } = ladder(at, velocities)?;
        let rows = solve(&name, &world, &methods)?;
        let counted = (rows[0].rows - rows[0].loop_rows, rows[0].loop_rows);
        let (_, _, a, l) = LADDERS[at];
        if counted != (a, l) {
            return Err(format!(
                "{name} has a, l = {counted:?}; the paper says {:?}",
                (a, l)
            ));
        }
        Ok(rows)
    };
    (0..LADDERS.len()).map(measured).collect()
}

/// A ladder of the table, and the methods to measure on it.
fn ladder(at: usize, velocities: Velocities) -> Result<Structure, String> {
    // What was not published is not worth the wait either.
    let published = FAURE.iter().filter(|(_, _, ms)| ms[at].is_some());
    let methods: Vec<&str> = published.map(|&(_, name, _)| name).chain(BESIDES).collect();
    let (p, m, _, _) = LADDERS[at];
    let name = format!("ladder:{p},{m}");
    Ok(Structure {
        world: scene(&name, velocities)?,
        methods: parse_methods(&methods.join(","))?,
        name,
    })
}

fn faure(ladders: &[Vec<Row>]) -> String {
    let by_ladder = |cell: &dyn Fn(usize) -> String| (0..5).map(cell).collect::<Vec<_>>();
    let line = |label: &str, what: &str, cells: Vec<String>| {
        let mut line = vec![label.to_owned(), what.to_owned()];
        line.extend(cells);
        line
    };
    let ours = |at: usize, name: &str| find(&ladders[at], name);
    let us_of = |name: &'static str| {
        by_ladder(&|at| ours(at, name).map_or("–".into(), |row| us(row.times.us_total)))
    };
    let mut lines = vec![line(
        "a, l (as published)",
        "",
        by_ladder(&|at| format!("{}, {}", LADDERS[at].2, LADDERS[at].3)),
    )];
    for (label, name, published) in FAURE {
        let ms = by_ladder(&|at| published[at].map_or("–".into(), |ms| ms.to_string()));
        lines.push(line(label, "published ms", ms));
        lines.push(line(&format!("  {name}"), "ours µs", us_of(name)));
    }
    for name in ["forest-krylov", "direct"] {
        lines.push(line(name, "ours µs", us_of(name)));
    }
    let faer = by_ladder(&|at| {
        ours(at, "faer").map_or("–".into(), |row| {
            us(row.times.us_factor + row.times.us_solve)
        })
    });
    lines.push(line("faer, factor and solve", "µs", faer));
    lines.push(line(
        "order of the four",
        "",
        by_ladder(&|at| {
            let published = order(|&(_, _, ms)| ms[at]);
            let measured = order(|&(_, name, _)| Some(ours(at, name)?.times.us_total));
            if published == measured {
                "same"
            } else {
                "differs"
            }
            .to_owned()
        }),
    ));
    let heads: Vec<String> = LADDERS
        .iter()
        .map(|(p, m, _, _)| format!("({p},{m})"))
        .collect();
    let mut heading = vec!["ladder", ""];
    heading.extend(heads.iter().map(String::as_str));
    table(&heading, &lines)
}

/// The table's methods from fast to slow.
fn order(time: impl Fn(&(&str, &str, [Option<f64>; 5])) -> Option<f64>) -> Vec<usize> {
    let mut timed: Vec<(f64, usize)> = (FAURE.iter().enumerate())
        .filter_map(|(at, method)| Some((time(method)?, at)))
        .collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    timed.into_iter().map(|(_, at)| at).collect()
}

/// A structure of Baraff 1996, its published milliseconds, its multipliers, primary and auxiliary, and by how
/// much others were slower: the O(n³) method, and conjugate gradients.
type Published = (Structure, &'static str, (usize, usize), [&'static str; 2]);

/// The paper's method, ours, and the two it is compared with: dense, and conjugate gradients to 1e-9 and 1e-3.
const BARAFF: &str = "forest-dense,direct,normal-dense,normal-cg,normal-cg:1e-3";

/// The structures of Baraff 1996, section 9.
fn baraffs() -> Result<[Published; 3], String> {
    let engine = |error: linkwork::Error| error.to_string();
    let structure = |name: &str, mut world: World| {
        stir(&mut world, Velocities::Allowed)?;
        Ok::<_, String>(Structure {
            name: name.to_owned(),
            world,
            methods: parse_methods(BARAFF)?,
        })
    };
    let (tree, loops) = (planar_tree(54, 0), planar_tree(48, 6));
    let balls = scene("tree:127", Velocities::Allowed)?;
    Ok([
        (
            structure("2D, 54 pins, a tree", tree.map_err(engine)?)?,
            "7.75",
            (108, 0),
            ["–", "about 3"],
        ),
        (
            structure("2D, 54 pins, 6 loops", loops.map_err(engine)?)?,
            "about 24.8",
            (96, 12),
            ["–", "about 1"],
        ),
        (
            structure("3D, 127 ball joints, a tree", balls)?,
            "44.6",
            (381, 0),
            ["close to 40", "–"],
        ),
    ])
}

/// Measures them and lays out the result.
fn baraff() -> Result<String, String> {
    let (mut lines, mut slower) = (vec![], vec![]);
    for (structure, ms, (primary, auxiliary), published) in baraffs()? {
        let label = &structure.name;
        let rows = solve(label, &structure.world, &structure.methods)?;
        let counted = (rows[0].rows - rows[0].loop_rows, rows[0].loop_rows);
        if counted != (primary, auxiliary) {
            return Err(format!("{label} has {counted:?} multipliers"));
        }
        let mut line = vec![
            label.to_owned(),
            format!("{primary} + {auxiliary}"),
            ms.to_owned(),
        ];
        line.extend(rows[..2].iter().map(|row| us(row.times.us_total)));
        line.push(us(rows[1].times.us_assemble));
        lines.push(line);
        // All but the evaluation of J, which is the same for all.
        let time = |row: &Row| row.times.us_total - row.times.us_assemble;
        let ratio = |at: usize| format!("{:.1}", time(&rows[at]) / time(&rows[0]));
        let [dense, gradients] = published.map(str::to_owned);
        let (label, own) = (label.to_owned(), ratio(1));
        slower.push(vec![
            label,
            dense,
            ratio(2),
            gradients,
            ratio(3),
            ratio(4),
            own,
        ]);
    }
    let heading = [
        "structure",
        "multipliers",
        "published ms",
        "forest-dense µs",
        "direct µs",
        "of it assembly",
    ];
    let ratios = [
        "times as long as forest-dense",
        "published, O(n³)",
        "normal-dense",
        "published, gradients",
        "normal-cg to 1e-9",
        "to 1e-3",
        "direct",
    ];
    Ok(format!(
        "Baraff 1996, §9. Published: ms on an SGI Indigo2, 250 MHz R4400; the paper says which\n\
         counts its structures had, not how they looked: ours are binary trees. The loops added\n\
         \"about 17\" ms to the tree's 7.75.\n\n{}\n\
         The paper's method is forest-dense; its gradients stop at an accuracy that is not given.\n\
         Without the evaluation of J.\n\n{}",
        table(&heading, &lines),
        table(&ratios, &slower)
    ))
}

/// A binary tree of `n` bars and pins in the plane, hung from the ground, with `n_loops` more pins
/// between cousins.
fn planar_tree(n: usize, n_loops: usize) -> Result<World, linkwork::Error> {
    let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    let rod = PlanarRod {
        length: 1.0,
        mass: 1.0,
    };
    // Body, outer end and angle of each bar.
    let mut bars: Vec<(BodyId, [f64; 2], f64)> = vec![];
    for i in 0..n {
        let (inner, from, angle) = match i.checked_sub(1).map(|i| bars[i / 2]) {
            None => (GROUND.at([0.0, 0.0]), [0.0, 0.0], 0.0),
            Some((parent, end, angle)) => {
                let turn = if i % 2 == 1 { 0.5 } else { -0.5 };
                (parent.at([0.5, 0.0]), end, angle + turn)
            }
        };
        let (cos, sin) = (angle.cos(), angle.sin());
        let body = world.add_body(&format!("bar {i}"), rod)?;
        world.set_q(body, &[from[0] + 0.5 * cos, from[1] + 0.5 * sin, angle])?;
        world.add_constraint(
            &format!("pin {i}"),
            FramePair::ball(),
            &[inner, body.at([-0.5, 0.0])],
        )?;
        bars.push((body, [from[0] + cos, from[1] + sin], angle));
    }
    // Bars 4k and 4k + 1 are inner cousins and parallel: their parents leave one point by ±0.5 rad.
    // Between their outer ends they hold a common point, which closes a loop of four bars. (A loop
    // of two sisters would hold their distance twice.)
    for k in 0..n_loops {
        let left = (n - 4) / 4 * 4 - 4 * k;
        let half = 0.5f64.sin();
        world.add_constraint(
            &format!("loop {k}"),
            FramePair::ball(),
            &[
                bars[left].0.at([0.5, -half]),
                bars[left + 1].0.at([0.5, half]),
            ],
        )?;
    }
    Ok(world)
}

/// What the engine is held to.
fn ratios(ladder_6_96: &[Row]) -> Result<String, String> {
    let mut times = vec![];
    for name in RATIOS {
        let structure = ratio(name)?;
        times.extend(solve(name, &structure.world, &structure.methods)?);
    }
    let [short, long, chain, hinges, pins, balls] = &times[..] else {
        return Err("a row is missing".to_owned());
    };
    let total = |name: &str| find(ladder_6_96, name).map_or(f64::NAN, |row| row.times.us_total);
    let faer =
        find(ladder_6_96, "faer").map_or(f64::NAN, |row| row.times.us_factor + row.times.us_solve);
    let per_body = |row: &Row| 1e3 * row.times.us_total / row.bodies as f64;
    let at_least = |what: &str, value: f64, bound: f64| {
        verdict(what, value, &format!("≥ {bound}"), value >= bound)
    };
    let at_most = |what: &str, value: f64, bound: f64| {
        verdict(what, value, &format!("≤ {bound}"), value <= bound)
    };
    let mut lines = vec![
        at_least(
            "ladder:6,96: faer's factor and solve / direct, all of it",
            faer / total("direct"),
            2.0,
        ),
        at_least(
            "ladder:6,96: forest-krylov to 1e-9 / direct",
            total("forest-krylov") / total("direct"),
            1.5,
        ),
        at_most(
            "ladder:6,96: forest-krylov to 1e-3 / direct",
            total("forest-krylov:1e-3") / total("direct"),
            4.0,
        ),
        at_most("chain:1000: direct, ns per body", per_body(chain), 200.0),
        at_most(
            "chain-hinge:1000: direct, ns per body",
            per_body(hinges),
            200.0,
        ),
        at_most(
            "chain-hinge:1000 / chain:1000: direct",
            hinges.times.us_total / chain.times.us_total,
            1.5,
        ),
        at_most(
            "ladder:1,1000 / ladder:1,48: direct",
            long.times.us_total / short.times.us_total,
            25.0,
        ),
        at_most(
            "54 pins in the plane / 54 ball joints: direct",
            pins.times.us_total / balls.times.us_total,
            1.0,
        ),
    ];
    lines.extend(targets::lines()?);
    Ok(format!(
        "What the engine is held to\n\n{}",
        table(&["ratio", "measured", "wanted", ""], &lines)
    ))
}

/// A scene whose `direct` solve is told as a ratio.
fn ratio(name: &str) -> Result<Structure, String> {
    Ok(Structure {
        name: name.to_owned(),
        world: scene(name, Velocities::Allowed)?,
        methods: parse_methods("direct")?,
    })
}

fn find<'a>(rows: &'a [Row], method: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.method == method)
}

#[cfg(test)]
mod tests {
    use linkwork::simulator::SolveOptions;
    use linkwork::system::Motion;

    use super::*;

    #[test]
    fn the_loops_of_the_planar_tree_close() {
        let mut simulator = Simulator::new();
        let world = planar_tree(48, 6).unwrap();
        simulator.fill(&world, Motion::Acceleration, &SolveOptions::default());
        assert_eq!(simulator.system().n_rows(), 108);
        assert_eq!(simulator.topology().n_loop_rows(), 12);
        assert!(simulator.system().c().iter().all(|c| c.abs() < 1e-13));
        assert_eq!(
            simulator.accelerations(&world, Method::Direct).iterations,
            1
        );
    }
}
