//! Small modules, cut.

use walrus::ir::{BinaryOp, Instr, Value};
use walrus::{ConstExpr, DataKind, FunctionBuilder, FunctionId, Module, ValType};

use super::{pack, trim};

/// A function of one number that calls `end` where the number is not below `limit`, with an argument.
fn guarded(module: &mut Module, name: &str, limit: i32, end: FunctionId) -> FunctionId {
    let mut builder = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
    builder.name(name.to_owned());
    let x = module.locals.add(ValType::I32);
    builder
        .func_body()
        .block(None, |block| {
            let outer = block.id();
            block.local_get(x).i32_const(limit);
            block.binop(BinaryOp::I32LtU).br_if(outer);
            block.i32_const(1_048_576).call(end).unreachable();
        })
        .local_get(x);
    builder.finish(vec![x], &mut module.funcs)
}

/// A function of one number that gives it to `end`, and never returns.
fn ending(module: &mut Module, name: &str, end: Option<FunctionId>) -> FunctionId {
    let mut builder = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[]);
    builder.name(name.to_owned());
    let x = module.locals.add(ValType::I32);
    let mut body = builder.func_body();
    if let Some(end) = end {
        body.local_get(x).call(end);
    }
    body.unreachable();
    builder.finish(vec![x], &mut module.funcs)
}

fn calls(module: &Module, function: FunctionId) -> usize {
    struct Calls(usize);
    impl<'a> walrus::ir::Visitor<'a> for Calls {
        fn visit_instr(&mut self, instr: &'a Instr, _: &'a walrus::ir::InstrLocId) {
            self.0 += usize::from(matches!(instr, Instr::Call(_)));
        }
    }
    let mut calls = Calls(0);
    let function = module.funcs.get(function).kind.unwrap_local();
    walrus::ir::dfs_in_order(&mut calls, function, function.entry_block());
    calls.0
}

#[test]
fn panics_become_traps_and_what_reaches_the_page_stays() {
    let mut module = Module::default();
    let number = module.types.add(&[ValType::I32], &[]);
    let (throw, _) = module.add_import_func("page", "throw", number);
    let root = ending(&mut module, "core[c5930c85]::panicking::panic_fmt", None);
    let unwrap = ending(&mut module, "core::option::unwrap_failed", Some(root));
    let thrown = ending(&mut module, "wasm_bindgen::throw_str", Some(throw));
    let quiet = guarded(&mut module, "quiet", 3, unwrap);
    let loud = guarded(&mut module, "loud", 3, thrown);
    module.exports.add("quiet", quiet);
    module.exports.add("loud", loud);

    trim(&mut module);
    assert_eq!(calls(&module, quiet), 0);
    assert_eq!(calls(&module, loud), 1);
    let names = module.funcs.iter().filter_map(|f| f.name.as_deref());
    assert!(
        !names.into_iter().any(|name| name.contains("panic")),
        "panics are gone"
    );
}

#[test]
fn places_are_cleared_and_texts_are_not() {
    let mut module = Module::default();
    let memory = module.memories.add_local(false, false, 17, None, None);
    let base = 1_048_576_u32;
    let path = b"src/solve.rs";
    // The path, a place in it, and two texts beside each other.
    let mut bytes = path.to_vec();
    for word in [base, path.len() as u32, 41, 7] {
        bytes.extend(word.to_le_bytes());
    }
    let texts: Vec<u8> = [base + 28, 5, base + 33, 5]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    bytes.extend(&texts);
    let kind = DataKind::Active {
        memory,
        offset: ConstExpr::Value(Value::I32(base as i32)),
    };
    let data = module.data.add(kind, bytes);
    module.exports.add("memory", memory);

    trim(&mut module);
    let left = &module.data.get(data).value;
    assert!(
        left[..28].iter().all(|byte| *byte == 0),
        "path and place are cleared"
    );
    assert_eq!(
        left[28..],
        texts,
        "what looks only in part like a place stays"
    );
}

#[test]
fn equal_functions_are_one_and_exports_follow() {
    let mut module = Module::default();
    let root = ending(&mut module, "b", None);
    let same = ending(&mut module, "a", None);
    // They differ only in which of two equal functions they call.
    let first = guarded(&mut module, "d", 3, root);
    let second = guarded(&mut module, "c", 3, same);
    let other = guarded(&mut module, "e", 4, same);
    for (name, function) in [("first", first), ("second", second), ("other", other)] {
        module.exports.add(name, function);
    }

    let packed = pack(&module.emit_wasm()).unwrap();
    let packed = Module::from_buffer(&packed).unwrap();
    assert_eq!(packed.funcs.iter().count(), 3);
    let export = |name: &str| packed.exports.get_func(name).unwrap();
    assert_eq!(export("first"), export("second"));
    assert_ne!(export("first"), export("other"));
}
