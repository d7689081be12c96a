"""The page of one model in several Python environments: answer and latency by version."""

from collections.abc import Iterator
from itertools import compress
from pathlib import Path

from inspector.analysis.measured.latency import interval_text, latency
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.verdicts.outputs import sentence
from inspector.errors import InspectorError
from inspector.pages.blocks import (
    Column,
    Item,
    Items,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.preview.runs.runtime_matrix import EnvironmentRow, RuntimeMatrix
from inspector.statistics.significance import RatioVerdict, Verdict
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    Name,
    Sentence,
    Share,
    Size,
    Tone,
    Value,
)

_ALL = Limits(terminal=10_000, document=1000, page=10_000)


def environments_page(model: str, matrix: RuntimeMatrix) -> Page:
    """Return a row for each environment, the oldest version of the runtime first."""
    rows, reference = matrix.rows, matrix.reference
    timed = any(row.report is not None for row in rows)
    best = {id(row): pair[1] for row in rows for pair in [_best(row)] if pair[1]}
    best[id(reference)] = next((_best(row)[0] for row in rows if _best(row)[0]), "")
    answered = any(best.values())
    given = (True, True, True, timed, timed, timed, timed, timed, answered, True)
    columns = (
        Column("runtime", "Runtime"),
        Column("environment", "Environment", stretch=True, files=True),
        Column("python", "Python", keep=2),
        Column("median", "Median", Side.RIGHT),
        Column("interval", "95% interval", Side.RIGHT, keep=6),
        Column("speed", "Latency beside the newest", keep=7),
        Column("load", "Load", Side.RIGHT, keep=3),
        Column("memory", "Memory", Side.RIGHT, keep=4),
        Column("best", "Top class", keep=5),
        Column("answer", "Answer"),
    )
    table = Table(
        tuple(compress(columns, given)),
        tuple(
            Row(tuple(compress(_cells(row, reference, best.get(id(row), "")), given)),
                Tone.BAD if row.problem is not None else Tone.PLAIN)
            for row in rows
        ),
        _ALL,
        "environment",
    )  # fmt: skip
    items = (*_problems(matrix), *((Item(matrix.note),) if matrix.note else ()))
    sections = (
        Section("environments", "", (table,)),
        Section("notes", "", (Items(items, _ALL),) if items else ()),
    )
    title = Sentence(
        "{model} in {count}", model=Name(model), count=Count(len(rows), "environment")
    )
    return Page("environments", title, sections, _verdict(matrix))


def _verdict(matrix: RuntimeMatrix) -> Text:
    oldest, reference = matrix.oldest, matrix.reference
    ran = [row for row in matrix.rows if row.prediction is not None]
    if len(ran) < 2:
        template = "Only {newest} ran the model."
        return Text(Sentence(template, newest=_runtime(reference)), Tone.CAUTION, strong=True)
    if oldest is matrix.rows[0]:
        template = "All versions from {oldest} to {newest} give the same answer."
    elif oldest is reference:
        template = "{newest} gives another answer than the version before."
    else:
        template = "{oldest} is the oldest version that gives the answer of {newest}."
    tone = Tone.GOOD if oldest is matrix.rows[0] else Tone.CAUTION
    text = Sentence(template, oldest=_runtime(oldest), newest=_runtime(reference))
    return Text(text, tone, strong=True)


def _cells(row: EnvironmentRow, reference: EnvironmentRow, best: str) -> Iterator[Value]:
    numbers = None if row.report is None else latency(row.report)
    yield _runtime(row)
    yield Name(str(_folder(row.place)))
    yield row.python
    yield "" if numbers is None else Duration(numbers.headline.p50_ns)
    yield "" if numbers is None else interval_text(numbers.headline)
    yield "" if row.speed is None else _speed(row.speed)
    yield "" if row.report is None else Duration(row.report.load_ns)
    yield "" if row.report is None else Size(row.report.memory.model_bytes)
    yield Name(best)
    if row.prediction is None:
        yield "failed"
    elif row is reference:
        yield "the newest"
    else:
        rounded = "within rounding" if row.agrees else "different"
        yield "the same" if row.identical else rounded


def _runtime(row: EnvironmentRow) -> Value:
    return Name(f"{row.runtime} {row.version}".strip() or "unknown")


def _folder(python: Path) -> Path:
    """Return the folder of an environment by its Python; the Python itself outside of one."""
    return python.parents[1] if python.parent.name in ("bin", "Scripts") else python


def _best(row: EnvironmentRow) -> tuple[str, str]:
    """Return the top class of the reference and of an environment, where there are classes."""
    return next((each.best for each in row.outputs if any(each.best)), ("", ""))


def _text(problem: InspectorError) -> Value:
    parts: tuple[Value, ...] = (problem.what, problem.why)
    said = Joined(tuple(filter(None, parts)), ": ")
    return Joined((said, problem.hint), ". ") if problem.hint else said


def _speed(verdict: RatioVerdict) -> Value:
    change = verdict.ratio - 1
    if verdict.verdict is Verdict.FASTER:
        return Sentence("{share} faster", share=Share(-change))
    if verdict.verdict is Verdict.SLOWER:
        return Sentence("{share} slower", share=Share(change))
    return "the same" if verdict.verdict is Verdict.SAME else "inconclusive"


def _problems(matrix: RuntimeMatrix) -> Iterator[Item]:
    for row in matrix.rows:
        name = _runtime(row)
        if row.problem is not None:
            yield Item(
                Sentence("{runtime}: {problem}", runtime=name, problem=_text(row.problem)),
                tone=Tone.BAD,
            )
        elif row.verdict is not None and not row.agrees:
            yield Item(
                Sentence("{runtime}: {problem}", runtime=name, problem=sentence(row.verdict)),
                tone=Tone.CAUTION,
            )
        if row.report is not None:
            for reason in disturbances(row.report)[:1]:
                yield Item(
                    Sentence("Noisy with {runtime}: {reason}", runtime=name, reason=reason)
                )
