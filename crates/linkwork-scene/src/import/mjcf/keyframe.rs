//! Keyframes: coordinates of all joints, to start with.

use super::super::model::FreedomKind;
use super::super::report::Notes;
use super::super::xml::Element;
use super::Reader;
use crate::Fault;

impl Reader<'_> {
    /// Starts at the keyframe that was asked for; reports the others.
    pub(super) fn keyframe(
        &mut self,
        model: &Element,
        wanted: Option<&str>,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let mut names = Vec::new();
        let mut found = false;
        for (i, key) in model
            .all("keyframe")
            .flat_map(|own| own.all("key"))
            .enumerate()
        {
            let own = key
                .text("name")
                .map_or_else(|| i.to_string(), str::to_owned);
            let (qpos, qvel) = (key.numbers("qpos")?, key.numbers("qvel")?);
            if Some(own.as_str()) == wanted {
                if let Some(qpos) = qpos {
                    self.start_at(key, &qpos)?;
                }
                if let Some(qvel) = qvel {
                    self.start_with(key, &qvel)?;
                }
                notes.read("start at keyframe", &own);
                found = true;
            } else {
                notes.refuse("keyframes that were not asked for", &own);
            }
            names.push(own);
        }
        match wanted {
            Some(wanted) if !found => {
                let fault = model.fault(format!("no keyframe is called \"{wanted}\""));
                Err(fault.meant(wanted, names.iter().map(String::as_str)))
            }
            _ => Ok(()),
        }
    }

    fn start_at(&mut self, key: &Element, qpos: &[f64]) -> Result<(), Fault> {
        let mut rest = qpos;
        for freedom in &mut self.model.freedoms {
            let n = match freedom.kind {
                FreedomKind::Hinge | FreedomKind::Slide => 1,
                FreedomKind::Ball => 4,
                FreedomKind::Free => 7,
            };
            let Some((own, after)) = rest.split_at_checked(n) else {
                return Err(wrong(key, "qpos", qpos.len()));
            };
            rest = after;
            freedom.start(own);
        }
        match rest {
            [] => Ok(()),
            _ => Err(wrong(key, "qpos", qpos.len())),
        }
    }

    fn start_with(&mut self, key: &Element, qvel: &[f64]) -> Result<(), Fault> {
        let mut rest = qvel;
        for freedom in &mut self.model.freedoms {
            let n = match freedom.kind {
                FreedomKind::Hinge | FreedomKind::Slide => 1,
                FreedomKind::Ball => 3,
                FreedomKind::Free => 6,
            };
            let Some((own, after)) = rest.split_at_checked(n) else {
                return Err(wrong(key, "qvel", qvel.len()));
            };
            rest = after;
            freedom.rates[..n].copy_from_slice(own);
        }
        match rest {
            [] => Ok(()),
            _ => Err(wrong(key, "qvel", qvel.len())),
        }
    }
}

fn wrong(key: &Element, attribute: &str, n: usize) -> Fault {
    let problem = format!("attribute \"{attribute}\" has {n} numbers, not as many as the joints");
    key.fault(problem)
}
