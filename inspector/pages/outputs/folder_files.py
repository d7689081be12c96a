"""The files of a folder of inputs with the result of each, as a table."""

from collections.abc import Sequence

from inspector import units
from inspector.pages.blocks import Column, Limits, Row, Side, Table
from inspector.preview.runs import folder
from inspector.preview.runs.metrics import Result, own_metric
from inspector.wording.values import (
    Duration,
    Joined,
    Name,
    Noted,
    Number,
    Probability,
    Share,
    Tone,
    Toned,
    Value,
)

_TITLES = {"file": "File", "row": "Row"}
# what is wrong stands first
_WRONG = 0.0
_UNKNOWN = 1.0
_RIGHT = 2.0


def file_table(files: Sequence[folder.Row], noun: str = "file") -> Table:
    """Return a row for each file, in their order. noun: what an input is."""
    own = next((own_metric(each.result)[0] for each in files if each.result is not None), "")
    columns = (
        Column("file", _TITLES[noun], stretch=True, files=True),
        Column("answer", "Prediction", stretch=True, files=True),
        Column("score", "Score", Side.RIGHT, keep=5),
        Column("truth", "Label"),
        *((Column("metric", own, Side.RIGHT),) if own else ()),
        Column("other", "Comparison"),
        Column("time", "Latency", Side.RIGHT, keep=4),
    )
    return Table(columns, tuple(_row(each, bool(own)) for each in files), Limits(), noun)


def _row(file: folder.Row, own: bool) -> Row:
    return Row((
        Name(file.file),
        _answer(file),
        score_of(file),
        _truth(file),
        *((_metric(file.result),) if own else ()),
        _other(file.agreement),
        Duration(file.prediction_ns) if file.prediction_ns else "",
    ))  # fmt: skip


def _metric(result: Result | None) -> Value:
    """Return what is said of one file alone: an error in its unit, a share in percent."""
    if result is None:
        return ""
    name, value = own_metric(result)
    return Number(value) if name == "RMSE" else Share(value)


def score_of(file: folder.Row) -> Value:
    """Return the score of a file's answer as it is written everywhere; "" without one."""
    if file.score is None:
        return ""
    return Number(file.score, digits=2) if file.of_box else Probability(file.score)


def _answer(file: folder.Row) -> Value:
    if not file.problem:
        return Name(file.answer)
    why = units.capitalized(file.why or file.problem)
    spoken = Joined(("failed", Name(why)), ": ")
    return Noted(Toned(Name(why), Tone.BAD), Name(file.problem), spoken=spoken)


def _truth(file: folder.Row) -> Value:
    if file.right is None:
        return Noted(Name(file.wanted), order=_UNKNOWN)
    return _marked(file.right, Name(file.wanted), "right" if file.right else "wrong")


def _other(agreement: folder.Agreement | None) -> Value:
    """Return how the second run of a file agrees; "" without one."""
    if agreement is None:
        return ""
    if agreement.same is None:
        text: Value = Name(agreement.words)
        if agreement.largest is not None:
            text = Joined(("±", Number(agreement.largest)), " ")
        return Noted(text, order=_UNKNOWN)
    return _marked(agreement.same, "same" if agreement.same else Name(agreement.words),
                   "" if agreement.same else "differs")  # fmt: skip


def _marked(right: bool, value: Value, word: str) -> Noted:
    shown: Value = Joined(("✓" if right else "✗", value), " ")
    spoken = Joined((word, value)) if word else value
    order = _RIGHT if right else _WRONG
    return Noted(shown if right else Toned(shown, Tone.BAD), order=order, spoken=spoken)
