"""Rows of the tables about an improvement, the same on its own pages and in a report."""

from collections.abc import Iterator

from inspector import units
from inspector.comparison.improvement_conditions import subject_of
from inspector.export.charts.improvement_plot import accuracy_name
from inspector.report.improvement import (
    Accuracy,
    Candidate,
    Improvement,
    change_text,
    value_text,
    verdict_text,
)
from inspector.report.sensitivity import decibels

HEAD = ("Candidate", "Size", "p50 (original)", "Latency", "Accuracy", "Verdict")
WORST_HEAD = ("Input", "Original", "Candidate", "Truth")
TARGET_HEAD = ("Device", "Original", "New model")
LAYER_HEAD, _MOST_LAYERS = ("Layer", "Operator", "SQNR", "SQNR drop"), 12


def candidate_rows(improvement: Improvement) -> Iterator[tuple[str, ...]]:
    """Yield a row of HEAD for the original and for each candidate."""
    for candidate in (improvement.original, *improvement.candidates):
        measure = candidate.measure(improvement.main)
        accuracy = accuracy_text(measure, bool(candidate.steps)) if measure else ""
        if not candidate.steps and not accuracy:
            accuracy = "reference"
        timed = candidate.latency
        verdict = verdict_text(improvement, candidate) if candidate.steps else ""
        p50 = units.duration(round(timed.p50_ns)) if timed else ""
        if timed and timed.original is not None:  # as it ran interleaved with this candidate
            p50 += f" ({units.duration(round(timed.original.p50_ns))})"
        yield (
            candidate.name,
            units.size(candidate.size_bytes) if candidate.size_bytes else "",
            p50,
            latency_text(candidate),
            accuracy,
            verdict,
        )


def latency_text(candidate: Candidate) -> str:
    """Return the verdict on the latency: "2.00× faster (95% CI 1.90× to 2.10×)"."""
    judgement = candidate.latency.judgement if candidate.latency is not None else None
    return "" if judgement is None else judgement.text(explained=False)


def accuracy_text(measure: Accuracy, with_change: bool = True) -> str:
    """Return an accuracy with its inputs, and its change unless it is the original's."""
    change = change_text(measure) if with_change else ""
    count = units.plural(measure.count, "input") if measure.count else ""
    return ", ".join(filter(None, (value_text(measure), change, count)))


def notable_prefix(improvement: Improvement) -> str:
    """Return the beginning of the line on what is notable besides the best candidate."""
    return "Also notable:" if improvement.best >= 0 else "Notable:"


def facts(improvement: Improvement) -> Iterator[tuple[str, str]]:
    """Yield what the results rest on: data, device, limit, versions."""
    yield "Model", f"{improvement.model}, SHA-256 {improvement.sha256}"
    yield "Device", improvement.device
    for name, data in (("Test", improvement.test), ("Calibration", improvement.calibration)):
        if data is not None:
            labeled = f", {data.labeled:,} with a label" if data.labeled else ""
            count = units.plural(data.inputs, "input")
            yield name, f"{data.folder}: {count}{labeled}, SHA-256 {data.digest}"
    if improvement.limit is not None and improvement.main:
        points = f"{100 * improvement.limit:.2f} points"
        yield "Limit", f"{accuracy_name(improvement)} may drop by at most {points}"
    if improvement.made_by:
        yield "Created with", ", ".join(improvement.made_by)


def target_rows(improvement: Improvement) -> list[tuple[str, str, str]]:
    """Return for each target the layers that it runs of the original and of the candidate."""
    candidate = subject_of(improvement)
    return [
        (each.target, each.before or "unknown", each.after_text)
        for each in (candidate.targets if candidate is not None else ())
    ]


def layer_rows(improvement: Improvement) -> list[tuple[str, str, str, str]]:
    """Return the layers that add most to the error of the best candidate, or the only one."""
    candidate = subject_of(improvement)
    worst = candidate.worst_layers if candidate is not None else ()
    return [
        (
            units.clip(each.name, 80),
            each.operator,
            decibels(each.sqnr_db),
            "" if each.drop_db is None else f"−{each.drop_db:.1f} dB",
        )
        for each in worst[:_MOST_LAYERS]
    ]


def cautions(improvement: Improvement) -> tuple[str, ...]:
    """Return sentences that belong beside the verdict on the best candidate."""
    candidate = subject_of(improvement)
    return candidate.cautions if candidate is not None else ()
