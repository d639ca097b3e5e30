//! Shapes have the mass properties of their closed forms, and bad numbers are refused by name.

use crate::body::IntoBody;
use crate::body::*;
use crate::math::unit;
use crate::world::World;

fn close(a: &MassProperties, b: &MassProperties, tolerance: f64) -> bool {
    let near = |x: f64, y: f64, size: f64| (x - y).abs() <= tolerance * size;
    let size = b.inertia_body[..3].iter().fold(0.0_f64, |s, i| s.max(*i));
    near(a.mass, b.mass, b.mass)
        && (0..3).all(|k| near(a.com_body[k], b.com_body[k], 1.0))
        && (0..6).all(|k| near(a.inertia_body[k], b.inertia_body[k], size))
}

fn block_mesh(low: Vec3, high: Vec3, density: f64) -> TriangleMesh {
    let vertices = (0..8)
        .map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { high[k] } else { low[k] }))
        .collect();
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    TriangleMesh {
        vertices,
        triangles: quads
            .iter()
            .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
            .collect(),
        density,
    }
}

/// A sphere from an octahedron, each triangle split in four `depth` times. No vertices are merged
/// by distance: midpoints are found by their edge.
fn ball_mesh(radius: f64, depth: usize) -> TriangleMesh {
    let mut vertices: Vec<Vec3> = (0..3)
        .flat_map(|k| {
            [1.0, -1.0].map(|sign| {
                let mut v = [0.0; 3];
                v[k] = sign;
                v
            })
        })
        .collect();
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..depth {
        let mut middles = std::collections::BTreeMap::new();
        let mut split = Vec::new();
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(i, j): (u32, u32)| {
                *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                    let (p, q) = (vertices[i as usize], vertices[j as usize]);
                    vertices.push(unit(crate::math::add(p, q)).unwrap());
                    vertices.len() as u32 - 1
                })
            });
            split.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = split;
    }
    let vertices = vertices
        .iter()
        .map(|v| crate::math::scale(radius, *v))
        .collect();
    TriangleMesh {
        vertices,
        triangles,
        density: 3.0,
    }
}

#[test]
fn meshes_agree_with_closed_forms() {
    let density = 2.5;
    let size = [0.3, 0.5, 0.7];
    let mass = density * 0.3 * 0.5 * 0.7;
    let block = Cuboid { size, mass }.mass_properties().unwrap();
    // Far from the origin: only the center of mass moves.
    for middle in [[0.0; 3], [10.0, -20.0, 30.0]] {
        let low = [0, 1, 2].map(|k| middle[k] - 0.5 * size[k]);
        let high = [0, 1, 2].map(|k| middle[k] + 0.5 * size[k]);
        let mesh = block_mesh(low, high, density).mass_properties().unwrap();
        assert!(
            close(&mesh, &block.placed(&Pose::at(middle)), 1e-12),
            "{mesh:?}"
        );
    }
    // A polyhedron with 8·4ᵈ faces inside the sphere lacks about 4⁻ᵈ of its volume.
    let radius = 0.4;
    let mass = 3.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    let ball = Sphere { radius, mass }.mass_properties().unwrap();
    let mut last = f64::INFINITY;
    for depth in 2..7 {
        let mesh = ball_mesh(radius, depth).mass_properties().unwrap();
        let error = (mesh.inertia_body[0] - ball.inertia_body[0]).abs() / ball.inertia_body[0];
        assert!(error < 0.27 * last, "depth {depth}: {error}");
        assert!(close(&mesh, &ball, 1.01 * error.max(1e-9)), "depth {depth}");
        last = error;
    }
    assert!(last < 5e-3, "{last}");
}

#[test]
fn shapes_agree_with_each_other() {
    let rod = Rod {
        length: 0.8,
        radius: 0.1,
        mass: 2.0,
    };
    let cylinder = Cylinder {
        radius: 0.1,
        length: 0.8,
        mass: 2.0,
    };
    let disc = Disc {
        radius: 0.1,
        thickness: 0.8,
        mass: 2.0,
    };
    let rod = rod.mass_properties().unwrap();
    assert_eq!(rod, cylinder.mass_properties().unwrap());
    assert_eq!(rod, disc.mass_properties().unwrap());
    assert!((rod.inertia_body[0] - 0.01).abs() < 1e-15);
    let across = 2.0 * (0.64 / 12.0 + 0.01 / 4.0);
    assert!((rod.inertia_body[1] - across).abs() < 1e-15);

    // Two half blocks, one of them turned over, are a whole one.
    let half = Cuboid {
        size: [0.3, 0.4, 0.5],
        mass: 1.0,
    };
    let whole = Cuboid {
        size: [0.6, 0.4, 0.5],
        mass: 2.0,
    };
    let half = half.mass_properties().unwrap();
    let turn = [0.0, std::f64::consts::PI, 0.0];
    let sum = MassProperties::combine(&[
        (half, Pose::at([1.15, 0.0, 0.0])),
        (half, Pose::turned([0.85, 0.0, 0.0], turn)),
    ])
    .unwrap();
    let expected = whole
        .mass_properties()
        .unwrap()
        .placed(&Pose::at([1.0, 0.0, 0.0]));
    assert!(close(&sum, &expected, 1e-14), "{sum:?}");
    // Points may be parts, not the whole.
    let point = MassProperties::centered(1.0, [0.0; 3]);
    assert!(MassProperties::combine(&[(point, Pose::at([0.0; 3]))]).is_err());
}

