//! Functions in an order in which they pack well, each once.
//!
//! What packs files sees only the last 32 kB. Functions of one file, and copies of one function for several types, have
//! names beside each other, and much in common: by name they follow each other. That is 5 % of the packed module.

use std::collections::HashMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, KnownCustom, Name,
    Parser, Payload, TypeRef,
};

/// The same module in that order, without names.
pub(super) fn sort(module: &[u8]) -> Result<Vec<u8>, String> {
    let words = |error: &dyn std::fmt::Display| format!("the module cannot be read: {error}");
    let mut bytes = module.to_vec();
    let mut names = names(&bytes).map_err(|error| words(&error))?;
    // Functions that call equal functions may be equal only then.
    loop {
        let order = Order::new(&bytes, &names).map_err(|error| words(&error))?;
        let is_last = order.kept.len() == order.types.len();
        names = order.names(&names);
        bytes = order.encode(&bytes).map_err(|error| words(&error))?;
        if is_last {
            return Ok(bytes);
        }
    }
}

/// The names of functions, imports first.
fn names(module: &[u8]) -> wasmparser::Result<HashMap<u32, String>> {
    let mut names = HashMap::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(section) = payload? else {
            continue;
        };
        let KnownCustom::Name(sections) = section.as_known() else {
            continue;
        };
        for section in sections {
            if let Name::Function(own) = section? {
                for naming in own {
                    let naming = naming?;
                    names.insert(naming.index, naming.name.to_owned());
                }
            }
        }
    }
    Ok(names)
}

/// Where functions go. Imports stay where they are, before all others.
struct Order {
    n_imports: u32,
    /// The type of each function of the module.
    types: Vec<u32>,
    /// The functions that are kept, in their new order, counted without imports.
    kept: Vec<usize>,
    /// The new number of each function, counted without imports.
    number: Vec<u32>,
}

impl Order {
    fn new(module: &[u8], names: &HashMap<u32, String>) -> wasmparser::Result<Self> {
        let mut n_imports = 0;
        let mut types = Vec::new();
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        n_imports += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(section) => {
                    types = section.into_iter().collect::<wasmparser::Result<_>>()?;
                }
                Payload::CodeSectionEntry(body) => bodies.push(body),
                _ => {}
            }
        }
        let name = |function: usize| names.get(&(n_imports + function as u32));
        let mut sorted: Vec<usize> = (0..bodies.len()).collect();
        sorted.sort_by_key(|&function| (name(function), bodies[function].as_bytes()));
        let mut kept = Vec::new();
        let mut number = vec![0; bodies.len()];
        let mut known = HashMap::new();
        for function in sorted {
            let own = (types[function], bodies[function].as_bytes());
            number[function] = *known.entry(own).or_insert_with(|| {
                kept.push(function);
                kept.len() as u32 - 1
            });
        }
        Ok(Order {
            n_imports,
            types,
            kept,
            number,
        })
    }

    fn names(&self, names: &HashMap<u32, String>) -> HashMap<u32, String> {
        let of = |(number, function): (usize, &usize)| {
            let name = names.get(&(self.n_imports + *function as u32))?;
            Some((self.n_imports + number as u32, name.clone()))
        };
        self.kept.iter().enumerate().filter_map(of).collect()
    }

    fn encode(mut self, module: &[u8]) -> Result<Vec<u8>, Error> {
        let mut encoded = Module::new();
        self.parse_core_module(&mut encoded, Parser::new(0), module)?;
        Ok(encoded.finish())
    }
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        let own = function.checked_sub(self.n_imports);
        Ok(own.map_or(function, |own| self.n_imports + self.number[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        _: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        for &function in &self.kept {
            functions.function(self.types[function]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        let bodies: Vec<FunctionBody<'_>> = section.into_iter().collect::<Result<_, _>>()?;
        for function in self.kept.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error> {
        if !matches!(section.as_known(), KnownCustom::Name(_)) {
            module.section(&self.custom_section(section)?);
        }
        Ok(())
    }
}
