"""A description as a function: kinds of answers, errors, callables, threads, asyncio, notebooks."""

from __future__ import annotations

import asyncio
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

import saydo

TEXTS = [f"Hike {number}: dogs on a leash are welcome at Fern Falls." for number in range(40)]


def test_values_have_the_types_of_their_kinds() -> None:
    def values(task: str, **options: object) -> set[type]:
        function = saydo.function(task, model="scripted", **options)  # type: ignore[arg-type]
        return {type(function(text).value) for text in TEXTS}

    assert values("Are dogs allowed?") <= {bool, type(None)}
    assert values("Which one is it?", labels=["lake", "hill"]) <= {str, type(None)}
    assert values("Which hikes are there?", kind="spans") <= {list, type(None)}
    assert values("Summarize it.", kind="text") == {str}


def test_spans_lie_where_they_say() -> None:
    hikes = saydo.function("Which hikes are there?", kind="spans", model="scripted")
    answers = [hikes(f"Blümchen “Pfad” {text}") for text in TEXTS]
    spans = [(span, answer) for answer in answers for span in answer.spans]
    assert spans
    for span, answer in spans:
        assert answer.text is not None and answer.text[span.start : span.end] == span.text
    assert all(answer.value == [span.text for span in answer.spans] for answer in answers if answer.value)


def test_records_have_the_fields_that_were_named() -> None:
    fields = {"hike": "span", "dogs": "yes-no", "size": ["long", "short"]}
    hikes = saydo.function("Which hikes are there?", fields=fields, model="scripted")
    assert hikes.kind == "records" and hikes.fields == {"hike": "span", "dogs": "yes-no", "size": "long|short"}
    records = [record for text in TEXTS for record in hikes(text).value or []]
    assert records and all(list(record) == list(fields) for record in records)
    assert {type(record["dogs"]) for record in records} <= {bool, type(None)}


def test_equal_texts_have_equal_answers_and_an_empty_one_has_none() -> None:
    dogs = saydo.function("Are dogs allowed?", model="scripted")
    assert dogs(TEXTS[0]) == dogs(TEXTS[0])
    assert dogs("").value is None and dogs("").status == "na"
    assert pickle.loads(pickle.dumps(dogs(TEXTS[0]))) == dogs(TEXTS[0])


def test_examples_are_part_of_the_question() -> None:
    prompts: list[str] = []

    def model(prompt: str) -> str:
        prompts.append(prompt)
        return "yes"

    examples = [("Cats only.", False), {"input": "All pets.", "output": "yes"}]
    saydo.function("Are dogs allowed?", model=model, examples=examples)("Dogs!")
    assert "Cats only." in prompts[0] and "All pets." in prompts[0]


def test_a_callable_is_a_model() -> None:
    dogs = saydo.function("Are dogs allowed?", model=lambda prompt: "yes" if "welcome" in prompt else "no")
    assert dogs("All are welcome.").value is True
    assert dogs("Keep out.").value is False


def test_what_a_callable_raises_is_told() -> None:
    def broken(prompt: str) -> str:
        raise ValueError("out of credit")

    with pytest.raises(saydo.ModelError, match="out of credit"):
        saydo.function("Are dogs allowed?", model=broken)("Dogs!")


def test_errors_say_what_to_do() -> None:
    with pytest.raises(saydo.ModelError) as error:
        saydo.function("Are dogs allowed?", model="no-such-model")
    assert "no-such-model" in str(error.value)
    with pytest.raises(saydo.TaskError, match="does not exist"):
        saydo.function("no-such-task.toml", model="scripted")
    with pytest.raises(saydo.TaskError, match="empty"):
        saydo.function(" ", model="scripted")
    with pytest.raises(saydo.TaskError, match="at least two"):
        saydo.function("Which?", labels=["one"], model="scripted")
    with pytest.raises(saydo.TaskError, match="expected span"):
        saydo.function("Which?", fields={"a": "length"}, model="scripted")
    with pytest.raises(saydo.ModelError, match="evidence") as error:
        saydo.function("Are dogs allowed?", evidence=True, model="scripted")
    assert error.value.hint is not None and "hint: " in str(error.value)


def test_eight_threads_give_the_same_answers() -> None:
    dogs = saydo.function("Are dogs allowed?", model="scripted:1")
    one_by_one = [dogs(text) for text in TEXTS]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(dogs, TEXTS)) == one_by_one


def test_asyncio_goes_on_meanwhile() -> None:
    dogs = saydo.function("Are dogs allowed?", model="scripted:5")

    async def both() -> list[saydo.Answer]:
        return list(await asyncio.gather(*(dogs.aanswer(text) for text in TEXTS[:4])))

    assert asyncio.run(both()) == [dogs(text) for text in TEXTS[:4]]


def test_notebooks_show_highlighted_spans() -> None:
    spans = [saydo.Span(4, 8, "<hi>")]
    html = saydo.Answer(["<hi>"], 0.5, spans=spans, text="Say <hi> & go")._repr_html_()
    assert "&lt;hi&gt;</mark> &amp; go" in html and "50%" in html


def test_models_generate_and_score() -> None:
    model = saydo.open("scripted")
    replies = model.generate(TEXTS, max_tokens=4)
    assert [reply.text for reply in replies] == [reply.text for reply in model.generate(TEXTS, max_tokens=4)]
    scores = model.score([(text, " yes") for text in TEXTS])
    assert len(scores) == len(TEXTS) and all(score.log_prob <= 0 for score in scores)
    with pytest.raises(saydo.ModelError, match="not supported"):
        saydo.open(str.upper).score([("a", "b")])
    assert saydo.open(str.upper).generate(["ab|c"], stop=["|"])[0].text == "AB"
    assert saydo.open("scripted") is model
