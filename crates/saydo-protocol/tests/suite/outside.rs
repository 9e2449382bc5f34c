//! Agreement with the reference evaluators and the papers on published text, which stays outside the repository.

mod natural_instructions;
mod run;
mod super_natural_instructions;
mod turking;
