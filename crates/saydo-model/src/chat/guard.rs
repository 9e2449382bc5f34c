//! The operators, filters, tests, methods and functions that templates may use, each paying for what it makes.
//!
//! They are those of Hugging Face's environment. Whatever can make more than it is given (repeating, replacing, joining,
//! padding) pays beforehand; the rest pays for its result.

use super::budget::{Budget, is_namespace, refused};
use super::{json, rewrite};
use minijinja::value::{Rest, Tuple, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, escape_formatter, filters, functions, tests};
use std::sync::Arc;

/// The most bytes of a pattern for `format`, and the most digits of a width in it: together they bound what is padded.
const MAX_FORMAT_BYTES: usize = 1000;
const MAX_WIDTH_DIGITS: usize = 3;

/// What a call makes at most beyond what it is given, from its arguments.
type Growth = fn(&[Value]) -> Result<u64, Error>;

/// Filters by name. The last column says what they make beyond what they are given.
fn filters() -> Vec<(&'static str, Value, Growth)> {
    vec![
        ("safe", Value::from_function(filters::safe), none),
        ("escape", Value::from_function(filters::escape), none),
        ("e", Value::from_function(filters::escape), none),
        ("lower", Value::from_function(filters::lower), none),
        ("upper", Value::from_function(filters::upper), none),
        ("title", Value::from_function(filters::title), none),
        ("capitalize", Value::from_function(filters::capitalize), none),
        ("replace", Value::from_function(filters::replace), replacing),
        ("length", Value::from_function(filters::length), none),
        ("count", Value::from_function(filters::length), none),
        ("dictsort", Value::from_function(filters::dictsort), none),
        ("items", Value::from_function(filters::items), none),
        ("reverse", Value::from_function(filters::reverse), none),
        ("trim", Value::from_function(filters::trim), none),
        ("join", Value::from_function(filters::join), joining),
        ("split", Value::from_function(filters::split), none),
        ("default", Value::from_function(filters::default), none),
        ("d", Value::from_function(filters::default), none),
        ("round", Value::from_function(filters::round), none),
        ("abs", Value::from_function(filters::abs), none),
        ("int", Value::from_function(filters::int), none),
        ("float", Value::from_function(filters::float), none),
        ("attr", Value::from_function(filters::attr), none),
        ("first", Value::from_function(filters::first), none),
        ("last", Value::from_function(filters::last), none),
        ("min", Value::from_function(filters::min), none),
        ("max", Value::from_function(filters::max), none),
        ("sort", Value::from_function(filters::sort), none),
        ("list", Value::from_function(filters::list), none),
        ("string", Value::from_function(filters::string), none),
        ("bool", Value::from_function(filters::bool), none),
        ("batch", Value::from_function(filters::batch), parting),
        ("slice", Value::from_function(filters::slice), parting),
        ("indent", Value::from_function(filters::indent), indenting),
        ("select", Value::from_function(filters::select), none),
        ("reject", Value::from_function(filters::reject), none),
        ("selectattr", Value::from_function(filters::selectattr), none),
        ("rejectattr", Value::from_function(filters::rejectattr), none),
        ("map", Value::from_function(filters::map), none),
        ("unique", Value::from_function(filters::unique), none),
        ("format", Value::from_function(filters::format), formatting),
        ("tojson", Value::from_function(json::to_json), none),
        (rewrite::ADD, Value::from_function(add), none),
        (rewrite::MULTIPLY, Value::from_function(multiply), repeating),
        (rewrite::CONCATENATE, Value::from_function(concatenate), none),
        (rewrite::LIST, Value::from_function(|items: Rest<Value>| Value::from(items.0)), none),
        (rewrite::TUPLE, Value::from_function(|items: Rest<Value>| Value::from(Tuple::from(items.0))), none),
        (rewrite::MAP, Value::from_function(map), none),
        (rewrite::STORE, Value::from_function(store), none),
    ]
}

