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
