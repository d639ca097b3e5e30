//! Functions of time, paths and prescribed motions of entries.

use std::sync::Arc;

use linkwork::prelude::*;

use super::body::need;
use super::{angle, check_fields};
use crate::fault::Fault;
use crate::format::{FunctionEntry, FunctionKind, MotionEntry, MotionKind, PathEntry, PathKind};

/// A function through keyframes: a spline of one number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keyframes(pub(crate) SplineTrajectory);

impl Keyframes {
    /// The function through `[time, value]` pairs.
    pub(crate) fn new(keyframes: &[[f64; 2]]) -> Result<Self, Error> {
        let knots: Vec<_> = keyframes
            .iter()
            .map(|&[t, value]| (t, [value, 0.0, 0.0]))
            .collect();
        Ok(Self(SplineTrajectory::new(&knots)?))
    }
}

impl DriveFunction for Keyframes {
    fn value(&self, t: f64) -> f64 {
        self.0.position(t)[0]
    }
    fn rate(&self, t: f64) -> f64 {
        self.0.velocity(t)[0]
    }
    fn acceleration(&self, t: f64) -> f64 {
        self.0.acceleration(t)[0]
    }
}

/// A body whose origin follows a path and which does not turn.
#[derive(Clone, Debug)]
pub(crate) struct PathMotion {
    pub(crate) path: Arc<dyn Trajectory>,
    pub(crate) rotation: [f64; 4],
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

/// The function an entry describes.
pub(crate) fn function(entry: &FunctionEntry) -> Result<Arc<dyn DriveFunction>, Fault> {
    check_fields(entry)?;
    let start = angle("start", entry.start, entry.start_deg)?;
    let value = angle("value", entry.value, entry.value_deg)?;
    let rate = angle("rate", entry.rate, entry.rate_deg)?;
    let amplitude = angle("amplitude", entry.amplitude, entry.amplitude_deg)?;
    let phase = angle("phase", entry.phase, entry.phase_deg)?;
    let offset = angle("offset", entry.offset, entry.offset_deg)?;
    Ok(match entry.kind {
        FunctionKind::Constant => Arc::new(Constant {
            value: need(value, "value", "a number")?,
        }),
        FunctionKind::Ramp => Arc::new(Ramp {
            start: start.unwrap_or(0.0),
            rate: need(rate, "rate", "the change per second")?,
        }),
        FunctionKind::Sine => Arc::new(Sine {
            amplitude: need(amplitude, "amplitude", "the greatest deviation")?,
            frequency: need(entry.frequency, "frequency", "in periods per second")?,
            phase: phase.unwrap_or(0.0),
            offset: offset.unwrap_or(0.0),
        }),
        FunctionKind::Keyframes => {
            let keyframes = need(entry.keyframes.as_ref(), "keyframes", "[[time, value], …]")?;
            Arc::new(Keyframes::new(keyframes)?)
        }
    })
}

/// The path an entry describes.
pub(crate) fn path(entry: &PathEntry) -> Result<Arc<dyn Trajectory>, Fault> {
    check_fields(entry)?;
    let phase = angle("phase", entry.phase, entry.phase_deg)?;
    Ok(match entry.kind {
        PathKind::Line => Arc::new(LineTrajectory {
            start_world: need(entry.start, "start", "[x, y, z] in m")?,
            velocity_world: need(entry.velocity, "velocity", "[x, y, z] in m/s")?,
        }),
        PathKind::Circle => Arc::new(CircleTrajectory {
            center_world: need(entry.center, "center", "[x, y, z] in m")?,
            axis_world: entry.axis.unwrap_or([0.0, 0.0, 1.0]),
            radius: need(entry.radius, "radius", "in m")?,
            frequency: need(entry.frequency, "frequency", "in turns per second")?,
            phase: phase.unwrap_or(0.0),
        }),
        PathKind::Keyframes => {
            let keyframes = need(
                entry.keyframes.as_ref(),
                "keyframes",
                "[[time, x, y, z], …]",
            )?;
            let mut knots = Vec::new();
            for (at, keyframe) in keyframes.iter().enumerate() {
                knots.push(match *keyframe.0.as_slice() {
                    [t, x, y, z] => (t, [x, y, z]),
                    [t, x, y] => (t, [x, y, 0.0]),
                    _ => {
                        let problem = format!("has {} numbers", keyframe.0.len());
                        let hint = "give [time, x, y, z], or [time, x, y] in the plane";
                        return Err(Fault::at(format!("keyframes[{at}]"), problem).hint(hint));
                    }
                });
            }
            Arc::new(match entry.repeat {
                Some(true) => SplineTrajectory::periodic(&knots)?,
                _ => SplineTrajectory::new(&knots)?,
            })
        }
    })
}

/// The body an entry's motion makes, from its pose.
pub(crate) fn kinematic(entry: &MotionEntry, start: Pose) -> Result<Kinematic, Fault> {
    check_fields(entry)?;
    let rate = angle("rate", entry.rate, entry.rate_deg)?;
    let phase = angle("phase", entry.phase, entry.phase_deg)?.unwrap_or(0.0);
    Ok(match entry.kind {
        MotionKind::Fixed => Kinematic::new(FixedPose(start)),
        MotionKind::Spin => Kinematic::new(Spin {
            start,
            point_world: entry.point.unwrap_or(start.position),
            axis_world: need(entry.axis, "axis", "[x, y, z]")?,
            rate: need(rate, "rate", "in rad/s")?,
        }),
        MotionKind::Sine => Kinematic::new(SineMotion {
            middle: start,
            amplitude_world: entry.amplitude.unwrap_or([0.0; 3]),
            swing_world: entry.swing.unwrap_or([0.0; 3]),
            frequency: need(entry.frequency, "frequency", "in swings per second")?,
            phase,
        }),
        MotionKind::Path => {
            let own = need(entry.path.as_ref(), "path", "a path")?;
            Kinematic::new(PathMotion {
                path: path(own).map_err(|fault| fault.under("path"))?,
                rotation: start.rotation,
            })
        }
    })
}
