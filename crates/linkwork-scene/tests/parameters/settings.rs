//! `--set L=0.5`, and sweeps.

use linkwork_scene::describe;
use linkwork_scene::read::{Draft, Misfit, Setting, Variant};

use super::LINKAGE;

fn with(settings: &[&str]) -> Result<Variant, String> {
    let draft = Draft::parse(LINKAGE).unwrap();
    let settings: Vec<Setting> = settings.iter().map(|own| own.parse().unwrap()).collect();
    draft.build(&settings).map_err(|misfit| match misfit {
        Misfit::Setting(fault) | Misfit::Scene(fault) => fault.to_string(),
    })
}

#[test]
fn a_parameter_is_set_by_its_name() {
    for path in ["crank", "parameters.crank", "parameters.crank.value"] {
        let scene = with(&[&format!("{path}=0.5")]).unwrap().scene;
        assert_eq!(scene.parameters.find("crank").unwrap().value, 0.5);
        let document = describe(&scene).unwrap();
        assert_eq!(document.bodies[0].get("mass"), Some(1.0));
    }
    let scene = with(&["base=1.5", "crank==base/5"]).unwrap().scene;
    assert_eq!(scene.parameters.find("coupler").unwrap().value, 1.5 * 1.2);
    assert!((scene.parameters.find("crank").unwrap().value - 0.3).abs() < 1e-15);
    let base = scene.parameters.find("base").unwrap();
    assert_eq!(
        (base.range, base.help.as_deref()),
        (Some([0.5, 2.0]), Some("between the pivots"))
    );
}

/// The scene of a file in which another number stands is the scene in which it was set.
#[test]
fn what_is_set_is_as_if_it_stood_in_the_file() {
    let set = with(&["crank=0.5"]).unwrap().scene;
    let text = LINKAGE.replace(r#""crank": 0.4"#, r#""crank": 0.5"#);
    let stood = linkwork_scene::load(&text).unwrap();
    assert_eq!(
        linkwork_scene::save(&set).unwrap(),
        linkwork_scene::save(&stood).unwrap()
    );
}

#[test]
fn a_field_is_set_to_a_text() {
    let scene = with(&["bodies.link.mass==crank/2", "bodies.box.size[0]==base/4"])
        .unwrap()
        .scene;
    let text = linkwork_scene::save(&scene).unwrap();
    assert!(text.contains(r#""mass": "=crank/2""#), "{text}");
    assert!(text.contains(r#""=base/4""#), "{text}");
}

#[test]
fn what_is_no_parameter_is_refused() {
    let refused = with(&["crnk=0.5"]).unwrap_err();
    assert!(
        refused.contains("no parameter is called \"crnk\""),
        "{refused}"
    );
    assert!(refused.contains("did you mean \"crank\"?"), "{refused}");
    let refused = with(&["crank=-1"]).unwrap_err();
    assert!(
        refused.contains("crank=-1") && refused.contains("mass"),
        "{refused}"
    );
    let refused = with(&["crank==1/0"]).unwrap_err();
    assert!(refused.contains("division by 0"), "{refused}");
}
