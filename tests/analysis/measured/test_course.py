from inspector.analysis.measured.sample_statistics import change_sentences, course, frames
from tests.reports import example_report

CALM = tuple(2_000_000 + 1000 * (i % 7) for i in range(60))
SLOW = tuple(2_600_000 + 1000 * (i % 5) for i in range(60))


def test_the_first_prediction_is_the_first_of_those_that_warm_up():
    report = example_report(first_prediction_ns=9_000_000, warmup_ns=(3_000_000, 2_500_000))
    assert course(report).warmup_ns == (9_000_000, 3_000_000, 2_500_000)


def test_outliers_are_found_and_those_that_waited_among_them():
    wall = (*CALM, 40_000_000, 50_000_000)
    cpu = (*CALM, 2_000_000, 50_000_000)
    found = course(example_report(prediction_ns=wall, prediction_cpu_ns=cpu))
    assert found.outliers == (60, 61)
    assert found.waited == (60,)
    assert change_sentences(found)[0] == (
        "2 outliers (3.23% of runs), up to 50.0 ms; 1 of them waited for a CPU core."
    )


def test_a_processor_that_ran_slower_is_told_from_one_that_was_taken_away():
    wall = (*CALM, *SLOW)
    slower = course(example_report(prediction_ns=wall, prediction_cpu_ns=wall))
    assert "the CPU ran slower" in change_sentences(slower)[-1]
    taken = course(example_report(prediction_ns=wall, prediction_cpu_ns=(*CALM, *CALM)))
    assert "other programs used the CPU cores" in change_sentences(taken)[-1]
    unknown = course(example_report(prediction_ns=wall, prediction_cpu_ns=()))
    assert "unknown" in change_sentences(unknown)[-1]


def test_a_quiet_course_has_nothing_to_tell():
    assert (
        change_sentences(course(example_report(prediction_ns=CALM, prediction_cpu_ns=CALM)))
        == ()
    )
    assert course(example_report(prediction_ns=())).outliers == ()


def test_frames_have_a_share_for_each_rate():
    report = example_report(prediction_ns=(10_000_000,) * 93 + (20_000_000,) * 7)
    assert dict(frames(report)) == {24: "100%", 30: "100%", 60: "93%", 120: "0%"}
