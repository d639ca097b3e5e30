//! The pull of points on one body: as many rows of the engine as the body has coordinates.
//!
//! ```text
//!     on the surface   r = (g − 1)/|∇g| of z in the body's frame
//!                      ∂r/∂c = −n,  ∂r/∂θ = −(z − c) × n,  ∂r/∂q_s
//!     with names       r = c + R·p(u; q_s) − z
//!                      ∂r/∂c = 1,   ∂r/∂θ = −[R·p]×,       ∂r/∂q_s = R·J
//!     E = w·Σ ρ(r)     ρ = ½·r², or with a scatter σ: ρ = σ²·ln(1.1/(φ + 0.1)),  φ = exp(−r²/2σ²)
//! ```
//!
//! (Metaxas 1993, §7.) ρ is what is lost where points are normally scattered or, one in ten at the same place,
//! anywhere: far ones pull less and less. Points are summed up as the rows of a table are (`docs/adr/0041-fits.md`).

use std::any::Any;
use std::sync::Arc;

use linkwork::body::ShapeBody;
use linkwork::connector::{Connector, ConnectorKind, Input, Site};
use linkwork::constraint::{Constraint, MAX_ROWS, RowUnit, Rows};
use linkwork::math::{
    IDENTITY3, Mat3, Vec3, add, cross, dot, mat_t_vec, mat_vec, norm, scale, sub,
};
use linkwork::prelude::*;
use linkwork::shape::{N_COORDINATES, ShapeMap, Superquadric};

use super::place::places;
use super::scatter::loss;
use super::{PointFrame, Seen, Sequence};
use crate::fault::{Fault, Under};
use crate::format::TableEntry;
use crate::formula::{FitErrors, MOST_PARTS, RowError, Sums};
use crate::scene::Scene;
use crate::table;

/// Coordinates of a frame.
const FRAME: usize = 6;

/// What a file says of points that pull a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PullText {
    /// The body.
    pub body: String,
    /// The table of the points.
    pub table: String,
    /// Which of them, by name.
    pub only: Vec<String>,
    /// Factor for the lengths of the table.
    pub scale: f64,
    /// Newtons per meter of each point.
    pub stiffness: f64,
    /// Whether each point keeps its place on the body.
    pub keeps_places: bool,
    /// Those places, in the frame of the body as it was born, in the order of the names.
    pub places: Vec<Vec3>,
    /// How far points scatter, meters; none if all count alike.
    pub sigma: Option<f64>,
    /// The points that are its own, by their rows from zero; none if all are.
    pub own: Option<Vec<u32>>,
}

/// Points that pull a body.
#[derive(Clone, Debug)]
pub struct PointPull {
    said: PullText,
    table: Arc<TableEntry>,
    sequence: Arc<Sequence>,
    /// The surface, and the matter of each named point, as [`ShapeMap::material`] tells it.
    shape: Option<Superquadric>,
    matter: Vec<Vec<f64>>,
    kinds: Vec<ConnectorKind>,
    units: [RowUnit; MAX_ROWS],
}

/// A point, and the place of the body that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLine {
    /// Its label, or its row in the table, from zero.
    pub id: usize,
    /// Where the point is, world.
    pub at: Vec3,
    /// Where the place is, world.
    pub place: Vec3,
    /// How far the point is off, m.
    pub error: f64,
}

/// Where a body is, and what its shape is.
pub(super) struct At {
    pub(super) origin: Vec3,
    pub(super) rotation: Mat3,
    /// Numbers of the shape, and how fast what connectors tell of them changes with each.
    pub(super) q: [f64; N_COORDINATES],
    rates: [f64; N_COORDINATES],
}

impl At {
    /// A point of space, in the frame of the body.
    pub(super) fn inward(&self, z: Vec3) -> Vec3 {
        mat_t_vec(&self.rotation, sub(z, self.origin))
    }
}

/// How far one point is off, and the slopes of that.
struct Pulled {
    r: [f64; MOST_PARTS],
    /// What steps are computed with.
    flat: [[f64; MAX_ROWS]; MOST_PARTS],
    /// What the energy changes with.
    slopes: [[f64; MAX_ROWS]; MOST_PARTS],
}

/// What moving and turning a body does to a distance whose slope by the point, in the frame of the body, is this; `arm`
/// is from its middle to the point.
pub(super) fn by_frame(rotation: &Mat3, arm: Vec3, by_point: Vec3) -> [f64; FRAME] {
    let by_point = mat_vec(rotation, by_point);
    let turning = cross(arm, by_point);
    std::array::from_fn(|k| if k < 3 { -by_point[k] } else { -turning[k - 3] })
}

