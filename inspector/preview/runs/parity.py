"""One input answered in two ways: how far apart the answers are, and where."""

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import TypeVar

import numpy as np
from msgspec import Struct, structs

from inspector import units
from inspector.errors import BadInput
from inspector.model import display_names
from inspector.model.model import TensorInfo
from inspector.model.tensors.difference import Difference, difference
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import UNDEFINED, OutputValue
from inspector.platform.data_struct import DataStruct
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.inputs.feeds import Filled
from inspector.preview.outputs import results
from inspector.preview.outputs.dense_maps import heated
from inspector.preview.outputs.results import ShownImage
from inspector.wording import class_scores

Value = TypeVar("Value")
MOVED = "with the other's channels moved to where the first has them"
_LAYOUT_RANKS = (3, 4, 5)  # batch, channels, and one to three axes of time or space
_FLOATING = {"float16", "float32", "float64"}
_MOST_SIDE = 1024
_SHORTEST_SIDE = 8
_CHANNELS = 4
_LIMIT = re.compile(
    r"(?:output\.)?([a-z_0-9]+)\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)", re.I
)
_RELATIONS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
QUANTITIES = {
    "max_abs": "max_abs", "mean_abs": "mean_abs", "relative": "mean_relative",
    "psnr": "psnr_db", "sqnr": "sqnr_db", "cosine": "cosine", "top1": "top1",
    "unequal": "unequal", "nan": "other_nan", "infinite": "other_infinite",
}  # fmt: skip


class OutputParity(DataStruct, frozen=True):
    """One output of both answers.

    difference: None where a side has no array, and `problem` says so, or where nothing defines
    the value, and `not_compared` says why. best: the highest class of the first row on each
    side, where both are classes. axes: how the other's axes were moved to fit the first's;
    empty for not at all.
    """

    name: str
    other: str
    difference: Difference | None
    best: tuple[str, str] = ("", "")
    problem: str = ""
    not_compared: str = ""
    axes: tuple[int, ...] = ()

    @property
    def comparable(self) -> bool:
        """Return whether there are numbers or texts on both sides that could be compared."""
        return not self.problem

    @property
    def differs(self) -> bool:
        """Return whether numbers or texts were compared and are not identical."""
        return self.difference is not None and not self.difference.identical


class Limit(Struct, frozen=True):
    """A limit on a difference: "max_abs>1e-3"; it is violated if any output meets it."""

    text: str
    quantity: str
    relation: str
    value: float

    def broken_by(self, outputs: Sequence[OutputParity]) -> tuple[str, ...]:
        """Return the names of the outputs that meet it; one without the quantity does not."""
        meets = _RELATIONS[self.relation]
        held = ((output, self.of(output)) for output in outputs)
        return tuple(o.name for o, got in held if got is not None and meets(got, self.value))

    def of(self, output: OutputParity) -> float | None:
        """Return the quantity of one output."""
        if output.difference is None:
            return None
        value: float | None = getattr(output.difference, QUANTITIES[self.quantity])
        return value


def limit(text: str) -> Limit:
    """Read 'max_abs>1e-3'. Raises BadInput: not understood, and what would be."""
    match = _LIMIT.fullmatch(text.strip())
    what = f"Could not read the condition '{units.clip(text, 80)}'"
    if match is None:
        hint = "Use the form 'max_abs>1e-3', 'psnr<40' or 'top1<1'."
        raise BadInput(
            what,
            "it must consist of a metric, a comparison operator such as >, and a limit",
            hint,
        )
    if match[1] not in QUANTITIES:
        raise BadInput(
            what, "there is no such metric", display_names.suggestion(match[1], QUANTITIES)
        )
    return Limit(text.strip(), match[1], match[2], float(match[3]))


def outputs(
    first: Sequence[OutputValue],
    second: Sequence[OutputValue],
    labels: Sequence[str] = (),
    structure: ModelStructure = UNKNOWN,
) -> tuple[OutputParity, ...]:
    """Hold each output of the second answer against the first's of its name, or of its place
    where the names are others; the first is the reference of the differences. structure: of the
    first model, which says what its scores are."""
    by_name = {output.name: output for output in second}
    alike = all(output.name in by_name for output in first)
    pairs = []
    for place, output in enumerate(first):
        partner = by_name.get(output.name) if alike else None
        if not alike and place < len(second):
            partner = second[place]
        pairs.append((output, partner))
    return tuple(_pair(one, two, labels, structure) for one, two in pairs)


