//! Where an architecture finds its weights and settings, whatever file they lie in.
//!
//! Architectures ask by the names of Hugging Face checkpoints (`model.layers.3.self_attn.q_proj.weight`, `hidden_size`);
//! a GGUF file's own names are translated here, once. For inference on the CPU matrices are repacked for our kernels,
//! which copies them; for training and for other devices they become plain tensors of floats.

mod config;
mod folder;
mod names;
mod safetensors;
mod scope;
mod variable;

pub use config::Config;
pub use scope::Scope;
pub use variable::{Form, Variable, as_in_files};

use self::safetensors::SafetensorsFiles;
use crate::Error;
use crate::gguf::Gguf;
use crate::kernel::PackedMatrix;
use crate::mapping::Mapping;
use crate::nn::{Matrix, RoundedMatrix, with_values};
use crate::quant::{BlockType, dequantize};
use candle_core::{Device, Tensor, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// What weights are loaded for.
#[derive(Debug, Clone)]
pub enum Purpose {
    /// Generation on the CPU: matrices are packed for the kernels and stay quantized.
    Inference,
    /// Gradients, or a device other than the CPU: matrices are plain tensors of floats there.
    Training(Device),
    /// Gradients on the CPU, with matrices that stay rounded to bf16: tiles made of a few rows at a time, so that no matrix
    /// is ever in memory as floats.
    Rounded,
    /// The weights themselves change, on the CPU: they are variables, which [`Weights::variables`] lists.
    Learning {
        /// Whether token and position embeddings change, too.
        embeddings: bool,
    },
}

/// An open file or folder of weights.
pub struct Weights {
    path: PathBuf,
    source: Source,
    config: Config,
    purpose: Purpose,
    /// Tensors that stand in place of those of the files: shapes and the bytes of floats.
    replaced: BTreeMap<String, (Vec<usize>, Vec<u8>)>,
    used: Mutex<BTreeSet<String>>,
    variables: Mutex<Vec<Variable>>,
}

enum Source {
    Gguf(Gguf<Mapping>),
    Safetensors(SafetensorsFiles),
}

/// One tensor where it lies.
struct Raw<'a> {
    kind: BlockType,
    /// Slowest dimension first.
    shape: Vec<usize>,
    bytes: &'a [u8],
}

impl Weights {
    /// Opens a GGUF file, or a folder with `config.json` and safetensors files.
    pub fn open(path: &Path, purpose: Purpose) -> Result<Self, Error> {
        if path.is_dir() {
            let config = Config::load_json(&path.join("config.json"))?;
            return Ok(Self::new(path, Source::Safetensors(SafetensorsFiles::open(path)?), config, purpose));
        }
        let gguf = Gguf::open(path)?;
        let config = Config::from_gguf(&gguf).map_err(|error| error.in_file(path))?;
        Ok(Self::new(path, Source::Gguf(gguf), config, purpose))
    }

    fn new(path: &Path, source: Source, config: Config, purpose: Purpose) -> Self {
        let (used, variables) = Default::default();
        Self { path: path.to_owned(), source, config, purpose, replaced: BTreeMap::new(), used, variables }
    }

    /// The file or folder that they were opened from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What they were opened for.
    pub fn purpose(&self) -> &Purpose {
        &self.purpose
    }

    /// Puts a tensor of floats in place of the file's. It must have the same shape, and be as the file holds it.
    pub fn replace(&mut self, name: &str, values: &Tensor) -> Result<(), Error> {
        let shape = values.dims().to_vec();
        self.find_shaped(name, &shape)?;
        let bytes = with_values(values, |values| values.iter().flat_map(|x| x.to_le_bytes()).collect())?;
        self.replaced.insert(name.to_owned(), (shape, bytes));
        Ok(())
    }

    /// The weights that change, in the order in which networks asked for them; none unless they were opened for
    /// [`Purpose::Learning`].
    pub fn variables(&self) -> Vec<Variable> {
        locked(&self.variables).clone()
    }

    /// The names of all tensors that networks asked for.
    pub fn used(&self) -> BTreeSet<String> {
        locked(&self.used).clone()
    }

    /// A tensor as the file holds it, or what was put in its place: its shape and values.
    pub fn stored(&self, name: &str) -> Result<(Vec<usize>, Vec<f32>), Error> {
        let raw = self.find(name)?;
        Ok((raw.shape.clone(), raw.values()?))
    }

    /// The settings beside the weights.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The GGUF file, if it is one.
    pub fn gguf(&self) -> Option<&Gguf<Mapping>> {
        match &self.source {
            Source::Gguf(gguf) => Some(gguf),
            Source::Safetensors(_) => None,
        }
    }

    /// Whether any matrix is stored in a quantized format.
    pub fn is_quantized(&self) -> bool {
        let is_quantized = |kind: BlockType| !matches!(kind, BlockType::F32 | BlockType::F16 | BlockType::BF16);
        self.gguf().is_some_and(|gguf| gguf.tensors().iter().any(|tensor| is_quantized(tensor.block_type)))
    }

    /// Bytes of all tensors as they lie in the files.
    pub fn stored_bytes(&self) -> usize {
        match &self.source {
            Source::Gguf(gguf) => gguf.tensors().iter().map(|tensor| tensor.range.len()).sum(),
            Source::Safetensors(files) => files.bytes(),
        }
    }

