"""Verdicts about a changed model, and their saved form."""

import ast
import shlex

import msgspec
import pytest

from inspector.errors import UnreadableFile
from inspector.report import improvement
from inspector.report.float16_check import Float16Check, OutOfRange
from inspector.report.improvement import (
    OVER,
    UNDECIDED,
    WITHIN,
    Accuracy,
    Candidate,
    Improvement,
    Latency,
    TargetLayers,
    change_text,
    convert_code,
    convert_command,
    headline,
    inputs_needed,
    notable_text,
    passed_over_text,
    promising,
    value_text,
    verdict_text,
)
from inspector.report.output_verdict import (
    DEAD,
    DEGRADED,
    DESTROYED,
    ERROR,
    OutputFinding,
    OutputVerdict,
    UndecidedReason,
)
from inspector.report.output_verdict import UNDECIDED as OUTPUTS_UNDECIDED
from inspector.report.output_verdict import WITHIN as OUTPUTS_WITHIN

ORIGINAL = Candidate("m.onnx", size_bytes=1000)


def candidate(low: float, high: float, count: int = 400) -> Candidate:
    top1 = Accuracy("top1", "Top-1 accuracy", 0.9, 0.91, -0.01, low, high, count)
    latency = Latency(1e6, change=-0.5, low=-0.55, high=-0.45)
    return Candidate("int8", ("int8",), 300, 4, "", latency, (top1,))


def state(one: Candidate, limit: float | None = 0.01) -> Improvement:
    return Improvement("m.onnx", "0" * 64, "cpu", ORIGINAL, (one,), "top1", limit)


@pytest.mark.parametrize(
    ("low", "high", "count", "verdict"),
    [
        (-0.009, 0.002, 400, WITHIN),
        (-0.05, -0.02, 400, OVER),
        (-0.02, 0.002, 400, UNDECIDED),
        (-0.009, 0.002, 29, UNDECIDED),
        (-0.009, 0.002, 30, WITHIN),
    ],
)
def test_the_whole_interval_decides(low, high, count, verdict):
    one = candidate(low, high, count)
    assert state(one).verdict(one) == verdict


BROKEN = OutputVerdict(DESTROYED, (OutputFinding("y", DEAD),), inputs=40)
RIGHT = OutputVerdict(OUTPUTS_WITHIN, inputs=40)
DEGRADED_ONE = OutputVerdict(DEGRADED, (OutputFinding("y", ERROR, 0.3),), inputs=40)
UNREPEATED = OutputVerdict(OUTPUTS_UNDECIDED, inputs=40, reason=UndecidedReason.NOT_REPEATING)


def agreement(id_: str, count: int = 40) -> Accuracy:
    return Accuracy(id_, id_, 1.0, None, 0.0, 0.0, 0.0, count)


@pytest.mark.parametrize(
    ("main", "outputs", "verdict"),
    [
        ("cosine", RIGHT, WITHIN),
        ("cosine", BROKEN, OVER),  # boxes in pixels hide scores that are always 0
        ("cosine", DEGRADED_ONE, OVER),
        ("cosine", UNREPEATED, UNDECIDED),
        ("same_boxes", DEGRADED_ONE, OVER),
        ("same_boxes", RIGHT, WITHIN),
        ("top1", DEGRADED_ONE, WITHIN),  # measured with true answers
        ("top1", BROKEN, OVER),
        ("top1", UNREPEATED, UNDECIDED),
    ],
)
def test_outputs_that_are_wrong_outweigh_an_agreement(main, outputs, verdict):
    measure = agreement(main)
    if main == "top1":
        measure = msgspec.structs.replace(measure, original=1.0)
    one = Candidate("one", ("one",), 50, 4, accuracy=(measure,), outputs=outputs)
    tried = Improvement("m.onnx", "0" * 64, "cpu", ORIGINAL, (one,), main, 0.01)
    assert tried.verdict(one) == verdict


