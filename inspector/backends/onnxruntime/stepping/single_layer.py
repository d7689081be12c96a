"""A layer as a model of its own, with the inputs that it has in the whole one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from inspector.analysis.measured.layer_outputs import Alone
from inspector.backends import type_names
from inspector.backends.onnxruntime.sessions import (
    devices,
    forced_to_cpu,
    predict,
    refusals,
    session,
)
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.stepping import exposed_outputs
from inspector.backends.onnxruntime.stepping.exposed_outputs import Feeds, LayerPosition
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.model.tensors.prediction import OutputValue
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

Tensor = NDArray[np.generic]
Tell = Callable[[str, float], None]
_ASYNCHRONOUS = "The time on {} includes copying its inputs to the device and its outputs back."


def model_of(
    model: ModelProto,
    node: NodeProto,
    inputs: Sequence[ValueInfoProto],
    constants: Sequence[TensorProto] = (),
    makers: Sequence[NodeProto] = (),
) -> ModelProto:
    """Build a model of one node. makers: Constant nodes that come along, to stay constant."""
    alone = ModelProto(ir_version=max(4, model.ir_version), functions=model.functions)
    alone.opset_import.extend(model.opset_import)
    alone.graph.name = "layer"
    alone.graph.node.extend([*makers, node])
    alone.graph.initializer.extend(constants)
    alone.graph.input.extend(inputs)
    alone.graph.output.extend(ValueInfoProto(name=name) for name in node.output if name)
    return alone


def time_layer(path: Path, spec: RunSpec, feeds: Feeds, layer: int, tell: Tell) -> Alone:
    """Run one layer `spec.runs` times by itself; it gets what it gets in the whole model.

    Raises BadInput: no such layer in the main graph, or an input that is not a tensor.
    EngineFailed: the runtime refused.
    """
    what = Sentence("Could not run layer {layer} of {name} alone", layer, path.name)
    model = opening.skeleton(path)
    place = next(
        (each for each in exposed_outputs.layer_positions(model) if each.index == layer), None
    )
    if place is None:
        why = "it is part of a subgraph" if layer >= 0 else "there is none"
        raise BadInput(what, why, "Run the layer that contains the subgraph.")
    tell("values", -1)
    constants, makers = _constants(model, place, feeds)
    named = {tensor.name for tensor in constants} | {n for m in makers for n in m.output}
    requested = tuple(name for name in place.needs if name not in named)
    inner = [name for name in requested if name not in feeds]
    values = {}
    if inner:
        values = exposed_outputs.values(
            exposed_outputs.expose_outputs(path, spec, inner), spec, feeds, what
        )
    given = {
        name: _tensor(name, feeds[name], what)
        if name in feeds
        else array_of(values[name], what)
        for name in requested
    }
    inputs = [declared(name, array) for name, array in given.items()]
    alone = model_of(model, place.node, inputs, constants, makers)
    tell("load", -1)
    stays = bool(spec.on_cpu) and layer in forced_to_cpu.forced_layers(path, spec.on_cpu).layers
    units = devices.resolve(["cpu"] if stays else spec.devices)
    body = alone.SerializeToString()
    ready = session.create_session(body, spec, units, external_folder=opening.home(path))
    samples = _timed(ready, given, spec, what, tell)
    ids = session.devices_of(ready, units)
    notes = [*session.notes_of(ready, units)]
    notes += [_ASYNCHRONOUS.format(ids[0])] if ids[0] != "cpu" else []
    described = tuple((n, type_names.type_name(a), a.shape) for n, a in given.items())
    return Alone(layer, samples, ids, described, tuple(notes))


def _timed(ready: Any, feeds: Feeds, spec: RunSpec, what: str, tell: Tell) -> tuple[int, ...]:
    try:
        run = predict.prepare_run(ready, feeds)
        for _ in range(max(1, spec.warmup)):
            run()
        samples: list[int] = []
        for number in range(spec.runs):
            began = perf_counter_ns()
            run()
            samples.append(perf_counter_ns() - began)
            tell("runs", (number + 1) / spec.runs)
    except BadInput:
        raise
    except REFUSALS as error:
        raise refusals.runtime_failure(error, what, "prediction") from error
    return tuple(samples)


def _constants(
    model: ModelProto, place: LayerPosition, feeds: Feeds
) -> tuple[list[TensorProto], list[NodeProto]]:
    """Weights and Constant nodes that a layer uses: kernels prepare for constant inputs."""
    names = {name for name in place.needs if name not in feeds}
    weights = [tensor for tensor in model.graph.initializer if tensor.name in names]
    makers = [
        node
        for node in model.graph.node
        if node.op_type == "Constant" and node.output[0] in place.needs
    ]
    return weights, makers


def _tensor(name: str, fed: predict.Feed, what: str) -> Tensor:
    if isinstance(fed, tuple):
        raise BadInput(what, f"its input '{clip(name, 80)}' is not a tensor")
    return fed


def declared(name: str, array: Tensor) -> ValueInfoProto:
    """Return the declaration of an input by an array that it takes."""
    dtype = type_names.type_name(array)
    kind = (
        TensorProto.STRING
        if dtype == type_names.TEXT
        else helper.np_dtype_to_tensor_dtype(array.dtype.newbyteorder("="))
    )
    return helper.make_tensor_value_info(name, kind, array.shape)


def array_of(value: OutputValue, what: str) -> Tensor:
    """Return the elements in the type of the model again, where they had to be widened."""
    array = value.array
    if value.kind != "tensor" or array is None:
        why = f"its input '{value.name}' is a {value.kind}, not a tensor"
        raise BadInput(what, why, "Measure the whole model instead.")
    kind = type_names.numpy_type(value.dtype)
    return array if kind is None or array.dtype == kind else array.astype(kind)
