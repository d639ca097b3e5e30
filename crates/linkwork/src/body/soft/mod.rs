//! Soft bodies: nodes with masses, and elements that resist between them (Metaxas 1993, §3, eq. 7, 8 and 12).
//!
//! The velocities are those of the nodes, in the world: the mass is diagonal and constant, points fly straight, momenta
//! are exact, and `L` of a material point is the weights of three or four nodes. Where the body is, how it is turned
//! and how it is deformed are read off (`fit`). Every elastic force is a strain with a stiffness of zero or more:
//!
//! ```text
//!     shell, per triangle     two shears of E: Y·t·A/(1 + ν)      tr E: Y·t·A/(2·(1 − ν))      the same of t/√12·Λ
//!     solid, per tetrahedron  five shears of E: Y·V/(1 + ν)       det F − 1: Y·V/(3·(1 − 2ν))
//! ```
//!
//! E is the Green strain (`green`), Λ the change of curvature (`hinge`): both are blind to rotation. `det F − 1`
//! resists a tetrahedron that is turned inside out, which E does not see.

#![allow(non_snake_case)] // L, M, S: the letters of the papers.

mod fit;
mod green;
mod hinge;
mod mesh;
mod order;
mod place;
mod shape;
mod sites;
mod skin;
mod tension;
#[cfg(test)]
mod tests;
mod volume;

use std::sync::Arc;

use super::{Body, MassKind, MassPattern, Momentum, Pose, Strain};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, Shown};
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};
use crate::shape::SuperquadricForm;

use green::{Element, PLANE, SPACE};
use hinge::Bending;
use mesh::{Mesh, ascend};
pub use shape::SoftShape;
pub use skin::Skin;

/// Strains of a triangle, stretched or bent, and of a tetrahedron.
const OF_TRIANGLE: usize = PLANE.len();
const OF_TETRAHEDRON: usize = SPACE.len() + 1;

/// What a soft body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftMaterial {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, 0 to less than ½.
    pub poisson: f64,
    /// kg/m³.
    pub density: f64,
    /// Resistance to the rate of strain over resistance to strain, seconds.
    pub damping: f64,
}

impl SoftMaterial {
    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("young", &self.young)?;
        Error::require_positive("density", &self.density)?;
        Error::require_not_negative("damping", &self.damping)?;
        let poisson = self.poisson;
        if !(0.0..0.5).contains(&poisson) {
            let problem = format!(
                "is {}; give 0 (cork) to less than 0.5 (rubber: 0.49)",
                Shown(poisson)
            );
            return Err(Error::field("poisson", problem));
        }
        Ok(())
    }
}

/// Where nodes are and how they move.
#[derive(Clone, Copy, Debug)]
struct At<'a> {
    q: &'a [f64],
    v: &'a [f64],
}

impl<'a> At<'a> {
    fn still(q: &'a [f64]) -> Self {
        Self { q, v: &[] }
    }

    fn place(&self, node: u32) -> Vec3 {
        vector(self.q, node)
    }

    fn velocity(&self, node: u32) -> Vec3 {
        match self.v.is_empty() {
            true => [0.0; 3],
            false => vector(self.v, node),
        }
    }
}

fn vector(of: &[f64], node: u32) -> Vec3 {
    let at = 3 * node as usize;
    [of[at], of[at + 1], of[at + 2]]
}

/// A shell or a solid of nodes.
#[derive(Clone, Debug)]
pub struct SoftBody {
    shape: SoftShape,
    material: SoftMaterial,
    /// Of a shell.
    thickness: Option<f64>,
    mesh: Mesh,
    /// Triangles of a shell, or tetrahedra.
    elements: Vec<Element>,
    bendings: Vec<Bending>,
    /// Of each node.
    masses: Vec<f64>,
    pattern: Arc<MassPattern>,
    total_mass: f64,
    center: Vec3,
    /// The radius of gyration at birth.
    size: f64,
    skin: Skin,
}