def test_float16_that_is_wrong_where_it_is_real_is_over_the_limit():
    check = Float16Check((OutOfRange("square", "Pow", "p", 1e9),), BROKEN)
    one = Candidate("Float16", ("float16",), 50, 4, accuracy=(agreement("cosine"),),
                    outputs=RIGHT, float16=check)  # fmt: skip
    tried = Improvement("m.onnx", "0" * 64, "cpu", ORIGINAL, (one,), "cosine", 0.01)
    assert tried.verdict(one) == OVER
    assert "wrong in emulated float16 arithmetic" in verdict_text(tried, one)
    assert "within limit" not in verdict_text(tried, one)
    undecided = msgspec.structs.replace(
        BROKEN, level=OUTPUTS_UNDECIDED, reason=UndecidedReason.MADE_UP
    )
    assert msgspec.structs.replace(check, verdict=undecided).wrong
    assert not msgspec.structs.replace(check, verdict=RIGHT).wrong


def test_without_a_limit_or_a_measure_there_is_no_verdict():
    one = candidate(-0.001, 0.001)
    assert state(one, None).verdict(one) == UNDECIDED
    assert state(one).verdict(Candidate("empty")) == UNDECIDED


def test_a_recipe_can_be_copied_as_a_command_and_as_code():
    steps = ("int8:keep=a b", "opset:21")
    words = shlex.split(convert_command("my net.onnx", steps, "typical inputs", "test inputs"))
    assert words[:3] == ["inspector", "convert", "my net.onnx"]
    assert words[3:] == [
        *steps,
        "--calibration",
        "typical inputs",
        "--test",
        "test inputs",
        "-o",
        "my net.improved.onnx",
    ]
    code = convert_code("my net.onnx", steps, "typical inputs", "test inputs")
    (_, call) = ast.parse(code).body
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert [ast.literal_eval(each) for each in call.value.args] == ["my net.onnx", *steps]
    options = {each.arg: ast.literal_eval(each.value) for each in call.value.keywords}
    assert options == {
        "output": "my net.improved.onnx",
        "calibration": "typical inputs",
        "test": "test inputs",
    }
    assert "calibration" not in convert_code("net.onnx", steps) + convert_command("n", steps)


def test_the_headline_says_speed_size_and_accuracy():
    one = candidate(-0.009, 0.002)
    assert verdict_text(state(one), one) == (
        "2.00× faster (95% CI 1.82× to 2.22×), 70% smaller, accuracy loss within limit"
    )
    few = candidate(-0.009, 0.002, 20)
    assert "not enough test inputs" in verdict_text(state(few), few)
    broken = Candidate("int8", ("int8",), problem="all: it crashed")
    assert verdict_text(state(one), broken) == "Cannot be used: all: it crashed"


def test_a_latency_whose_interval_holds_zero_is_within_noise():
    one = Candidate("a", ("a",), 1000, 4, "", Latency(1e6, change=0.02, low=-0.01, high=0.05))
    assert verdict_text(state(one), one).startswith("Same size")


def test_values_are_said_with_their_units():
    top1 = Accuracy("top1", "Top-1 accuracy", 0.9, 0.91, -0.01, -0.02, 0.0, 400)
    assert (value_text(top1), value_text(top1, 0.91)) == ("90.00%", "91.00%")
    assert change_text(top1) == "−1.00 points (95% CI −2.00 to +0.00)"
    assert value_text(Accuracy("sqnr_db", "Output SQNR", 31.24)) == "31.2 dB"
    cosine = Accuracy("cosine", "Cosine", 0.9987, None, -0.0013, -0.002, -0.001, 40)
    assert change_text(cosine) == "95% CI 0.9980 to 0.9990"


def test_a_saved_one_reads_the_same_and_a_damaged_one_is_refused(tmp_path):
    one, path = state(candidate(-0.009, 0.002)), tmp_path / "a.json"
    path.write_bytes(improvement.to_json(one))
    assert improvement.load(path) == one
    saved = improvement.to_json(one)
    other_best = saved.replace(b'"best": -1', b'"best": 1')
    other_schema = saved.replace(improvement.SCHEMA.encode(), b"inspector-other/1")
    assert saved not in (other_best, other_schema)
    for body in (b"{}", b"[", other_best, other_schema):
        path.write_bytes(body)
        with pytest.raises(UnreadableFile):
            improvement.load(path)


def made(
    name: str, size: int, change: float, width: float = 0.02, loss: float = 0
) -> Candidate:
    top1 = Accuracy(
        "top1", "Top-1 accuracy", 0.91 - loss, 0.91, -loss, -loss - 0.005, 0.005, 400
    )
    latency = Latency(1e6, change=change, low=change - width, high=change + width)
    return Candidate(name, (name,), size, 4, "", latency, (top1,))


