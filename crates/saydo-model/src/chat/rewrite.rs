//! A template's instructions, with each one that makes a value replaced by one that pays for it.
//!
//! The engine counts steps but has no limit on what a step makes. Operators become calls of filters whose names no
//! template can write (see [`super::guard`]); literal text is written as values are, so that it is paid for too.

use super::budget::refused;
use minijinja::machinery::{Instruction, Instructions};
use minijinja::{Error, Value};

/// Filters that stand for operators.
pub(super) const ADD: &str = "+";
pub(super) const MULTIPLY: &str = "*";
pub(super) const CONCATENATE: &str = "~";
pub(super) const LIST: &str = "[]";
pub(super) const TUPLE: &str = "()";
pub(super) const MAP: &str = "{}";
pub(super) const STORE: &str = "=";

/// The same instructions, paid for.
pub(super) fn rewritten<'s>(instructions: &Instructions<'s>) -> Result<Instructions<'s>, Error> {
    let all: Vec<&Instruction<'s>> = (0..).map_while(|place| instructions.get(place)).collect();
    let replaced = all.iter().map(|instruction| replace(instruction)).collect::<Result<Vec<_>, _>>()?;
    // Where each instruction stands now; one more for the end.
    let places: Vec<u32> = std::iter::once(0)
        .chain(replaced.iter().scan(0_u32, |place, replacement| {
            *place += replacement.len() as u32;
            Some(*place)
        }))
        .collect();
    let mut out = Instructions::new(instructions.name(), instructions.source());
    for (place, replacement) in (0..).zip(replaced) {
        for mut instruction in replacement {
            if let Some(target) = target(&mut instruction) {
                *target = places[*target as usize];
            }
            match instructions.get_span(place) {
                Some(span) => out.add_with_span(instruction, span),
                None => out.add(instruction),
            };
        }
    }
    Ok(out)
}

fn replace<'s>(instruction: &Instruction<'s>) -> Result<Vec<Instruction<'s>>, Error> {
    let filter = |name: &'static str, count: usize| -> Result<Instruction<'s>, Error> {
        let count = u16::try_from(count).map_err(|_| refused("it writes a list of more than 65535 parts"))?;
        Ok(Instruction::ApplyFilter(name, Some(count), !0))
    };
    Ok(vec![match instruction {
        Instruction::EmitRaw(text) => return Ok(vec![Instruction::LoadConst(Value::from(*text)), Instruction::Emit]),
        Instruction::SetAttr(name) => {
            let store = filter(STORE, 1)?;
            return Ok(vec![Instruction::Swap, store, Instruction::Swap, Instruction::SetAttr(name)]);
        }
        Instruction::Add => filter(ADD, 2)?,
        Instruction::Mul => filter(MULTIPLY, 2)?,
        Instruction::StringConcat => filter(CONCATENATE, 2)?,
        Instruction::BuildList(Some(count @ 1..)) => filter(LIST, *count)?,
        Instruction::BuildTuple(Some(count @ 1..)) => filter(TUPLE, *count)?,
        Instruction::BuildMap(count @ 1..) => filter(MAP, count * 2)?,
        Instruction::UnpackLists(_) => return Err(refused("it unpacks lists with `*`")),
        other => (*other).clone(),
    }])
}

/// Where an instruction may jump to.
fn target<'i>(instruction: &'i mut Instruction<'_>) -> Option<&'i mut u32> {
    match instruction {
        Instruction::Iterate(target)
        | Instruction::Jump(target)
        | Instruction::JumpIfFalse(target)
        | Instruction::JumpIfFalseOrPop(target)
        | Instruction::JumpIfTrueOrPop(target)
        | Instruction::BuildMacro(_, target, _) => Some(target),
        _ => None,
    }
}
