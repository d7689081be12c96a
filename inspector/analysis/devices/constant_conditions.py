"""Conditions of support tables about the values of constants: bounds, slices, parts, pads."""

from collections.abc import Callable, Sequence

from inspector.analysis.devices.node_view import (
    HOLDS,
    Answer,
    Node,
    Numbers,
    fails,
    is_fixed,
    undecided,
)
from inspector.wording.support_marks import Rule
from inspector.wording.values import Sentence


def values(node: Node, place: int, kind: str, value: float = 0) -> Answer:
    """Check that every element of a constant input fits: "at least", "not" or "is" a value."""
    name = node.input(place)
    numbers = node.numbers(name) if name else ()
    if numbers is None:
        return undecided(f"the values of input {place}")
    fits: dict[str, Callable[[float], bool]] = {
        "at least": lambda n: n >= value,
        "not": lambda n: n != value,
        "is": lambda n: n == value,
    }
    odd = [n for n in numbers if not fits[kind](n)]
    if not odd:
        return HOLDS
    required = {"at least": "at least", "not": "other than", "is": "exactly"}[kind]
    reason = f"the values of input {place} must be {required} {value:g}, but one is {odd[0]:g}"
    return fails(Rule.CONSTANT, reason)


def values_alike(node: Node, place: int) -> Answer:
    """Check that all elements of a constant input are one number."""
    numbers = node.numbers(node.input(place))
    if numbers is None:
        return undecided(f"the values of input {place}")
    if len(set(numbers)) <= 1:
        return HOLDS
    return fails(Rule.CONSTANT, f"all values of input {place} must be equal")


def values_equal(node: Node, place: int, other: int) -> Answer:
    """Check that two constant inputs hold the same values; one that is left out holds 0."""
    names = node.input(place), node.input(other)
    one, two = (node.numbers(name) if name else (0.0,) for name in names)
    if one is None or two is None:
        return undecided(f"the values of inputs {place} and {other}")
    if list(one) == list(two):
        return HOLDS
    return fails(Rule.CONSTANT, f"inputs {place} and {other} must have the same values")


def values_equal_axis(node: Node, place: int, other: int, axis: int) -> Answer:
    """Check that a constant input is left out or its elements are the size of an axis."""
    name, shape = node.input(place), node.shape(node.input(other))
    if not name:
        return HOLDS
    numbers = node.numbers(name)
    if numbers is None or shape is None or not -len(shape) <= axis < len(shape):
        return undecided(f"the values of input {place}")
    if all(number == shape[axis] for number in numbers):
        return HOLDS
    reason = f"the values of input {place} must be the size of axis {axis} of input {other}"
    return fails(Rule.CONSTANT, reason)


def _clip_bounds(node: Node) -> tuple[float, float] | Answer:
    lowest, highest = float("-inf"), float("inf")
    if node.since < 11:
        low, high = (node.attribute_numbers(name) for name in ("min", "max"))
        return low[0] if low else lowest, high[0] if high else highest
    values = [lowest, highest]
    for place in (1, 2):
        name = node.input(place)
        numbers = node.numbers(name) if name else None
        if name and not numbers:
            return undecided(f"the value of input {place}")
        if numbers:
            values[place - 1] = numbers[0]
    return values[0], values[1]


def bounds_differ(node: Node) -> Answer:
    """Check that the bounds of a Clip are not one number."""
    bounds = _clip_bounds(node)
    if isinstance(bounds, Answer):
        return bounds
    if bounds[0] != bounds[1]:
        return HOLDS
    return fails(Rule.CONSTANT, "min and max must differ")


def bounds_in(node: Node, allowed: Sequence[Sequence[float]]) -> Answer:
    """Check that the bounds of a Clip are one of these pairs."""
    bounds = _clip_bounds(node)
    if isinstance(bounds, Answer):
        return bounds
    if list(bounds) in [list(pair) for pair in allowed]:
        return HOLDS
    required = " or ".join(
        Sentence("{low} to {high}", f"{low:g}", f"{high:g}") for low, high in allowed
    )
    actual = f"{bounds[0]:g} to {bounds[1]:g}"
    return fails(Rule.CONSTANT, f"the range must be {required}, but it is {actual}")


