"""The page of a folder of inputs: accuracy, classes, and the files, wrong ones first."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from inspector.analysis.verdicts import accuracy
from inspector.analysis.verdicts.accuracy import AccuracyLevel
from inspector.pages.blocks import (
    Block,
    Chart,
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Text,
)
from inspector.pages.charts.confusion_plot import confusion_plot, confusion_text
from inspector.pages.outputs.folder_files import file_table
from inspector.pages.outputs.prediction import notes_section
from inspector.pages.outputs.verdicts import verdict_text
from inspector.pages.tables import table_of
from inspector.preview.runs import folder
from inspector.preview.runs.folder import Confusion, FolderResult, Summary
from inspector.report.evaluation import PLAIN, Metric
from inspector.statistics.proportions import wilson
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    Name,
    Number,
    Sentence,
    Share,
    Tone,
    Toned,
    Value,
)

_FILES = Limits(terminal=20, document=100, page=10_000)
_CLASSES = Limits(terminal=16, document=64, page=64)
_MOST_MISTAKES = 3  # classes that one is taken for
# By what an input is.
_TITLES = {"file": "Files", "row": "Rows"}
_LABELED = {"file": "labeled file", "row": "labeled row"}
_TIMES = {"file": "Time per file", "row": "Time per row"}
_COUNTED = ("top1", "top5")  # metrics that are shares of inputs
_TONES = {AccuracyLevel.BETTER: Tone.GOOD, AccuracyLevel.WORSE: Tone.BAD}


def folder_page(result: FolderResult) -> Page:
    """Return the page; the verdict is on the accuracy, else on the outputs of the other run."""
    counted = folder.summary(result.rows)
    values: dict[str, Value] = {
        "model": Name(result.model), "files": Count(counted.files, result.noun)
    }  # fmt: skip
    title = Sentence("{model} on {files}", **values)
    if result.against:
        values["other"] = Name(result.against)
        title = Sentence("{model} on {files}, compared with {other}", **values)
    summary, notes = summary_sections(result, counted)
    confusion = folder.confusion(result.rows, result.labels)
    classes = classes_section(confusion, result.noun)
    sections = (summary, classes, files_section(result), notes)
    return Page("folder", title, sections, folder_verdict(result, counted))


def summary_sections(result: FolderResult, counted: Summary) -> tuple[Section, Section]:
    """Return the numbers that the rows come to, and the notes."""
    odd = folder.unfitting(result.rows, result.labels)
    names = f"{len(result.labels):,} class names do not match the number of classes"
    unlabeled = (result.unlabeled,) if result.unlabeled and result.accuracy else ()
    facts = (
        *(_metric(each, result) for each in result.accuracy),
        *_facts(counted, result.model if result.against else "", result.noun),
    )
    return (
        Section("summary", "", (Facts(facts),) if facts else ()),
        notes_section((*([names] * odd), *unlabeled, *result.notes)),
    )


def folder_verdict(result: FolderResult, counted: Summary) -> Text | None:
    """Return the sentence on the accuracy, or where that decides nothing, on the outputs of the
    other run; None without an answer."""
    main, outputs = next(iter(result.accuracy), None), result.verdict
    level = None if main is None else accuracy.level_of(main)
    # Outputs that differ say nothing about a model that is as accurate.
    if outputs is not None and (level is None or not (level in _TONES or outputs.bad)):
        return verdict_text(outputs)
    if main is not None and level is not None:
        tone = _TONES.get(level, Tone.CAUTION)
        return Text(accuracy.sentence(main, result.model, result.against), tone, strong=True)
    if main is None:
        answered = Sentence("{files} answered", Count(counted.answered, result.noun))
        said = Joined((answered, result.unlabeled), "; ") if result.unlabeled else answered
        return Text(said, strong=True) if counted.answered else None
    files = Count(main.count, _LABELED[result.noun])
    values: dict[str, Value] = {"metric": main.name, "value": value_of(main), "files": files}
    return Text(Sentence("{metric}: {value} on {files}", **values), strong=True)


def value_of(metric: Metric, value: float | None = None) -> Value:
    """Return a metric, or another value of it, as it is written everywhere."""
    shown = metric.estimate.value if value is None else value
    return Number(shown) if metric.id in PLAIN else Share(shown)


def _metric(metric: Metric, result: FolderResult) -> Fact:
    """Return a metric with its interval, or beside that of the other run."""
    own = metric.estimate
    if metric.other is not None and metric.change is not None:
        values = {
            "model": Name(result.model),
            "value": value_of(metric, metric.other.value),
            "against": Name(result.against),
        }
        note = Sentence("{model}; {value} for {against}", **values)
        return Fact(metric.name, value_of(metric), note)
    low, high = (value_of(metric, each) for each in (own.low, own.high))
    notes = list[Value]()
    if metric.id in _COUNTED:
        part = Count(round(own.value * metric.count))
        notes.append(Sentence("{part} of {whole}", part, Count(metric.count)))
    if metric.id in _COUNTED or own.low != own.high:
        notes.append(Sentence("95% CI {low} to {high}", low, high))
    judged = [row for row in result.rows if row.right is not None] if metric.id == "f1" else ()
    if others := {row.top[0] for row in judged} - {row.wanted for row in judged}:
        classes = Count(len(others), "class")
        notes.append(Sentence("{classes} without inputs counted as 0%", classes))
    return Fact(metric.name, value_of(metric), Joined(tuple(notes), "; ") if notes else "")


def _facts(counted: Summary, model: str, noun: str) -> Iterator[Fact]:
    if counted.compared:
        low, high = map(Share, wilson(counted.same, counted.compared))
        part, whole = Count(counted.same), Count(counted.compared)
        note = Sentence("{part} of {whole}; 95% CI {low} to {high}", part, whole, low, high)
        yield Fact("Agreement", Share(counted.same, counted.compared), note)
    if counted.prediction_ns:
        timed: Value = "median of one run each; not a benchmark"
        if model:
            timed = Sentence("{model}, median of one run each; not a benchmark", Name(model))
        yield Fact(_TIMES[noun], Duration(counted.prediction_ns), timed)
    if counted.failed:
        yield Fact("Failed", Count(counted.failed, noun), tone=Tone.BAD)


def classes_section(confusion: Confusion | None, noun: str = "file") -> Section:
    """Return each labeled class, the least accurate first, with what it is taken for.

    The confusion matrix stands above them; empty without labels. noun: what an input is.
    """
    if confusion is None:
        return Section("classes", "", ())
    names, entries = confusion.labels, []
    for place, counts in enumerate(confusion.counts.tolist()):
        if total := sum(counts):
            others = sorted(
                (
                    (count, names[at])
                    for at, count in enumerate(counts)
                    if count and at != place
                ),
                key=lambda other: -other[0],
            )
            entries.append((counts[place] / total, -total, names[place], others))
    rows = tuple(
        Row((
            Name(name), Count(-total), Share(right), Number(right),
            Joined((
                *(Sentence("{name} ({count})", Name(other), Count(count))
                  for count, other in others[:_MOST_MISTAKES]),
                *("…",) * (len(others) > _MOST_MISTAKES),
            )),
        ))
        for right, total, name, others in sorted(entries, key=lambda entry: entry[:2])
    )  # fmt: skip
    columns = (
        Column("class", "Class", stretch=True),
        Column("files", _TITLES[noun], Side.RIGHT),
        Column("accuracy", "Accuracy", Side.RIGHT),
        Column("bar", "", bar=True, keep=1),
        Column("mistakes", "Mistaken for", keep=5),
    )
    draw, text = partial(confusion_plot, confusion), confusion_text(confusion)
    blocks: list[Block] = [Chart("confusion", draw, text)]
    if confusion.left_out:
        files = Count(confusion.left_out, noun)
        left = Sentence("{files} with rarer labels are not shown.", files)
        blocks.append(Text(left, Tone.SECONDARY))
    blocks += table_of(columns, rows, _CLASSES, "class")
    return Section("classes", "Classes", tuple(blocks))


def files_section(result: FolderResult) -> Section:
    """Return the files: those that failed, then wrong ones, the surest of them first."""
    rows = sorted(result.rows, key=_weight)
    table = file_table(rows, result.noun)
    printed = tuple(map(_printed, table.rows, rows))
    blocks = table_of(table.columns, printed, _FILES, result.noun, "`--csv FILE` saves all")
    title = _TITLES[result.noun]
    some = any(_weight(row)[:3] != (True, True, True) for row in rows)
    return Section("files", title, blocks, aside="failed and wrong ones first" if some else "")


def _printed(row: Row, file: folder.Row) -> Row:
    """Return a row with the reason of a failure below it, where there is room for it."""
    if not file.problem:
        return row
    name, _, *others = row.cells
    return replace(
        row, cells=(name, Toned("failed", Tone.BAD), *others), details=Name(file.problem)
    )


def _weight(row: folder.Row) -> tuple[bool, bool, bool, float]:
    differs = row.agreement is not None and row.agreement.same is False
    wrong = row.right is False
    surest = -(row.score or 0.0) if wrong else 0.0
    if row.result is not None:
        wrong, surest = row.result.loss > 0, -row.result.loss
    return not row.problem, not wrong, not differs, surest