def fitted(
    second: Sequence[OutputValue], pairs: Sequence[OutputParity]
) -> tuple[OutputValue, ...]:
    """Return the outputs of a second answer under the names of the first's and in its layout.

    pairs: from `outputs`.
    """
    by_name = {output.name: output for output in second}
    found = [(by_name[pair.other], pair) for pair in pairs if pair.other in by_name]
    return tuple(
        structs.replace(
            output,
            name=pair.name,
            array=None if output.array is None else moved(output.array, pair.axes),
        )
        for output, pair in found
    )


def for_model(
    filled: Sequence[Filled], inputs: Sequence[TensorInfo], cast: bool = False
) -> tuple[Filled, ...] | None:
    """Return the same tensors under another model's names, or by place where these differ; None
    where it takes other ones. Axes are moved where only the layout differs: channels first and
    channels last. cast: also convert floating-point values to another precision."""
    declared = {info.name: info for info in inputs}
    held = {each.name for each in filled}
    if held == set(declared):
        pairs = [(each, declared[each.name]) for each in filled]
    elif len(held) == len(declared):
        pairs = list(zip(filled, inputs, strict=True))
    else:
        return None
    taken = [_taken(info, each, cast) for each, info in pairs]
    return None if None in taken else tuple(each for each in taken if each is not None)


def layout_note(filled: Sequence[Filled], renamed: Sequence[Filled]) -> str:
    """Return which inputs another model gets in another layout; empty if none.

    renamed: what `for_model` made of the inputs, in any order.
    """
    own = {each.name: each for each in filled}
    moved = []
    for place, theirs in enumerate(renamed):
        one = own.get(theirs.name) or filled[place]
        if one.array.shape != theirs.array.shape:
            shapes = " as ".join("×".join(map(str, a.array.shape)) for a in (one, theirs))
            moved.append(f"'{units.clip(theirs.name, 60)}' ({shapes})")
    if not moved:
        return ""
    inputs = "this input was" if len(moved) == 1 else "these inputs were"
    return (
        f"the other model appears to use a different layout (channels first or channels last), \
so {inputs} transposed for it: {', '.join(moved)}"
    )


def values_for(
    given: Mapping[str, Value], inputs: Sequence[TensorInfo], theirs: Sequence[TensorInfo]
) -> dict[str, Value]:
    """Return the values that were given, for another model's inputs: by name, or else by place.

    Raises BadInput: the other model has no such input.
    """
    accepted = {info.name for info in theirs}
    if all(name in accepted for name in given):
        return dict(given)
    places = {info.name: place for place, info in enumerate(inputs)}
    matched = {}
    for name, value in given.items():
        place = places.get(name, len(theirs))
        if place >= len(theirs):
            what = "Could not use the same input for the other model"
            raise BadInput(what, f"it has no input for '{units.clip(name, 80)}'")
        matched[theirs[place].name] = value
    return matched


def moved(array: Tensor, axes: Sequence[int]) -> Tensor:
    """Return a tensor with its axes in another order; as it is for no axes."""
    return array.transpose(axes) if axes else array


def heat(first: Tensor, second: Tensor) -> ShownImage | None:
    """Return where two tensors of one shape differ: |difference| as a plane from cold to hot.

    Channels and other axes show their largest; a single row is folded, C order. None where
    there is nothing to draw.
    """
    if first.shape != second.shape or not first.size:
        return None
    if first.dtype.kind in "OUST" or second.dtype.kind in "OUST":
        return None
    wide = np.complex128 if "c" in first.dtype.kind + second.dtype.kind else np.float64
    with np.errstate(all="ignore"):
        apart = np.abs(second.astype(wide) - first.astype(wide))
    apart = np.where(np.isfinite(apart), apart, np.nan)
    picture, low, high = heated(_thinned(_plane(apart)).astype(np.float64))
    return ShownImage(picture, low, high)


def summary_text(output: OutputParity) -> str:
    """Return how far apart, in one sentence."""
    difference = output.difference
    if output.axes:
        return f"{summary_text(replace(output, axes=()))} ({MOVED})"
    if output.not_compared:
        return f"not compared: {output.not_compared}"
    if output.problem or difference is None:
        return output.problem
    if difference.identical:
        return "identical"
    if difference.max_abs is None:
        return f"{difference.unequal:,} of {units.plural(difference.count, 'element')} differ"
    if difference.whole:
        return difference.same_text
    parts = [f"max error {difference.max_abs:.3g}"]
    if difference.place:
        parts[0] += f" at [{', '.join(map(str, difference.place))}]"
    measures = (
        ("mean rel error {:.3g}", difference.mean_relative),
        ("PSNR {:.1f} dB", difference.psnr_db),
        ("cosine {:.6f}", difference.cosine),
        ("same top class in {:.1%} of rows", difference.top1),
    )
    parts += [
        text.format(value) for text, value in measures if value is not None and isfinite(value)
    ]
    if difference.unmatched:
        elements = units.plural(difference.unmatched, "element")
        verb = "is" if difference.unmatched == 1 else "are"
        parts.append(f"{elements} {verb} NaN or infinite in only one of the two")
    return ", ".join(parts)


