"""Which layers a kernel can carry out behind the one it is named for."""

from collections.abc import Container

from inspector.engine.attribution import operators
from inspector.engine.attribution.graph import Graph, Node


def follower(model: Graph, executed: Node, name: str) -> int | None:
    """Place of the layer that reads a tensor and may run inside the node that makes it.

    Several readers count as one when they compute the same. None when there is no such layer
    or the executed operator could not take it in.
    """
    readers = model.consumers.get(name, ())
    if name in model.outputs or not readers:
        return None
    if len({model.value(model.nodes[place].made[0]) for place in readers}) != 1:
        return None
    reader = model.nodes[readers[0]]
    able = len(reader.made) == 1 and _can_take_in(model, executed, reader, name)
    return readers[0] if able else None


def at_hand(
    model: Graph,
    reader: int,
    name: str,
    given: Container[int | str],
    covered: Container[int | None],
) -> bool:
    """Whether all that a layer needs beside `name` is there when the executed node runs.

    given: values of what the executed node takes in. covered: places of the layers that it
    carries out already.
    """
    return all(
        other == name
        or other in model.constants
        or model.value(other) in given
        or model.producer.get(other) in covered
        for other in model.nodes[reader].needs
    )


def _can_take_in(model: Graph, executed: Node, reader: Node, name: str) -> bool:
    if reader.operator not in operators.AFTERWARDS:
        return False
    if executed.domain:
        return True  # the runtime's own fused operators
    if executed.operator.startswith("QLinear"):
        return reader.operator in operators.INTO_QUANTIZED
    others = (other for other in reader.needs if other != name)
    return (
        executed.operator in operators.LINEAR
        and reader.operator in operators.INTO_WEIGHTS
        and all(other in model.constants for other in others)
    )