/// What templates may ask about values; none of it makes anything.
fn add_tests(environment: &mut Environment<'_>) {
    environment.add_test("undefined", tests::is_undefined);
    environment.add_test("defined", tests::is_defined);
    environment.add_test("none", tests::is_none);
    environment.add_test("boolean", tests::is_boolean);
    environment.add_test("odd", tests::is_odd);
    environment.add_test("even", tests::is_even);
    environment.add_test("divisibleby", tests::is_divisibleby);
    environment.add_test("number", tests::is_number);
    environment.add_test("integer", tests::is_integer);
    environment.add_test("float", tests::is_float);
    environment.add_test("string", tests::is_string);
    environment.add_test("sequence", tests::is_sequence);
    environment.add_test("iterable", tests::is_iterable);
    environment.add_test("mapping", tests::is_mapping);
    environment.add_test("lower", tests::is_lower);
    environment.add_test("upper", tests::is_upper);
    environment.add_test("sameas", tests::is_sameas);
    environment.add_test("in", tests::is_in);
    environment.add_test("true", tests::is_true);
    environment.add_test("false", tests::is_false);
    for name in ["eq", "equalto", "=="] {
        environment.add_test(name, tests::is_eq);
    }
    for name in ["ne", "!="] {
        environment.add_test(name, tests::is_ne);
    }
    for name in ["lt", "lessthan", "<"] {
        environment.add_test(name, tests::is_lt);
    }
    for name in ["le", "<="] {
        environment.add_test(name, tests::is_le);
    }
    for name in ["gt", "greaterthan", ">"] {
        environment.add_test(name, tests::is_gt);
    }
    for name in ["ge", ">="] {
        environment.add_test(name, tests::is_ge);
    }
}

/// Adds all of them.
pub(super) fn equip(environment: &mut Environment<'_>, budget: &Arc<Budget>) {
    for (name, filter, growth) in filters() {
        environment.add_filter(name, paid(budget, filter, growth));
    }
    add_tests(environment);
    environment.add_function("range", functions::range);
    environment.add_function("dict", paid(budget, Value::from_function(functions::dict), none));
    environment.add_function("namespace", paid(budget, Value::from_function(functions::namespace), none));
    environment.add_function("raise_exception", |message: String| -> Result<(), Error> {
        Err(Error::new(ErrorKind::InvalidOperation, message))
    });
    let paying = Arc::clone(budget);
    environment.set_unknown_method_callback(move |state, value, method, arguments| {
        let all: Vec<Value> = std::iter::once(value).chain(arguments).cloned().collect();
        let growth: Growth = match method {
            "replace" => replacing,
            "join" => |all: &[Value]| joining(&all.iter().rev().cloned().collect::<Vec<_>>()),
            "format" => formatting,
            _ => none,
        };
        pay_before(&paying, &all, growth)?;
        let made = minijinja_contrib::pycompat::unknown_method_callback(state, value, method, arguments)?;
        paying.charge_value(&made)?;
        Ok(made)
    });
    let paying = Arc::clone(budget);
    environment.set_formatter(move |out, state, value| {
        // A character of a text may be escaped, or written as several.
        let size = paying.charge_value(value)?;
        if value.kind() != ValueKind::String {
            paying.charge(size)?;
        }
        escape_formatter(out, state, value)
    });
}

