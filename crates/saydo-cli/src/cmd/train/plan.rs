//! From flags and a preset to the settings of a training.

use super::data_args::LAYOUT;
use super::preset::Values;
use super::{Args, EndArg, LabelsArg, OptimizerArg, Preset, ScheduleArg};
use anyhow::{Result, bail};
use saydo_model::PromptLimit;
use saydo_train::{Ending, Learned, Most, OptimizerKind, Precision, Schedule, Settings};

const STEPS: usize = 500;
const RATE: f64 = 2e-4;
const RANK: usize = 16;
const ALPHA: f64 = 32.0;
const HOLD: f64 = 4.0;

/// What is done, whatever the learning rate.
pub(super) struct Plan {
    /// All settings; the rate is the first of `rates`, and the steps hold unless there are epochs.
    pub settings: Settings,
    /// The learning rates to try.
    pub rates: Vec<f64>,
    /// How often to go through all examples, in place of steps.
    pub epochs: Option<usize>,
    /// The lengths of prompts and outputs for models with an encoder.
    pub most: Most,
    /// Whether a user bounded the rows of a pass.
    pub is_bounded: bool,
}

impl Plan {
    /// Reads the arguments, in which the layout is filled in.
    pub fn new(args: &mut Args) -> Result<Self> {
        let preset = args.preset.map(Preset::values).unwrap_or_default();
        if args.data.layout.is_empty() {
            args.data.layout = vec![preset.layout.unwrap_or(LAYOUT).to_owned()];
        }
        let rates = if args.lr.is_empty() { vec![preset.lr.unwrap_or(RATE)] } else { args.lr.clone() };
        let given_steps = args.steps.is_some();
        let epochs = args.epochs.or(preset.epochs.filter(|_| !given_steps));
        let settings = settings(args, &preset, rates[0]);
        check(args, &settings, &rates, epochs)?;
        let most = Most {
            source: args.max_source.or(preset.max_source).unwrap_or(usize::MAX),
            target: args.max_target.or(preset.max_target).unwrap_or(64),
        };
        Ok(Self { settings, rates, epochs, most, is_bounded: args.max_length.is_some() })
    }

    /// Bounds prompts by what the model reads.
    pub fn bound(&mut self, limit: PromptLimit) {
        self.most.source = self.most.source.min(limit.before(self.most.target));
    }
}

fn settings(args: &Args, preset: &Values, rate: f64) -> Settings {
    let weight_decay = args.weight_decay.or(preset.weight_decay).unwrap_or(0.0);
    Settings {
        learned: learned(args, preset),
        steps: args.steps.or(preset.steps).unwrap_or(STEPS),
        batch: args.batch.or(preset.batch).unwrap_or(16),
        per_task: args.bundle,
        max_rows: args.max_length.unwrap_or(1024),
        memory: args.memory.unwrap_or(Settings::default().memory),
        precision: args.precision.precision(),
        packed: !args.no_pack,
        ending: match args.end {
            EndArg::Token => Ending::Token,
            EndArg::Line => Ending::Line,
            EndArg::LineAndToken => Ending::LineAndToken,
        },
        rate,
        schedule: match args.schedule.or(preset.schedule).unwrap_or(ScheduleArg::Linear) {
            ScheduleArg::Constant => Schedule::Constant,
            ScheduleArg::Linear => Schedule::Linear,
            ScheduleArg::Cosine => Schedule::Cosine,
        },
        warm_up: args.warm_up.or(preset.warm_up).unwrap_or(20),
        clip: args.clip.or(preset.clip).unwrap_or(1.0),
        smoothing: args.label_smoothing.or(preset.label_smoothing).unwrap_or(0.0),
        hold: args.hold.unwrap_or(HOLD),
        optimizer: match args.optimizer.or(preset.optimizer).unwrap_or(OptimizerArg::AdamW) {
            OptimizerArg::AdamW => OptimizerKind::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay },
            OptimizerArg::Adafactor => OptimizerKind::Adafactor { weight_decay },
        },
        checkpoint_every: args.checkpoint_every.or(preset.checkpoint_every).unwrap_or(25),
        keep: args.keep.or(preset.keep).unwrap_or(0),
        validate_every: args.validate_every.or(preset.validate_every).unwrap_or(100),
        patience: args.patience,
        seed: args.model.seed(),
    }
}

/// An adapter, unless all weights are asked for: by a flag, or by a preset beside which nothing is said of an adapter.
fn learned(args: &Args, preset: &Values) -> Learned {
    let says_adapter =
        args.rank.is_some() || args.alpha.is_some() || args.dropout.is_some() || !args.targets.is_empty();
    if args.full || (preset.is_full && !says_adapter) {
        return Learned::Full { frozen_embeddings: args.freeze_embeddings || preset.freezes_embeddings };
    }
    Learned::Adapter {
        rank: args.rank.unwrap_or(RANK),
        alpha: args.alpha.unwrap_or(ALPHA),
        dropout: args.dropout.unwrap_or(0.0),
        targets: args.targets.clone(),
    }
}

