"""inspector info: tell what model files say about themselves, and what follows from it."""

import argparse
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli.info_declared import declared, everything
from inspector.cli.inputs import add_dimensions

if TYPE_CHECKING:
    from inspector.analysis import Facts, Requirements
    from inspector.analysis.estimate import Estimate
    from inspector.analysis.support_summary import DeviceSupport
    from inspector.engine.process import EngineProcess
    from inspector.errors import InspectorError
    from inspector.model import Model, TensorInfo
    from inspector.verdicts import Verdict

    GetEngine = Callable[[], EngineProcess]

SCHEMA = "model/1"
_PIPE_COLUMNS = 100
_LOOK_SECONDS = 0.1  # between two looks at how far the SHA-256 is


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL")
    parser.add_argument(
        "--json",
        action="store_true",
        help=f"print one object, {SCHEMA}, a line for each model",
    )
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
        "--no-hash",
        action="store_true",
        help="do not read the whole file for its SHA-256, which takes minutes for 100 GB",
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
    """Print what is known of models: first what their files say, then what has to be computed.

    One engine process serves them all. Raises InspectorError: some could not be read.
    """
    from inspector.errors import Cancelled, InspectorError
    from inspector.readers import located

    refused = 0
    with ExitStack() as stack:

        @cache
        def engine() -> "EngineProcess":
            from inspector.engine.process import EngineProcess  # slow, and not always needed

            return stack.enter_context(EngineProcess(reads=options.models))

        for number, path in enumerate(options.models):
            if number and not options.json:
                print()
            try:
                with located(path) as model_path:
                    _tell(model_path, options, engine)
            except InspectorError as error:
                if isinstance(error, Cancelled) or len(options.models) == 1:
                    raise
                sys.stdout.flush()
                print(error, file=sys.stderr)
                refused += 1
    if refused:
        many = f"{refused} of {len(options.models)} models"
        raise InspectorError(f"Could not tell about {many}", "the reasons are above")


def _tell(path: Path, options: argparse.Namespace, engine: "GetEngine") -> None:
    """Print what is known of one model. Raises UnreadableFile."""
    from inspector.analysis import facts
    from inspector.errors import UnreadableFile
    from inspector.readers import open_model

    try:
        model = open_model(path)
    except UnreadableFile:
        if options.verdicts and not options.json:
            _print_verdicts(_verdicts(path, options))
        raise
    known = facts(model)
    if options.json:
        _tell_json(path, model, known, options, engine)
        return
    from inspector.cli import info_devices, info_text

    columns, bold = _columns(), sys.stdout.isatty()
    later = not options.no_shapes
    print(info_text.text(model, known, columns, bold, precision=not later))
    sys.stdout.flush()
    checksum = None if options.no_hash else _Checksum(path)
    if later or checksum is not None:
        print(f"\n{info_text.heading('Computed', bold)}", flush=True)
    if later:
        found = _estimated(model, path, dict(options.dimensions), engine())
        print("\n".join(info_text.computed(known, found, columns)), flush=True)
    if checksum is not None:
        print("\n".join(info_text.checksum(checksum.wait())), flush=True)
    asked = _asked(model, path, options, engine)
    if asked:
        print("\n".join(info_devices.lines(model, asked, columns)))
    if options.verdicts:
        print()
        _print_verdicts(_verdicts(path, options))


def _tell_json(
    path: Path,
    model: "Model",
    known: "Facts",
    options: argparse.Namespace,
    engine: "GetEngine",
) -> None:
    checksum = None if options.no_hash else _Checksum(path)
    found = None
    if not options.no_shapes:
        found = _estimated(model, path, dict(options.dimensions), engine())
        known = replace(known, precision=found.precision)
    asked = _asked(model, path, options, engine)
    plain = as_plain(model, known, checksum.wait() if checksum is not None else None)
    plain |= {"everything": everything(model)} if options.everything else {}
    _print_json(plain, found, asked, _verdicts(path, options))


class _Checksum:
    """The SHA-256 of a file, computed on a thread while other things are."""

    def __init__(self, path: Path) -> None:
        self._path, self._size = path, max(1, path.stat().st_size)
        self._read = 0
        self._found: str | InspectorError = ""
        self._thread = threading.Thread(target=self._compute, name="SHA-256", daemon=True)
        self._thread.start()

    def wait(self) -> str:
        """Return the digest; a terminal sees how it comes along. Raises UnreadableFile."""
        from inspector.cli.progress import Progress
        from inspector.engine.values import Progress as Step

        with Progress(sys.stderr) as progress:
            while self._thread.is_alive():
                self._thread.join(_LOOK_SECONDS)
                progress.show(Step("checksum", min(1.0, self._read / self._size)))
        if isinstance(self._found, str):
            return self._found
        raise self._found

    def _compute(self) -> None:
        from inspector.errors import InspectorError
        from inspector.readers import digest

        def count(size_bytes: int) -> None:
            self._read += size_bytes

        try:
            self._found = digest(self._path, count)
        except InspectorError as error:
            self._found = error


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


def _verdicts(path: Path, options: argparse.Namespace) -> "tuple[Verdict, ...]":
    if not options.verdicts:
        return ()
    from inspector.cli import info_verdicts

    return info_verdicts.asked(path)


def _print_verdicts(verdicts: "tuple[Verdict, ...]") -> None:
    from inspector.cli import info_verdicts

    print("\n".join(info_verdicts.lines(verdicts, _columns())))


def _asked(
    model: "Model", path: Path, options: argparse.Namespace, engine: "GetEngine"
) -> "tuple[DeviceSupport, ...]":
    """What the devices of --devices would take of the model."""
    if options.devices is None:
        return ()
    from inspector.cli import info_devices

    names = info_devices.asked(options.devices)
    lengths = dict(options.dimensions)
    return info_devices.supports(model, path, names, lengths, engine())


def _estimated(
    model: "Model", path: Path, lengths: "Mapping[str, int]", engine: "EngineProcess"
) -> "Estimate":
    """Infer shapes in an engine; what it cannot do becomes a note."""
    from inspector.analysis.estimate import estimate
    from inspector.analysis.shapes import Shapes, allowed_seconds
    from inspector.cli.progress import Progress
    from inspector.engine.values import Progress as Step
    from inspector.preview.usual import lengths as usual_lengths
    from inspector.report import Dimension

    def infer(given: "Mapping[str, int]") -> Shapes:
        dimensions = tuple(Dimension(*each) for each in given.items())
        return engine.shapes(path, dimensions, allowed_seconds(model))

    with Progress(sys.stderr) as progress:
        progress.show(Step("shapes and cost", -1))
        return estimate(model, infer, usual_lengths(model.inputs, lengths))


def as_plain(model: "Model", known: "Facts", sha256: str | None) -> dict[str, Any]:
    """Return the object of schema model/1, of dictionaries, lists and plain values only.

    sha256: None where it was not computed.
    """
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
