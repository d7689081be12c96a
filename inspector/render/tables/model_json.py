"""A model as plain values for `inspector info --json`: schema model/1, a function a field."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict as plain_fields
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from typing import Any

from msgspec.structs import asdict

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.scopes import Scope
from inspector.analysis.devices.support_summary import DeviceSupport
from inspector.analysis.facts.model_facts import Facts
from inspector.analysis.facts.requirements import Requirements
from inspector.analysis.facts.symbolic_sizes import Amount, evaluated, number
from inspector.analysis.facts.weight_compression import WeightForm
from inspector.analysis.layer_search import FoundLayers
from inspector.formats.model_formats import runs_with
from inspector.model.model import Function, Layer, Model, TensorInfo
from inspector.preview.identity import Identity, identify
from inspector.render.tables.fields import fields
from inspector.report.compatibility import CompatibilityResult

SCHEMA = "model/1"
_ORT = "ONNX Runtime"


def model_json(model: Model, facts: Facts, sha256: str | None) -> dict[str, Any]:
    """Return the object of schema model/1, of dictionaries, lists and plain values only.

    sha256: None where it was not computed.
    """
    return {
        "schema": SCHEMA,
        "identity": _identity(identify(model)),
        **fields(model, "format", "name", "graph_name", "ir_version"),
        "opsets": {opset.domain or "ai.onnx": opset.version for opset in model.opsets},
        **fields(model, "producer", "producer_version", "domain", "version", "doc"),
        **fields(model, "size_bytes", "external_bytes"),
        "sha256": sha256,
        "parameters": model.parameters,
        **fields(facts, "constants", "weights_bytes"),
        "shared_weights": dict(zip(("weights", "bytes"), model.shared_weights, strict=True)),
        "inputs": [_value(value) for value in model.inputs],
        "outputs": [_value(value) for value in model.outputs],
        "defaults": [_value(value) for value in model.defaults],
        "operators": dict(facts.operators),
        "layers": len(model.layers),
        "functions": [f"{f.domain}.{f.name}".strip(".") for f in model.functions],
        "precision": {
            "storage_bytes": dict(facts.precision.storage),
            "compute_layers": dict(facts.precision.compute),
        },
        "metadata": dict(model.metadata),
        **declared(model),
        "requires": _requires(facts.requirements),
        "format_details": _of_format(model),
        "compiled": [
            {**plain_fields(part), "layer": model.layers[part.layer].label}
            for part in model.compiled
        ],
        "findings": [{"subject": f.subject, "text": f.text} for f in model.findings],
    }


def _of_format(model: Model) -> dict[str, Any] | None:
    """Return what only formats other than ONNX's say of a model; None for ONNX."""
    details = model.details
    if details is None:
        return None
    return {
        **fields(details, "title", "version", "needs", "reason"),
        "runs_with": runs_with(model.format),
        "facts": [{"name": name, "value": value} for name, value in details.facts],
        "classes": list(details.classes),
        "texts": dict(details.texts),
    }


def _identity(identity: Identity) -> dict[str, Any]:
    return {
        "task": identity.task if identity.known else None,
        **fields(identity, "headline", "details"),
        "family": identity.family or None,
        "evidence": [asdict(each) for each in identity.evidence],
    }


def _value(value: TensorInfo) -> dict[str, Any]:
    return fields(value, "name", "kind", "dtype", "shape", "denotation", "doc")


def _requires(required: Requirements) -> dict[str, Any]:
    newest = required.by_operators
    return {
        "onnxruntime": required.runtime or None if required.program == _ORT else None,
        "runtime": required.program,
        "minimum": required.runtime or None,
        "minimum_without_cpu": required.elsewhere or None,
        "reason": required.reason,
        "needs": {need.subject: need.runtime or None for need in required.needs},
        "by_operators": {newest.subject: newest.runtime or None} if newest else {},
        "libraries": [
            {"domain": x.domain, "package": x.package or None, "operators": list(x.operators)}
            for x in required.libraries
        ],
        "notes": list(required.notes),
    }


def declared(model: Model) -> dict[str, Any]:
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
            fields(each, "name", "number", "devices") for each in model.configurations
        ],
    }


def everything(value: Any) -> Any:
    """Return all that a model says, by the names of `inspector.model.model`."""
    if is_dataclass(value):
        names = (field.name for field in dataclass_fields(value))
        return {name: everything(getattr(value, name)) for name in names}
    if not isinstance(value, tuple):
        return value
    named = getattr(value, "_asdict", None)
    if named is not None:  # a tuple with names would be written without them
        return {name: everything(part) for name, part in named().items()}
    return [everything(part) for part in value]


def _function(function: Function) -> dict[str, Any]:
    return {
        **fields(function, "name", "domain", "overload", "doc", "inputs", "outputs"),
        "attributes": {a.name: a.text or None for a in function.attributes},
        "opsets": {opset.domain or "ai.onnx": opset.version for opset in function.opsets},
        "metadata": dict(function.metadata),
        "layers": [_layer(layer) for layer in function.layers],
        "default_layers": [_layer(layer) for layer in function.defaults],
    }


def _layer(layer: Layer) -> dict[str, Any]:
    return {**fields(layer, "name", "operator", "domain", "inputs", "outputs")}


