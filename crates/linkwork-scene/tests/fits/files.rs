//! Tables and fits in files and commands: saved, undone, replayed; and what is wrong with them.

use linkwork_scene::command::{Command, Session, replay};
use linkwork_scene::read::{in_folder, load_beside};
use linkwork_scene::{Fault, save};

use super::ellipse::{EGG, FIT, points};
use super::*;

fn do_all(session: &mut Session, lines: &[&str]) {
    for line in lines {
        let command: Command = line
            .parse()
            .unwrap_or_else(|fault| panic!("{line}: {fault}"));
        session
            .apply(&command)
            .unwrap_or_else(|fault| panic!("{line}: {fault}"));
    }
}

fn refused(session: &mut Session, line: &str) -> String {
    let command: Command = line.parse().unwrap();
    session.apply(&command).unwrap_err().to_string()
}

#[test]
fn what_is_saved_is_loaded_to_the_last_bit() {
    let mut one = scene(
        EGG,
        &table(&["x", "y"], &points(20, 0.05)),
        &FIT.replace("\"free\"", "\"huber\": 0.2, \"free\""),
    );
    let mut simulator = Simulator::new();
    for _ in 0..3 {
        step(&mut one, &mut simulator);
    }
    let text = save(&one).unwrap();
    assert!(
        text.contains("\"for\": \"data\", \"free\": [\"u\"], \"huber\": 0.2"),
        "{text}"
    );
    let mut other = load(&text).unwrap();
    assert_eq!(save(&other).unwrap(), text);
    step(&mut one, &mut simulator);
    step(&mut other, &mut Simulator::new());
    assert_eq!(one.world.state_hash(), other.world.state_hash());
}

