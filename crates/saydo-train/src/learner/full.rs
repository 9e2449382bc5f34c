//! All weights of a network learn.

use crate::{Error, Parameter, Parameters};
use saydo_model::weights::{Purpose, Variable, Weights, as_in_files};
use saydo_model::{EngineSettings, LocalModel};
use std::collections::BTreeSet;
use std::path::Path;

pub(super) struct Full {
    variables: Vec<Variable>,
    /// Every tensor of the network, those that do not change included.
    names: BTreeSet<String>,
}

impl Full {
    /// The variables of weights whose network was built. A model folder must be writable from them: that is where
    /// learning ends.
    pub fn new(weights: &Weights) -> Result<(Parameters, Self), Error> {
        if !matches!(weights.purpose(), Purpose::Learning { .. }) {
            return Err(Error::FrozenWeights);
        }
        weights.check_folder()?;
        let variables = weights.variables();
        let parameter = |variable: &Variable| Parameter {
            name: variable.own_name(),
            value: variable.value.clone(),
            // T5's numbers for distances are a bias, too, though they stand in a table.
            decays: variable.value.rank() == 2 && !variable.name.contains("bias"),
        };
        Ok((variables.iter().map(parameter).collect(), Self { variables, names: weights.used() }))
    }

    pub fn save(&self, source: &Path, folder: &Path) -> Result<(), Error> {
        Ok(self.weights(source, Purpose::Inference)?.save_folder(&self.names, folder)?)
    }

    pub fn model(&self, source: &Path, engine: EngineSettings) -> Result<LocalModel, Error> {
        Ok(LocalModel::from_weights(&self.weights(source, Purpose::Inference)?, source, engine)?)
    }

    /// The weights as they are now.
    fn weights(&self, source: &Path, purpose: Purpose) -> Result<Weights, Error> {
        let mut weights = Weights::open(source, purpose)?;
        for (name, values) in as_in_files(&self.variables)? {
            weights.replace(&name, &values)?;
        }
        Ok(weights)
    }
}
