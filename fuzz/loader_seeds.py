"""Small whole files of ours to begin with: each field that a loader reads has a value."""

import json
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from fuzz import model_files, packed_trees
from inspector.model.tensors.agreement import CheckedOutput
from inspector.model.tensors.difference import Difference
from inspector.report import report, sweep, tuning
from inspector.report.environment import WeightPrepacking
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import (
    Advice,
    InsertedNode,
    LoadPhase,
    PerformanceReport,
    PredictionFilter,
    ProviderProfile,
    RatioEstimate,
    Throughput,
    TurnOrder,
)
from inspector.report.roofline import Ceiling, LayerWork, Roofline
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Agreement, Axis, Round, Sweep, plan
from inspector.report.tuning import InterleavedStart, Trial, Tuning
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.trace.trace import Counter, Flows, InstantEvent

SAMPLES = Path(__file__).parent.parent / "tests" / "samples" / "reports"
_MS, _NOW_NS = 1_000_000, 1_795_457_483_695_305_259


def reports() -> Iterator[PerformanceReport]:
    """Return reports of earlier versions, and one with all that a report can hold."""
    old = [report.load(path) for path in sorted(SAMPLES.glob("*.json"))]
    yield from old
    yield _whole(old[-1])


def _whole(base: PerformanceReport) -> PerformanceReport:
    import numpy as np

    layers, count = base.layers, 24
    spread = TimeSpread(1000, 9000, 1500, 4000, 8, 1)
    inside = ProviderProfile(10, 100, "cycles", "a profiler")
    first = replace(layers[0], spread=spread, inside=inside, reads=(0,), submitted_ns=5)
    delta = Difference((1, 10), (1, 10), "float32", "float32", 10, 10, 3, 0, 0.1, 0.01, 0.2,
                       60.0, 50.0, 0.99, 1.0, where=3, peak=4.0)  # fmt: skip
    trace = base.trace
    trace = replace(
        trace,
        counters=(Counter("Heap", "bytes", np.array([0, 5, 9]), np.array([1.0, 2.0, 3.5])),),
        flows=Flows(np.array([0]), np.array([min(1, len(trace) - 1)]), np.array([0])),
        moments=(InstantEvent(7, "warm"),),
    )
    return replace(
        base,
        layers=(first, *(replace(use, into=0) for use in layers[1:2]), *layers[2:]),
        inserted=(InsertedNode("cast", "Cast", "cast", "cpu", 900, 64, 0, 1, spread, 4),),
        trace=trace,
        prediction_ns=tuple(range(_MS, _MS + count * 1000, 1000)),
        prediction_cpu_ns=tuple(range(_MS, _MS + count * 1000, 1000)),
        warmup_ns=(_MS, _MS),
        loads_ns=(5 * _MS, 4 * _MS),
        load_phases=(LoadPhase("read", _MS), LoadPhase("parse", 1000, "read")),
        first_predictions_ns=(2 * _MS, 2 * _MS),
        compilations_ns=(9 * _MS,),
        throughput=(Throughput(1, 9 * _MS, (_MS,) * 9), Throughput(2, 9 * _MS, (_MS,) * 15)),
        outputs=(CheckedOutput("scores", delta, 1e-4), CheckedOutput("list", None, 1e-4)),
        roofline=Roofline(
            (Ceiling("cpu", "float32", 0, 1e11, 2e10, "", True),),
            (LayerWork(0, 10**6, 4000, 400), LayerWork(1, 10, 0)),
        ),
        start_lengths=(8, 8, 8),
        start_layers_ns=tuple(tuple(use.time_ns for use in layers) for _ in range(3)),
        pace=CpuSpeed((9000, 9100, 9000, 9300), (0, 8, 16, 24), 8900),
        advised=(
            Advice("weights", "They are large.", "half", "Try it.", (0, 1), ("cast",), 0.4),
        ),
        turns=TurnOrder("a", (0, 2, 4, 6, 8, 10), (4,) * 6),
        profiling=Profiling(
            max(3, base.profiled_runs), (0, 1, 2), True, _MS, 1000, 50, 9, 300, 20, 1.1, 1.2
        ),
        layer_timing={"cpu": "synchronized"},
        memory=replace(base.memory, packing=WeightPrepacking(1000, 900, 5000, 6000, 10, 3)),
        spec=replace(
            base.spec,
            dimensions=(report.Dimension("batch", 1),),
            inputs=(report.InputSource("x", "zeros"),),
            provider_options=(report.ProviderOption("k", "v"),),
        ),
        notes=("A note.",),
    )


