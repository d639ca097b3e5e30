//! Plots are well-formed and show everything.

use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::export::{Columns, Plot};

/// A plot of a run of `n` frames.
fn plotted(scene: &mut Scene, names: &[&str], n: usize) -> (Vec<String>, String) {
    let mut columns = Columns::parse(scene, names).unwrap();
    let mut plot = Plot::new("a <b> & \"c\"", columns.columns());
    let mut simulator = Simulator::new();
    let mut row = Vec::new();
    let mut report = None;
    for _ in 0..n {
        columns.sample(scene, report.as_ref(), &mut row);
        plot.row(&row);
        report = Some(simulator.step(&mut scene.world, &scene.options).unwrap());
    }
    let mut svg = Vec::new();
    plot.write(&mut svg).unwrap();
    (columns.header(), String::from_utf8(svg).unwrap())
}

fn texts<'a>(document: &'a roxmltree::Document<'_>, tag: &str) -> Vec<&'a str> {
    let nodes = document.descendants().filter(|node| node.has_tag_name(tag));
    nodes.filter_map(|node| node.text()).collect()
}

#[test]
fn every_column_is_a_curve_with_a_name() {
    let mut scene = Scene::from(linkwork_scene::scene("four-bar").unwrap());
    let names = ["time", "energy", "joint.*.force", "step.position_error"];
    let (header, svg) = plotted(&mut scene, &names, 90);
    let document = roxmltree::Document::parse_with_options(
        &svg,
        roxmltree::ParsingOptions {
            allow_dtd: false,
            ..Default::default()
        },
    )
    .unwrap();
    let (curves, words) = (texts(&document, "title"), texts(&document, "text"));
    assert_eq!(curves, header[1..]);
    for name in &header[1..] {
        assert!(
            words.contains(&name.as_str()),
            "{name} is not in the legend"
        );
    }
    for word in [
        "a <b> & \"c\"",
        "time (s)",
        "energy (J)",
        "force (N)",
        "position error (m)",
    ] {
        assert!(words.contains(&word), "{word} is missing");
    }
    // Each curve has a point for each of the 90 frames.
    for path in document
        .descendants()
        .filter(|node| node.has_tag_name("path"))
    {
        let n_points = path.attribute("d").unwrap().matches(['M', 'L']).count();
        assert_eq!(n_points, 90);
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn odd_numbers_and_names_do_no_harm() {
    let mut world = World::new();
    world
        .add_body("<&\u{1}\">", Particle { mass: 1.0 })
        .unwrap();
    let scene = Scene::from(world);
    let columns = Columns::parse(&scene, &["time", "body.*.position", "energy"]).unwrap();
    let n = columns.columns().len();
    let mut plot = Plot::new("", columns.columns());
    let check = |plot: &Plot| {
        let svg = plot.svg();
        roxmltree::Document::parse(&svg).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    };
    check(&plot);
    for odd in [f64::NAN, f64::INFINITY, 0.0, 1e300, -1e300, 1e-320] {
        plot.row(&vec![odd; n]);
        check(&plot);
    }
    check(&Plot::new("nothing", &[]));
}
