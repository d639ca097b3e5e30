//! Colliders of bodies.

use std::borrow::Cow;
use std::sync::Arc;

use super::World;
use crate::body::{Body, Deformed, Pose, Skin};
use crate::collide::{Place, Shape, cast, distance};
use crate::connector::{ConnectorKind, Site};
use crate::error::{Error, Item, Shown, check_fields};
use crate::id::{BodyId, GROUND};
use crate::math::{Vec3, add, mat_mul, mat_vec, scale, unit};

/// A shape on a body that other shapes cannot pass through, or a sensor that detects bodies in it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Collider {
    /// The shape, in its own frame.
    pub shape: Shape,
    /// Its frame in the body's frame.
    pub pose_body: Pose,
    /// Coefficient of Coulomb friction. A pair of colliders has the geometric mean.
    pub friction: f64,
    /// Arm of rolling resistance, m: the moment across the normal is at most this times the normal force. A
    /// pair of colliders has the larger one; 0 means none.
    pub rolling_friction: f64,
    /// Arm of the resistance to spinning about the normal, m. A pair of colliders has the larger one; 0 means
    /// none.
    pub spinning_friction: f64,
    /// Coefficient of restitution, between 0 and 1. A pair of colliders has the larger one.
    pub restitution: f64,
    /// Stiffness of each contact point, N/m; infinite for a hard surface. A pair of colliders acts as springs
    /// in series. A soft contact has no impacts: its damping, not restitution, decides how much speed returns.
    pub stiffness: f64,
    /// Damping of a soft contact point, N·s/m. The contact force never pulls.
    pub damping: f64,
    /// The groups it belongs to, one bit each.
    pub groups: u32,
    /// The groups it does not collide with.
    pub not_with: u32,
    /// Whether it collides with bodies that its own body is joined to.
    pub with_joined: bool,
    /// Velocity of the surface relative to the body, in the body's frame, m/s: a conveyor.
    pub surface_velocity_body: Vec3,
    /// Whether it is a sensor, which exerts no force and detects bodies in it ([`World::sensed`]).
    pub is_sensor: bool,
}

impl Collider {
    /// A shape at the body's frame, with friction 0.5 and without restitution.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            pose_body: Pose::at([0.0; 3]),
            friction: 0.5,
            rolling_friction: 0.0,
            spinning_friction: 0.0,
            restitution: 0.0,
            stiffness: f64::INFINITY,
            damping: 0.0,
            groups: 1,
            not_with: 0,
            with_joined: false,
            surface_velocity_body: [0.0; 3],
            is_sensor: false,
        }
    }

    /// A shape that exerts no force and detects bodies in it.
    pub fn sensor(shape: Shape) -> Self {
        Self {
            is_sensor: true,
            ..Self::new(shape)
        }
    }

    /// The same at a pose in the body's frame.
    #[must_use]
    pub fn placed(mut self, pose_body: Pose) -> Self {
        self.pose_body = pose_body;
        self
    }

    /// The same with another coefficient of friction.
    #[must_use]
    pub fn with_friction(mut self, friction: f64) -> Self {
        self.friction = friction;
        self
    }

    /// The same with arms of rolling and spinning resistance, m.
    #[must_use]
    pub fn with_turning_friction(mut self, rolling: f64, spinning: f64) -> Self {
        (self.rolling_friction, self.spinning_friction) = (rolling, spinning);
        self
    }

    /// The same with restitution.
    #[must_use]
    pub fn with_restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// The same as a soft contact, with stiffness in N/m and damping in N·s/m.
    #[must_use]
    pub fn with_softness(mut self, stiffness: f64, damping: f64) -> Self {
        (self.stiffness, self.damping) = (stiffness, damping);
        self
    }

    /// Refuses numbers out of range.
    pub fn validate(&self) -> Result<(), Error> {
        self.shape.check()?;
        self.pose_body.validate()?;
        check_fields!(self, finite: surface_velocity_body)?;
        if !(0.0..=1.0).contains(&self.restitution) {
            let problem = format!(
                "is {}; give a part between 0 and 1",
                Shown(self.restitution)
            );
            return Err(Error::field("restitution", problem));
        }
        if self.stiffness.is_nan() || self.stiffness <= 0.0 {
            let problem = format!("is {}; give more than zero, N/m", Shown(self.stiffness));
            return Err(Error::field("stiffness", problem));
        }
        if self.stiffness.is_infinite() && self.damping != 0.0 {
            let problem = "needs a stiffness; give one, N/m";
            return Err(Error::field("damping", problem));
        }
        check_fields!(self, not_negative: friction, rolling_friction, spinning_friction, damping)
    }

    /// Its shape and place, on a body with coordinates `q`; the present shape of a body that deforms.
    pub(crate) fn on(&self, body: &dyn Body, t: f64, q: &[f64]) -> (Cow<'_, Shape>, Place) {
        let pose = body.pose(t, q).unwrap_or(Pose::at([0.0; 3]));
        let mut place = Place::new(&pose.then(&self.pose_body));
        let mut shape = Cow::Borrowed(&self.shape);
        match body.deformed(q) {
            Some(Deformed::Superquadric(form)) => shape = Cow::Owned(Shape::Superquadric(form)),
            Some(Deformed::Affine { linear, origin }) => {
                let own = Place::new(&self.pose_body);
                place.rotation = mat_mul(&linear, &own.rotation);
                place.origin = add(origin, mat_vec(&linear, own.origin));
            }
            None => {}
        }
        (shape, place)
    }

    /// Whether the groups of two colliders let them collide.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.groups & other.not_with == 0 && other.groups & self.not_with == 0
    }
}

