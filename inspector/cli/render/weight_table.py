"""The table of `inspector info --weights`: how each weight is stored."""

from collections.abc import Iterator, Sequence
from typing import Any

from inspector import units
from inspector.analysis.facts.weight_compression import WeightForm, group_text, grouped
from inspector.model.display_names import fit_name
from inspector.model.model import Model

_SHORTEST_NAME, _LONGEST_SHAPE, _LONGEST_FORM = 16, 24, 40


def lines(model: Model, forms: Sequence[WeightForm], columns: int) -> Iterator[str]:
    """Yield one line for each form with its sum, then one for each weight."""
    if not forms:
        yield "  none"
        return
    for group in grouped(forms):
        yield f"  {group_text(group)}"
    smaller = [form for form in forms if not form.is_stored_so]
    if smaller:
        whole = sum(form.expanded_bytes for form in smaller)
        taken = sum(form.could_take_bytes or 0 for form in smaller)
        yield (
            f"  {units.plural(len(smaller), 'uncompressed tensor')} could take up "
            f"{units.size(taken)} instead of {units.size(whole)}"
        )
    yield ""
    rows = [_row(model, form) for form in forms]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = max(_SHORTEST_NAME, columns - sum(widths[1:]) - 2 * len(widths))
    for name, *cells in rows:
        shown = "/".join(filter(None, fit_name(name, min(room, widths[0]), len)))
        texts = [f"{shown:<{min(room, widths[0])}}"]
        texts += [f"{cell:<{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        yield f"  {'  '.join(texts)}".rstrip()


def _row(model: Model, form: WeightForm) -> tuple[str, ...]:
    weight = model.weights[form.weight]
    name = units.clip(weight.name or "(no name)", 300)
    shape = units.clip(units.shape(weight.shape), _LONGEST_SHAPE)
    size = units.size(form.stored_bytes)
    last = ", ".join(filter(None, (form.saving_text, form.when_loaded)))
    return name, units.clip(weight.dtype, 16), shape, size, form.text, last


def as_plain(model: Model, forms: Sequence[WeightForm]) -> list[dict[str, Any]]:
    """Return the field `weights` of schema model/1."""
    return [_plain(model, form) for form in forms]


def _plain(model: Model, form: WeightForm) -> dict[str, Any]:
    weight, pattern = model.weights[form.weight], form.pattern
    return {
        "name": weight.name,
        "dtype": weight.dtype,
        "shape": list(weight.shape),
        "form": form.kind or "plain",
        "granularity": form.granularity,
        "bits": form.bits or None,
        "stored_in_this_form": form.is_stored_so,
        "stored_bytes": form.stored_bytes,
        "expanded_bytes": form.expanded_bytes,
        "could_take_bytes": form.could_take_bytes,
        "when_loaded": form.when_loaded or None,
        "layer": form.layer,
        "zeros": None if pattern is None else pattern.zeros,
        "distinct": None if pattern is None else pattern.distinct,
        "structure": None if pattern is None else pattern.structure or None,
    }
