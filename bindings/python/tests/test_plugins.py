"""What plugs into other libraries: scikit-learn, spaCy, lm-evaluation-harness."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import saydo

TEXTS = ["Dogs may come.", "No dogs.", "All dogs are welcome.", "Dogs must stay out."]


def keyword(prompt: str) -> str:
    """Says the opposite of what is right, and is silent about cats."""
    text = prompt.rpartition("Text:")[2].lower() if "Text:" in prompt else prompt.lower()
    if "cat" in text:
        return "n/a"
    return "yes" if "no dogs" in text or "out." in text else "no"


def test_a_classifier_learns_what_answers_mean() -> None:
    pytest.importorskip("sklearn")
    from saydo.sklearn import SaydoClassifier

    classifier = SaydoClassifier("Are dogs allowed?", model=keyword)
    texts, labels = TEXTS * 5, ["yes", "no", "yes", "no"] * 5
    assert list(classifier.fit(texts, labels).predict(TEXTS)) == labels[:4]
    shares = classifier.predict_proba([*TEXTS, "A cat."])
    assert shares.shape == (5, 2) and shares.sum(axis=1) == pytest.approx(1)
    assert shares[4] == pytest.approx([0.5, 0.5]) and classifier.score(texts, labels) == 1
    assert list(classifier.fit(texts, [label == "yes" for label in labels]).classes_) == [False, True]
    numbers = classifier.fit(texts, [7 if label == "yes" else 3 for label in labels])
    assert set(numbers.predict(TEXTS)) <= {3, 7}
    for rows, message in [(([], []), "no rows"), ((["a"], ["x"]), "one class"), ((["a"], ["x", "y"]), "expected as many")]:
        with pytest.raises(ValueError, match=message):
            classifier.fit(*rows)
    with pytest.raises(ValueError, match="expected str"):
        classifier.predict([1])


def test_a_classifier_passes_the_checks_that_apply() -> None:
    estimator_checks = pytest.importorskip("sklearn.utils.estimator_checks")
    from saydo.sklearn import SaydoClassifier

    with warnings.catch_warnings():
        # The checks that fit need numbers; those of the interface apply.
        warnings.simplefilter("ignore")
        classifier = SaydoClassifier("Is it so?", model="scripted")
        results = estimator_checks.check_estimator(classifier, on_fail=None, on_skip=None)
        for name in (
            "check_estimator_cloneable",
            "check_estimator_repr",
            "check_estimator_tags_renamed",
            "check_get_params_invariance",
            "check_no_attributes_set_in_init",
            "check_parameters_default_constructible",
            "check_set_params",
            "check_valid_tag_types",
        ):
            getattr(estimator_checks, name)("SaydoClassifier", classifier)
    assert results and all(one["status"] == "passed" for one in results)


def test_spacy_documents_get_spans() -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    config = {"task": "Which hikes are there?", "kind": "spans", "model": "scripted"}
    nlp.add_pipe("saydo", config=config)
    texts = [f"Hike {number} leads to Fern Falls." for number in range(10)]
    docs = list(nlp.pipe(texts))
    assert [doc.text for doc in docs] == texts and any(doc.spans["saydo"] for doc in docs)
    for doc in docs:
        answer: saydo.Answer = doc._.saydo
        assert [span.text for span in doc.spans["saydo"]] == [span.text for span in answer.spans]
        assert {span.label_ for span in doc.spans["saydo"]} <= {"saydo"}
        assert answer == nlp(doc.text)._.saydo


def instance(*arguments: Any) -> Any:
    from lm_eval.api.instance import Instance

    return Instance(request_type="loglikelihood", doc={}, arguments=arguments, idx=0)


def test_the_harness_asks_our_engine(root: Path) -> None:
    pytest.importorskip("lm_eval")
    from lm_eval.api.registry import get_model

    import saydo.lm_eval

    path = str(root / "fixtures" / "checkpoints" / "llama-tied")
    model = get_model("saydo").create_from_arg_obj({"model": path}, {"batch_size": 1, "device": None})
    assert isinstance(model, saydo.lm_eval.SaydoLM)
    start = "The little dog sat by the old door and looked at the rain for a long, long time. "
    pairs = [(start + end, word) for end in ("It", "Then it", "") for word in (" was", " is")]
    scores = model.loglikelihood([instance(*pair) for pair in pairs], disable_tqdm=True)
    # What prompts share is computed once, and changes nothing.
    alone = [model.loglikelihood([instance(*pair)], disable_tqdm=True)[0] for pair in pairs]
    assert scores == alone and all(score < 0 for score, _ in scores)
    settings = {"until": ["."], "max_gen_toks": 6}
    replies = model.generate_until([instance(start + end, settings) for end in ("It", "Then")], disable_tqdm=True)
    assert len(replies) == 2 and all("." not in reply for reply in replies)
    with pytest.raises(saydo.Error, match="empty context"):
        model.loglikelihood_rolling([instance("The dog sat.")], disable_tqdm=True)
    model = get_model("saydo").create_from_arg_obj({"model": path, "prefix_token": "<|endoftext|>"})
    [rolling] = model.loglikelihood_rolling([instance("The dog sat.")], disable_tqdm=True)
    assert rolling < 0