impl World {
    /// Replaces the colliders of a body, or of the ground: floors and walls.
    pub fn set_colliders(&mut self, body: BodyId, colliders: Vec<Collider>) -> Result<(), Error> {
        let label = match body == GROUND {
            true => "ground".to_owned(),
            false => self.bodies.get(body)?.label.to_string(),
        };
        for collider in &colliders {
            let checked = (collider.validate())
                .and_then(|()| self.fits(body, collider))
                .and_then(|()| self.meets_no_surface(body, collider))
                .and_then(|()| self.is_met_by_skins(body, collider));
            checked.map_err(|problem| problem.of(Item::Body, &label))?;
        }
        // Bodies without colliders share one empty list.
        let colliders: Arc<[Collider]> = match colliders.is_empty() {
            true => Arc::default(),
            false => colliders.into(),
        };
        self.recount_touching(body, |world| {
            match body == GROUND {
                true => world.ground_colliders = colliders,
                false => world.bodies.get_mut(body)?.colliders = colliders,
            }
            world.touch();
            Ok(())
        })
    }

    /// The colliders of a body.
    pub fn colliders(&self, body: BodyId) -> Result<&[Collider], Error> {
        match body == GROUND {
            true => Ok(&self.ground_colliders),
            false => Ok(&self.bodies.get(body)?.colliders),
        }
    }

    pub(crate) fn ground_colliders(&self) -> &[Collider] {
        &self.ground_colliders
    }

    /// Flat shapes are for planar bodies, others for bodies in space; the ground takes both.
    fn fits(&self, body: BodyId, collider: &Collider) -> Result<(), Error> {
        if body == GROUND {
            return Ok(());
        }
        let own = &*self.bodies.get(body)?.body;
        let takes = |site: Site, kind: ConnectorKind| matches!(own.connector_kind(&site), Ok(Some(given)) if given == kind);
        let is_flat = takes(Site::Point2([0.0; 2]), ConnectorKind::Point2);
        let is_solid = takes(Site::Point([0.0; 3]), ConnectorKind::Point3);
        let mut q = vec![0.0; own.n_q()];
        own.initial_q(&mut q);
        let here = Pose::at([0.0; 3]);
        let fits = match (own.deformed(&q), &collider.shape) {
            (None, Shape::Nodes) => {
                own.skin().is_some()
                    && collider.pose_body == here
                    && !collider.is_sensor
                    && collider.surface_velocity_body == [0.0; 3]
            }
            (None, _) => own.n_strains() == 0 && own.n_v() <= 6 && own.skin().is_none(),
            (Some(Deformed::Superquadric(_)), Shape::Superquadric(_)) => collider.pose_body == here,
            (Some(Deformed::Affine { .. }), Shape::Polygon(polygon)) => polygon.radius() == 0.0,
            _ => false,
        };
        let problem = match (collider.shape.is_planar(), fits) {
            (_, false) => {
                "does not suit this body: a superquadric collides in its own shape, a sheet as a polygon without rounding, a soft body (and only a soft body) by its nodes; none of them can be a sensor"
            }
            _ if collider.shape == Shape::Nodes => return Ok(()),
            (true, _) if !is_flat => "is planar, but the body is in space",
            (false, _) if !is_solid => "is in space, but the body is planar",
            _ => return Ok(()),
        };
        Err(Error::field("shape", problem))
    }

