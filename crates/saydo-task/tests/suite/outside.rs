//! The published datasets, which stay outside the repository: they load whole, and the papers' numbers come out.

mod convert;
mod describe;
mod lint;
mod load;
mod split;
mod turking;

use saydo_conformance::outside;
use saydo_task::dataset::Dataset;

fn load_data(name: &str) -> Dataset {
    Dataset::load(&outside(&format!("data/{name}"))).expect("published data loads")
}
