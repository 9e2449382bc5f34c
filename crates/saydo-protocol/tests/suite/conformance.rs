//! Agreement with the reference evaluators on the vectors of `fixtures/conformance`.

mod super_natural_instructions;
mod zest;
