"""The page of an improvement: candidates for a smaller or faster model, and the best one."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from inspector.comparison.improvement_conditions import subject_of
from inspector.pages.blocks import (
    KEPT,
    Block,
    Chart,
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
from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.improvement_plot import accuracy_name, pareto_plot
from inspector.pages.recipe_steps import step_section
from inspector.pages.sensitivity import sqnr
from inspector.pages.tables import table_of
from inspector.report.improvement import (
    MIN_INPUTS,
    NOT_COMPARED,
    OVER,
    PERPLEXITY,
    SIZE,
    UNDECIDED,
    WITHIN,
    Accuracy,
    Candidate,
    Improvement,
    change_text,
    headline,
    inputs_needed,
    notable_text,
    promising,
    size_change,
    untried_text,
    value_text,
    verdict_text,
)
from inspector.units import clip
from inspector.wording.values import (
    Change,
    Code,
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

_ALL = Limits(terminal=40, document=40)
_VERDICTS = {WITHIN: ("✓", "Within limit", Tone.GOOD), OVER: ("✗", "Over limit", Tone.BAD)}
_MOST_NAME = 60  # letters of a folder
_WITHIN_LIMIT = {
    WITHIN: Sentence("The whole interval is within the limit."),
    OVER: Sentence("The whole interval is beyond the limit."),
    UNDECIDED: Sentence("The interval crosses the limit: add test inputs."),
}
_SQNR_OF_LAYER = (
    "Signal-to-quantization-noise ratio of the layer's outputs, compared with the "
    "original model"
)


def improvement_page(
    improvement: Improvement, command: str = "", saved: Sequence[str] = ()
) -> Page:
    """Return the page of all candidates of an improvement.

    command: makes the best one again; by default that of the model's folder. saved: files that
    were written.
    """
    subject = subject_of(improvement)
    best = improvement.candidates[improvement.best] if improvement.best >= 0 else None
    cautions = subject.cautions if subject is not None else ()
    blocks: list[Block] = [Text(text, Tone.CAUTION, "Caution") for text in cautions]
    if also := notable_text(improvement):
        blocks.append(Text(also, label="Also notable" if best is not None else "Notable"))
    elif near := nearest(improvement):
        blocks.append(Text(near, label="Nearest"))
    if left := untried_text(improvement):
        blocks.append(Text(left, Tone.CAUTION, "Caution"))
    table = layer_errors(subject)
    data = tuple(_data(improvement))
    items = tuple(Item(note) for note in improvement.notes)
    files = tuple(Text(Sentence("Saved {file}", Name(path))) for path in saved)
    sections = (
        Section("summary", "", tuple(blocks)),
        candidates_section(improvement),
        *(_best(improvement, best, command) if best is not None else ()),
        Section("targets", "Device support", target_tables(improvement), Rank.DOCUMENT,
                "layers by device, from support tables; nothing was run there"),
        step_section(subject.after_steps if subject is not None else ()),
        Section("layers", "Layers with the largest errors", (table,) if table.rows else (),
                aside="SQNR of their outputs, and the drop from that of their inputs"),
        Section("data", "Data and software", (Facts(data),), Rank.DOCUMENT),
        Section("notes", "Notes", (Items(items, _ALL),) if items else ()),
        Section("saved", "", files),
    )  # fmt: skip
    verdict = Text(headline(improvement), Tone.PLAIN, "Best" if best is not None else "", True)
    return Page("improvement", Name(improvement.model), sections, verdict)


def candidates_section(improvement: Improvement) -> Section:
    """Return all candidates, as a chart and as a table."""
    chart: tuple[Block, ...] = ()
    if pareto_plot(improvement) is not None:
        draw = partial(_pareto, improvement)
        chart = (Chart("candidates", draw, "Accuracy and latency of each candidate"),)
    count = Count(len(improvement.candidates), "candidate")
    aside = Sentence("{count}, each compared with the original", count)
    blocks = (*chart, *candidate_table(improvement))
    return Section("candidates", "Candidates", blocks, Rank.DOCUMENT, aside)


def _pareto(improvement: Improvement, width: float) -> Drawing:
    return cast(Drawing, pareto_plot(improvement, width))


def candidate_table(improvement: Improvement) -> tuple[Block, ...]:
    """Return a table with a row for the original and for each candidate."""
    columns = (
        Column("candidate", "Candidate", stretch=True, files=True),
        Column("size", "Size", Side.RIGHT),
        Column("p50", "Median (original)", Side.RIGHT),
        Column("latency", "Latency", keep=5),
        Column("accuracy", "Accuracy", keep=7),
        Column("verdict", "Verdict"),
    )
    best = improvement.candidates[improvement.best] if improvement.best >= 0 else None
    rows = tuple(
        _row(improvement, candidate, candidate is best)
        for candidate in (improvement.original, *improvement.candidates)
    )
    return table_of(columns, rows, _ALL, "candidate")


def _row(improvement: Improvement, candidate: Candidate, is_best: bool) -> Row:
    measure = candidate.measure(improvement.main)
    accuracy = accuracy_text(measure, bool(candidate.steps)) if measure else ""
    if not candidate.steps and not accuracy:
        accuracy = "reference"
    judgement = candidate.latency.judgement if candidate.latency is not None else None
    cells = (
        Name(candidate.name),
        Size(candidate.size_bytes) if candidate.size_bytes else "",
        _median(candidate),
        "" if judgement is None else judgement.text(explained=False),
        accuracy,
        verdict_text(improvement, candidate) if candidate.steps else "",
    )
    return Row(cells, Tone.GOOD if is_best else Tone.PLAIN)


def candidate_list(improvement: Improvement) -> Table:
    """Return a row for each candidate in a few words, for where there is little room.

    The key of a row is the place of its candidate.
    """
    by_size = improvement.goal == SIZE
    columns = (
        Column("name", "Recipe", stretch=True, files=True),
        Column("size", "Size", Side.RIGHT, keep=KEPT if by_size else 1, falling=False),
        Column("latency", "Latency", Side.RIGHT, keep=1 if by_size else KEPT, falling=False,
               help="Change in median latency, measured interleaved with the original"),
        Column("accuracy", "Accuracy", Side.RIGHT),
        Column("sign", "", Side.CENTER, falling=False),
        Column("verdict", "Verdict", keep=0),
    )  # fmt: skip
    rows = tuple(
        _short_row(improvement, candidate, place)
        for place, candidate in sorted(
            enumerate(improvement.candidates), key=lambda each: _rank(each[1], by_size)
        )
    )
    return Table(columns, rows, _ALL, "candidate")


def _rank(candidate: Candidate, by_size: bool) -> tuple[bool, float, int]:
    """Return what a list of candidates is sorted by: what the search was for."""
    change = candidate.latency.known_change if candidate.latency is not None else None
    first = 0.0 if by_size or change is None else change
    unknown = bool(candidate.problem) or (change is None and not by_size)
    return unknown, first, candidate.size_bytes


def _short_row(improvement: Improvement, candidate: Candidate, place: int) -> Row:
    is_best = place == improvement.best
    sign, word, tone = verdict_words(improvement, candidate)
    timed, measure = candidate.latency, candidate.measure(improvement.main)
    change = timed.known_change if timed is not None else None
    accuracy: Value = ""
    if measure is not None:
        accuracy = Noted(Toned(value_text(measure), tone), order=measure.value)
    latency: Value = "" if change is None else Change(1 + change)
    if timed is None and not candidate.problem and not candidate.edited:
        latency = "not measured"
    why = Name(candidate.problem) if candidate.problem else verdict_text(improvement, candidate)
    if is_best:
        sign, word = "★", "Recommended"
    return Row((
        Noted(Name(candidate.name), why),
        Size(candidate.size_bytes) if candidate.size_bytes else "",
        latency,
        accuracy,
        Noted(Toned(sign, tone), why, spoken=word),
        Noted(Toned(word, tone), why),
    ), Tone.GOOD if is_best else Tone.PLAIN, key=str(place))  # fmt: skip


def verdict_words(improvement: Improvement, candidate: Candidate) -> tuple[str, str, Tone]:
    """Return the verdict on a candidate as a sign and in one or two words, with their color."""
    if candidate.problem:
        return "✗", "Cannot be used", Tone.BAD
    unsure = ("?", "Inconclusive", Tone.SECONDARY)
    return _VERDICTS.get(improvement.verdict(candidate), unsure)


def _median(candidate: Candidate) -> Value:
    """Return the median, and that of the original as it ran interleaved with the candidate."""
    timed = candidate.latency
    if timed is None:
        return ""
    if timed.original is None:
        return Duration(timed.p50_ns)
    values = {"own": Duration(timed.p50_ns), "original": Duration(timed.original.p50_ns)}
    return Sentence("{own} ({original})", **values)


def evidence(improvement: Improvement, candidate: Candidate) -> tuple[Value, ...]:
    """Return what a verdict rests on, in sentences: the accuracy, and what it has to be."""
    measure, limit = candidate.measure(improvement.main), improvement.limit
    if candidate.edited:
        return (NOT_COMPARED,)
    if measure is None:
        return (Sentence("Choose a test folder to compare the outputs."),)
    count: Value = Count(measure.count, "test input") if measure.count > 1 else "one input"
    test = improvement.test
    if measure.id == PERPLEXITY:
        text = Name(clip(test.name, _MOST_NAME)) if test is not None else "a text"
        count = Sentence("{count} of {text}", Count(measure.count, "token"), text)
    elif measure.count > 1 and test is not None and (folder := Path(test.folder).name):
        named = Name(clip(folder, _MOST_NAME))
        count = Sentence("{count} from the folder {folder}", count, named)
    value = _accuracy(measure, counted=False)
    measured = Sentence("{name}: {text}, on {count}.", measure.name, value, count)
    if measure.count < MIN_INPUTS:
        text = "A verdict on accuracy needs at least {count} test inputs."
        return measured, Sentence(text, Count(MIN_INPUTS))
    if limit is None:
        return measured, Sentence("No accuracy limit is set.")
    if not limit:
        most = Sentence("Your limit: no loss on the test inputs.")
        return measured, Joined(tuple(filter(None, (most, _elsewhere(measure)))), " ")
    number = f"{100 * limit:g}"
    if measure.id == PERPLEXITY:
        most = Sentence("Your limit: at most {number}% higher.", number)
        return measured, Joined((most, _WITHIN_LIMIT[improvement.verdict(candidate)]), " ")
    most = (
        Sentence("Your limit: at most {number} point lower.", number)
        if number == "1"
        else Sentence("Your limit: at most {number} points lower.", number)
    )
    return measured, Joined((most, _WITHIN_LIMIT[improvement.verdict(candidate)]), " ")


def foretold_sentence(candidate: Candidate) -> Value:
    """Return the estimated change in latency beside the measured one; "" for none."""
    told, timed = candidate.foretold, candidate.latency
    if told is None:
        return ""
    change = timed.known_change if timed is not None else None
    if change is None:
        return told.sentence
    return Sentence(
        "Estimated before: {ratio}× the latency (90% interval: {low}× to {high}×); "
        "measured: {measured}×.",
        **told.texts, measured=f"{1 + change:.2g}",
    )  # fmt: skip


def _elsewhere(measure: Accuracy) -> Value:
    """Return how much may be lost on inputs that were not tested; "" for nothing."""
    gain, low, _ = measure.gain or (0.0, 0.0, 0.0)
    if gain < 0 or low >= 0:
        return ""
    points = f"{-100 * low:.2f}"
    if measure.id == PERPLEXITY:
        return Sentence("On other texts, a rise of {points}% is possible (95% CI).", points)
    return Sentence("On other inputs, a loss of {points} points is possible (95% CI).", points)


def accuracy_text(measure: Accuracy, with_change: bool = True) -> str:
    """Return an accuracy with its inputs, and its change unless it is the original's."""
    change = change_text(measure) if with_change else ""
    noun = "tokens" if measure.id == PERPLEXITY else "inputs"
    count = f"{measure.count:,} {noun}" if measure.count > 1 else ""
    return ", ".join(filter(None, (value_text(measure), change, count)))


