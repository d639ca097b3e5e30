//! How many steps a run takes, and how long each is.
//!
//! `--seconds` is a whole number of steps of `--dt` where it is one to 1e-9 of itself: 10 s at 0.001 s
//! are 10,000 steps, whatever 10/0.001 is in binary. Else a last, shorter step takes what is left.

use crate::failure::Failure;

/// More steps than anybody waits for: at a microsecond each they take three hours.
const MOST: f64 = 1e10;

/// The steps of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// Steps of full length.
    n_whole: u64,
    /// The length of a step, s.
    dt: f64,
    /// The length of a last, shorter step, s.
    last: Option<f64>,
}

impl Schedule {
    pub(crate) fn new(seconds: f64, dt: f64) -> Result<Self, Failure> {
        let n = seconds / dt;
        if n > MOST {
            let problem =
                format!("{seconds} s in steps of {dt} s are {n:.0e} steps, more than {MOST:.0e}");
            return Err(Failure::usage(problem).hint("give fewer --seconds or a longer --dt"));
        }
        let nearest = n.round();
        let is_whole = (n - nearest).abs() <= 1e-9 * nearest;
        let whole = if is_whole { nearest } else { n.floor() };
        Ok(Self {
            n_whole: whole as u64,
            dt,
            last: (!is_whole).then_some(seconds - whole * dt),
        })
    }

    /// The length of a step, but for a last, shorter one, s.
    pub(crate) fn dt(&self) -> f64 {
        self.dt
    }

    pub(crate) fn n_steps(&self) -> u64 {
        self.n_whole + u64::from(self.last.is_some())
    }

    /// The length of each step, s.
    pub(crate) fn steps(self) -> impl Iterator<Item = f64> {
        (0..self.n_whole).map(move |_| self.dt).chain(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(seconds: f64, dt: f64) -> (u64, Option<f64>) {
        let schedule = Schedule::new(seconds, dt).unwrap();
        assert_eq!(schedule.steps().count() as u64, schedule.n_steps());
        (schedule.n_steps(), schedule.last)
    }

    #[test]
    fn whole_numbers_of_steps_are_whole() {
        assert_eq!(steps(10.0, 0.001), (10_000, None));
        assert_eq!(steps(0.3, 0.1), (3, None));
        assert_eq!(steps(5.0, 1.0 / 60.0), (300, None));
        assert_eq!(steps(3600.0, 1e-4), (36_000_000, None));
        assert_eq!(steps(0.0, 0.1), (0, None));
    }

    #[test]
    fn what_is_left_is_a_shorter_step() {
        assert_eq!(steps(0.25, 0.1).0, 3);
        assert!((steps(0.25, 0.1).1.unwrap() - 0.05).abs() < 1e-15);
        assert_eq!(steps(0.01, 0.1), (1, Some(0.01)));
    }

    #[test]
    fn what_nobody_waits_for_is_refused() {
        assert!(Schedule::new(1e9, 1e-6).is_err());
        assert!(Schedule::new(1e300, 1e-300).is_err());
    }
}