def sweeps() -> Iterator[Sweep]:
    """Return sweeps: measured in part, over two models, and without an axis."""
    some = next(iter(reports()))
    spec = RunSpec(runs=5, profiled_runs=0)
    axes = (
        Axis("threads", (0, 1)),
        Axis("optimization", ("none", "all")),
        Axis("dim:n", (1, 2)),
    )
    finished = Round(5 * _MS, 3 * _MS, (_MS, _MS + 9, _MS + 5, _MS, _MS, _MS, _MS), 1 << 20,
                 (Throughput(2, 9 * _MS, (_MS,) * 15),), 0.0, 0.1)  # fmt: skip
    blank = plan([some.model], spec, axes, 2, confirm=1)
    for place in [cell.at for cell in blank.cells][:5]:
        blank = blank.measured(place, finished).measured(place, replace(finished, full=False))
    places = [cell.at for cell in blank.cells]
    yield replace(blank.failed(places[-1], "It failed."), created=some.created,
                  environment=some.environment, ended="Stopped.")  # fmt: skip
    other = replace(some.model, name="other.onnx", size_bytes=9)
    two = plan([some.model, other], spec, (Axis("device", ("cpu", "webgpu:0+cpu")),), 1)
    for cell in two.cells:
        two = two.measured(cell.at, finished)
    yield replace(two, agreements=(Agreement(None, True, True), Agreement(40.5, False, None)))
    yield plan([some.model], spec, (), 1).measured((), finished)


def tunings() -> Iterator[Tuning]:
    """Return searches: done, and just begun."""
    some = next(iter(reports()))
    default, other = RunSpec(), RunSpec(threads=2, spinning=False)
    finished = Round(5 * _MS, 3 * _MS, (_MS,) * 7, 1 << 20)
    start = InterleavedStart((RatioEstimate(0.9, 0.02, PredictionFilter.FULL_SPEED, 1e6),
                         RatioEstimate(0.95, 0.1, PredictionFilter.ALL, 1e6)))  # fmt: skip
    trials = (Trial(default, (finished,)), Trial(other, (finished,), "", default, (start,)),
              Trial(RunSpec(threads=1), (), "It failed.", default))  # fmt: skip
    rounds = (finished,) * 4
    yield Tuning(some.model, default, trials, other, rounds, rounds, some.created,
                 some.environment, "", 1.0, True, (start,) * 4, other, 0.9)  # fmt: skip
    yield Tuning(some.model, default, step="threads", done=0.1, seconds_left=50.0)


def trees() -> dict[str, list[Any]]:
    """Return decoded JSON of whole files, by the loader that reads them."""
    trees_by_target: dict[str, list[Any]] = {
        "report": [json.loads(report.to_json(one)) for one in reports()],
        "sweep": [json.loads(sweep.to_json(one)) for one in sweeps()],
        "tuning": [json.loads(tuning.to_json(one)) for one in tunings()],
        "preparation": [_preparation()],
        "library": [_library()],
        "session": [_session()],
        "events": list(_events()),
        "about": [_about()],
        "facts": [_facts()],
        "dataset": list(packed_trees.data_sets()),
        "perfetto": list(packed_trees.perfetto()),
        "settings": list(_settings()),
        **model_files.trees(),
    }
    return trees_by_target


def _preparation() -> dict[str, Any]:
    from inspector.preview.inputs.audio_windows import Framing
    from inspector.preview.preprocessing.recipe import ImagePreprocessing
    from inspector.preview.preprocessing.saved import SavedPreprocessing, encode

    saved = SavedPreprocessing(
        {"x": ImagePreprocessing(28, 28, mean=(0.5,), std=(0.2,))},
        {"s": Framing(512, 256)},
        {"batch": 1},
        ("a", "b"),
    )
    tree: dict[str, Any] = json.loads(encode(saved, "net.onnx"))
    return tree


def _library() -> dict[str, Any]:
    entry = {
        "id": "20260101-000000-aabbccdd", "kind": "report", "model": "net.onnx", "sha256": "ab",
        "created": "2026-01-01T00:00:00+00:00", "added_ns": _NOW_NS, "size_bytes": 900,
        "median_ns": 100, "devices": ["cpu"], "complete": True, "model_path": "/net.onnx",
        "session": "s", "exported": "", "problem": "",
    }  # fmt: skip
    return {"schema": "library/1", "entries": [entry, entry | {"kind": "sweep", "id": "b"}]}


def _settings() -> Iterator[dict[str, Any]]:
    """Yield sections of the window's settings, and some with a value that Qt would decode."""
    rectangle = (10, 10, 609, 409)  # as QWidget.saveGeometry writes it
    geometry = struct.pack(
        ">IHH4i4iiBBi4i", 0x1D9D0CB, 3, 0, *rectangle, *rectangle, 0, 0, 0, 800, *rectangle
    )
    usual = {
        "General": {
            "theme": "dark", "sidebar": "false", "inspector": "true", "restore": "true",
            "geometry": {"bytes": list(geometry)},
            "recent": ["/models/a.onnx", "/models/b.onnx"],
        },
        "dimensions": {"0123456789abcdef01234567": "batch=4\\nlength=128"},
        "bookmarks": {"0123456789abcdef01234567": "3 100\\n12 50"},
        "report_names": {"2026-01-01T00%3A00%3A00": "before"},
        "record": {"command": "python app.py", "folder": "/home/a", "save_in": "/home/a"},
    }  # fmt: skip
    yield usual
    a_list = {"variant": [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 7]}
    yield usual | {"General": {"theme": "dark", "recent": ["a", a_list]}}