impl SoftBody {
    /// A shell: a surface with a thickness.
    pub fn shell(shape: SoftShape, thickness: f64, material: SoftMaterial) -> Result<Self, Error> {
        Error::require_positive("thickness", &thickness)?;
        if !shape.is_surface() {
            let problem = "is a solid; a shell is a surface";
            return Err(Error::field("shape", problem));
        }
        Self::new(shape, Some(thickness), material)
    }

    /// A solid of tetrahedra.
    pub fn solid(shape: SoftShape, material: SoftMaterial) -> Result<Self, Error> {
        if shape.is_surface() {
            let problem = "is a surface; a solid is a block or of tetrahedra";
            return Err(Error::field("shape", problem));
        }
        Self::new(shape, None, material)
    }

    fn new(
        shape: SoftShape,
        thickness: Option<f64>,
        material: SoftMaterial,
    ) -> Result<Self, Error> {
        material.validate()?;
        let mesh = shape.mesh()?;
        let mut elements = Vec::new();
        let mut bendings = Vec::new();
        if let Some(thickness) = thickness {
            for (&triangle, edges) in mesh.triangles.iter().zip(mesh.inner_edges()) {
                let mut nodes = triangle;
                ascend(&mut nodes);
                elements.push(Element::triangle(nodes, mesh.corners(nodes)));
                bendings.extend(Bending::new(triangle, &edges, thickness, &mesh.vertices));
            }
        }
        for &(mut nodes) in &mesh.tetrahedra {
            ascend(&mut nodes);
            elements.push(Element::tetrahedron(nodes, mesh.corners(nodes)));
        }
        let mut masses = vec![0.0; mesh.vertices.len()];
        let (mut total_mass, mut moment, mut longest_edge) = (0.0, [0.0; 3], 0.0f64);
        for element in &elements {
            let share =
                material.density * thickness.unwrap_or(1.0) * element.content / element.n as f64;
            for &node in element.nodes() {
                masses[node as usize] += share;
                let corner = mesh.vertices[node as usize];
                total_mass += share;
                moment = add(moment, scale(share, corner));
                for &other in element.nodes() {
                    let apart = norm(sub(corner, mesh.vertices[other as usize]));
                    longest_edge = longest_edge.max(apart);
                }
            }
        }
        let center = scale(1.0 / total_mass, moment);
        let mut square = 0.0;
        for (mass, x) in masses.iter().zip(&mesh.vertices) {
            let arm = sub(*x, center);
            square += mass * dot(arm, arm);
        }
        let skin = Skin::new(&mesh, thickness, longest_edge);
        let n = 3 * masses.len() as u32;
        let groups = elements.iter().map(Element::nodes);
        let groups = groups.chain(bendings.iter().map(Bending::nodes));
        let order = columns(&order::dissect(&mesh.vertices, groups));
        let pattern = MassPattern::new(n as usize, (0..n).map(|i| (i, i)))?.with_order(order)?;
        Ok(Self {
            shape,
            material,
            thickness,
            mesh,
            elements,
            bendings,
            masses,
            pattern: Arc::new(pattern),
            total_mass,
            center,
            size: (square / total_mass).sqrt(),
            skin,
        })
    }

    /// How it was cut into elements.
    pub fn shape(&self) -> &SoftShape {
        &self.shape
    }

    /// What it is made of.
    pub fn material(&self) -> &SoftMaterial {
        &self.material
    }

    /// Of a shell.
    pub fn thickness(&self) -> Option<f64> {
        self.thickness
    }

    /// How many nodes it has.
    pub fn n_nodes(&self) -> usize {
        self.masses.len()
    }

    /// Where its nodes are at birth.
    pub fn vertices(&self) -> &[Vec3] {
        &self.mesh.vertices
    }

