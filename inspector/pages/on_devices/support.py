"""Pages of device support: what devices here ran of a model, and what others would run."""

import shlex
from collections.abc import Iterator, Mapping, Sequence

from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.analysis.devices.support_summary import (
    DeviceSupport,
    reason_and_source,
    summarised,
)
from inspector.analysis.devices.targets import Answer, Target, TargetSupport, Verdict, overall
from inspector.model.model import Layer
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Snippet,
    Table,
    Text,
)
from inspector.pages.rows import LazyRows
from inspector.report.report_values import Device, Support
from inspector.wording.support_marks import Mark
from inspector.wording.values import (
    Code,
    Count,
    MarkValue,
    Name,
    Noted,
    Number,
    Sentence,
    Tone,
    Toned,
    Value,
)

_TARGETS = Limits(terminal=100, document=100)
_REFUSALS = Limits(terminal=12, document=40)
_ALONE = "supported when tested alone"
_CPU_KERNELS = {  # a CPU runs all layers; the provider's kernels are only faster
    Mark.UNSUPPORTED: "Runtime's own kernel",
    Mark.UNKNOWN: "Runs; kernel unknown",
}
_MARKS = {
    Answer.YES: Mark.SUPPORTED,
    Answer.MOSTLY: Mark.UNSUPPORTED,
    Answer.PARTLY: Mark.UNSUPPORTED,
    Answer.NO: Mark.UNSUPPORTED,
    Answer.NOT_KNOWN: Mark.UNKNOWN,
}
TONES: Mapping[str, Tone] = {
    Answer.YES: Tone.GOOD,
    Answer.MOSTLY: Tone.CAUTION,
    Answer.PARTLY: Tone.CAUTION,
    Answer.NO: Tone.BAD,
    Answer.NOT_KNOWN: Tone.SECONDARY,
}


def support_page(model: str, answers: PlacementAnswers) -> Page:
    """Return what each device here ran of a model, with why it did not run the rest."""
    values: dict[str, Value] = {
        "model": Name(model), "layers": Count(len(answers.layers), "layer"),
    }  # fmt: skip
    values["how"] = "tested with one run" if answers.ran else "each layer tested alone"
    title = Sentence("{model}: {layers}, {how}", **values)
    failed = Text(Sentence("No run completed: {why}", Name(answers.why)), Tone.BAD)
    forced: tuple[Block, ...] = ()
    if answers.on_cpu:
        option = f"--on-cpu '{','.join(answers.on_cpu)}'"
        forced = (Text("The model ran with layers forced to the CPU:"), Snippet(option, "sh"))
    sections = (
        Section("run", "", () if answers.ran else (failed,)),
        *(_device(answers, device) for device in answers.devices),
        Section("forced", "", forced),
    )
    return Page("support", title, sections)


def _device(answers: PlacementAnswers, device: Device) -> Section:
    marks = [each[device.id] for each in answers.marks]
    summary = summarised(device, [layer.operator for layer in answers.layers], marks)
    counts = tuple(
        Fact(
            _ALONE if mark is Mark.SUPPORTED and not answers.ran else mark.label,
            Count(count, "layer"),
        )
        for mark, count in summary.marks
    )
    blocks: tuple[Block, ...] = (
        _verdict(summary),
        Facts(counts),
        *_not_run(answers, summary, marks),
    )
    title = Sentence("{name} ({id})", Name(device.name), Code(device.id))
    return Section(device.id, title, blocks)


def _verdict(summary: DeviceSupport) -> Text:
    values: dict[str, Value] = {
        "run": Count(summary.supported_layers), "all": Count(summary.layers, "layer"),
    }  # fmt: skip
    if summary.supported_layers == summary.layers:
        return Text(Sentence("Runs all {all}", **values), Tone.GOOD, strong=True)
    tone = Tone.CAUTION if summary.supported_layers else Tone.BAD
    return Text(Sentence("Runs {run} of {all}", **values), tone, strong=True)


def _not_run(
    answers: PlacementAnswers, summary: DeviceSupport, marks: Sequence[Support]
) -> Iterator[Table]:
    """Yield layers that failed, then operators that the device refuses, with reasons."""
    columns = (
        Column("what", "Not run", stretch=True),
        Column("operator", "Operator"),
        Column("layers", "Layers", Side.RIGHT),
    )
    device = summary.device.id
    rows = [
        Row((Name(layer.label), Name(layer.operator), "1"), Tone.BAD, number=layer.index,
            details=answers.marks[layer.index][device].reason)
        for layer in answers.failed(device)
    ]  # fmt: skip
    refused = {(each.rule, each.reason) for each in marks if each.mark is Mark.UNSUPPORTED}
    rows += [
        Row(("not supported", Name(each.operator), Count(each.layers)),
            details=each.reason)
        for each in summary.refusals
        if (each.rule, each.reason) in refused
    ]  # fmt: skip
    if rows:
        yield Table(columns, tuple(rows), _REFUSALS, "reason")