def slice_not_empty(node: Node) -> Answer:
    """Check that every axis that a Slice cuts keeps an element; starts and ends are inputs."""
    shape = node.shape(node.input(0))
    starts, ends = node.numbers(node.input(1)), node.numbers(node.input(2))
    if shape is None or starts is None or ends is None:
        return undecided("the range of the slice")
    axes = node.numbers(node.input(3)) if node.input(3) else range(len(starts))
    steps = node.numbers(node.input(4)) if node.input(4) else [1] * len(starts)
    if axes is None or steps is None:
        return undecided("the range of the slice")
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=False):
        within = -len(shape) <= axis < len(shape) and int(step) != 0
        length = shape[int(axis)] if within else None
        if not isinstance(length, int):
            return undecided("the range of the slice")
        if not len(range(length)[slice(int(start), int(end), int(step))]):
            return fails(Rule.CONSTANT, f"axis {int(axis)} of the output must not be empty")
    return HOLDS


def split_fits(node: Node, fewest: int, equal: bool = False) -> Answer:
    """Check that a Split gives so many parts that fill the axis; equal: all of one length."""
    shape = node.shape(node.input(0))
    axis = int((node.attribute_numbers("axis") or [0])[0])
    if shape is None or not -len(shape) <= axis < len(shape):
        return undecided("the size of the split axis")
    length, outputs = shape[axis], len(node.layer.outputs)
    parts: Numbers | None = node.attribute_numbers("split")
    if node.input(1):
        parts = node.numbers(node.input(1))
        if parts is None:
            return undecided("the values of input 1")
    if parts is None and node.since >= 18 and node.attribute("num_outputs") is None:
        return fails(Rule.ATTRIBUTE, "num_outputs or the sizes of the outputs must be set")
    count = len(parts) if parts is not None else outputs
    if count < fewest:
        return fails(
            Rule.ATTRIBUTE, f"the layer must have at least {fewest} outputs, but it has {count}"
        )
    if not isinstance(length, int):
        return fails(Rule.DYNAMIC_SHAPE, "the split axis must not be dynamic")
    if parts is not None:
        if sum(parts) != length or any(part <= 0 for part in parts):
            return fails(
                Rule.CONSTANT,
                "the sizes of the outputs must add up to the size of the axis; none may be 0",
            )
        if equal and len(set(parts)) > 1:
            return fails(Rule.CONSTANT, "the outputs must have equal sizes")
        return HOLDS
    uneven = length % outputs != 0 and (equal or node.since < 18)
    if uneven or outputs > length:
        return fails(
            Rule.CONSTANT, f"{length} elements must be divisible into {outputs} equal outputs"
        )
    return HOLDS


def _resize_factors(node: Node) -> tuple[list[float], list[int]] | Answer:
    """Return how much each axis of a Resize grows, and the lengths of the input's axes."""
    shape = node.shape(node.input(0))
    if shape is None or not all(map(is_fixed, shape[-2:])):
        return undecided("the sizes of the resized axes")
    if node.attribute("axes") is not None:
        return undecided("which axes are resized")
    place = 3 if node.input(3) else 1 if node.since < 11 else 2
    numbers = node.numbers(node.input(place))
    if numbers is None or len(numbers) != len(shape):
        return undecided(f"the values of input {place}")
    lengths = [axis if isinstance(axis, int) else 0 for axis in shape]
    if place == 3:
        pairs = zip(numbers, lengths, strict=True)
        return [new / length if length else 1 for new, length in pairs], lengths
    return list(numbers), lengths