/// The field an edit names when it refuses `body`.
fn refused(body: impl IntoBody) -> &'static str {
    let mut world = World::new();
    match world.add_body("thing", body) {
        Err(error) => error.field_name().unwrap(),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn bad_numbers_are_refused_by_name() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let rod = |length, radius, mass| Rod {
            length,
            radius,
            mass,
        };
        assert_eq!(refused(rod(bad, 0.1, 1.0)), "length");
        assert_eq!(refused(rod(1.0, bad, 1.0)), "radius");
        assert_eq!(refused(rod(1.0, 0.1, bad)), "mass");
        let cuboid = |size, mass| Cuboid { size, mass };
        for k in 0..3 {
            let mut size = [1.0; 3];
            size[k] = bad;
            assert_eq!(refused(cuboid(size, 1.0)), "size");
        }
        assert_eq!(refused(cuboid([1.0; 3], bad)), "mass");
        let sphere = |radius, mass| Sphere { radius, mass };
        assert_eq!(refused(sphere(bad, 1.0)), "radius");
        assert_eq!(refused(sphere(1.0, bad)), "mass");
        let disc = |radius, thickness, mass| Disc {
            radius,
            thickness,
            mass,
        };
        assert_eq!(refused(disc(bad, 0.1, 1.0)), "radius");
        assert_eq!(refused(disc(1.0, bad, 1.0)), "thickness");
        assert_eq!(refused(disc(1.0, 0.1, bad)), "mass");
        assert_eq!(refused(Particle { mass: bad }), "mass");
        let planar_rod = |length, mass| PlanarRod { length, mass };
        assert_eq!(refused(planar_rod(bad, 1.0)), "length");
        assert_eq!(refused(planar_rod(1.0, bad)), "mass");
        let planar_disc = |radius, mass| PlanarDisc { radius, mass };
        assert_eq!(refused(planar_disc(bad, 1.0)), "radius");
        let planar_box = |size, mass| PlanarBox { size, mass };
        assert_eq!(refused(planar_box([1.0, bad], 1.0)), "size");
        let planar = PlanarBody {
            mass: 1.0,
            inertia: bad,
            com_body: [0.0; 2],
            outline: None,
        };
        assert_eq!(refused(planar), "inertia");
        assert_eq!(
            Sheet::rectangle([bad, 1.0], 1.0).unwrap_err().field_name(),
            Some("size")
        );
        assert_eq!(
            Sheet::rectangle([1.0, 1.0], bad).unwrap_err().field_name(),
            Some("mass")
        );
        let mut mesh = block_mesh([0.0; 3], [1.0; 3], 1.0);
        mesh.density = bad;
        assert_eq!(refused(mesh), "density");
        let properties = MassProperties::centered(bad, [1.0; 3]);
        assert_eq!(refused(RigidBody::new(properties)), "mass");
        let properties = MassProperties::centered(1.0, [bad, 1.0, 1.0]);
        assert_eq!(refused(RigidBody::new(properties)), "inertia_body");
    }
    // Fine fields whose products are not.
    let huge = Sphere {
        radius: 1e200,
        mass: 1.0,
    };
    assert_eq!(refused(huge), "inertia_body");
    let line = [([0.0, 0.0], 1.0), ([1.0, 1.0], 1.0), ([2.0, 2.0], 1.0)];
    let problem = Sheet::points(&line, 1.0).unwrap_err();
    assert_eq!(problem.field_name(), Some("second_moments_body"));
    let spin = Spin {
        start: Pose::at([0.0; 3]),
        point_world: [0.0; 3],
        axis_world: [0.0; 3],
        rate: 1.0,
    };
    assert_eq!(refused(Kinematic::new(spin)), "axis_world");
    let wild = MotionFn(|_| MotionSample::at_rest(Pose::at([f64::NAN; 3])));
    assert_eq!(refused(Kinematic::new(wild)), "position");
}

#[test]
fn bad_meshes_are_refused_with_advice() {
    let good = block_mesh([0.0; 3], [1.0; 3], 1.0);
    let check = |change: &dyn Fn(&mut TriangleMesh), words: &str| {
        let mut mesh = good.clone();
        change(&mut mesh);
        let problem = mesh.mass_properties().unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    };
    check(&|m| m.triangles.clear(), "triangles is empty");
    check(&|m| m.triangles[3][1] = 8, "vertex 8 in triangle 3");
    check(
        &|m| m.triangles[3] = [1, 1, 2],
        "repeats a vertex in triangle 3",
    );
    check(&|m| m.triangles.truncate(11), "close the surface");
    check(
        &|m| m.triangles[0].swap(0, 1),
        "orient all triangles outward",
    );
    check(
        &|m| m.triangles.iter_mut().for_each(|t| t.swap(0, 1)),
        "turn them over",
    );
    check(
        &|m| m.vertices.iter_mut().for_each(|v| v[2] = 0.0),
        "not a sheet",
    );
    check(&|m| m.vertices[2][1] = f64::NAN, "vertices contains NaN");
}
