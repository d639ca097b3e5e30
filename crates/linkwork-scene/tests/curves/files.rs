//! What is saved is what was there, to the last bit.

use linkwork_scene::{library, load, save};

use crate::run;

#[test]
fn scenes_with_curves_are_saved_and_go_on_alike() {
    for name in ["curve-model", "formula-curves", "tautochrone"] {
        let mut first = library::open(name).unwrap();
        run(&mut first, 3);
        let saved = save(&first).unwrap();
        let mut again = load(&saved).unwrap();
        assert_eq!(first.world.state().q, again.world.state().q, "{name}");
        run(&mut first, 3);
        run(&mut again, 3);
        assert_eq!(first.world.state().q, again.world.state().q, "{name}");
        assert_eq!(saved, save(&load(&saved).unwrap()).unwrap(), "{name}");
    }
}
