"""The page of a search for the fastest settings: what to set, and what was tried."""

from functools import partial
from math import inf
from statistics import median

from inspector.analysis.measured.tuning_results import chosen, gained, sentences, settings_text
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
from inspector.report.settings import Goal
from inspector.report.tuning import Trial, Tuning, p95_ns
from inspector.wording.values import Count, Duration, Name, Size, Tone, Value

_SECOND_NS = 1_000_000_000
_TRIALS = Limits(terminal=40, document=40)


def tuning_page(tuning: Tuning, code: Snippet | None = None) -> Page:
    """Return the page. code: sets the chosen settings where they are not the default."""
    verdict, *more = sentences(tuning)
    snippet = (code,) if code is not None and chosen(tuning) != tuning.default else ()
    sections = (
        Section("evidence", "", tuple(Text(text) for text in more)),
        Section("code", "Settings to use", snippet),
        trials_section(tuning),
    )
    confirmed = bool(gained(tuning).starts) and bool(snippet)
    tone = Tone.GOOD if confirmed else Tone.PLAIN
    title = Name(tuning.model.name)
    return Page("tuning", title, sections, Text(verdict, tone, strong=True))


def trials_section(tuning: Tuning) -> Section:
    """Return the settings that were tried, the best first."""
    per_second = tuning.goal is Goal.THROUGHPUT
    columns = (
        Column("settings", "Settings", stretch=True),
        Column("median", "Median", Side.RIGHT),
        Column("p95", "p95", Side.RIGHT, keep=4),
        *((Column("items", "Items per second", Side.RIGHT),) * per_second),
        Column("memory", "Memory", Side.RIGHT, keep=4),
        Column("processes", "Processes", Side.RIGHT, keep=5),
        Column("problem", "Problem", keep=6),
    )
    order = sorted(tuning.trials, key=partial(_cost, tuning))
    rows = tuple(
        Row((
            settings_text(trial.spec, tuning.default),
            _duration(_median_ns(trial)),
            _duration(p95_ns(trial.rounds)),
            *((_items(tuning, trial),) * per_second),
            Size(_peak_bytes(trial)) if trial.rounds else "",
            Count(len(trial.rounds)) if trial.rounds else "",
            Name(trial.why) if trial.why else "",
        ))
        for trial in order
    )  # fmt: skip
    table = (Table(columns, rows, _TRIALS, "trial"),) if rows else ()
    aside = "each interleaved with the best settings before it; times of other rows may differ"
    several = len({trial.spec.devices for trial in tuning.trials}) > 1
    rank = Rank.TERMINAL if several or tuning.most_p95_ns else Rank.DOCUMENT
    return Section("trials", "Settings tried", table, rank, aside)


def _median_ns(trial: Trial) -> float | None:
    runs = [ns for each in trial.rounds for ns in each.prediction_ns]
    return median(runs) if runs else None


def _cost(tuning: Tuning, trial: Trial) -> float:
    """Return what a search wants low; infinite where settings failed."""
    median_ns = _median_ns(trial)
    if median_ns is None:
        return inf
    if tuning.goal is Goal.MEMORY:
        return float(_peak_bytes(trial))
    return median_ns / tuning.items(trial.spec)


def _peak_bytes(trial: Trial) -> int:
    return max((each.model_bytes for each in trial.rounds), default=0)


def _items(tuning: Tuning, trial: Trial) -> Value:
    median_ns = _median_ns(trial)
    if not median_ns:
        return ""
    return f"{_SECOND_NS * tuning.items(trial.spec) / median_ns:,.1f}"


def _duration(ns: float | None) -> Value:
    return "" if ns is None else Duration(ns)
