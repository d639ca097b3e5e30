//! Shapes that are fitted to a mesh: those with the moments of its box of equal inertia, as MuJoCo has it.

use linkwork::body::Pose;
use linkwork::math::{quat_from_matrix, sym_eigen};
use linkwork_scene::Fault;

use super::Reader;
use super::defaults::View;
use super::geom::Geom;
use crate::place::then;
use crate::report::Notes;
use crate::shapes::Shape;

impl Reader<'_, '_> {
    /// A shape `word` of a body that is fitted to a mesh: whether it is weighed, and whether it is drawn.
    pub(super) fn fit(
        &mut self,
        view: &View<'_>,
        (body, word): (&str, &str),
        pose: &Pose,
        (is_weighed, is_drawn): (bool, bool),
        notes: &mut Notes,
    ) -> Result<Geom, Fault> {
        let mut geom = Geom::default();
        if !is_weighed && !is_drawn {
            view.text("mesh");
            return Ok(geom);
        }
        let (shape, place) = match self.fitted(view, word) {
            Ok((shape, place)) => (shape, then(pose, &place)),
            Err(why) => {
                if is_drawn {
                    notes.refuse(&format!("not drawn: {why}"), body);
                }
                geom.unknown = is_weighed.then_some(why);
                return Ok(geom);
            }
        };
        if is_weighed {
            let density = view.number("density")?.unwrap_or(1000.0);
            let mass = view.number("mass")?;
            let mass = mass.unwrap_or_else(|| density * shape.volume());
            geom.mass = (mass > 0.0).then(|| shape.solid(mass).placed(&place));
        }
        if is_drawn {
            geom.draw = shape.parts(&place, self.color(view)?.as_deref())?;
        }
        Ok(geom)
    }

    /// The shape `word` that is fitted to the mesh of a `<geom>`, and its pose in the frame of the mesh; or why there
    /// is none.
    fn fitted(&mut self, view: &View<'_>, word: &str) -> Result<(Shape, Pose), String> {
        if self.compiler.fits_boxes {
            return Err("shapes are fitted to boxes around meshes (fitaabb)".to_owned());
        }
        let (surface, how) = self.mesh(view)?;
        let mass = surface
            .weigh(how, 1.0)
            .map_err(|why| format!("its mesh cannot be weighed: {why}"))?;
        let (moments, axes) = sym_eigen(&mass.inertia_body);
        // The shortest edge first: it has the largest moment.
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| moments[b].total_cmp(&moments[a]));
        let moments = order.map(|k| moments[k]);
        let mut axes = axes.map(|row| order.map(|k| row[k]));
        if linkwork::math::determinant(&axes) < 0.0 {
            axes.iter_mut().for_each(|row| row[2] = -row[2]);
        }
        // A box with edges 2a, 2b, 2c has the moments m·(b² + c²)/3, …
        let sum: f64 = moments.iter().sum();
        let said = |fault: Fault| fault.problem;
        let by = view.number("fitscale").map_err(said)?.unwrap_or(1.0);
        let half = moments.map(|own| by * (1.5 * (sum - 2.0 * own).max(0.0) / mass.mass).sqrt());
        let [a, b, c] = half;
        let radius = 0.5 * (a + b);
        let shape = match word {
            "sphere" => Shape::Sphere((a + b + c) / 3.0),
            "capsule" => Shape::Capsule(radius, 2.0 * (c - 0.5 * radius).max(0.0)),
            "cylinder" => Shape::Cylinder(radius, 2.0 * c),
            "ellipsoid" => Shape::Ellipsoid(half),
            _ => Shape::Box(half.map(|own| 2.0 * own)),
        };
        let pose = Pose {
            position: mass.com_body,
            rotation: quat_from_matrix(&axes),
        };
        Ok((shape, pose))
    }
}
