"""The cost of a layer as a value: sums of it, multiples of it, and bytes of what it moves."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from inspector.analysis.facts.symbolic_sizes import (
    Amount,
    divided,
    number,
    product,
    times,
    total,
)
from inspector.model.model import ITEM_BITS, TensorInfo, WeightInfo, packed_bytes


class LayerCost(Struct, frozen=True):
    """The cost of a layer in one run; a formula where dynamic axes have no size yet.

    A node with a body, or a call of a function, has the cost of what is inside; in a Loop that
    times the number of iterations. None: not known.

    macs: multiply-accumulates. operations: all arithmetic, two a MAC. weights_bytes: of the
    weights it takes. moved_bytes: read and written, weights included, each value once.
    output_bytes: what it makes. unknown: layers here whose MACs are not known.
    counted: False in the branches of an If that are not the dearest; totals leave them out.
    """

    macs: Amount | None
    operations: Amount | None
    weights_bytes: int
    moved_bytes: Amount | None
    output_bytes: Amount | None
    unknown: int = 0
    counted: bool = True

    def intensity(self, lengths: Mapping[str, int]) -> float | None:
        """Operations a byte: what a device has to do for each byte that it fetches."""
        if self.operations is None or self.moved_bytes is None:
            return None
        moved = number(self.moved_bytes, lengths)
        return number(self.operations, lengths) / moved if moved else None


def stored_bytes(weight: WeightInfo) -> int:
    """Bytes of a weight in the file; by type and shape where they cannot be reached."""
    if weight.size_bytes is not None:
        return weight.size_bytes
    return packed_bytes(weight.dtype, weight.elements) or 0


def value_bytes(value: TensorInfo) -> Amount | None:
    """Bytes of a tensor; None for other kinds and unknown types or lengths."""
    bits = ITEM_BITS.get(value.dtype) if value.kind == "tensor" else None
    elements = product(value.shape)
    return None if bits is None or elements is None else divided(elements * bits, 8)


NOTHING = LayerCost(0, 0, 0, 0, 0)


def added(amounts: Iterable[Amount | None]) -> Amount | None:
    """Add up; None when a part is unknown."""
    amounts_list = list(amounts)
    return None if any(amount is None for amount in amounts_list) else total(amounts_list)


def summed(costs: Iterable[LayerCost]) -> LayerCost:
    """Add up what is known of several layers."""
    alike: dict[int, tuple[LayerCost, int]] = {}
    for each in costs:
        _, before = alike.get(id(each), (each, 0))
        alike[id(each)] = each, before + 1
    pairs = alike.values()
    return LayerCost(
        total(_many(each.macs, number) for each, number in pairs),
        total(_many(each.operations, number) for each, number in pairs),
        sum(each.weights_bytes * number for each, number in pairs),
        total(_many(each.moved_bytes, number) for each, number in pairs),
        total(_many(each.output_bytes, number) for each, number in pairs),
        sum(each.unknown * number for each, number in pairs),
    )


def _many(amount: Amount | None, number: int) -> Amount | None:
    return amount if number == 1 or amount is None else amount * number


def repeated(one: LayerCost, trips: Amount) -> LayerCost:
    """Multiply what is done each time; weights stay what they are."""
    return LayerCost(
        times(one.macs, trips),
        times(one.operations, trips),
        one.weights_bytes,
        times(one.moved_bytes, trips),
        times(one.output_bytes, trips),
        one.unknown,
        one.counted,
    )


def dearest(branches: Mapping[str, LayerCost]) -> str:
    """Name the branch with the most MACs, then with the most bytes moved."""
    return max(branches, key=lambda name: _weight(branches[name]), default="")


def _weight(one: LayerCost) -> tuple[int, int]:
    return number(one.macs or 0, {}), number(one.moved_bytes or 0, {})
