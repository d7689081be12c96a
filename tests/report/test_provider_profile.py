from inspector.report.report import ProviderProfile


def test_cycles_are_told_with_their_share_and_whose_they_are():
    told = ProviderProfile(16_668, 183_527, "cycles", "QNN profiler")
    assert told.summary == "16,668 of 183,527 cycles, 9.1%, by QNN profiler"


def test_times_are_told_as_durations():
    assert (
        ProviderProfile(1_500_000, 3_000_000, "ns", "X").summary
        == "1.50 ms of 3.00 ms, 50.0%, by X"
    )
