"""ONNX's own reference evaluator: slow, plain Python, and the definition of what is right.

Runs in the engine process. Source: onnx.reference of the onnx package.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, defs, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun, RuntimeContextError
from onnx.reference.ops import load_op as load_onnx
from onnx.reference.ops.aionnxml import load_op as load_onnx_ml

from inspector.backends import type_names
from inspector.backends.base import CURRENT
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.errors import EngineFailed
from inspector.formats.onnx.types import described
from inspector.model.model import TensorInfo
from inspector.tensors.prediction import UNDEFINED, OutputValue
from inspector.units import clip, size

# Operators of old operator sets, as their own versions define them, for the reference.


Array = NDArray[Any]
_RANDOM = {
    "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial",
    "Bernoulli",
}  # fmt: skip
_MASK_DEFINED, _INFERENCE_ALONE = 12, 14  # operator sets of Dropout, BatchNormalization
_AXIS_ALONE = 13  # of Softmax, LogSoftmax and Hardmax: from here on over one axis
_OF_SHAPE = {"Shape", "Size"}  # defined also where the values of their input are not


class _Flattening(OpRun):  # type: ignore[misc]  # onnx.reference comes without types
    """Below opset 13: over all axes from `axis` on, as if they were one; 1 unless given."""

    def _run(self, x: Array, axis: int = 1) -> tuple[Array]:
        if not x.size:
            return (x,)
        begin = axis + x.ndim if axis < 0 else axis
        rows = x.reshape(int(np.prod(x.shape[:begin], dtype=np.int64)), -1)
        return (self._of_rows(rows).reshape(x.shape).astype(x.dtype),)

    def _of_rows(self, rows: Array) -> Array:
        raise AssertionError("each operator has its own")


class Softmax(_Flattening):
    """Softmax of opset 1 and 11."""

    op_schema = defs.get_schema("Softmax", 11)

    def _of_rows(self, rows: Array) -> Array:
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        softmax: Array = powers / powers.sum(axis=1, keepdims=True)
        return softmax


class LogSoftmax(_Flattening):
    """LogSoftmax of opset 1 and 11."""

    op_schema = defs.get_schema("LogSoftmax", 11)

    def _of_rows(self, rows: Array) -> Array:
        below = rows - rows.max(axis=1, keepdims=True)
        logarithms: Array = below - np.log(np.exp(below).sum(axis=1, keepdims=True))
        return logarithms


class Hardmax(_Flattening):
    """Hardmax of opset 1 and 11: 1 for the first of the largest elements."""

    op_schema = defs.get_schema("Hardmax", 11)

    def _of_rows(self, rows: Array) -> Array:
        largest = np.zeros_like(rows)
        largest[np.arange(len(rows)), rows.argmax(axis=1)] = 1
        return largest


class BatchNormalization(OpRun):  # type: ignore[misc]
    """BatchNormalization of opset 7 and 9: a prediction takes the stored statistics."""

    op_schema = defs.get_schema("BatchNormalization", 9)

    def _run(
        self,
        x: Array,
        scale: Array,
        bias: Array,
        mean: Array,
        variance: Array,
        epsilon: float = 1e-5,
        **others: Any,
    ) -> tuple[Array, ...]:
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
    types = set()
    for function in model.functions:
        own = opset_of(function)
        for node in old_nodes(function.node):
            first = names.get(node.op_type, 0) if not node.domain else 0
            if (own < first) != (opset < first):
                types.add(f"{node.op_type} (opset {own}) in a function")
    return tuple(sorted(types))


def undefined(model: ModelProto) -> dict[str, str]:
    """Return the tensors of the main graph whose values ONNX leaves open, and a reason each.

    Also those that are computed of such values. An order of the nodes is taken for granted, as
    ONNX asks for it.
    """
    opset, reasons = opset_of(model), dict[str, str]()
    constants = _constants(model.graph)
    for node in model.graph.node:
        inherited = next((reasons[name] for name in node.input if name in reasons), "")
        if inherited and node.op_type not in _OF_SHAPE:
            reasons |= dict.fromkeys(filter(None, node.output), inherited)
            continue
        for name, reason in _open(node, opset, constants):
            if name:
                reasons[name] = reason
    return reasons


def _open(
    node: NodeProto, opset: int, constants: Mapping[str, Array]
) -> Iterator[tuple[str, str]]:
    """Yield the outputs of one node that ONNX leaves open."""
    random = next((n.op_type for n in old_nodes([node]) if _is_random(n, opset, constants)), "")
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


def _is_random(node: NodeProto, opset: int, constants: Mapping[str, Array]) -> bool:
    if node.domain:
        return False
    if node.op_type in _RANDOM:
        return True
    training = node.input[2] if node.op_type == "Dropout" and len(node.input) > 2 else ""
    if not training or opset < _MASK_DEFINED:
        return False
    constant = constants.get(training)
    return constant is None or bool(constant.any())


def _constants(graph: GraphProto) -> dict[str, Array]:
    """Truths that the file holds, by name: what Dropout may be told."""
    tensors = [tensor for tensor in graph.initializer if tensor.data_type == tensor.BOOL]
    named = {tensor.name: tensor for tensor in tensors}
    for node in graph.node:
        for attribute in node.attribute if node.op_type == "Constant" else ():
            if attribute.type == AttributeProto.TENSOR and attribute.t.data_type == 9:  # BOOL
                named[node.output[0]] = attribute.t
    return {name: numpy_helper.to_array(tensor) for name, tensor in named.items()}


def opset_of(part: Any) -> int:
    """Return the version of ai.onnx that a model or a function imports; 1 for none."""
    versions = (o.version for o in part.opset_import if o.domain in ("", "ai.onnx"))
    return next(versions, 1)


def old_nodes(first: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Yield nodes and those of their subgraphs."""
    waiting = list(first)
    while waiting:
        node = waiting.pop()
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                waiting.extend(graph.node)


