//! Editing and building from scratch give the same bits; what is not edited stays as it is.

use linkwork::prelude::*;
use linkwork::world::{BehaviorRecord, BodyRecord, ConstraintRecord};

use crate::random_world;
use crate::{bits, bits_with, scene};

fn worlds() -> Vec<World> {
    let mut worlds: Vec<World> = (0..6)
        .map(|seed| random_world::world(70 + seed, 8, 3))
        .collect();
    worlds.extend(["ladder3:2,2", "chain-hinge:4", "hub:10", "grid:2,2"].map(scene));
    worlds
}

fn body_ids(world: &World) -> Vec<BodyId> {
    world.bodies().iter().map(BodyRecord::id).collect()
}

fn constraint_ids(world: &World) -> Vec<ConstraintId> {
    world
        .constraints()
        .iter()
        .map(ConstraintRecord::id)
        .collect()
}

/// Everything the user can see, without the counter of revisions.
fn contents(world: &World) -> String {
    format!(
        "{:?} {:?} {:?} {:?}",
        world.bodies(),
        world.constraints(),
        world.behaviors(),
        world.state()
    )
}

#[test]
fn removing_and_restoring_gives_the_same_bits() {
    for world in worlds() {
        let expected = bits(&world);
        let before = contents(&world);
        // One simulator lives through all the edits.
        let mut simulators: Vec<Simulator> = Method::ALL.iter().map(|_| Simulator::new()).collect();
        let mut check = |edited: &World, what: &str| {
            assert_eq!(contents(edited), before, "{what}");
            assert_eq!(bits(edited), expected, "{what}");
            let mut kept = vec![];
            for (simulator, method) in simulators.iter_mut().zip(Method::ALL) {
                kept.extend(bits_with(simulator, edited, method));
            }
            assert_eq!(kept, expected, "{what}, same simulator");
        };
        let mut edited = world.clone();
        check(&edited, "nothing");
        for id in constraint_ids(&world) {
            let removed = edited.remove_constraint(id).unwrap();
            Simulator::new().accelerations(&edited, Method::Direct);
            edited.restore_removed(&removed).unwrap();
        }
        check(&edited, "constraints");
        for id in body_ids(&world) {
            let removed = edited.remove_body(id).unwrap();
            edited.restore_removed(&removed).unwrap();
        }
        check(&edited, "bodies");
        // Out in one order, back in another.
        let ids = body_ids(&world);
        let (first, last) = (ids[0], ids[ids.len() - 1]);
        let one = edited.remove_body(first).unwrap();
        let two = edited.remove_body(last).unwrap();
        edited.restore_removed(&two).unwrap();
        // What held on to both is among the first; it comes back with it.
        edited.restore_removed(&one).unwrap();
        check(&edited, "two bodies");
        for id in constraint_ids(&world) {
            edited.set_constraint_enabled(id, false).unwrap();
        }
        for id in constraint_ids(&world) {
            edited.set_constraint_enabled(id, true).unwrap();
        }
        for id in body_ids(&world) {
            edited.set_body_enabled(id, false).unwrap();
            edited.set_body_enabled(id, true).unwrap();
        }
        check(&edited, "disabled and enabled");
        let rod = Rod {
            length: 1.0,
            radius: 0.1,
            mass: 1.0,
        };
        let extra = edited.add_body("extra", rod).unwrap();
        edited
            .join(
                "extra",
                Ball,
                extra.at([0.5, 0.0, 0.0]),
                GROUND.at([0.0; 3]),
            )
            .unwrap();
        Simulator::new().accelerations(&edited, Method::Direct);
        edited.remove_body(extra).unwrap();
        check(&edited, "added and removed");
    }
}

