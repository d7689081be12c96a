"""Several sessions of one model in one process: what each more costs, and what they share.

Python reaches two of the three things that sessions of ONNX Runtime can share: the arena of the
environment and its thread pools. The container of prepacked weights
(CreateSessionWithPrepackedWeightsContainer) exists in C, C++ and C# only, so each session here
has its own copy of the weights.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import onnxruntime
from onnxruntime.capi import _pybind_state as runtime

from inspector.backends.measuring import process_state
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.measuring.concurrent_predictions import LEAST_SECONDS, run_concurrently
from inspector.backends.onnxruntime.measuring.session_timing import Feeds
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.backends.onnxruntime.sessions import session as session_module
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import Sharing
from inspector.platform.heap import trim_heap
from inspector.report.report import SharedSessions
from inspector.report.run_spec import RunSpec

# In this order: from then on a process has the shared arena, and only sessions that share the
# thread pools.
_WAYS: tuple[Sharing, ...] = (Sharing.NOTHING, Sharing.ARENA, Sharing.THREADS)
NOT_SHARED = (
    "Several sessions: each has its own copy of prepacked weights. ONNX Runtime can share "
    "these from C, C++ and C#, but not from Python."
)


def _share_arena() -> None:
    place = onnxruntime.OrtMemoryInfo(
        "Cpu",
        onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR,
        0,
        onnxruntime.OrtMemType.DEFAULT,
    )
    # No limit, and the runtime's defaults for how it grows.
    onnxruntime.create_and_register_allocator(place, runtime.OrtArenaCfg(0, -1, -1, -1))


def several_sessions(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], feeds: Feeds, tell: Tell
) -> tuple[SharedSessions, ...]:
    """Load the model `spec.sessions` times at once in each way of sharing, and predict in all.

    It comes last in a process: the thread pools stay shared. Raises EngineFailed.
    """
    found = []
    for place, way in enumerate(_WAYS):
        tell("several sessions", place / len(_WAYS), ())
        if way is Sharing.ARENA:
            _share_arena()
        elif way is Sharing.THREADS:
            onnxruntime.set_global_thread_pool_sizes(spec.threads, spec.inter_threads)
        try:
            trim_heap()  # what an earlier way left would be used again
            before = process_state.resident_bytes(), process_state.private_bytes()
            body, companions = session_module.model_source(model, spec)
            sessions, runs = list[Any](), list[Callable[[], object]]()
            loads, resident, private = list[int](), list[int](), list[int]()
            for _ in range(spec.sessions):
                began = perf_counter_ns()
                sessions.append(
                    session_module.create_session(
                        body, spec, units, external_folder=companions, sharing=way
                    )
                )
                loads.append(perf_counter_ns() - began)
                runs.append(predict.prepare_run(sessions[-1], feeds, spec.binding, spec.cast))
                runs[-1]()  # the arena grows with the first prediction
                resident.append(max(0, process_state.resident_bytes() - before[0]))
                if before[1] is not None and (now := process_state.private_bytes()) is not None:
                    private.append(max(0, now - before[1]))
            at_once = run_concurrently(runs, spec.runs, max(LEAST_SECONDS, spec.seconds))
            found.append(
                SharedSessions(str(way), tuple(loads), tuple(resident), tuple(private), at_once)
            )
        except REFUSALS as error:
            raise refusals.runtime_failure(
                error, "Could not run several sessions", "several sessions"
            ) from error
    return tuple(found)
