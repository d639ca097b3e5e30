//! The material of a superquadric: stiffness, yield and damping of its free coordinates (Metaxas 1993, eq. 12).
//!
//! ```text
//!     strain s = q_k − rest_k       push −(k·s + d·ṡ),  d = damping + drag·M_kk
//!     yield  |s| > y:  rest_k ← q_k − y·sign(s)
//! ```
//!
//! Displacements resist by the elasticity of their matter: an affine solid with `V·(μ·S:S + ½λ·(tr S)²)`, a mode of
//! size η with `½·ω²·m·length²·η²`. Strains are linear in the coordinates, so a step takes them implicitly at any
//! stiffness. The rest of what yields is a part of q, behind the coordinates: it is saved, undone and hashed like them.
//! It follows where a step begins, and following twice is following once.

use std::sync::Arc;

use super::{LinearStrain, MaterialPoint, ShapeBody};
use crate::body::Body;
use crate::error::{Error, Shown};
use crate::shape::{DisplacementFields, MOST_FIELDS, Superquadric, SuperquadricForm};

/// How a coordinate that is free resists.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Freedom {
    /// Stiffness toward rest, J: per (log of a size, radian, …)².
    pub stiffness: f64,
    /// Damping, J·s.
    pub damping: f64,
}

/// Numbers, and how stiff their sum is.
type Resistance = (Vec<u32>, f64);

/// Displacements beside the global shape, and what resists them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// How many vibration modes; `None` are stretches and shears of the whole, as an affine solid has them.
    pub modes: Option<usize>,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Displacement {
    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("young", &self.young)?;
        if !(0.0..0.5).contains(&self.poisson) {
            let problem = format!("is {}; give 0 to less than 0.5", Shown(self.poisson));
            return Err(Error::field("poisson", problem));
        }
        match self.modes {
            Some(n) if n == 0 || n > MOST_FIELDS => {
                let problem = format!("are {n}; give 1 to {MOST_FIELDS}");
                Err(Error::field("modes", problem))
            }
            _ => Ok(()),
        }
    }

    /// λ and μ.
    fn lame(&self) -> [f64; 2] {
        let Self { young, poisson, .. } = *self;
        let mu = young / (2.0 * (1.0 + poisson));
        [2.0 * mu * poisson / (1.0 - 2.0 * poisson), mu]
    }

    /// The map with these displacements, and what resists them: numbers among them, and a stiffness.
    fn add_to(
        &self,
        map: Superquadric,
        density: f64,
    ) -> Result<(Superquadric, Vec<Resistance>), Error> {
        let (lame, volume) = (self.lame(), map.born().volume());
        let Some(n) = self.modes else {
            let [lambda, mu] = lame.map(|own| own * volume);
            let mut strains: Vec<_> = (0..6).map(|k| (vec![k], 2.0 * mu)).collect();
            // Of xy and yx.
            strains[3..].iter_mut().for_each(|own| own.1 *= 2.0);
            strains.push((vec![0, 1, 2], lambda));
            return Ok((map.with_fields(DisplacementFields::affine())?, strains));
        };
        let (map, squares) = map.with_modes(n, density, lame)?;
        let inertia = density * volume * map.length() * map.length();
        let each = (0..).zip(squares);
        let strains = each.map(|(k, square)| (vec![k], square * inertia));
        Ok((map, strains.collect()))
    }
}

/// The matter of a superquadric.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Matter {
    /// Mass per volume at birth.
    pub density: f64,
    /// What is free, in the order of [`Matter::GROUPS`]; the rest is held.
    pub free: [Option<Freedom>; 6],
    /// Damping of what is free in proportion to its mass, 1/s.
    pub drag: f64,
    /// How far a free coordinate goes before what is beyond stays; none springs back from anywhere.
    pub yield_at: Option<f64>,
    /// What it does beside its global shape.
    pub displacement: Option<Displacement>,
}

