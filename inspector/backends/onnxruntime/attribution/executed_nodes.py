"""The optimized graph of a model without a measurement, explained in terms of its layers."""

from collections.abc import Sequence
from pathlib import Path

import onnxruntime

from inspector.analysis.measured.executed_graph import ExecutedGraph, ExecutedNode, LayerFate
from inspector.backends.onnxruntime.attribution.attribution import Executed, attribute_kernels
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.layer_names import Naming
from inspector.backends.onnxruntime.sessions import devices, forced_to_cpu
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.model import Layer
from inspector.report.run_spec import RunSpec

# Weights lie beside the graph: protobuf ends at 2 GiB, and reading the graph alone is quicker.
_LEAST_BYTES = "1024"


def executed_graph(model: Path, spec: RunSpec, written: Path, weights: Path) -> ExecutedGraph:
    """Optimize a model as a session would, and write the graph and its weights to files.

    Raises BadInput: the file is an optimized graph already. EngineFailed: the runtime refused,
    or a device compiled parts of the model, which cannot be written.
    """
    what = f"Could not get the optimized graph of {model.name}"
    if opening.is_ort(model):
        raise BadInput(
            what,
            "an ORT-format file already has the optimized graph, which the Graph tab shows",
            "Open the ONNX model from which it was converted.",
        )
    described, given = opening.open_model(model), opening.skeleton(model)
    renamed, naming = layer_names.rename(given)
    staying = forced_to_cpu.indices(described.layers, spec.on_cpu)
    if staying:
        renamed = forced_to_cpu.annotated(renamed, staying)
    units = devices.resolve(spec.devices)
    config = {
        "session.optimized_model_external_initializers_file_name": weights.name,
        "session.optimized_model_external_initializers_min_size_in_bytes": _LEAST_BYTES,
    }
    try:
        create_session(
            renamed.SerializeToString(),
            spec,
            units,
            optimized_path=written,
            config=config,
            external_folder=opening.home(model),
        )
    except EngineFailed as error:
        compiled = "compiled" in error.why.lower()
        hint = "Choose the CPU, or another device." if compiled else error.hint
        raise EngineFailed(what, error.why, hint, error.phase) from error
    optimized = opening.skeleton(written)
    attribution = attribute_kernels(renamed, optimized)
    return ExecutedGraph(
        tuple(_node(node, described.layers, naming) for node in attribution.executed),
        tuple(LayerFate(outcome.status, outcome.into) for outcome in attribution.outcomes),
        naming.tensors,
        f"ONNX Runtime {onnxruntime.__version__}",
        spec.devices,
        spec.optimization,
    )


def _node(node: Executed, layers: Sequence[Layer], naming: Naming) -> ExecutedNode:
    if node.lead is not None:
        layer = layers[node.lead]
        name = layer.name or next(filter(None, layer.outputs), layer.label)
        return ExecutedNode(name, node.operator, node.layers, node.lead)
    tensor = naming.tensor(node.tensor) if node.tensor else ""
    name = f"{node.operator} of {tensor}" if tensor else node.operator
    return ExecutedNode(
        name, node.operator, kind=str(node.kind), after=node.after, before=node.before
    )
