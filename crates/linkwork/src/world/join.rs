//! Joining two bodies at points, with axes in present world components.
//!
//! `join` converts points and world axes to frames on both bodies and adds the frame pair. If you have frames,
//! call [`World::add_constraint`] with a [`FramePair`](crate::constraint::FramePair).

use std::sync::Arc;

#[cfg(test)]
use super::GROUND;
use super::tolerances::{IN_PLANE, PERPENDICULAR};
use super::{BodyId, ConstraintId, World};
use crate::behavior::{Behavior, Spring};
use crate::connector::{Connector, ConnectorKind, Site};
use crate::constraint::{Closing, Constraint, Distance, FramePair, RotationRows};
use crate::error::{Error, Item};
use crate::math::{
    IDENTITY3, Mat3, Vec3, complete_basis, cross, dot, mat_t_mul, mat_t_vec, norm, quat_to_matrix,
    scale, sub, transpose, unit,
};

/// A joint described by world axes, for [`World::join`].
pub trait Joint {
    /// Its frame pair.
    fn pair(&self) -> FramePair;

    /// `rot_world_frame` of frame a and of frame b at the moment of joining; the main axis is x.
    fn frames_world(&self) -> Result<(Mat3, Mat3), Error>;

    /// The joint between planar bodies, and the angle of its main axis; `None` if it has no planar counterpart.
    fn in_plane(&self) -> Result<Option<(FramePair, f64)>, Error> {
        Ok(None)
    }
}

/// Two points stay together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball;

/// Two points stay together and the bodies rotate about one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// The axis, world components at the moment of joining.
    pub axis_world: Vec3,
}

/// Two points stay together; an axis of body a stays perpendicular to an axis of body b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Universal {
    /// The axis fixed to body a.
    pub axis_a_world: Vec3,
    /// The axis fixed to body b, perpendicular to the first.
    pub axis_b_world: Vec3,
}

/// The bodies slide along one axis and rotate about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylindrical {
    /// The axis, world components at the moment of joining.
    pub axis_world: Vec3,
}

/// The bodies slide along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prismatic {
    /// The axis, world components at the moment of joining.
    pub axis_world: Vec3,
}

/// The bodies slide in a plane and rotate about its normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarSlide {
    /// The normal, world components at the moment of joining.
    pub normal_world: Vec3,
}

/// A point of body b slides along a line of body a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointInSlot {
    /// The line's direction, world components at the moment of joining.
    pub axis_world: Vec3,
}

/// A point of body b slides in a plane of body a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOnPlane {
    /// The normal, world components at the moment of joining.
    pub normal_world: Vec3,
}

/// Two points stay together and the bodies keep the relative rotation they have now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weld;

fn along(field: &'static str, axis: Vec3) -> Result<(Mat3, Mat3), Error> {
    let Some(x) = unit(axis) else {
        return Err(Error::field(
            field,
            "has no direction; give a finite vector other than zero",
        ));
    };
    let (y, z) = complete_basis(x);
    let frame = transpose(&[x, y, z]);
    Ok((frame, frame))
}

/// The angle of a direction that lies in the plane.
fn angle_in_plane(field: &'static str, axis: Vec3) -> Result<f64, Error> {
    match unit(axis) {
        Some(x) if x[2].abs() < IN_PLANE => Ok(libm::atan2(x[1], x[0])),
        _ => Err(Error::field(
            field,
            "does not lie in the plane; give it z = 0",
        )),
    }
}

macro_rules! axis_joint {
    ($name:ident, $field:ident, $pair:ident $(, $in_plane:ident)?) => {
        impl Joint for $name {
            fn pair(&self) -> FramePair {
                FramePair::$pair()
            }
            fn frames_world(&self) -> Result<(Mat3, Mat3), Error> {
                along(stringify!($field), self.$field)
            }
            $(
                fn in_plane(&self) -> Result<Option<(FramePair, f64)>, Error> {
                    let angle = $in_plane(stringify!($field), self.$field)?;
                    Ok(Some((self.pair(), angle)))
                }
            )?
        }
    };
}

axis_joint!(Cylindrical, axis_world, cylindrical);
axis_joint!(Prismatic, axis_world, prismatic, angle_in_plane);
axis_joint!(PlanarSlide, normal_world, planar);
axis_joint!(PointInSlot, axis_world, point_in_slot, angle_in_plane);
axis_joint!(PointOnPlane, normal_world, point_on_plane, angle_in_plane);