def resize_only_last(node: Node, count: int) -> Answer:
    """Check that a Resize changes only so many last axes."""
    values = _resize_factors(node)
    if isinstance(values, Answer):
        return values
    if all(factor == 1 for factor in values[0][:-count]):
        return HOLDS
    return fails(Rule.CONSTANT, f"only the last {count} axes may be resized")


def resize_whole(node: Node, downsampling: str) -> Answer:
    """Check that a Resize grows its last two axes by whole numbers.

    downsampling: "no", or "divisors" to let both shrink by a divisor of their length.
    """
    values = _resize_factors(node)
    if isinstance(values, Answer):
        return values
    factors, lengths = values[0][-2:], values[1][-2:]
    if all(factor >= 1 for factor in factors):
        if all(round(factor) == factor for factor in factors):
            return HOLDS
        return fails(Rule.CONSTANT, "the scale factors must be whole numbers")
    if downsampling == "divisors" and all(factor <= 1 for factor in factors):
        return _divides(factors, lengths)
    return fails(Rule.CONSTANT, "downsampling is not supported")


def resize_divides(node: Node) -> Answer:
    """Check that a Resize shrinks its last two axes, if at all, by divisors of their length."""
    values = _resize_factors(node)
    if isinstance(values, Answer):
        return values
    factors, lengths = values[0][-2:], values[1][-2:]
    return HOLDS if all(f >= 1 for f in factors) else _divides(factors, lengths)


def _divides(factors: Sequence[float], lengths: Sequence[int]) -> Answer:
    inverse = [1 / factor if factor > 0 else 0 for factor in factors]
    pairs = list(zip(inverse, lengths, strict=True))
    if all(times and round(times) == times and length % times == 0 for times, length in pairs):
        return HOLDS
    return fails(
        Rule.CONSTANT,
        "when downsampling, the size of each axis must be divisible by the scale factor",
    )


def resize_keeps_channels(node: Node) -> Answer:
    """Check that a Resize leaves axis 1 as it is."""
    values = _resize_factors(node)
    if isinstance(values, Answer):
        return values
    if len(values[0]) > 1 and values[0][1] == 1:
        return HOLDS
    return fails(Rule.CONSTANT, "axis 1 must not be resized")


def _pads(node: Node) -> tuple[list[float], list[int]] | Answer:
    """Return the two pads of each axis of a Pad one after another, and the axes' lengths."""
    shape, pads = node.shape(node.input(0)), node.numbers(node.input(1))
    if shape is None or pads is None:
        return undecided("the padding of each axis")
    rank = len(shape)
    axes: Numbers | None = range(rank)
    if node.input(3):
        axes = node.numbers(node.input(3))
    if axes is None or len(pads) != 2 * len(axes) or not rank:
        return undecided("which axes are padded")
    sides = [0.0] * (2 * rank)
    for place, axis in enumerate(axes):
        at = int(axis) % rank
        sides[2 * at], sides[2 * at + 1] = pads[place], pads[place + len(axes)]
    return sides, [axis if isinstance(axis, int) else -1 for axis in shape]


def pads_only_last(node: Node, count: int) -> Answer:
    """Check that a Pad adds only to so many last axes."""
    values = _pads(node)
    if isinstance(values, Answer):
        return values
    if not any(values[0][: -2 * count]):
        return HOLDS
    return fails(Rule.CONSTANT, f"only the last {count} axes may be padded")


def pads_shorter_than_axes(node: Node) -> Answer:
    """Check that a Pad adds less to each side of an axis than its length."""
    values = _pads(node)
    if isinstance(values, Answer):
        return values
    sides, lengths = values
    for axis, length in enumerate(lengths):
        most = max(sides[2 * axis : 2 * axis + 2])
        if length < 0 and most:
            return undecided(f"the size of axis {axis}")
        if most >= length >= 0 and most:
            return fails(
                Rule.CONSTANT, f"the padding of axis {axis} must be smaller than its size"
            )
    return HOLDS
