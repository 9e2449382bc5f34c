//! Turking Test: the input is the instruction with its resource filled in, and a line end follows it (appendix).

pub(crate) fn suffix(input: &str) -> String {
    format!("{input}\n")
}
