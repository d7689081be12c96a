"""Random edits of any model, as a user may choose them, possible or not."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from inspector.conversion.action import Step
from inspector.conversion.edits import choices
from inspector.model.model import Model

# Operators with one input that keep types and shapes, of those that most opsets have.
_INSERTED = ("Relu", "Neg", "Abs", "Tanh", "Sigmoid", "Identity", "Softmax", "Exp", "LeakyRelu")
_NAMES = ("a", "image", "x/y:0", "größe", "two words", "a+b", "c=d,e", "0")
_TYPES = ("float16", "float32", "float64", "uint8", "int32", "int64", "bfloat16", "bool")


def random_edit(model: Model, folder: Path, random: Random) -> Step:
    """Return an edit of a model. folder: for files of weights."""
    make = random.choice(_KINDS)
    return make(model, folder, random)


def _layer(model: Model, random: Random) -> int:
    return random.choice([layer.index for layer in model.layers if layer.parent is None])


def _tensor(model: Model, random: Random) -> str:
    layer = model.layers[_layer(model, random)]
    names = [name for name in (*layer.inputs, *layer.outputs) if name]
    return random.choice(names or [model.outputs[0].name])


def _name(random: Random) -> str:
    return random.choice((f"new_{random.randrange(1000)}", random.choice(_NAMES)))


def _rename_layer(model: Model, folder: Path, random: Random) -> Step:
    return choices.rename_layer(model, _layer(model, random), _name(random))


def _rename(model: Model, folder: Path, random: Random) -> Step:
    ends = [info.name for info in (*model.inputs, *model.outputs)]
    return choices.rename_value(random.choice([*ends, _tensor(model, random)]), _name(random))


def _cut(model: Model, folder: Path, random: Random) -> Step:
    """Near an end of the graph, so that something is left for later edits."""
    top = [layer.index for layer in model.layers if layer.parent is None]
    few = max(1, len(top) // 20)
    if random.random() < 0.5:
        return choices.cut(model, random.choice(top[-few:]), choices.ABOVE)
    return choices.cut(model, random.choice(top[:few]), choices.BELOW)


def _extract(model: Model, folder: Path, random: Random) -> Step:
    top = [layer.index for layer in model.layers if layer.parent is None]
    few = max(1, len(top) // 20)
    if random.random() < 0.5:
        return choices.extract(model, top[random.randrange(few) :])
    return choices.between(model, random.choice(top[:few]), random.choice(top[-few:]))


def _bypass(model: Model, folder: Path, random: Random) -> Step:
    return choices.bypass(model, _layer(model, random))


def _delete(model: Model, folder: Path, random: Random) -> Step:
    return choices.delete(model, _layer(model, random))


def _insert(model: Model, folder: Path, random: Random) -> Step:
    place: int | str = _layer(model, random)
    if random.random() < 0.3:
        place = _tensor(model, random)
    operator = random.choice(_INSERTED)
    if random.random() < 0.2:
        return choices.insert(model, "Add", place, inputs=(_tensor(model, random),))
    given = {"alpha": "0.2"} if operator == "LeakyRelu" else {}
    return choices.insert(model, operator, place, given)


def _replace(model: Model, folder: Path, random: Random) -> Step:
    return choices.replace(model, _layer(model, random), random.choice(_INSERTED))


def _attribute(model: Model, folder: Path, random: Random) -> Step:
    layer = _layer(model, random)
    fields = choices.attribute_fields(model, layer)
    if not fields:
        return _bypass(model, folder, random)
    field = random.choice(fields)
    texts = [field.text, field.default, "", "1", "[1, 1]", "0.5", '"NOTSET"', "[0, 0, 0, 0]"]
    return choices.set_attribute(model, layer, field.name, random.choice(texts))


def _weight(model: Model, folder: Path, random: Random) -> Step:
    if not model.weights:
        return _bypass(model, folder, random)
    weight = random.choice(model.weights)
    file = folder / f"{random.randrange(1 << 30)}.npy"
    shape = weight.shape if random.random() < 0.9 else (2, 3)
    small = weight.elements <= 1 << 20
    values = np.random.default_rng(0).normal(0, 0.1, shape if small else ())
    np.save(file, values.astype(np.int64) if weight.dtype.startswith("int") else values)
    return choices.set_weight(weight.name, file)


def _axis(model: Model, folder: Path, random: Random) -> Step:
    info = random.choice(model.inputs or model.outputs)
    axis = random.randrange(max(1, len(info.shape or ())))
    length = info.shape[axis] if info.shape else None
    if isinstance(length, int):
        return choices.free_axis(info.name, axis, random.choice(("n", "batch", "height")))
    name = length or f"{info.name}[{axis}]"
    if random.random() < 0.5 and length:
        return choices.rename_axis(length, random.choice(("n", "batch", "rows")))
    return choices.set_axis(name, random.choice((1, 2, 4)))


def _type(model: Model, folder: Path, random: Random) -> Step:
    info = random.choice((*model.inputs, *model.outputs))
    return choices.set_type(info.name, random.choice(_TYPES))


def _metadata(model: Model, folder: Path, random: Random) -> Step:
    return choices.metadata(_name(random), random.choice(("", "me", "größer")))


_KINDS: tuple[Callable[[Model, Path, Random], Step], ...] = (
    _rename_layer, _rename, _cut, _extract, _bypass, _bypass, _delete, _insert, _insert,
    _replace, _attribute, _attribute, _weight, _axis, _type, _metadata,
)  # fmt: skip
