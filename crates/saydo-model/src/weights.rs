//! Where an architecture finds its weights and settings, whatever file they lie in.
//!
//! Architectures ask by the names of Hugging Face checkpoints (`model.layers.3.self_attn.q_proj.weight`, `hidden_size`);
//! a GGUF file's own names are translated here, once. For inference on the CPU matrices are repacked for our kernels,
//! which copies them; for training and for other devices they become plain tensors of floats.

mod config;
mod names;
mod safetensors;
mod scope;

pub use config::Config;
pub use scope::Scope;

use self::safetensors::SafetensorsFiles;
use crate::Error;
use crate::gguf::Gguf;
use crate::kernel::PackedMatrix;
use crate::mapping::Mapping;
use crate::nn::Matrix;
use crate::quant::{BlockType, dequantize};
use candle_core::{Device, Tensor};
use std::path::Path;
use std::sync::Arc;

/// What weights are loaded for.
#[derive(Debug, Clone)]
pub enum Purpose {
    /// Generation on the CPU: matrices are packed for the kernels and stay quantized.
    Inference,
    /// Gradients, or a device other than the CPU: matrices are plain tensors of floats there.
    Training(Device),
}

/// An open file or folder of weights.
pub struct Weights {
    source: Source,
    config: Config,
    purpose: Purpose,
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
            return Ok(Self { source: Source::Safetensors(SafetensorsFiles::open(path)?), config, purpose });
        }
        let gguf = Gguf::open(path)?;
        let config = Config::from_gguf(&gguf).map_err(|error| error.in_file(path))?;
        Ok(Self { source: Source::Gguf(gguf), config, purpose })
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
            Purpose::Inference => &Device::Cpu,
            Purpose::Training(device) => device,
        }
    }

    fn find(&self, name: &str) -> Result<Raw<'_>, Error> {
        match &self.source {
            Source::Gguf(gguf) => {
                let name = names::to_gguf(self.config.model_type()?, name);
                let info = gguf.tensor(&name)?;
                let shape = info.shape.iter().rev().copied().collect();
                Ok(Raw { kind: info.block_type, shape, bytes: gguf.data(&name)? })
            }
            Source::Safetensors(files) => files.find(name),
        }
    }

    fn has(&self, name: &str) -> bool {
        match &self.source {
            Source::Gguf(_) => self.find(name).is_ok(),
            Source::Safetensors(files) => files.has(name),
        }
    }

    /// The tensor called `name` as floats, of this shape.
    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor, Error> {
        let raw = self.find_shaped(name, shape)?;
        Ok(Tensor::from_vec(raw.values()?, shape, self.device())?)
    }

    /// The matrix called `name`, in the form the purpose asks for. With `transposed`, the file holds (inputs, outputs).
    fn matrix(&self, name: &str, rows: usize, cols: usize, transposed: bool) -> Result<Matrix, Error> {
        let raw = self.find_shaped(name, &if transposed { [cols, rows] } else { [rows, cols] })?;
        match &self.purpose {
            Purpose::Inference if !transposed => {
                Ok(Matrix::Packed(Arc::new(PackedMatrix::pack(raw.kind, raw.bytes, rows, cols)?)))
            }
            _ => {
                let tensor = Tensor::from_vec(raw.values()?, raw.shape, self.device())?;
                self.form(&if transposed { tensor.t()?.contiguous()? } else { tensor })
            }
        }
    }

    /// A matrix of floats, shape (outputs, inputs), in the form the purpose asks for.
    fn form(&self, weight: &Tensor) -> Result<Matrix, Error> {
        match &self.purpose {
            Purpose::Inference => Matrix::pack(weight),
            Purpose::Training(_) => Ok(Matrix::Plain(weight.clone())),
        }
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

impl Raw<'_> {
    fn values(&self) -> Result<Vec<f32>, Error> {
        // The shape was held against the bytes when the file was read.
        let mut values = vec![0.0; self.shape.iter().product()];
        dequantize(self.kind, self.bytes, &mut values)?;
        Ok(values)
    }
}