/// A function that pays for what it makes.
fn paid(
    budget: &Arc<Budget>,
    function: Value,
    growth: Growth,
) -> impl Fn(&mut State<'_, '_>, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + use<> {
    let budget = Arc::clone(budget);
    move |state, arguments| {
        let arguments = arguments.into_values();
        pay_before(&budget, &arguments, growth)?;
        let made = function.call(state, &arguments)?;
        budget.charge_value(&made)?;
        Ok(made)
    }
}

/// Values that are not texts are written out by many functions, so each argument is paid for, and what grows out of them.
fn pay_before(budget: &Budget, arguments: &[Value], growth: Growth) -> Result<(), Error> {
    for argument in arguments.iter().filter(|argument| argument.as_str().is_none() && !is_namespace(argument)) {
        budget.charge_value(argument)?;
    }
    budget.charge(growth(arguments)?)
}

fn none(_: &[Value]) -> Result<u64, Error> {
    Ok(0)
}

fn length(value: Option<&Value>) -> u64 {
    // What is not a text takes a few characters, or was measured before and is refused if it is long.
    value.map_or(0, |value| value.as_str().map_or(64, str::len) as u64)
}

fn count(value: Option<&Value>) -> u64 {
    value.and_then(Value::as_usize).map_or(0, |count| count as u64)
}

fn replacing(arguments: &[Value]) -> Result<u64, Error> {
    let (text, old) = (length(arguments.first()), length(arguments.get(1)));
    Ok((text / old.max(1) + 1).saturating_mul(length(arguments.get(2))))
}

fn joining(arguments: &[Value]) -> Result<u64, Error> {
    let items = arguments.first().and_then(Value::len).map_or(0, |items| items as u64);
    Ok(items.saturating_mul(length(arguments.get(1))))
}

fn parting(arguments: &[Value]) -> Result<u64, Error> {
    Ok(count(arguments.get(1)).saturating_mul(32))
}

fn repeating(arguments: &[Value]) -> Result<u64, Error> {
    let times = |value: usize| count(arguments.get(value));
    let size = |value: usize| {
        let value = arguments.get(value);
        let items = value.and_then(Value::len).map_or(0, |items| items as u64 * 32);
        value.and_then(Value::as_str).map_or(items, |text| text.len() as u64)
    };
    Ok(size(0).saturating_mul(times(1)).max(size(1).saturating_mul(times(0))))
}

fn indenting(arguments: &[Value]) -> Result<u64, Error> {
    let named = arguments.last().and_then(|last| last.get_attr("width").ok());
    let width = count(arguments.get(1)).max(count(named.as_ref())).max(4);
    let lines = arguments.first().and_then(Value::as_str).map_or(1, |text| text.lines().count() as u64 + 1);
    Ok(lines.saturating_mul(width))
}

fn formatting(arguments: &[Value]) -> Result<u64, Error> {
    let pattern = arguments.first().and_then(Value::as_str).unwrap_or_default();
    let widest = pattern.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or_default();
    if pattern.len() > MAX_FORMAT_BYTES || widest > MAX_WIDTH_DIGITS || pattern.contains("%*") || pattern.contains(".*")
    {
        return Err(refused(format!(
            "it formats with a pattern of more than {MAX_FORMAT_BYTES} bytes or a width of more than {MAX_WIDTH_DIGITS} digits"
        )));
    }
    Ok(0)
}

fn store(value: Value) -> Result<Value, Error> {
    if is_namespace(&value) { Err(refused("it puts a namespace into another value")) } else { Ok(value) }
}

fn map(parts: Rest<Value>) -> Value {
    Value::from_pairs(parts.0.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())))
}

fn concatenate(left: &Value, right: &Value) -> String {
    format!("{left}{right}")
}

fn add(left: &Value, right: &Value) -> Result<Value, Error> {
    if let (Some(left), Some(right)) = (left.as_str(), right.as_str()) {
        return Ok(Value::from([left, right].concat()));
    }
    let is_list = |value: &Value| matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable);
    if is_list(left) && is_list(right) && left.is_tuple() == right.is_tuple() {
        let items: Vec<Value> = left.try_iter()?.chain(right.try_iter()?).collect();
        return Ok(if left.is_tuple() { Value::from(Tuple::from(items)) } else { Value::from(items) });
    }
    calculate(left, right, "+", i128::checked_add, |left, right| left + right)
}

fn multiply(left: &Value, right: &Value) -> Result<Value, Error> {
    let repeated = |what: &Value, times: &Value| -> Option<Value> {
        // Python takes a negative number for zero.
        let times = if times.kind() == ValueKind::Number { times.as_usize().unwrap_or(0) } else { return None };
        match (what.as_str(), what.kind()) {
            (Some(text), _) => Some(Value::from(text.repeat(times))),
            (None, ValueKind::Seq) => {
                let items: Vec<Value> = what.try_iter().ok()?.collect();
                Some(Value::from((0..times).flat_map(|_| items.iter().cloned()).collect::<Vec<Value>>()))
            }
            _ => None,
        }
    };
    match repeated(left, right).or_else(|| repeated(right, left)) {
        Some(made) => Ok(made),
        None => calculate(left, right, "*", i128::checked_mul, |left, right| left * right),
    }
}

/// Whole numbers stay whole; with a fraction on either side, both are.
fn calculate(
    left: &Value,
    right: &Value,
    operator: &str,
    whole: impl Fn(i128, i128) -> Option<i128>,
    fraction: impl Fn(f64, f64) -> f64,
) -> Result<Value, Error> {
    let failed = || {
        let (left, right) = (left.kind(), right.kind());
        Error::new(ErrorKind::InvalidOperation, format!("cannot use `{operator}` on {left} and {right}"))
    };
    if left.is_integer()
        && right.is_integer()
        && let (Ok(left), Ok(right)) = (i128::try_from(left.clone()), i128::try_from(right.clone()))
    {
        let made = whole(left, right).ok_or_else(failed)?;
        return Ok(i64::try_from(made).map_or_else(|_| Value::from(made), Value::from));
    }
    let number = |value: &Value| f64::try_from(value.clone()).map_err(|_| failed());
    Ok(Value::from(fraction(number(left)?, number(right)?)))
}
