"""Rows and documents of results: for pandas, Arrow, files and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any

from inspector.errors import InspectorError
from inspector.units import clip

_CHARS = 160  # of a line; more is cut: a line of a terminal has 80 to 200


class OneLine:
    """A result whose `repr` is one line; `about` says what it holds."""

    __slots__ = ()

    def about(self) -> str:
        """Return the content in a few words."""
        raise NotImplementedError

    def __repr__(self) -> str:
        text = " ".join(self.about().split())
        return f"<{type(self).__name__} {clip(text, _CHARS)}>"


def row_of(row: Mapping[str, str]) -> dict[str, Any]:
    """Return a row of a CSV file with numbers as numbers, and None for empty cells."""
    return {name: _number(text) for name, text in row.items()}


def frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a pandas DataFrame. Raises InspectorError: no pandas here."""
    return library("pandas").DataFrame(list(rows))


def arrow(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a pyarrow Table. Raises InspectorError: no pyarrow here."""
    names = rows[0] if rows else {}
    return library("pyarrow").table({name: [row[name] for row in rows] for name in names})


def library(name: str) -> Any:
    """Import a library that Inspector itself does not need. Raises InspectorError."""
    try:
        # pandas and polars: whoever asks for a table of theirs has them
        return import_module(name)
    except ImportError as error:
        what = f"Could not convert to {name}"
        raise InspectorError(what, "it is not installed", f"pip install {name}") from error


def in_frame(page: str) -> str:
    """Return a page inside a notebook's own page, which its styles must not change."""
    return (
        f'<iframe srcdoc="{escape(page)}" width="100%" height="640" frameborder="0"></iframe>'
    )


def _number(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text or None
