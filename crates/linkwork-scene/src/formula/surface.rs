//! A formula as a surface: `F(x, y, z) = 0` in the frame of a connector.
//!
//! What is typed may be in any unit. Rows are in meters, so the distance from the surface to first order stands in its
//! place:
//!
//! ```text
//!     f = F/|∇F|
//! ```

use linkwork::constraint::Surface;
use linkwork::math::{Sym3, Vec3};
use linkwork_formula::{Hessian, Item, Kind, Named, Op, Scope, Tape};

use super::one;
use crate::fault::Fault;

const N: usize = 3;
/// The gradient, and its rows.
const MOST_ENTRIES: usize = N + N * N;

/// A surface as it was typed.
#[derive(Clone, Debug)]
pub struct SurfaceFormula {
    text: Box<str>,
    distance: Tape,
    second: Hessian,
}

impl SurfaceFormula {
    /// Compiles `F` or `left == right` over x, y and z.
    pub fn new(text: &str) -> Result<Self, Fault> {
        let names = ["x", "y", "z"].into_iter().enumerate();
        let names = names.map(|(at, name)| (name, Named::Input(Kind::Scalar, at as u16)));
        let mut names: Vec<(&str, Named)> = names.collect();
        let mut scope = Scope::new(&mut names);
        let hint = "write F, which is zero on the surface, or left == right: \"x^2 + y^2 == 1\"";
        let (Item::Value(value) | Item::Equation(value)) = one(scope.compile(text), text)? else {
            return Err(Fault::at("is", "is no surface").hint(hint));
        };
        let &[of] = value.parts() else {
            return Err(Fault::at("is", "is a vector, but must be a number").hint(hint));
        };
        let mut graph = scope.into_graph();
        let slopes = graph.gradient(of, &[0, 1, 2]);
        let [x, y, z] = [slopes[0], slopes[1], slopes[2]];
        if [x, y, z].iter().all(|own| graph.value(*own) == Some(0.0)) {
            return Err(Fault::at("is", "does not depend on x, y or z").hint(hint));
        }
        let steep = graph.norm([x, y, z]);
        // Where there is no slope there is no distance either: zero, not infinite.
        let distance = graph.binary(Op::Ratio, of, steep);
        let too_long = |problem| Fault::at("is", format!("{problem}"));
        let second = Hessian::new(&graph, distance, N).map_err(too_long)?;
        let distance = Tape::new(&graph, &[distance], N).map_err(too_long)?;
        Ok(Self {
            text: text.into(),
            distance,
            second,
        })
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The gradient of the distance, and its second derivatives by each.
    fn eval(&self, p: Vec3) -> (Vec3, [Vec3; N]) {
        let inputs = self.second.inputs();
        let (mut y, mut rows) = ([0.0; N + 1], [0.0; MOST_ENTRIES]);
        let n = self.second.n_entries();
        self.second
            .eval(&p, &mut y[..inputs.len() + 1], &mut rows[..n]);
        let (mut gradient, mut hessian) = ([0.0; N], [[0.0; N]; N]);
        let mut entries = rows[inputs.len()..].iter();
        for (k, &input) in inputs.iter().enumerate() {
            gradient[usize::from(input)] = y[k + 1];
            for (&other, entry) in self.second.pattern(k).iter().zip(&mut entries) {
                hessian[usize::from(input)][usize::from(other)] = *entry;
            }
        }
        (gradient, hessian)
    }
}

impl Surface for SurfaceFormula {
    fn value(&self, p: Vec3) -> f64 {
        let mut y = [0.0];
        self.distance.value(&p, &mut y);
        y[0]
    }

    fn gradient(&self, p: Vec3) -> Vec3 {
        self.eval(p).0
    }

    fn hessian(&self, p: Vec3) -> Sym3 {
        let h = self.eval(p).1;
        [h[0][0], h[1][1], h[2][2], h[0][1], h[0][2], h[1][2]]
    }
}
