//! What it costs to diagnose a world.

use std::time::Instant;

use linkwork::diagnose::diagnose;

use crate::table::table;

/// Diagnoses scenes; the fastest of three runs counts.
pub(crate) fn run(scenes: &[String]) -> Result<String, String> {
    let heading = [
        "scene",
        "bodies",
        "rows",
        "rank",
        "mobility",
        "redundant",
        "ms",
    ];
    let mut rows = vec![];
    for name in scenes {
        let world = linkwork_scene::scene(name).map_err(|error| error.to_string())?;
        let (mut diagnosis, mut best) = (None, f64::INFINITY);
        for _ in 0..3 {
            let start = Instant::now();
            diagnosis = Some(diagnose(&world));
            best = best.min(start.elapsed().as_secs_f64());
        }
        if let Some(diagnosis) = diagnosis {
            rows.push(vec![
                name.clone(),
                world.bodies().len().to_string(),
                diagnosis.n_rows.to_string(),
                diagnosis.rank.to_string(),
                diagnosis.mobility.to_string(),
                diagnosis.redundant.len().to_string(),
                format!("{:.2}", 1e3 * best),
            ]);
        }
    }
    Ok(table(&heading, &rows))
}