/// A world with parts taken out equals a world that never had them.
#[test]
fn an_edited_world_equals_one_built_without() {
    let build = |with: bool| {
        let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
        let rod = Rod {
            length: 1.0,
            radius: 0.05,
            mass: 1.0,
        };
        let mut end = GROUND.at([0.0; 3]);
        let mut middle = vec![];
        for i in 0..6 {
            let body = world.add_body_at(
                &format!("bar {i}"),
                rod,
                Pose::at([i as f64 + 0.5, 0.0, 0.0]),
            );
            let body = body.unwrap();
            world
                .set_v(body, &[0.1 * i as f64, 0.2, 0.0, 0.0, 0.3, 0.1])
                .unwrap();
            world
                .join(&format!("joint {i}"), Ball, end, body.at([-0.5, 0.0, 0.0]))
                .unwrap();
            end = body.at([0.5, 0.0, 0.0]);
            if with && i % 2 == 1 {
                let twig =
                    world.add_body_at(&format!("twig {i}"), rod, Pose::at([i as f64, 1.0, 0.0]));
                let twig = twig.unwrap();
                world
                    .join(
                        &format!("twig {i}"),
                        Ball,
                        body.at([0.0; 3]),
                        twig.at([-0.5, 0.0, 0.0]),
                    )
                    .unwrap();
                let tie = Distance { length: 2.0 };
                let at = [GROUND.at([0.0; 3]), twig.at([0.5, 0.0, 0.0])];
                world.add_constraint(&format!("tie {i}"), tie, &at).unwrap();
                middle.push(twig);
            }
        }
        (world, middle)
    };
    let (plain, _) = build(false);
    let (mut edited, twigs) = build(true);
    bits(&edited);
    let mut taken = vec![];
    for twig in &twigs {
        taken.push(edited.remove_body(*twig).unwrap());
    }
    assert_eq!(bits(&edited), bits(&plain));
    // Disabled parts keep their place in the state and do not act.
    let (mut resting, twigs) = build(true);
    for twig in &twigs {
        resting.set_body_enabled(*twig, false).unwrap();
    }
    let motion = |world: &World, label: &str| {
        let id = world.find_body(label).unwrap();
        let range = world.body_record(id).unwrap().v_range();
        let solution = Simulator::new()
            .accelerations(world, Method::Direct)
            .clone();
        solution.motion[range].to_vec()
    };
    for i in 0..6 {
        let label = format!("bar {i}");
        assert_eq!(motion(&resting, &label), motion(&plain, &label));
    }
    assert_eq!(motion(&resting, "twig 1"), [0.0; 6]);
    assert!(
        !resting
            .is_active(resting.find_constraint("tie 1").unwrap())
            .unwrap()
    );
    for removed in taken.iter().rev() {
        edited.restore_removed(removed).unwrap();
    }
    assert_eq!(bits(&edited), bits(&build(true).0));
}

#[test]
fn edits_leave_the_state_of_others_alone() {
    for mut world in worlds() {
        let ids = body_ids(&world);
        let state = |world: &World| -> Vec<(BodyId, Vec<f64>, Vec<f64>)> {
            world
                .bodies()
                .iter()
                .map(|record| {
                    let id = record.id();
                    (
                        id,
                        world.q(id).unwrap().to_vec(),
                        world.v(id).unwrap().to_vec(),
                    )
                })
                .collect()
        };
        let before = state(&world);
        let victim = ids[ids.len() / 2];
        let removed = world.remove_body(victim).unwrap();
        let after = state(&world);
        assert_eq!(after.len() + 1, before.len());
        assert!(after.iter().all(|kept| before.contains(kept)));
        world.restore_removed(&removed).unwrap();
        assert_eq!(state(&world), before);
        let q = world.q(victim).unwrap().to_vec();
        world.set_q(victim, &q).unwrap();
        let n = world.v(victim).unwrap().len();
        world.set_v(victim, &vec![0.25; n]).unwrap();
        for ((id, q, v), (_, q_before, v_before)) in state(&world).iter().zip(&before) {
            if *id != victim {
                assert_eq!((q, v), (q_before, v_before));
            }
        }
    }
}

#[test]
fn a_snapshot_brings_everything_back_and_ids_stay_used_up() {
    for mut world in worlds() {
        let expected = bits(&world);
        let before = contents(&world);
        let snapshot = world.snapshot();
        let ids = body_ids(&world);
        world.remove_body(ids[0]).unwrap();
        let rod = Rod {
            length: 1.0,
            radius: 0.1,
            mass: 1.0,
        };
        let young = world.add_body("young", rod).unwrap();
        world.set_time(7.0).unwrap();
        assert_ne!(contents(&world), before);
        world.restore(&snapshot).unwrap();
        assert_eq!(contents(&world), before);
        assert_eq!(bits(&world), expected);
        assert!(world.body_record(young).is_err());
        let next = world.add_body("next", rod).unwrap();
        assert!(next.number() > young.number());
        assert!(World::new().restore(&snapshot).is_err());
    }
}

/// One simulator for two worlds, in turn: it is only a cache.
#[test]
fn a_simulator_does_not_mix_worlds_up() {
    let (a, b) = (scene("ladder3:2,2"), scene("chain-hinge:5"));
    let mut simulator = Simulator::new();
    for _ in 0..2 {
        for method in Method::ALL {
            for world in [&a, &b] {
                let fresh = bits_with(&mut Simulator::new(), world, method);
                assert_eq!(bits_with(&mut simulator, world, method), fresh);
            }
        }
    }
}

