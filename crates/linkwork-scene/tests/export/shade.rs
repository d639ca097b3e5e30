//! Numbers that color bodies: by closed form where there is one.

use linkwork::body::{Freedom, Matter, ShapeBody, SoftBody, SoftMaterial, SoftShape};
use linkwork::math::{mat_vec, norm, quat_exp, quat_to_matrix, sub};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;
use linkwork_scene::Scene;
use linkwork_scene::export::{Shade, affine_poses, look, shades};

fn numbers(scene: &Scene, by: Shade) -> Vec<f64> {
    let mut out = Vec::new();
    shades(scene, by, &mut out);
    let corners: usize = look(scene).bodies.iter().map(|own| own.corners).sum();
    assert_eq!(out.len(), corners);
    out
}

/// Corners of the only body.
fn corners(scene: &Scene) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    affine_poses(scene, &mut out);
    out[12..].as_chunks().0.to_vec()
}

fn pose() -> Pose {
    Pose {
        position: [0.3, -0.2, 0.7],
        rotation: quat_exp([0.4, -0.9, 0.2]),
    }
}

#[test]
fn a_swollen_solid_is_strained_alike_everywhere_and_displaced_by_its_radius() {
    let matter = Matter {
        density: 1000.0,
        free: [Some(Freedom::default()), None, None, None, None, None],
        ..Matter::default()
    };
    let form = SuperquadricForm::new([0.3, 0.2, 0.5], [0.8, 1.2]);
    let body = ShapeBody::superquadric(form, matter).unwrap();
    let mut world = World::new();
    let solid = world.add_body_at("solid", body, pose()).unwrap();
    let mut scene = Scene::from(world);
    let rigid = corners(&scene);
    for by in [Shade::Strain, Shade::Displacement] {
        let still = numbers(&scene, by);
        assert!(
            still.iter().all(|own| own.is_nan() || *own < 1e-12),
            "{by:?}"
        );
    }
    // Sizes are kept as logarithms.
    let mut q = scene.world.q(solid).unwrap().to_vec();
    let n = q.len();
    q[n - 3..].iter_mut().for_each(|own| *own += 1.2f64.ln());
    scene.world.set_q(solid, &q).unwrap();
    let strains = numbers(&scene, Shade::Strain);
    assert!(strains.iter().filter(|own| !own.is_nan()).count() > 600);
    assert!(
        strains
            .iter()
            .all(|own| own.is_nan() || (own - 0.2).abs() < 1e-9)
    );
    let displaced = numbers(&scene, Shade::Displacement);
    for (own, corner) in displaced.iter().zip(rigid) {
        let radius = norm(sub(corner, pose().position));
        assert!((own - 0.2 * radius).abs() < 1e-9, "{own} {radius}");
    }
}

#[test]
fn a_sheet_that_is_drawn_out_is_strained_as_far() {
    let material = SoftMaterial {
        young: 1e6,
        poisson: 0.3,
        density: 1000.0,
        damping: 0.0,
    };
    let shape = SoftShape::Sheet {
        size: [0.4, 0.2],
        cells: [4, 2],
    };
    let sheet = SoftBody::shell(shape, 1e-3, material).unwrap();
    let vertices = sheet.vertices().to_vec();
    let mut world = World::new();
    let id = world.add_body("sheet", sheet).unwrap();
    let rows = quat_to_matrix(pose().rotation);
    // 1.3 along x, 0.9 along y: the larger is told.
    let q: Vec<f64> = vertices
        .iter()
        .flat_map(|x| mat_vec(&rows, [1.3 * x[0], 0.9 * x[1], x[2]]))
        .collect();
    world.set_q(id, &q).unwrap();
    let scene = Scene::from(world);
    let strains = numbers(&scene, Shade::Strain);
    assert!(
        strains.iter().all(|own| (own - 0.3).abs() < 1e-9),
        "{strains:?}"
    );
}

#[test]
fn residuals_lie_between_those_of_points() {
    let scene = linkwork_scene::library::open("fit-cloud").unwrap();
    let mut points = Vec::new();
    linkwork_scene::points::point_lines(&scene, &mut points);
    let errors: Vec<f64> = points.chunks(8).map(|own| own[7]).collect();
    let most = errors.iter().copied().fold(0.0, f64::max);
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let residuals = numbers(&scene, Shade::Residual);
    assert!(residuals.iter().all(|own| (least..=most).contains(own)));
    let looks = look(&scene).shades;
    assert_eq!(
        looks.iter().map(|own| own.by.word()).collect::<Vec<_>>(),
        ["strain", "displacement", "residual"]
    );
    assert!(
        look(&linkwork_scene::library::open("four-bar").unwrap())
            .shades
            .is_empty()
    );
}
