//! The Turking Test: each of the seven tasks with the decodings that the paper reports for it.

use crate::plan::builder::Builder;
use crate::plan::{Options, Plan};
use crate::{Error, Length, NamedDecoding, Protocol};
use saydo_task::Task;
use saydo_task::turking::{Instruction, Kind};

/// Tokens beyond those of the sentence that a reply may have.
const BEYOND: usize = 20;
/// Tokens of a reply to the crowd's tasks: room for five questions. The paper gives no number.
const CROWD_TOKENS: usize = 128;
/// Draws for each resource of the crowd's tasks.
const CROWD_DRAWS: usize = 5;

pub(crate) fn plan(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    let layouts = options.layouts(Protocol::Turking)?;
    let is_own = options.decodings.is_empty();
    let decodings = options.decodings(|| decodings(options.seed));
    let names = layouts.iter().map(|(name, _)| name.clone()).collect();
    let mut builder = Builder::new(Protocol::Turking, names, decodings.clone(), options);
    for task in tasks {
        let instances: Vec<usize> = (0..task.instances.len().min(options.limit.unwrap_or(usize::MAX))).collect();
        let kind = kind(&task)?;
        let number = builder.task(task, &instances);
        for (layout, (_, laid_out)) in layouts.iter().enumerate() {
            let of_kind = |decoding: &usize| !is_own || is_of(kind, *decoding);
            for decoding in (0..decodings.len()).filter(of_kind) {
                builder.lay_out(number, (layout, laid_out), &[decoding])?;
            }
        }
    }
    Ok(builder.finish())
}

/// Greedy, one draw, and five draws; [`is_of`] says which go with which task.
pub(crate) fn decodings(seed: u64) -> Vec<NamedDecoding> {
    vec![
        NamedDecoding::greedy(Length::BeyondResource(BEYOND)),
        NamedDecoding::nucleus(Length::BeyondResource(BEYOND), 1, seed),
        NamedDecoding::nucleus(Length::Tokens(CROWD_TOKENS), CROWD_DRAWS, seed),
    ]
}

/// Nouns greedily; words and characters greedily and drawn once; the crowd's tasks drawn five times.
fn is_of(kind: Kind, decoding: usize) -> bool {
    match kind {
        Kind::Nouns | Kind::NounsUnderCondition => decoding == 0,
        Kind::NthWord | Kind::NthCharacter => decoding < 2,
        Kind::Snli | Kind::Squad | Kind::NewsQa => decoding == 2,
    }
}

fn kind(task: &Task) -> Result<Kind, Error> {
    let instruction = task.instances.first().and_then(|instance| Instruction::parse(&instance.input));
    instruction.map(|instruction| instruction.ask.kind()).ok_or_else(|| Error::NotTurking { task: task.id.clone() })
}