/// A simulator keeps its room through edits, and nothing else: it steps like a new one.
#[test]
fn a_kept_simulator_steps_like_a_fresh_one() {
    let options = StepOptions::interactive(1.0 / 120.0);
    for mut world in worlds() {
        let mut kept = Simulator::new();
        let mut step = |world: &mut World, what: &str| {
            for _ in 0..2 {
                let before = world.state().clone();
                let mut other = world.clone();
                let fresh = Simulator::new().step(&mut other, &options);
                let result = kept.step(world, &options);
                assert_eq!(result.as_ref().err(), fresh.as_ref().err(), "{what}");
                assert_eq!(contents(world), contents(&other), "{what}");
                if result.is_ok() {
                    assert_eq!(kept.history().iter().last().unwrap().state, before);
                }
            }
            let n = kept.history().iter().count();
            assert!(n <= 2, "{what}: only steps since the edit are remembered");
        };
        let ids = body_ids(&world);
        let last = ids[ids.len() - 1];
        step(&mut world, "nothing");
        let rod = Rod {
            length: 1.0,
            radius: 0.1,
            mass: 1.0,
        };
        let extra = world.add_body("extra", rod).unwrap();
        step(&mut world, "a body");
        let tie = Distance { length: 1.0 };
        let at = [extra.at([0.5, 0.0, 0.0]), GROUND.at([0.0; 3])];
        let tie = world.add_constraint("tie", tie, &at).unwrap();
        step(&mut world, "a constraint");
        world.set_compliance(tie, &[1e-3]).unwrap();
        step(&mut world, "a soft row");
        world.set_compliance(tie, &[0.0]).unwrap();
        world.set_priority(tie, 1).unwrap();
        step(&mut world, "a lower priority");
        world.set_constraint_enabled(tie, false).unwrap();
        step(&mut world, "a disabled constraint");
        world.remove_body(extra).unwrap();
        world.set_body_enabled(last, false).unwrap();
        step(&mut world, "fewer bodies");
    }
}

#[test]
fn labels_follow_every_edit() {
    let every_label_leads_home = |world: &World| {
        for record in world.bodies() {
            assert_eq!(world.find_body(record.label()), Some(record.id()));
        }
        for record in world.constraints() {
            assert_eq!(world.find_constraint(record.label()), Some(record.id()));
        }
        for record in world.behaviors() {
            assert_eq!(world.find_behavior(record.label()), Some(record.id()));
        }
    };
    for mut world in worlds() {
        for id in body_ids(&world) {
            let label = world.body_label(id).unwrap().to_owned();
            let removed = world.remove_body(id).unwrap();
            every_label_leads_home(&world);
            assert_eq!(world.find_body(&label), None);
            for label in removed.constraint_labels() {
                assert_eq!(world.find_constraint(label), None);
            }
            for label in removed.behavior_labels() {
                assert_eq!(world.find_behavior(label), None);
            }
            world.restore_removed(&removed).unwrap();
            every_label_leads_home(&world);
        }
        let behaviors: Vec<BehaviorId> = world.behaviors().iter().map(BehaviorRecord::id).collect();
        for id in behaviors {
            let label = world.behavior_record(id).unwrap().label().to_owned();
            let removed = world.remove_behavior(id).unwrap();
            assert_eq!(world.find_behavior(&label), None);
            world.restore_removed(&removed).unwrap();
            every_label_leads_home(&world);
        }
    }
}

/// A label is no part of what is computed: another one changes no bit, and finds the same thing.
#[test]
fn labels_change_no_bits() {
    let mut world = scene("four-bar");
    let before = bits(&world);
    let (body, joint) = (world.bodies()[0].id(), world.constraints()[1].id());
    let gravity = world.behaviors()[0].id();
    world.set_body_label(body, "arm").unwrap();
    world.set_constraint_label(joint, "pivot").unwrap();
    world.set_behavior_label(gravity, "weight").unwrap();
    assert_eq!(world.find_body("arm"), Some(body));
    assert_eq!(world.find_body("crank"), None);
    assert_eq!(world.find_constraint("pivot"), Some(joint));
    assert_eq!(world.find_behavior("weight"), Some(gravity));
    assert_eq!(bits(&world), before);
    for wrong in ["", "ground", "rocker"] {
        assert!(world.set_body_label(body, wrong).is_err(), "{wrong}");
        assert_eq!(world.body_label(body).unwrap(), "arm");
    }
}
