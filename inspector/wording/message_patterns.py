"""Translation of finished English sentences, such as errors and notes of stored reports.

What makes a `Sentence` needs none of this. A finished sentence is translated by the template
that it was made from:

    "62% of kernel time is in 3 Conv layers" was made from
    "{share} of kernel time is in {layers}", in German "{share} der Kernelzeit ... {layers}"

`tools/make_catalogue.py` collects the templates from the source code; their translations are in
`resources/translations/`, one messages_*.json for each language. A sentence without one stays
English.
"""

import re
from collections.abc import Mapping
from functools import cached_property

_FIELD = re.compile(r"\{(\w+)\}")
_REMEMBERED = 10_000  # sentences
_DEEPEST = 6  # of sentences within sentences
_LONGEST = 800  # letters of a text that is tried: patterns take time on long ones
# Where a text of several sentences or clauses is taken apart, if it has no template as a whole.
_IN_PARENTHESES = re.compile(r"(.*?)\((.+?)\)(.*)", re.DOTALL)
_SENTENCES = (re.compile(r"(?<=[.!?]) (?=[A-Z0-9'\"])"), *map(re.compile, ("\n", " · ", "; ")))
_CLAUSES = tuple(map(re.compile, (", ", ": ")))
# What fields hold that stand next to another one, which would take a part of it: a word that
# depends on a number, such as "are", a number with its noun, and details in parentheses.
_WORD = r"\w+"
_VALUES = {
    "are": _WORD, "vary": _WORD, "have": _WORD, "whose": _WORD, "verb": _WORD,
    "plural": r"[\d,]+ [^;]*?",
    "parenthesis": r"(?: \(.*\))?",
}  # fmt: skip
_SHORT = 6  # letters of a template such as "{some} of {all}", which only joins numbers
_NUMBER = r"[^A-Za-z]*\d\S*(?: \w+)?"
_JOINING = 12  # letters of a template such as "{count} layers", which ends many a sentence
_PHRASE = re.compile(r"\b[a-z]+ [a-z]+")  # words of a sentence, not a name
_BEGINNING = 10  # letters that a template needs to be told as the beginning of a sentence


class Template:
    """One English template and its translation, both with fields in braces."""

    def __init__(self, source: str, translation: str) -> None:
        self.translation = translation
        parts = _FIELD.split(source)  # text, name, text, name, text
        self._source = source
        self.literal_length = sum(map(len, parts[::2]))
        self.longest_part = max(parts[::2], key=len)
        self.ends_open = not parts[-1]  # in a field, whose end only the end of the text tells

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Matches what the template can make; a name that occurs twice has one value."""
        parts, seen = _FIELD.split(self._source), set[str]()
        any_text = _NUMBER if self.literal_length < _SHORT else ".*?"
        for place in range(1, len(parts), 2):
            field = parts[place]
            value = _VALUES.get(field, any_text)
            parts[place] = f"(?P={field})" if field in seen else f"(?P<{field}>{value})"
            seen.add(field)
        parts[::2] = map(re.escape, parts[::2])
        return re.compile("".join(parts), re.DOTALL)

    def fields(self, text: str) -> dict[str, str] | None:
        """Return the values in a text that the template made, None for another text."""
        if self.longest_part not in text:
            return None
        found = self._pattern.fullmatch(text)
        return found.groupdict() if found is not None else None

    def beginning(self, text: str) -> "re.Match[str] | None":
        """Return what the template made of the beginning of a text, before a space or comma."""
        if self.ends_open or self.literal_length < _BEGINNING or self.longest_part not in text:
            return None
        found = self._pattern.match(text)
        return found if found is not None and text[found.end() :][:1] in (" ", ",") else None


class Messages:
    """Translates sentences by their templates."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        self._whole = {
            source: translation
            for source, translation in templates.items()
            if translation and not _FIELD.search(source)
        }
        made = (
            Template(source, translation)
            for source, translation in templates.items()
            if translation and _FIELD.search(source)
        )
        # The one with the most words of its own is the one that made a text.
        self._templates = sorted(made, key=lambda each: -each.literal_length)
        self._known: dict[str, str] = {}

    def translated(self, text: str) -> str:
        """Return a sentence in the other language, in parts or as a whole as far as known.

        One word may be a name, such as the operator Add.
        """
        if " " not in text:
            return text
        if len(self._known) >= _REMEMBERED:  # such as the same text with other times
            self._known.clear()
        if text not in self._known:
            self._known[text] = self._find(text, _DEEPEST)
        return self._known[text]

    def _find(self, text: str, depth: int) -> str:
        if not text or len(text) > _LONGEST or not depth:
            return text
        if text in self._whole:
            return self._whole[text]
        for template in self._templates:
            values = template.fields(text)
            if values is None:
                continue
            filled = self._filled(template, values, depth)
            if template.literal_length >= _JOINING or not _left_over(values, filled):
                return filled
        return self._in_parts(text, depth)

    def _joined(self, separator: re.Pattern[str], text: str, depth: int) -> str:
        found = separator.search(text)
        between = found[0] if found is not None else ""
        return between.join(self._value(part, depth) for part in separator.split(text))

    def _filled(self, template: Template, values: Mapping[str, str], depth: int) -> str:
        shown = {name: self._value(value, depth) for name, value in values.items()}
        return _FIELD.sub(lambda field: shown.get(field[1], field[0]), template.translation)

    def _value(self, text: str, depth: int) -> str:
        """Return the value of a field, which is a name or a number if it is one word."""
        if text.startswith(" (") and text.find(")") == len(text) - 1:
            return f" ({self._value(text[2:-1], depth)})"
        return self._find(text, depth - 1) if " " in text else text

    def _in_parts(self, text: str, depth: int) -> str:
        """Return a text whose sentences or clauses are translated one by one."""
        for separator in _SENTENCES:
            if separator.search(text):
                return self._joined(separator, text, depth)
        for template in self._templates:
            begun = template.beginning(text)
            if begun is not None:
                first = self._filled(template, begun.groupdict(), depth)
                rest = text[begun.end() :].lstrip(" ,")
                between = text[begun.end() : len(text) - len(rest)]
                return f"{first}{between}{self._value(rest, depth)}"
        found = _IN_PARENTHESES.fullmatch(text)
        if found is not None:
            before, inner, after = found.groups()
            return f"{self._value(before, depth)}({self._value(inner, depth)}){after}"
        for separator in _CLAUSES:
            if separator.search(text):
                return self._joined(separator, text, depth)
        if text.endswith((".", ":", "!")):
            body = self._value(text[:-1], depth)
            return f"{body}{text[-1]}"
        return text


def _left_over(values: Mapping[str, str], filled: str) -> bool:
    """Return whether a value is a part of an English sentence that stayed English."""
    return any(_PHRASE.search(value) and value in filled for value in values.values())
