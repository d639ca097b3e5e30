//! A surface over Faure's sheet of bars (1999, fig. 6).

use std::any::Any;

use linkwork::body::Solid;
use linkwork::prelude::*;

use crate::format::{SkinEntry, SkinVertex};

const COLOR: &str = "#c9a66b";

/// Two triangles for each mesh of the sheet that [`crate::faure::sheet`] builds; none over other worlds.
pub(super) fn over_sheet(world: &World) -> Option<SkinEntry> {
    let n = (0..)
        .take_while(|i| world.find_body(&format!("along {i}.0")).is_some())
        .count();
    if n == 0 {
        return None;
    }
    let node = |i: usize, j: usize| {
        // The bars along a row start at its nodes; at the last node the last bar ends.
        let (bar, side) = if i < n { (i, -0.5) } else { (i - 1, 0.5) };
        let body = format!("along {bar}.{j}");
        let record = world.body_record(world.find_body(&body)?).ok()?;
        let rigid: &dyn Any = record.body();
        let solid = rigid.downcast_ref::<RigidBody>().and_then(RigidBody::solid);
        let Some(Solid::Rod(rod)) = solid else {
            return None;
        };
        Some(SkinVertex {
            body,
            point: [side * rod.length, 0.0, 0.0].into(),
        })
    };
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            vertices.push(node(i, j)?);
            if i < n && j < n {
                let at = |i: usize, j: usize| u32::try_from(j * (n + 1) + i).ok();
                let (here, far) = (at(i, j)?, at(i + 1, j + 1)?);
                triangles.extend([[here, far, at(i + 1, j)?], [here, at(i, j + 1)?, far]]);
            }
        }
    }
    Some(SkinEntry {
        name: "sheet".to_owned(),
        color: Some(COLOR.to_owned()),
        vertices,
        triangles,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::view::point;
    use linkwork::math::{norm, sub};

    #[test]
    fn the_skin_is_as_large_as_the_sheet_and_lies_on_its_nodes() {
        let world = crate::faure::sheet(3, 0.0).unwrap();
        let skin = over_sheet(&world).unwrap();
        assert_eq!((skin.vertices.len(), skin.triangles.len()), (16, 18));
        let place = |k: u32| {
            let vertex = &skin.vertices[k as usize];
            let body = world.find_body(&vertex.body).unwrap();
            let at = body.at(point(&vertex.point).unwrap());
            world.position_world(&at).unwrap()
        };
        for [a, b, c] in &skin.triangles {
            // Two edges of a mesh, 0.2 m, and its diagonal.
            let mut edges = [(a, b), (b, c), (c, a)].map(|(a, b)| norm(sub(place(*a), place(*b))));
            edges.sort_by(f64::total_cmp);
            for (edge, expected) in edges.iter().zip([0.2, 0.2, 0.08_f64.sqrt()]) {
                assert!((edge - expected).abs() < 1e-9, "{edges:?}");
            }
        }
        assert!(over_sheet(&World::new()).is_none());
    }
}
