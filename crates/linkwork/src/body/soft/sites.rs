//! Connectors of soft bodies: matter by where it was at birth, frames that ride on it, nodes, and the volume.
//!
//! A frame rides on a triangle or tetrahedron: directions of birth are combined of its edges (and of a triangle's
//! normal), and so carried along, then made orthonormal again. Hinges, welds and sliders attach.

use super::place::Place;
use super::{At, SoftBody};
use crate::body::rigid::check_space_site;
use crate::body::tolerances::{LATITUDE, REACH};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{
    Mat3, Vec3, add, column, complete_basis, cross, dot, scale, sub, transpose, unit,
};
use crate::shape::number::{Jet, Number, Taylor, orthonormal};

impl SoftBody {
    pub(super) fn kind_of(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match *site {
            Site::Point(_) | Site::Frame { .. } => {
                let kind = check_space_site(site)?;
                self.check_matter("point", self.born_point(site))?;
                Ok(kind)
            }
            Site::Surface(u) | Site::SurfaceFrame(u) if self.form().is_some() => {
                Error::require_finite("surface", &u)?;
                self.check_matter("surface", self.born_point(site))?;
                Ok(Some(match site.is_frame() {
                    true => ConnectorKind::Frame3,
                    false => ConnectorKind::Point3,
                }))
            }
            Site::Node(node) => {
                let n = self.n_nodes();
                if node as usize >= n {
                    let problem = format!("is {node}; there are {n}, from 0");
                    return Err(Error::field("node", problem));
                }
                Ok(Some(ConnectorKind::Point3))
            }
            Site::Scalar(index) if Self::is_of_volume(index) => match self.mesh.open_edge() {
                None => Ok(Some(ConnectorKind::Scalar)),
                Some([a, b]) => Err(Error::field(
                    "scalar",
                    format!(
                        "is that of an open surface: the edge between vertices {a} and {b} belongs to one \
                         triangle only; close it"
                    ),
                )),
            },
            _ => Ok(None),
        }
    }

    fn check_matter(&self, field: &'static str, p: Vec3) -> Result<Place, Error> {
        let place = self.nearest(p, |node| self.born(node));
        if place.distance <= REACH * self.skin.longest_edge {
            return Ok(place);
        }
        let distance = place.distance;
        let what = "give one on it";
        let problem = format!("is at {p:?}, {distance:.3} m from the body's material; {what}");
        Err(Error::field(field, problem))
    }

    /// Where the matter of a site was at birth.
    fn born_point(&self, site: &Site) -> Vec3 {
        match (*site, self.form()) {
            (Site::Surface([u, v]) | Site::SurfaceFrame([u, v]), Some(form)) => {
                form.surface_point(u, v)
            }
            (Site::Point(p) | Site::Frame { origin: p, .. }, _) => p,
            (Site::Node(node), _) => self.born(node),
            _ => [0.0; 3],
        }
    }

    /// The matter of a point or a frame.
    pub(super) fn place_of(&self, site: &Site) -> Option<Place> {
        match site {
            Site::Point(_) | Site::Frame { .. } | Site::Surface(_) | Site::SurfaceFrame(_) => {
                Some(self.nearest(self.born_point(site), |node| self.born(node)))
            }
            _ => None,
        }
    }

    /// The nodes whose coordinates a site depends on; nothing means all.
    pub(super) fn nodes_of(&self, site: &Site) -> Option<Vec<u32>> {
        match site {
            Site::Node(node) => Some(vec![*node]),
            _ => self.place_of(site).map(|place| place.nodes().to_vec()),
        }
    }

    pub(super) fn fill_connector(&self, site: &Site, at: At<'_>, out: &mut ConnectorMut<'_>) {
        if let Site::Node(node) = *site {
            out.x.copy_from_slice(&at.place(node));
            out.x_dot.copy_from_slice(&at.velocity(node));
            (0..3).for_each(|k| out.L.set(k, k, 1.0));
            return;
        }
        if let Site::Scalar(index) = *site {
            return self.fill_volume(index, at, out);
        }
        let Some(place) = self.place_of(site) else {
            unreachable!("the world checks a site's kind before it is used")
        };
        out.x[..3].copy_from_slice(&place.mix(|node| at.place(node)));
        out.x_dot[..3].copy_from_slice(&place.mix(|node| at.velocity(node)));
        for node in 0..place.n {
            for k in 0..3 {
                out.L.set(k, 3 * node + k, place.weights[node]);
            }
        }
        let axes = match site {
            Site::Frame { rotation, .. } => [column(rotation, 0), column(rotation, 1)],
            Site::SurfaceFrame(u) => self.surface_axes(&place, *u),
            _ => return,
        };
        self.fill_axes(&place, axes, at, out);
    }

    /// The axes at birth of a frame of the surface: x along the normal, y along the latitude.
    fn surface_axes(&self, place: &Place, [u, v]: [f64; 2]) -> [Vec3; 2] {
        let normal = self.normal_at_birth(place);
        let north = self.form().map_or([0.0; 3], |form| {
            let point = |u| form.surface_point(u, v);
            sub(point(u + LATITUDE), point(u - LATITUDE))
        });
        let across = sub(north, scale(dot(normal, north), normal));
        let is_sound = dot(across, across) > 0.25 * dot(north, north);
        let y = unit(across).filter(|_| is_sound);
        [normal, y.unwrap_or_else(|| complete_basis(normal).0)]
    }

