from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper, parser

from inspector.engine.graphs.naming import rename
from inspector.engine.measuring.profiled_pass import (
    MOST_EVENTS,
    WARM_UPS,
    ProfiledPass,
    affordable,
    profiled_pass,
)
from inspector.engine.sessions import devices
from inspector.errors import EngineFailed
from inspector.report import RunSpec

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


def test_the_profile_speaks_of_the_new_names(path: Path) -> None:
    found = passed(path, rename(parser.parse_model(CHAIN))[0])
    assert found.renamed
    assert {kernel.name for kernel in found.profile.kernels} == {"L0", "L1", "L2"}
    assert len(found.profile.runs) == 1 + WARM_UPS + found.runs
    assert found.runs == 3
    assert dict(found.assigned)["CPUExecutionProvider"]
    assert found.notes == ()


def test_steps_and_kernels_lie_on_one_clock(path: Path) -> None:
    found = passed(path, rename(parser.parse_model(CHAIN))[0])
    steps = [step for step in found.steps if step.run is not None]
    for number, step in enumerate(steps):
        kernels = [k for k in found.profile.kernels if k.run == 1 + WARM_UPS + number]
        assert len(kernels) == 3
        for kernel in kernels:
            start = found.zero_ns + kernel.start_ns
            assert step.start_ns <= start <= step.start_ns + step.duration_ns


def test_a_runtime_that_refuses_new_names_gets_the_file_as_it_is(path: Path) -> None:
    found = passed(path, parser.parse_model(REFUSED))
    assert not found.renamed
    assert {kernel.name for kernel in found.profile.kernels} == {"a", "b", "c"}
    (note,) = found.notes
    assert "their own names" in note


def test_the_first_refusal_is_the_one_that_is_told(path: Path) -> None:
    onnx.save(parser.parse_model(REFUSED), path)
    with pytest.raises(EngineFailed, match="NoSuchOperator"):
        passed(path, None)


def chain(length: int, last: str = "Neg") -> ModelProto:
    nodes = [helper.make_node("Neg", [f"t{i}"], [f"t{i + 1}"]) for i in range(length - 1)]
    nodes.append(helper.make_node(last, [f"t{length - 1}"], ["y"]))
    return helper.make_model(helper.make_graph(nodes, "g", [], []))


def test_profiled_runs_are_bounded_by_their_events() -> None:
    assert affordable(chain(100), 10, 1000) == (10, "")
    runs, note = affordable(chain(MOST_EVENTS // 5), 10, 1000)
    assert runs == 5 - 1 - WARM_UPS
    assert note.startswith("Only 3 predictions of 10 were profiled")
    assert affordable(chain(2 * MOST_EVENTS), 10, 1000)[0] == 1


def test_a_loop_may_bring_as_many_events_as_its_time_allows() -> None:
    assert affordable(chain(10, "Loop"), 10, 10_000)[0] == 10
    assert affordable(chain(10, "Loop"), 10, 20_000_000)[0] == 1


def test_one_run_is_always_profiled() -> None:
    assert affordable(None, 0, 1000) == (1, "")
