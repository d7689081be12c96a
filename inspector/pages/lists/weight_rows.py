"""The weights of a model as a table: a hundred thousand of them cost nothing."""

from collections.abc import Callable, Sequence

from inspector import units
from inspector.analysis.facts.weight_compression import WeightForm
from inspector.model.model import Model, WeightInfo, product
from inspector.pages.blocks import Column, Side, Table
from inspector.pages.rows import Filled, filled_table
from inspector.wording.values import (
    Count,
    Joined,
    Name,
    Noted,
    Number,
    Sentence,
    Share,
    Size,
    Tone,
    Toned,
    Value,
)

_PLAIN = "initializer"  # of WeightInfo.origin


def weight_table(
    model: Model,
    uses: Sequence[Sequence[int]],
    form: Callable[[int], WeightForm | None] | None = None,
) -> Table:
    """Return a row for each weight in the order of the file.

    uses: for each weight the layers that take it. form: how one is stored, by its place; None
    where nothing is known of any.
    """
    weights = model.weights
    sizes = [weight.size_bytes or 0 for weight in weights]
    whole_bytes, largest_bytes = sum(sizes), max(sizes, default=0)

    def elements() -> list[int]:
        counts = {shape: product(shape) or 0 for shape in {w.shape for w in weights}}
        return [counts[weight.shape] for weight in weights]

    def bar(place: int) -> Value:
        size = weights[place].size_bytes
        return Number(size / largest_bytes) if size else ""

    def size(place: int) -> Value:
        known = weights[place].size_bytes
        return "–" if known is None else Size(known)

    columns = [
        Filled(Column("name", "Name", stretch=True), lambda place: _name(weights[place]),
               lambda: [weight.name.casefold() for weight in weights]),
        Filled(Column("type", "Type", keep=4), lambda place: Name(weights[place].dtype),
               lambda: [weight.dtype for weight in weights]),
        Filled(Column("shape", "Shape", falling=True, digits=True),
               lambda place: Name(units.shape(weights[place].shape)), elements),
        Filled(Column("bar", "", bar=True, keep=1), bar, lambda: sizes),
        Filled(Column("size", "Size", Side.RIGHT), size, lambda: sizes),
        Filled(Column("share", "Share", Side.RIGHT, keep=3),
               lambda place: Share(sizes[place], whole_bytes), lambda: sizes),
        Filled(Column("place", "Location", keep=1), lambda place: where(weights[place]),
               lambda: [_position(weight) for weight in weights]),
        Filled(Column("users", "Used by", keep=2), lambda place: _users(model, uses[place]),
               lambda: [used[0] if used else float("inf") for used in uses]),
    ]  # fmt: skip
    if form is not None:  # plain weights come last
        columns.append(Filled(
            Column("form", "Stored as", keep=5), lambda place: Name(_form(form(place))),
            lambda: [_form(form(place)) or "~" for place in range(len(weights))],
        ))  # fmt: skip
    return filled_table(
        len(weights), columns, lambda: list(map(_searched, weights)), noun="tensor"
    )


def called(weight: WeightInfo) -> str:
    """Return what a weight is called; the file may give it no name."""
    return units.clip(weight.name or "(no name)")


def where(weight: WeightInfo, long: bool = False) -> str:
    """Return the file and offset of a weight; that it is missing if it cannot be read."""
    if weight.place is None:
        return "missing" if weight.problem else "no values"
    own = "the model file" if long else "model"
    file: Value = Name(units.clip(weight.place.file, 60)) if weight.place.file else own
    template = "{file}, byte offset {offset}" if long else "{file}, byte {offset}"
    return Sentence(template, file, Count(weight.place.offset))


def _name(weight: WeightInfo) -> Value:
    name: Value = Name(called(weight))
    if weight.problem:
        text = Name(weight.problem)
        name = Toned(name, Tone.CAUTION)
        return Noted(name, text, spoken=Joined((Name(called(weight)), text), ": "))
    if weight.origin != _PLAIN:
        return Noted(Joined((name, f"({weight.origin.split()[0]})"), " "), Name(weight.origin))
    return name


def _users(model: Model, indices: Sequence[int]) -> Value:
    """Return the layer that uses a weight, or the first one and the number of others."""
    if not indices:
        return "no layer"
    first = Name(units.clip_name(model.layers[indices[0]].label, 80))
    others = len(indices) - 1
    return Joined((first, f"+{others:,}"), " ") if others else first


def _form(form: WeightForm | None) -> str:
    """Return how a weight is stored; nothing of a pattern that the file does not use."""
    return form.short_text if form is not None and form.is_stored_so else ""


def _position(weight: WeightInfo) -> str:
    return f"{weight.place.file} {weight.place.offset:020}" if weight.place else ""


def _searched(weight: WeightInfo) -> str:
    file = weight.place.file if weight.place is not None else ""
    problem = "problem" if weight.problem else ""
    return f"{weight.name}\n{weight.dtype}\n{file}\n{weight.origin}\n{problem}".casefold()
