from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper, parser

from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.backends.onnxruntime.measuring.profiled_pass import (
    MOST_EVENTS,
    WARM_UPS,
    ProfiledPass,
    affordable,
    profiled_pass,
)
from inspector.backends.onnxruntime.sessions import devices
from inspector.errors import EngineFailed
from inspector.report.run_spec import RunSpec
from tests import models

CHAIN = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[8] x) => (float[8] y) { [a] p = Tanh(x) [b] q = Exp(p) [c] y = Sin(q) }"""
REFUSED = CHAIN.replace("Exp", "NoSuchOperator")
SPEC = RunSpec(profiled_runs=3, threads=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    onnx.save(parser.parse_model(CHAIN), tmp_path / "chain.onnx")
    return tmp_path / "chain.onnx"


def passed(path: Path, renamed: ModelProto | None) -> ProfiledPass:
    folder = path.parent / "private"
    folder.mkdir()
    feeds = {"x": np.ones(8, np.float32)}
    units = devices.resolve(["cpu"])
    found = profiled_pass(path, renamed, SPEC, units, feeds, folder, 1000, lambda *_: None)
    assert not [file for file in folder.iterdir() if file.stat().st_size]
    return found


def test_the_profile_speaks_of_the_new_names(path):
    found = passed(path, rename(parser.parse_model(CHAIN))[0])
    assert found.renamed
    assert {kernel.name for kernel in found.profile.kernels} == {"L0", "L1", "L2"}
    assert len(found.profile.runs) == 1 + WARM_UPS + found.runs
    assert found.runs == 3
    assert dict(found.assigned)["CPUExecutionProvider"]
    assert found.notes == ()


def test_steps_and_kernels_lie_on_one_clock(path):
    found = passed(path, rename(parser.parse_model(CHAIN))[0])
    steps = [step for step in found.steps if step.run is not None]
    for number, step in enumerate(steps):
        kernels = [k for k in found.profile.kernels if k.run == 1 + WARM_UPS + number]
        assert len(kernels) == 3
        for kernel in kernels:
            start = found.zero_ns + kernel.start_ns
            assert step.start_ns <= start <= step.start_ns + step.duration_ns


def test_a_runtime_that_refuses_new_names_gets_the_file_as_it_is(path):
    found = passed(path, parser.parse_model(REFUSED))
    assert not found.renamed
    assert {kernel.name for kernel in found.profile.kernels} == {"a", "b", "c"}
    (note,) = found.notes
    assert "their original names" in note


def test_the_first_refusal_is_the_one_that_is_told(path):
    onnx.save(parser.parse_model(REFUSED), path)
    with pytest.raises(EngineFailed, match="NoSuchOperator"):
        passed(path, None)


def chain(length: int, last: str = "Neg") -> ModelProto:
    nodes = [helper.make_node("Neg", [f"t{i}"], [f"t{i + 1}"]) for i in range(length - 1)]
    nodes.append(helper.make_node(last, [f"t{length - 1}"], ["y"]))
    return models.model(nodes, [], [])


def test_profiled_runs_are_bounded_by_their_events():
    most = MOST_EVENTS // 20
    assert affordable(chain(100), 10, 1000, most) == (10, "")
    runs, note = affordable(chain(most // 5), 10, 1000, most)
    assert runs == 5 - 1 - WARM_UPS
    assert note.startswith("Only 3 runs of 10 were profiled")
    assert affordable(chain(2 * most), 10, 1000, most)[0] == 1


def test_a_loop_may_bring_as_many_events_as_its_time_allows():
    assert affordable(chain(10, "Loop"), 10, 10_000)[0] == 10
    assert affordable(chain(10, "Loop"), 10, 20_000_000)[0] == 1


def test_one_run_is_always_profiled():
    assert affordable(None, 0, 1000) == (1, "")


def test_sessions_follow_one_another_until_layers_are_known_and_read_as_one(path):
    folder = path.parent / "private"
    folder.mkdir()
    feeds, units = {"x": np.ones(8, np.float32)}, devices.resolve(["cpu"])
    spec = replace(SPEC, layer_precision=0.1)
    renamed = rename(parser.parse_model(CHAIN))[0]
    found = profiled_pass(path, renamed, spec, units, feeds, folder, 1000, lambda *_: None)
    assert len(found.sessions) >= 2
    assert min(found.sessions) >= 40, "predictions of microseconds, for which there is time"
    assert sum(found.sessions) == found.runs == len(found.wall_ns)
    assert len(found.profile.runs) == 1 + WARM_UPS + found.runs
    created = [step.name for step in found.steps if step.name.startswith("create session")]
    assert len(created) == len(found.sessions)
    steps = [step for step in found.steps if step.run is not None]
    assert [step.run for step in steps] == list(range(found.runs))
    for number, step in enumerate(steps):
        kernels = [k for k in found.profile.kernels if k.run == 1 + WARM_UPS + number]
        assert [kernel.name for kernel in kernels] == ["L0", "L1", "L2"]
        for kernel in kernels:
            start = found.zero_ns + kernel.start_ns
            assert step.start_ns <= start <= step.start_ns + step.duration_ns


def test_kernels_of_later_sessions_keep_their_parents(tmp_path):
    body = helper.make_graph(
        [helper.make_node("Sin", ["t"], ["b"])], "body", [],
        [models.value("b", [8])],
    )  # fmt: skip
    nodes = [
        helper.make_node("Exp", ["x"], ["t"]),
        helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body),
    ]
    ends = [models.value(name, [8]) for name in "xy"]
    condition = models.value("c", [], onnx.TensorProto.BOOL)
    model = models.model(nodes, [ends[0], condition], ends[1:])
    onnx.save(model, tmp_path / "if.onnx")
    (tmp_path / "private").mkdir()
    feeds = {"x": np.ones(8, np.float32), "c": np.array(True)}
    spec, units = replace(SPEC, layer_precision=0.1), devices.resolve(["cpu"])
    folder, renamed = tmp_path / "private", rename(model)[0]
    found = profiled_pass(
        tmp_path / "if.onnx", renamed, spec, units, feeds, folder, 1000, lambda *_: None
    )
    assert len(found.sessions) >= 2
    inner = [kernel for kernel in found.profile.kernels if kernel.operator == "Sin"]
    assert len(inner) == 1 + WARM_UPS + found.runs
    for kernel in inner:
        assert kernel.parent is not None
        owner = found.profile.kernels[kernel.parent]
        assert (owner.operator, owner.run) == ("If", kernel.run)
