"""A series of shapes in one session: what the first run of each costs, and whether the memory
that a large one takes comes back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from inspector.app.subjects import Subject
from inspector.engine.client.engine import Engine
from inspector.engine.requests import RunShape
from inspector.errors import BadInput
from inspector.model.axes import free_axes
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.report.report_values import ShapeRun

SCHEMA = "shapes/1"
Lengths = Mapping[str, int]


def series(
    engine: Engine, subject: Subject, shapes: Sequence[Lengths]
) -> Iterator[tuple[Lengths, ShapeRun]]:
    """Yield each choice of lengths with its runs, in one session, and the first once more.

    Raises BadInput: an axis that is not free; InspectorError: a shape does not run.
    """
    free = set(free_axes(subject.inputs))
    for name in {name for lengths in shapes for name in lengths} - free:
        known = ", ".join(sorted(free)) or "none"
        why = f"the model has no free axis '{name}' (free: {known})"
        raise BadInput("Could not run the series of shapes", why)
    for lengths in (*shapes, shapes[0]):
        own = subject.with_lengths(lengths)
        feeds = feeds_by_name(own.filled())
        yield lengths, engine.call(RunShape(own.path, own.spec, feeds))


def series_json(model: str, runs: Sequence[tuple[Lengths, ShapeRun]]) -> dict[str, Any]:
    """Return the runs as JSON has them (schema shapes/1)."""
    listed = [{"lengths": dict(lengths), **asdict(run)} for lengths, run in runs]
    held = runs[-1][1].after_bytes - runs[0][1].after_bytes
    return {"schema": SCHEMA, "model": model, "held_bytes": held, "runs": listed}
