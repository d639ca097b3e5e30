//! `<actuator>`: what moves joints, at a control of zero.
//!
//! A position actuator pushes with `kp·(u − q) − kv·q̇`, a spring with a damper. Here it is a motor on a position,
//! which comes back at the rate kp/kv and pushes with no more than its force range.

use linkwork_scene::Fault;

use super::Reader;
use super::defaults::{MAIN, View};
use crate::bounds::Motor;
use crate::model::FreedomKind;
use crate::report::Notes;
use crate::xml::Element;

/// The rate of a position that says none, 1/s.
const USUAL_GAIN: f64 = 10.0;
/// Steps of 1/60 s follow no faster ones.
const MOST_GAIN: f64 = 30.0;

/// What an actuator does, in its own units.
enum Law {
    Torque,
    /// Stiffness and damping.
    Position(f64, f64),
    Speed,
}

impl<'a> Reader<'a, '_> {
    pub(super) fn actuators(
        &mut self,
        actuators: &'a Element,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        for element in &actuators.children {
            let view = self.defaults.view(element, &element.tag, MAIN)?;
            let name = element.text("name").unwrap_or_default().to_owned();
            match self.actuator(&view)? {
                Ok((freedom, motor)) => {
                    let own = &mut self.model.freedoms[freedom];
                    if own.motor.is_some() {
                        notes.refuse("a second actuator of a joint", name);
                    } else {
                        own.motor = Some(motor);
                        if matches!(motor, Motor::Position { .. }) {
                            let kind = "actuators on positions: the rate kp/kv, and no more than their force";
                            notes.approximate(kind, name);
                        }
                    }
                }
                Err(why) => notes.refuse(&format!("<{}>: {why}", element.tag), name),
            }
        }
        Ok(())
    }

    /// The freedom that an actuator moves, and how; or why it does not.
    fn actuator(&self, view: &View<'_>) -> Result<Result<(usize, Motor), String>, Fault> {
        let Some(joint) = view.text("joint") else {
            return Ok(Err("it acts on no joint".to_owned()));
        };
        let Some(index) = self.model.freedom(joint) else {
            return Ok(Err(format!("no joint is called \"{joint}\"")));
        };
        let freedom = &self.model.freedoms[index];
        if !freedom.kind.is_one_number() {
            return Ok(Err("it acts on a ball or a free body".to_owned()));
        }
        let law = match self.law(view)? {
            Ok(law) => law,
            Err(why) => return Ok(Err(why)),
        };
        let gear = view.numbers("gear")?.and_then(|own| own.first().copied());
        let gear = gear.filter(|own| *own != 0.0).unwrap_or(1.0);
        let range = |name: &str, limited: &str| -> Result<Option<[f64; 2]>, Fault> {
            let range = view.array::<2>(name)?;
            let is_limited = match view.text(limited) {
                Some("true") => true,
                Some("false") => false,
                _ => self.compiler.auto_limits,
            };
            Ok(range.filter(|_| is_limited))
        };
        let control = range("ctrlrange", "ctrllimited")?;
        let force = range("forcerange", "forcelimited")?;
        let force = force.map(|[a, b]| gear.abs() * a.abs().max(b.abs()));
        let most = force.unwrap_or(f64::INFINITY).min(freedom.effort);
        Ok(match law {
            Law::Torque => Ok((index, Motor::Torque)),
            Law::Speed if most.is_finite() => Ok((index, Motor::Speed { most })),
            Law::Speed => Err("a speed without a range of force".to_owned()),
            Law::Position(stiffness, damping) => {
                let damping = match damping > 0.0 {
                    true => damping,
                    false => freedom.damping / (gear * gear),
                };
                let gain = match damping > 0.0 {
                    true => (stiffness / damping).min(MOST_GAIN),
                    false => USUAL_GAIN,
                };
                let [lower, upper] = freedom.limits;
                let reach = match (upper - lower).is_finite() {
                    true => upper - lower,
                    false if freedom.kind == FreedomKind::Hinge => std::f64::consts::TAU,
                    false => 1.0,
                };
                let most = match most.is_finite() {
                    true => most,
                    false => stiffness * gear * gear * reach,
                };
                let [low, high] = control.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                let at = 0.0_f64.max(low).min(high) / gear - freedom.reference;
                Ok((index, Motor::Position { at, gain, most }))
            }
        })
    }

    fn law(&self, view: &View<'_>) -> Result<Result<Law, String>, Fault> {
        let other = |what: &str| Ok(Err(what.to_owned()));
        if view.text("dyntype").is_some_and(|word| word != "none") {
            return other("it has dynamics of its own");
        }
        let spring = |stiffness: f64, damping: f64| match stiffness > 0.0 {
            true => Ok(Ok(Law::Position(stiffness, damping))),
            false => other("its gain is not positive"),
        };
        match view.element.tag.as_str() {
            "motor" => Ok(Ok(Law::Torque)),
            "position" => spring(
                view.number("kp")?.unwrap_or(1.0),
                view.number("kv")?.unwrap_or(0.0),
            ),
            "velocity" => {
                view.number("kv")?;
                Ok(Ok(Law::Speed))
            }
            "general" => {
                let gain = view.numbers("gainprm")?.unwrap_or_default();
                let bias = view.numbers("biasprm")?.unwrap_or_default();
                let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
                if view.text("gaintype").is_some_and(|word| word != "fixed") {
                    return other("its gain is not fixed");
                }
                match view.text("biastype") {
                    None | Some("none") => Ok(Ok(Law::Torque)),
                    Some("affine") if at(&bias, 1) == 0.0 && at(&bias, 2) < 0.0 => {
                        Ok(Ok(Law::Speed))
                    }
                    Some("affine") if at(&bias, 0) == 0.0 && at(&gain, 0) == -at(&bias, 1) => {
                        spring(-at(&bias, 1), -at(&bias, 2))
                    }
                    _ => other("its bias is no spring"),
                }
            }
            _ => other("not used"),
        }
    }
}
