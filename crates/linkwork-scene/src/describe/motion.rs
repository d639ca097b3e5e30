//! Functions of time, paths and prescribed motions as entries.

use std::any::Any;

use linkwork::prelude::*;

use super::is;
use crate::build::motion::{Keyframes, PathMotion};
use crate::fault::Fault;
use crate::format::{FunctionEntry, FunctionKind, MotionEntry, MotionKind, PathEntry, PathKind};

fn blank_function(kind: FunctionKind) -> FunctionEntry {
    FunctionEntry {
        kind,
        value: None,
        value_deg: None,
        start: None,
        start_deg: None,
        rate: None,
        rate_deg: None,
        amplitude: None,
        amplitude_deg: None,
        frequency: None,
        phase: None,
        phase_deg: None,
        offset: None,
        offset_deg: None,
        keyframes: None,
    }
}

/// A function of time; `None` if it is of a program's making.
pub(super) fn function(function: &dyn Any) -> Option<FunctionEntry> {
    if let Some(Constant { value }) = is(function) {
        let mut entry = blank_function(FunctionKind::Constant);
        entry.value = Some(*value);
        return Some(entry);
    }
    if let Some(Ramp { start, rate }) = is(function) {
        let mut entry = blank_function(FunctionKind::Ramp);
        (entry.start, entry.rate) = (Some(*start), Some(*rate));
        return Some(entry);
    }
    if let Some(sine) = is::<Sine>(function) {
        let mut entry = blank_function(FunctionKind::Sine);
        entry.amplitude = Some(sine.amplitude);
        entry.frequency = Some(sine.frequency);
        entry.phase = Some(sine.phase);
        entry.offset = Some(sine.offset);
        return Some(entry);
    }
    let Keyframes(spline) = is(function)?;
    let mut entry = blank_function(FunctionKind::Keyframes);
    entry.keyframes = Some(spline.knots().map(|(t, x)| [t, x[0]]).collect());
    Some(entry)
}

fn blank_path(kind: PathKind) -> PathEntry {
    PathEntry {
        kind,
        start: None,
        velocity: None,
        center: None,
        axis: None,
        radius: None,
        frequency: None,
        phase: None,
        phase_deg: None,
        keyframes: None,
        repeat: None,
    }
}

/// A path; `None` if it is of a program's making.
pub(super) fn path(path: &dyn Any) -> Option<PathEntry> {
    if let Some(line) = is::<LineTrajectory>(path) {
        let mut entry = blank_path(PathKind::Line);
        entry.start = Some(line.start_world);
        entry.velocity = Some(line.velocity_world);
        return Some(entry);
    }
    if let Some(circle) = is::<CircleTrajectory>(path) {
        let mut entry = blank_path(PathKind::Circle);
        entry.center = Some(circle.center_world);
        entry.axis = Some(circle.axis_world);
        entry.radius = Some(circle.radius);
        entry.frequency = Some(circle.frequency);
        entry.phase = Some(circle.phase);
        return Some(entry);
    }
    let spline: &SplineTrajectory = is(path)?;
    let mut entry = blank_path(PathKind::Keyframes);
    entry.keyframes = Some(
        spline
            .knots()
            .map(|(t, [x, y, z])| [t, x, y, z].into())
            .collect(),
    );
    entry.repeat = spline.repeats().then_some(true);
    Some(entry)
}

/// A prescribed motion, and the pose it starts from.
pub(super) fn prescribed(
    name: &str,
    motion: &dyn PrescribedMotion,
) -> Result<(MotionEntry, Pose), Fault> {
    let mut entry = MotionEntry {
        kind: MotionKind::Fixed,
        point: None,
        axis: None,
        rate: None,
        rate_deg: None,
        amplitude: None,
        swing: None,
        frequency: None,
        phase: None,
        phase_deg: None,
        path: None,
    };
    if let Some(FixedPose(pose)) = is(motion) {
        return Ok((entry, *pose));
    }
    if let Some(spin) = is::<Spin>(motion) {
        entry.kind = MotionKind::Spin;
        entry.point = Some(spin.point_world);
        entry.axis = Some(spin.axis_world);
        entry.rate = Some(spin.rate);
        return Ok((entry, spin.start));
    }
    if let Some(sine) = is::<SineMotion>(motion) {
        entry.kind = MotionKind::Sine;
        entry.amplitude = Some(sine.amplitude_world);
        entry.swing = Some(sine.swing_world);
        entry.frequency = Some(sine.frequency);
        entry.phase = Some(sine.phase);
        return Ok((entry, sine.middle));
    }
    if let Some(follows) = is::<PathMotion>(motion) {
        entry.kind = MotionKind::Path;
        entry.path = path(&*follows.path);
        let pose = Pose {
            position: follows.path.position(0.0),
            rotation: follows.rotation,
        };
        return Ok((entry, pose));
    }
    let problem = format!("a file has no words for the motion of \"{name}\"");
    Err(Fault::at("", problem))
}