def _best(improvement: Improvement, best: Candidate, command: str) -> Iterator[Section]:
    measures = tuple(Fact(each.name, _accuracy(each)) for each in best.accuracy)
    recipe = Fact("Recipe", Code(" ".join(best.steps)))
    blocks: tuple[Block, ...] = (
        Facts((*measures, recipe)),
        *(Text(line) for line in evidence(improvement, best)[1:]),
        *filter(None, (Text(told) if (told := foretold_sentence(best)) else None,)),
        Snippet(command or improvement.command(best), "sh"),
    )
    yield Section("best", "The best candidate", blocks)
    python = (Snippet(improvement.code(best), "python"),)
    yield Section("code", "The same in Python", python, Rank.DOCUMENT)
    columns = (
        Column("input", "Input", stretch=True), Column("original", "Original"),
        Column("candidate", "Candidate"), Column("truth", "Truth"),
    )  # fmt: skip
    rows = tuple(
        Row((Name(each.file), Name(each.original), Name(each.candidate), Name(each.truth)))
        for each in best.worst
    )
    table = (Table(columns, rows, _ALL, "input"),) if rows else ()
    yield Section("worst", "Worst inputs", table, Rank.FOLDED, "largest changes first")


def _accuracy(measure: Accuracy, counted: bool = True) -> Value:
    original = measure.original
    value: Value = value_text(measure)
    if original is not None:
        template = "{before} to {after}"
        value = Sentence(template, before=value_text(measure, original), after=value)
    noun = "token" if measure.id == PERPLEXITY else "input"
    count: Value = Count(measure.count, noun) if measure.count and counted else ""
    change = change_text(measure) if counted or measure.count > 1 else ""
    return Joined(tuple(filter(None, (value, change, count))))


