"""What a model declares beside its graph, for `inspector info --json`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.model import Function, Layer, Model


def declared(model: "Model") -> dict[str, Any]:
    """Return fields of schema model/1, of dictionaries, lists and plain values only."""
    return {
        "graph_doc": model.graph_doc,
        "graph_metadata": dict(model.graph_metadata),
        "declared_values": len(model.values),
        "function_bodies": [_function(function) for function in model.functions],
        "training": [
            {
                "initialization": [_layer(layer) for layer in part.initialization],
                "algorithm": [_layer(layer) for layer in part.algorithm],
                "bindings": dict(part.bindings),
                "updates": dict(part.updates),
            }
            for part in model.training
        ],
        "quantization_annotations": {a.value: dict(a.parameters) for a in model.annotations},
        "device_configurations": [
            {"name": c.name, "number": c.number, "devices": list(c.devices)}
            for c in model.configurations
        ],
    }


def _function(function: "Function") -> dict[str, Any]:
    return {
        "name": function.name,
        "domain": function.domain,
        "overload": function.overload,
        "doc": function.doc,
        "inputs": list(function.inputs),
        "outputs": list(function.outputs),
        "attributes": {a.name: a.text or None for a in function.attributes},
        "opsets": {opset.domain or "ai.onnx": opset.version for opset in function.opsets},
        "metadata": dict(function.metadata),
        "layers": [_layer(layer) for layer in function.layers],
    }


def _layer(layer: "Layer") -> dict[str, Any]:
    return {
        "name": layer.name,
        "operator": layer.operator,
        "domain": layer.domain,
        "inputs": list(layer.inputs),
        "outputs": list(layer.outputs),
    }