#[test]
fn tables_are_added_set_removed_and_undone() {
    let mut session = Session::new(scene(EGG, "", "")).unwrap();
    let before = save(session.scene()).unwrap();
    do_all(
        &mut session,
        &[
            r#"{"add_table": {"name": "data", "columns": ["x", "y"], "rows": [[2, 0.1], [1.8, 0.5], [0, null], [-1, 0.4], [0.3, -0.9], [0.4, 1.2], [1, 1]]}}"#,
            r#"{"join": {"name": "fit", "type": "formula", "is": "egg(u) ~ [x, y]", "for": "data", "free": ["u"]}}"#,
        ],
    );
    let with = save(session.scene()).unwrap();
    assert_eq!(errors(session.scene(), "fit").rows.len(), 6);
    do_all(
        &mut session,
        &[
            r#"{"set_table": {"name": "data", "columns": ["y", "x", "z"], "rows": [[2, 0.1, 0], [1, 0.5, 9]]}}"#,
        ],
    );
    assert_eq!(errors(session.scene(), "fit").rows.len(), 2);
    // A table without a column that is read is refused, and nothing is lost.
    let told = refused(
        &mut session,
        r#"{"set_table": {"name": "data", "columns": ["x"], "rows": [[2]]}}"#,
    );
    assert!(
        told.contains("joints.fit") && told.contains("\"y\" is not known"),
        "{told}"
    );
    assert_eq!(errors(session.scene(), "fit").rows.len(), 2);
    do_all(&mut session, &["\"undo\""]);
    assert_eq!(save(session.scene()).unwrap(), with);
    do_all(&mut session, &[r#"{"remove_table": "data"}"#]);
    assert!(session.scene().tables.is_empty());
    assert!(session.scene().world.find_constraint("fit").is_none());
    do_all(&mut session, &["\"undo\""]);
    assert_eq!(save(session.scene()).unwrap(), with);
    do_all(&mut session, &["\"undo\"", "\"undo\""]);
    assert_eq!(save(session.scene()).unwrap(), before);
    do_all(
        &mut session,
        &["\"redo\"", "\"redo\"", r#"{"minimize": {}}"#],
    );
    let again = replay(&session.to_log().unwrap()).unwrap();
    assert_eq!(
        again.scene().world.state_hash(),
        session.scene().world.state_hash()
    );
}

#[test]
fn parameters_quantities_and_tables_are_kept_together() {
    let text = r#"{ "linkwork": 1, "parameters": { "k": 0.3, "L": 2 }, "world": { "dynamics": "first-order" },
        "bodies": [ { "name": "p", "type": "numbers", "names": ["a", "b"], "values": [0, 0] } ],
        "functions": [ "f(x) = L*x" ],
        "quantities": [ { "name": "top", "is": "p.a + f(p.b)" } ],
        "tables": [ { "name": "data", "columns": ["x", "y"], "rows": [[0, "=L"], [1, 3], [2, 4]] } ],
        "joints": [ { "name": "fit", "type": "formula", "is": "p.a + p.b*x ~ y", "for": "data", "huber": "=k" },
                    { "name": "hold", "type": "formula", "is": "top ~ 0 weight 0.001" } ] }"#;
    let scene = load(text).unwrap();
    let saved = save(&scene).unwrap();
    for part in ["\"=L\"", "\"=k\"", "f(x) = L*x", "p.a + f(p.b)"] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    let mut session = Session::new(scene).unwrap();
    let value = |session: &Session| {
        let world = &session.scene().world;
        let top = world.find_block("top").unwrap().output(0);
        world.connector_value(&top).unwrap().x[0]
    };
    do_all(
        &mut session,
        &[
            r#"{"set_body": {"name": "p", "type": "numbers", "names": ["a", "b"], "values": [1, 1]}}"#,
        ],
    );
    assert_eq!(value(&session), 3.0);
    do_all(
        &mut session,
        &[r#"{"set_parameter": {"name": "L", "value": 5}}"#],
    );
    assert_eq!(value(&session), 6.0);
    let errors = errors(session.scene(), "fit");
    assert_eq!(errors.rows[0].error, 4.0);
    assert_eq!(
        save(&load(&save(session.scene()).unwrap()).unwrap()).unwrap(),
        save(session.scene()).unwrap()
    );
}

#[test]
fn rows_lie_in_a_file_beside_the_scene() {
    let text = format!(
        "{{ \"linkwork\": 1, \"world\": {{ \"dynamics\": \"first-order\" }}, \"bodies\": [{EGG}],\n\"tables\": [{{ \"name\": \"data\", \"file\": \"points.csv\" }}], \"joints\": [{FIT}] }}"
    );
    let good = |name: &str| match name {
        "points.csv" => Ok(b"x [mm],y [mm]\n2000,100\n1800,500\n,\n".to_vec()),
        _ => Err(Fault::at("", "no such file")),
    };
    let scene = load_beside(&text, &good).unwrap();
    assert_eq!(scene.tables[0].rows[0][0].0, Some(2.0));
    assert!(save(&scene).unwrap().contains("\"rows\""));
    let told = |beside: &dyn Fn(&str) -> Result<Vec<u8>, Fault>| {
        load_beside(&text, beside).unwrap_err().to_string()
    };
    assert_eq!(
        told(&|_| Ok(b"x,y\n1,2\n3,four".to_vec())),
        "line 4, column 38: tables[0].file: points.csv:3:3: \"four\" is no number\n  hint: leave the cell empty where there is no number"
    );
    assert!(told(&|_| Err(Fault::at("", "no such file"))).contains("points.csv: no such file"));
    assert!(
        load(&text)
            .unwrap_err()
            .to_string()
            .contains("tables[0].file: is not at hand here")
    );
    for name in ["/etc/hosts", "../points.csv"] {
        let told = in_folder(std::path::Path::new("."), name)
            .unwrap_err()
            .to_string();
        assert!(told.starts_with("does not lie beside the scene"), "{told}");
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let data = r#"{ "name": "data", "columns": ["x", "y"], "rows": [[1, 2], [3, 4]] }"#;
    let build = |table: &str, joint: &str| {
        let text = format!(
            "{{ \"linkwork\": 1, \"world\": {{ \"dynamics\": \"first-order\" }}, \"bodies\": [{EGG}], \"tables\": [{table}], \"joints\": [{joint}] }}"
        );
        load(&text).unwrap_err().to_string()
    };
    for (table, joint, told) in [
        (
            r#"{ "name": "data", "columns": ["x"], "rows": [] }"#,
            FIT,
            "tables[0].rows: are 0; give 1 to 100000",
        ),
        (
            r#"{ "name": "data", "columns": [], "rows": [[]] }"#,
            FIT,
            "tables[0].columns: are 0; give 1 to 1024",
        ),
        (
            r#"{ "name": "data", "columns": ["x", "x"], "rows": [[1, 2]] }"#,
            FIT,
            "tables[0].columns[1]: \"x\" is there twice",
        ),
        (
            r#"{ "name": "data", "columns": ["x", "y"], "rows": [[1, 2], [3]] }"#,
            FIT,
            "tables[0].rows[1]: has 1 numbers for 2 columns",
        ),
        (
            r#"{ "name": "data", "columns": ["x", "y"], "rows": [[1, "two"]] }"#,
            FIT,
            "tables[0].rows[0][1]: is \"two\"",
        ),
        (
            r#"{ "name": "data", "columns": ["x", "y"], "rows": [[1, null]] }"#,
            FIT,
            "joints[0].for: \"data\" has a gap in every row that is read",
        ),
        (
            data,
            &FIT.replace("\"for\": \"data\"", "\"for\": \"date\""),
            "joints[0].for: no table is called \"date\"\n  hint: did you mean \"data\"?",
        ),
        (
            data,
            &FIT.replace("\"for\": \"data\", ", ""),
            "joints[0].free: needs a table",
        ),
        (
            data,
            &FIT.replace("[\"u\"]", "[\"u\", \"v\"]"),
            "joints[0].free[1]: \"v\" is not in the formula",
        ),
        (
            data,
            &FIT.replace("[\"u\"]", "[\"w\"]"),
            "joints[0].is: \"u\" is not known",
        ),
        (
            data,
            &FIT.replace("[\"u\"]", "[\"u in 3..1\"]"),
            "joints[0].free[0]: goes from 3 to 1",
        ),
        (
            data,
            &FIT.replace("[x, y]", "[x, z]"),
            "joints[0].is: \"z\" is not known",
        ),
        (
            data,
            &FIT.replace("egg(u) ~ [x, y]", "minimize (egg.a - x)^2"),
            "joints[0].is: is not a wish",
        ),
        (
            data,
            &FIT.replace("egg(u) ~ [x, y]", "u*x ~ y"),
            "joints[0].free[0]: \"u\" has no range",
        ),
        (
            data,
            &FIT.replace("\"free\": [\"u\"]", "\"huber\": -1")
                .replace("egg(u)", "[egg.a, egg.b]"),
            "joints[0].huber: ",
        ),
    ] {
        let own = build(table, joint);
        assert!(own.contains(told), "{own}\n{told}");
    }
}
