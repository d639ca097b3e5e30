//! What a scene takes at most while it is read, diagnosed and stepped, in bytes for each byte of its text. A scene of
//! 100 MB takes a hundred times as much as the one here, whose text is 1 MB.

use std::fmt::Write;

use linkwork::diagnose::{DiagnoseOptions, diagnose_with};
use linkwork::prelude::*;

/// A chain of bars on hinges, as people write one down.
fn chain(n_bars: usize) -> String {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for bar in 0..n_bars {
        let (from, to) = (0.1 * bar as f64, 0.1 * (bar + 1) as f64);
        let held = match bar {
            0 => "ground".to_owned(),
            _ => format!("bar {}", bar - 1),
        };
        bodies.push(format!(
            "  {{ \"name\": \"bar {bar}\", \"type\": \"rod\", \"from\": [{from:.4}, 0, 0.0000], \"to\": [{to:.4}, 0, 0.0000], \
             \"radius\": 0.01, \"density\": 7850 }}"
        ));
        joints.push(format!(
            "  {{ \"name\": \"pin {bar}\", \"type\": \"hinge\", \"a\": \"{held}\", \"b\": \"bar {bar}\", \
             \"at\": [{from:.4}, 0, 0.0000], \"axis\": [0, 0, 1] }}"
        ));
    }
    let mut text = String::from("{ \"linkwork\": 1, \"world\": { \"gravity\": [0, -9.81, 0] },\n");
    let (bodies, joints) = (bodies.join(",\n"), joints.join(",\n"));
    write!(
        text,
        "\"bodies\": [\n{bodies}\n],\n\"joints\": [\n{joints}\n] }}"
    )
    .unwrap();
    text
}

#[test]
fn a_large_scene_takes_few_bytes_for_each_byte_of_its_text() {
    let text = chain(4_000);
    assert!((900_000..1_100_000).contains(&text.len()));
    let for_each = |bytes: i64| bytes as f64 / text.len() as f64;

    let mut scene = None;
    let read = allocation_counter::measure(|| scene = linkwork_scene::load(&text).ok());
    let mut scene = scene.unwrap();
    let held = read.bytes_current;

    let options = DiagnoseOptions::default().max_motions(0);
    let diagnosed = allocation_counter::measure(|| {
        assert_eq!(diagnose_with(&scene.world, &options).mobility, 4_000);
    });
    let stepped = allocation_counter::measure(|| {
        let mut simulator = Simulator::new().remembering(0);
        simulator.step(&mut scene.world, &scene.options).unwrap();
    });
    let copied = allocation_counter::measure(|| drop(scene.clone()));

    let found = [
        ("held", for_each(held), 4.3),
        ("read", for_each(read.bytes_max as i64), 5.2),
        (
            "diagnosed",
            for_each(held + diagnosed.bytes_max as i64),
            12.7,
        ),
        // Room that is never written counts too, and is no memory: about three quarters of this are.
        ("stepped", for_each(held + stepped.bytes_max as i64), 33.0),
        // What is not edited is shared: a copy is a copy of the state.
        ("copied", for_each(copied.bytes_max as i64), 0.6),
    ];
    for (what, bytes, most) in found {
        assert!(
            bytes <= most,
            "{what}: {bytes:.2} for each byte, more than {most}; {found:?}"
        );
    }
}
