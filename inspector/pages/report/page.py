"""The page of a measurement: its six lines on top, and the order of its sections."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import median

from inspector import units
from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.advice.rules import advice
from inspector.analysis.advice.summary import next_steps, summary
from inspector.analysis.devices.support_summary import axes_in_the_way, of_report
from inspector.analysis.measured.latency import Latency, latency, spread_text
from inspector.analysis.measured.layer_sum import is_untimed, share_text
from inspector.analysis.measured.noise import disturbances, doubts
from inspector.analysis.measured.partitions import layers_on
from inspector.analysis.measured.phases import memory_note
from inspector.analysis.verdicts.quoting import quoting
from inspector.model.tensors.agreement import summary_text
from inspector.pages.blocks import (
    Action,
    Chart,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Page,
    Rank,
    Section,
    Text,
)
from inspector.pages.charts.report_plots import timeline_of, timeline_part
from inspector.pages.language.speed import headline, speed_facts, speed_sections
from inspector.pages.report import layers, machine, timing
from inspector.pages.report.machine_load import energy_fact
from inspector.preview.inputs.feeds import Filled
from inspector.report.report import PerformanceReport
from inspector.wording.values import Count, Duration, Joined, Name, Sentence, Size, Tone, Value

_NOISY = "noisy"  # the reason is in the sentence on quoting
_MOST_ACTIONS = 4  # layers of a suggestion that the window has a button for
_MOST_SHAPES = 2  # of inputs, beside a latency
_MOST_EVIDENCE = 6  # layers that a suggestion names
_SUGGESTIONS = Limits(terminal=3)


def report_page(
    report: PerformanceReport,
    suggestions: Sequence[Advice] | None = None,
    inputs: Sequence[Filled] = (),
) -> Page:
    """Return the page.

    suggestions: those of the report itself where none are given. inputs: what the model was
    given, as far as that is known apart from the report.
    """
    suggestions = advice(report) if suggestions is None else suggestions
    steps = tuple(Item(step) for step in next_steps(report))
    blocks = (Items(steps),) if steps else ()
    sections = (
        Section("summary", "", (*_summary(report), *_problems(report))),
        *speed_sections(report),
        Section("next steps", "Next steps", blocks, Rank.DOCUMENT),
        suggestions_section(report, suggestions),
        _timeline(report),
        *machine.declared(report),
        machine.preview(report),
        machine.folder(report),
        machine.targets(report),
        machine.candidates(report),
        layers.slowest(report),
        layers.operators(report),
        layers.partitions(report),
        layers.transitions(report),
        layers.added(report),
        layers.roofline(report),
        timing.concurrent_runs(report),
        *timing.extra_sections(report),
        timing.runs(report),
        machine.outputs(report),
        timing.phases(report),
        layers.reasons(report),
        machine.settings(report),
        machine.inputs(inputs),
        _notes(report),
    )
    if report.failed:
        kept = ("summary", "settings", "inputs", "notes")
        sections = tuple(section for section in sections if section.id in kept)
    said = report.model.description
    subtitle = said if isinstance(said, Sentence) or not said else Name(said)
    said_speed = headline(report.generation) if report.generation is not None else None
    verdict = None if said_speed is None else Text(said_speed, strong=True)
    return Page("report", _title(report), sections, verdict, subtitle)


def _title(report: PerformanceReport) -> Value:
    spec = report.spec
    threads: Value = Count(spec.threads, "thread") if spec.threads else "default threads"
    return Sentence(
        "{model} on {devices}: {level}, {threads}, {runs}",
        Name(report.model.name),
        " + ".join(map(units.device, spec.devices)),
        report.environment.runtime_text if report.generation else report.optimization_text,
        threads,
        Count(len(report.prediction_ns), "token" if report.generation else "run"),
    )


def _summary(report: PerformanceReport) -> Iterator[Facts]:
    """Yield the numbers that a reader came for, then what they mean."""
    if report.failed:
        return
    speed = speed_facts(report) if report.generation is not None else _numbers(report)
    energy = energy_fact(report) if report.surroundings.energy.parts else None
    numbers = (*speed, *([energy] if energy is not None else ()))
    yield Facts(numbers, prominent=True)
    yield Facts(tuple(_meaning(report)))


def _numbers(report: PerformanceReport) -> Iterator[Fact]:
    measured = latency(report)
    if measured is None:
        yield Fact("Latency", "not measured", "no run was timed")
    else:
        unsure = bool(doubts(report))  # then the interval says nothing, as in the window
        spread = _NOISY if unsure else spread_text(measured.headline)
        parts = (_median_of(measured), spread, _tail(measured), input_text(report))
        note = Joined(tuple(filter(None, parts)), "; ")
        tone = Tone.CAUTION if unsure else Tone.PLAIN
        tone = Tone.BAD if _is_wrong(report) else tone
        yield Fact("Latency", Duration(measured.headline.p50_ns), note, tone)
    first: Value = Sentence("first run {time}", Duration(report.first_prediction_ns))
    if report.compilations_ns:
        compiling = Duration(median(report.compilations_ns))
        first = Joined((first, Sentence("compiled before in {time}", compiling)), "; ")
    yield Fact("Load", Duration(report.load_ns), first)
    memory: Value = memory_note(report.memory)
    if report.memory.weights_bytes:
        weights = Sentence("weights {size}", Size(report.memory.weights_bytes))
        memory = Joined((memory, weights))
    yield Fact("Peak model memory", Size(report.memory.model_bytes), memory)


def input_text(report: PerformanceReport) -> Sentence | None:
    """Return for which lengths of free axes a latency is: "input 1×12"; None without any."""
    shapes = [*map(units.shape, dict.fromkeys(report.input_shapes.values()))]
    if not shapes:
        return None
    more = ["…"] if len(shapes) > _MOST_SHAPES else []
    return Sentence("input {shapes}", Name(", ".join((*shapes[:_MOST_SHAPES], *more))))


def _median_of(measured: Latency) -> Value:
    runs = Count(measured.headline.n, "run")
    if measured.at_full_cpu_speed is None:
        return Sentence("median of all {runs}", runs)
    return Sentence("median of {runs} at full CPU speed", runs)


def _tail(measured: Latency) -> Value:
    p95, label = measured.tail
    if not measured.all_predictions.has_p95:
        return label
    return Sentence("{label} {p95}", label, p95)


def _meaning(report: PerformanceReport) -> Iterator[Fact]:
    yield Fact("Measured", machine.measured(report), rank=Rank.DOCUMENT)
    devices = tuple(_device(report, device.id) for device in report.devices)
    if devices and report.spec.profiled_runs and report.layers:
        ran = Count(sum(layers_on(report, device.id) for device in report.devices))
        every = Count(len(report.layers), "layer")
        template = "{ran} of {all} ran: {devices}"
        yield Fact("Devices", Sentence(template, ran, every, Joined(devices, "; ")))
    for device in report.predicted:
        label = Sentence("Estimate for {device}", units.device(device.id))
        yield Fact(label, of_report(report, device).summary)
    for name, text in summary(report):
        yield Fact(name, text)
    if report.model_results is not None:
        found = len(report.model_results.findings)
        loads = Sentence(
            "{runtime} loads and runs the file; {problems}",
            runtime=Name(report.environment.runtime_text),
            problems=Sentence("it has {problems}, listed below", Count(found, "problem"))
            if found
            else "Inspector found no problem in it",
        )
        yield Fact("Valid", loads)
    quotable = quoting(report)
    tone = Tone.PLAIN if quotable.good else Tone.CAUTION
    yield Fact("Quotable", quotable.sentence, tone=tone)


def _device(report: PerformanceReport, device: str) -> Value:
    share = share_text(report, device)
    return Sentence(
        "{device} {layers}, {share}" if is_untimed(report, device)
        else "{device} {layers}, {share} of kernel time",
        device=units.device(device), layers=Count(layers_on(report, device), "layer"),
        share=share,
    )  # fmt: skip


def _is_wrong(report: PerformanceReport) -> bool:
    return any(output.over for output in report.outputs)


def _problems(report: PerformanceReport) -> Iterator[Text]:
    """Yield what makes the numbers above worth less."""
    if report.early_end:
        yield Text(report.early_end, Tone.BAD)
    if report.outputs:
        template = (
            "Outputs are {verdict} ({numbers}), compared with an unoptimized run on the CPU."
        )
        verdict = "WRONG" if _is_wrong(report) else "correct"
        values: dict[str, Value] = {"verdict": verdict, "numbers": summary_text(report.outputs)}
        yield Text(Sentence(template, **values), Tone.BAD if _is_wrong(report) else Tone.GOOD)
    blocked = axes_in_the_way(report)
    if blocked:
        hint = "{layers} cannot be supported while axes are dynamic: set `--dim NAME=N`."
        yield Text(Sentence(hint, layers=Count(blocked, "layer")), label="Hint")


def suggestions_section(report: PerformanceReport, suggestions: Sequence[Advice]) -> Section:
    """Return what to try, with what it rests on, could gain, and how to check it."""
    names = {layer.index: layer.name or layer.operator for layer in report.layers}
    items = tuple(_suggestion(each, names) for each in suggestions)
    blocks = (Items(items, _SUGGESTIONS, "suggestion"),) if items else ()
    return Section("suggestions", "Suggestions", blocks, aside=Count(len(items)))


def _suggestion(each: Advice, names: Mapping[int, str]) -> Item:
    indices, more = each.layers[:_MOST_EVIDENCE], len(each.layers) - _MOST_EVIDENCE
    template = "Layer {layers}." if len(each.layers) == 1 else "Layers {layers}."
    template = "Layers {layers} and {more} more." if more > 0 else template
    listed = Joined(tuple(map(Count, indices)))
    where = Sentence(template, layers=listed, more=Count(more)) if indices else ""
    value = Joined(tuple(filter(None, (each.sentence, where))), " ")
    detail = Joined(tuple(filter(None, (each.gain, each.check))), " ")
    shown = [index for index in each.layers if index in names][:_MOST_ACTIONS]
    actions = tuple(
        Action(str(index), Joined((f"#{index}", Name(names[index])), " ")) for index in shown
    )
    return Item(value, items=Items((Item(detail, tone=Tone.SECONDARY),)), actions=actions)


def _timeline(report: PerformanceReport) -> Section:
    if not len(report.trace):
        return Section("timeline", "", ())
    part = timeline_part(report)
    chart = Chart("timeline", partial(timeline_of, report), part)
    return Section("timeline", "Timeline", (chart,), Rank.DOCUMENT, part)


def _notes(report: PerformanceReport) -> Section:
    said = report.early_end_reason  # on top, as is the first reason for noise
    more = (Sentence("Noisy: {reason}", reason) for reason in disturbances(report)[1:])
    items = tuple(map(Item, (*more, *(note for note in report.notes if note != said))))
    blocks = (Items(items, Limits(terminal=20, document=40)),) if items else ()
    return Section("notes", "Notes", blocks)
