"""What inspector info says when it is asked: tables, JSON, documents, layers, weights."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from inspector.analysis import layer_search
from inspector.analysis.devices.support_summary import DeviceSupport
from inspector.analysis.facts import weight_compression
from inspector.analysis.facts.model_facts import Facts, facts
from inspector.analysis.facts.quantization import packed_weights
from inspector.analysis.facts.weight_compression import WeightForm
from inspector.analysis.measured.executed_graph import with_original_names
from inspector.app.language.folder import OpenedFolder, open_folder
from inspector.app.language.memory import memory_of_opened
from inspector.backends.values import Progress as Step
from inspector.cli import estimates, gate, pages
from inspector.cli.model_table import print_table
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.cli.runs.info_page import (
    Checksum,
    GetEngine,
    estimated_cost,
    in_time,
    lengths,
    print_page,
)
from inspector.comparison.model_conditions import outcomes
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import OpenWith, OptimizeGraph
from inspector.errors import Cancelled, InspectorError, UnreadableFile
from inspector.formats.folders.reading import main_file
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import digest, located, open_model
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.tensor_statistics import statistics
from inspector.model.tensors.value_patterns import PatternReader
from inspector.pages.blocks import Page, Section
from inspector.pages.language.folder import folder_page
from inspector.pages.language.memory import memory_sections
from inspector.pages.lists.model_rows import ModelRow
from inspector.pages.model import support
from inspector.pages.model.layers import found_page
from inspector.pages.model.page import model_page
from inspector.pages.model.support import validation
from inspector.pages.model.weights import weights
from inspector.pages.models import model_row
from inspector.platform import files
from inspector.platform.settings import library_folder
from inspector.preview.identity import identify
from inspector.preview.preprocessing import saved
from inspector.render.documents import document
from inspector.render.registry import Subject, format_for
from inspector.render.tables import model_json
from inspector.render.tables.folder_json import folder_json
from inspector.render.tables.memory_json import memory_fields
from inspector.report.compatibility import PROGRAMS, CompatibilityResult
from inspector.report.library import Library
from inspector.report.run_spec import RunSpec
from inspector.wording import stored


def show(
    path: Path,
    options: argparse.Namespace,
    engine: GetEngine,
    around: Callable[[Page], Page] = lambda page: page,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Print what is known of one model. Raises UnreadableFile.

    around: makes the page of a folder of that of its main graph. more: what else is in the
    JSON.
    """
    try:
        model = saved.with_meanings(path, open_model(path))
    except UnreadableFile:
        if options.verdicts and not options.json:
            pages.show_section(validation(loaded_with_programs(path, options)))
        raise
    judge(model, str(path), options)
    if options.html is not None:
        write_page(path, model, facts(model), options, engine, around)
        return
    if options.json:
        print_json(path, model, facts(model), options, engine, more)
        return
    if options.find is not None:
        inferred: tuple[TensorInfo, ...] = ()
        if not options.no_shapes:
            inferred = estimated_cost(model, path, options, engine()).shapes.values
        pages.show(found_page(model, layer_search.search(model, options.find, inferred)))
        return
    print_page(path, model, options, engine, around)
    for section in asked_for(path, model, options, engine):
        pages.show_section(section)


def show_folder(path: Path, options: argparse.Namespace, engine: GetEngine) -> None:
    """Print what is known of the folder, then of its main graph.

    Raises UnreadableFile, after what is known was printed: the main graph is missing or
    damaged. InspectorError.
    """
    opened = open_folder(path)
    assert opened is not None, "only called for a folder that is one model"
    plain = {"folder": folder_json(opened.folder, opened.graphs, opened.facts)}
    memory = memory_of_opened(opened)
    if memory is not None:
        plain["memory"] = memory_fields(memory)
    main = opened.graphs[0] if opened.graphs else None
    if main is None or main.model is None:
        if options.json:
            print(stored.json_text(plain))
        else:
            pages.show(_folder_page(opened), options.details)
        main_file(path)  # says which file is missing
        assert main is not None
        raise UnreadableFile(f"Could not open {main.part.path.name}", main.problem)
    if not options.no_shapes and options.html is None:
        engine().start_for(main.part.path)  # it loads meanwhile
    show(main.part.path, options, engine, lambda graph: _folder_page(opened, graph), plain)


def show_table(options: argparse.Namespace, engine: GetEngine) -> None:
    """Print one row for each model. Raises InspectorError: some could not be read."""
    rows = []
    for path in options.models:
        try:
            with in_time(path, options):
                rows.append(_row(path, options, engine))
        except Cancelled:
            raise
        except InspectorError as error:
            print(error, file=sys.stderr)
            rows.append(ModelRow(str(path), problem=str(error)))
    print_table(rows, options)
    refused = sum(bool(row.problem) for row in rows)
    if refused:
        sys.stdout.flush()
        many = f"{refused} of {len(rows)} models"
        raise InspectorError(f"Could not read {many}", "see the reasons above")