def target_tables(improvement: Improvement) -> tuple[Table, ...]:
    """Return for each target the layers that it runs of the original and of the candidate."""
    candidate = subject_of(improvement)
    rows = tuple(
        Row((Name(each.target), each.before or "unknown", each.after_text))
        for each in (candidate.targets if candidate is not None else ())
    )
    columns = (
        Column("device", "Device"),
        Column("original", "Original", Side.RIGHT),
        Column("candidate", "New model", Side.RIGHT),
    )
    return (Table(columns, rows, _ALL, "device"),) if rows else ()


def layer_errors(candidate: Candidate | None) -> Table:
    """Return a row for each layer that adds most to the error of a candidate."""
    rows = tuple(
        Row((
            Name(each.name), Name(each.operator), sqnr(each.sqnr_db),
            "" if each.drop_db is None else Noted(f"{each.drop_db:.1f} dB", order=each.drop_db),
        ))
        for each in (candidate.worst_layers if candidate is not None else ())
    )  # fmt: skip
    columns = (
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=5),
        Column("sqnr", "SQNR", Side.RIGHT, falling=False, help=_SQNR_OF_LAYER),
        Column("drop", "SQNR drop", Side.RIGHT,
               help="SQNR of the layer's inputs minus that of its outputs"),
    )  # fmt: skip
    return Table(columns, rows, Limits(8, 12, 40), "layer")


