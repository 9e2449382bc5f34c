//! Numbers of the papers, to stand beside ours. Test sets and sizes differ from what is measured here, so they say what
//! order of size a good number has and no more.

/// A published number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// The data set, as its source is named.
    pub source: &'static str,
    /// The metric, as it is named in the tables.
    pub metric: &'static str,
    /// Who or what.
    pub who: &'static str,
    /// In percent.
    pub value: f64,
}

const fn number(source: &'static str, metric: &'static str, who: &'static str, value: f64) -> Published {
    Published { source, metric, who, value }
}

/// SQuAD 2.0: Rajpurkar and others (2018), test set; BERT: Devlin and others (2019), test set. BoolQ: Clark and others
/// (2019), test set. PubMedQA: Jin and others (2019), test set. Everyday: its second annotation.
const NUMBERS: [Published; 12] = [
    number("squad2", "f1", "DocQA + ELMo", 66.3),
    number("squad2", "f1", "BERT-large", 83.1),
    number("squad2", "f1", "human", 89.5),
    number("boolq", "accuracy", "majority", 62.0),
    number("boolq", "accuracy", "BERT-large + MNLI", 80.4),
    number("boolq", "accuracy", "human", 90.0),
    number("pubmedqa", "accuracy", "majority", 55.2),
    number("pubmedqa", "accuracy", "BioBERT", 68.1),
    number("pubmedqa", "accuracy", "human", 78.0),
    number("everyday", "f1", "second annotator", 98.9),
    number("zest", "f1", "T5-11B", 56.0),
    number("zest", "f1", "human", 74.0),
];

/// What is published for a source under a metric.
pub fn beside(source: &str, metric: &str) -> impl Iterator<Item = Published> {
    NUMBERS.into_iter().filter(move |number| source.starts_with(number.source) && number.metric == metric)
}
