"""Names of layers cut to the room there is, only where a part of the name ends.

Rows of a table share the outer scopes of their names, so these are left out first: where
"encoder/layer.0/attention/query" does not fit, "…/attention/query" may. Words are never
abbreviated. What is equal after that gets the layer's number, so that no table has two equal
names: "…/query #12".

`suggestion` compares names that people type with the names there are.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches

from inspector import units
from inspector.model.model import TensorInfo

_LISTED = 12
FILLED = "Tensors, sequences of tensors, optional tensors and maps can be set."
_BETWEEN = re.compile(r"[/.;:]")  # the parts of a name
_DOTS = "…"
# What scopes, or the folders of a path, are separated by.
_PARTS = {"/": re.compile("/"), "\\": re.compile(r"\\"), ".": re.compile(r"\.")}
_WORDS = re.compile("[_;:.-]")


def unfit(info: TensorInfo) -> str:
    """Return why an input cannot be filled with values."""
    if info.kind == "unknown" or info.dtype == "unknown":
        return "the model declares no data type for it"
    article = "an" if info.kind[:1] in "aeiou" else "a"
    return f"it is {article} {info.kind} ({units.clip(info.dtype, 60)})"


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """Return which of the known names was probably meant, or list them."""
    names = tuple(candidates)
    close = get_close_matches(name, names, 1, 0.6) or [
        other for other in names if other.lower() == name.lower()
    ]
    if close:
        return f"Did you mean '{units.clip(close[0], 80)}'?"
    listed = ", ".join(f"'{units.clip(other, 80)}'" for other in names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"Available: {listed}{more}." if names else ""


Width = Callable[[str], float]  # of a text, in the unit of the room


def fit_name(name: str, room: float, width: Width, between: str = "/") -> tuple[str, str]:
    """Return scope and leaf of a name as they fit into the room, either one perhaps empty.

    between: what is drawn between them, which takes room too where there is a scope.
    """
    for text in endings(name):
        scope, leaf = units.scope_and_name(text)
        if width(scope + between + leaf if scope else leaf) <= room:
            return scope, leaf
    return "", elided(name, room, width)


def fit_line(name: str, room: float, width: Width) -> str:
    """Return a name in one line as it fits into the room: "…/fire2/expand3x3"."""
    for text in endings(name):
        if width(text) <= room:
            return text
    return elided(name, room, width)


def fit_start(name: str, room: float, width: Width) -> str:
    """Return the first parts of a name as they fit into the room: "strided_slice;…"."""
    ends = (found.end() for found in reversed(list(_BETWEEN.finditer(name))))
    candidates = (name, *(name[:end] + _DOTS for end in ends))
    fitting = (text for text in candidates if width(text) <= room)
    return next(fitting, elided(name, room, width))


def fit_lines(
    names: Sequence[str], room: float, width: Width, numbers: Sequence[int] = ()
) -> list[str]:
    """Return the names of one table as they fit, no two of them equal unless the names are.

    numbers: of the layers, by default 0, 1, ...; one is added where cutting made names equal.
    """
    shown = [fit_line(name, room, width) for name in names]
    counts = Counter(dict.fromkeys(zip(shown, names, strict=True)))  # once for each full name
    meanings = Counter(text for text, _ in counts)
    for place, (text, name) in enumerate(zip(shown, names, strict=True)):
        if meanings[text] > 1:
            end = f" #{numbers[place] if numbers else place}"
            shown[place] = fit_line(name, room - width(end), width) + end
    return shown


def endings(name: str) -> Iterator[str]:
    """Yield a name whole, then without its first parts: "…/b/c_1", "…/c_1", "c_1", "…_1"."""
    yield name
    separator = next((each for each in ("/", "\\") if each in name), ".")
    start = 0
    for found in _PARTS[separator].finditer(name):
        if 0 < found.start() < len(name) - 1:
            start = found.end()
            yield _DOTS + name[start if separator == "." else found.start() :]
    if start:
        yield name[start:]
    for found in _WORDS.finditer(name, start + 1):
        if found.end() < len(name) and not _WORDS.match(name, found.end()):
            yield _DOTS + name[found.start() :]


def elided(text: str, room: float, width: Width) -> str:
    """Return a text without its middle where it does not fit, its end being the longer part.

    The last resort for a single word that is wider than its column.
    """
    if width(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:  # most letters that fit
        characters = (low + high + 1) // 2
        low, high = (
            (characters, high)
            if width(_cut(text, characters)) <= room
            else (low, characters - 1)
        )
    return _cut(text, low)


def _cut(text: str, characters: int) -> str:
    head = characters * 2 // 5
    return f"{text[:head]}{_DOTS}{text[len(text) - (characters - head) :]}"