impl Joint for Hinge {
    fn pair(&self) -> FramePair {
        FramePair::hinge()
    }
    fn frames_world(&self) -> Result<(Mat3, Mat3), Error> {
        along("axis_world", self.axis_world)
    }
    fn in_plane(&self) -> Result<Option<(FramePair, f64)>, Error> {
        match unit(self.axis_world) {
            Some(axis) if axis[2].abs() > 1.0 - IN_PLANE => Ok(Some((FramePair::ball(), 0.0))),
            _ => Err(Error::field(
                "axis_world",
                "is not across the plane; give [0, 0, 1]",
            )),
        }
    }
}

/// Joints that have no axis.
macro_rules! plain_joint {
    ($name:ident, $pair:ident) => {
        impl Joint for $name {
            fn pair(&self) -> FramePair {
                FramePair::$pair()
            }
            fn frames_world(&self) -> Result<(Mat3, Mat3), Error> {
                Ok((IDENTITY3, IDENTITY3))
            }
            fn in_plane(&self) -> Result<Option<(FramePair, f64)>, Error> {
                Ok(Some((self.pair(), 0.0)))
            }
        }
    };
}

plain_joint!(Ball, ball);
plain_joint!(Weld, weld);

impl Joint for Universal {
    fn pair(&self) -> FramePair {
        FramePair::universal()
    }
    fn frames_world(&self) -> Result<(Mat3, Mat3), Error> {
        let (frame_a, _) = along("axis_a_world", self.axis_a_world)?;
        let x = crate::math::column(&frame_a, 0);
        let Some(axis_b) = unit(self.axis_b_world) else {
            return Err(Error::field(
                "axis_b_world",
                "has no direction; give another vector",
            ));
        };
        // y of frame b, exactly perpendicular to x of frame a.
        let y = sub(axis_b, scale(dot(axis_b, x), x));
        if dot(axis_b, x).abs() > PERPENDICULAR {
            return Err(Error::field(
                "axis_b_world",
                "is not perpendicular to axis_a_world; the two axes of a universal joint are",
            ));
        }
        let y = scale(1.0 / norm(y), y);
        Ok((frame_a, transpose(&[x, y, cross(x, y)])))
    }
}

