"""The languages of pages: translations of texts and sentences, and nouns with their plurals.

    catalog.wording("de").text(Count(3, "layer"))    # "3 Schichten"
    catalog.use("de")                                # for terminal and documents from now on

Texts and templates are in `resources/translations/messages_de.json`, nouns beside it.
What has no translation stays English. Errors are recognized by `message_patterns`.
"""

import json
from functools import cache
from typing import Any

from inspector.platform import files
from inspector.wording.message_patterns import Messages
from inspector.wording.values import ENGLISH, Wording

_SOURCE = "en"
_DECIMAL_COMMA = frozenset({"de"})

_current = ENGLISH


def use(language: str) -> None:
    """Write terminal pages and documents in a language from now on; "" means English."""
    global _current
    _current = wording(language)


def current() -> Wording:
    """Return the language of terminal pages and documents."""
    return _current


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that pages can be written in, English first."""
    found = files.resource("translations").glob("messages_*.json")
    return (_SOURCE, *sorted(path.stem.partition("_")[2] for path in found))


@cache
def wording(language: str) -> Wording:
    """Return a language by its code, such as "de" or "pt_BR"; English for an unknown one."""
    if language not in languages()[1:]:
        return ENGLISH
    texts, nouns = _read(f"messages_{language}.json"), _read(f"nouns_{language}.json")

    def plural(number: int, noun: str) -> str:
        name, _, rest = noun.partition(" ")
        forms = nouns.get(noun) or nouns.get(f"{{name}} {rest}")  # such as "Conv layer"
        if forms is None:
            return ENGLISH.plural(number, noun)
        return f"{number:,} {forms[number != 1].replace('{name}', name)}"

    translate = Messages(texts).translated
    return Wording(language, translate, plural, language in _DECIMAL_COMMA)


def _read(name: str) -> dict[str, Any]:
    path = files.resource("translations", name)
    content: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return content