/// The pull that a file says, and the connectors that it reads.
pub(crate) fn pull(scene: &Scene, said: PullText) -> Result<(PointPull, Vec<Connector>), Fault> {
    let table = table::named(scene, &said.table).under("for")?.clone();
    let sequence = Arc::new(Sequence::of(&table, said.scale, &said.only)?);
    let world = &scene.world;
    let body = crate::build::connector::body(world, &said.body).under("body")?;
    let record = world.body_record(body).map_err(|_| {
        let fault = Fault::at("body", "is the ground, which no point can pull");
        fault.hint("name a body")
    })?;
    let own: &dyn Any = record.body();
    let own: Option<&ShapeBody> = own.downcast_ref();
    let shape = own
        .and_then(|own| own.as_superquadric())
        .map(|own| own.0.clone());
    if shape
        .as_ref()
        .is_some_and(|own| own.n_numbers() > own.coordinates().count())
    {
        let problem = format!(
            "\"{}\" has displacements beside its shape, which points do not find",
            said.body
        );
        let hint = "use a body of type \"superquadric\" without modes";
        return Err(Fault::at("body", problem).hint(hint));
    }
    let frame = Site::Frame {
        origin: [0.0; 3],
        rotation: IDENTITY3,
    };
    let mut connectors = vec![Connector::new(body, frame)];
    let scalars = shape.iter().flat_map(Superquadric::coordinates);
    connectors.extend(scalars.map(|own| Connector::new(body, Site::Scalar(own as u32))));
    let mut pull = PointPull {
        said,
        table,
        sequence,
        matter: Vec::new(),
        kinds: std::iter::once(ConnectorKind::Frame3)
            .chain(vec![ConnectorKind::Scalar; connectors.len() - 1])
            .collect(),
        shape,
        units: [RowUnit::Number; MAX_ROWS],
    };
    pull.check()?;
    if pull.said.keeps_places {
        pull.find_places(world, body)?;
    }
    Ok((pull, connectors))
}

impl PointPull {
    fn check(&self) -> Result<(), Fault> {
        let said = &self.said;
        if said.keeps_places && !self.sequence.has_labels() {
            let problem = format!("points of \"{}\" have no names to be kept by", said.table);
            return Err(Fault::at("labels", problem).hint("leave \"labels\" out"));
        }
        if !said.keeps_places && self.shape.is_none() {
            let problem = format!("\"{}\" has no surface that points could pull", said.body);
            let hint = "use a body of type \"superquadric\", or points with names";
            return Err(Fault::at("body", problem).hint(hint));
        }
        Ok(())
    }

    /// Where on the body its points are: as said, or as they are first seen.
    fn find_places(&mut self, world: &World, body: BodyId) -> Result<(), Fault> {
        let n = self.sequence.labels.len();
        let record = world.body_record(body)?;
        if self.said.places.is_empty() {
            let Some(pose) = world.pose(body)? else {
                return Err(Fault::at(
                    "body",
                    format!("\"{}\" has no place", self.said.body),
                ));
            };
            let rotation = linkwork::math::quat_to_matrix(pose.rotation);
            let q = &world.state().q[record.q_range()];
            let here = places(&self.sequence.frames, n, (pose.position, rotation));
            for (here, name) in here.into_iter().zip(&self.sequence.labels) {
                let site = record.body().material_site(q, Site::Point(here));
                match site.map_err(|error| Fault::at("for", format!("\"{name}\": {error}")))? {
                    Site::Point(place) => self.said.places.push(place),
                    _ => self.said.places.push(here),
                }
            }
        }
        if self.said.places.len() != n {
            let problem = format!("are {} for {n} points", self.said.places.len());
            return Err(Fault::at("places", problem).hint("give one for each point, or none"));
        }
        self.locate()
    }

    /// Finds the matter that is at its places.
    fn locate(&mut self) -> Result<(), Fault> {
        let Some(shape) = &self.shape else {
            return Ok(());
        };
        let mut born = vec![0.0; shape.n_numbers()];
        shape.start(&mut born);
        self.matter.clear();
        for (at, place) in self.said.places.iter().enumerate() {
            let found = shape.locate(*place, &born).ok_or_else(|| {
                Fault::at(format!("places[{at}]"), "is where the body has no material")
            })?;
            let mut matter = vec![0.0; shape.n_material()];
            shape.material(found, &mut matter);
            self.matter.push(matter);
        }
        Ok(())
    }

    /// What a file says of it.
    pub fn said(&self) -> &PullText {
        &self.said
    }

    /// Its table.
    pub fn table(&self) -> &Arc<TableEntry> {
        &self.table
    }

