"""inspector info: show a model's inputs, outputs, operators, precision and compute cost."""

import argparse
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli import option_types, pages, session_options
from inspector.cli.arguments import add_dimensions, checked_dimensions
from inspector.cli.command_timer import ended_after
from inspector.cli.option_types import add_renamed
from inspector.errors import BadInput
from inspector.export.registry import Subject, format_for
from inspector.export.tables.model_table import SORT_KEYS, expanded
from inspector.formats.model_formats import model_suffixes

if TYPE_CHECKING:
    from inspector.analysis.cost.estimate import Estimate
    from inspector.analysis.devices.support_summary import DeviceSupport
    from inspector.analysis.facts.model_facts import Facts
    from inspector.analysis.facts.weight_compression import WeightForm
    from inspector.comparison.ci_conditions import Condition
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.errors import InspectorError
    from inspector.export.tables.model_table import ModelRow
    from inspector.model.model import Model, TensorInfo
    from inspector.pages.blocks import Page, Section
    from inspector.report.compatibility import CompatibilityResult

    GetEngine = Callable[[], EngineProcess]

SCHEMA = "model/1"
_LOOK_SECONDS = 0.1  # between two looks at how far the SHA-256 is


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "models",
        type=Path,
        nargs="+",
        metavar="MODEL",
        help="model file, model in an archive (a.zip/net.onnx), or folder or pattern "
        "('models/*.onnx') whose models are all listed in a table",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help=f"print JSON (schema {SCHEMA}), one line for each model",
    )
    add_dimensions(parser, "size of a dynamic axis, for the cost estimate")
    add_renamed(
        parser,
        "--estimate",
        "--devices",
        metavar="ID,ID",
        dest="devices",
        help="estimate from support tables which layers these devices can run: all or cuda, "
        "tensorrt, tensorrt-rtx, directml, migraphx, webgpu, webnn, coreml, coreml-mlprogram, "
        "openvino, openvino-gpu, qnn, vitisai, nnapi, xnnpack",
    )
    parser.add_argument(
        "--no-shapes",
        action="store_true",
        help="skip shape inference and the cost estimate",
    )
    parser.add_argument(
        "--no-hash",
        action="store_true",
        help="skip the SHA-256, which reads the whole file (minutes for 100 GB)",
    )
    parser.add_argument(
        "--everything",
        action="store_true",
        help="with --json: all fields of each layer, weight, value and subgraph",
    )
    parser.add_argument(
        "--find",
        metavar="EXPR",
        help="list only matching layers: words, op:Conv, name:head*, type:float16, a shape "
        "(1x*x122x122), an attribute (group=32), /regular expression/, or layers in a "
        "row ('MatMul -> * -> Softmax')",
    )
    parser.add_argument(
        "--weights",
        action="store_true",
        help="read all weights and show how each is stored (linear per tensor, channel "
        "or block; "
        "lookup table; sparse; N:M sparse), how much space that saves, and how ONNX Runtime "
        "loads it; also finds these patterns in weights stored as plain values",
    )
    parser.add_argument(
        "--table", action="store_true", help="print one row per model, even for a single file"
    )
    parser.add_argument(
        "--sort",
        type=option_types.one_of(tuple(SORT_KEYS)),
        metavar="COLUMN",
        help=f"sort the table by {', '.join(SORT_KEYS)}; numbers are sorted from largest to "
        "smallest",
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="save one page with the facts, graph and layers of the model: .html, .md or .pdf; "
        "'-' prints it as HTML",
    )
    parser.add_argument("--csv", metavar="FILE", help="save the table as CSV; '-' prints it")
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=_condition,
        metavar="CONDITION",
        dest="conditions",
        help="fail with exit status 3 if CONDITION is true, such as 'model.size>100MB', "
        "'opset<13', 'external.files>0' or 'operators.Loop>0'; repeatable",
    )
    pages.add_details(parser)
    option_types.add_time_limit(parser, "the work on a model")
    add_renamed(
        parser,
        "--validate",
        "--verdicts",
        action="store_true",
        dest="verdicts",
        help="load the model with onnx, onnx.checker, shape inference and ONNX Runtime, each "
        "in its own process, and report errors",
    )
    session_options.add_setting(
        parser,
        "custom_ops",
        words="with --validate: library that provides custom operators of the model; its code "
        "runs in the engine process, so give only one you trust",
    )