def _data(improvement: Improvement) -> Iterator[Fact]:
    """Yield what the results rest on: data, device, limit, versions."""
    digest = {"model": Name(improvement.model), "digest": Name(improvement.sha256)}
    yield Fact("Model", Sentence("{model}, SHA-256 {digest}", **digest))
    yield Fact("Device", improvement.device)
    for name, data in (("Test", improvement.test), ("Calibration", improvement.calibration)):
        if data is not None:
            labeled = Sentence("{count} with a label", Count(data.labeled))
            noun = "token" if improvement.main == PERPLEXITY and name == "Test" else "input"
            parts = (Count(data.inputs, noun), labeled if data.labeled else "",
                     Sentence("SHA-256 {digest}", Name(data.digest)))  # fmt: skip
            yield Fact(name, Name(data.name), Joined(tuple(filter(None, parts))))
    if improvement.limit is not None and improvement.main:
        points = f"{100 * improvement.limit:.2f}"
        template = "{name} may drop by at most {points} points"
        if improvement.main == PERPLEXITY:
            template = "{name} may rise by at most {points}%"
        yield Fact("Limit", Sentence(template, name=accuracy_name(improvement), points=points))
    if improvement.made_by:
        yield Fact("Created with", ", ".join(improvement.made_by))


def nearest(improvement: Improvement) -> Value:
    """Return which candidate loses least where none is the best, and what would settle it.

    That is a better one without a verdict on its accuracy, or else a smaller one. "" for none.
    """
    found, by_size = promising(improvement), improvement.goal == SIZE
    if not found:
        usable = (each for each in improvement.candidates if not each.problem)
        whole, by_size = improvement.original.size_bytes, True
        found = tuple(e for e in usable if e.size_bytes < whole and not e.broken)
    known = [(e, m) for e in found if (m := e.measure(improvement.main)) and m.gain]
    if improvement.best >= 0 or improvement.limit is None or not known:
        return ""
    candidate, measure = max(known, key=lambda pair: (pair[1].gain or (0.0,))[0])
    better = size_change(improvement.original.size_bytes, candidate.size_bytes)
    judged = candidate.latency.judgement if candidate.latency is not None else None
    if not by_size and judged is not None:
        better = judged.change()
    noun = "token" if measure.id == PERPLEXITY else "input"
    values: dict[str, Value] = {
        "name": Name(candidate.name),
        "better": better,
        "measure": measure.name,
        "change": Joined((change_text(measure), Count(measure.count, noun))),
    }
    said = Sentence("{name} ({better}) loses least: {measure} {change}.", **values)
    needed = inputs_needed(improvement)
    if needed is None:
        return said
    enough = Sentence("About {count} may be enough for a verdict.", Count(needed, noun))
    return Joined((said, enough), " ")
