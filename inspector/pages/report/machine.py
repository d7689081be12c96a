"""Sections around a measurement: prediction, output check, other devices, settings."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from inspector import units
from inspector.comparison.comparison import properties
from inspector.model.tensors.agreement import CheckedOutput
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Picture,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.improvement import candidates_section, target_tables
from inspector.pages.on_devices.support import TONES
from inspector.pages.outputs.folder import files_section
from inspector.pages.quantities import setting
from inspector.pages.report.machine_load import energy_fact, load_facts
from inspector.pages.tables import table_of
from inspector.preview.inputs import image_files
from inspector.preview.inputs.feeds import Filled
from inspector.preview.runs.folder import FolderResult
from inspector.preview.runs.folder import Row as FolderRow
from inspector.report.model_results import ModelResults
from inspector.report.report import PerformanceReport
from inspector.wording.values import (
    Count,
    Joined,
    Name,
    Number,
    Sentence,
    Size,
    Tone,
    Toned,
    Value,
)

_GROUPS = {"settings": "Settings", "machine": "Machine and software", "model": "Model"}
_ALL = Limits(terminal=40, document=40)


def measured(report: PerformanceReport) -> Sentence:
    """Return when, with which runtime and on which machine a report was measured."""
    environment = report.environment
    return Sentence(
        "{date} with {runtime} on {cpu}, {cores}, {memory}, {system}",
        date=report.created[:16].replace("T", " "),
        runtime=Name(environment.runtime_text),
        cpu=Name(environment.cpu),
        cores=Count(environment.cores, "core"),
        memory=Size(environment.memory_bytes),
        system=Name(environment.system),
    )


def preview(report: PerformanceReport) -> Section:
    """Return what Preview showed when the report was exported."""
    seen = report.previewed
    if seen is None:
        return Section("preview", "", ())
    columns = Column("class", "Class"), Column("probability", "Probability", Side.RIGHT)
    rows = tuple(Row((Name(name), share)) for name, share in seen.answers)
    blocks: list[Block] = []
    if seen.caution:
        blocks.append(Text(seen.caution, Tone.CAUTION, "Caution"))
    if seen.is_whole:
        pixels = np.frombuffer(seen.pixels, np.uint8).reshape(seen.height, seen.width, 3)
        png = image_files.png(pixels)
        blocks.append(Picture(png, seen.width, seen.height, "The input image"))
    blocks.append(Table(columns, rows, _ALL, "class"))
    aside = Sentence("{source}, not part of the timing", Name(seen.source))
    return Section("preview", "Prediction in Preview", tuple(blocks), Rank.DOCUMENT, aside)


def declared(report: PerformanceReport) -> Iterator[Section]:
    """Yield what a caller gives and gets, and what is odd about the file."""
    known = report.model_results or ModelResults()
    columns = (
        Column("name", "Name", stretch=True),
        Column("type", "Type"),
        Column("shape", "Shape", digits=True),
    )
    for id_, title, values, noun in (
        ("model_inputs", "Inputs", known.inputs, "input"),
        ("model_outputs", "Outputs", known.outputs, "output"),
    ):
        rows = (Row((Name(v.name), Name(v.dtype), Name(v.shape))) for v in values)
        blocks = table_of(columns, tuple(rows), _ALL, noun)
        yield Section(id_, title, blocks, Rank.DOCUMENT, half=True)
    found = tuple(Item(Name(each), sign="!", tone=Tone.CAUTION) for each in known.findings)
    blocks = (Items(found, _ALL, "problem"),) if found else ()
    yield Section("findings", "Problems in the file", blocks, Rank.DOCUMENT)


def folder(report: PerformanceReport) -> Section:
    """Return the files that Preview ran, with what the model said of each."""
    known = report.model_results or ModelResults()
    rows = tuple(
        FolderRow(
            each.file, each.answer, each.score, each.top, each.wanted,
            problem=each.problem, of_box=each.of_box,
        )
        for each in known.files
    )  # fmt: skip
    section = files_section(FolderResult(report.model.name, rows))
    counted: Value = Count(known.file_count, "file")
    if known.file_count > len(rows):
        counted = Sentence("{shown} of {files}", Count(len(rows)), counted)
    aside = Sentence("{folder}, {files}, not part of the timing", Name(known.folder), counted)
    return replace(
        section, id="folder", title="Files run in Preview", rank=Rank.DOCUMENT, aside=aside
    )


def targets(report: PerformanceReport) -> Section:
    """Return which kinds of devices run the model, as far as the window knew."""
    answers = report.model_results.targets if report.model_results is not None else ()
    columns = (
        Column("device", "Device"),
        Column("provider", "Provider", keep=5),
        Column("answer", "Answer"),
        Column("layers", "Layers", Side.RIGHT),
        Column("reason", "What runs where", stretch=True, keep=4),
    )
    rows = tuple(
        Row((
            Name(each.target), Name(each.provider),
            Toned(each.answer, TONES.get(each.answer, Tone.SECONDARY)),
            each.count_text, each.sentence,
        ))
        for each in answers
    )  # fmt: skip
    table = (Table(columns, rows, _ALL, "device"),) if rows else ()
    aside: Value = "estimated from support tables; nothing was run there"
    removed = report.model_results.removed if report.model_results is not None else 0
    if removed:
        without = "{how}; without {layers} that ONNX Runtime removes"
        aside = Sentence(without, how=aside, layers=Count(removed, "layer"))
    return Section("targets", "Device support", table, Rank.DOCUMENT, aside)


def candidates(report: PerformanceReport) -> Section:
    """Return candidates for a smaller or faster model, each compared with the original."""
    results = report.model_results
    improvement = results.improvement if results is not None else None
    if improvement is None or not improvement.candidates:
        return Section("candidates", "", ())
    section = candidates_section(improvement)
    blocks = (*section.blocks, *target_tables(improvement))
    return replace(section, title="Smaller or faster", blocks=blocks)


def inputs(feeds: Sequence[Filled]) -> Section:
    """Return what each input of the model was given."""
    facts = tuple(
        Fact(
            Name(each.name),
            Name(f"{units.shape(each.array.shape)} {each.value}"),
            _origin(each),
        )
        for each in feeds
    )
    return Section("inputs", "Inputs", (Facts(facts),) if facts else ())


def _origin(each: Filled) -> Value:
    """Return what was done to get a value, and whether nobody chose it."""
    parts = (
        Name(each.description) if each.description else "",
        "" if each.given else "by default",
    )
    return Joined(tuple(filter(None, parts)))


def outputs(report: PerformanceReport) -> Section:
    """Return each output compared with that of an unoptimized run on the CPU."""
    columns = (
        Column("output", "Output", stretch=True),
        Column("verdict", "Verdict"),
        Column("error", "Max error", Side.RIGHT),
        Column("tolerance", "Tolerance", Side.RIGHT),
        Column("psnr", "PSNR", Side.RIGHT),
        Column("cosine", "Cosine", Side.RIGHT, keep=5),
        Column("class", "Same class", Side.RIGHT, keep=4),
    )
    rows = tuple(Row((Name(each.name), *_checked(each))) for each in report.outputs)
    table = (Table(columns, rows, _ALL, "output"),) if rows else ()
    aside = "compared with an unoptimized run on the CPU"
    return Section("outputs", "Output check", table, Rank.DOCUMENT, aside)


def _checked(output: CheckedOutput) -> Iterator[Value]:
    """Yield verdict, greatest error, tolerance, PSNR, cosine and agreement of classes."""
    difference = output.difference
    if difference is None or difference.problem:
        problem = "not a tensor" if difference is None else units.clip(difference.problem, 200)
        tone = Tone.BAD if output.over else Tone.PLAIN
        yield from (Toned(problem, tone), "", "", "", "", "")
        return
    verdict = "identical" if difference.identical else "right"
    yield Toned("wrong", Tone.BAD) if output.over else verdict
    yield "" if difference.max_abs is None else f"{difference.max_abs:.3g}"
    yield "" if difference.peak is None else f"{output.tolerance * difference.peak:.3g}"
    no_psnr = difference.psnr_db is None or difference.identical
    yield "" if no_psnr else Number(difference.psnr_db or 0.0, "dB")
    yield "" if difference.cosine is None else f"{difference.cosine:.6f}"
    yield "" if difference.top1 is None else f"{100 * difference.top1:.0f}%"


def settings(report: PerformanceReport) -> Section:
    """Return the settings of the measurement, the machine and the model."""
    facts = properties(report)
    blocks: list[Block] = []
    for group, title in _GROUPS.items():
        blocks.append(Text(title, strong=True))
        rows = [Fact(name, setting(text)) for of, name, text in facts if of == group]
        energy = energy_fact(report) if group == "machine" else None
        rows += [energy] if energy is not None else []
        rows += load_facts(report) if group == "machine" else ()
        blocks.append(Facts(tuple(rows)))
    devices = tuple(
        Fact(units.device(each.id), Name(each.name), Name(f"{each.provider}, {each.source}"))
        for each in report.devices
    )
    blocks += [Text("Devices", strong=True), Facts(devices)] if devices else []
    inspector = Sentence(
        "Measured by Inspector {version} at {time}. Latency is from runs without the profiler, "
        "layer times from a separate session with it.",
        Name(report.environment.inspector),
        Name(report.created),
    )
    blocks.append(Text(inspector, Tone.SECONDARY))
    title = "Settings and machine"
    return Section("settings", title, tuple(blocks), Rank.FOLDED)