def _condition(text: str) -> "Condition":
    from inspector.comparison.model_conditions import parse

    try:
        return parse(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _judge(model: "Model", name: str, options: argparse.Namespace) -> None:
    """Hold a model against the conditions of --fail-if; `options.judged` keeps the outcomes."""
    if options.conditions:
        from inspector.comparison.model_conditions import outcomes

        options.judged += outcomes(options.conditions, model, name)


def run(options: argparse.Namespace) -> None:
    """Print what is known of models; SystemExit with status 3 where a condition holds."""
    options.judged = []
    _run(options)
    if options.judged:
        from inspector.cli import gate

        shown = sys.stderr if options.json or options.csv == "-" else sys.stdout
        gate.show_conditions(options.judged, shown)
        gate.exit_if_any_holds(options.judged)


def _run(options: argparse.Namespace) -> None:
    """Print what is known of models: first what their files say, then what has to be computed.

    One engine process serves them all. Raises InspectorError: some could not be read.
    """
    from inspector.errors import Cancelled, InspectorError
    from inspector.formats.opening import located
    from inspector.platform.gc_policy import uncollected

    if options.find is not None:
        from inspector.analysis.layer_search import parse

        parse(options.find)  # a mistake in it is no fault of any model

    refused = 0
    options.models, several = expanded(options.models, model_suffixes())
    if options.html is not None and (several or len(options.models) > 1):
        raise BadInput(
            "Could not write the page",
            "--html accepts only one model",
            "Specify a single model file.",
        )
    if options.html == options.csv == "-":
        raise BadInput(
            "Could not print both the table and the page",
            "--csv - and --html - would mix them",
            "Save one to a file: --html page.html.",
        )
    wants_table = bool(several or options.table or options.sort or options.csv)
    with ExitStack() as stack:
        stack.enter_context(uncollected())  # a fifth of the time at 100,000 inputs

        @cache
        def engine() -> "EngineProcess":
            from inspector.cli.progress import Progress
            from inspector.engine.client.engine_process import (
                EngineProcess,  # slow, and not always needed
            )

            progress = stack.enter_context(Progress(sys.stderr))
            limits = option_types.limits(options)
            # A third of what reading has left for inferring shapes, one for the second try,
            # piece by piece, and one for what is computed from them.
            limits = replace(limits, job_seconds=limits.rest_seconds / 3)
            if len(options.models) > 1:  # each has the time to itself
                limits = replace(limits, until=0.0)
            return stack.enter_context(
                EngineProcess(
                    progress.show_stall, limits, reads=options.models, shapes_first=True
                )
            )

        if wants_table:
            _tell_table(options, engine)
            if options.html is None:
                return
            options.conditions = []  # they are judged with the table
        for number, path in enumerate(options.models):
            if number and not options.json:
                print()
            try:
                with _in_time(path, options), located(path) as model_path:
                    if not options.no_shapes and options.html is None:
                        engine().start_for(model_path)  # it loads while the file is read
                    _tell(model_path, options, engine)
            except InspectorError as error:
                if isinstance(error, Cancelled) or len(options.models) == 1:
                    raise
                sys.stdout.flush()
                print(error, file=sys.stderr)
                refused += 1
    if refused:
        many = f"{refused} of {len(options.models)} models"
        raise InspectorError(f"Could not read {many}", "see the reasons above")


def _in_time(path: Path, options: argparse.Namespace) -> "AbstractContextManager[None]":
    """Return a block that ends when the time for one model is over, with an InspectorError."""
    from inspector.units import clip

    return ended_after(options.time_limit, f"Could not finish {clip(path.name)}")


def _tell_table(options: argparse.Namespace, engine: "GetEngine") -> None:
    """Print one row for each model. Raises InspectorError: some could not be read."""
    from inspector.cli.model_table import print_table
    from inspector.errors import Cancelled, InspectorError
    from inspector.export.tables import model_table

    rows = []
    for path in options.models:
        try:
            with _in_time(path, options):
                rows.append(_row(path, options, engine))
        except Cancelled:
            raise
        except InspectorError as error:
            print(error, file=sys.stderr)
            rows.append(model_table.ModelRow(str(path), problem=str(error)))
    print_table(rows, options)
    refused = sum(bool(row.problem) for row in rows)
    if refused:
        sys.stdout.flush()
        many = f"{refused} of {len(rows)} models"
        raise InspectorError(f"Could not read {many}", "see the reasons above")


def _row(path: Path, options: argparse.Namespace, engine: "GetEngine") -> "ModelRow":
    """Return the table row of one model. Raises UnreadableFile."""
    from inspector.export.tables.model_table import model_row
    from inspector.formats.opening import digest, located, open_model
    from inspector.preview.preprocessing import saved
    from inspector.report.library import Library, default_folder

    with located(path) as file:
        model = saved.with_meanings(path, open_model(file))
        _judge(model, str(path), options)
        sha256 = "" if options.no_hash else digest(file)
        estimate = None if options.no_shapes else _estimated(model, file, options, engine())
        support = _asked(model, file, options, engine)
    report = Library(default_folder()).latest("report", sha256) if sha256 else None
    p50_ns = report.median_ns or None if report is not None else None
    return model_row(path, model, sha256, estimate, p50_ns, support)


def _tell(path: Path, options: argparse.Namespace, engine: "GetEngine") -> None:
    """Print what is known of one model. Raises UnreadableFile."""
    from inspector.analysis.facts.model_facts import facts
    from inspector.errors import UnreadableFile
    from inspector.formats.opening import open_model
    from inspector.preview.preprocessing import saved

    try:
        model = saved.with_meanings(path, open_model(path))
    except UnreadableFile:
        if options.verdicts and not options.json:
            from inspector.pages.model.support import validation

            pages.show_section(validation(_verdicts(path, options)))
        raise
    _judge(model, str(path), options)
    known = facts(model)
    if options.html is not None:
        _write_page(path, model, known, options, engine)
        return
    if options.json:
        _tell_json(path, model, known, options, engine)
        return
    if options.find is not None:
        _tell_found(path, model, options, engine)
        return
    pages.show(_page(model, known, options), options.details)
    sys.stdout.flush()
    checksum = None if options.no_hash else _Checksum(path)
    if not options.no_shapes:
        from inspector.pages.model.computed import computed
        from inspector.pages.model.layers import layers

        estimate = _estimated(model, path, options, engine())
        pages.show_section(computed(estimate))
        if options.details:
            pages.show_section(layers(model, estimate))
    if checksum is not None:
        print(f"\nSHA-256  {checksum.wait()}", flush=True)
    for section in _asked_for(path, model, options, engine):
        pages.show_section(section)


def _page(model: "Model", known: "Facts", options: argparse.Namespace) -> "Page":
    """Return what the file says; what has to be computed follows."""
    from inspector.pages.model.page import model_page
    from inspector.preview.identity import identify

    page = model_page(model, known, identify(model), types_follow=not options.no_shapes)
    if options.no_shapes:
        return page
    sections = tuple(section for section in page.sections if section.id != "layers")
    return replace(page, sections=sections)


def _tell_found(
    path: Path, model: "Model", options: argparse.Namespace, engine: "GetEngine"
) -> None:
    """Print the layers that --find finds."""
    from inspector.analysis import layer_search
    from inspector.pages.model.layers import found_page

    inferred: tuple[TensorInfo, ...] = ()
    if not options.no_shapes:
        inferred = _estimated(model, path, options, engine()).shapes.values
    pages.show(found_page(model, layer_search.search(model, options.find, inferred)))


def _asked_for(
    path: Path, model: "Model", options: argparse.Namespace, engine: "GetEngine"
) -> "Iterator[Section]":
    """Yield the sections of --weights, --estimate and --validate as they become known."""
    if options.weights:
        from inspector.pages.model.weights import weights

        yield weights(model, _forms(model, path, engine))
    device_support = _asked(model, path, options, engine)
    if device_support:
        from inspector.cli import estimates
        from inspector.pages.model import support

        axes = estimates.fixing(model, {})
        yield from support.device_support(device_support, axes)
    if options.verdicts:
        from inspector.pages.model import support

        yield support.validation(_verdicts(path, options))


def _write_page(
    path: Path,
    model: "Model",
    known: "Facts",
    options: argparse.Namespace,
    engine: "GetEngine",
) -> None:
    """Save the page of a model, or print it. Raises NotSaved."""
    from inspector.pages.model.page import model_page
    from inspector.platform import files
    from inspector.preview.identity import identify
    from inspector.render.documents import document

    estimate = None if options.no_shapes else _estimated(model, path, options, engine())
    more = tuple(_asked_for(path, model, options, engine))
    page = model_page(model, known, identify(model), estimate, more)
    if options.html == "-":
        print(document(page, "html").decode(), end="")
        return
    form = format_for(Subject.MODEL, Path(options.html)).id
    files.write_atomic(Path(options.html), document(page, form))
    print(options.html)


def _tell_json(
    path: Path,
    model: "Model",
    facts: "Facts",
    options: argparse.Namespace,
    engine: "GetEngine",
) -> None:
    """Print one JSON object with only the requested parts."""
    import msgspec

    from inspector.analysis import layer_search
    from inspector.export.tables import model_json
    from inspector.wording import stored

    checksum = None if options.no_hash else _Checksum(path)
    estimate = None
    if not options.no_shapes:
        estimate = _estimated(model, path, options, engine())
        facts = msgspec.structs.replace(facts, precision=estimate.precision)
    device_support = _asked(model, path, options, engine)
    sha256 = checksum.wait() if checksum is not None else None
    plain = model_json.model_json(model, facts, sha256)
    if options.everything:
        plain |= {"everything": model_json.everything(model)}
    if options.weights:
        plain |= {"weights": model_json.weights(model, _forms(model, path, engine))}
    if options.find is not None:
        inferred = estimate.shapes.values if estimate is not None else ()
        layers = layer_search.search(model, options.find, inferred)
        plain |= {"found": model_json.found(layers)}
    verdicts = _verdicts(path, options)
    plain |= model_json.computed(estimate) if estimate else {}
    plain |= {"devices": model_json.devices(device_support)} if device_support else {}
    plain |= {"verdicts": model_json.validation(verdicts)} if verdicts else {}
    print(stored.json_text(plain))


def _forms(model: "Model", path: Path, engine: "GetEngine") -> "tuple[WeightForm, ...]":
    """Return how each weight is stored, with its values and the optimized graph looked at."""
    from inspector.analysis.facts import weight_compression
    from inspector.analysis.facts.quantization import packed_weights
    from inspector.backends.values import Progress as Step
    from inspector.cli.progress import Progress
    from inspector.errors import Cancelled, InspectorError
    from inspector.formats.onnx.weight_values import WeightReader
    from inspector.model.tensors.tensor_statistics import statistics
    from inspector.model.tensors.value_patterns import PatternReader
    from inspector.report.run_spec import RunSpec

    patterns, optimized = {}, None
    with WeightReader(path) as reader, Progress(sys.stderr) as progress:
        for place, weight in enumerate(model.weights):
            progress.show(Step("weights", place / len(model.weights)))
            pieces = PatternReader(weight.stored_shape)
            try:
                values = statistics(pieces.passed_on(reader.read(weight)))
            except Cancelled:
                raise
            except InspectorError:  # the table then says nothing of its values
                continue
            patterns[place] = pieces.pattern(values)
    if model.format == "onnx" and any(packed_weights(model)):
        try:
            optimized = engine().executed_graph(path, model, RunSpec())[0]
        except Cancelled:
            raise
        except InspectorError as error:
            print(
                f"note: it is unknown how the runtime loads the weights: {error}",
                file=sys.stderr,
            )
    return weight_compression.weight_forms(model, patterns, optimized)


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
        from inspector.backends.values import Progress as Step
        from inspector.cli.progress import Progress

        with Progress(sys.stderr) as progress:
            while self._thread.is_alive():
                self._thread.join(_LOOK_SECONDS)
                progress.show(Step("checksum", min(1.0, self._read / self._size)))
        if isinstance(self._found, str):
            return self._found
        raise self._found

    def _compute(self) -> None:
        from inspector.errors import InspectorError
        from inspector.formats.opening import digest

        def count(size_bytes: int) -> None:
            self._read += size_bytes

        try:
            self._found = digest(self._path, count)
        except InspectorError as error:
            self._found = error


def _verdicts(path: Path, options: argparse.Namespace) -> "tuple[CompatibilityResult, ...]":
    """Load the file with each program of --validate, in an engine process of its own."""
    if not options.verdicts:
        return ()
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.report.compatibility import PROGRAMS

    libraries = tuple(options.custom_ops)
    with EngineProcess(limits=option_types.limits(options)) as engine:
        return tuple(engine.verdict(path, program, libraries=libraries) for program in PROGRAMS)


def _asked(
    model: "Model", path: Path, options: argparse.Namespace, engine: "GetEngine"
) -> "tuple[DeviceSupport, ...]":
    """Return the support of the devices of --estimate, from their tables."""
    if options.devices is None:
        return ()
    from inspector.cli import estimates

    names = estimates.requested_devices(options.devices, model)
    return estimates.supports(model, path, names, _lengths(model, options), engine())


def _estimated(
    model: "Model", path: Path, options: argparse.Namespace, engine: "EngineProcess"
) -> "Estimate":
    from inspector.cli.estimates import estimated

    return estimated(model, path, _lengths(model, options), engine)


def _lengths(model: "Model", options: argparse.Namespace) -> dict[str, int]:
    """Return the lengths of --dim; of several models, those of the axes that this one has.

    Raises BadInput: the only model has no such axis.
    """
    if len(options.models) == 1:
        return checked_dimensions(options, model)
    from inspector.model.axes import free_axes

    names = free_axes(model.inputs)
    return {name: size for name, size in options.dimensions if name in names}
