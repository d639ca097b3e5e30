//! A path that the origin follows.

use std::sync::Arc;

use super::super::path;
use super::*;

/// A body whose origin follows a path and which does not turn.
#[derive(Clone, Debug)]
struct PathMotion {
    path: Arc<dyn Trajectory>,
    rotation: [f64; 4],
}

impl PrescribedMotion for PathMotion {
    fn validate(&self) -> Result<(), Error> {
        self.path.validate()?;
        self.at(0.0).validate()
    }

    fn at(&self, t: f64) -> MotionSample {
        MotionSample {
            velocity_world: self.path.velocity(t),
            acceleration_world: self.path.acceleration(t),
            ..MotionSample::at_rest(Pose {
                position: self.path.position(t),
                rotation: self.rotation,
            })
        }
    }
}

pub(super) static TYPE: MotionType = MotionType {
    kind: Type::new(
        40,
        "path",
        "Its origin follows a path; it does not turn.",
        &[&[PATH]],
    ),
    build: |fields, start| {
        Ok(Kinematic::new(PathMotion {
            path: path::make(fields, &PATH)?,
            rotation: start.rotation,
        }))
    },
    describe: |motion| {
        let PathMotion { path, rotation } = motion.downcast_ref()?;
        let start = Pose {
            position: path.position(0.0),
            rotation: *rotation,
        };
        Some((
            Fields::default().with(&PATH, path::describe(&**path)?),
            start,
        ))
    },
};
