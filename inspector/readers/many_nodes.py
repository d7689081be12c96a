"""Very many nodes of a graph become layers without a protobuf object for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import repeat

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import AttributeProto

from inspector.model import Attribute, Layer
from inspector.readers.attributes import HOLDERS, attribute_in_words, kind
from inspector.readers.lockstep import (
    Fields,
    Octets,
    Places,
    fields,
    parted,
    spread,
    texts,
    unusual,
)

_INPUT, _OUTPUT, _NAME, _OPERATOR, _ATTRIBUTE = 0x0A, 0x12, 0x1A, 0x22, 0x2A
_DOC, _DOMAIN = 0x32, 0x3A
_TAGS = (_INPUT, _OUTPUT, _NAME, _OPERATOR, _ATTRIBUTE, _DOC, _DOMAIN)
_made = partial(tuple.__new__, Layer)  # half the time of `Layer._make`


@dataclass(frozen=True, slots=True, eq=False)
class ManyNodes:
    """Columns of nodes, in the file's order; those in `odd` are to be read one by one."""

    odd: NDArray[np.bool_]
    names: Sequence[str]
    operators: Sequence[str]
    domains: Sequence[str]
    inputs: Sequence[tuple[str, ...]]
    outputs: Sequence[tuple[str, ...]]
    attributes: Sequence[tuple[Attribute, ...]]
    docs: Sequence[str]

    def layers(self, first: int, start: int, stop: int) -> Iterator[Layer]:
        """Layers of some of the nodes; first: the index of the first of them."""
        part = slice(start, stop)
        columns = zip(
            range(first, first + stop - start),
            self.names[part],
            self.operators[part],
            self.domains[part],
            self.inputs[part],
            self.outputs[part],
            self.attributes[part],
            repeat(None),
            repeat(""),
            self.docs[part],
            repeat(()),
            repeat(""),
            repeat(()),
            strict=False,
        )
        return map(_made, columns)


def many_nodes(
    body: bytes, plain: str, octets: Octets, starts: Places, stops: Places
) -> ManyNodes:
    """Read onnx.NodeProto messages that lie at these places in a body.

    plain, octets: the same body, as in `lockstep`.
    """
    found = fields(octets, starts, stops)
    odd, number = unusual(found, _TAGS), len(starts)

    def cut(tag: int) -> tuple[Places, list[str]]:
        message, begin, end = found.of(tag)
        return message, texts(body, plain, begin, end)

    def one(tag: int) -> list[str]:
        return spread(*cut(tag), number, "")

    def several(tag: int) -> list[tuple[str, ...]]:
        return parted(*cut(tag), number)

    operators, domains = one(_OPERATOR), one(_DOMAIN)
    known = {name: name for name in operators} | {"ai.onnx": ""}  # few, so each once
    return ManyNodes(
        odd=odd,
        names=one(_NAME),
        operators=[*map(known.__getitem__, operators)],
        domains=[known.get(name, name) for name in domains] if any(domains) else domains,
        inputs=several(_INPUT),
        outputs=several(_OUTPUT),
        docs=one(_DOC),
        attributes=_attributes(body, found, odd),
    )


def _attributes(
    body: bytes, found: Fields, odd: NDArray[np.bool_]
) -> list[tuple[Attribute, ...]]:
    """Describe the attributes of each message; one that holds a tensor makes it odd."""
    whole: list[tuple[Attribute, ...]] = [()] * len(odd)
    message, begin, end = found.of(_ATTRIBUTE)
    described = cache(_described)  # models are full of equal ones
    for place, start, stop in zip(message.tolist(), begin.tolist(), end.tolist(), strict=True):
        attribute = None if odd[place] else described(body[start:stop])
        if attribute is None:
            odd[place] = True
        else:
            whole[place] = (*whole[place], attribute)
    return whole


def _described(octets: bytes) -> Attribute | None:
    """Describe an attribute; None for what holds tensors or graphs, or is damaged."""
    try:
        proto = AttributeProto.FromString(octets)
    except DecodeError:
        return None
    return None if kind(proto) in HOLDERS else attribute_in_words(proto)
