"""Operators of old operator sets, as their own versions define them, for the reference.

onnx.reference has one class for all versions of some operators, or takes a training form for
that of inference. These classes replace them. Also: which values ONNX does not define at all,
so that nobody may compare them. Source: docs/Changelog.md of ONNX.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, defs, numpy_helper
from onnx.reference.op_run import OpRun

Tensor = NDArray[Any]
_RANDOM = {
    "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial",
    "Bernoulli",
}  # fmt: skip
_MASK_DEFINED, _INFERENCE_ALONE = 12, 14  # operator sets of Dropout, BatchNormalization
_AXIS_ALONE = 13  # of Softmax, LogSoftmax and Hardmax: from here on over one axis
_OF_SHAPE = {"Shape", "Size"}  # defined also where the values of their input are not


class _Flattening(OpRun):  # type: ignore[misc]  # onnx.reference comes without types
    """Below opset 13: over all axes from `axis` on, as if they were one; 1 unless given."""

    def _run(self, x: Tensor, axis: int = 1) -> tuple[Tensor]:
        if not x.size:
            return (x,)
        begin = axis + x.ndim if axis < 0 else axis
        rows = x.reshape(int(np.prod(x.shape[:begin], dtype=np.int64)), -1)
        return (self._of_rows(rows).reshape(x.shape).astype(x.dtype),)

    def _of_rows(self, rows: Tensor) -> Tensor:
        raise AssertionError("each operator has its own")


class Softmax(_Flattening):
    """Softmax of opset 1 and 11."""

    op_schema = defs.get_schema("Softmax", 11)

    def _of_rows(self, rows: Tensor) -> Tensor:
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        softmax: Tensor = powers / powers.sum(axis=1, keepdims=True)
        return softmax


class LogSoftmax(_Flattening):
    """LogSoftmax of opset 1 and 11."""

    op_schema = defs.get_schema("LogSoftmax", 11)

    def _of_rows(self, rows: Tensor) -> Tensor:
        below = rows - rows.max(axis=1, keepdims=True)
        logarithms: Tensor = below - np.log(np.exp(below).sum(axis=1, keepdims=True))
        return logarithms


class Hardmax(_Flattening):
    """Hardmax of opset 1 and 11: 1 for the first of the largest elements."""

    op_schema = defs.get_schema("Hardmax", 11)

    def _of_rows(self, rows: Tensor) -> Tensor:
        largest = np.zeros_like(rows)
        largest[np.arange(len(rows)), rows.argmax(axis=1)] = 1
        return largest


class BatchNormalization(OpRun):  # type: ignore[misc]
    """BatchNormalization of opset 7 and 9: a prediction takes the stored statistics."""

    op_schema = defs.get_schema("BatchNormalization", 9)

    def _run(
        self,
        x: Tensor,
        scale: Tensor,
        bias: Tensor,
        mean: Tensor,
        variance: Tensor,
        epsilon: float = 1e-5,
        **others: Any,
    ) -> tuple[Tensor, ...]:
        axes = (-1, *(1,) * (x.ndim - 2))
        factor = (scale / np.sqrt(variance + epsilon)).reshape(axes)
        return ((factor * (x - mean.reshape(axes)) + bias.reshape(axes)).astype(x.dtype),)


_REPLACED: Mapping[type[OpRun], int] = {  # below this operator set
    Softmax: _AXIS_ALONE,
    LogSoftmax: _AXIS_ALONE,
    Hardmax: _AXIS_ALONE,
    BatchNormalization: _INFERENCE_ALONE,
}


def replacements(model: ModelProto) -> list[type[OpRun]]:
    """Return the classes that the evaluator is to use instead of its own (`new_ops`)."""
    opset = opset_of(model)
    return [each for each, first in _REPLACED.items() if opset < first]


def mixed(model: ModelProto) -> tuple[str, ...]:
    """Name operators whose version differs between the main graph and a function.

    The evaluator takes one class for both.
    """
    opset, names = opset_of(model), {each.__name__: first for each, first in _REPLACED.items()}
    found = set()
    for function in model.functions:
        own = opset_of(function)
        for node in nodes(function.node):
            first = names.get(node.op_type, 0) if not node.domain else 0
            if (own < first) != (opset < first):
                found.add(f"{node.op_type} (opset {own}) in a function")
    return tuple(sorted(found))


def undefined(model: ModelProto) -> dict[str, str]:
    """Return the tensors of the main graph whose values ONNX leaves open, and a reason each.

    Also those that are computed of such values. An order of the nodes is taken for granted, as
    ONNX asks for it.
    """
    opset, found = opset_of(model), dict[str, str]()
    constants = _constants(model.graph)
    for node in model.graph.node:
        taken = next((found[name] for name in node.input if name in found), "")
        if taken and node.op_type not in _OF_SHAPE:
            found |= dict.fromkeys(filter(None, node.output), taken)
            continue
        for name, reason in _open(node, opset, constants):
            if name:
                found[name] = reason
    return found


def _open(
    node: NodeProto, opset: int, constants: Mapping[str, Tensor]
) -> Iterator[tuple[str, str]]:
    """The outputs of one node that ONNX leaves open."""
    random = next((n.op_type for n in nodes([node]) if _is_random(n, opset, constants)), "")
    if random:
        yield from ((name, f"{random} gives random numbers") for name in node.output)
    elif node.domain:
        return
    elif node.op_type == "Dropout" and opset < _MASK_DEFINED:
        reason = f"ONNX leaves the mask of Dropout open before opset {_MASK_DEFINED}"
        yield from ((name, reason) for name in node.output[1:])
    elif node.op_type == "BatchNormalization" and opset < _INFERENCE_ALONE:
        reason = "these outputs of BatchNormalization are of training alone"
        yield from ((name, reason) for name in node.output[1:])


def _is_random(node: NodeProto, opset: int, constants: Mapping[str, Tensor]) -> bool:
    if node.domain:
        return False
    if node.op_type in _RANDOM:
        return True
    training = node.input[2] if node.op_type == "Dropout" and len(node.input) > 2 else ""
    if not training or opset < _MASK_DEFINED:
        return False
    known = constants.get(training)
    return known is None or bool(known.any())


def _constants(graph: GraphProto) -> dict[str, Tensor]:
    """Truths that the file holds, by name: what Dropout may be told."""
    found = [tensor for tensor in graph.initializer if tensor.data_type == tensor.BOOL]
    named = {tensor.name: tensor for tensor in found}
    for node in graph.node:
        for attribute in node.attribute if node.op_type == "Constant" else ():
            if attribute.type == AttributeProto.TENSOR and attribute.t.data_type == 9:  # BOOL
                named[node.output[0]] = attribute.t
    return {name: numpy_helper.to_array(tensor) for name, tensor in named.items()}


def opset_of(part: Any) -> int:
    """Return the version of ai.onnx that a model or a function imports; 1 for none."""
    versions = (o.version for o in part.opset_import if o.domain in ("", "ai.onnx"))
    return next(versions, 1)


def nodes(first: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Yield nodes and those of their subgraphs."""
    waiting = list(first)
    while waiting:
        node = waiting.pop()
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                waiting.extend(graph.node)
