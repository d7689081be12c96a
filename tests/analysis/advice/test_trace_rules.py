from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.advice.program_time import TimeParts
from inspector.analysis.advice.trace_rules import (
    CPU_LOAD,
    Finding,
    program_findings,
    time_parts,
)
from inspector.trace.trace import Counter, Kind, Lane, Trace, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder

MS = 1_000_000
_CALLS = ("run", "create", "release", "note session")


def built(*calls: tuple[str, float, float], kind: Kind = Kind.CALL, size: int = 0) -> Trace:
    """(model and name parted by ': ', begin and duration in milliseconds)."""
    builder = TraceBuilder()
    for words, begin, took in calls:
        model, _, name = words.partition(": ")
        own = kind if not name.startswith(_CALLS) else Kind.CALL
        lane = {Kind.CALL: Lane.ACTIVITY, Kind.KERNEL: Lane.COMPUTE}.get(own, Lane.DATA)
        track = Track(lane, model, family="cpu" if lane is Lane.COMPUTE else lane.value)
        builder.add(track, name, int(begin * MS), int(took * MS), own, size_bytes=size)
    return builder.trace(zero_ns=0)


def only(trace: Trace, rule: str) -> Finding:
    (found,) = program_findings(trace)
    assert found.rule == rule
    assert found.advice.endswith(".")
    return found


CREATE = "m: create session, 2 of 8 threads"  # of an older recording


def served(sessions: int, runs: int, release: bool = True) -> Trace:
    calls = []
    for number in range(sessions):
        begin = number * 1000.0
        calls.append((CREATE, begin, 20))
        calls += [("m: run(a float32 1)", begin + 30 + run, 0.5) for run in range(runs)]
        calls += [("m: release session", begin + 900, 0)] * release
    return built(*calls)


def test_one_session_for_many_predictions_is_as_it_should_be():
    assert program_findings(served(1, 100)) == ()
    assert program_findings(served(3, 100)) == ()


def test_a_model_loaded_before_each_prediction_is_found():
    found = only(served(5, 1), "load-per-prediction")
    assert found.sentence == (
        "m is loaded before each run: 5 sessions took 100 ms to create, and the runs "
        "took 2.50 ms."
    )
    trace = served(5, 1)
    assert [trace.span(span).duration_ns for span in found.spans] == [20 * MS] * 5


def test_a_session_for_a_few_calls_is_found():
    found = only(served(5, 4), "session-per-call")
    assert found.sentence.startswith("Each session of m serves only 4 runs: 5 sessions took")


