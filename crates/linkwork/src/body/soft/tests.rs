//! The promises of a body, bad meshes, and the counts of meshes.

use super::*;
use crate::body::check_body;

fn rubber() -> SoftMaterial {
    SoftMaterial {
        young: 40.0,
        poisson: 0.3,
        density: 2.0,
        damping: 0.02,
    }
}

fn ball(radius: f64, rings: [u32; 2]) -> SoftShape {
    let form = SuperquadricForm::new([radius; 3], [1.0; 2]);
    SoftShape::Rings { form, rings }
}

/// Large, so that nodes that are strewn by a meter leave triangles what they are.
#[test]
fn shells_keep_the_promises_of_bodies() {
    let body = SoftBody::shell(ball(9.0, [3, 4]), 0.5, rubber()).unwrap();
    let turned = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let sites = [
        Site::Point(body.born(3)),
        Site::Frame {
            origin: body.mesh.corners(body.mesh.triangles[4])[1],
            rotation: turned,
        },
        Site::Surface([0.3, 0.4]),
        Site::SurfaceFrame([-0.2, 1.0]),
        Site::Node(5),
        Site::Scalar(SoftBody::VOLUME),
        Site::Scalar(SoftBody::MOMENT + 1),
    ];
    check_body(&body, &sites, 7).unwrap();
}

#[test]
fn sheets_and_solids_keep_the_promises_of_bodies() {
    let sheet = SoftShape::Sheet {
        size: [12.0, 9.0],
        cells: [2, 1],
    };
    let body = SoftBody::shell(sheet, 0.3, rubber()).unwrap();
    check_body(&body, &[Site::Node(1), Site::Point([1.0, 2.0, 0.0])], 3).unwrap();
    let block = SoftShape::Block {
        size: [8.0, 9.0, 10.0],
        cells: [1, 1, 1],
    };
    let body = SoftBody::solid(block, rubber()).unwrap();
    let rotation = crate::math::IDENTITY3;
    let sites = [
        Site::Point([1.0, -2.0, 0.5]),
        Site::Frame {
            origin: [0.5, 1.0, -3.0],
            rotation,
        },
        Site::Scalar(SoftBody::VOLUME),
    ];
    check_body(&body, &sites, 5).unwrap();
}

fn problem(made: Result<SoftBody, Error>) -> String {
    made.unwrap_err().to_string()
}

#[test]
fn bad_surfaces_are_refused_in_words() {
    let corners: [Vec3; 5] = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.5, 0.5, 1.0],
    ];
    let shell = |triangles: &[[u32; 3]], n: usize| {
        let shape = SoftShape::Surface {
            vertices: corners[..n].to_vec(),
            triangles: triangles.to_vec(),
        };
        SoftBody::shell(shape, 0.1, rubber())
    };
    assert!(problem(shell(&[], 3)).contains("is empty"));
    assert!(problem(shell(&[[0, 1, 7]], 3)).contains("vertex 7"));
    assert!(problem(shell(&[[0, 1, 1]], 3)).contains("repeats vertex 1"));
    assert!(problem(shell(&[[0, 1, 2]], 4)).contains("number 3"));
    assert!(problem(shell(&[[0, 1, 2], [1, 2, 3]], 4)).contains("flip one of them"));
    let three = [[0, 1, 2], [1, 0, 4], [0, 1, 3]];
    assert!(problem(shell(&three, 5)).contains("3 of them meet"));
    let flat = SoftShape::Surface {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2]],
    };
    assert!(problem(SoftBody::shell(flat, 0.1, rubber())).contains("has no area"));
    // An open one has no volume.
    let open = shell(&[[0, 1, 2]], 3).unwrap();
    let volume = open.connector_kind(&Site::Scalar(SoftBody::VOLUME));
    assert!(volume.unwrap_err().to_string().contains("open surface"));
    let tetrahedron = [[0, 1, 4], [1, 2, 4], [2, 0, 4], [0, 2, 1]];
    let corners = [corners[0], corners[1], corners[2], corners[4]];
    let closed = |turned: bool| {
        let triangles = tetrahedron.map(|[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|k| if k == 4 { 3 } else { k });
            if turned { [b, a, c] } else { [a, b, c] }
        });
        let shape = SoftShape::Surface {
            vertices: corners.to_vec(),
            triangles: triangles.to_vec(),
        };
        SoftBody::shell(shape, 0.1, rubber())
    };
    assert!(closed(false).is_ok());
    assert!(problem(closed(true)).contains("inside out"));
}

