//! Points that come to a scene while it is open, and what is drawn of them.

use linkwork::math::{norm, sub};
use linkwork_scene::Scene;
use linkwork_scene::command::{Command, Session};
use linkwork_scene::format::{Cell, TableEntry};
use linkwork_scene::points::{given, point_lines};

fn arm() -> Session {
    Session::new(linkwork_scene::library::open("arm").unwrap()).unwrap()
}

/// The recording of the arm, moved by some meters and seconds, without one marker, and with one that nobody knows.
fn other(scene: &Scene) -> TableEntry {
    let mut table = TableEntry::clone(&scene.tables[0]);
    table.name = "new".to_owned();
    let at = table
        .columns
        .iter()
        .position(|own| own == "DELT.x")
        .unwrap();
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        table.columns[at + k] = format!("HIP.{axis}");
    }
    for row in &mut table.rows {
        for (k, cell) in row.iter_mut().enumerate() {
            *cell = Cell(cell.0.map(|own| own + if k == 0 { 7.0 } else { 0.5 }));
        }
    }
    table
}

fn lines(scene: &Scene) -> Vec<[f64; 8]> {
    let mut out = Vec::new();
    point_lines(scene, &mut out);
    out.as_chunks().0.to_vec()
}

#[test]
fn markers_keep_their_places_by_name_and_begin_now() {
    let mut session = arm();
    session.apply(&r#"{"step": {}}"#.parse().unwrap()).unwrap();
    let before = session.scene().world.state_hash();
    let now = session.scene().world.state().t;
    let command = given(session.scene(), other(session.scene())).unwrap();
    session.apply(&command).unwrap();
    let scene = session.scene();
    assert_eq!(scene.tables.len(), 1);
    assert_eq!(scene.tables[0].rows[0][0].0, Some(now));
    // One of 24 is gone, all others are half a meter off along each axis.
    let all = lines(scene);
    assert_eq!(all.len(), 23);
    for own in &all {
        let [at, place] = [[own[1], own[2], own[3]], [own[4], own[5], own[6]]];
        assert!((norm(sub(at, place)) - own[7]).abs() < 1e-12);
        assert!((own[7] - 0.75f64.sqrt()).abs() < 0.02, "{own:?}");
    }
    session.apply(&Command::Undo).unwrap();
    assert_eq!(session.scene().world.state_hash(), before);
    assert_eq!(lines(session.scene()).len(), 24);
}

#[test]
fn a_file_without_the_markers_of_a_body_is_refused() {
    let session = arm();
    let mut table = other(session.scene());
    for own in &mut table.columns[1..] {
        own.insert(0, 'q');
    }
    let told = given(session.scene(), table).unwrap_err().to_string();
    assert!(
        told.contains("no marker is one of those that \"thorax\" follows"),
        "{told}"
    );
    assert!(told.contains("STER"), "{told}");
}

#[test]
fn another_cloud_takes_the_place_of_one_and_else_a_table_is_added() {
    let mut session = Session::new(linkwork_scene::library::open("fit-cloud").unwrap()).unwrap();
    let mut table = TableEntry::clone(&session.scene().tables[0]);
    table.rows.truncate(40);
    let command = given(session.scene(), table.clone()).unwrap();
    session.apply(&command).unwrap();
    assert_eq!(lines(session.scene()).len(), 40);
    // Markers are no cloud.
    let markers = other(arm().scene());
    let add = given(session.scene(), markers).unwrap();
    assert_eq!(add.word(), "add_table");
    session.apply(&add).unwrap();
    assert_eq!(session.scene().tables.len(), 2);
}

/// Near the surface the place of a point is on it, up to the square of how far it is off.
#[test]
fn places_of_a_cloud_are_on_the_surface() {
    let mut session = Session::new(linkwork_scene::library::open("fit-cloud").unwrap()).unwrap();
    session
        .apply(&r#"{"minimize": {}}"#.parse().unwrap())
        .unwrap();
    let scene = session.scene();
    let near: Vec<[f64; 8]> = lines(scene)
        .into_iter()
        .filter(|own| own[7] < 0.02)
        .collect();
    assert!(near.len() > 150, "{}", near.len());
    let mut table = TableEntry::clone(&scene.tables[0]);
    table.rows = near
        .iter()
        .map(|own| own[4..7].iter().map(|x| Cell(Some(*x))).collect())
        .collect();
    let command = given(scene, table).unwrap();
    let before = near.iter().map(|own| own[7]).fold(0.0, f64::max);
    session.apply(&command).unwrap();
    let after = lines(session.scene())
        .iter()
        .map(|own| own[7])
        .fold(0.0, f64::max);
    assert!(after < 0.1 * before, "{after} {before}");
}
