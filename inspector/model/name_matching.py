"""Names that people type, compared with the names there are."""

from collections.abc import Iterable
from difflib import get_close_matches

from inspector import units
from inspector.model.model import TensorInfo

_LISTED = 12
FILLED = "Tensors, sequences of tensors, optional ones and maps can be filled."


def unfit(info: TensorInfo) -> str:
    """Return why an input cannot be filled with values."""
    if info.kind == "unknown" or info.dtype == "unknown":
        return "it has no element type in the model"
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
    return f"There is {listed}{more}." if names else ""
