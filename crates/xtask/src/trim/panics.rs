//! Calls that can only end in a trap become the trap.

use std::collections::{HashMap, HashSet};

use walrus::ir::{
    Block, Br, BrIf, BrTable, Call, IfElse, Instr, InstrSeqId, InstrSeqType, Loop, Unreachable,
    Visitor, dfs_in_order,
};
use walrus::{FunctionId, FunctionKind, LocalFunction, Module};

/// Replaces calls of what panics by `unreachable`, with the arguments that are computed for it.
pub(super) fn cut(module: &mut Module) {
    let panics = find(module);
    for (id, function) in module.funcs.iter_local_mut() {
        let entry = function.entry_block();
        if panics.contains(&id) {
            function.block_mut(entry).instrs = vec![trap()];
        } else {
            cut_calls(function, entry, &panics);
            Landings::default().join(function, entry, None);
        }
    }
}

fn trap() -> (Instr, walrus::ir::InstrLocId) {
    (Unreachable {}.into(), walrus::ir::InstrLocId::default())
}

/// The functions that panic: the entries of Rust's own, and what does nothing but call them.
fn find(module: &Module) -> HashSet<FunctionId> {
    let mut found = HashSet::new();
    let mut others = Vec::new();
    for function in module.funcs.iter() {
        match &function.kind {
            _ if function.name.as_deref().is_some_and(is_entry) => {
                found.insert(function.id());
            }
            FunctionKind::Local(local) => {
                let habits = Habits::of(local);
                if !habits.returns && !habits.calls_unknown {
                    others.push((function.id(), habits.calls));
                }
            }
            FunctionKind::Import(_) | FunctionKind::Uninitialized(_) => {}
        }
    }
    // What never returns, and calls only what never returns.
    let mut n_before = usize::MAX;
    while n_before != found.len() {
        n_before = found.len();
        let ends = others.iter().filter(|(_, calls)| {
            !calls.is_empty() && calls.iter().all(|call| found.contains(call))
        });
        let ends: Vec<_> = ends.map(|(id, _)| *id).collect();
        found.extend(ends);
    }
    found
}

/// Whether a function of this name is where a panic of Rust begins, or memory that cannot be had ends.
fn is_entry(name: &str) -> bool {
    let path: String = {
        // `core[c5930c85a12de822]::panicking` and `core::panicking` are the same.
        let mut depth = 0;
        let outside = |c: &char| {
            depth += i32::from(*c == '[');
            let is_outside = depth == 0;
            depth -= i32::from(*c == ']');
            is_outside
        };
        name.chars().filter(outside).collect()
    };
    let path = path.trim_start_matches('<');
    path.starts_with("core::panicking::")
        || path.starts_with("std::panicking::begin_panic")
        || path.starts_with("alloc::alloc::handle_alloc_error")
}

/// What a function does, as far as it matters here.
#[derive(Default)]
struct Habits {
    returns: bool,
    calls_unknown: bool,
    calls: HashSet<FunctionId>,
    entry: Option<InstrSeqId>,
}

impl Habits {
    fn of(function: &LocalFunction) -> Self {
        let entry = function.entry_block();
        let last = function.block(entry).instrs.last();
        let falls_through = !matches!(last, Some((Instr::Unreachable(_), _)));
        let mut habits = Habits {
            returns: falls_through,
            entry: Some(entry),
            ..Habits::default()
        };
        dfs_in_order(&mut habits, function, entry);
        habits
    }
}

impl<'instr> Visitor<'instr> for Habits {
    fn visit_instr(&mut self, instr: &'instr Instr, _: &'instr walrus::ir::InstrLocId) {
        let is_entry = |block: &InstrSeqId| Some(*block) == self.entry;
        match instr {
            Instr::Return(_) => self.returns = true,
            Instr::Br(Br { block }) | Instr::BrIf(BrIf { block }) if is_entry(block) => {
                self.returns = true;
            }
            Instr::BrTable(BrTable { blocks, default }) => {
                let is_left = blocks.iter().chain([default]).any(is_entry);
                self.returns |= is_left;
            }
            Instr::Call(Call { func }) => {
                self.calls.insert(*func);
            }
            Instr::CallIndirect(_)
            | Instr::CallRef(_)
            | Instr::ReturnCall(_)
            | Instr::ReturnCallIndirect(_)
            | Instr::ReturnCallRef(_) => self.calls_unknown = true,
            _ => {}
        }
    }
}

/// Puts the trap in place of each call of `panics`, within the sequence `at` and those inside it. What comes after it
/// in its sequence is never reached; what comes right before it, and does nothing but compute, is for nothing.
fn cut_calls(function: &mut LocalFunction, at: InstrSeqId, panics: &HashSet<FunctionId>) {
    let instrs = &mut function.block_mut(at).instrs;
    let panic = instrs.iter().position(|(instr, _)| match instr {
        Instr::Call(Call { func }) => panics.contains(func),
        Instr::Unreachable(_) => true,
        _ => false,
    });
    if let Some(mut end) = panic {
        while end > 0 && only_computes(&instrs[end - 1].0) {
            end -= 1;
        }
        instrs.truncate(end);
        instrs.push(trap());
    }
    for inner in inside(instrs) {
        cut_calls(function, inner, panics);
    }
}

