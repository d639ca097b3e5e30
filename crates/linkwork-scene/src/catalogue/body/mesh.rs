//! A solid bounded by triangles.

use super::*;
use linkwork::collide::{Polyhedron, Triangles};

use crate::catalogue::Form;

pub(super) const VERTICES: Field = Field::new("vertices", Form::Points, "Corners, m.").required();
pub(super) const TRIANGLES: Field = Field::new(
    "triangles",
    Form::Triangles,
    "Three indices of corners each, counter-clockwise as seen from outside.",
)
.required();
pub(super) const CONVEX: Field = Field::new(
    "convex",
    Form::Flag,
    "Whether it collides as its convex hull; else as its triangles, from both sides, also if they are open.",
)
.default("true");

/// The triangles that it collides as, unless it does as its hull.
fn surface(fields: &Fields) -> Result<Option<Shape>, Fault> {
    if fields.or(&CONVEX, true)? {
        return Ok(None);
    }
    let triangles = Triangles::new(fields.need(&VERTICES)?, fields.need(&TRIANGLES)?)?;
    Ok(Some(Shape::Mesh(Arc::new(triangles))))
}

/// The hull that a part collides as, if it is a mesh. A hull has a volume whether or not its surface is closed.
pub(super) fn hull(fields: &Fields) -> Result<Option<Shape>, Fault> {
    let Some(vertices) = fields.get::<&[Vec3]>(&VERTICES)? else {
        return Ok(None);
    };
    let n = vertices.len();
    let triangles: &[[u32; 3]] = fields.need(&TRIANGLES)?;
    let mut corners = triangles.as_flattened().iter();
    if let Some(bad) = corners.find(|&&corner| corner as usize >= n) {
        let problem = format!("has vertex {bad}, but there are {n} vertices");
        return Err(Fault::at(TRIANGLES.name, problem).hint("count them from zero"));
    }
    let hull = Polyhedron::new(vertices).map_err(|error| match Fault::from(error) {
        fault if fault.path == "points" => Fault::at(VERTICES.name, fault.problem),
        fault => fault,
    })?;
    Ok(Some(Shape::Hull(Arc::new(hull))))
}

static PART: PartType = PartType {
    kind: Type::new(
        60,
        "mesh",
        "A solid bounded by triangles.",
        &[&[VERTICES, TRIANGLES, CONVEX, MASS, DENSITY], POSE],
    ),
    solid: Some(|fields| {
        let vertices: &[Vec3] = fields.need(&VERTICES)?;
        let triangles: &[[u32; 3]] = fields.need(&TRIANGLES)?;
        let mut mesh = TriangleMesh {
            vertices: vertices.to_vec(),
            triangles: triangles.to_vec(),
            density: 1.0,
        };
        let volume = mesh.mass_properties()?.mass;
        mesh.density = match (fields.has(&MASS), fields.get(&DENSITY)?) {
            (false, Some(density)) => density,
            _ => mass_of(fields, volume)? / volume,
        };
        Ok(mesh.into())
    }),
    surface,
    describe: |solid| match solid {
        Solid::Mesh(mesh) => Some(
            Fields::default()
                .with(&VERTICES, mesh.vertices.clone())
                .with(&TRIANGLES, mesh.triangles.clone())
                .with(&DENSITY, mesh.density),
        ),
        _ => None,
    },
    shape: |fields| {
        let vertices: &[Vec3] = fields.get(&VERTICES).ok()??;
        let triangles: &[[u32; 3]] = fields.get(&TRIANGLES).ok()??;
        Some(ShapeLook::Mesh {
            vertices: vertices.to_vec(),
            triangles: triangles.to_vec(),
        })
    },
};

pub(super) static TYPE: BodyType = BodyType::solid(
    &PART,
    &[&[VERTICES, TRIANGLES, CONVEX, MASS, DENSITY], POSE, MOVING],
);