    /// Outward, whatever the order of the nodes.
    fn normal_at_birth(&self, place: &Place) -> Vec3 {
        let same = |triangle: &&[u32; 3]| triangle.iter().all(|node| place.nodes().contains(node));
        let triangle = self.mesh.triangles.iter().find(same);
        let corners = triangle.map(|&nodes| self.mesh.corners(nodes));
        let normal = corners.and_then(|[a, b, c]| unit(cross(sub(b, a), sub(c, a))));
        normal.unwrap_or([1.0, 0.0, 0.0])
    }

    /// What a direction of birth is made of, as edges and the normal of a triangle.
    fn parts_of(&self, place: &Place, d: Vec3, x: impl Fn(u32) -> Vec3) -> Vec3 {
        let basis = basis(place.n, place.nodes.map(x));
        let [a, b, c] = basis;
        let volume = dot(a, cross(b, c));
        [cross(b, c), cross(c, a), cross(a, b)].map(|dual| dot(dual, d) / volume)
    }

    /// Rotation, ω and their rows of a frame.
    fn fill_axes(&self, place: &Place, axes: [Vec3; 2], at: At<'_>, out: &mut ConnectorMut<'_>) {
        let parts = axes.map(|d| self.parts_of(place, d, |node| self.born(node)));
        let moving = place.nodes.map(|node| {
            let (x, v) = (at.place(node), at.velocity(node));
            std::array::from_fn(|k| Taylor::moving(x[k], v[k]))
        });
        let own: [[Taylor; 3]; 3] = carried(place.n, moving, parts);
        let rotation: Mat3 = transpose(&own.map(|axis| axis.map(|x| x.v)));
        out.x[3..].copy_from_slice(rotation.as_flattened());
        let turning = |rate: fn(Taylor) -> f64| {
            let turned = own.map(|axis| cross(axis.map(|x| x.v), axis.map(rate)));
            scale(0.5, add(turned[0], add(turned[1], turned[2])))
        };
        out.x_dot[3..].copy_from_slice(&turning(|x| x.d));
        out.ell[3..].copy_from_slice(&turning(|x| x.dd));
        let variables = [0, 1, 2, 3].map(|of: usize| {
            let x = at.place(place.nodes[of]);
            std::array::from_fn(|k| Jet::<12>::variable(x[k], 3 * of + k))
        });
        let own: [[Jet<12>; 3]; 3] = carried(place.n, variables, parts);
        for column in 0..3 * place.n {
            let turned = own.map(|axis| cross(axis.map(|x| x.v), axis.map(|x| x.d[column])));
            let sum = add(turned[0], add(turned[1], turned[2]));
            for (row, sum) in sum.into_iter().enumerate() {
                out.L.set(3 + row, column, 0.5 * sum);
            }
        }
    }

    /// The site of what is here in the body's frame now, by where its matter was at birth.
    pub(super) fn born_site(&self, q: &[f64], site: Site) -> Result<Site, Error> {
        let (Site::Point(p) | Site::Frame { origin: p, .. }) = site else {
            return Ok(site);
        };
        let at = At::still(q);
        let pose = self.fitted(at);
        let x = |node: u32| at.place(node);
        let place = self.nearest(pose.place(p), x);
        if place.distance > REACH * self.skin.longest_edge {
            let distance = place.distance;
            let problem = format!("is {distance:.3} m from the body's material; give one on it");
            return Err(Error::field("point", problem));
        }
        let origin = place.mix(|node| self.born(node));
        let Site::Frame { rotation, .. } = site else {
            return Ok(Site::Point(origin));
        };
        let born = place.nodes.map(|node| self.born(node));
        let parts = [0, 1].map(|k| {
            let d = pose.turn(column(&rotation, k));
            self.parts_of(&place, d, x)
        });
        Ok(Site::Frame {
            origin,
            rotation: transpose(&carried(place.n, born, parts)),
        })
    }
}

/// Edges from the first node; of a triangle the third is its normal, of length one.
fn basis<T: Number>(n: usize, x: [[T; 3]; 4]) -> [[T; 3]; 3] {
    let edge = |k: usize| std::array::from_fn(|i| x[k][i] - x[0][i]);
    let (a, b): ([T; 3], [T; 3]) = (edge(1), edge(2));
    if n == 4 {
        return [a, b, edge(3)];
    }
    let normal = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    let square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    let by = square.sqrt().recip();
    [a, b, normal.map(|n| n * by)]
}

/// Orthonormal axes that two directions with these parts became.
fn carried<T: Number>(n: usize, x: [[T; 3]; 4], parts: [Vec3; 2]) -> [[T; 3]; 3] {
    let [a, b, c] = basis(n, x);
    orthonormal(
        parts.map(|part| std::array::from_fn(|k| a[k] * part[0] + b[k] * part[1] + c[k] * part[2])),
    )
}
