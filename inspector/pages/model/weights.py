"""How the weights of a model are stored, what that saves, and how a runtime loads them."""

from collections.abc import Iterator, Sequence

from inspector import units
from inspector.analysis.facts.weight_compression import WeightForm, group_text, grouped
from inspector.analysis.language.tensor_classes import DominantWeight, Kind
from inspector.model.model import Model
from inspector.pages.blocks import Column, Item, Items, Limits, Row, Section, Side, Table, Text
from inspector.wording.values import Amount, Code, Count, Name, Sentence, Share, Size, Value

_ALL = Limits(terminal=100_000, document=40, page=5_000)
_COLUMNS = (
    Column("weight", "Weight", stretch=True),
    Column("type", "Type", keep=6),
    Column("shape", "Shape", keep=5, digits=True),
    Column("size", "Size", Side.RIGHT),
    Column("form", "Form"),
    Column("saving", "Saving", keep=4),
    Column("loading", "In ONNX Runtime", keep=3),
)
_TYPE = 16  # letters


def dominant_sentence(weight: DominantWeight) -> Sentence:
    """Return which weight is most of a model's size, and what it is."""
    values: dict[str, Value] = {"share": Share(weight.share), "name": Name(weight.name)}
    if weight.tied:
        template = "{share} of the file size is one embedding, tied with the head: {name}"
    elif weight.kind is Kind.EMBEDDING:
        template = "{share} of the file size is one embedding: {name}"
    elif weight.kind is Kind.HEAD:
        template = "{share} of the file size is the head: {name}"
    elif weight.operator:
        values["operator"] = Name(weight.operator)
        template = "{share} of the file size is one weight of {operator}: {name}"
    else:
        template = "{share} of the file size is one weight: {name}"
    return Sentence(template, **values)


def no_weights(model: Model) -> str:
    """Say why a model has no weights to show."""
    if model.details is not None and not model.details.weights_known:
        return "Inspector does not read the weights of this format."
    if any(weight.problem for weight in model.weights):
        return "The file names weights, but their values cannot be read."
    return "The file contains no weights."


def weights(model: Model, forms: Sequence[WeightForm]) -> Section:
    """Return each form with its sum, then each weight."""
    if not forms:
        return Section("weights", "Weights", (Text(no_weights(model)),))
    groups = tuple(_groups(forms))
    table = Table(_COLUMNS, tuple(_row(model, form) for form in forms), _ALL, "weight")
    blocks = (*((Items(groups),) if groups else ()), table)
    return Section("weights", "Weights", blocks, aside=Count(len(forms)))


def _groups(forms: Sequence[WeightForm]) -> Iterator[Item]:
    for group in grouped(forms):
        yield Item(group_text(group))
    smaller = [form for form in forms if not form.is_stored_so]
    if smaller:
        values: dict[str, Value] = {
            "tensors": Count(len(smaller), "uncompressed tensor"),
            "taken": Size(sum(form.could_take_bytes or 0 for form in smaller)),
            "now": Size(sum(form.expanded_bytes for form in smaller)),
        }
        yield Item(Sentence("{tensors} could take up {taken} instead of {now}", **values))
    patterns = [form.pattern for form in forms if form.pattern and form.pattern.subnormal]
    if patterns:
        template = (
            "{values} values are subnormal, in {tensors}. Some CPUs are slow with them: "
            "compare with {command}"
        )
        yield Item(Sentence(
            template,
            tensors=Count(len(patterns), "tensor"),
            values=Amount(sum(pattern.subnormal for pattern in patterns)),
            command=Code("inspector measure MODEL --flush-subnormals"),
        ))  # fmt: skip


def _row(model: Model, form: WeightForm) -> Row:
    weight = model.weights[form.weight]
    return Row((
        Name(weight.name) if weight.name else "(no name)",
        Name(units.clip(weight.dtype, _TYPE)),
        Name(units.shape(weight.shape)),
        Size(form.stored_bytes),
        form.text,
        form.saving_text,
        form.when_loaded,
    ), number=form.weight)  # fmt: skip
