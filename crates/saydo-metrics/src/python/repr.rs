//! Numbers as text: Python's `repr` of a float.

/// `repr(value)`: the shortest digits that read back as the same number.
///
/// Positional with at least one digit after the point when the decimal exponent is from -4 to 15, else scientific with
/// a signed exponent of two digits or more.
///
/// ```
/// use saydo_metrics::python::float_repr;
///
/// assert_eq!(float_repr(5.0), "5.0");
/// assert_eq!(float_repr(1e16), "1e+16");
/// assert_eq!(float_repr(0.00001), "1e-05");
/// ```
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let scientific = shortest(value.abs());
    let (mantissa, exponent) = scientific.split_once('e').expect("scientific notation has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent of f64 is a small integer");
    match exponent {
        -4..16 => format!("{sign}{}", positional(&mantissa.replace('.', ""), exponent)),
        _ => format!("{sign}{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()),
    }
}

/// The value in scientific notation with as few digits as identify it, nearest to it among those.
///
/// Halfway between two such texts, Python takes the even last digit and Rust the higher one: 2^49 + 1/4 ends in `.2` in
/// one and `.3` in the other. Rust's formatting to a fixed number of digits is even, and so has the first word.
fn shortest(value: f64) -> String {
    let shortest = format!("{value:e}");
    let digits = shortest.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit).count();
    let even = format!("{value:.*e}", digits - 1);
    // Next to a power of two the nearest text can belong to the neighbor.
    if even.parse() == Ok(value) { even } else { shortest }
}

/// The digits with a point after the one that stands for ones.
fn positional(digits: &str, exponent: i32) -> String {
    let Ok(ones) = usize::try_from(exponent) else {
        return format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    let padded = format!("{digits:0<width$}", width = ones + 2);
    let (whole, fraction) = padded.split_at(ones + 1);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse_float;
    use proptest::prelude::*;

    #[test]
    fn numbers_in_reach_are_positional() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (55.0, "55.0"),
            (-5.5, "-5.5"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.00012345, "0.00012345"),
            (1e15, "1000000000000000.0"),
            (9999999999999998.0, "9999999999999998.0"),
            (123456789.125, "123456789.125"),
            (1.0 / 3.0, "0.3333333333333333"),
            (2_f64.powi(49) + 0.25, "562949953421312.2"),
            (2_f64.powi(49) + 0.75, "562949953421312.8"),
        ];
        for (value, text) in cases {
            assert_eq!(float_repr(value), text);
        }
    }

    #[test]
    fn other_numbers_are_scientific() {
        let cases = [
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (-1e-5, "-1e-05"),
            (0.000099999, "9.9999e-05"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (value, text) in cases {
            assert_eq!(float_repr(value), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back_equal(value in any::<f64>()) {
            let back = parse_float(&float_repr(value)).expect("a printed number is a number");
            prop_assert!(back == value || (back.is_nan() && value.is_nan()));
        }
    }
}
