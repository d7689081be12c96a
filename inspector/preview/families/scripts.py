"""Whether a text is in letters that the languages among a model's classes are written in."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from inspector.preview.inputs.feeds import Filled
from inspector.wording.values import Name, Sentence

# Languages by their English names, with the first words of their letters' names in Unicode.
_LATIN = """Afrikaans Albanian Basque Catalan Croatian Czech Danish Dutch English Estonian
    Finnish French German Hungarian Icelandic Indonesian Irish Italian Latin Latvian Lithuanian
    Malay Norwegian Polish Portuguese Romanian Slovak Slovene Spanish Swahili Swedish Turkish
    Vietnamese Welsh"""
_OTHERS: Mapping[str, str] = {
    "CYRILLIC": "Belarusian Bulgarian Macedonian Russian Serbian Ukrainian",
    "GREEK": "Greek", "HEBREW": "Hebrew", "ARABIC": "Arabic Persian Urdu",
    "DEVANAGARI": "Hindi Marathi Nepali", "THAI": "Thai", "HANGUL": "Korean",
    "CJK": "Chinese Japanese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese",
}  # fmt: skip
_SCRIPTS: dict[str, set[str]] = {name: {"LATIN"} for name in _LATIN.split()}
for _script, _names in _OTHERS.items():
    for _name in _names.split():
        _SCRIPTS.setdefault(_name, set()).add(_script)
_MOST_FOREIGN = 0.5  # of the letters; a name or two may be in any script


def foreign_script(filled: Filled, labels: Sequence[str]) -> Sentence | None:
    """Return why the answer to a text in bytes says little: its letters are of no language that
    the model knows. None where they are, or the classes are no languages."""
    known = [_SCRIPTS.get(label.strip().capitalize()) for label in labels]
    if filled.dtype != "uint8" or len(known) < 2 or not all(known):
        return None
    scripts = {script for some in known if some for script in some}
    text = filled.array.tobytes().decode("utf-8", "ignore")
    letters = Counter(unicodedata.name(c, "?").split()[0] for c in text if c.isalpha())
    foreign = {script: n for script, n in letters.items() if script not in scripts}
    if sum(foreign.values()) <= _MOST_FOREIGN * letters.total():
        return None
    most = max(foreign, key=lambda script: foreign[script])
    return Sentence(
        "most letters are {script}, in which none of the model's languages is written, so that "
        "the result says little about the text",
        Name(most.capitalize() if most != "CJK" else most),
    )