    /// Its points.
    pub fn sequence(&self) -> &Arc<Sequence> {
        &self.sequence
    }

    /// The surface, if the body has one.
    pub(super) fn shape(&self) -> Option<&Superquadric> {
        self.shape.as_ref()
    }

    /// How compliant each row of the engine is.
    pub fn compliance(&self) -> Vec<f64> {
        vec![1.0; self.n_rows()]
    }

    /// The same with other points and another scatter.
    pub(super) fn with_own(&self, own: Option<Vec<u32>>, sigma: Option<f64>) -> Self {
        let mut other = self.clone();
        (other.said.own, other.said.sigma) = (own, sigma);
        other
    }

    fn n_rows(&self) -> usize {
        FRAME + self.kinds.len() - 1
    }

    /// Where the body is.
    pub(super) fn at(&self, inputs: &[Input<'_>]) -> At {
        let x = inputs[0].x;
        let mut at = At {
            origin: [x[0], x[1], x[2]],
            rotation: std::array::from_fn(|row| std::array::from_fn(|k| x[3 + 3 * row + k])),
            q: [0.0; N_COORDINATES],
            rates: [1.0; N_COORDINATES],
        };
        if let Some(shape) = &self.shape {
            for (k, input) in inputs[1..].iter().enumerate() {
                (at.q[k], at.rates[k]) = shape.number_from(k, input.x[0]);
            }
        }
        at
    }

    /// The points of a moment that are its own.
    fn points<'f>(&'f self, frame: &'f PointFrame) -> impl Iterator<Item = &'f Seen> {
        let own = self.said.own.as_deref();
        let is_own =
            move |seen: &&Seen| own.is_none_or(|own| own.binary_search(&(seen.id as u32)).is_ok());
        frame.points.iter().filter(is_own)
    }

    /// Goes through its points.
    fn each(&self, t: f64, at: &At, mut see: impl FnMut(&Seen, &Pulled)) {
        let frame = self.sequence.frame_at(t);
        let mut pulled = Pulled {
            r: [0.0; MOST_PARTS],
            flat: [[0.0; MAX_ROWS]; MOST_PARTS],
            slopes: [[0.0; MAX_ROWS]; MOST_PARTS],
        };
        let n = self.kinds.len() - 1;
        if self.said.keeps_places {
            for seen in self.points(frame) {
                self.hold(seen, at, &mut pulled);
                see(seen, &pulled);
            }
            return;
        }
        let Some(shape) = &self.shape else { return };
        let mut inward = self.points(frame).map(|seen| at.inward(seen.at));
        let mut seen = self.points(frame);
        shape.each_distance(&at.q[..n], &mut inward, &mut |own| {
            let Some(seen) = seen.next() else { return };
            pulled.r[0] = own.r;
            let arm = sub(seen.at, at.origin);
            for (row, slopes) in [
                (&mut pulled.flat[0], &own.flat),
                (&mut pulled.slopes[0], &own.slopes),
            ] {
                let by_point = [slopes[n], slopes[n + 1], slopes[n + 2]];
                row[..FRAME].copy_from_slice(&by_frame(&at.rotation, arm, by_point));
                for k in 0..n {
                    row[FRAME + k] = slopes[k] / at.rates[k];
                }
            }
            see(seen, &pulled);
        });
    }

    /// A point that keeps its place on the body.
    fn hold(&self, seen: &Seen, at: &At, pulled: &mut Pulled) {
        let n = self.kinds.len() - 1;
        let mut by_number = [[0.0; N_COORDINATES]; 3];
        let mut place = self.said.places[seen.id];
        if let Some(shape) = &self.shape {
            let matter = &self.matter[seen.id];
            shape.each_row(&at.q[..n], matter, &mut |x, rows| {
                place = x;
                for (own, row) in by_number.iter_mut().zip(rows.chunks_exact(n.max(1))) {
                    own[..n].copy_from_slice(&row[..n]);
                }
            });
        }
        let arm = mat_vec(&at.rotation, place);
        pulled.r = sub(add(at.origin, arm), seen.at);
        for axis in 0..3 {
            let mut along = [0.0; 3];
            along[axis] = 1.0;
            // ω × arm along an axis is ω·(arm × axis).
            let turning = cross(arm, along);
            let row = &mut pulled.slopes[axis];
            row[..3].copy_from_slice(&along);
            row[3..FRAME].copy_from_slice(&turning);
            for k in 0..n {
                let column: Vec3 = std::array::from_fn(|axis| by_number[axis][k]);
                row[FRAME + k] = dot(at.rotation[axis], column) / at.rates[k];
            }
        }
        pulled.flat = pulled.slopes;
    }

    /// ρ, and what is left of a square's slope.
    fn loss(&self, r: &[f64; MOST_PARTS]) -> (f64, f64) {
        let square = dot(*r, *r);
        match self.said.sigma {
            None => (0.5 * square, 1.0),
            Some(sigma) => loss(square, sigma),
        }
    }

    /// A place on the surface below a point: down the gauge, `p ← p − (g − 1)·∇g/|∇g|²`, until it is there. Steps that
    /// lead away are halved.
    fn foot(&self, at: &At, point: Vec3) -> Vec3 {
        const MOST_STEPS: usize = 30;
        const THERE: f64 = 1e-6;
        let Some(shape) = &self.shape else {
            return point;
        };
        let gauge = |place: Vec3| shape.gauge(&at.q[..self.kinds.len() - 1], place);
        let mut place = at.inward(point);
        let (mut off, mut slope) = gauge(place);
        let mut part = 1.0;
        for _ in 0..MOST_STEPS {
            let square = dot(slope, slope);
            if (off - 1.0).abs() < THERE || square == 0.0 {
                break;
            }
            let next = sub(place, scale(part * (off - 1.0) / square, slope));
            let found = gauge(next);
            if (found.0 - 1.0).abs() < (off - 1.0).abs() {
                (place, off, slope, part) = (next, found.0, found.1, 1.0);
            } else {
                part *= 0.5;
            }
        }
        add(at.origin, mat_vec(&at.rotation, place))
    }

    /// Its points, and the places of the body that they belong to: the matter that a point with a name keeps, else what
    /// is below it on the surface.
    pub(crate) fn lines(&self, t: f64, inputs: &[Input<'_>]) -> Vec<PointLine> {
        let mut lines = Vec::new();
        let at = self.at(inputs);
        self.each(t, &at, |seen, pulled| {
            let place = match self.said.keeps_places {
                true => add(seen.at, pulled.r),
                false => self.foot(&at, seen.at),
            };
            lines.push(PointLine {
                id: seen.id,
                at: seen.at,
                place,
                error: norm(pulled.r),
            });
        });
        lines
    }

    /// How far each of its points is off.
    pub(crate) fn errors(&self, t: f64, inputs: &[Input<'_>]) -> FitErrors {
        let mut rows = Vec::new();
        self.each(t, &self.at(inputs), |seen, pulled| {
            rows.push(RowError {
                row: seen.id,
                error: norm(pulled.r),
                at: [None; 2],
            });
        });
        let all = match self.said.keeps_places {
            true => self.sequence.labels.len(),
            false => self.sequence.frame_at(t).points.len(),
        };
        FitErrors {
            n_skipped: all - rows.len(),
            rows,
        }
    }
}

impl Constraint for PointPull {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &self.units[..self.n_rows()]
    }

    fn validate(&self) -> Result<(), Error> {
        if let Some(sigma) = self.said.sigma {
            Error::require_positive("sigma", &sigma)?;
        }
        Error::require_positive("scale", &self.said.scale)?;
        Error::require_positive("stiffness", &self.said.stiffness)
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let n = self.n_rows();
        let mut sums = Sums::of(n);
        self.each(t, &self.at(inputs), |_, pulled| {
            let (energy, scale) = self.loss(&pulled.r);
            let weight = self.said.stiffness * scale;
            sums.energy += self.said.stiffness * energy;
            sums.add(&pulled.r, &pulled.slopes, &pulled.flat, weight);
        });
        out.energy = Some(sums.energy);
        sums.root(out.c);
        for (input, own) in inputs.iter().enumerate() {
            let first = if input == 0 { 0 } else { FRAME + input - 1 };
            let mut columns = out.dc_dx(input);
            for row in 0..n {
                for k in 0..own.x_dot.len() {
                    columns.add(row, k, sums.entry(row, first + k));
                }
            }
            for row in 0..n {
                let rates = own.x_dot.iter().enumerate();
                let rates = rates.map(|(k, rate)| sums.entry(row, first + k) * rate);
                out.c_dot[row] += rates.sum::<f64>();
            }
        }
    }

    fn allows_same_body(&self) -> bool {
        true
    }

    fn is_objective(&self) -> bool {
        true
    }

    fn tells_energy(&self) -> bool {
        true
    }

    fn for_map(&self, input: usize, map: &Arc<dyn ShapeMap>) -> Option<Arc<dyn Constraint>> {
        let map: &dyn Any = map.as_ref();
        let shape = map.downcast_ref::<Superquadric>().filter(|_| input == 0)?;
        let mut other = self.clone();
        other.shape = Some(shape.clone());
        other.locate().ok()?;
        Some(Arc::new(other))
    }
}