    /// The triangles of its surface, counter-clockwise as seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.mesh.triangles
    }

    /// Its mass.
    pub fn total_mass(&self) -> f64 {
        self.total_mass
    }

    fn form(&self) -> Option<&SuperquadricForm> {
        match &self.shape {
            SoftShape::Rings { form, .. } => Some(form),
            _ => None,
        }
    }

    fn born(&self, node: u32) -> Vec3 {
        self.mesh.vertices[node as usize]
    }

    /// Strains of an element that only stretches.
    fn of_element(&self) -> usize {
        match self.thickness {
            Some(_) => OF_TRIANGLE,
            None => OF_TETRAHEDRON,
        }
    }

    /// The element or the bending that a strain is of, as a place behind the elements, and which of its strains it is.
    fn owner(&self, strain: usize) -> (usize, usize) {
        let (each, n) = (self.of_element(), self.elements.len());
        match strain < each * n {
            true => (strain / each, strain % each),
            false => {
                let behind = strain - each * n;
                (n + behind / OF_TRIANGLE, behind % OF_TRIANGLE)
            }
        }
    }

    fn nodes_of_owner(&self, owner: usize) -> &[u32] {
        match self.elements.get(owner) {
            Some(element) => element.nodes(),
            None => self.bendings[owner - self.elements.len()].nodes(),
        }
    }

    /// With the stiffness of shears, or of the trace.
    fn stiff(&self, content: f64, is_shear: bool, mut strain: Strain) -> Strain {
        let SoftMaterial {
            young,
            poisson,
            damping,
            ..
        } = self.material;
        let stiffness = match (is_shear, self.thickness) {
            (true, _) => young / (1.0 + poisson),
            (false, Some(_)) => 0.5 * young / (1.0 - poisson),
            (false, None) => young / (3.0 * (1.0 - 2.0 * poisson)),
        };
        strain.stiffness = stiffness * content * self.thickness.unwrap_or(1.0);
        strain.damping = damping * strain.stiffness;
        strain
    }

    /// Tells the strains of an element or a bending: which, and the gradient over its nodes' coordinates.
    fn eval(&self, owner: usize, at: At<'_>, tell: &mut dyn FnMut(usize, Strain, &[f64])) {
        let Some(element) = self.elements.get(owner) else {
            let bending = &self.bendings[owner - self.elements.len()];
            let mut S = [[0.0; 18]; 3];
            let strains = bending.eval(at, &mut S);
            for (which, (strain, S)) in strains.into_iter().zip(&S).enumerate() {
                let strain = self.stiff(bending.area, which + 1 < OF_TRIANGLE, strain);
                tell(which, strain, &S[..3 * bending.nodes().len()]);
            }
            return;
        };
        let axes = element.axes(at);
        let each = self.of_element();
        let mut S = [0.0; 12];
        let S = &mut S[..3 * element.n];
        for which in 0..each {
            let is_shear = which + 1 < each;
            let strain = match self.thickness {
                Some(_) => element.green(&axes, &PLANE[which], S),
                None if is_shear => element.green(&axes, &SPACE[which], S),
                None => element.volume(&axes, S),
            };
            tell(which, self.stiff(element.content, is_shear, strain), S);
        }
    }

    /// Goes through all strains: which, of what, its gradient and over which nodes.
    fn for_each_strain(&self, at: At<'_>, mut see: impl FnMut(usize, Strain, &[f64], &[u32])) {
        let mut before = 0;
        for owner in 0..self.elements.len() + self.bendings.len() {
            let nodes = self.nodes_of_owner(owner);
            let mut n = 0;
            self.eval(owner, at, &mut |which, strain, S| {
                n = which + 1;
                see(before + which, strain, S, nodes);
            });
            before += n;
        }
    }
}

impl Body for SoftBody {
    fn n_q(&self) -> usize {
        3 * self.n_nodes()
    }

    fn n_v(&self) -> usize {
        3 * self.n_nodes()
    }

    fn validate(&self) -> Result<(), Error> {
        self.material.validate()
    }

    fn initial_q(&self, q: &mut [f64]) {
        q.copy_from_slice(self.mesh.vertices.as_flattened());
    }

    fn mass_kind(&self) -> MassKind {
        MassKind::Patterned(self.pattern.clone())
    }

    fn mass(&self, _q: &[f64], M: &mut [f64]) {
        for (own, mass) in M.chunks_exact_mut(3).zip(&self.masses) {
            own.fill(*mass);
        }
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.for_each_strain(At { q, v }, |_, strain, S, nodes| {
            let push = strain.push();
            for (&node, S) in nodes.iter().zip(S.chunks_exact(3)) {
                for (f, s) in f[3 * node as usize..].iter_mut().zip(S) {
                    *f += push * s;
                }
            }
        });
    }

