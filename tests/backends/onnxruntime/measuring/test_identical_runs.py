"""Two real measurements of the same model in turns: nothing of them differs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.backends.interleaving import TurnHolder, run_interleaved
from inspector.comparison.comparison import compare
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.process_repetitions import measure_interleaved
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from inspector.statistics.significance import Verdict

MODEL = Path(__file__).parents[4] / "sample_models" / "digits_float32.onnx"


@pytest.mark.slow
@pytest.mark.engine
def test_hardly_a_layer_of_identical_runs_is_told_apart():
    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    spec = replace(DEFAULT_SPEC, threads=1, starts=5, steady=0.0)
    identity = ModelIdentity(MODEL.name, "", 0, 0, 0)

    def once(asked: RunSpec, _: str, seat: TurnHolder) -> PerformanceReport:
        with EngineProcess(seat=seat) as engine:
            return engine.measure(MODEL, identity, asked, feeds)

    pair = measure_interleaved(run_interleaved((once, once)), (spec, spec))
    assert [len(report.start_layers_ns) for report in pair] == [5, 5]
    found = compare(pair)
    lists = found.lists[1]
    assert len(lists.slower) + len(lists.faster) <= 1
    assert (lists.new, lists.gone, lists.moved) == ((), (), ())
    assert found.judgements[1].verdict is Verdict.SAME
