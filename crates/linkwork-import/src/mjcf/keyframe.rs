//! Keyframes: coordinates of all joints, to start with.

use linkwork_scene::Fault;

use super::Reader;
use crate::model::{Freedom, FreedomKind};
use crate::report::Notes;
use crate::xml::Element;

impl Reader<'_, '_> {
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
            key.numbers("qpos")?;
            key.numbers("qvel")?;
            if Some(own.as_str()) == wanted {
                let position = |freedom: &mut Freedom, q: &[f64]| {
                    freedom.start(q);
                };
                let rate = |freedom: &mut Freedom, v: &[f64]| {
                    freedom.rates[..v.len()].copy_from_slice(v);
                };
                self.start(key, "qpos", |kind| kind.counts().0, position)?;
                self.start(key, "qvel", |kind| kind.counts().1, rate)?;
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

    /// Gives every freedom its part of the coordinates or rates of all.
    fn start(
        &mut self,
        key: &Element,
        attribute: &str,
        count: fn(FreedomKind) -> usize,
        set: fn(&mut Freedom, &[f64]),
    ) -> Result<(), Fault> {
        let Some(numbers) = key.numbers(attribute)? else {
            return Ok(());
        };
        let n: usize = self.model.freedoms.iter().map(|own| count(own.kind)).sum();
        if numbers.len() != n {
            let n = numbers.len();
            let problem =
                format!("attribute \"{attribute}\" has {n} numbers, not as many as the joints");
            return Err(key.fault(problem));
        }
        let mut rest = &numbers[..];
        for freedom in &mut self.model.freedoms {
            let (own, after) = rest.split_at(count(freedom.kind));
            set(freedom, own);
            rest = after;
        }
        Ok(())
    }
}