    fn internal_energy(&self, q: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.for_each_strain(At::still(q), |_, strain, _, _| {
            sum += 0.5 * strain.stiffness * strain.value * strain.value;
        });
        sum
    }

    fn n_strains(&self) -> usize {
        self.of_element() * self.elements.len() + OF_TRIANGLE * self.bendings.len()
    }

    fn is_all_strains(&self) -> bool {
        true
    }

    fn strain_columns(&self, i: usize) -> Option<Vec<u32>> {
        Some(columns(self.nodes_of_owner(self.owner(i).0)))
    }

    fn strain(&self, i: usize, q: &[f64], v: &[f64], S: &mut [f64]) -> Strain {
        let (owner, asked) = self.owner(i);
        let mut found = Strain::default();
        self.eval(owner, At { q, v }, &mut |which, strain, own| {
            if which == asked {
                found = strain;
                S.copy_from_slice(own);
            }
        });
        found
    }

    fn strains(&self, q: &[f64], v: &[f64], tell: &mut dyn FnMut(usize, Strain, &[f64])) -> bool {
        self.for_each_strain(At { q, v }, |i, strain, S, _| tell(i, strain, S));
        true
    }

    fn strain_values(&self, q: &[f64], tell: &mut dyn FnMut(usize, f64)) -> bool {
        let at = At::still(q);
        let mut i = 0;
        let mut tell = |value: f64| {
            tell(i, value);
            i += 1;
        };
        for element in &self.elements {
            let axes = element.axes(at);
            match self.thickness {
                Some(_) => PLANE
                    .iter()
                    .for_each(|form| tell(element.value(&axes, form))),
                None => {
                    SPACE
                        .iter()
                        .for_each(|form| tell(element.value(&axes, form)));
                    tell(element.volume_value(&axes));
                }
            }
        }
        for bending in &self.bendings {
            bending.values(at).into_iter().for_each(&mut tell);
        }
        true
    }

    fn tension(&self, _q: &[f64], pull: &[f64], add: &mut dyn FnMut(usize, usize, f64)) {
        let each = self.of_element();
        for (element, pull) in self.elements.iter().zip(pull.chunks_exact(each)) {
            element.tension(pull, add);
        }
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        for (f, mass) in f.chunks_exact_mut(3).zip(&self.masses) {
            for (f, g) in f.iter_mut().zip(acceleration_world) {
                *f += mass * g;
            }
        }
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        (self.total_mass, self.center_at(At::still(q)))
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let at = At { q, v };
        let mut out = Momentum::default();
        for (node, mass) in self.masses.iter().enumerate() {
            let part = scale(*mass, at.velocity(node as u32));
            out.linear = add(out.linear, part);
            out.angular = add(out.angular, cross(at.place(node as u32), part));
        }
        out
    }

    fn skin(&self) -> Option<&Skin> {
        Some(&self.skin)
    }

    fn material_site(&self, q: &[f64], site: Site) -> Result<Site, Error> {
        self.born_site(q, site)
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        Some(self.fitted(At::still(q)).pose())
    }

    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        pose.validate()?;
        self.move_to(pose, q);
        Ok(())
    }

    fn gyration_radius(&self) -> Option<f64> {
        Some(self.size)
    }

    fn offers(&self) -> &'static str {
        "points and frames of its matter, its nodes by number, points and frames of the surface if it is made of rings, and \
         its volume if it is closed"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        self.kind_of(site)
    }

    fn columns(&self, site: &Site) -> Option<Vec<u32>> {
        self.nodes_of(site).map(|nodes| columns(&nodes))
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        self.fill_connector(site, At { q, v }, out);
    }
}

/// The coordinates of some nodes.
fn columns(nodes: &[u32]) -> Vec<u32> {
    let each = |&node: &u32| [0, 1, 2].map(|k| 3 * node + k);
    nodes.iter().flat_map(each).collect()
}