FAST, HALF = made("Float16", 950, -0.3), made("4-bit weights", 500, 0.03)
TINY, BAD = made("Int8", 300, 0.5), made("Palettized weights", 200, -0.1, loss=0.2)


def search(*candidates: Candidate, best: int = -1, goal: str = "p50") -> Improvement:
    given = ORIGINAL, candidates, "top1", 0.01, best
    return Improvement("m.onnx", "0" * 64, "cpu", *given, goal=goal)


def test_the_best_by_the_goal_comes_first_and_what_else_is_notable_after_it():
    now = search(FAST, HALF, TINY, BAD, best=0)
    assert (
        headline(now)
        == "Float16: 30.0% faster (95% CI 28.0% to 32.0%), 5% smaller, accuracy unchanged"
    )
    assert (
        notable_text(now)
        == "4-bit weights: 50% smaller, accuracy unchanged, 3.0% slower (95% CI 1.0% to 5.0%)"
    )
    assert notable_text(search(TINY, BAD)).startswith("Int8: 70% smaller"), "none is as fast"
    alike = made("Int8", 302, 0.5, loss=-0.002)
    assert notable_text(search(TINY, alike)) == notable_text(search(alike, TINY))
    assert "accuracy unchanged" not in notable_text(search(TINY, alike)), "the one that gains"
    smallest = search(FAST, TINY, best=1, goal="size")
    assert headline(smallest) == "Int8: 70% smaller, accuracy unchanged, 50.0% slower"
    assert notable_text(smallest) == (
        "Float16: 30.0% faster (95% CI 28.0% to 32.0%), accuracy unchanged, 5% smaller"
    )


def test_what_is_better_by_the_goal_has_a_reason_not_to_be_recommended():
    unsure = made("Int4", 250, 0.1, loss=0.008)
    smallest = search(FAST, TINY, BAD, unsure, best=1, goal="size")
    assert passed_over_text(smallest) == (
        "Smaller, but not recommended: Palettized weights (200 B: accuracy inconclusive), "
        "Int4 (250 B: accuracy inconclusive)."
    )
    faster = made("Int8", 300, -0.5, loss=0.2)
    assert passed_over_text(search(FAST, TINY, faster, best=0)) == (
        "Faster, but not recommended: Int8 (2.00× faster (95% CI 1.92× to 2.08×): accuracy "
        "inconclusive)."
    )
    assert passed_over_text(search(FAST, HALF, best=0)) == ""
    assert passed_over_text(search(BAD)) == "", "nothing is recommended"


def test_nothing_is_notable_where_the_best_is_best_in_both():
    both = made("Int8", 300, -0.5)
    assert notable_text(search(both, FAST, HALF, best=0)) == ""
    assert headline(search(BAD)).startswith("No candidate is clearly faster")
    assert headline(search(BAD, goal="size")).startswith("No candidate is clearly smaller")


def test_a_candidate_without_a_verdict_is_not_called_none_and_a_cancelled_search_says_so():
    same = Accuracy("top1", "Top-1 accuracy", 0.935, 0.935, 0.0, -0.0137, 0.0137, 200)
    open_ones = (
        Candidate("Int8", ("int8",), 330, 4, accuracy=(same,)),
        Candidate("Float16", ("float16",), 580, 4, accuracy=(same,)),
    )
    now = search(*open_ones, goal="size")
    text = "No verdict on 2 of 2 candidates: smaller, but 200 test inputs are too few"
    assert headline(now) == text
    assert promising(now) == open_ones
    assert inputs_needed(now) == 380, "200 times 1.37 squared"
    cancelled = msgspec.structs.replace(now, untried=6)
    assert headline(cancelled) == f"Search cancelled. {text}"
    one = msgspec.structs.replace(same, count=1)
    few = search(msgspec.structs.replace(open_ones[0], accuracy=(one,)), goal="size")
    assert "accuracy needs 30 test inputs" in headline(few)
    assert inputs_needed(few) is None


def test_a_latency_with_a_wide_interval_is_not_called_noise():
    one = made("Int8", 300, 2.0, width=2.5)
    assert (
        verdict_text(search(one), one)
        == "70% smaller, accuracy unchanged, latency inconclusive"
    )
    sure = made("Int8", 300, 0.01)
    assert verdict_text(search(sure), sure).endswith("same latency within 3%")


