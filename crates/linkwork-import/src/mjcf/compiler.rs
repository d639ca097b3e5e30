//! What `<compiler>` and `<option>` say, and how orientations are read because of it.

use linkwork::body::Pose;
use linkwork::math::{
    Quat, Vec3, cross, dot, norm, quat_exp, quat_mul, quat_normalize, scale, sub, unit,
};
use linkwork_scene::Fault;

use super::defaults::View;
use crate::place::{frame_of, from_z};
use crate::xml::Element;

/// Settings of the compiler that change what other numbers mean.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    degrees: bool,
    /// The axes of Euler angles; turns about moving axes are in small letters.
    euler: [char; 3],
    /// Whether inertias come from shapes: always, never, or where there is no `<inertial>`.
    pub(super) inertia_from_geom: Option<bool>,
    /// The groups of shapes that have mass.
    pub(super) groups: [f64; 2],
    /// Whether a range alone means limits.
    pub(super) auto_limits: bool,
    /// Where mesh files are, below the model's folder; empty if beside it.
    pub(super) mesh_folder: String,
    /// Whether the folders of files are left out.
    pub(super) strip_path: bool,
    /// Whether shapes are fitted to boxes around meshes, rather than to those of equal inertia.
    pub(super) fits_boxes: bool,
}

impl Compiler {
    pub(super) fn of(model: &Element) -> Result<Self, Fault> {
        let mut own = Self {
            degrees: true,
            euler: ['x', 'y', 'z'],
            inertia_from_geom: None,
            groups: [0.0, 5.0],
            auto_limits: true,
            mesh_folder: String::new(),
            strip_path: false,
            fits_boxes: false,
        };
        for compiler in model.all("compiler") {
            match compiler.text("angle") {
                Some("radian") => own.degrees = false,
                Some("degree") | None => {}
                Some(word) => {
                    let fault = compiler.fault(format!("attribute \"angle\" is \"{word}\""));
                    return Err(fault.hint("give \"degree\" or \"radian\""));
                }
            }
            if let Some(axes) = compiler.text("eulerseq") {
                let axes: Vec<char> = axes.chars().collect();
                match <[char; 3]>::try_from(axes) {
                    Ok(axes) if axes.iter().all(|axis| "xyzXYZ".contains(*axis)) => {
                        own.euler = axes;
                    }
                    _ => {
                        let fault = compiler.fault("attribute \"eulerseq\" is not three axes");
                        return Err(fault.hint("give three of x, y, z, X, Y, Z"));
                    }
                }
            }
            match compiler.text("inertiafromgeom") {
                Some("true") => own.inertia_from_geom = Some(true),
                Some("false") => own.inertia_from_geom = Some(false),
                _ => {}
            }
            if let Some(groups) = compiler.array("inertiagrouprange")? {
                own.groups = groups;
            }
            own.auto_limits = compiler.text("autolimits") != Some("false");
            if let Some(folder) = compiler.text("meshdir").or(compiler.text("assetdir")) {
                own.mesh_folder = folder.trim_end_matches('/').to_owned();
            }
            own.strip_path |= compiler.text("strippath") == Some("true");
            own.fits_boxes |= compiler.text("fitaabb") == Some("true");
            if compiler.text("coordinate") == Some("global") {
                return Err(compiler.fault("global coordinates are not read"));
            }
        }
        Ok(own)
    }

    /// An angle of the file, in radians.
    pub(super) fn angle(&self, angle: f64) -> f64 {
        if self.degrees {
            angle.to_radians()
        } else {
            angle
        }
    }

    /// Position and orientation of an element.
    pub(super) fn pose(&self, view: &View<'_>) -> Result<Pose, Fault> {
        Ok(Pose {
            position: view.array("pos")?.unwrap_or([0.0; 3]),
            rotation: self.orientation(view)?,
        })
    }

    /// The orientation, in whichever way it is given.
    pub(super) fn orientation(&self, view: &View<'_>) -> Result<Quat, Fault> {
        let fault = |name: &str, why: &str| {
            let problem = format!("attribute \"{name}\" {why}");
            view.element.fault(problem)
        };
        if let Some(axis_angle) = view.array::<4>("axisangle")? {
            let [x, y, z, angle] = axis_angle;
            let axis = unit([x, y, z]).ok_or_else(|| fault("axisangle", "has no axis"))?;
            return Ok(quat_exp(scale(self.angle(angle), axis)));
        }
        if let Some(axes) = view.array::<6>("xyaxes")? {
            let [x0, x1, x2, y0, y1, y2] = axes;
            return from_axes([x0, x1, x2], [y0, y1, y2])
                .ok_or_else(|| fault("xyaxes", "has axes that are parallel or of no length"));
        }
        if let Some(axis) = view.array::<3>("zaxis")? {
            return from_z(axis).ok_or_else(|| fault("zaxis", "has no length"));
        }
        if let Some(angles) = view.array::<3>("euler")? {
            return Ok(self.euler_turns(angles));
        }
        match view.array::<4>("quat")? {
            None => Ok([1.0, 0.0, 0.0, 0.0]),
            Some(quat) if quat.iter().map(|w| w * w).sum::<f64>() > 1e-20 => {
                Ok(quat_normalize(quat))
            }
            Some(_) => Err(fault("quat", "has no length")),
        }
    }

    /// Turns one after the other: about moving axes each goes to the right, about fixed ones to the
    /// left.
    fn euler_turns(&self, angles: Vec3) -> Quat {
        let mut rotation = [1.0, 0.0, 0.0, 0.0];
        for (axis, angle) in self.euler.iter().zip(angles) {
            let mut turn = [0.0; 3];
            turn["xyz".find(axis.to_ascii_lowercase()).unwrap_or(0)] = self.angle(angle);
            rotation = if axis.is_ascii_lowercase() {
                quat_mul(rotation, quat_exp(turn))
            } else {
                quat_mul(quat_exp(turn), rotation)
            };
        }
        rotation
    }
}

/// The rotation with this x axis and a y axis in the half plane of `y`.
fn from_axes(x: Vec3, y: Vec3) -> Option<Quat> {
    let x = unit(x)?;
    let y = unit(sub(y, scale(dot(x, y), x)))?;
    (norm(cross(x, y)) > 1e-9).then(|| frame_of([0.0; 3], x, y).rotation)
}
