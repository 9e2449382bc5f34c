//! No instruction: the input as it is, which Natural Instructions measures instructions against.

pub(crate) fn suffix(input: &str) -> String {
    input.to_owned()
}
