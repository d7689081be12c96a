"""Which layers may be why a job does not come along, as far as that can be known from outside.

ONNX Runtime tells nobody which layer it is at before a call of the whole graph ends: a release
build logs no layer at any level, and the profile is written afterwards. What is known is which
layers can run for ever at all.
"""

from functools import cached_property
from pathlib import Path

from inspector.engine.protocol import AloneJob, Job
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.units import clip

# The body of a Loop runs until its condition is false; Scan and If end with their inputs.
_ENDLESS = ("", "Loop")
_MOST_NAMED, _NAME = 3, 60
_LARGEST_BYTES = 256 << 20  # a larger graph takes seconds to read, which the job has not


class Suspects:
    """The layers of a job's model that may run for ever, found when first asked for."""

    def __init__(self, job: Job) -> None:
        self._job = job

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Return at most three, as "'name' (Loop)"; empty where none can be named."""
        name = getattr(self._job, "model", "")
        try:
            if not name or Path(name).stat().st_size > _LARGEST_BYTES:
                return ()
            layers = opening.open_model(Path(name)).layers
        except (OSError, InspectorError):
            return ()
        if isinstance(self._job, AloneJob):
            named = [layer for layer in layers if layer.index == self._job.layer]
        else:
            named = [each for each in layers if (each.domain, each.operator) == _ENDLESS]
        return tuple(
            f"'{clip(layer.label, _NAME)}' ({clip(layer.operator, _NAME)})"
            for layer in named[:_MOST_NAMED]
        )