impl World {
    /// Joins two bodies at points (two coordinates in the plane, three in space).
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), linkwork::Error> {
    /// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    /// let rod = world.add_body("rod", Rod { length: 1.0, radius: 0.01, mass: 1.0 })?;
    /// let hinge = Hinge { axis_world: [0.0, 0.0, 1.0] };
    /// world.join("pivot", hinge, GROUND.at([-0.5, 0.0, 0.0]), rod.at([-0.5, 0.0, 0.0]))?;
    /// # Ok(()) }
    /// ```
    pub fn join(
        &mut self,
        label: &str,
        joint: impl Joint,
        a: Connector,
        b: Connector,
    ) -> Result<ConstraintId, Error> {
        self.join_by(label, &joint, a, b)
    }

    /// The same, compiled once for all joints.
    fn join_by(
        &mut self,
        label: &str,
        joint: &dyn Joint,
        a: Connector,
        b: Connector,
    ) -> Result<ConstraintId, Error> {
        if [a, b].iter().any(|side| self.is_point_of_plane(side))
            && let Some((pair, angle)) = joint
                .in_plane()
                .map_err(|problem| problem.of(Item::Constraint, label))?
        {
            let mut connectors = [a, b];
            for (connector, kind) in connectors.iter_mut().zip(pair.inputs_in_plane()) {
                if *kind == ConnectorKind::Frame2 {
                    *connector = self.planar_frame_on(*connector, angle)?;
                }
            }
            return self.add_constraint(label, pair, &connectors);
        }
        let pair = joint.pair();
        let (rot_world_a, rot_world_b) = joint
            .frames_world()
            .map_err(|problem| problem.of(Item::Constraint, label))?;
        let point_a_only = pair.holds_point() && pair.rotation() == RotationRows::Free;
        let a = if point_a_only {
            a
        } else {
            self.frame_on(a, &rot_world_a)?
        };
        let b = if pair.rotation() == RotationRows::Free {
            b
        } else {
            self.frame_on(b, &rot_world_b)?
        };
        self.add_constraint(label, pair, &[a, b])
    }

    fn is_point_of_plane(&self, connector: &Connector) -> bool {
        match connector {
            Connector::Site { site, .. } => matches!(site, Site::Point2(_)),
            Connector::Output { .. } => {
                let kind = self.kind_of(connector, "");
                kind == Ok(ConnectorKind::Point2)
            }
        }
    }

    /// Joins points that do not meet yet, and closes the joint smoothly over a time. Positions stay continuous,
    /// and so do velocities, unless the parts separate too fast. A plain [`World::join`] is closed at once by
    /// the next step.
    pub fn join_over(
        &mut self,
        label: &str,
        joint: impl Joint,
        (a, b): (Connector, Connector),
        seconds: f64,
    ) -> Result<ConstraintId, Error> {
        Error::require_positive("seconds", &seconds)
            .map_err(|problem| problem.of(Item::Constraint, label))?;
        let id = self.join(label, joint, a, b)?;
        self.close_over(id, seconds)?;
        Ok(id)
    }

    /// Closes an open constraint smoothly over a time, like [`World::join_over`].
    pub fn close_over(&mut self, id: ConstraintId, seconds: f64) -> Result<(), Error> {
        let label = self.constraint_record(id)?.label.clone();
        let invalid = |problem: Error| problem.of(Item::Constraint, &label);
        Error::require_positive("seconds", &seconds).map_err(invalid)?;
        let (c_start, mut c_dot_start) = self.constraint_values(id)?;
        // Parts that separate too fast for this are stopped: a smooth path would lead far away.
        let size = |values: &[f64]| values.iter().map(|c| c * c).sum::<f64>().sqrt();
        let (open, way) = (size(&c_start), seconds * size(&c_dot_start));
        if way > 2.0 * open {
            c_dot_start
                .iter_mut()
                .for_each(|c_dot| *c_dot *= 2.0 * open / way);
        }
        let record = self.constraints.get_mut(id)?;
        let closing = Closing {
            joint: record.constraint.clone(),
            c_start,
            c_dot_start,
            start: self.state.t,
            duration: seconds,
        };
        closing.validate().map_err(invalid)?;
        record.constraint = Arc::new(closing);
        self.touch();
        Ok(())
    }

    /// Replaces a joint that has finished closing by the ordinary joint. Returns whether it had.
    pub(crate) fn finish_closing(&mut self, at: usize) -> bool {
        let t = self.state.t;
        let record = &mut self.constraints[at];
        let joint = match record.constraint.as_closing() {
            Some(closing) if t >= closing.end() && record.enabled => closing.joint.clone(),
            _ => return false,
        };
        record.constraint = joint;
        self.touch();
        true
    }

    /// A spring of any stiffness between two points: a compliant row, which steps integrate implicitly. (The
    /// behavior [`Spring`] is an explicit force.)
    pub fn add_spring(
        &mut self,
        label: &str,
        spring: Spring,
        a: Connector,
        b: Connector,
    ) -> Result<ConstraintId, Error> {
        spring
            .validate()
            .map_err(|problem| problem.of(Item::Constraint, label))?;
        Error::require_positive("stiffness", &spring.stiffness)
            .map_err(|problem| problem.of(Item::Constraint, label))?;
        let length = spring.rest_length;
        let law: Arc<dyn Constraint> = match length > 0.0 {
            true => Arc::new(Distance { length }),
            false => Arc::new(FramePair::ball()),
        };
        let id = self.add_shared_constraint(label, law, &[a, b])?;
        let n = self.constraint_record(id)?.rows().len();
        self.set_compliance(id, &vec![1.0 / spring.stiffness; n])?;
        self.set_damping(id, &vec![spring.damping; n])?;
        Ok(id)
    }

    /// Converts a planar point to a frame that is at `angle` now; returns other connectors unchanged.
    pub fn planar_frame_on(&self, connector: Connector, angle: f64) -> Result<Connector, Error> {
        let (Some(body), Some(&Site::Point2(origin))) = (connector.body(), connector.site()) else {
            return Ok(connector);
        };
        let theta = self.connector_value(&body.frame2(origin, 0.0))?.x[2];
        Ok(body.frame2(origin, angle - theta))
    }

    /// Converts a point to a frame whose axes are `rot_world_frame` now. Returns connectors that are not points
    /// in space unchanged, to be refused by name if they do not fit.
    pub fn frame_on(
        &self,
        connector: Connector,
        rot_world_frame: &Mat3,
    ) -> Result<Connector, Error> {
        let Some((body, site)) = connector.place() else {
            return Ok(connector);
        };
        let given = match site {
            Site::Point(origin) => Some(origin),
            Site::Surface(_) | Site::Interior(_) => None,
            _ => return Ok(connector),
        };
        let Some(pose) = self.pose(body)? else {
            return Ok(connector);
        };
        let rot_world_body = quat_to_matrix(pose.rotation);
        let rotation = mat_t_mul(&rot_world_body, rot_world_frame);
        let Ok(record) = self.body_record(body) else {
            return Ok(given.map_or(connector, |origin| body.frame(origin, rotation)));
        };
        // A body that deforms gets the frame of its undeformed shape that is now at this place.
        let x = sub(self.position_world(&connector)?, pose.position);
        let now = Site::Frame {
            origin: mat_t_vec(&rot_world_body, x),
            rotation,
        };
        let site = record.body.material_site(self.q(body)?, now);
        Ok(
            match site.map_err(|problem| problem.of(Item::Body, &record.label))? {
                Site::Frame { origin, rotation } => body.frame(given.unwrap_or(origin), rotation),
                _ => connector,
            },
        )
    }

    /// The point of a body that is now at a place in the world; of a body that deforms, in its undeformed
    /// shape.
    pub fn point_of(&self, body: BodyId, x_world: Vec3) -> Result<Connector, Error> {
        let Some(pose) = self.pose(body)? else {
            let problem = "has no frame; tell its points by their parameters";
            return Err(Error::field("body", problem));
        };
        let rot_world_body = quat_to_matrix(pose.rotation);
        let point = mat_t_vec(&rot_world_body, sub(x_world, pose.position));
        let Ok(record) = self.body_record(body) else {
            return Ok(body.at(point));
        };
        let site = record.body.material_site(self.q(body)?, Site::Point(point));
        let site = site.map_err(|problem| problem.of(Item::Body, &record.label))?;
        Ok(Connector::new(body, site))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{PlanarRod, Pose, Rod};

    /// Each joint, made of points in the plane, is closed as joined and of the planar kind.
    #[test]
    fn joints_of_the_plane_are_made_of_points() {
        let mut world = World::new();
        let rod = PlanarRod {
            length: 1.0,
            mass: 1.0,
        };
        let pose = Pose::in_plane([0.5, 0.2], 0.7);
        let a = world.add_body_at("a", rod, pose).unwrap();
        let at = [0.1, 0.0];
        let x = world.position_world(&a.at(at)).unwrap();
        let ground = || GROUND.at([x[0], x[1]]);
        let z = [0.0, 0.0, 1.0];
        let along = [0.6, 0.8, 0.0];
        world.join("ball", Ball, ground(), a.at(at)).unwrap();
        world
            .join("hinge", Hinge { axis_world: z }, ground(), a.at(at))
            .unwrap();
        world.join("weld", Weld, ground(), a.at(at)).unwrap();
        world
            .join(
                "slider",
                Prismatic { axis_world: along },
                ground(),
                a.at(at),
            )
            .unwrap();
        world
            .join(
                "slot",
                PointInSlot { axis_world: along },
                ground(),
                a.at(at),
            )
            .unwrap();
        let rows = [2, 2, 3, 2, 1];
        for (record, rows) in world.constraints().iter().zip(rows) {
            assert_eq!(record.rows().len(), rows, "{}", record.label());
        }
        for error in world.constraint_errors().unwrap() {
            assert!(error.size() < 1e-15, "{} is open", error.label);
        }
    }

    #[test]
    fn joints_that_the_plane_does_not_have_are_refused_by_name() {
        let mut world = World::new();
        let flat = world
            .add_body(
                "flat",
                PlanarRod {
                    length: 1.0,
                    mass: 1.0,
                },
            )
            .unwrap();
        let rod = Rod {
            length: 1.0,
            radius: 0.01,
            mass: 1.0,
        };
        let solid = world.add_body("solid", rod).unwrap();
        let tilted = Hinge {
            axis_world: [1.0, 0.0, 0.0],
        };
        let error = world.join("tilted", tilted, GROUND.at([0.0, 0.0]), flat.at([0.0, 0.0]));
        assert!(error.unwrap_err().to_string().contains("across the plane"));
        let error = world.join("mixed", Ball, solid.at([0.0; 3]), flat.at([0.0, 0.0]));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("mixed") && error.contains("plane"),
            "{error}"
        );
        let screw = Cylindrical {
            axis_world: [1.0, 0.0, 0.0],
        };
        assert!(
            world
                .join("c", screw, GROUND.at([0.0, 0.0]), flat.at([0.0, 0.0]))
                .is_err()
        );
        assert!(world.constraints().is_empty());
    }
}
