"""Lengths of free axes that nobody gave; others are tried where a model fails with them.

The window and the commands fill a free axis with 1, a side of a picture with 224. Models with
pooling, reshaping or windows inside often need more; the lengths below are what exporters and
examples of such models use.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field, structs

from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.model.axes import axis_names, free_axes
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import is_recipe
from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs import default_values, input_shapes
from inspector.preview.inputs.feeds import Filled
from inspector.preview.preprocessing.guess import guess

LENGTHS = (2, 4, 16, 64, 512)
SIDES = (640, 320, 256, 32)
Answer = TypeVar("Answer")
Inputs = tuple[Filled, ...]


class Guessed(Struct, Generic[Answer], frozen=True):
    """The inputs of a run, and its answer.

    note: says which lengths were guessed and how to set them; empty where 1 or what was given
    did. lengths: those that were guessed, by the name of the axis.
    """

    filled: Inputs
    answer: Answer
    note: str = ""
    lengths: Mapping[str, int] = field(default_factory=dict)


def first_that_runs(
    fill: Callable[[Mapping[str, int]], Inputs],
    run: Callable[[Inputs], Answer],
    inputs: Sequence[TensorInfo],
    given_lengths: Mapping[str, int],
    filled: Inputs,
) -> Guessed[Answer]:
    """Run a model with its inputs; where the runtime fails at them, with other lengths of axes.

    fill: makes the tensors for lengths of free axes, by name. given_lengths: lengths that were
    given. filled: the first to try. Raises the first failure where no length helps, with a
    hint that names the axes.
    """
    try:
        return Guessed(filled, run(filled))
    except InspectorError as error:
        failure = error
        from_files = {each.name for each in filled if each.given and not is_recipe(each.value)}
        fixed = {
            name for info in inputs if info.name in from_files for name in free_axes((info,))
        }
        names = tuple(n for n in free_axes(inputs) if n not in given_lengths and n not in fixed)
        if not names or not of_shapes(failure):
            raise
    for lengths in _attempts(inputs, names):
        try:
            filled = fill({**given_lengths, **lengths})
            answer = run(filled)
        except BadInput:
            continue
        except InspectorError as error:
            if not of_shapes(error):
                raise failure from error
            continue
        lengths = _lengths(inputs, filled, names)
        return Guessed(filled, answer, _note(lengths), lengths)
    options = _options(names)
    tried = f"None of the common sizes of a dynamic axis worked; set one with {options}."
    failure.hint = f"{failure.hint} {tried}".strip()
    raise failure


def guess_text(lengths: Mapping[str, int]) -> str:
    """Return which sizes of axes were guessed, and why; "" for none."""
    pairs = ", ".join(f"{name}={length}" for name, length in lengths.items())
    return f"{pairs} guessed after the default sizes failed" if pairs else ""


def noted(prediction: Prediction, note: str) -> Prediction:
    """Return a prediction with a note, where there is one."""
    return structs.replace(prediction, notes=(*prediction.notes, note)) if note else prediction


def of_shapes(failure: InspectorError) -> bool:
    """Return whether other shapes may help: neither the file, a device nor memory is to
    blame."""
    whole = type(failure) is EngineFailed and failure.phase != "load"
    return whole and "memory" not in failure.why


def _attempts(
    inputs: Sequence[TensorInfo], names: Sequence[str]
) -> Iterator[Mapping[str, int]]:
    """Yield the lengths to try: sides of pictures, then all but the batch alike, then the batch
    too."""
    image_axes, batches, cached = set[str](), set[str](), default_values.lengths(inputs, {})
    for info in inputs:
        axes = axis_names(info)
        picture = guess(info)
        if picture is not None:
            first = len(axes) - (2 if picture.layout == "nchw" else 3)
            image_axes |= {name for name in axes[first : first + 2] if name}
        if len(axes) > 1 and axes[0]:
            batches.add(axes[0])
    empty = {name for name, length in cached.items() if length == 0}
    for image_size in SIDES if image_axes & {*names} else ():
        yield {name: image_size for name in names if name in image_axes}
    inner = [n for n in names if n not in image_axes | batches | empty]
    for length in LENGTHS if inner else ():
        yield dict.fromkeys(inner, length)
    every = [n for n in names if n not in image_axes | empty]
    for length in LENGTHS if every and every != inner else ():
        yield dict.fromkeys(every, length)


def _lengths(
    inputs: Sequence[TensorInfo], filled: Sequence[Filled], names: Sequence[str]
) -> Mapping[str, int]:
    lengths: dict[str, int] = {}
    by_name = {each.name: each for each in filled}
    for info in inputs:
        if info.name in by_name and info.kind == "tensor":
            lengths |= input_shapes.lengths_in(info, by_name[info.name].array)
    return {name: lengths[name] for name in names if name in lengths}


def _note(lengths: Mapping[str, int]) -> str:
    return f"{guess_text(lengths)}; set with {_options(tuple(lengths))}"


def _options(names: Sequence[str]) -> str:
    more = "" if len(names) <= 4 else " ..."
    return " ".join(f"--dim {name}=N" for name in names[:4]) + more