def test_a_direction_is_sure_in_noisy_runs_but_not_the_number():
    slower = made("Int8", 300, 0.5)
    assert slower.latency is not None
    timed = msgspec.structs.replace(slower.latency, noise=("Other programs ran.",))
    noisy = msgspec.structs.replace(slower, latency=timed)
    assert verdict_text(search(noisy), noisy).startswith("Slower (noisy), 70% smaller")
    smallest = search(slower, goal="size")
    assert verdict_text(smallest, slower) == "70% smaller, accuracy unchanged, 50.0% slower"


@pytest.mark.parametrize(
    ("change", "verdict"), [(0.0, WITHIN), (0.002, WITHIN), (-0.002, OVER)]
)
def test_no_loss_is_about_the_test_inputs(change, verdict):
    # The interval of a sample holds a loss even where none was seen.
    top1 = Accuracy("top1", "Top-1", 0.9, 0.9 - change, change, change - 0.005, 0.01, 400)
    one = msgspec.structs.replace(candidate(0, 0), accuracy=(top1,))
    strict = state(one, limit=0.0)
    assert strict.verdict(one) == verdict
    words = {WITHIN: "accuracy unchanged" if not change else "accuracy not lower"}
    assert words.get(verdict, "accuracy lower") in verdict_text(strict, one)


def test_a_caution_names_devices_that_are_known_to_run_fewer_layers():
    targets = (
        TargetLayers("iPhone (Core ML)", "16 of 16", "12 of 37", "part"),
        TargetLayers("Android (NNAPI)", "16 of 16", "9 of 37", "part", 20),
        TargetLayers("Intel CPU and NPU (OpenVINO)", "16 of 16", "37 of 37", "all"),
        TargetLayers("NVIDIA GPU (CUDA)", "16 of 16", "3 of 37", "part"),
        TargetLayers("Browser (WebNN)", "", "1 of 2", "part"),
        TargetLayers("AMD GPU (MIGraphX)", "16 of 16", "", "unknown", 37),
        TargetLayers("Qualcomm NPU (QNN)", "16 of 16", "9 of 37", "part", 28),
    )
    text = Candidate("int8", targets=targets).support_caution
    # Layers that were not checked make a range.
    assert (
        "iPhone (Core ML): 25 of 37; Android (NNAPI): 8 to 28 of 37; also 1 other device"
        in text
    )
    assert "OpenVINO" not in text
    assert not Candidate("same", targets=targets[2:3]).support_caution
    assert [each.change for each in targets] == ["fewer", "fewer", "", "fewer", "", "", ""]


def test_the_latency_to_trust_is_named_where_the_medians_disagree():
    def note(p50_ns: float) -> str:
        timed = Latency(p50_ns, change=0.15, low=0.1, high=0.2, original=Latency(1e5))
        return Candidate("int8", latency=timed).latency_note

    assert note(1.15e5) == ""
    assert "alone differ by +82.4%; trust +15.0%" in note(1.824e5)
    assert Candidate("int8", latency=Latency(1e5)).latency_note == ""


def test_a_busy_machine_is_named_beside_the_verdict():
    busy = Latency(1e5, noise=("Other programs used 61% of the CPU.",))
    assert Candidate("int8", latency=busy).cautions == (
        "Noisy: Other programs used 61% of the CPU. Measure again on an idle machine.",
    )
    assert Candidate("int8", latency=Latency(1e5)).cautions == ()


def test_agreement_with_the_original_is_not_called_accuracy():
    same = Accuracy("same_class", "Same class as the original", 1.0, None, 0.0, -0.05, 0.0, 50)
    one = msgspec.structs.replace(made("Int8", 300, 0.5), accuracy=(same,))
    now = msgspec.structs.replace(search(one), main="same_class", limit=0.0)
    assert now.verdict(one) == WITHIN
    words = "same class on 100.00% of 50 inputs (accuracy not tested: no labels)"
    assert words in verdict_text(now, one)
    labeled = msgspec.structs.replace(now, main="top1")
    assert "accuracy not tested" not in verdict_text(labeled, made("Int8", 300, 0.5))
