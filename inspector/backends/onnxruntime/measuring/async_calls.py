"""run_async compared with run: what a call that does not block costs until it has its outputs.

ONNX Runtime hands such a call to a thread of its intra-op pool, which computes and then calls a
Python function. Nothing becomes faster by that; the thread that called has time for other work.
"""

import gc
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from time import perf_counter_ns
from typing import Any

from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.measuring.concurrent_predictions import LEAST_SECONDS, MOST_SAMPLES
from inspector.backends.onnxruntime.measuring.session_timing import Feeds
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.backends.onnxruntime.sessions import session as session_module
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.report.report import AsyncCalls
from inspector.report.run_spec import RunSpec

_STEP = "asynchronous calls"
_NO_POOL = "must have at least one thread for RunAsync"
_NO_SECOND_THREAD = (
    "run_async was not measured: ONNX Runtime runs it on its intra-op thread pool, which a "
    "session with one thread does not have."
)
_NEEDS_BINDING = (
    "run_async was not measured: it takes no inputs or outputs of this model's data types."
)


def async_calls(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], feeds: Feeds, tell: Tell
) -> tuple[AsyncCalls | None, tuple[str, ...]]:
    """Return times of run_async and of run, in turns; or nothing, and a note about the reason.

    Raises EngineFailed: the runtime refused.
    """
    tell(_STEP, -1, ())
    body, companions = session_module.model_source(model, spec)
    session = session_module.create_session(body, spec, units, external_folder=companions)
    given = predict.plain_feeds(session, feeds, spec.cast)
    if given is None:
        return None, (_NEEDS_BINDING,)
    try:
        for _ in range(max(1, spec.warmup)):
            session.run(None, given)
            _call(session, given)
        gc.collect()  # not in the middle of a call
        rows = list[tuple[int, int, int, int]]()
        until = perf_counter_ns() + int(max(LEAST_SECONDS, spec.seconds) * 1e9)
        while len(rows) < MOST_SAMPLES:
            began = perf_counter_ns()
            if len(rows) >= spec.runs and began >= until:
                break
            session.run(None, given)
            rows.append((perf_counter_ns() - began, *_call(session, given)))
        return AsyncCalls(*zip(*rows, strict=True)), ()
    except REFUSALS as error:
        if _NO_POOL in str(error):
            return None, (_NO_SECOND_THREAD,)
        raise refusals.runtime_failure(error, "Could not call run_async", _STEP) from error


def _call(session: Any, given: dict[str, Any]) -> tuple[int, int, int]:
    """Call run_async once: nanoseconds until it returned, called back, and was waited for."""
    done, heard = Event(), list[tuple[int, str]]()

    def hear(outputs: object, data: object, error: str) -> None:
        heard.append((perf_counter_ns(), error))
        done.set()

    began = perf_counter_ns()
    session.run_async(None, given, hear, None)
    returned = perf_counter_ns()
    done.wait()
    ended = perf_counter_ns()
    at, error = heard[0]
    if error:
        raise RuntimeError(error)
    return returned - began, at - began, ended - began