Tensor = NDArray[np.generic]
Fed = Tensor | tuple[Tensor, ...]
LIMIT_BYTES = 1 << 30
_LOADERS = {"": load_onnx, "ai.onnx": load_onnx, "ai.onnx.ml": load_onnx_ml}
_PYTHON_TYPE = re.compile(r"<class '([\w.]+)'>")  # as Python shows a type in a message
_HINT = "Compare with another level, device or model instead."


def evaluate(
    path: Path, feeds: Mapping[str, Fed], what: str
) -> tuple[tuple[OutputValue, ...], int]:
    """Answer feeds with the reference evaluator: the outputs, and nanoseconds of the run.

    Raises EngineFailed: operators it does not know (all are named), a model that is too
    large for it, or its own refusal.
    """
    if path.stat().st_size > LIMIT_BYTES:
        why = f"the reference evaluator is limited to models of {size(LIMIT_BYTES)}"
        raise EngineFailed(what, why, _HINT, "load")
    try:
        model = onnx.load(path)
    except Exception as error:  # protobuf's kinds, and whatever a hostile side file causes
        raise refusals.runtime_failure(error, what, "load") from error
    unknown = unsupported(model)
    if unknown:
        raise _lacking(unknown, what)
    given = {name: plain(array) for name, array in feeds.items()}
    try:
        open_ones = undefined(model)
        evaluator = ReferenceEvaluator(model, new_ops=replacements(model))
        report_layers(evaluator)
        began = perf_counter_ns()
        values = evaluator.run(None, given)
        spent_ns = perf_counter_ns() - began
    except Exception as error:  # operators in plain Python: a KeyError there is a refusal, too
        raise _stopped(error, what) from error
    infos = tuple(described(value) for value in model.graph.output)
    answers = tuple(
        undefined_output(info, open_ones[info.name])
        if info.name in open_ones
        else _output(info, value)
        for info, value in zip(infos, values, strict=True)
    )
    return answers, spent_ns


def undefined_output(info: TensorInfo, reason: str) -> OutputValue:
    """Return the place of an output that is not to be compared, with the reason."""
    return OutputValue(info.name, UNDEFINED, info.dtype, None, text=reason)


def unsupported(model: ModelProto) -> tuple[str, ...]:
    """Return the operators that the evaluator does not know: 'domain:Operator (opset 17)'."""
    own = {(function.domain, function.name) for function in model.functions}
    versions = {opset.domain: opset.version for opset in model.opset_import}
    bodies = (model.graph.node, *(function.node for function in model.functions))
    nodes = (node for body in bodies for node in old_nodes(body))
    kinds = {(node.domain, node.op_type) for node in nodes}
    lacking = []
    for domain, name in sorted(kinds - own):
        version = versions.get(domain, 1)
        if not _known(domain, name, version):
            lacking.append(f"{domain}:{name}".lstrip(":") + f" (opset {version})")
    return (*lacking, *mixed(model))


def _known(domain: str, name: str, version: int) -> bool:
    load = _LOADERS.get(domain)
    if load is None:
        return domain in ("ai.onnx.preview", "ai.onnx.preview.training")
    try:
        if load is load_onnx:
            load("", name, version, evaluator_cls=ReferenceEvaluator)
        else:
            load(domain, name, version)
    except RuntimeContextError:
        return True  # it is a function of its types, which are known when it runs
    except (NotImplementedError, RuntimeError):  # not at all, or not in this version
        return False
    return True


def _stopped(error: Exception, what: str) -> EngineFailed:
    """Return why an operator of the evaluator, which is Python, could not be computed."""
    known = refusals.runtime_failure(error, what, "prediction")
    explained = refusals.explain(str(error), "prediction").matched_rule
    if isinstance(error, MemoryError) or explained:
        return known
    text = _PYTHON_TYPE.sub(r"\1", known.why)
    why = f'the reference evaluator stops with "{text}"'
    return EngineFailed(what, why, _HINT, "prediction")


def _lacking(unknown: tuple[str, ...], what: str) -> EngineFailed:
    listed = ", ".join(clip(name, 60) for name in unknown[:8])
    more = f" and {len(unknown) - 8} more" if len(unknown) > 8 else ""
    why = f"the reference evaluator lacks {listed}{more}"
    return EngineFailed(what, why, _HINT, "load")


def plain(array: Fed) -> Tensor | list[Tensor]:
    """Texts as numpy's own, which the evaluator's operators ask for; a sequence as a list."""
    if isinstance(array, tuple):
        return [_plain(part) for part in array]
    return _plain(array)


def _plain(array: Tensor) -> Tensor:
    return array.astype(str) if array.dtype.kind == "O" else array


def _output(info: TensorInfo, value: object) -> OutputValue:
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and type_names.type_name(value) == type_names.TEXT:
        value = value.astype(object)
    return predict.output_value(info, value)


def report_layers(evaluator: ReferenceEvaluator) -> None:
    """Make the layers of an evaluator's main graph set `CURRENT` when they are computed."""

    def reporting(node: NodeProto, run: Callable[..., Any]) -> Callable[..., Any]:
        def compute(*inputs: Any, **more: Any) -> Any:
            CURRENT.set(node.name, node.op_type)
            return run(*inputs, **more)

        return compute

    for node in evaluator.rt_nodes_:
        node.run = reporting(node.onnx_node, node.run)
