"""Errors in another language: each is recognized by the template that made it, as a whole.

What is no error is a `Sentence`, which knows its template. "Could not open a.onnx" was made
from "Could not open {name}"; `tools/make_catalogue.py` collects such templates from the source
code. A text that no template made stays English.
"""

import re
from collections.abc import Mapping

from inspector import units

_FIELD = re.compile(r"\{(\w+)\}")
_BREAK = re.compile(r"(?<=\w\.) (?=[A-Z])")  # between two sentences
_REMEMBERED = 10_000  # sentences
_DEEPEST = 4  # of sentences within sentences, such as a reason in an error
_LONGEST = 800  # letters of a text that is tried: patterns take time on long ones
# A template has so many letters: "{part} from {some} to {all}" fits too much.
_ENOUGH = re.compile(r"(?:[^\W\d_][\W\d_]*){8}")


class Messages:
    """Translates texts, and sentences by their templates."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        self._texts = templates
        lettered = ((source, _FIELD.split(source)[::2]) for source in templates)
        # The one with the most letters of its own is the one that made a text.
        self._templates = sorted(
            (
                (source, max(parts, key=len), sum(map(len, parts)))
                for source, parts in lettered
                if len(parts) > 1 and _ENOUGH.search(" ".join(parts))
            ),
            key=lambda each: -each[2],
        )
        self._patterns = dict[str, re.Pattern[str]]()
        self._known = dict[str, str]()

    def translated(self, text: str) -> str:
        """Return a text of ours in the other language; one word may be a name, and stays."""
        if " " not in text or len(text) > _LONGEST:
            return self._texts.get(text) or text
        if len(self._known) >= _REMEMBERED:  # such as the same text with other times
            self._known.clear()
        if text not in self._known:
            self._known[text] = self._as_begun(text, _DEEPEST)
        return self._known[text]

    def _as_begun(self, text: str, depth: int) -> str:
        """Return a text, also where a capital letter begins a sentence with it."""
        found = self._find(text, depth)
        small = units.uncapitalized(text)
        if found != text or small == text:
            return found
        found = self._find(small, depth)
        return text if found == small else units.capitalized(found)

    def _in_parts(self, text: str, depth: int) -> str:
        """Return several sentences in the other language; "" unless each has its template.

        A template of the first one may fit them all, with the others in its last field.
        """
        parts = _BREAK.split(text)
        if len(parts) == 1:
            return ""
        found = [self._sentence(part, depth - 1) for part in parts]
        pairs = zip(parts, found, strict=True)
        return " ".join(found) if all(part != other for part, other in pairs) else ""

    def _sentence(self, text: str, depth: int) -> str:
        """Return a sentence; its point may be no part of its template."""
        found = self._as_begun(text, depth)
        if found == text or found.endswith("."):
            return found
        return self._as_begun(text.removesuffix("."), depth) + "."

    def _find(self, text: str, depth: int) -> str:
        if text in self._texts or not depth:
            return self._texts.get(text) or text
        if in_parts := self._in_parts(text, depth):
            return in_parts
        for source, longest, _ in self._templates:
            found = self._pattern(source).fullmatch(text) if longest in text else None
            if found is not None:
                values = {
                    name: self._as_begun(value, depth - 1) if " " in value else value
                    for name, value in found.groupdict().items()
                }
                parts = _FIELD.split(self._texts[source])
                parts[1::2] = (values[name] for name in parts[1::2])
                return "".join(parts)
        return text

    def _pattern(self, source: str) -> re.Pattern[str]:
        """Return what matches a template; a name that occurs twice has one value."""
        if source not in self._patterns:
            parts = _FIELD.split(source)  # text, name, text, name, text
            names = parts[1::2]
            parts[::2] = map(re.escape, parts[::2])
            parts[1::2] = (
                f"(?P={name})" if name in names[:place] else f"(?P<{name}>.*?)"
                for place, name in enumerate(names)
            )
            self._patterns[source] = re.compile("".join(parts), re.DOTALL)
        return self._patterns[source]
