"""What `inspector measure` measures: a model alone, or two in turns."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import InspectorError

if TYPE_CHECKING:
    from inspector.engine.abreast import Pair
    from inspector.engine.floor import Seat
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
    subject: Subject,
    spec: "RunSpec",
    wait: bool,
    show: "Callable[[Progress], None]",
    seat: "Seat | None" = None,
    ends: "list[BaseException] | None" = None,
) -> "PerformanceReport":
    """Measure a model, and hold its layers against the machine where `spec` says so.

    ends: takes what ended the measurement early if something was measured before; what was is
    returned then. Without it, it is raised.
    """
    from inspector.engine import handover, roofs
    from inspector.engine.process import EngineProcess
    from inspector.preview.feeds import fed

    arrays = fed(subject.feeds)
    with EngineProcess(show, seat=seat) as engine:
        try:
            done = engine.measure(subject.path, subject.identity, spec, arrays, wait)
        except (KeyboardInterrupt, InspectorError) as error:
            if ends is None or engine.partial is None:
                raise
            ends.append(error)
            return engine.partial
        if not spec.roofline:
            return done
        return roofs.with_roofline(engine, subject.path, done, handover.shapes_of(arrays))


def both(
    subjects: tuple[Subject, Subject],
    times: int,
    wait: bool,
    show: "Callable[[Progress], None]",
    goal: "Goal | None" = None,
    ends: "list[BaseException] | None" = None,
) -> "Pair":
    """Measure two models in turns, in so many times the starts of their specs.

    Both are loaded at once and predict in turns, where memory has room for that; else one
    start follows the other. goal: go on until it is reached, in at most so many times its
    starts. ends: as `in_turns` takes it.
    """
    from inspector.engine import abreast, turn
    from inspector.engine.in_turns import in_turns
    from inspector.engine.restarting import told_as
    from inspector.engine.values import Progress

    def alone(subject: Subject) -> abreast.Measure:
        return lambda spec, step: measured(subject, spec, wait, told_as(step, show))

    def seated(subject: Subject) -> abreast.Seated:
        return lambda spec, step, seat: measured(subject, spec, wait, told_as(step, show), seat)

    one, other = subjects
    specs = _more(one.spec, times), _more(other.spec, times)
    wanted = replace(goal, starts=times * goal.starts) if goal else None
    if not abreast.has_room(_size_bytes(subject.model) for subject in subjects):
        return in_turns(
            abreast.one_by_one((alone(one), alone(other))), specs, wanted, ends=ends
        )

    def waiting() -> None:
        show(Progress("waiting", -1))

    with turn.turn(turn.default_file(), wait, waiting, lambda: False, "Could not measure"):
        return in_turns(abreast.abreast((seated(one), seated(other))), specs, wanted, ends=ends)


def _more(spec: "RunSpec", times: int) -> "RunSpec":
    return replace(spec, starts=times * spec.starts)


def _size_bytes(model: "Model") -> int:
    """The file, or the weights that may lie beside it."""
    return max(model.size_bytes, sum(weight.size_bytes or 0 for weight in model.weights))
