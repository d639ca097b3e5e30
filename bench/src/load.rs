//! What reading and writing a scene costs: time, and memory that stays.

use std::time::Instant;

use linkwork_scene::{Scene, describe, load, parse, save};

use crate::json;
use crate::table;

/// Seconds and bytes of one scene.
struct Row {
    scene: String,
    bodies: usize,
    text_bytes: usize,
    parse_ms: f64,
    load_ms: f64,
    save_ms: f64,
    /// Bytes the loaded scene holds, per body.
    memory_per_body: f64,
}

/// The fastest of a few runs, in milliseconds.
fn fastest<T>(mut run: impl FnMut() -> T) -> f64 {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        let kept = run();
        let time = start.elapsed();
        drop(kept);
        1e3 * time.as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn measure(name: &str) -> Result<Row, String> {
    let world = linkwork_scene::scene(name).map_err(|error| error.to_string())?;
    let scene = Scene::from(world);
    let text = save(&scene).map_err(|fault| fault.to_string())?;
    let mut loaded = None;
    let counted = allocation_counter::measure(|| loaded = load(&text).ok());
    let loaded = loaded.ok_or("the scene that was saved is not read")?;
    if loaded.world.state_hash() != scene.world.state_hash() {
        return Err(format!("{name} is not read as it was written"));
    }
    let bodies = loaded.world.bodies().len();
    Ok(Row {
        scene: name.to_owned(),
        bodies,
        text_bytes: text.len(),
        parse_ms: fastest(|| parse(&text)),
        load_ms: fastest(|| load(&text)),
        save_ms: fastest(|| {
            describe(&scene).and_then(|document| linkwork_scene::write::text(&document))
        }),
        memory_per_body: counted.bytes_current as f64 / bodies as f64,
    })
}

/// Measures scenes and lays out what they cost.
pub(crate) fn run(scenes: &[String], as_json: bool) -> Result<String, String> {
    let names = [
        "scene",
        "bodies",
        "text_bytes",
        "parse_ms",
        "load_ms",
        "save_ms",
        "memory_per_body",
    ];
    let mut rows = Vec::new();
    for scene in scenes {
        let row = measure(scene)?;
        let numbers = [row.parse_ms, row.load_ms, row.save_ms, row.memory_per_body];
        let [parse, load, save, memory] = numbers.map(|number| format!("{number:.1}"));
        let sizes = [row.bodies.to_string(), row.text_bytes.to_string()];
        let [bodies, text_bytes] = sizes;
        rows.push(vec![
            row.scene, bodies, text_bytes, parse, load, save, memory,
        ]);
    }
    if !as_json {
        return Ok(table::table(&names, &rows));
    }
    let object = |cells: &Vec<String>| {
        let mut fields: Vec<_> = names.into_iter().zip(cells.iter().cloned()).collect();
        fields[0].1 = json::text(&fields[0].1);
        json::object(&fields)
    };
    Ok(json::array(&rows.iter().map(object).collect::<Vec<_>>()))
}
