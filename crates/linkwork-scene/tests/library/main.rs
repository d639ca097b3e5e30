//! The library: files are what their builders say, and every scene runs as it should.

#![allow(clippy::unwrap_used)]

mod both_ends;
mod files;
mod laws;
mod motion;
mod solids;

use linkwork_scene::library::{self, Listing};

/// Tests of each scene, so that they spread over cores and a failure names its scene. A hyphen is
/// written as an underscore.
macro_rules! scenes {
    ($($scene:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($scene)),*];

        $(
            mod $scene {
                #[test]
                fn runs_as_it_should() {
                    crate::motion::check(&crate::listing(stringify!($scene)));
                }

                #[test]
                fn opens_as_it_is_listed() {
                    crate::files::check(&crate::listing(stringify!($scene)));
                }
            }
        )*
    };
}

scenes! {
    chain chain_hinge tree ladder ladder3 hub grid dumbbell bead_on_wire tinkertoy puppet puppet_show paper_doll swinging_lamp gas_spring
    baraff_fig2 baraff_127 baraff_chains_108 baraff_chains_96_12 drawbridge sliding_block bar_between_discs crowd
    particle_on_circle structure_56 shaken_plate three_characters three_characters_torn sea_weeds string_pendulum
    sheet humanoid humanoid_on_strings four_bar slider_crank bar_on_stop weight_on_rope bead_on_hills bead_on_egg_box cam_from_formula
    block_graph rosenbrock_valley beam_from_log least_tin isoperimeter tautochrone formula_curves curve_model
    fit_ellipse fit_spline fit_surface snake_cell snake_film fit_cloud arm
    superquadrics dragonfly dragonfly_swat superquadrics_fall zoo balloon balloons_2 balloons_3 soft_beam taut_strip jelly vibrating_bars
    four_bar_design slider_crank_design chebyshev hoecken chebyshev_crossed
    watt peaucellier peaucellier_driven jansen jansen_walker pantograph scotch_yoke scissor
    scissor_driven n_four_bar bricard bennett sarrus umbrella hooke double_hooke differential
    stewart stewart_driven andrews andrews_3d plate_on_strings stack incline dominoes cradle rocking_block tippe_top rolling_ball trampolines marble_run hills spiral_slide arch
    chain_over_pulley cam_follower geneva_drive ratchet gripper slider_crank_clearance escapement woodpecker walking_jansen
    falling_humanoid baraff_on_floor double_pendulum newton_euler_top
    heavy_top dzhanibekov catenary
}

fn listing(identifier: &str) -> Listing {
    let name = identifier.replace('_', "-");
    library::list()
        .find(|listing| listing.name == name)
        .unwrap()
}

#[test]
fn every_scene_has_its_tests() {
    let listed: Vec<String> = library::list()
        .map(|listing| listing.name.replace('-', "_"))
        .collect();
    assert_eq!(listed, NAMES);
}
