//! Functions over a corpus: the ledger, resuming, shards and batch files.
