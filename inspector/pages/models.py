"""Pages of several models: a row for each, and folders compared with each other."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.devices.support_summary import DeviceSupport
from inspector.analysis.facts.model_facts import storage
from inspector.analysis.facts.quantization import number_types
from inspector.comparison.ci_conditions import Outcome
from inspector.comparison.file_pairs import FilePair
from inspector.model.model import Model
from inspector.pages.blocks import (
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.conditions import conditions_section
from inspector.pages.lists.model_rows import ModelRow
from inspector.preview.identity import UNREADABLE_WEIGHTS, identify
from inspector.wording.values import (
    Amount,
    Count,
    Duration,
    Joined,
    Name,
    Noted,
    Sentence,
    Size,
    Tone,
    Toned,
    Value,
)

_ALL = Limits(terminal=100_000, document=1000, page=100_000)


def models_page(rows: Sequence[ModelRow]) -> Page:
    """Return a row for each model that could be read, the fastest of each, and duplicates."""
    readable = [row for row in rows if not row.problem]
    same = tuple(Fact(Name(row.path), Name(row.same_as)) for row in readable if row.same_as)
    sections = (
        Section("models", "", (model_table(readable),) if readable else ()),
        Section("fastest", "Lowest median", tuple(_fastest(readable))),
        Section("same", "Same content", (Facts(same),) if same else (), aside=Count(len(same))),
    )
    return Page("models", Count(len(rows), "model"), sections)


def model_row(
    path: Path,
    model: Model,
    sha256: str,
    estimate: Estimate | None,
    p50_ns: int | None,
    support: Sequence[DeviceSupport] = (),
) -> ModelRow:
    """Return the row of a model. path: how the user named it."""
    stored, identity = storage(model.distinct_weights), identify(model)
    task = identity.headline if identity.known else ""
    if any(each.statement == UNREADABLE_WEIGHTS for each in identity.evidence):
        task = f"{task}; {UNREADABLE_WEIGHTS}" if task else UNREADABLE_WEIGHTS
    unknown = (
        estimate is None
        or not estimate.of_graph
        or estimate.macs_formula is None
        or (estimate.cost.unknown and not estimate.macs)
    )
    return ModelRow(
        str(path),
        model.whole_bytes,
        model.parameters,
        None if estimate is None or unknown else estimate.macs,
        len(model.layers),
        number_types(model, stored[0][0]) if stored else "",
        next((opset.version for opset in model.opsets if not opset.domain), None),
        task,
        p50_ns,
        sha256,
        support="; ".join(f"{s.device.id} {s.supported_layers}/{s.layers}" for s in support),
    )


def model_table(rows: Sequence[ModelRow]) -> Table:
    """Return a row for each model; those that cannot be read say so."""
    with_support, by_runtime = (
        any(row.support for row in rows),
        any(row.runtime for row in rows),
    )
    columns = (
        Column("model", "Model", stretch=True, files=True),
        *((Column("runtime", "Runtime"),) * by_runtime),
        Column("size", "Size", Side.RIGHT),
        Column("parameters", "Parameters", Side.RIGHT, keep=4),
        Column("macs", "MACs", Side.RIGHT, keep=5),
        Column("layers", "Layers", Side.RIGHT, keep=1),
        Column("precision", "Stored as", keep=3, help="Data type of most weights"),
        Column("opset", "Opset", Side.RIGHT, keep=2),
        Column("median", "Median", Side.RIGHT,
               help="Median latency of the newest report of this model in the library"),
        *((Column("outputs", "Outputs"),) * by_runtime),
        *((Column("support", "Support"),) * with_support),
        Column("task", "Task", keep=6),
    )  # fmt: skip
    table = tuple(
        Row((
            _name(row),
            *((row.runtime,) * by_runtime),
            "" if row.size_bytes is None else Size(row.size_bytes),
            "" if row.parameters is None else Amount(row.parameters),
            "" if row.macs is None else Amount(row.macs),
            "" if row.layers is None else Count(row.layers),
            row.precision,
            "" if row.opset is None else Count(row.opset),
            "" if row.p50_ns is None else Duration(row.p50_ns),
            *((row.outputs,) * by_runtime),
            *((row.support,) * with_support),
            Noted(Toned("Cannot be read", Tone.BAD), row.problem)
            if row.problem else Noted(row.task.partition(" (")[0], row.task),
        ), Tone.SECONDARY if row.problem else Tone.PLAIN)
        for row in rows
    )  # fmt: skip
    return Table(columns, table, _ALL, "model")


def _name(row: ModelRow) -> Value:
    if not row.same_as:
        return Name(row.path)
    copy = Toned(Joined((Name(row.path), "(duplicate)"), " "), Tone.SECONDARY)
    return Noted(copy, Sentence("Same content as {other}", Name(row.same_as)))


def _fastest(rows: Sequence[ModelRow]) -> Iterator[Text]:
    """Yield which file and runtime of each network had the lowest median with correct outputs.

    Files in one folder that differ only in their suffix are one network.
    """
    networks: dict[Path, list[tuple[int, ModelRow]]] = {}
    for row in rows:
        if row.p50_ns and row.outputs == "correct":
            networks.setdefault(Path(row.path).with_suffix(""), []).append((row.p50_ns, row))
    compared = [timed for timed in networks.values() if len(timed) > 1]
    for timed in compared:
        median_ns, first = min(timed, key=lambda pair: pair[0])
        values: dict[str, Value] = {
            "median": Duration(median_ns),
            "model": Name(Path(first.path).name),
            "runtime": first.runtime,
        }
        yield Text(Sentence("{median}: {model} with {runtime}", **values), strong=True)
    if compared:
        yield Text(
            "The rows were measured one after the other. For an interleaved comparison with a "
            "95% interval, measure one model on two runtimes, or use `--against`.",
            Tone.SECONDARY,
        )


def samples_page(models: Sequence[Mapping[str, Any]]) -> Page:
    """Return the sample models that come with Inspector.

    models: `file`, `task` and `shows` of each, as in the index of samples.
    """
    rows = tuple(
        Row((Name(each["file"]), each["task"]), details=each["shows"]) for each in models
    )
    columns = (Column("model", "Model"), Column("task", "Task"))
    hint = Text(
        "`inspector sample NAME` copies a sample with its inputs; `all` copies all samples."
    )
    blocks = (Table(columns, rows, _ALL, "model"), hint)
    return Page("samples", "Sample models", (Section("models", "", blocks),))


def folders_page(pairs: Sequence[FilePair], counts: dict[str, int]) -> Page:
    """Return the state of each model of two folders, and the conditions that do not pass."""
    columns = (
        Column("state", "State"), Column("model", "Model", stretch=True),
        Column("difference", "Difference"),
    )  # fmt: skip
    rows = tuple(Row((pair.state, Name(pair.name), pair.text)) for pair in pairs)
    shown = ", ".join(f"{count:,} {state}" for state, count in counts.items() if count)
    title = Sentence("Models: {counts}", shown)
    findings = tuple(
        replace(finding, name=pair.name)
        for pair in pairs
        for finding in pair.findings
        if finding.outcome is not Outcome.FAILS
    )
    models = Section("models", "", (Table(columns, rows, _ALL, "model"),))
    return Page("folders", title, (models, conditions_section(findings, "Model")))
