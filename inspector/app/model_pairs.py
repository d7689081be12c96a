"""Two models side by side: which of their reports compare, and what has to be measured."""

from collections.abc import Sequence
from itertools import product

from inspector.analysis.verdicts.contradictions import run_settings
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.report.settings import Setting


def different_settings(first: RunSpec, other: RunSpec) -> tuple[Setting, ...]:
    """Return the settings that two measurements do not share."""
    one, two = run_settings(first), run_settings(other)
    return tuple(
        setting
        for name, setting in SETTINGS.items()
        if getattr(one, name) != getattr(two, name)
    )


def comparable_reports(
    reports: Sequence[Sequence[PerformanceReport]],
) -> tuple[PerformanceReport | None, ...]:
    """Choose a report of each model, of two whose settings are the same where there are such.

    reports: of each model, oldest first. Where no two are alike, returns the last of each; None
    stands for a model without one.
    """
    newest = [list(reversed(each)) for each in reports]
    if len(newest) == 2:
        for pair in product(*newest):
            if not different_settings(pair[0].spec, pair[1].spec):
                return pair
    return tuple(next(iter(each), None) for each in newest)


def to_measure(
    specs: Sequence[RunSpec], reports: Sequence[PerformanceReport | None]
) -> tuple[int, ...]:
    """Return the places of the models that have to be measured before two reports compare.

    specs: present settings of each. A model without a report is measured, and the other one too
    where its report has other settings than the first will have.
    """
    missing = tuple(place for place, report in enumerate(reports) if report is None)
    planned = [
        spec if report is None else report.spec
        for spec, report in zip(specs, reports, strict=True)
    ]
    return tuple(range(len(specs))) if missing and different_settings(*planned) else missing
