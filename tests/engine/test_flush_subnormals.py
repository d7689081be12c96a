"""The setting that flushes subnormals holds for one run, whatever ran in the process before."""

import numpy as np
import pytest

from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from tests.conversion.conversions import saved

pytestmark = pytest.mark.engine


def test_each_run_has_the_setting_that_was_chosen_for_it(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[4] x) => (float[4] y) { small = Mul (x, w) y = Mul (small, big) }"""
    path = saved(tmp_path, text, w=np.full(4, 1e-39, "f4"), big=np.full(4, 1e37, "f4"))
    feeds = {"x": np.ones(4, np.float32)}
    with EngineProcess() as engine:
        for flushed in (False, True, True, False):
            spec = RunSpec(flush_subnormals=flushed)
            (output,) = engine.predict(path, spec, feeds).outputs
            assert np.all(output.array == 0) == flushed
