//! The promise of the embedded weights, measured on the test file of UD English EWT, which they have not seen.

use saydo_conformance::{outside, read};
use saydo_tagger::Tagger;
use saydo_tagger::score::Score;
use saydo_tagger::treebank;

#[test]
#[ignore = "needs ../shared: UD English EWT"]
fn nouns_of_the_ewt_test_file_are_found() {
    let conllu = read(&outside("data/ud-ewt/en_ewt-ud-test.conllu"));
    let tagger = Tagger::embedded();
    let (mut tokens, mut text) = (Score::default(), Score::default());
    for sentence in treebank::parse(&conllu).unwrap() {
        tokens.add_tokens(|words| tagger.tag(words), &sentence);
        text.add_text(&tagger, &sentence);
    }
    let [on_tokens, on_text] = [tokens.f1(), text.f1()].map(Option::unwrap);
    let number = tokens.number_accuracy().unwrap();
    eprintln!("noun F1 {on_tokens:.4} on tokens, {on_text:.4} on text; number accuracy {number:.4}");
    assert!(on_tokens >= 0.94, "{on_tokens}");
    assert!(on_text >= 0.92, "{on_text}");
    assert!(number >= 0.97, "{number}");
}
