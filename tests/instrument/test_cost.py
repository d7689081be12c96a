import pytest

from inspector.instrument.collect import Recording
from inspector.trace import TraceBuilder


@pytest.mark.parametrize(
    ("overhead_ns", "told"),
    [
        (0.4, ("Recording took < 0.1 µs of each call (mean).",)),
        (8_240.0, ("Recording took 8.2 µs of each call (mean).",)),
        (0.0, ()),
    ],
)
def test_what_recording_costs_is_never_told_as_nothing(
    overhead_ns: float, told: tuple[str, ...]
) -> None:
    found = Recording(TraceBuilder().trace(), (), 3, overhead_ns, 0, 1, ())
    assert found.remarks == told
