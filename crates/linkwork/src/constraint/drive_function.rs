//! Functions of time for drives.

use std::any::Any;
use std::f64::consts::TAU;
use std::fmt;

use crate::error::Invalid;

/// A twice differentiable function of time.
pub trait DriveFunction: Any + fmt::Debug + Send + Sync {
    /// `f(t)`.
    fn value(&self, t: f64) -> f64;

    /// `ḟ(t)`.
    fn rate(&self, t: f64) -> f64;

    /// `f̈(t)`.
    fn acceleration(&self, t: f64) -> f64;

    /// Whether the parameters make sense.
    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }
}

/// `f = value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// The value.
    pub value: f64,
}

impl DriveFunction for Constant {
    fn value(&self, _t: f64) -> f64 {
        self.value
    }
    fn rate(&self, _t: f64) -> f64 {
        0.0
    }
    fn acceleration(&self, _t: f64) -> f64 {
        0.0
    }
    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_finite("value", &[self.value])
    }
}

/// `f = start + rate·t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// Value at t = 0.
    pub start: f64,
    /// Change per second.
    pub rate: f64,
}

impl DriveFunction for Ramp {
    fn value(&self, t: f64) -> f64 {
        self.start + self.rate * t
    }
    fn rate(&self, _t: f64) -> f64 {
        self.rate
    }
    fn acceleration(&self, _t: f64) -> f64 {
        0.0
    }
    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_finite("start", &[self.start])?;
        Invalid::require_finite("rate", &[self.rate])
    }
}

/// `f = offset + amplitude·sin(2π·frequency·t + phase)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sine {
    /// Greatest deviation from `offset`.
    pub amplitude: f64,
    /// Periods per second.
    pub frequency: f64,
    /// Angle of the sine at t = 0, radians.
    pub phase: f64,
    /// Mean value.
    pub offset: f64,
}

impl Sine {
    fn angle(&self, t: f64) -> f64 {
        TAU * self.frequency * t + self.phase
    }
}

impl DriveFunction for Sine {
    fn value(&self, t: f64) -> f64 {
        self.offset + self.amplitude * libm::sin(self.angle(t))
    }
    fn rate(&self, t: f64) -> f64 {
        TAU * self.frequency * self.amplitude * libm::cos(self.angle(t))
    }
    fn acceleration(&self, t: f64) -> f64 {
        let speed = TAU * self.frequency;
        -speed * speed * self.amplitude * libm::sin(self.angle(t))
    }
    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_finite("amplitude", &[self.amplitude])?;
        Invalid::require_finite("frequency", &[self.frequency])?;
        Invalid::require_finite("phase", &[self.phase])?;
        Invalid::require_finite("offset", &[self.offset])
    }
}

/// A closure that gives `[f, ḟ, f̈]` at a time.
#[derive(Clone, Copy)]
pub struct DriveClosure<C>(pub C);

impl<C> fmt::Debug for DriveClosure<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DriveClosure")
    }
}

impl<C: Fn(f64) -> [f64; 3] + Send + Sync + 'static> DriveFunction for DriveClosure<C> {
    fn value(&self, t: f64) -> f64 {
        (self.0)(t)[0]
    }
    fn rate(&self, t: f64) -> f64 {
        (self.0)(t)[1]
    }
    fn acceleration(&self, t: f64) -> f64 {
        (self.0)(t)[2]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn rates_are_derivatives() {
        let functions: [Arc<dyn DriveFunction>; 4] = [
            Arc::new(Constant { value: 2.0 }),
            Arc::new(Ramp {
                start: 1.0,
                rate: -3.0,
            }),
            Arc::new(Sine {
                amplitude: 0.7,
                frequency: 0.9,
                phase: 0.2,
                offset: -1.0,
            }),
            Arc::new(DriveClosure(|t: f64| [t * t * t, 3.0 * t * t, 6.0 * t])),
        ];
        let h = 1e-4;
        for f in functions {
            for t in [-2.0, 0.0, 0.6, 11.0] {
                let rate = (f.value(t + h) - f.value(t - h)) / (2.0 * h);
                let acceleration = (f.rate(t + h) - f.rate(t - h)) / (2.0 * h);
                assert!((rate - f.rate(t)).abs() < 1e-5, "{f:?}");
                assert!((acceleration - f.acceleration(t)).abs() < 1e-5, "{f:?}");
            }
            f.validate().unwrap();
        }
        let bad = Ramp {
            start: 0.0,
            rate: f64::INFINITY,
        };
        assert_eq!(bad.validate().unwrap_err().field, "rate");
    }
}
