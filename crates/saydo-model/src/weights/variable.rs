//! Weights that change in training, and how they go back into the files they came from.
//!
//! A network may hold a weight in another form than its file: turned, cut into parts, moved by one. A variable has the
//! network's form, because it is what the network computes with; the file's is made when it is written.

use crate::Error;
use candle_core::{Tensor, Var};

/// A weight that changes.
#[derive(Debug, Clone)]
pub struct Variable {
    /// The name of the tensor that it is, or is a part of.
    pub name: String,
    /// Its values as the network has them.
    pub value: Var,
    /// How the file holds it.
    pub form: Form,
}

/// How a file holds what a network computes with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// As it is.
    Same,
    /// A matrix with its dimensions exchanged.
    Turned,
    /// One of several parts: of a matrix with its dimensions exchanged, or of a bias. They follow each other.
    Part(usize),
    /// With this taken off.
    Less(f64),
}

impl Variable {
    /// A name of its own for each part of a tensor.
    pub fn own_name(&self) -> String {
        match self.form {
            Form::Part(part) => format!("{}.{part}", self.name),
            _ => self.name.clone(),
        }
    }

    fn as_in_file(&self) -> Result<Tensor, Error> {
        let value = self.value.as_tensor().detach();
        Ok(match self.form {
            Form::Same => value.copy()?,
            Form::Less(offset) => (value - offset)?,
            Form::Turned => value.t()?.contiguous()?,
            Form::Part(_) if value.rank() == 2 => value.t()?.contiguous()?,
            Form::Part(_) => value.copy()?,
        })
    }
}

/// The tensors that variables make, as their files hold them. Parts of a tensor follow each other among the variables.
pub fn as_in_files(variables: &[Variable]) -> Result<Vec<(String, Tensor)>, Error> {
    let mut tensors: Vec<(String, Vec<Tensor>)> = Vec::new();
    for variable in variables {
        let value = variable.as_in_file()?;
        match tensors.iter_mut().find(|(name, _)| *name == variable.name) {
            Some((_, parts)) => parts.push(value),
            None => tensors.push((variable.name.clone(), vec![value])),
        }
    }
    let joined = |(name, parts): (String, Vec<Tensor>)| {
        let last = parts[0].rank() - 1;
        Ok((name, if parts.len() == 1 { parts[0].clone() } else { Tensor::cat(&parts, last)? }))
    };
    tensors.into_iter().map(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn variable(name: &str, values: &[&[f32]], form: Form) -> Variable {
        let rows: Vec<Tensor> = values.iter().map(|row| Tensor::new(*row, &Device::Cpu).unwrap()).collect();
        let value = Var::from_tensor(&Tensor::stack(&rows, 0).unwrap()).unwrap();
        Variable { name: name.into(), value, form }
    }

    #[test]
    fn parts_are_joined_and_what_was_turned_is_turned_back() {
        let variables = [
            variable("a", &[&[1.0, 2.0]], Form::Part(0)),
            variable("b", &[&[5.0, 6.0], &[7.0, 8.0]], Form::Turned),
            variable("a", &[&[3.0, 4.0]], Form::Part(1)),
            variable("c", &[&[1.5]], Form::Less(1.0)),
        ];
        let tensors = as_in_files(&variables).unwrap();
        let values: Vec<_> = tensors.iter().map(|(name, x)| (&**name, x.to_vec2::<f32>().unwrap())).collect();
        assert_eq!(values[0], ("a", vec![vec![1.0, 3.0], vec![2.0, 4.0]]));
        assert_eq!(values[1], ("b", vec![vec![5.0, 7.0], vec![6.0, 8.0]]));
        assert_eq!(values[2], ("c", vec![vec![0.5]]));
    }
}
