"""Before and after: each number of the original beside that of a changed model."""

from collections.abc import Iterator

from inspector.analysis.verdicts.language import percent
from inspector.pages.blocks import Column, Limits, Row, Side, Table
from inspector.pages.rows import magnitude
from inspector.report.improvement import (
    FEWER,
    MORE,
    PERPLEXITY,
    Accuracy,
    Candidate,
    Improvement,
    Latency,
    TargetLayers,
    size_change,
    value_text,
)
from inspector.statistics.significance import Verdict
from inspector.wording.values import Count, Duration, Sentence, Share, Size, Tone, Toned, Value

_MOST_ROWS = 18
# other devices: phones come first
_ALWAYS_NAMED = 2
_OF_LITERT = 2  # ways to run a model: with and without XNNPACK
_MANY = 99.95  # percent, from which nobody reads tenths
_NOTICEABLE = 0.01  # a change that is smaller than this has no color
_ERROR = (
    "Root mean square of the difference of the outputs, relative to that of the original's "
    "outputs. As a signal-to-quantization-noise ratio (SQNR): {decibels}."
)
_LOAD = (
    "The first load in a new process, measured once per model. Preview shows a shorter time "
    "because its process has already loaded the runtime and read the file."
)
_TARGETS = "Layers that are known to run there, from support tables; nothing was run."


def before_after(now: Improvement, candidate: Candidate, outdated: bool = False) -> Table:
    """Return the numbers of a candidate: accuracy, latency, size, memory, levels, devices.

    outdated: whether the candidate is made anew, so that these are of the one before.
    """
    columns = (
        Column("name", "Metric", stretch=True),
        Column("original", "Original", Side.RIGHT),
        Column("recipe", "Recipe", Side.RIGHT),
        Column("change", "Change", Side.RIGHT),
    )
    tone = Tone.SECONDARY if outdated else Tone.PLAIN
    rows = (
        Row(cells, tone, details=details)
        for cells, details in _rows(now, candidate)
        if cells[2]
    )
    return Table(columns, tuple(rows), Limits(page=_MOST_ROWS), "number", fixed=True)


_Cells = tuple[Value, Value, Value, Value]


def _rows(now: Improvement, candidate: Candidate) -> Iterator[tuple[_Cells, Value]]:
    for measure in candidate.accuracy:
        yield _accuracy(measure)
    after = candidate.latency
    if after is not None:
        before = after.original or Latency(0)
        yield _latency(after, before)
        # Nothing says how sure the others are, so they have no color.
        yield (
            _pair(
                "Latency, p95 of all runs", _duration(before.p95_ns), _duration(after.p95_ns)
            ),
            "",
        )
        yield (
            _pair("Load in a new process", _duration(before.load_ns), _duration(after.load_ns)),
            _LOAD,
        )
    own, made = now.original.size_bytes, candidate.size_bytes
    words = size_change(own, made)
    yield _pair("File size", _size(own), _size(made), True, words), ""
    peak = _size(candidate.original_peak_bytes), _size(candidate.peak_bytes)
    yield _pair("Peak process memory", *peak, True), ""
    if not candidate.runs_everywhere:
        of_litert = candidate.of_levels == _OF_LITERT
        title = "Runs with and without XNNPACK" if of_litert else "Runs at optimization levels"
        yield (title, _levels(now.original), _levels(candidate), ""), ""
    fewer = (each for each in candidate.targets[_ALWAYS_NAMED:] if each.change == FEWER)
    yield from map(_target, (*candidate.targets[:_ALWAYS_NAMED], *fewer))


def _levels(candidate: Candidate) -> str:
    return f"{candidate.levels} of {candidate.of_levels}"


def _pair(
    name: str, before: Value, after: Value, judged: bool = False, words: str = ""
) -> _Cells:
    """Return a row of two amounts of one unit.

    judged: whether its change has a color. words: the change, by default "2.0% lower".
    """
    old, new = magnitude(before), magnitude(after)
    change: Value = ""
    if old and new:
        percent, tone = abs(100 * (new / old - 1)), _tone(new / old)
        amount = f"{percent:{'.1f' if percent < _MANY else ',.0f'}}%"
        template = "{amount} lower" if new < old else "{amount} higher"
        change = words or ("=" if new == old else Sentence(template, amount))
        if judged and tone is not Tone.PLAIN:
            change = Toned(change, tone, strong=True)
    return name, before or "–", after, change


def _duration(ns: float | None) -> Value:
    return Duration(ns) if ns else ""


def _size(count: int | None) -> Value:
    return Size(count) if count else ""


def _latency(after: Latency, before: Latency) -> tuple[_Cells, Value]:
    """Return the row of the median; the verdict is that of interleaved runs."""
    judgement, name = after.judgement, "Latency, median"
    both = _duration(before.p50_ns), _duration(after.p50_ns)
    if judgement is None:
        return _pair(name, *both, True), ""
    if after.known_change is None:
        return (name, *both, "inconclusive"), ""
    decided = judgement.verdict in (Verdict.FASTER, Verdict.SLOWER)
    template = "Interleaved runs, which cancel out changes in CPU speed: {verdict}."
    details = Sentence(template, verdict=judgement.text())
    change = judgement.change()
    if not decided:  # that of interleaved runs, as everywhere else, not of the medians
        amount = f"{abs(100 * (judgement.ratio - 1)):.1f}%"
        change = Sentence(
            "{amount} lower" if judgement.ratio < 1 else "{amount} higher", amount
        )
    return _pair(name, *both, decided, change), details


def _accuracy(measure: Accuracy) -> tuple[_Cells, Value]:
    value, count = value_text(measure), Count(measure.count, "input")
    if measure.id == "sqnr_db":
        error = Share(10 ** (-measure.value / 20))
        return ("Output error", "–", error, count), Sentence(_ERROR, value)
    if measure.original is None:
        return (measure.name, "–", value, count), ""
    if measure.id == PERPLEXITY:  # which has no points
        rise = percent(1 + (measure.change or 0.0) / (measure.original or 1.0))
        return (measure.name, value_text(measure, measure.original), value, rise), ""
    points = f"{100 * (measure.change or 0.0):+.2f}".replace("-", "−")
    change = Sentence("{points} points", points)
    return (measure.name, value_text(measure, measure.original), value, change), ""


def _target(layers: TargetLayers) -> tuple[_Cells, Value]:
    unchecked = Count(layers.unchecked, "layer")
    more = Sentence(f"{_TARGETS} {{layers}} could not be checked.", layers=unchecked)
    left = Sentence("{count} missing", Count(layers.unsupported))
    if layers.unchecked:
        most = Count(layers.unsupported + layers.unchecked)
        left = Sentence("{least} to {most} missing", Count(layers.unsupported), most)
    changes: dict[str, Value] = {
        FEWER: Toned(left, Tone.CAUTION, strong=True),
        MORE: Toned("more supported", Tone.GOOD, strong=True),
    }
    cells = (
        layers.target, layers.before or "unknown",
        layers.after or "unknown", changes.get(layers.change, ""),
    )  # fmt: skip
    return cells, more if layers.unchecked else _TARGETS


def _tone(ratio: float) -> Tone:
    """Return the tone of a change of something that should be small."""
    if abs(ratio - 1) < _NOTICEABLE:
        return Tone.PLAIN
    return Tone.GOOD if ratio < 1 else Tone.CAUTION
