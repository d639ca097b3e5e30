//! Random edits of any scene, in the words of a log.

use linkwork_wasm::Laboratory;
use serde_json::{Value, json};

/// A small generator of numbers: what is random here is the same on every run.
pub(crate) struct Dice(pub(crate) u64);

/// Another size of a body, if it has one.
pub(crate) fn resize(lab: &Laboratory, name: &str, factor: f64) -> Option<String> {
    let mut entry: Value = serde_json::from_str(&lab.entry("body", name).ok()?).unwrap();
    let fields = entry.as_object_mut()?;
    for place in [
        "position",
        "quaternion",
        "angle",
        "q",
        "v",
        "velocity",
        "angular_velocity",
    ] {
        fields.remove(place);
    }
    for field in ["length", "size", "radius"] {
        let number = match fields.get_mut(field) {
            Some(Value::Array(list)) => list.first_mut(),
            number => number,
        };
        if let Some(number) = number {
            *number = (factor * number.as_f64()?).into();
            return Some(json!({ "resize": entry }).to_string());
        }
    }
    None
}

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    /// From −1 to 1.
    pub(crate) fn length(&mut self) -> f64 {
        self.roll(2001) as f64 / 1000.0 - 1.0
    }

    fn body(&mut self, lab: &Laboratory) -> Option<String> {
        let bodies = lab.scene().world.bodies();
        let body = bodies.get(self.roll(bodies.len().max(1)))?;
        Some(body.label().to_owned())
    }

    fn joint(&mut self, lab: &Laboratory) -> Option<String> {
        let joints = lab.scene().world.constraints();
        (!joints.is_empty()).then(|| joints[self.roll(joints.len())].label().to_owned())
    }

    pub(crate) fn join(&mut self, lab: &Laboratory, number: usize) -> Option<String> {
        let (a, b) = (self.body(lab)?, self.body(lab)?);
        let name = format!("joint of {number}");
        let join = match self.roll(3) {
            0 => json!({ "name": name, "type": "ball", "a": a, "b": b }),
            1 => {
                json!({ "name": name, "type": "distance", "a": a, "b": b, "length": 1.0 + 0.5 * self.length() })
            }
            _ => {
                json!({ "name": name, "type": "spring", "a": a, "b": b, "stiffness": 40, "rest_length": 1 })
            }
        };
        Some(json!({ "join": join }).to_string())
    }

    /// Some edit; many are refused, which is as good a test.
    pub(crate) fn edit(&mut self, lab: &Laboratory, number: usize) -> Option<String> {
        let at = [self.length(), self.length(), self.length()];
        Some(match self.roll(13) {
            0..=3 => {
                let body = self.body(lab)?;
                resize(lab, &body, 1.0 + 0.3 * at[0])?
            }
            4 => {
                let body = self.body(lab)?;
                let id = lab.scene().world.find_body(&body)?;
                let q = lab.scene().world.q(id).ok()?;
                let to: Vec<f64> = q.iter().zip(at).map(|(q, by)| q + 0.2 * by).collect();
                let n = if q.len() == 7 || lab.scene().world.v(id).ok()?.len() > 3 {
                    3
                } else {
                    q.len().min(2)
                };
                json!({ "put": { "body": body, "position": to[..n.min(to.len())] } }).to_string()
            }
            5 => self.join(lab, number)?,
            6 => json!({ "detach": self.joint(lab)? }).to_string(),
            7 => {
                let radius = 0.1;
                let name = format!("ball {number}");
                let body = json!({ "name": name, "type": "sphere", "radius": radius, "mass": 1, "position": at });
                json!({ "together": [{ "add_body": body }, { "join": { "name": format!("tie {number}"),
                    "type": "ball", "a": self.body(lab)?, "b": name } }] })
                .to_string()
            }
            8 => json!({ "set_world": { "gravity": at } }).to_string(),
            9 => match self.roll(4) {
                0 => json!({ "remove_body": self.body(lab)? }).to_string(),
                _ => json!({ "add_behavior": { "name": format!("wind {number}"), "type": "force",
                    "on": self.body(lab)?, "force": at } })
                .to_string(),
            },
            10 => {
                let mut entry: Value =
                    serde_json::from_str(&lab.entry("joint", &self.joint(lab)?).ok()?).unwrap();
                entry
                    .as_object_mut()?
                    .insert("priority".to_owned(), self.roll(2).into());
                json!({ "set_joint": entry }).to_string()
            }
            11 => json!({ "rename": { "kind": "body", "name": self.body(lab)?, "to": format!("body {number}") } })
                .to_string(),
            _ => json!({ "set_view": { "flat": self.roll(2) == 0 } }).to_string(),
        })
    }
}
