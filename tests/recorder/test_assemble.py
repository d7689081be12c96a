"""Kernels find the call that they ran in, by time and by thread."""

from inspector.recorder.assemble import Kernel, predictions_of
from inspector.recorder.recorded_processes import Part


def kernel(start: int, thread: int) -> Kernel:
    return Kernel("conv", "Conv", "CPU", "cpu", "cpu", start, 10, thread)


def test_where_calls_overlap_the_thread_decides():
    part = Part(
        ({"thread": 1, "native": 501}, {"thread": 2, "native": 502}),
        (
            (100, 100, 1, 7, "call", 0, 0, 0),
            (120, 100, 2, 7, "call", 0, 0, 1),
            (300, 50, 1, 7, "call", 0, 0, 2),
            (300, 50, 1, 8, "call", 0, 0, 3),
            (130, 5, 1, 7, "copy", 0, 0, 0),
        ),
    )
    some = [kernel(130, 501), kernel(130, 502), kernel(310, 501), kernel(260, 502)]
    assert predictions_of(part, 7, some) == (0, 1, 2, None)


def test_a_kernel_of_a_shared_pool_belongs_where_its_time_lies():
    part = Part(({"thread": 1, "native": 501},), ((100, 100, 1, 7, "call", 0, 0, 4),))
    assert predictions_of(part, 7, [kernel(150, 999), kernel(90, 999)]) == (4, None)
    assert predictions_of(part, 9, [kernel(150, 501)]) == (None,)
