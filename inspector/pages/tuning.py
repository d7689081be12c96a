"""The page of a search for the fastest settings: what to set, and what was tried."""

from statistics import median

from inspector.analysis.measured.tuning_results import (
    chosen,
    gained,
    sentences,
    settings_text,
)
from inspector.pages.blocks import (
    Column,
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
from inspector.report.tuning import Trial, Tuning
from inspector.wording.values import Count, Duration, Name, Tone, Value

_TRIALS = Limits(terminal=40, document=40)


def tuning_page(tuning: Tuning, code: Snippet | None = None) -> Page:
    """Return the page. code: sets the chosen settings where they are not the default."""
    verdict, *more = sentences(tuning)
    snippet = (code,) if code is not None and chosen(tuning) != tuning.default else ()
    sections = (
        Section("evidence", "", tuple(Text(text) for text in more)),
        Section("code", "Settings to use", snippet),
        _trials(tuning),
    )
    confirmed = bool(gained(tuning).starts) and bool(snippet)
    tone = Tone.GOOD if confirmed else Tone.PLAIN
    title = Name(tuning.model.name)
    return Page("tuning", title, sections, Text(verdict, tone, strong=True))


def _trials(tuning: Tuning) -> Section:
    columns = (
        Column("settings", "Settings", stretch=True),
        Column("median", "Median", Side.RIGHT),
        Column("processes", "Processes", Side.RIGHT, keep=5),
        Column("problem", "Problem", keep=6),
    )
    order = sorted(tuning.trials, key=lambda trial: _median_ns(trial) or float("inf"))
    rows = tuple(
        Row((
            settings_text(trial.spec, tuning.default),
            _median(trial),
            Count(len(trial.rounds)) if trial.rounds else "",
            Name(trial.why) if trial.why else "",
        ))
        for trial in order
    )  # fmt: skip
    table = (Table(columns, rows, _TRIALS, "trial"),) if rows else ()
    aside = "measured one after the other; only the two best were interleaved"
    return Section("trials", "Settings tried", table, Rank.DOCUMENT, aside)


def _median_ns(trial: Trial) -> float | None:
    runs = [ns for each in trial.rounds for ns in each.prediction_ns]
    return median(runs) if runs else None


def _median(trial: Trial) -> Value:
    median_ns = _median_ns(trial)
    return "" if median_ns is None else Duration(median_ns)
