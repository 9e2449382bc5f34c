//! Tasks in every format, from small data of our own and from what the papers published.

mod conformance;
mod convert;
mod describe;
mod lint;
mod outside;
mod split;
mod turking;