    /// The names below `path`, as dotted paths.
    pub fn root(&self) -> Scope<'_> {
        Scope::new(self)
    }

    fn device(&self) -> &Device {
        match &self.purpose {
            Purpose::Inference | Purpose::Rounded | Purpose::Learning { .. } => &Device::Cpu,
            Purpose::Training(device) => device,
        }
    }

    fn find(&self, name: &str) -> Result<Raw<'_>, Error> {
        if let Some((shape, bytes)) = self.replaced.get(name) {
            return Ok(Raw { kind: BlockType::F32, shape: shape.clone(), bytes });
        }
        match &self.source {
            Source::Gguf(gguf) => {
                let name = names::to_gguf(self.config.model_type()?, name);
                let info = gguf.tensor(&name)?;
                let shape = info.shape.iter().rev().copied().collect();
                Ok(Raw { kind: info.block_type, shape, bytes: gguf.data(&name)? })
            }
            Source::Safetensors(files) => files.find(names::to_safetensors(name, |name| files.has(name))),
        }
    }

    /// Gives back the memory of a tensor that was copied, so that a model is never in memory twice.
    fn release(&self, bytes: &[u8]) {
        match &self.source {
            Source::Gguf(gguf) => gguf.mapping().release(bytes),
            Source::Safetensors(files) => files.release(bytes),
        }
    }

    fn has(&self, name: &str) -> bool {
        match &self.source {
            Source::Gguf(_) => self.find(name).is_ok(),
            Source::Safetensors(files) => files.has(names::to_safetensors(name, |name| files.has(name))),
        }
    }

    /// The tensor called `name` as floats, of this shape; it never changes.
    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor, Error> {
        let raw = self.find_shaped(name, shape)?;
        locked(&self.used).insert(name.to_owned());
        Ok(Tensor::from_vec(raw.values()?, shape, self.device())?)
    }

    /// The matrix called `name`, in the form the purpose asks for. With [`Form::Turned`], the file holds (inputs, outputs).
    fn matrix(&self, name: &str, rows: usize, cols: usize, form: Form) -> Result<Matrix, Error> {
        let is_turned = form == Form::Turned;
        if matches!(self.purpose, Purpose::Inference) && !is_turned {
            let raw = self.find_shaped(name, &[rows, cols])?;
            locked(&self.used).insert(name.to_owned());
            let packed = PackedMatrix::pack(raw.kind, raw.bytes, rows, cols)?;
            self.release(raw.bytes);
            return Ok(Matrix::Packed(Arc::new(packed)));
        }
        if matches!(self.purpose, Purpose::Rounded) && !is_turned {
            let raw = self.find_shaped(name, &[rows, cols])?;
            locked(&self.used).insert(name.to_owned());
            let row_bytes = raw.kind.bytes_for(cols)?;
            let read = |rows: Range<usize>, out: &mut [f32]| {
                Ok(dequantize(raw.kind, &raw.bytes[rows.start * row_bytes..rows.end * row_bytes], out)?)
            };
            let rounded = RoundedMatrix::read((rows, cols), read)?;
            self.release(raw.bytes);
            return Ok(Matrix::Rounded(Arc::new(rounded)));
        }
        let tensor = self.tensor(name, &if is_turned { [cols, rows] } else { [rows, cols] })?;
        self.form(name, &if is_turned { tensor.t()?.contiguous()? } else { tensor }, form)
    }

    /// A matrix of floats, shape (outputs, inputs), in the form the purpose asks for.
    fn form(&self, name: &str, weight: &Tensor, form: Form) -> Result<Matrix, Error> {
        match &self.purpose {
            Purpose::Inference => Matrix::pack(weight),
            Purpose::Rounded => Ok(Matrix::Rounded(Arc::new(RoundedMatrix::new(weight)?))),
            _ => Ok(Matrix::Plain(self.learned(name, weight.clone(), form)?)),
        }
    }

    /// A tensor that changes if weights do.
    fn learned(&self, name: &str, value: Tensor, form: Form) -> Result<Tensor, Error> {
        if !matches!(self.purpose, Purpose::Learning { .. }) {
            return Ok(value);
        }
        let value = Var::from_tensor(&value.contiguous()?)?;
        let tensor = value.as_tensor().clone();
        locked(&self.variables).push(Variable { name: name.to_owned(), value, form });
        Ok(tensor)
    }

    fn find_shaped(&self, name: &str, shape: &[usize]) -> Result<Raw<'_>, Error> {
        let raw = self.find(name)?;
        if raw.shape == shape {
            Ok(raw)
        } else {
            Err(Error::TensorShape { name: name.to_owned(), found: raw.shape, expected: shape.to_vec() })
        }
    }
}

/// A panic while a list was held can at worst have lost an entry.
fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Raw<'_> {
    fn values(&self) -> Result<Vec<f32>, Error> {
        // The shape was held against the bytes when the file was read.
        let mut values = vec![0.0; self.shape.iter().product()];
        dequantize(self.kind, self.bytes, &mut values)?;
        Ok(values)
    }
}