def targets_page(
    model: str, layers: int, results: Sequence[TargetSupport], fixing: Sequence[Block] = ()
) -> Page:
    """Return which targets would run a model, from support tables.

    layers: of the model. fixing: what fixed shapes would change.
    """
    removed = results[0].removed if results else 0
    values: dict[str, Value] = {
        "model": Name(model), "layers": Count(layers - removed, "layer"),
        "removed": Count(removed),
    }  # fmt: skip
    title = Sentence("{model}: {layers}", **values)
    if removed:
        text = "{model}: {layers}, excluding {removed} that ONNX Runtime removes"
        title = Sentence(text, **values)
    phones = tuple(Text(text) for text in overall(results))
    table = target_table(results)
    rows = (  # the sentence has its own line: it is longer than a column
        Row(row.cells[:-2], details=each.sentence)
        for row, each in zip(table.rows, results, strict=True)
    )
    shown = Table(table.columns[:-2], tuple(rows), _TARGETS, "target")
    about = tuple(
        Item(Sentence("{target}: {text}", each.target.title, text))
        for each in results
        if (text := each.explanation)
    )
    reasons = (block for each in results for block in _reasons(each))
    sections = (
        Section("phones", "", phones),
        Section("targets", "Device support", (shown,),
                aside="estimated from support tables; nothing was run"),
        Section("fixing", "Fixed shapes", tuple(fixing)),
        Section("about", "How they run models", (Items(about),) if about else (), Rank.FOLDED),
        Section("reasons", "Reasons", tuple(reasons), Rank.FOLDED),
    )  # fmt: skip
    return Page("targets", title, sections)


def _reasons(result: TargetSupport) -> Iterator[Block]:
    """Yield why a target does not surely run some of the layers."""
    columns = (
        Column("operator", "Operator"),
        Column("layers", "Layers", Side.RIGHT),
        Column("reason", "Reason", stretch=True),
    )
    open_or_refused = (*result.summary.refusals, *result.summary.unknowns)
    rows = tuple(
        Row((Name(each.operator), Count(each.layers), each.reason)) for each in open_or_refused
    )
    if rows:
        yield Text(f"{result.target.title} ({result.target.provider})", strong=True)
        yield Table(columns, rows, _REFUSALS, "reason")


def fixing_blocks(
    model: str,
    results: Sequence[TargetSupport],
    fixed: Sequence[TargetSupport],
    options: str,
    lengths: Mapping[str, int],
) -> Iterator[Block]:
    """Yield which targets would run more layers with fixed shapes, and how to fix them.

    model: its path. fixed: the answers with `lengths` of the axes, which `options` of commands
    set.
    """
    more = tuple(
        Item(Sentence("{target}: {count}", after.target.title, after.count))
        for before, after in zip(results, fixed, strict=False)
        if after.summary.supported_layers > before.summary.supported_layers
    )
    if more:
        yield Text(Sentence("With {options}, targets run more layers:", Code(options)))
        yield Items(more, _TARGETS, "target")
        axes = ",".join(f"{name}={length}" for name, length in lengths.items())
        yield Text("To fix the sizes in a copy of the model:")
        command = ("inspector", "convert", model, f"fix-axes:{axes}", "-o", "fixed.onnx")
        yield Snippet(shlex.join(command), "sh")


def target_table(results: Sequence[TargetSupport]) -> Table:
    """Return a row for each target with its answer, and what does not run there."""
    columns = (
        Column("mark", "", Side.CENTER, marks=True),
        Column("target", "Target", stretch=True),
        Column("answer", "Runs there?"),
        Column("units", "Runs on", keep=2),
        Column("provider", "Execution provider", keep=3),
        Column("bar", "", bar=True, keep=1),
        Column("layers", "Layers supported", falling=True),
        Column("on_cpu", "On the CPU instead", stretch=True),
        Column("unchecked", "Not checked", falling=True, keep=4),
    )
    return Table(columns, tuple(map(_target, results)), _TARGETS, "target")


def _target(result: TargetSupport) -> Row:
    # A CPU runs all layers itself, with one kernel or another; the sentence tells which.
    elsewhere = not result.target.is_cpu
    supported, part = result.summary.supported_layers, 0.0
    if result.verdict is not Verdict.UNKNOWN:
        part = (result.known_layers or 0) / max(1, result.summary.layers)
    return Row((
        MarkValue(_MARKS[result.answer], "cpu", result.answer.value),
        result.target.title,
        Toned(result.answer.value, TONES[result.answer], strong=True),
        result.target.units,
        result.target.provider,
        Number(part) if part else "",
        Noted(result.runs or "unknown", order=float(supported)),
        result.on_cpu if elsewhere else "",
        Count(result.unchecked) if result.unchecked and elsewhere else "",
    ))  # fmt: skip


def layer_table(
    answers: Sequence[tuple[Layer, Support]], target: Target | None = None
) -> Table:
    """Return a row for each layer with what one target does with it, and why."""
    is_cpu = target is not None and target.is_cpu
    columns = (
        Column("index", "#", Side.RIGHT, falling=False),
        Column("name", "Layer", stretch=True),
        Column("operator", "Operator", keep=3),
        Column("support", "Support"),
        Column("reason", "Reason", stretch=True),
    )

    def cells(place: int) -> Row:
        layer, answer = answers[place]
        kernels = _CPU_KERNELS if is_cpu else {}
        support = MarkValue(answer.mark, "cpu", kernels.get(answer.mark, answer.mark.label))
        reason, _ = reason_and_source(answer.reason)
        return Row(
            (Count(layer.index), Name(layer.label), Name(layer.operator), support, reason)
        )

    return Table(columns, LazyRows(len(answers), cells), Limits(), "layer")
