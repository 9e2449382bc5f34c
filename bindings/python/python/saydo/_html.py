"""What notebooks show: the text with its spans highlighted, and small tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._answer import Answer, Span

_MARK = "background:#ffe08a;color:#222;border-radius:3px;padding:0 2px"
_EVIDENCE = "background:#b9e4c9;color:#222;border-radius:3px;padding:0 2px"
_CELL = "text-align:left;padding:2px 10px 2px 0"


def said(value: object) -> str:
    """A value in words: yes, no, n/a, or the value itself."""
    if value is None:
        return "n/a"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return str(value)


def marked(answer: Answer) -> str:
    """The answer above its text, spans yellow and evidence green."""
    percent = "" if answer.confidence is None else f" <small>({answer.confidence:.0%})</small>"
    head = f"<b>{escape(answer.error or said(answer.value))}</b>{percent}"
    if answer.text is None:
        return f"<div>{head}</div>"
    spans = [(span, _MARK) for span in answer.spans] + [(span, _EVIDENCE) for span in answer.evidence]
    body = _highlighted(answer.text, spans)
    return f'<div>{head}<div style="white-space:pre-wrap;margin-top:4px">{body}</div></div>'


def _highlighted(text: str, spans: Sequence[tuple[Span, str]]) -> str:
    parts: list[str] = []
    end = 0
    for span, style in sorted(spans, key=lambda one: (one[0].start, -one[0].end)):
        if span.start < end:  # Of spans that overlap, the first is shown.
            continue
        title = "" if span.label is None else f' title="{escape(span.label)}"'
        parts.append(escape(text[end : span.start]))
        parts.append(f'<mark style="{style}"{title}>{escape(text[span.start : span.end])}</mark>')
        end = span.end
    parts.append(escape(text[end:]))
    return "".join(parts)


def table(header: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> str:
    """A table of texts."""
    head = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in header)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(said(cell))}</td>' for cell in row) + "</tr>" for row in rows
    )
    caption = f"<caption style='text-align:left;font-weight:bold'>{escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