def computed(estimate: Estimate) -> dict[str, Any]:
    """Return the fields of schema model/1 that need shape inference.

    What is counted over the layers of a graph is null for a file without one.
    """
    cost, lengths, counted = estimate.cost, estimate.lengths, estimate.of_graph
    return {
        "cost": {
            "dimensions": dict(lengths),
            "macs": estimate.macs if counted else None,
            "operations": number(cost.operations, lengths) if counted else None,
            "moved_bytes": number(cost.moved_bytes, lengths) if counted else None,
            "weights_bytes": cost.weights_bytes,
            "peak_activations_bytes": estimate.peak_bytes if counted else None,
            "peak_activations_most_bytes": estimate.most_peak_bytes if counted else None,
            "planned_arena_bytes": estimate.arena_bytes if counted else None,
            "operations_per_byte": cost.intensity(lengths) if counted else None,
            "macs_formula": _terms(estimate.macs_formula) if counted else None,
            "unknown_layers": cost.unknown,
            "unknown_operators": dict(cost.operators),
            "layers": [
                {
                    "macs": _plain(each.macs, lengths),
                    "operations": _plain(each.operations, lengths),
                    "weights_bytes": each.weights_bytes,
                    "moved_bytes": _plain(each.moved_bytes, lengths),
                    "output_bytes": _plain(each.output_bytes, lengths),
                    "live_bytes": live,
                    "counted": each.counted,
                }
                for each, live in zip(cost.layers, estimate.memory.live.tolist(), strict=False)
            ],
            "peak": {
                "layer": estimate.peak.layer,
                "unknown_tensors": estimate.peak.unknown,
                "tensors": [each._asdict() for each in estimate.memory.at_peak],
            },
        },
        "free_axes": list(estimate.free),
        "shapes": {v.name: fields(v, "kind", "dtype", "shape") for v in estimate.shapes.values},
        "shapes_note": estimate.shapes.note,
        "shape_contradictions": [asdict(each) for each in estimate.contradictions],
        "quantization": {
            "schemes": dict(estimate.quantization.schemes),
            "compressions": [asdict(each) for each in estimate.quantization.compressions],
            "edges": [asdict(edge) for edge in estimate.quantization.edges],
        },
        "structure": _scope(estimate.structure, lengths),
    }


def _plain(amount: Amount | None, lengths: Mapping[str, int]) -> int | None:
    left = None if amount is None else evaluated(amount, lengths)
    return left if isinstance(left, int) else None


def _terms(amount: Amount | None) -> dict[str, int] | None:
    """Write a formula as factors of products: {"batch": 3, "batch*length": 5, "": 7}."""
    if amount is None or isinstance(amount, int):
        return None if amount is None else {"": amount}
    return {"*".join(term): factor for term, factor in amount.terms.items()}


def _scope(scope: Scope, lengths: Mapping[str, int]) -> dict[str, Any]:
    return {
        "path": scope.path,
        "layers": len(scope.layers),
        "macs": number(scope.macs, lengths) if scope.layers else None,
        **fields(scope, "weights_bytes", "alike"),
        "children": [_scope(child, lengths) for child in scope.children],
    }


def devices(results: Sequence[DeviceSupport]) -> dict[str, Any]:
    """Return the value of `devices` in model/1."""
    return {
        support.device.id: {
            "source": support.device.source,
            **fields(support, "assumes", "layers"),
            "taken": support.supported_layers,
            "marks": {mark.value: number for mark, number in support.marks},
            "refusals": [
                {
                    "operator": refusal.operator,
                    "rule": refusal.rule.value,
                    **fields(refusal, "reason", "layers"),
                }
                for refusal in support.refusals
            ],
            "unknown": [
                fields(unknown, "operator", "reason", "layers") for unknown in support.unknowns
            ],
        }
        for support in results
    }


def validation(verdicts: Sequence[CompatibilityResult]) -> list[dict[str, Any]]:
    """Return `verdicts` of schema model/1."""
    return [
        {
            "program": verdict.program,
            "version": verdict.version or None,
            "outcome": verdict.outcome.value,
            **fields(verdict, "why", "took_ns"),
        }
        for verdict in verdicts
    ]


def weights(model: Model, forms: Sequence[WeightForm]) -> list[dict[str, Any]]:
    """Return the field `weights` of schema model/1."""
    return [_form(model, form) for form in forms]


def _form(model: Model, form: WeightForm) -> dict[str, Any]:
    weight, pattern = model.weights[form.weight], form.pattern
    return {
        **fields(weight, "name", "dtype", "shape"),
        "form": form.kind or "plain",
        "granularity": form.granularity,
        "bits": form.bits or None,
        "stored_in_this_form": form.is_stored_so,
        **fields(form, "stored_bytes", "expanded_bytes", "could_take_bytes"),
        "when_loaded": form.when_loaded or None,
        "layer": form.layer,
        "zeros": None if pattern is None else pattern.zeros,
        "subnormal": None if pattern is None else pattern.subnormal,
        "distinct": None if pattern is None else pattern.distinct,
        "structure": None if pattern is None else pattern.structure or None,
    }


def found(result: FoundLayers) -> dict[str, Any]:
    """Return the field `result` of schema model/1."""
    return {
        **fields(result, "expression", "total"),
        "layers": [
            {
                "index": layer.index,
                "name": layer.label,
                **fields(layer, "operator", "domain", "inputs", "outputs"),
                "types": [fields(value, "name", "dtype", "shape") for value in outputs],
            }
            for layer, outputs in zip(result.layers, result.outputs, strict=True)
        ],
    }
