"""A description as a classifier of scikit-learn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted

from ._answer import Answer
from ._function import Function, function
from ._run import run


class SaydoClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifies texts by a description; the classes are the labels of the rows it is fitted on.

    ``fit`` does not change the model. It learns how often each answer is right: what share of the rows with an answer
    (a label, n/a, or none) have which class. ``predict_proba`` gives these shares, each with ``prior`` pseudo-counts on
    the answer's own class, and ``predict`` the likeliest. A class that the model confuses with another, or does not
    mention where it applies, is thus found all the same.

    :param description: what is asked, such as ``"Is this review positive or negative?"``
    :param model: a name, an open model, or a callable; default: the default model
    :param prior: pseudo-counts of rows on which an answer is right

    >>> import saydo
    >>> classifier = SaydoClassifier("Are dogs allowed?", model="scripted")
    >>> classifier.fit(["Dogs may come.", "No dogs."], ["yes", "no"]).predict(["All dogs."]).shape
    (1,)
    """

    def __init__(
        self,
        description: str = "Which class is it?",
        *,
        model: Any = None,
        adapter: Any = None,
        prior: float = 2.0,
    ) -> None:
        self.description = description
        self.model = model
        self.adapter = adapter
        self.prior = prior

    def fit(self, X: Iterable[str], y: Iterable[Any]) -> SaydoClassifier:
        """Learns from labelled rows how often answers are right."""
        texts, labels = _texts(X), np.asarray(list(y))
        if len(texts) != len(labels):
            raise ValueError(f"{len(texts)} texts and {len(labels)} labels, expected as many")
        if len(texts) == 0:
            raise ValueError("no rows, expected at least one of each class")
        classes = unique_labels(labels)
        if len(classes) < 2:
            raise ValueError(f"one class, {classes[0]!r}, expected at least two")
        self.classes_ = classes
        answers = [self._class(answer) for answer in self._answers(texts)]
        self.confusion_ = {said: Counter[int]() for said in [None, *range(len(self.classes_))]}
        for said, place in zip(answers, np.searchsorted(self.classes_, labels), strict=True):
            self.confusion_[said][int(place)] += 1
        self.class_counts_ = np.bincount(np.searchsorted(self.classes_, labels), minlength=len(self.classes_))
        self.n_features_in_ = 1
        return self

    def predict_proba(self, X: Iterable[str]) -> Any:
        """The share of each class among the rows of ``fit`` that had the same answer, a row for each text."""
        check_is_fitted(self)
        shares = {said: self._shares(said) for said in self.confusion_}
        rows = [shares[self._class(answer)] for answer in self._answers(_texts(X))]
        return np.array(rows).reshape(len(rows), len(self.classes_))

    def predict(self, X: Iterable[str]) -> Any:
        """The likeliest class of each text."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _shares(self, said: int | None) -> Any:
        counts = np.array([self.confusion_[said][place] for place in range(len(self.classes_))], dtype=float)
        if said is None:
            # Without an answer, nothing is known but how frequent the classes are.
            counts += self.prior * self.class_counts_ / self.class_counts_.sum()
        else:
            counts += self.prior / len(self.classes_) * 0.5
            counts[said] += self.prior * 0.5
        return counts / counts.sum()

    def _answers(self, texts: list[str]) -> list[Answer]:
        answers: list[Answer] = run(self._function(), texts, progress=False) if texts else []
        return answers

    def _function(self) -> Function:
        names = [_name(label) for label in self.classes_]
        kind: dict[str, Any] = {"kind": "yes-no"} if sorted(names) == ["no", "yes"] else {"labels": names}
        return function(self.description, model=self.model, adapter=self.adapter, evidence=False, **kind)

    def _class(self, answer: Answer) -> int | None:
        """Which class an answer names; None where it names none."""
        names = [_name(label) for label in self.classes_]
        said = _name(answer.value) if answer.value is not None else None
        return names.index(said) if said in names else None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags


def _texts(texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise ValueError("one text, expected several: put it into a list")
    listed = list(texts)
    wrong = next((text for text in listed if not isinstance(text, str)), None)
    if wrong is not None:
        raise ValueError(f"{type(wrong).__name__} among the texts, expected str")
    return listed


def _name(label: Any) -> str:
    if isinstance(label, bool | np.bool_):
        return "yes" if label else "no"
    return str(label)
