"""inspector info: tell what a model file says about itself."""

import argparse
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli.info_declared import declared, everything
from inspector.cli.inputs import add_dimensions

if TYPE_CHECKING:
    from inspector.analysis import Facts, Requirements
    from inspector.analysis.estimate import Estimate
    from inspector.analysis.support_summary import DeviceSupport
    from inspector.model import Model, TensorInfo
    from inspector.verdicts import Verdict

SCHEMA = "model/1"
_PIPE_COLUMNS = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")
    add_dimensions(parser, "length of a free axis, to count the cost with")
    parser.add_argument(
        "--devices",
        metavar="ID,ID",
        help="check support for devices that are not here, from tables: all, or some of cuda, "
        "tensorrt, tensorrt-rtx, directml, migraphx, webgpu, webnn, coreml, coreml-mlprogram, "
        "openvino, openvino-gpu, qnn, vitisai, nnapi, xnnpack",
    )
    parser.add_argument(
        "--no-shapes", action="store_true", help="infer no shapes: no engine, no cost"
    )
    parser.add_argument(
        "--everything",
        action="store_true",
        help="with --json: each layer, weight, value and inner graph, with all that it says",
    )
    parser.add_argument(
        "--verdicts",
        action="store_true",
        help="let onnx, its checker and shape inference, and ONNX Runtime open it, in a "
        "process of their own: who refuses it, and why",
    )


def run(options: argparse.Namespace) -> None:
    """Print what is known of a model. Raises UnreadableFile."""
    from inspector.analysis import facts
    from inspector.errors import UnreadableFile
    from inspector.readers import digest, open_model

    verdicts = _verdicts(options)
    try:
        model = open_model(options.model)
    except UnreadableFile:
        if verdicts and not options.json:
            _print_verdicts(verdicts)
        raise
    known, sha256 = facts(model), digest(options.model)
    found = None
    if not options.no_shapes:
        found = _estimated(model, options.model, dict(options.dimensions))
        known = replace(known, precision=found.precision)
    asked = _asked(model, options)
    if options.json:
        plain = as_plain(model, known, sha256)
        plain |= {"everything": everything(model)} if options.everything else {}
        _print_json(plain, found, asked, verdicts)
        return
    from inspector.cli.info_text import text

    columns = _columns()
    print(text(model, known, sha256, found, columns, bold=sys.stdout.isatty()))
    if asked:
        from inspector.cli import info_devices

        print("\n".join(info_devices.lines(model, asked, columns)))
    if verdicts:
        print()
        _print_verdicts(verdicts)


def _print_json(
    plain: dict[str, Any],
    found: "Estimate | None",
    asked: "tuple[DeviceSupport, ...]",
    verdicts: "tuple[Verdict, ...]",
) -> None:
    """Print the one object; what was not asked for is not in it."""
    import msgspec

    from inspector.cli import info_cost, info_devices, info_verdicts

    plain |= info_cost.as_plain(found) if found else {}
    plain |= {"devices": info_devices.as_plain(asked)} if asked else {}
    plain |= {"verdicts": info_verdicts.as_plain(verdicts)} if verdicts else {}
    print(msgspec.json.encode(plain).decode())


def _columns() -> int:
    return shutil.get_terminal_size((_PIPE_COLUMNS, 24)).columns


def _verdicts(options: argparse.Namespace) -> "tuple[Verdict, ...]":
    if not options.verdicts:
        return ()
    from inspector.cli import info_verdicts

    return info_verdicts.asked(options.model)


def _print_verdicts(verdicts: "tuple[Verdict, ...]") -> None:
    from inspector.cli import info_verdicts

    print("\n".join(info_verdicts.lines(verdicts, _columns())))


def _asked(model: "Model", options: argparse.Namespace) -> "tuple[DeviceSupport, ...]":
    """What the devices of --devices would take of the model."""
    if options.devices is None:
        return ()
    from inspector.cli import info_devices

    names = info_devices.asked(options.devices)
    return info_devices.supports(model, options.model, names, dict(options.dimensions))


def _estimated(model: "Model", path: Path, lengths: "Mapping[str, int]") -> "Estimate":
    """Infer shapes in an engine of its own; what it cannot do becomes a note."""
    from inspector.analysis.estimate import estimate
    from inspector.analysis.shapes import Shapes
    from inspector.engine.process import EngineProcess
    from inspector.preview.usual import lengths as usual_lengths
    from inspector.report import Dimension

    with EngineProcess() as engine:

        def infer(given: "Mapping[str, int]") -> Shapes:
            return engine.shapes(path, tuple(Dimension(*each) for each in given.items()))

        return estimate(model, infer, usual_lengths(model.inputs, lengths))


def as_plain(model: "Model", known: "Facts", sha256: str) -> dict[str, Any]:
    """Return the object of schema model/1, of dictionaries, lists and plain values only."""
    return {
        "schema": SCHEMA,
        "format": model.format,
        "name": model.name,
        "graph_name": model.graph_name,
        "ir_version": model.ir_version,
        "opsets": {opset.domain or "ai.onnx": opset.version for opset in model.opsets},
        "producer": model.producer,
        "producer_version": model.producer_version,
        "domain": model.domain,
        "version": model.version,
        "doc": model.doc,
        "size_bytes": model.size_bytes,
        "sha256": sha256,
        "parameters": model.parameters,
        "constants": known.constants,
        "weights_bytes": known.weights_bytes,
        "inputs": [_value(value) for value in model.inputs],
        "outputs": [_value(value) for value in model.outputs],
        "defaults": [_value(value) for value in model.defaults],
        "operators": dict(known.operators),
        "layers": len(model.layers),
        "functions": [f"{f.domain}.{f.name}".strip(".") for f in model.functions],
        "precision": {
            "storage_bytes": dict(known.precision.storage),
            "compute_layers": dict(known.precision.compute),
        },
        "metadata": dict(model.metadata),
        **declared(model),
        "requires": _requires(known.requirements),
        "findings": [{"subject": f.subject, "text": f.text} for f in model.findings],
    }


def _value(value: "TensorInfo") -> dict[str, Any]:
    return {
        "name": value.name,
        "kind": value.kind,
        "dtype": value.dtype,
        "shape": None if value.shape is None else list(value.shape),
        "denotation": value.denotation,
        "doc": value.doc,
    }


def _requires(required: "Requirements") -> dict[str, Any]:
    newest = required.by_operators
    return {
        "onnxruntime": required.runtime or None,
        "reason": required.reason,
        "needs": {need.subject: need.runtime or None for need in required.needs},
        "by_operators": {newest.subject: newest.runtime or None} if newest else {},
        "libraries": [
            {"domain": x.domain, "package": x.package or None, "operators": list(x.operators)}
            for x in required.libraries
        ],
        "notes": list(required.notes),
    }