def test_sessions_of_several_processes_are_not_one_that_is_created_again():
    def recorded(processes: int, sessions: int, runs: int) -> Trace:
        builder = TraceBuilder()
        for process in range(processes):
            track = Track(Lane.ACTIVITY, "m", family="activity", process=f"process {process}")
            for number in range(sessions):
                begin = (process * 500 + number * 100) * MS
                builder.add(track, "create session, 1 of 8 threads", begin, 20 * MS)
                for run in range(runs):
                    builder.add(track, "run(a)", begin + (30 + run) * MS, MS // 2)
                builder.add(track, "release session", begin + 90 * MS, 0)
        return builder.trace(zero_ns=0)

    found = only(recorded(4, 1, 1), "load-per-prediction")
    assert found.sentence.startswith("m is loaded before each run by 4 processes: 4 sessions")
    assert "Use one process" in found.advice
    assert program_findings(recorded(4, 1, 4)) == ()  # each worker has its own session
    found = only(recorded(2, 3, 1), "load-per-prediction")
    assert found.sentence.startswith("m is loaded before each run: 6 sessions took")


def test_a_model_twice_in_memory_is_found_where_the_first_was_not_released():
    found = only(served(2, 100, release=False), "model-twice")
    assert "2 sessions of m" in found.sentence
    assert served(2, 100, release=False).span(found.spans[0]).start_ns == 1000 * MS


def test_sessions_for_each_thread_are_told_with_the_number_of_threads():
    builder = TraceBuilder()
    for number in range(3):
        track = Track(Lane.ACTIVITY, f"m · {number}", model="m", thread=f"{number}")
        builder.add(track, "create session, 2 of 8 threads", number * MS, MS)
        for run in range(100):
            builder.add(track, "run(a)", (30 + run) * MS, MS)
    found = only(builder.trace(zero_ns=0), "model-twice")
    assert found.sentence == "3 sessions of m are in memory at the same time, for 3 threads."


def test_a_model_goes_with_its_process():
    def processes(second_begin: int) -> Trace:
        builder = TraceBuilder()
        for number, begin in enumerate((0, second_begin)):
            track = Track(Lane.ACTIVITY, "m", family="activity", process=f"process {number}")
            builder.add(track, "create session, 2 of 8 threads", begin * MS, 20 * MS)
            for run in range(100):
                builder.add(track, "run(a)", (begin + 30 + run) * MS, MS)
        return builder.trace(zero_ns=0)

    assert program_findings(processes(1000)) == ()


def test_sessions_of_different_processes_cannot_be_shared():
    def recorded(sessions: tuple[int, ...]) -> Trace:
        builder = TraceBuilder()
        for process, number in enumerate(sessions):
            track = Track(Lane.ACTIVITY, "m", family="activity", process=f"process {process}")
            for begin in range(number):
                builder.add(track, "create session, 1 of 8 threads", begin * 50 * MS, MS)
            for run in range(40):
                builder.add(track, "run(a)", (200 + run) * MS, MS // 2)
        return builder.trace(zero_ns=0)

    assert program_findings(recorded((1, 1, 1))) == ()
    found = only(recorded((1, 2, 1)), "model-twice")
    assert found.sentence == "2 sessions of m are in memory at the same time in one process."
    assert [recorded((1, 2, 1)).span(span).track.process for span in found.spans] == [
        "process 1"
    ]


def test_a_session_that_replaces_the_one_before_is_no_second_one():
    calls = [(CREATE, 0.0, 20), ("m: run(a)", 30.0, 1)]
    calls += [(CREATE, 40.0, 20), ("m: release session", 60.1, 0), ("m: run(a)", 61.0, 1)]
    assert program_findings(built(*calls)) == ()


def test_models_at_the_same_time_may_want_too_many_threads():
    creations = (
        ("m: create session, 6 of 8 threads", 0, 1),
        ("n: create session, 6 of 8 threads", 0, 1),
    )
    apart = [("m: run(a)", 10 + 20 * k, 9) for k in range(5)]
    assert (
        program_findings(
            built(*creations, *apart, *[("n: run(a)", 20 + 20 * k, 9) for k in range(5)])
        )
        == ()
    )
    found = only(
        built(*creations, *apart, *[("n: run(a)", 15 + 20 * k, 9) for k in range(5)]),
        "threads-oversubscribed",
    )
    assert "use 12 threads on 8 CPU cores" in found.sentence
    one = [("m: run(a)", 15 + 20 * k, 9) for k in range(5)]
    assert program_findings(built(*creations, *apart, *one)) == (), (
        "one session shares its threads"
    )


@pytest.mark.parametrize(
    ("name", "kind", "rule"),
    [
        ("m: copy a: not contiguous", Kind.COPY, "input-not-contiguous"),
        ("m: convert a: list", Kind.CAST, "input-converted"),
        ("m: check a: float32 given, float16 expected", Kind.CHECK, "float16-fed-float32"),
        ("m: check a: float64 given, float32 wanted", Kind.CHECK, "wrong-type"),
        ("m: check a: wrong byte order", Kind.CHECK, "byte-order"),  # of an older recording
        ("m: check a: non-native byte order", Kind.CHECK, "byte-order"),
        ("m: copy outputs", Kind.COPY, "outputs-copied"),
    ],
)
def test_what_happens_to_values_at_the_border_is_found(name, kind, rule):
    trace = built(*[(name, 10.0 * k, 1) for k in range(4)], kind=kind, size=1 << 20)
    assert only(trace, rule).spans == (0, 1, 2, 3)


@pytest.mark.parametrize("operator", ["Cast", "Conv"])
def test_casts_in_a_model_are_found_by_their_operator_and_not_by_their_name(operator):
    names = ("InsertedPrecisionFreeCast_a", "InsertedPrecisionFreeCast_b")
    layers = tuple(TracedLayer(at, name, operator) for at, name in enumerate(names))
    builder = TraceBuilder()
    track = Track(Lane.COMPUTE, "m", "cpu", "cpu")
    for run in range(4):
        for at, name in enumerate(names):
            start = (2 * run + at) * MS
            builder.add(track, name, start, MS // 2, Kind.KERNEL, layer=at, run=run)
    found = program_findings(builder.trace(), layers)
    assert [one.rule for one in found] == ["casts-in-model"] * (operator == "Cast")
    for one in found:
        assert one.sentence == (
            "ONNX Runtime inserted 2 Cast nodes between float16 and float32, which took "
            "4.00 ms in 4 runs."
        )
        assert len(one.spans) == 8


def test_hostile_names_are_made_harmless():
    name = f"m: convert \x1b[2J{'a' * 5000}: list"
    (found,) = program_findings(built(*[(name, 10.0 * k, 1) for k in range(4)], kind=Kind.CAST))
    assert found.sentence.isprintable()
    assert len(found.sentence) < 2500


def test_small_outputs_may_be_copied():
    assert (
        program_findings(
            built(*[("m: copy outputs", k, 1) for k in range(4)], kind=Kind.COPY, size=40)
        )
        == ()
    )


def test_a_slow_first_run_of_a_new_shape_is_found_but_not_that_of_the_program():
    calls = [("m: run(a 1)", 0.0, 300)]
    calls += [("m: run(a 1)", 300.0 + k, 0.5) for k in range(6)]
    assert only(built(*calls), "no-warm-up").spans == (0,)
    slow_later = ("m: run(a 1)", 600.0, 200)  # of a busy machine
    assert program_findings(built(*calls, slow_later)) == ()
    calls = [("m: run(a 1)", 0.0, 0.5), *calls[1:]]
    calls += [("m: run(a 2)", 400.0, 90)] + [("m: run(a 2)", 500.0 + k, 0.5) for k in range(6)]
    found = only(built(*calls), "first-run-in-loop")
    assert "1 first run took 90.0 ms" in found.sentence


def test_predictions_that_failed_count_for_nothing():
    calls = [(CREATE, 50.0 * k, 20) for k in range(3)]
    calls += [("m: release session", 50.0 * k + 40, 0) for k in range(3)]
    assert (
        program_findings(
            built(*calls, *[("m: run failed: Fail", 50.0 * k + 30, 1) for k in range(3)])
        )
        == ()
    )


def test_a_trace_of_something_else_has_no_habits():
    assert (
        program_findings(built(("cpu: conv", 0, 1), ("cpu: relu", 1, 1), kind=Kind.KERNEL))
        == ()
    )
    slow = [("main: runTask", 0.0, 1), ("main: runner", 5.0, 90)]
    assert (
        program_findings(built(*slow, *[("main: runner", 100.0 + k, 0.1) for k in range(9)]))
        == ()
    )
    assert program_findings(TraceBuilder().trace()) == ()


GPU = Track(Lane.COMPUTE, "GPU", "cuda", "gpu", model="m")
ON_CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu", model="m")
COPIES = Track(Lane.DATA, "Data", family="data", model="m")


def placed(letters: str) -> Trace:
    """A prediction whose nodes ran on the device (D) or the CPU (C), with copies (M)."""
    builder = TraceBuilder()
    tracks = {"D": GPU, "C": ON_CPU, "M": COPIES}
    for place, letter in enumerate(letters):
        kind = Kind.COPY if letter == "M" else Kind.KERNEL
        name = {"D": "conv", "C": "odd", "M": "copy"}[letter]
        builder.add(tracks[letter], name, place * 100, 50, kind, size_bytes=8 * (letter == "M"))
    return builder.trace()


def test_layers_that_leave_the_device_and_come_back_are_found_with_their_copies():
    trace = placed("MDMCMDMCCMDDMCMDM")
    found = only(trace, "cpu-fallback")
    assert found.sentence == (
        "m switches from its device to the CPU and back 3 times (odd): "
        "6 copies, 48 B and 300 ns in total."
    )
    assert {trace.span(span).name for span in found.spans} == {"copy"}
    assert len(found.spans) == 6


@pytest.mark.parametrize(
    "letters", ["MDDDMCCC" * 3, "CCMDM", "MDMCCMDMCMD", "CMCMCMC", "M" * 9]
)
def test_a_model_that_leaves_its_device_only_at_its_ends_is_as_it_should_be(letters):
    assert program_findings(placed(letters)) == ()


def test_the_parts_of_the_time_add_up_and_count_what_is_at_the_same_time_once():
    runs = [("m: run(a)", start, 10) for start in (40, 45, 80, 120)]  # together 35 of 90
    calls = (
        ("m: create session, 2 of 8 threads", 10, 20),
        ("m: bind_input", 92, 1),
        ("m: save profile (Inspector)", 100, 15),
    )
    trace = built(*calls, *runs, ("m: release session", 137, 3))
    parts = time_parts(trace)
    assert parts == TimeParts(
        runs=35 * MS, creating=20 * MS, releasing=3 * MS, other_calls=MS, recorder=15 * MS,
        before=10 * MS, between=39 * MS, after=7 * MS,
    )  # fmt: skip
    assert parts.whole == trace.end_ns - 10 * MS
    assert time_parts(built(*calls)) is None
    assert time_parts(TraceBuilder().trace()) is None


def with_load(trace: Trace, percent: float) -> Trace:
    counter = Counter(CPU_LOAD, "percent", np.array([0]), np.array([percent]))
    return replace(trace, counters=(counter,))


@pytest.mark.parametrize("percent", [5, 100])
def test_computing_outside_the_runtime_is_found_and_waiting_is_not(percent):
    late = built((CREATE, 0, 10), *[("m: run(a)", 200.0 + k, 1) for k in range(9)])
    found = program_findings(with_load(late, percent))
    assert [(one.rule, one.saves_ns) for one in found] == (
        [("late-first-run", 190 * MS)] * (percent > 50)
    )
    assert all(len(one.spans) == 2 for one in found), "the session and the run around the wait"
    slow = built((CREATE, 0, 10), *[("m: run(a)", 11 + 20.0 * k, 5) for k in range(9)])
    found = program_findings(with_load(slow, percent))
    assert [(one.rule, one.saves_ns) for one in found] == (
        [("outside-runtime", 0)] * (percent > 50)
    )
    gaps = [((16 + 20 * k) * MS, (31 + 20 * k) * MS) for k in range(8)]
    assert all(one.gaps == tuple(gaps) for one in found)
    own = [("m: note session (Inspector)", 16 + 20.0 * k, 14) for k in range(9)]
    noted = built((CREATE, 0, 10), *own, *[("m: run(a)", 11 + 20.0 * k, 5) for k in range(9)])
    assert program_findings(with_load(noted, percent)) == ()


def test_many_runs_of_one_input_are_found_where_the_model_takes_several():
    runs = [("m: run(a float32 {}×3, b int64 {}×2)", float(k), 0.9) for k in range(40)]

    def recorded(first: int, batches: str = ", batches") -> Trace:
        create = (f"m: create session, 1 thread on 2 cores{batches}", -5, 1)
        sized = ((name.format(first, first), begin, took) for name, begin, took in runs)
        return built(create, *sized)

    found = only(recorded(1), "single-inputs")
    assert len(found.spans) == 40
    assert program_findings(recorded(8)) == ()
    assert program_findings(recorded(1, "")) == ()


def test_sessions_that_threads_create_at_once_save_no_more_than_the_time_they_take():
    created = [(CREATE, 0.0, 40.0 + k) for k in range(5)]
    runs = [("m: run(a float32 1)", 50.0 + 5 * k, 3) for k in range(100)]
    assert only(built(*created, *runs), "model-twice").saves_ns <= 44 * MS


def test_the_worst_finding_comes_first():
    copies = [("m: copy a: not contiguous", 10.0 * k, 1) for k in range(4)]
    lists = [("m: convert b: list", 10.0 * k + 2, 3) for k in range(4)]
    wrong = [("m: check a: float64 given, float32 expected", 10.0 * k + 6, 0) for k in range(4)]
    builder = TraceBuilder()
    for words, begin, took in (*copies, *lists, *wrong):
        name = words.removeprefix("m: ")
        kinds = {"copy": Kind.COPY, "convert": Kind.CAST, "check": Kind.CHECK}
        track = Track(Lane.DATA, "m", family="data")
        builder.add(track, name, int(begin * MS), int(took * MS), kinds[name.split()[0]])
    found = program_findings(builder.trace(zero_ns=0))
    assert [(one.rule, one.saves_ns) for one in found] == [
        ("wrong-type", 0),
        ("input-converted", 12 * MS),
        ("input-not-contiguous", 4 * MS),
    ]
    assert all(one.title for one in found)


def test_what_saves_next_to_nothing_comes_after_what_saves_nobody_knows_how_much():
    copies = [("m: copy a: not contiguous", 10.0 * k, 0.1) for k in range(4)]
    runs = [("m: run(a)", 250.0 * k, 1) for k in range(9)]
    threads = ("m: create session, 8 threads on 2 cores", 0, 1)
    builder = TraceBuilder()
    for words, begin, took in (threads, *copies, *runs):
        lane = Lane.DATA if "copy" in words else Lane.ACTIVITY
        kind = Kind.COPY if lane is Lane.DATA else Kind.CALL
        track = Track(lane, "m", family=lane.value)
        name = words.removeprefix("m: ")
        builder.add(track, name, int(begin * MS), int(took * MS), kind)
    found = program_findings(builder.trace(zero_ns=0))
    assert [one.rule for one in found] == ["more-threads-than-cores", "input-not-contiguous"]
