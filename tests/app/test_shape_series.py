"""A series of shapes in one session."""

import pytest

from inspector.app.measure import series, series_json
from inspector.app.subjects import Subject
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.report.run_spec import RunSpec


@pytest.mark.engine
def test_shapes_run_in_one_session_and_the_first_comes_again(digits):
    subject = Subject.of(digits, open_model(digits), RunSpec(), {})
    with EngineProcess() as engine:
        with pytest.raises(BadInput, match="free: batch"):
            next(series(engine, subject, [{"b": 1}]))
        runs = [*series(engine, subject, [{"batch": 1}, {"batch": 512}])]
    assert [lengths["batch"] for lengths, _ in runs] == [1, 512, 1]
    assert [run.load_ns > 0 for _, run in runs] == [True, False, False]
    small, large, again = (run for _, run in runs)
    assert min(large.steady_ns) > 10 * min(small.steady_ns)
    assert large.after_bytes > small.after_bytes
    assert series_json("m", runs)["held_bytes"] == again.after_bytes - small.after_bytes