#[test]
fn bad_solids_and_materials_are_refused_in_words() {
    let solid = |tetrahedron: [u32; 4], height: f64| {
        let shape = SoftShape::Tetrahedra {
            vertices: vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, height],
            ],
            tetrahedra: vec![tetrahedron],
        };
        SoftBody::solid(shape, rubber())
    };
    assert!(solid([0, 1, 2, 3], 1.0).is_ok());
    assert!(problem(solid([1, 0, 2, 3], 1.0)).contains("tetrahedron 0, which is inside out"));
    assert!(problem(solid([0, 1, 2, 3], 0.0)).contains("has no volume"));
    // One twice, one inside of another, three at a face.
    let solid = |tetrahedra: &[[u32; 4]]| {
        let shape = SoftShape::Tetrahedra {
            vertices: vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
                [0.1, 0.1, 0.5],
                [0.1, 0.1, -0.5],
            ],
            tetrahedra: tetrahedra.to_vec(),
        };
        SoftBody::solid(shape, rubber())
    };
    let below = [0, 2, 1, 5];
    assert!(problem(solid(&[[0, 1, 2, 3], [0, 1, 2, 4], below])).contains("0, 1 and 2"));
    let both = problem(solid(&[below, [0, 1, 2, 3], [1, 2, 0, 3], [0, 1, 2, 4]]));
    assert!(both.contains("tangle"), "{both}");
    assert!(problem(solid(&[[0, 1, 2, 3], [0, 1, 2, 4]])).contains("number 5"));
    let made = |change: fn(&mut SoftMaterial)| {
        let mut own = rubber();
        change(&mut own);
        SoftBody::shell(ball(1.0, [3, 4]), 0.1, own)
    };
    assert!(problem(made(|own| own.poisson = 0.5)).contains("poisson"));
    assert!(problem(made(|own| own.poisson = -0.1)).contains("poisson"));
    assert!(problem(made(|own| own.young = 0.0)).contains("young"));
    assert!(problem(made(|own| own.density = -1.0)).contains("density"));
    assert!(problem(made(|own| own.damping = -1.0)).contains("damping"));
    let thin = SoftBody::shell(ball(1.0, [3, 4]), 0.0, rubber());
    assert!(problem(thin).contains("thickness"));
    let few = SoftBody::shell(ball(1.0, [2, 4]), 0.1, rubber());
    assert!(problem(few).contains("rings"));
}

/// Volumes and masses are those of what was asked for.
#[test]
fn meshes_have_the_size_that_was_asked_for() {
    let block = SoftShape::Block {
        size: [2.0, 3.0, 4.0],
        cells: [2, 2, 3],
    };
    // Some of its nodes are inside.
    let body = SoftBody::solid(block, rubber()).unwrap();
    assert_eq!(body.n_nodes(), 3 * 3 * 4);
    assert!((body.total_mass() - 2.0 * 24.0).abs() < 1e-12);
    assert!((body.mesh.volume() - 24.0).abs() < 1e-12);
    let body = SoftBody::shell(ball(1.0, [12, 18]), 0.1, rubber()).unwrap();
    assert_eq!(body.n_nodes(), 200);
    assert!(body.mesh.open_edge().is_none());
    let area = body.total_mass() / (0.1 * 2.0);
    assert!((area / (4.0 * std::f64::consts::PI) - 1.0).abs() < 0.02);
}
