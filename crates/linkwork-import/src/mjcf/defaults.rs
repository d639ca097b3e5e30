//! Default classes: what an element has that does not say so itself.

use std::collections::BTreeMap;

use linkwork_scene::Fault;

use crate::xml::Element;

/// The classes of a model.
#[derive(Debug, Default)]
pub(super) struct Defaults<'a> {
    classes: BTreeMap<&'a str, Class<'a>>,
}

#[derive(Debug)]
struct Class<'a> {
    parent: Option<&'a str>,
    /// The elements of the class; of one tag, later ones count first.
    elements: Vec<&'a Element>,
}

impl<'a> Class<'a> {
    fn in_class(parent: Option<&'a str>) -> Self {
        Self {
            parent,
            elements: Vec::new(),
        }
    }
}

/// The class that holds where no other does.
pub(super) const MAIN: &str = "main";

impl<'a> Defaults<'a> {
    pub(super) fn of(model: &'a Element) -> Result<Self, Fault> {
        let mut own = Self::default();
        own.classes.insert(MAIN, Class::in_class(None));
        for default in model.all("default") {
            // The outermost class is "main", whatever it is called.
            let alias = default.text("class").filter(|name| *name != MAIN);
            own.add(default, MAIN)?;
            if let Some(alias) = alias {
                own.classes.insert(alias, Class::in_class(Some(MAIN)));
            }
        }
        Ok(own)
    }

    /// Adds what is in a `<default>` to a class, and the classes inside it.
    fn add(&mut self, default: &'a Element, class: &'a str) -> Result<(), Fault> {
        for child in &default.children {
            if child.tag == "default" {
                let name = child.need("class")?;
                let nested = Class::in_class(Some(class));
                if self.classes.insert(name, nested).is_some() {
                    return Err(child.fault(format!("there are two classes \"{name}\"")));
                }
                self.add(child, name)?;
            } else if let Some(own) = self.classes.get_mut(class) {
                own.elements.insert(0, child);
            }
        }
        Ok(())
    }

    /// An element with its defaults: those of its own class, else of the class around it.
    pub(super) fn view(
        &self,
        element: &'a Element,
        tag: &str,
        around: &'a str,
    ) -> Result<View<'a>, Fault> {
        element.see();
        let class = element.text("class").unwrap_or(around);
        let mut chain = vec![element];
        let mut next = Some(class);
        while let Some(name) = next {
            let Some(class) = self.classes.get(name) else {
                let fault = element.fault(format!("no default class is called \"{name}\""));
                return Err(fault.meant(name, self.classes.keys().copied()));
            };
            chain.extend(class.elements.iter().filter(|own| own.tag == tag));
            next = class.parent;
        }
        Ok(View { element, chain })
    }
}

/// An element with its defaults.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) element: &'a Element,
    /// The element, then its defaults from the nearest on.
    chain: Vec<&'a Element>,
}

impl<'a> View<'a> {
    fn who(&self, name: &str) -> &'a Element {
        let found = self.chain.iter().find(|own| own.has(name));
        found.copied().unwrap_or(self.element)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.chain.iter().any(|own| own.has(name))
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.who(name).text(name)
    }

    pub(super) fn need(&self, name: &str) -> Result<&'a str, Fault> {
        self.who(name).need(name)
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Fault> {
        self.who(name).numbers(name)
    }

    pub(super) fn array<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, Fault> {
        self.who(name).array(name)
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Fault> {
        self.who(name).number(name)
    }

    /// The first of several numbers, if the others are zero.
    pub(super) fn first(&self, name: &str) -> Result<Option<f64>, Fault> {
        let Some(numbers) = self.numbers(name)? else {
            return Ok(None);
        };
        match numbers.as_slice() {
            [] => Ok(None),
            [first, rest @ ..] if rest.iter().all(|&number| number == 0.0) => Ok(Some(*first)),
            _ => {
                let problem = format!("attribute \"{name}\" is a polynomial");
                Err(self.element.fault(problem).hint("give one number"))
            }
        }
    }
}
