//! Tendons: springs between two sites, and sums of joints that equalities couple.

use linkwork::math::{norm, sub};
use linkwork_scene::Fault;

use super::Reader;
use super::defaults::MAIN;
use super::equality::polynomial;
use crate::model::{Closure, ClosureKind, Spot};
use crate::place::point;
use crate::report::Notes;
use crate::xml::Element;

impl<'a> Reader<'a, '_> {
    /// Springs between two sites, out of a `<tendon>`.
    pub(super) fn tendons(&mut self, tendons: &'a Element, notes: &mut Notes) -> Result<(), Fault> {
        for tendon in &tendons.children {
            let name = tendon.title();
            let view = self.defaults.view(tendon, "tendon", MAIN)?;
            let sites: Vec<&Element> = tendon.all("site").collect();
            let straight = tendon.tag == "spatial" && tendon.children.len() == 2;
            let stiffness = view.first("stiffness")?.unwrap_or(0.0);
            if tendon.tag == "fixed" {
                if stiffness > 0.0 || view.first("damping")?.unwrap_or(0.0) > 0.0 {
                    notes.refuse("springs and dampers of fixed tendons", name);
                }
                self.fixed(tendon, notes)?;
                continue;
            }
            let ([first, second], true, true) = (&sites[..], straight, stiffness > 0.0) else {
                notes.refuse("tendons that are no spring between two sites", name);
                tendon.children.iter().for_each(Element::see);
                continue;
            };
            let ends = |site: &Element| {
                let name = site.need("site")?;
                self.site_named(site, name)
            };
            let sides = [ends(first)?, ends(second)?];
            let length = match view.numbers("springlength")?.as_deref() {
                Some([length]) if *length >= 0.0 => *length,
                Some([low, high]) if low == high => *low,
                Some([_, _]) => {
                    notes.refuse("tendons with a dead band", name);
                    continue;
                }
                _ => self.distance(&sides),
            };
            let damping = view.first("damping")?.unwrap_or(0.0);
            notes.read("tendon as a spring", name.as_str());
            self.model.closures.push(Closure {
                name: tendon.text("name").unwrap_or("tendon").to_owned(),
                kind: ClosureKind::Spring(stiffness, length, damping),
                sides,
                enabled: true,
            });
        }
        Ok(())
    }

    /// How far apart two places are at the reference.
    fn distance(&self, sides: &[Spot; 2]) -> f64 {
        let [a, b] = self.reference(sides[0].0, sides[1].0);
        let (p, q) = (
            point(&a, sides[0].1.position),
            point(&b, sides[1].1.position),
        );
        norm(sub(q, p))
    }

    /// A sum of joints, `L = Σ c·q`.
    fn fixed(&mut self, tendon: &'a Element, notes: &mut Notes) -> Result<(), Fault> {
        let mut joints = Vec::new();
        for joint in tendon.all("joint") {
            let name = joint.need("joint")?;
            let Some(freedom) = self.model.freedom(name) else {
                let kind = format!("fixed tendons of \"{name}\", which is not a joint");
                notes.refuse(&kind, tendon.title());
                tendon.children.iter().for_each(Element::see);
                return Ok(());
            };
            let coefficient = joint.number("coef")?.unwrap_or(1.0);
            if coefficient != 0.0 {
                joints.push((freedom, coefficient));
            }
        }
        let name = tendon.text("name").unwrap_or("tendon");
        self.tendons.insert(name, (joints, false));
        Ok(())
    }

    /// An equality of tendons: `L₁ = P(L₂)`, or `L₁ = P(0)`, from the reference on. Of two joints in all it is a
    /// coupling.
    pub(super) fn coupled(
        &mut self,
        element: &'a Element,
        name: String,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let view = self.defaults.view(element, "equality", MAIN)?;
        let given = polynomial(&view)?;
        let joints = |tendon: Option<&str>| Some(self.tendons.get(tendon?)?.0.clone());
        let first = joints(view.text("tendon1"));
        let second = view.has("tendon2").then(|| joints(view.text("tendon2")));
        let one_number = |own: &(usize, f64)| self.model.freedoms[own.0].kind.is_one_number();
        let sums: Option<Vec<_>> = [first, second.clone().unwrap_or(Some(Vec::new()))]
            .into_iter()
            .collect();
        let sums = sums.filter(|own| own.iter().flatten().all(one_number));
        let found = match sums.as_deref() {
            // c·y = P(d·x), and c·y = p where there is no x.
            Some([own, other]) if own.len() == 1 && other.len() == 1 => {
                let (mut power, mut coefficients) = (1.0 / own[0].1, Vec::new());
                for p in &given {
                    coefficients.push(p * power);
                    power *= other[0].1;
                }
                Some((own[0].0, Some(other[0].0), coefficients))
            }
            // c·y + d·x = p.
            Some([own, other]) if own.len() == 2 && other.is_empty() && second.is_none() => {
                let [(y, c), (x, d)] = [own[0], own[1]];
                let p = given.first().copied().unwrap_or(0.0);
                Some((y, Some(x), vec![p / c, -d / c]))
            }
            Some([own, other]) if own.len() == 1 && other.is_empty() && second.is_none() => {
                let p = given.first().copied().unwrap_or(0.0);
                Some((own[0].0, None, vec![p / own[0].1, 0.0]))
            }
            _ => None,
        };
        let Some((following, leading, coefficients)) = found else {
            notes.refuse("equality of tendons that is not one of two joints", name);
            return Ok(());
        };
        for which in ["tendon1", "tendon2"] {
            if let Some((_, is_used)) = view.text(which).and_then(|own| self.tendons.get_mut(own)) {
                *is_used = true;
            }
        }
        notes.read("fixed tendons as a coupling", name.as_str());
        self.couple(&view, name, (following, leading), coefficients);
        Ok(())
    }

    /// Reports fixed tendons that couple nothing.
    pub(super) fn slack(&self, notes: &mut Notes) {
        for (name, (_, is_used)) in &self.tendons {
            if !is_used {
                notes.refuse("fixed tendons that no equality holds", *name);
            }
        }
    }
}