fn check(args: &Args, settings: &Settings, rates: &[f64], epochs: Option<usize>) -> Result<()> {
    if args.rank == Some(0) || settings.batch == 0 || settings.steps == 0 || epochs == Some(0) {
        bail!("--rank, --batch, --steps and --epochs must be at least 1");
    }
    if let Some(rate) = rates.iter().find(|rate| !(rate.is_finite() && **rate > 0.0)) {
        bail!("--lr is {rate}, expected a number above 0");
    }
    if let Some(dropout) = args.dropout.filter(|dropout| !(0.0..1.0).contains(dropout)) {
        bail!("--dropout is {dropout}, expected a share from 0 to below 1");
    }
    if !(0.0..1.0).contains(&settings.smoothing) {
        bail!("--label-smoothing is {}, expected a share from 0 to below 1", settings.smoothing);
    }
    if !(settings.hold.is_finite() && settings.hold >= 0.0) {
        bail!("--hold is {}, expected a weight of at least 0", settings.hold);
    }
    let is_held = matches!(args.labels, LabelsArg::Held);
    if args.hold.is_some() && !is_held {
        bail!("--hold without --labels held, expected both");
    }
    if args.hold_layout.is_some() && !matches!(args.labels, LabelsArg::Held) {
        bail!("--hold-layout without --labels held, expected both");
    }
    if is_held && matches!(settings.learned, Learned::Full { .. }) {
        bail!(
            "the model is to be held while all weights learn, expected an adapter: without it the model is what it was"
        );
    }
    if settings.precision == Precision::Bf16 && matches!(settings.learned, Learned::Full { .. }) {
        bail!("--precision bf16 while all weights learn, expected an adapter: only weights that stay are rounded");
    }
    if args.freeze_embeddings && matches!(settings.learned, Learned::Adapter { .. }) {
        bail!("--freeze-embeddings without --full, expected both: an adapter leaves embeddings as they are");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Arguments;
    use clap::Parser as _;

    fn plan(flags: &str) -> Result<Plan> {
        let words = ["saydo", "--data", "d", "-o", "o"].into_iter().chain(flags.split_whitespace());
        Plan::new(&mut Arguments::<Args>::parse_from(words).args)
    }

    #[test]
    fn presets_hold_the_papers_settings() {
        let bart = plan("--preset zest-bart").unwrap();
        let decay = OptimizerKind::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.01 };
        assert_eq!(bart.settings.learned, Learned::Full { frozen_embeddings: true });
        assert_eq!((bart.epochs, bart.settings.batch, bart.settings.rate), (Some(15), 32, 3e-5));
        assert_eq!((bart.settings.warm_up, bart.settings.clip, bart.settings.smoothing), (100, 0.1, 0.1));
        assert_eq!((bart.settings.optimizer, bart.most), (decay, Most { source: 512, target: 64 }));
        let t5 = plan("--preset zest-t5").unwrap();
        assert_eq!((t5.epochs, t5.settings.steps, t5.settings.keep), (None, 25_000, 10));
        assert_eq!((t5.settings.checkpoint_every, t5.settings.validate_every), (2_500, 2_500));
        assert_eq!(t5.settings.optimizer, OptimizerKind::Adafactor { weight_decay: 0.0 });
        let ni = plan("--preset natural-instructions").unwrap();
        assert_eq!((ni.epochs, ni.settings.rate), (Some(3), 5e-5));
        assert!(matches!(ni.settings.learned, Learned::Adapter { rank: 16, .. }));
    }

    #[test]
    fn flags_win_over_a_preset() {
        let plan = plan("--preset zest-bart --steps 7 --lr 1e-4,2e-4 --clip 2 --dropout 0.1").unwrap();
        assert_eq!((plan.epochs, plan.settings.steps, &plan.rates[..]), (None, 7, &[1e-4, 2e-4][..]));
        assert_eq!((plan.settings.clip, plan.settings.batch), (2.0, 32));
        assert!(matches!(plan.settings.learned, Learned::Adapter { dropout: 0.1, .. }));
    }

    #[test]
    fn outputs_end_with_the_end_token_unless_lines_are_asked_for() {
        let ending = |flags: &str| plan(flags).unwrap().settings.ending;
        assert_eq!((ending(""), ending("--end line")), (Ending::Token, Ending::Line));
        assert_eq!(ending("--end line-and-token"), Ending::LineAndToken);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let message = |flags: &str| plan(flags).err().expect("an error").to_string();
        assert!(message("--rank 0").contains("at least 1"));
        assert!(message("--lr 0").contains("--lr is 0, expected a number above 0"));
        assert!(message("--dropout 1").contains("--dropout is 1"));
        assert!(message("--label-smoothing 1.5").contains("--label-smoothing is 1.5"));
        assert!(message("--freeze-embeddings").contains("without --full"));
        assert!(message("--hold 2").contains("--hold without --labels held"));
        assert_eq!(message("--hold-layout ni-full"), "--hold-layout without --labels held, expected both");
        assert!(message("--precision bf16 --full").contains("only weights that stay are rounded"));
        assert!(message("--hold=-1 --labels held").contains("at least 0"));
        assert!(message("--labels held --full").contains("expected an adapter"));
    }
}
