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


def everything(model: "Model") -> dict[str, Any]:
    """Return all that a model is known to say, by the names of `inspector.model`."""
    from msgspec import to_builtins

    def told(layers: "tuple[Layer, ...]") -> list[dict[str, Any]]:
        return [
            to_builtins(layer._asdict()) for layer in layers
        ]  # tuples would lose their names

    plain: dict[str, Any] = to_builtins(model)
    plain["layers"] = told(model.layers)
    for entry, function in zip(plain["functions"], model.functions, strict=True):
        entry["layers"] = told(function.layers)
    for entry, part in zip(plain["training"], model.training, strict=True):
        entry["initialization"] = told(part.initialization)
        entry["algorithm"] = told(part.algorithm)
    return plain


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
