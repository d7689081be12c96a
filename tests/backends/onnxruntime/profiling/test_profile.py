import json
from pathlib import Path
from typing import Any

import onnxruntime
from onnx import parser

from inspector.backends.onnxruntime.profiling import profile


def node(name: str, ts: int, dur: int, operator: str = "Add", **args: Any) -> dict[str, Any]:
    told = {"op_name": operator, "provider": "CPUExecutionProvider", "node_index": "3"} | args
    return {
        "cat": "Node", "name": f"{name}_kernel_time", "ts": ts, "dur": dur, "tid": 7, "pid": 1,
        "ph": "X", "args": told,
    }  # fmt: skip


def session(name: str, ts: int, dur: int) -> dict[str, Any]:
    return {"cat": "Session", "name": name, "ts": ts, "dur": dur, "tid": 7, "args": {}}


def read(folder: Path, *events: dict[str, Any]) -> profile.Profile:
    path = folder / "profile.json"
    path.write_text(json.dumps(events))
    return profile.read(path)


def test_numbers_that_are_written_as_texts_are_read(tmp_path):
    told = node(
        "L0", 5, 9, "MatMul", output_size="64", node_index="12",
        input_type_shape=[{"float": [4, 4]}, {"int64": []}], output_type_shape=[{"float": [4]}],
    )  # fmt: skip
    (kernel,) = read(tmp_path, session("model_run", 4, 11), told).kernels
    assert (kernel.name, kernel.operator, kernel.number) == ("L0", "MatMul", 12)
    assert (kernel.start_ns, kernel.duration_ns, kernel.self_ns) == (5000, 9000, 9000)
    assert kernel.output_bytes == 64
    assert kernel.inputs == (("float", (4, 4)), ("int64", ()))


def test_the_arena_is_read_after_each_kernel(tmp_path):
    told = node("L0", 5, 9, mem_bytes_in_use="4096")
    found = read(tmp_path, session("model_run", 4, 30), told, node("L1", 15, 9)).kernels
    assert [kernel.arena_bytes for kernel in found] == [4096, 0]


def test_events_belong_to_the_run_that_they_lie_in(tmp_path):
    found = read(
        tmp_path,
        session("session_initialization", 0, 9),
        node("L0", 21, 2),
        session("model_run", 20, 5),
        node("L0", 41, 2),
        session("model_run", 40, 5),
    )
    assert [kernel.run for kernel in found.kernels] == [0, 1]
    assert [call.name for call in found.loading] == ["session_initialization"]
    assert [call.start_ns for call in found.runs] == [20_000, 40_000]


def test_time_inside_a_subgraph_is_not_the_nodes_own(tmp_path):
    found = read(
        tmp_path,
        session("model_run", 0, 100),
        node("before", 1, 4),
        node("inner", 12, 5),
        node("deepest", 22, 6),
        node("middle", 20, 10, "If"),
        node("outer", 10, 40, "Loop"),
        node("after", 60, 4),
    )
    own = {kernel.name: kernel.self_ns // 1000 for kernel in found.kernels}
    assert own == {
        "before": 4, "inner": 5, "deepest": 6, "middle": 4, "outer": 25, "after": 4,
    }  # fmt: skip
    assert [kernel.parent for kernel in found.kernels] == [None, 4, 3, 4, None, None]
    assert sum(own.values()) == 4 + 40 + 4


def test_threads_have_their_own_nesting(tmp_path):
    other = node("elsewhere", 12, 3) | {"tid": 8}
    found = read(tmp_path, session("model_run", 0, 99), other, node("L0", 10, 20, "Loop"))
    assert found.kernels[0].parent is None
    assert found.kernels[1].self_ns == 20_000


def test_a_real_profile_of_a_loop_counts_every_iteration(tmp_path):
    model = parser.parse_model("""
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) <int64 n = {5}, bool go = {1}> {
      y = Loop(n, go, x) <body = body (int64 i, bool b, float[4] s) => (bool a, float[4] t)
        { [inner] t = Sqrt(s) a = Identity(b) }>
    }""")
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "profile")
    running = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    for _ in range(3):
        running.run(None, {"x": [1.0, 2.0, 3.0, 4.0]})
    found = profile.read(Path(running.end_profiling()))
    assert len(found.runs) == 3
    inner = [kernel for kernel in found.kernels if kernel.name == "inner"]
    assert [kernel.run for kernel in inner] == [0] * 5 + [1] * 5 + [2] * 5
    loops = {i for i, kernel in enumerate(found.kernels) if kernel.operator == "Loop"}
    assert {kernel.parent for kernel in inner} == loops
    assert found.loading


def test_profiles_of_other_versions_and_threads_are_read(shared):
    paths = sorted((shared / "profiles" / "own").glob("*.json"))
    assert paths
    for path in paths:
        found = profile.read(path)
        for kernel in found.kernels:
            assert 0 <= kernel.self_ns <= kernel.duration_ns, path.name
