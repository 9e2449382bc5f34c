//! Answering as a scalar function of the engine.
//!
//! Functions travel through a cluster by name, so each process registers its own: those that plan have no model and only
//! say what type the answers have; executors have one. A function is volatile, so that nobody tries to evaluate it
//! while planning, or twice.

use crate::form::{Asked, Form, array};
use crate::{Answerer, Error};
use datafusion::arrow::array::{Array as _, AsArray as _};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Every function, on this answerer or for planning.
pub(crate) fn all(answerer: Option<&Arc<Answerer>>) -> Vec<Arc<ScalarUDF>> {
    Form::all().map(|form| Arc::new(ScalarUDF::new_from_impl(AnswerFunction::new(form, answerer.cloned())))).collect()
}

/// One function, for planning.
pub(crate) fn of(form: Form) -> ScalarUDF {
    ScalarUDF::new_from_impl(AnswerFunction::new(form, None))
}

#[derive(Debug)]
struct AnswerFunction {
    form: Form,
    signature: Signature,
    answerer: Option<Arc<Answerer>>,
}

impl AnswerFunction {
    fn new(form: Form, answerer: Option<Arc<Answerer>>) -> Self {
        Self { form, signature: Signature::user_defined(Volatility::Volatile), answerer }
    }

    /// What a call asks, from its constants: the words first, names behind the text.
    fn asked(&self, constants: &[Option<&ScalarValue>]) -> Result<Asked> {
        let constant = |place: usize| match constants.get(place).copied().flatten().and_then(ScalarValue::try_as_str) {
            Some(Some(text)) => Ok(text.to_owned()),
            _ => plan_err!(
                "argument {} of {} is not a text in quotes, expected {}",
                place + 1,
                self.form.name(),
                self.form.usage()
            ),
        };
        let names = (2..constants.len()).map(constant).collect::<Result<Vec<_>>>()?;
        Ok(Asked::new(self.form, &constant(0)?, &names))
    }
}

impl ScalarUDFImpl for AnswerFunction {
    fn name(&self) -> &str {
        self.form.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        if given.len() < 2 || (given.len() > 2 && !self.form.takes_names()) {
            return plan_err!("{} with {} arguments, expected {}", self.name(), given.len(), self.form.usage());
        }
        Ok(vec![DataType::Utf8; given.len()])
    }

    fn return_type(&self, _given: &[DataType]) -> Result<DataType> {
        plan_err!("the type of {} depends on its description", self.name())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let spec = self.asked(args.scalar_arguments)?.spec()?;
        Ok(Arc::new(Field::new(self.name(), self.form.data_type(&spec), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(answerer) = &self.answerer else {
            return Err(Error::NoModel { function: self.name().to_owned() }.into());
        };
        let constants: Vec<Option<&ScalarValue>> = args
            .args
            .iter()
            .map(|argument| match argument {
                ColumnarValue::Scalar(constant) => Some(constant),
                ColumnarValue::Array(_) => None,
            })
            .collect();
        let asked = self.asked(&constants)?;
        let texts = args.args[1].to_array(args.number_rows)?;
        let texts = texts.as_string::<i32>();
        let texts: Vec<Option<&str>> =
            (0..texts.len()).map(|row| texts.is_valid(row).then(|| texts.value(row))).collect();
        let cells = answerer.answer(&asked, &texts)?;
        Ok(ColumnarValue::Array(array(self.form, &asked.spec()?, answerer.model_name(), &cells)?))
    }
}

impl PartialEq for AnswerFunction {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

impl Eq for AnswerFunction {}

impl Hash for AnswerFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.form.hash(state);
    }
}