    /// Two triangle surfaces cannot collide with each other, and are refused where they could meet.
    fn meets_no_surface(&self, body: BodyId, collider: &Collider) -> Result<(), Error> {
        let is_smooth = |own: &Collider| matches!(own.shape, Shape::Superquadric(_) | Shape::Nodes);
        let is_surface = |own: &Collider| own.shape.surface().is_some();
        if !is_surface(collider) && !is_smooth(collider) {
            return Ok(());
        }
        let moves = |id: BodyId| match id == GROUND {
            true => Ok(false),
            false => self.bodies.get(id).map(|own| !own.v_range().is_empty()),
        };
        let meets = |other: &Collider| {
            let are_both = is_surface(collider) && (is_surface(other) || is_smooth(other));
            (are_both || is_smooth(collider) && is_surface(other)) && collider.meets(other)
        };
        let ground = [(GROUND, "ground", &*self.ground_colliders)];
        let bodies =
            (self.bodies.iter()).map(|record| (record.id, &*record.label, &*record.colliders));
        for (id, label, colliders) in ground.into_iter().chain(bodies) {
            if id != body && (moves(body)? || moves(id)?) && colliders.iter().any(meets) {
                let are_surfaces = is_surface(collider) && !colliders.iter().any(is_smooth);
                let is_soft = |own: &Collider| own.shape == Shape::Nodes;
                let smooth = match is_soft(collider) || colliders.iter().any(is_soft) {
                    true => "soft body",
                    false => "superquadric",
                };
                let problem = match are_surfaces {
                    true => format!(
                        "is a surface of triangles, and so is one of \"{label}\": two of them"
                    ),
                    false => format!(
                        "is a surface of triangles or a {smooth}, and one of \"{label}\" is the other: they"
                    ),
                };
                let problem = format!(
                    "{problem} do not touch each other; let one collide as its hull or as solids, or give both one group"
                );
                return Err(Error::field("shape", problem));
            }
        }
        Ok(())
    }
}

impl World {
    /// Soft bodies collide by nodes against triangles of a closed surface, so one of the two must be closed.
    fn is_met_by_skins(&self, body: BodyId, collider: &Collider) -> Result<(), Error> {
        if collider.shape != Shape::Nodes || body == GROUND {
            return Ok(());
        }
        let Some(skin) = self.bodies.get(body)?.body.skin() else {
            return Ok(());
        };
        if skin.nodes.len().max(skin.triangles.len()) > Skin::MOST_PARTS {
            let problem = format!(
                "is a skin of {} nodes and {} triangles; at most {} of each collide",
                skin.nodes.len(),
                skin.triangles.len(),
                Skin::MOST_PARTS
            );
            return Err(Error::field("shape", problem));
        }
        for other in self.bodies.iter().filter(|other| other.id != body) {
            let is_open = other.body.skin().is_some_and(|skin| !skin.is_closed);
            let meets = |own: &Collider| own.shape == Shape::Nodes && own.meets(collider);
            if is_open && !skin.is_closed && other.colliders.iter().any(meets) {
                let problem = format!(
                    "is an open soft surface, and so is \"{}\": two of them do not touch each other; close one, or give both one \
                     group",
                    other.label
                );
                return Err(Error::field("shape", problem));
            }
        }
        Ok(())
    }
}

/// The first hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The body, or the ground.
    pub body: BodyId,
    /// Distance from the start of the ray, m.
    pub distance: f64,
    /// The point, in world coordinates.
    pub point_world: Vec3,
    /// The outward normal of the surface.
    pub normal_world: Vec3,
}

impl World {
    /// The first collider that a ray hits.
    pub fn cast_ray(&self, from_world: Vec3, direction_world: Vec3) -> Option<RayHit> {
        let direction = unit(direction_world)?;
        let mut first: Option<RayHit> = None;
        self.each_collider(|body, shape, place| {
            let Some((distance, normal_world)) = cast(shape, place, from_world, direction) else {
                return;
            };
            if first.is_none_or(|hit| distance < hit.distance) {
                first = Some(RayHit {
                    body,
                    distance,
                    point_world: add(from_world, scale(distance, direction)),
                    normal_world,
                });
            }
        });
        first
    }

    /// The body whose collider is nearest to a point, and the distance; negative inside.
    pub fn nearest_collider(&self, point_world: Vec3) -> Option<(BodyId, f64)> {
        let mut nearest: Option<(BodyId, f64)> = None;
        self.each_collider(|body, shape, place| {
            let own = distance(shape, place, point_world);
            if nearest.is_none_or(|(_, least)| own < least) {
                nearest = Some((body, own));
            }
        });
        nearest
    }

    /// Visits every collider of enabled bodies with its place, except sensors.
    fn each_collider(&self, mut visit: impl FnMut(BodyId, &Shape, &Place)) {
        let solid = |own: &&Collider| !own.is_sensor;
        for collider in self.ground_colliders.iter().filter(solid) {
            visit(GROUND, &collider.shape, &Place::new(&collider.pose_body));
        }
        for record in self.bodies.iter().filter(|record| record.enabled) {
            let q = &self.state.q[record.q_range()];
            for collider in record.colliders.iter().filter(solid) {
                let (shape, place) = collider.on(&*record.body, self.state.t, q);
                visit(record.id, &shape, &place);
            }
        }
    }
}