def _session() -> dict[str, Any]:
    import msgspec

    from inspector.ui.documents.session_files import OpenDocument, ReportPlace, SessionState

    document = OpenDocument("/net.onnx", False, "net", 2, (ReportPlace("a", ""),), 0, RunSpec())
    state = SessionState("s", (document, document), 1, True, (document,), False, 1, _NOW_NS)
    tree: dict[str, Any] = {"schema": "session/1", "state": msgspec.to_builtins(state)}
    return tree


def _events() -> Iterator[Any]:
    """Traces of other programs: a profile of ONNX Runtime, and one in Chrome's format."""
    args = {"op_name": "Conv", "provider": "CPUExecutionProvider", "node_index": "0",
            "thread_scheduling_stats": "", "output_size": "16",
            "output_type_shape": [{"float": [1, 2, 2]}]}  # fmt: skip
    node = {"cat": "Node", "pid": 1, "tid": 2, "dur": 90, "ts": 500, "ph": "X",
            "name": "conv_kernel_time", "args": args}  # fmt: skip
    session = {"cat": "Session", "pid": 1, "tid": 2, "dur": 100, "ts": 1, "ph": "X"}
    yield [
        session | {"name": "model_loading_uri", "args": {}},
        session | {"name": "model_run", "ts": 400, "dur": 400, "args": {}},
        node,
        node | {"name": "relu_fence_before", "ts": 600},
        node | {"name": "relu_kernel_time", "ts": 610, "args": args | {"op_name": "Relu"}},
    ]
    one = {"pid": 1, "tid": 1, "ts": 5, "name": "outer"}
    yield {
        "displayTimeUnit": "ns",
        "otherData": {"recorded": "3 calls", "wall_zero_ns": "12345"},
        "traceEvents": [
            {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "worker"}},
            one | {"ph": "X", "dur": 50.5, "args": {"layer": 0, "run": 0, "bytes": 16}},
            one | {"ph": "B", "ts": 60}, one | {"ph": "E", "ts": 70},
            one | {"ph": "C", "ts": 10, "name": "Heap", "args": {"bytes": 5, "more": 6.5}},
            one | {"ph": "s", "id": 1, "ts": 6},
            one | {"ph": "f", "id": 1, "ts": 65, "bp": "e"},
            one | {"ph": "i", "ts": 9, "name": "warm", "s": "g"},
            one | {"ph": "b", "id": "a", "cat": "c", "ts": 1},
            one | {"ph": "e", "id": "a", "cat": "c", "ts": 3},
        ],
    }  # fmt: skip


def _about() -> dict[str, Any]:
    """Return the metadata and columns of a saved trace, which the target writes to a file."""
    column = {"start_ns": [0, 10, 30], "duration_ns": [100, 15, 20], "track": [0, 1, 1],
              "depth": [0, 0, 0], "kind": [0, 5, 5], "name": [0, 1, 1], "layer": [-1, 0, 1],
              "run": [0, 0, 0], "size_bytes": [0, 0, 16], "flow_begin": [0], "flow_end": [1],
              "flow_kind": [0], "times_0": [0, 5], "values_0": [1.5, 2.5]}  # fmt: skip
    track = {"lane": "activity", "name": "Activity", "unit": "", "family": "activity",
             "process": "", "model": "", "thread": ""}  # fmt: skip
    layer = {"index": 0, "name": "conv", "operator": "Conv", "into": None}
    about = {
        "schema": "trace/1", "tracks": [track, track | {"lane": "compute", "unit": "cpu"}],
        "names": ["predict", "conv"], "notes": ["A note."], "source": "x", "of": "",
        "counters": [{"name": "Heap", "unit": "bytes", "process": ""}],
        "moments": [{"time_ns": 7, "name": "warm"}],
        "layers": [layer, layer | {"index": 1, "into": 0}], "clock": "wall", "zero_ns": 9,
        "within_ns": 5,
    }  # fmt: skip
    return {"about": about, "columns": column}


def _facts() -> dict[str, Any]:
    """Return what a recorded program wrote: facts, a line each, and rows of numbers."""
    begin = [1000, 1_700_000_000_000_000_000, 1000]
    end = [9000, 1_700_000_000_000_008_000, 9000]
    facts = [
        {"begin": begin, "pid": 4242, "group": 0, "cores": 2},
        {"thread": 1, "name": "main", "native": 5},
        {"session": 0, "model": "net.onnx", "same": "x", "providers": ["CPUExecutionProvider"]},
        {"word": 0, "text": "run"}, {"word": 1, "text": "copy in"},
        {"sample": 1500, "memory": 5 << 20, "cpu_ns": 900},
        {"calls": 12, "timed": 11, "own_ns": 5000},
        {"sample": 5000, "memory": 6 << 20, "cpu_ns": 1900},
        {"end": end},
    ]  # fmt: skip
    rows = [[2000, 900, 0, 0, 1, 0, 0, 0, 1], [2100, 300, 64, 0, 1, 0, 1, 1, 2],
            [4000, 900, 0, 1, 1, 0, 0, 0, 3]]  # fmt: skip
    return {"facts": facts, "rows": rows}