/// Whether an instruction changes nothing that anybody can see after a trap: values, locals, and memory, which is
/// given up with the module.
fn only_computes(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Const(_)
            | Instr::LocalGet(_)
            | Instr::LocalSet(_)
            | Instr::LocalTee(_)
            | Instr::GlobalGet(_)
            | Instr::GlobalSet(_)
            | Instr::Binop(_)
            | Instr::Unop(_)
            | Instr::Select(_)
            | Instr::Drop(_)
            | Instr::Load(_)
            | Instr::Store(_)
    )
}

/// The sequences inside of a sequence.
fn inside(instrs: &[(Instr, walrus::ir::InstrLocId)]) -> Vec<InstrSeqId> {
    let mut found = Vec::new();
    for (instr, _) in instrs {
        match instr {
            Instr::Block(Block { seq }) | Instr::Loop(Loop { seq }) => found.push(*seq),
            Instr::IfElse(IfElse {
                consequent,
                alternative,
            }) => found.extend([*consequent, *alternative]),
            _ => {}
        }
    }
    found
}

/// Blocks that are left for a trap, of which a function needs one:
///
/// ```text
///     block A                            block A
///       block B … br_if B … end             … br_if A …
///       unreachable               →        unreachable
///     end                                end
///     unreachable                        unreachable
/// ```
#[derive(Default)]
struct Landings {
    /// A block that is gone, and the one that is left in its place.
    instead: HashMap<InstrSeqId, InstrSeqId>,
}

impl Landings {
    /// `landing` is a block around `at` that is left for a trap, if there is one.
    fn join(&mut self, function: &mut LocalFunction, at: InstrSeqId, landing: Option<InstrSeqId>) {
        let mut index = 0;
        while index < function.block(at).instrs.len() {
            let instrs = &function.block(at).instrs;
            let next = instrs.get(index + 1).map(|(instr, _)| instr);
            let is_left_for_trap = matches!(next, Some(Instr::Unreachable(_)));
            match &instrs[index].0 {
                Instr::Block(Block { seq }) => {
                    let seq = *seq;
                    let is_plain = matches!(function.block(seq).ty, InstrSeqType::Simple(None));
                    match (is_left_for_trap && is_plain, landing) {
                        (true, Some(landing)) => {
                            self.instead.insert(seq, landing);
                            let inner = std::mem::take(&mut function.block_mut(seq).instrs);
                            function.block_mut(at).instrs.splice(index..=index, inner);
                            // What came out is looked at in its turn.
                            continue;
                        }
                        (true, None) => self.join(function, seq, Some(seq)),
                        (false, _) => self.join(function, seq, landing),
                    }
                }
                Instr::Loop(Loop { seq }) => {
                    let seq = *seq;
                    self.join(function, seq, landing);
                }
                Instr::IfElse(own) => {
                    let own = own.clone();
                    match landing {
                        Some(block) if only_traps(function, &own) => {
                            function.block_mut(at).instrs[index].0 = BrIf { block }.into();
                        }
                        _ => {
                            self.join(function, own.consequent, landing);
                            self.join(function, own.alternative, landing);
                        }
                    }
                }
                _ => self.redirect(&mut function.block_mut(at).instrs[index].0),
            }
            index += 1;
        }
        // Nothing after the first trap is reached.
        let instrs = &mut function.block_mut(at).instrs;
        let is_trap = |(instr, _): &(Instr, _)| matches!(instr, Instr::Unreachable(_));
        if let Some(first) = instrs.iter().position(is_trap) {
            instrs.truncate(first + 1);
        }
    }

    /// Lets a branch to a block that is gone go to the one in its place.
    fn redirect(&self, branch: &mut Instr) {
        let instead = |block: &mut InstrSeqId| {
            if let Some(instead) = self.instead.get(block) {
                *block = *instead;
            }
        };
        match branch {
            Instr::Br(Br { block }) | Instr::BrIf(BrIf { block }) => instead(block),
            Instr::BrTable(BrTable { blocks, default }) => {
                blocks.iter_mut().for_each(instead);
                instead(default);
            }
            _ => {}
        }
    }
}

/// Whether all that is done where a condition holds is to trap, and nothing where it does not.
fn only_traps(function: &LocalFunction, branches: &IfElse) -> bool {
    let consequent = function.block(branches.consequent).instrs.as_slice();
    let alternative = &function.block(branches.alternative).instrs;
    matches!(consequent, [(Instr::Unreachable(_), _)]) && alternative.is_empty()
}
