"""Declarations of a model outside its graph, for `inspector info --json`."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from inspector.model.model import Model

if TYPE_CHECKING:
    from inspector.model.model import Function, Layer


def declared(model: "Model") -> dict[str, Any]:
    """Return fields of schema model/1, of dictionaries, lists and plain values only."""
    return {
        "graph_doc": model.graph_doc,
        "graph_metadata": dict(model.graph_metadata),
        "declared_values": len(model.values),
        "signatures": [
            {
                "name": each.name,
                "inputs": dict(each.inputs),
                "outputs": dict(each.outputs),
                "function": each.function,
            }
            for each in model.signatures
        ],
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


def everything(value: Any) -> Any:
    """Return all that a model says, by the names of `inspector.model.model`."""
    if is_dataclass(value):
        return {field.name: everything(getattr(value, field.name)) for field in fields(value)}
    if not isinstance(value, tuple):
        return value
    named = getattr(value, "_asdict", None)
    if named is not None:  # a tuple with names would be written without them
        return {name: everything(part) for name, part in named().items()}
    return [everything(part) for part in value]


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
        "default_layers": [_layer(layer) for layer in function.defaults],
    }


def _layer(layer: "Layer") -> dict[str, Any]:
    return {
        "name": layer.name,
        "operator": layer.operator,
        "domain": layer.domain,
        "inputs": list(layer.inputs),
        "outputs": list(layer.outputs),
    }
