//! `scaling`: block operations and times of `direct` while scenes double.

use crate::solve::{Velocities, parse_methods, scene, solve};
use crate::table::{table, us};

/// Measures and lays out every family.
pub(crate) fn run() -> Result<String, String> {
    let doubled = |start: usize, n: u32| (0..n).map(move |k| start << k);
    let families: [Vec<String>; 4] = [
        doubled(125, 6).map(|n| format!("chain:{n}")).collect(),
        doubled(48, 6).map(|n| format!("ladder:1,{n}")).collect(),
        doubled(125, 6).map(|n| format!("hub:{n}")).collect(),
        // Twice the bodies: one side doubles, then the other.
        (4..10u32)
            .map(|k| format!("grid:{},{}", 1 << k.div_ceil(2), 1 << (k / 2)))
            .collect(),
    ];
    let direct = parse_methods("direct")?;
    let mut lines = vec![];
    for family in families {
        let mut last: Option<(usize, f64)> = None;
        for name in family {
            let row = solve(&name, &scene(&name, Velocities::Allowed)?, &direct)?.remove(0);
            let (bodies, total) = (row.bodies as f64, row.times.us_total);
            let growth = |(n, us): (usize, f64)| (total / us).ln() / (bodies / n as f64).ln();
            lines.push(vec![
                name,
                row.bodies.to_string(),
                row.rows.to_string(),
                row.n_operations.to_string(),
                format!("{:.2}", row.n_operations as f64 / bodies),
                row.iterations.to_string(),
                us(total),
                format!("{:.0}", 1e3 * total / bodies),
                last.map_or(String::new(), |last| format!("{:.2}", growth(last))),
            ]);
            last = Some((row.bodies, total));
        }
        lines.push(vec![]);
    }
    lines.pop();
    let heading = [
        "scene",
        "bodies",
        "rows",
        "operations",
        "per body",
        "solves",
        "µs total",
        "ns per body",
        "time ~ bodies^",
    ];
    Ok(table(&heading, &lines))
}
