"""Names of layers cut to the room there is: what rows have in common goes, not what differs.

Rows of a table share the outer scopes of their names, so these are shortened first, from the
outside in. Numbers stay, since they tell one block from the next, and so does the innermost
scope: "expand3x3" alone tells nothing where eight blocks have one.

`suggestion` compares names that people type with the names there are.
"""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from inspector import units
from inspector.model.model import TensorInfo

_LISTED = 12
FILLED = "Tensors, sequences of tensors, optional tensors and maps can be set."


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
_PARTED, _WORDS = re.compile(r"([./])"), re.compile(r"(_)")
_NUMBER = re.compile(r"\d*$")
_LEAST_LEAF = 4  # letters of a leaf that are left before its scope goes
_DOTS = "…"


def fit_name(name: str, room: float, width: Width, between: str = "/") -> tuple[str, str]:
    """Return scope and leaf of a name as they fit into the room, either one perhaps empty.

    between: what is drawn between them, which takes room too where there is a scope.
    """
    scope, leaf = units.scope_and_name(name)
    if not scope:
        leaf = fitted_leaf(leaf, room, width)
        return "", elided(leaf, room, width)
    short_leaf = fitted_leaf(leaf, max(room / 2, room - width(scope + between)), width)
    for some in _scopes(scope, room - width(between + leaf), width):
        for shown in (leaf, short_leaf):
            if width(some + between + shown) <= room:
                return some, shown
    last = _abbreviated(_PARTED.split(scope)[-1])
    rest = elided(short_leaf, room - width(last + between), width)
    if len(rest) > _LEAST_LEAF:
        return last, rest
    return "", elided(fitted_leaf(leaf, room, width), room, width)


def fit_line(name: str, room: float, width: Width) -> str:
    """Return a name in one line as it fits into the room: "fire2/expand3x3"."""
    if width(name) <= room:
        return name
    return "/".join(filter(None, fit_name(name, room, width)))


def fitted(scope: str, room: float, width: Width) -> str:
    """Return a scope with its parts shortened from the outside in until it fits.

    'encoder.layer.0.attention.self' becomes 'e.l.0.a.self': the last part stays, and numbers.
    """
    parts = _PARTED.split(scope)
    return _shortened(parts, range(0, len(parts) - 1, 2), room, width)


def fitted_leaf(leaf: str, room: float, width: Width) -> str:
    """Return a name with its parts shortened from the end until it fits: 'Constant_12_o_0'.

    Generated names differ in a number somewhere inside.
    """
    parts = _WORDS.split(leaf)
    return _shortened(parts, range(len(parts) - 3, 0, -2), room, width)


def elided(text: str, room: float, width: Width) -> str:
    """Return a text without its middle where it does not fit, its end being the longer part.

    Names of one kind begin alike and are numbered at the end.
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


def _scopes(scope: str, room: float, width: Width) -> Iterable[str]:
    """Yield a scope in ever shorter forms: whole, initials outside, its last part alone."""
    yield scope
    yield fitted(scope, room, width)
    parts = _PARTED.split(scope)
    yield _shortened(list(parts), range(0, len(parts), 2), 0, width)
    if len(parts) > 1:
        yield f"{_DOTS}{parts[-1]}"
    yield _abbreviated(parts[-1])


def _abbreviated(part: str) -> str:
    number = _NUMBER.search(part)
    start = number.start() if number is not None else len(part)
    return part[: min(1, start)] + part[start:]


def _shortened(parts: list[str], places: Iterable[int], room: float, width: Width) -> str:
    for place in places:
        if width("".join(parts)) <= room:
            break
        parts[place] = _abbreviated(parts[place])
    return "".join(parts)