impl Matter {
    /// What can be freed, and which coordinates of [`Superquadric::NAMES`] that are.
    pub const GROUPS: [(&'static str, std::ops::Range<usize>); 6] = [
        ("size", 0..3),
        ("exponents", 3..5),
        ("taper", 5..7),
        ("shear", 7..9),
        ("twist", 9..10),
        ("bend", 10..12),
    ];

    /// The freedom of a coordinate.
    fn of(&self, coordinate: usize) -> Option<Freedom> {
        let mut groups = Self::GROUPS.iter().zip(self.free);
        groups.find(|((_, own), _)| own.contains(&coordinate))?.1
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("density", &self.density)?;
        Error::require_not_negative("drag", &self.drag)?;
        for freedom in self.free.iter().flatten() {
            Error::require_not_negative("stiffness", &freedom.stiffness)?;
            Error::require_not_negative("damping", &freedom.damping)?;
        }
        if let Some(displacement) = &self.displacement {
            displacement.validate()?;
        }
        self.yield_at
            .map_or(Ok(()), |at| Error::require_positive("yield", &at))
    }
}

impl ShapeBody {
    /// A superquadric that may move, turn, and change in what its matter leaves free.
    pub fn superquadric(form: SuperquadricForm, matter: Matter) -> Result<Self, Error> {
        matter.validate()?;
        let coordinates = 0..crate::shape::N_COORDINATES;
        let free: Vec<usize> = coordinates
            .filter(|&own| matter.of(own).is_some())
            .collect();
        let mut map = Superquadric::new(form, &free)?;
        let mut resists: Vec<(Vec<u32>, Freedom)> = Vec::new();
        for (number, coordinate) in free.iter().enumerate() {
            let freedom = matter.of(*coordinate).unwrap_or_default();
            resists.push((vec![number as u32], freedom));
        }
        if let Some(displacement) = &matter.displacement {
            let (displaced, strains) = displacement.add_to(map, matter.density)?;
            map = displaced;
            for (mut numbers, stiffness) in strains {
                numbers.iter_mut().for_each(|own| *own += free.len() as u32);
                let freedom = Freedom {
                    stiffness,
                    damping: 0.0,
                };
                resists.push((numbers, freedom));
            }
        }
        let points = map.solid_points()?.into_iter();
        let points = points.map(|(u, volume)| MaterialPoint {
            u,
            mass: matter.density * volume,
        });
        let points = points.collect();
        let mut body = Self::framed(Arc::new(map), points)?;
        let (n, behind) = (body.n_v(), body.n_frame().1);
        let mut q = vec![0.0; body.n_q()];
        body.initial_q(&mut q);
        let mut mass = vec![0.0; n * n];
        body.mass(&q, &mut mass);
        let mut strains = Vec::new();
        for (numbers, freedom) in resists {
            // What resists several numbers at once has no inertia beside theirs.
            let inertia = match numbers[..] {
                [number] => mass[(behind + number as usize) * (n + 1)],
                _ => 0.0,
            };
            let rest = numbers.iter().map(|own| body.born[*own as usize]).sum();
            let strain = LinearStrain {
                slope: vec![1.0; numbers.len()],
                numbers,
                rest,
                stiffness: freedom.stiffness,
                damping: freedom.damping + matter.drag * inertia,
            };
            if strain.stiffness > 0.0 || strain.damping > 0.0 {
                strains.push(strain);
            }
        }
        body = body.with_strains(strains)?;
        body.yield_at = matter.yield_at;
        body.matter = Some(matter);
        Ok(body)
    }

    /// The superquadric that its map is, and its matter.
    pub fn as_superquadric(&self) -> Option<(&Superquadric, &Matter)> {
        let map: &dyn std::any::Any = self.map.as_ref();
        Some((map.downcast_ref()?, self.matter.as_ref()?))
    }

    /// The shape of a superquadric at its coordinates.
    pub fn form_at(&self, q: &[f64]) -> Option<SuperquadricForm> {
        let (map, _) = self.as_superquadric()?;
        Some(map.at(self.numbers(q)))
    }

    /// Where a strain is at rest.
    pub(super) fn rest_of(&self, strain: usize, q: &[f64]) -> f64 {
        match self.yield_at {
            Some(_) => q[self.n_frame().0 + self.map.n_numbers() + strain],
            None => self.strains[strain].rest,
        }
    }

    /// Rest follows what went beyond the yield.
    pub(super) fn give_way(&self, q: &mut [f64]) {
        let Some(most) = self.yield_at else { return };
        let from = self.n_frame().0 + self.map.n_numbers();
        for (i, strain) in self.strains.iter().enumerate() {
            let beyond = strain.beyond(self.numbers(q), q[from + i]);
            if beyond.abs() > most {
                q[from + i] = strain.beyond(self.numbers(q), most.copysign(beyond));
            }
        }
    }
}