def _taken(info: TensorInfo, filled: Filled, cast: bool) -> Filled | None:
    """Return a tensor as another input takes it; None where that takes another one."""
    if info.dtype != filled.dtype:
        floating = {info.dtype, filled.dtype} <= _FLOATING
        if not cast or not floating or filled.parts or filled.frames is not None:
            return None
        array = filled.array.astype(info.dtype)
        filled = structs.replace(filled, array=array, dtype=info.dtype)
    if info.shape is None:
        return structs.replace(filled, name=info.name)
    axes = _axes_into(filled.array.shape, info.shape)
    if axes is None or (axes and (filled.frames is not None or filled.parts)):
        return None
    array = np.ascontiguousarray(moved(filled.array, axes))
    return structs.replace(filled, name=info.name, array=array)


def _axes_into(
    shape: Sequence[int], wanted: Sequence[int | str | None]
) -> tuple[int, ...] | None:
    """Return the order of axes in which a tensor has another shape: as it is (an empty tuple),
    or with its channels last or first. None where it has it in neither."""

    def fits(lengths: Sequence[int]) -> bool:
        return len(lengths) == len(wanted) and all(
            not isinstance(axis, int) or axis == length
            for axis, length in zip(wanted, lengths, strict=True)
        )

    if fits(shape):
        return ()
    rank = len(shape)
    if rank not in _LAYOUT_RANKS:
        return None
    last, first = (0, *range(2, rank), 1), (0, rank - 1, *range(1, rank - 1))
    orders = (order for order in (last, first) if fits([shape[axis] for axis in order]))
    return next(orders, None)


def _pair(
    one: OutputValue, two: OutputValue | None, labels: Sequence[str], structure: ModelStructure
) -> OutputParity:
    if two is None:
        return OutputParity(one.name, "", None, problem="the other run has no such output")
    if UNDEFINED in (one.kind, two.kind):
        reason = one.text if one.kind == UNDEFINED else two.text
        return OutputParity(one.name, two.name, None, not_compared=reason)
    if one.array is None or two.array is None:
        same = one.array is None and two.array is None and one.text == two.text
        both_texts = f"'{units.clip(one.text, 60)}' and '{units.clip(two.text, 60)}'"
        problem = "" if same else f"both must be tensors: {both_texts}"
        return OutputParity(one.name, two.name, None, problem=problem)
    axes = _axes_into(two.array.shape, one.array.shape) or ()
    result = difference(one.array, moved(two.array, axes))
    best = ("", "")
    if not results.is_classes(one, labels, structure):
        result = replace(result, top1=None)  # frames of a sound have no highest class
    else:
        # The second model has the scores of the first, whatever it calls them.
        renamed = structs.replace(two, name=one.name)
        best = _best(one, labels, structure), _best(renamed, labels, structure)
    return OutputParity(one.name, two.name, result, best, result.problem, axes=axes)


def _best(output: OutputValue, labels: Sequence[str], structure: ModelStructure) -> str:
    rows = results.classes(output, labels, 1, structure=structure)
    if not rows or not rows[0].top:
        return ""
    top = rows[0].top[0]
    return f"{top.label or f'class {top.index}'} {class_scores.share(top.probability)}"


def _plane(apart: Tensor) -> Tensor:
    """Two axes of many: a picture's height and width where it looks like one."""
    if (
        apart.ndim > 2
        and apart.shape[-1] <= _CHANNELS
        and min(apart.shape[-3:-1]) >= _SHORTEST_SIDE
    ):
        apart = _largest(apart, (apart.ndim - 1,))
    if apart.ndim > 2:
        apart = _largest(apart, tuple(range(apart.ndim - 2)))
    if apart.ndim == 2 and min(apart.shape) > 1:
        return apart
    flat = apart.reshape(-1)
    width = min(flat.size, max(1, int(np.ceil(np.sqrt(flat.size * 4)))))
    folded = np.full(-(-flat.size // width) * width, np.nan)
    folded[: flat.size] = flat
    return folded.reshape(-1, width)


def _largest(apart: Tensor, axes: tuple[int, ...]) -> Tensor:
    return np.asarray(np.fmax.reduce(apart, axis=axes))


def _thinned(plane: Tensor) -> Tensor:
    """At most _MOST_SIDE rows and columns, each the largest of those it stands for."""
    for axis in (0, 1):
        starts = np.arange(0, plane.shape[axis], -(-plane.shape[axis] // _MOST_SIDE))
        plane = np.asarray(np.fmax.reduceat(plane, starts, axis=axis))
    return plane
