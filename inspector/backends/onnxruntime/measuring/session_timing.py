"""The first half of a measurement with ONNX Runtime: what a user's own program would see."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from msgspec.structs import replace

from inspector.backends.measuring import clean_pass as timing
from inspector.backends.measuring.clean_pass import Checkpoint, CleanPass, Tell, Timed
from inspector.backends.measuring.concurrent_predictions import throughput
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.backends.onnxruntime.measuring.provider_cache import CacheWatch
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.backends.onnxruntime.sessions import session as session_module
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.report.run_spec import RunSpec

Feeds = Mapping[str, predict.Feed]


def clean_pass(
    model: Path,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    feeds: Feeds,
    folder: Path,
    tell: Tell,
    known_ns: int = 0,
    taking: TurnTaker | None = None,
    checkpoint: Checkpoint = lambda clean: None,
) -> CleanPass:
    """Load a model from its file and predict; the session is gone afterwards.

    folder: private, takes what a provider keeps of a model that it compiled. The rest is as in
    `backends.measuring.clean_pass`.
    """
    cache = CacheWatch(spec)
    read, compilations = _compiled(model, spec, units, folder, tell)

    def load() -> Any:
        body, companions = session_module.model_source(read, spec)
        return create_session(body, spec, units, external_folder=companions)

    def prepare(session: Any) -> predict.Run:
        return predict.prepare_run(session, feeds, spec.binding, spec.cast)

    timed = Timed(
        load,
        prepare,
        lambda session: throughput(lambda: prepare(session), spec, tell),
        REFUSALS,
        lambda error: refusals.runtime_failure(error, "Could not run the model", "prediction"),
        cache.look,
    )
    done = timing.clean_pass(timed, spec, tell, known_ns, taking, checkpoint)
    notes = (*done.notes, *session_module.notes(model, spec))
    return replace(done, compilations_ns=compilations, notes=notes, load_cache=cache.found)


def _compiled(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], folder: Path, tell: Tell
) -> tuple[Path, tuple[int, ...]]:
    """Return the file to load, compiled if requested, and the time of each compilation."""
    read, took = model, []
    for _ in range(spec.loads if spec.load_from == "compiled" else 0):
        tell("compile", -1, ())
        began = perf_counter_ns()
        read = session_module.compile_model(model, spec, units, folder)
        took.append(perf_counter_ns() - began)
    return read, tuple(took)
