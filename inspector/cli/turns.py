"""What `inspector measure` measures: a model alone, or two in turns, start by start."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.engine.in_turns import Pair
    from inspector.engine.values import Progress
    from inspector.model import Model
    from inspector.narrowing import Goal
    from inspector.preview.feeds import Filled
    from inspector.report import ModelIdentity, PerformanceReport, RunSpec

STARTS = 5  # on each side, where nobody says how many


@dataclass(frozen=True, slots=True)
class Subject:
    """A model, what it is fed with, and how it is run."""

    path: Path
    model: "Model"
    feeds: "tuple[Filled, ...]"
    identity: "ModelIdentity"
    spec: "RunSpec"

    def advised(self, report: "PerformanceReport") -> "PerformanceReport":
        """Its report, with what the model says of it."""
        from inspector.analysis import facts
        from inspector.analysis.advice import with_advice

        return with_advice(report, self.model, facts(self.model))


def measured(
    subject: Subject, spec: "RunSpec", wait: bool, show: "Callable[[Progress], None]"
) -> "PerformanceReport":
    """Measure a model, and hold its layers against the machine where `spec` says so."""
    from inspector.engine import handover, roofs
    from inspector.engine.process import EngineProcess
    from inspector.preview.feeds import fed

    arrays = fed(subject.feeds)
    with EngineProcess(show) as engine:
        done = engine.measure(subject.path, subject.identity, spec, arrays, wait)
        if not spec.roofline:
            return done
        return roofs.with_roofline(engine, subject.path, done, handover.shapes_of(arrays))


def both(
    subjects: tuple[Subject, Subject],
    times: int,
    wait: bool,
    show: "Callable[[Progress], None]",
    goal: "Goal | None" = None,
) -> "Pair":
    """Measure two models in turns, in so many times the starts of their specs.

    goal: go on until it is reached, in at most so many times its starts.
    """
    from inspector.engine.in_turns import Measure, in_turns
    from inspector.engine.restarting import told_as

    def alone(subject: Subject) -> Measure:
        return lambda spec, step: measured(subject, spec, wait, told_as(step, show))

    one, other = subjects
    specs = tuple(replace(each.spec, starts=times * each.spec.starts) for each in subjects)
    wanted = replace(goal, starts=times * goal.starts) if goal else None
    return in_turns((alone(one), alone(other)), (specs[0], specs[1]), wanted)
