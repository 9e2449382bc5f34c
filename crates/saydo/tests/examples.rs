//! The examples run.

#[path = "../examples/folder_to_parquet.rs"]
mod folder_to_parquet;
#[path = "../examples/own_metric.rs"]
mod own_metric;
#[path = "../examples/own_model.rs"]
mod own_model;
#[path = "../examples/own_server.rs"]
mod own_server;
#[path = "../examples/train_and_use.rs"]
mod train_and_use;

#[test]
fn a_folder_becomes_a_table() {
    folder_to_parquet::main().expect("it runs");
}

#[test]
fn a_metric_of_ones_own_is_in_the_report() {
    own_metric::main().expect("it runs");
}

#[test]
fn a_model_of_ones_own_answers() {
    own_model::main().expect("it runs");
}

#[test]
fn a_model_is_trained_and_used() {
    train_and_use::main().expect("it runs");
}

#[test]
fn an_app_of_ones_own_serves_a_function() {
    own_server::main().expect("it runs");
}
