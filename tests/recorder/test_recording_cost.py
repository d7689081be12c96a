import pytest

from inspector.recorder.assemble import Recording
from inspector.trace.trace_builder import TraceBuilder


@pytest.mark.parametrize(
    ("overhead_ns", "told"),
    [
        (0.4, ("Recording added 0.400 ns to each call on average.",)),
        (49.0, ("Recording added 49.0 ns to each call on average.",)),
        (50.0, ("Recording added 50.0 ns to each call on average.",)),
        (8_240.0, ("Recording added 8.24 µs to each call on average.",)),
        (0.0, ()),
    ],
)
def test_what_recording_costs_is_never_told_as_nothing(overhead_ns, told):
    found = Recording(TraceBuilder().trace(), (), 3, overhead_ns, 0, 1, ())
    assert found.remarks == told
