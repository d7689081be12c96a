"""Multiply-adds of operators that are sums of products, from their definitions and shapes."""

from inspector.analysis.expressions import Amount, product, symbol, times, total
from inspector.analysis.seen import Rule, Seen, Shape, Work
from inspector.model import Axis


def length(axis: Axis) -> Amount | None:
    """The length of an axis as a number."""
    return axis if isinstance(axis, int) else symbol(axis) if axis else None


def _axis(shape: Shape, place: int) -> Amount | None:
    if shape is None or not -len(shape) <= place < len(shape):
        return None
    return length(shape[place])


def _only(macs: Amount | None) -> Work:
    return Work(macs, 0)


def convolution(weight: int) -> Rule:
    """Each output takes a window over the input channels of its group: Conv's W is M×C/g×k…"""

    def rule(seen: Seen) -> Work:
        shape = seen.input(weight)
        inner = None if shape is None else product(shape[1:])
        return _only(times(product(seen.output()), inner))

    return rule


def transposed(seen: Seen) -> Work:
    """Each input spreads a window over the output channels: ConvTranspose's W is C×M/g×k…"""
    shape = seen.input(1)
    inner = None if shape is None else product(shape[1:])
    return _only(times(product(seen.input(0)), inner))


def matrix(left: int = 0, right: int = 1) -> Rule:
    """Each output is a sum as long as the axis that both have."""

    def rule(seen: Seen) -> Work:
        one, two = seen.input(left), seen.input(right)
        turned = seen.integer("transA")
        inner = _axis(one, -2 if turned else -1)
        if inner is None and two is not None:
            place = -1 if seen.integer("transB") else -2
            inner = _axis(two, place if len(two) > 1 else -1)
        return _only(times(product(seen.output()), inner))

    return rule


def blocks(seen: Seen) -> Work:
    """com.microsoft's weights of few bits: the attributes K and N are the matrix."""
    columns = seen.integer("N")
    return _only(times(product(seen.input(0)), columns) if columns else None)


def recurrent(gates: int) -> Rule:
    """Each step multiplies with W and R, which hold all gates of all directions."""

    def rule(seen: Seen) -> Work:
        given = seen.input(0)
        steps = None if given is None else product(given[:2])
        weights = product(seen.input(1)), product(seen.input(2))
        whole = None if None in weights else total(weights)
        hidden = _axis(seen.input(2), -1)
        directions = _axis(seen.input(2), 0)
        return Work(times(steps, whole), times(steps, directions, hidden, 3 * gates))

    return rule


def einsum(seen: Seen) -> Work:
    """One multiply-add for each combination of the letters, as long as two are multiplied."""
    given = seen.text("equation").replace(" ", "").partition("->")[0].split(",")
    letters: dict[str, Axis] = {}
    for place, names in enumerate(given):
        shape = seen.input(place)
        if "." in names or shape is None or len(shape) != len(names):
            return _only(None)
        letters |= dict(zip(names, shape, strict=True))
    whole = product(letters.values())
    return _only(whole) if len(given) > 1 else Work(0, whole)


def attention(seen: Seen) -> Work:
    """com.microsoft's: X (batch, S, D) with W (D, 3 × hidden), then S × S scores."""
    given, weight = seen.input(0), seen.input(1)
    if given is None or weight is None or len(given) != 3 or len(weight) != 2:
        return _only(None)
    rows, steps = product(given[:2]), length(given[1])
    hidden = weight[1] // 3 if isinstance(weight[1], int) else None
    projected, scored = times(rows, product(weight)), times(rows, steps, hidden, 2)
    if projected is None or scored is None:
        return _only(None)
    return Work(total((projected, scored)), times(rows, steps, seen.integer("num_heads", 1), 5))


def heads(seen: Seen) -> Work:
    """Scores of queries with keys, and their sum of values; Q, K and V are projected already.

    (batch, S, heads × size) or (batch, heads, S, size); keys of the past come before K.
    """
    query, key = seen.input(0), seen.input(1)
    if seen.layer.domain == "":
        past, present = seen.input(4), seen.output(1)
    else:
        past, present = seen.input(6 if "Multi" in seen.layer.operator else 3), seen.output(1)
    if present is not None and len(present) == 4:
        keys = length(present[2])
    else:
        keys = None if key is None or len(key) < 3 else length(key[-2])
        if past is not None and keys is not None:
            before = _axis(past, -2)
            keys = None if before is None else total((keys, before))
    sizes = product(query), product(seen.output())
    return _only(None if None in sizes else times(total(sizes), keys))


def linear(seen: Seen) -> Work:
    """ai.onnx.ml: each row takes every coefficient once."""
    text = seen.text("coefficients")
    clipped = text.rpartition(", … (")[2].rstrip(")").replace(",", "")
    number = int(clipped) if "…" in text and clipped.isdecimal() else text.count(",") + 1
    shape = seen.input(0)
    return _only(times(None if shape is None else product(shape[:-1]), number))
