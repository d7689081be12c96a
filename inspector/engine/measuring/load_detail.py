"""One more load, with the runtime's log, to tell apart what loading consists of."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns

from inspector.engine.measuring import clock
from inspector.engine.measuring.clean_pass import Tell
from inspector.engine.measuring.load_log import Stretch, stretches
from inspector.engine.sessions import source
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.session import create_session
from inspector.report import LoadPhase, RunSpec

MOST_LOG_BYTES = 256 << 20
_EVERYTHING = 0
_STANDARD_ERROR = 2
_LEAST_SHARE = 0.01  # of the load: shorter passes of the optimiser say nothing


@dataclass(frozen=True, slots=True)
class LoadDetail:
    """A load in its parts: start_ns on perf_counter's clock, those of parts from there."""

    start_ns: int
    duration_ns: int
    parts: tuple[Stretch, ...]

    @property
    def phases(self) -> tuple[LoadPhase, ...]:
        """Each phase with its time in all, and after it the passes in it."""
        times: Counter[tuple[str, str]] = Counter()
        for part in self.parts:
            times[part.inside, part.name] += part.duration_ns
        return tuple(
            LoadPhase(name, time, around)
            for (outer, phase), _ in times.items()
            if not outer
            for (around, name), time in times.items()
            if around == phase or (around, name) == ("", phase)
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Tell when the log had nothing to say."""
        if self.parts:
            return ()
        return ("The runtime's log of this version does not tell the phases of loading.",)


def load_in_detail(
    model: Path, spec: RunSpec, units: Sequence[Unit], folder: Path, tell: Tell
) -> LoadDetail:
    """Load a model as the clean pass does, writing the log into `folder` meanwhile.

    Raises EngineFailed: the runtime refused.
    """
    tell("load in detail", -1, ())
    log = folder / "load.log"
    with _standard_error_in(log):
        begun = clock.now()
        body, side = source.given(model, spec)
        session = create_session(body, spec, units, external_folder=side, log_level=_EVERYTHING)
        duration_ns = perf_counter_ns() - begun.perf_ns
        del session  # its end has nothing to do with loading
    with log.open("rb") as lines:
        found = stretches(_capped(lines), begun.wall_ns, duration_ns)
    log.unlink()
    kept = (p for p in found if not p.inside or p.duration_ns > _LEAST_SHARE * duration_ns)
    return LoadDetail(begun.perf_ns, duration_ns, tuple(kept))


def _capped(lines: Iterator[bytes]) -> Iterator[bytes]:
    left = MOST_LOG_BYTES
    for line in lines:
        left -= len(line)
        if left < 0:
            return
        yield line


@contextmanager
def _standard_error_in(file: Path) -> Iterator[None]:
    """Let the runtime write its log into a file: it knows no other way out than this one."""
    sys.stderr.flush()
    kept = os.dup(_STANDARD_ERROR)
    try:
        with file.open("wb") as opened:
            os.dup2(opened.fileno(), _STANDARD_ERROR)
        yield
    finally:
        os.dup2(kept, _STANDARD_ERROR)
        os.close(kept)