def exit_where_one_holds(options: argparse.Namespace) -> None:
    """Show the conditions that were judged; SystemExit with status 3 where one holds."""
    shown = sys.stderr if options.json or options.csv == "-" else sys.stdout
    gate.show_conditions(options.judged, shown)
    gate.exit_if_any_holds(options.judged)


def asked_for(
    path: Path, model: Model, options: argparse.Namespace, engine: GetEngine
) -> Iterator[Section]:
    """Yield the sections of --weights, --estimate and --validate as they become known."""
    if options.weights:
        yield weights(model, _forms(model, path, engine))
    device_support = _estimated_support(model, path, options, engine)
    if device_support:
        axes = estimates.fixing(model, {})
        yield from support.device_support(device_support, axes)
    if options.verdicts:
        yield support.validation(loaded_with_programs(path, options))


def write_page(
    path: Path,
    model: Model,
    known: Facts,
    options: argparse.Namespace,
    engine: GetEngine,
    around: Callable[[Page], Page] = lambda page: page,
) -> None:
    """Save the page of a model, or print it. Raises NotSaved."""
    estimate = None if options.no_shapes else estimated_cost(model, path, options, engine())
    more = tuple(asked_for(path, model, options, engine))
    page = around(model_page(model, known, identify(model), estimate, more))
    if options.html == "-":
        print(document(page, "html").decode(), end="")
        return
    form = format_for(Subject.MODEL, Path(options.html)).id
    files.write_atomic(Path(options.html), document(page, form))
    print(options.html)


def print_json(
    path: Path,
    model: Model,
    facts: Facts,
    options: argparse.Namespace,
    engine: GetEngine,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Print one JSON object with only the requested parts."""
    checksum = None if options.no_hash else Checksum(path)
    estimate = None
    if not options.no_shapes:
        estimate = estimated_cost(model, path, options, engine())
        facts = msgspec.structs.replace(facts, precision=estimate.precision)
    device_support = _estimated_support(model, path, options, engine)
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
    verdicts = loaded_with_programs(path, options)
    plain |= model_json.computed(estimate) if estimate else {}
    plain |= {"devices": model_json.devices(device_support)} if device_support else {}
    plain |= {"verdicts": model_json.validation(verdicts)} if verdicts else {}
    print(stored.json_text(plain | dict(more)))


def judge(model: Model, name: str, options: argparse.Namespace) -> None:
    """Hold a model against the conditions of --fail-if; `options.judged` keeps the outcomes."""
    if options.conditions:
        options.judged += outcomes(options.conditions, model, name)


def loaded_with_programs(
    path: Path, options: argparse.Namespace
) -> tuple[CompatibilityResult, ...]:
    """Load the file with each program of --validate, in an engine process of its own."""
    if not options.verdicts:
        return ()

    libraries = tuple(options.custom_ops)
    with EngineProcess(limits=option_types.limits(options)) as engine:
        return tuple(
            engine.call(OpenWith(path, program, libraries=libraries)) for program in PROGRAMS
        )


def _row(path: Path, options: argparse.Namespace, engine: GetEngine) -> ModelRow:
    """Return the table row of one model. Raises UnreadableFile."""
    with located(path) as file:
        model = saved.with_meanings(path, open_model(file))
        judge(model, str(path), options)
        sha256 = "" if options.no_hash else digest(file)
        estimate = None if options.no_shapes else estimated_cost(model, file, options, engine())
        support = _estimated_support(model, file, options, engine)
    report = Library(library_folder()).latest("report", sha256) if sha256 else None
    p50_ns = report.median_ns or None if report is not None else None
    return model_row(path, model, sha256, estimate, p50_ns, support)


def _forms(model: Model, path: Path, engine: GetEngine) -> tuple[WeightForm, ...]:
    """Return how each weight is stored, with its values and the optimized graph looked at."""
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
            made = engine().call(OptimizeGraph(path, RunSpec()))
            optimized = with_original_names(made.model, made.graph, model)
        except Cancelled:
            raise
        except InspectorError as error:
            note = f"note: it is unknown how the runtime loads the weights: {error}"
            print(note, file=sys.stderr)
    return weight_compression.weight_forms(model, patterns, optimized)


def _estimated_support(
    model: Model, path: Path, options: argparse.Namespace, engine: GetEngine
) -> tuple[DeviceSupport, ...]:
    """Return the support of the devices of --estimate, from their tables."""
    if options.devices is None:
        return ()

    from inspector.cli import device_tables  # 70 ms

    sizes = lengths(model, options)
    return device_tables.supports(model, path, options.devices, sizes, engine())


def _folder_page(opened: OpenedFolder, main: Page | None = None) -> Page:
    headline = main.verdict.value if main is not None and main.verdict is not None else ""
    memory = memory_of_opened(opened)
    more = () if memory is None else memory_sections(memory)
    return folder_page(opened.folder, opened.graphs, opened.facts, headline, main, more)
