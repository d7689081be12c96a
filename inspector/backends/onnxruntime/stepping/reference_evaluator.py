"""ONNX's own reference evaluator: slow, plain Python, and the definition of what is right.

Runs in the engine process. Source: onnx.reference of the onnx package.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import RuntimeContextError
from onnx.reference.ops import load_op as load_onnx
from onnx.reference.ops.aionnxml import load_op as load_onnx_ml

from inspector.backends import type_names
from inspector.backends.base import CURRENT
from inspector.backends.onnxruntime.sessions import explanations, predict, refusals
from inspector.backends.onnxruntime.stepping import reference_operators
from inspector.errors import EngineFailed
from inspector.formats.onnx.types import described
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import UNDEFINED, OutputValue
from inspector.units import clip, size

Tensor = NDArray[np.generic]
Fed = Tensor | tuple[Tensor, ...]
LIMIT_BYTES = 1 << 30
_LOADERS = {"": load_onnx, "ai.onnx": load_onnx, "ai.onnx.ml": load_onnx_ml}
_PYTHON_TYPE = re.compile(r"<class '([\w.]+)'>")  # as Python shows a type in a message
_HINT = "Compare with another optimization level, device or model instead."


def evaluate(
    path: Path, feeds: Mapping[str, Fed], what: str
) -> tuple[tuple[OutputValue, ...], int]:
    """Answer feeds with the reference evaluator: the outputs, and nanoseconds of the run.

    Raises EngineFailed: operators it does not know (all are named), a model that is too
    large for it, or its own refusal.
    """
    if path.stat().st_size > LIMIT_BYTES:
        why = f"the reference evaluator is limited to models of up to {size(LIMIT_BYTES)}"
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
        open_ones = reference_operators.undefined(model)
        evaluator = ReferenceEvaluator(model, new_ops=reference_operators.replacements(model))
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
    nodes = (node for body in bodies for node in reference_operators.old_nodes(body))
    kinds = {(node.domain, node.op_type) for node in nodes}
    lacking = []
    for domain, name in sorted(kinds - own):
        version = versions.get(domain, 1)
        if not _known(domain, name, version):
            lacking.append(f"{domain}:{name}".lstrip(":") + f" (opset {version})")
    return (*lacking, *reference_operators.mixed(model))


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
    explained = explanations.explain(str(error), "prediction").matched_rule
    if isinstance(error, MemoryError) or explained:
        return known
    text = _PYTHON_TYPE.sub(r"\1", known.why)
    why = f'the reference evaluator failed with "{text}"'
    return EngineFailed(what, why, _HINT, "prediction")


def _lacking(unknown: tuple[str, ...], what: str) -> EngineFailed:
    listed = ", ".join(clip(name, 60) for name in unknown[:8])
    more = f" and {len(unknown) - 8} more" if len(unknown) > 8 else ""
    why = f"the reference evaluator does not implement {listed}{more}"
    return EngineFailed(what, why, _HINT, "load")


def plain(array: Fed) -> Tensor | list[Tensor]:
    """Return strings as numpy strings, which the evaluator's operators require; a sequence as a
    list."""
    if isinstance(array, tuple):
        return [_plain(part) for part in array]
    return _plain(array)


def _plain(array: Tensor) -> Tensor:
    return array.astype(str) if array.dtype.kind == "O" else array


def _output(info: TensorInfo, value: object) -> OutputValue:
    value = reference_operators.element(value)
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
