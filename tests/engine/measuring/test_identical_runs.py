"""Two real measurements of the same model, start by start: nothing of them differs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.compare import compare
from inspector.engine.in_turns import Measure, in_turns
from inspector.engine.process import EngineProcess
from inspector.judge import Verdict
from inspector.report import USUAL, ModelIdentity

MODEL = Path(__file__).parents[3] / "sample_models" / "digits_float32.onnx"


@pytest.mark.slow
@pytest.mark.engine
def test_hardly_a_layer_of_identical_runs_is_told_apart(tmp_path: Path) -> None:
    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    spec = replace(USUAL, threads=1, starts=5, steady=0.0)
    identity = ModelIdentity(MODEL.name, "", 0, 0, 0)
    with EngineProcess(lock=tmp_path / "lock") as engine:
        once: Measure = lambda asked, _: engine.measure(MODEL, identity, asked, feeds)  # noqa: E731
        pair = in_turns((once, once), (spec, spec))
    assert [len(report.start_layers_ns) for report in pair] == [5, 5]
    found = compare(pair)
    lists = found.lists[1]
    assert len(lists.slower) + len(lists.faster) <= 1
    assert (lists.new, lists.gone, lists.moved) == ((), (), ())
    assert found.judgements[1].verdict in (Verdict.SAME, Verdict.PACE)
