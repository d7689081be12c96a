"""A converted model is compared on all given inputs, held out where there are enough."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from inspector.app.changing import conversion, conversion_check
from inspector.app.changing.calibration import NamedInput
from inspector.app.changing.conversion_check import (
    CheckedConversion,
    ConversionInputs,
    MadeUpInput,
)
from inspector.backends.array_files import Feed
from inspector.conversion.action import CHECK_ACCURACY, COMPARE_ON_OTHERS, parse_step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from inspector.pages.conversion import conversion_page
from inspector.preview.inputs.feeds import Filled, input_kind
from inspector.report.output_verdict import DESTROYED, GUESSED, RANDOM, SAME, TYPICAL, ZEROS
from tests import models

pytestmark = pytest.mark.engine
Engines = tuple[EngineProcess, EngineProcess]
NONE = MadeUpInput(lambda *_: {}, GUESSED)


def inputs_of(count: int) -> list[NamedInput]:
    return [NamedInput(f"{number:02}.npy", dict) for number in range(count)]


@pytest.mark.parametrize(
    ("count", "calibrates", "kept", "tested", "held_out"),
    [
        (3, False, 0, 3, None),
        (40, False, 0, 40, None),
        (7, True, 7, 7, False),
        (8, True, 4, 4, True),
        (10, True, 6, 4, True),
        (40, True, 30, 10, True),
    ],
)
def test_some_inputs_are_held_out_where_there_are_enough(
    count, calibrates, kept, tested, held_out
):
    given = ConversionInputs(NONE, inputs_of(count))
    one, two, held = given.split(calibrates)
    assert (len(one), len(two), held) == (kept, tested, held_out)
    if held:
        assert {each.name for each in one}.isdisjoint(each.name for each in two)
        places = [int(each.name[:2]) for each in two]
        assert np.diff(places).max() <= np.diff(places).min() + 1  # spread over the folder


def test_inputs_to_test_with_are_never_calibrated_with():
    given = ConversionInputs(NONE, inputs_of(9), [NamedInput("other.npy", dict)])
    one, two, held = given.split(True)
    assert (len(one), [each.name for each in two], held) == (9, ["other.npy"], True)
    assert given.split(False)[1:] == ([two[0]], None)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([("cat.png", True)], TYPICAL),
        ([("cat.png", True), ("random:0", False)], RANDOM),
        ([("zeros", True)], ZEROS),
        ([("zeros", False), ("16000", False)], GUESSED),
        ([("random:3", True)], RANDOM),
    ],
)
def test_an_input_is_typical_only_if_all_of_it_was_given(values, kind):
    filled = [
        Filled(str(place), value, np.zeros(1), given=given)
        for place, (value, given) in enumerate(values)
    ]
    assert input_kind(filled) == kind


@pytest.fixture(scope="module")
def engines() -> Iterator[Engines]:
    with EngineProcess() as one, EngineProcess() as two:
        yield one, two


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of token ids: an embedding of 50 words, and a classifier of 4 classes."""
    random = np.random.default_rng(0)
    weights = {
        "e": random.standard_normal((50, 32)).astype(np.float32),
        "w": random.standard_normal((32, 4)).astype(np.float32),
    }
    nodes = [
        helper.make_node("Gather", ["e", "ids"], ["rows"]),
        helper.make_node("ReduceMean", ["rows"], ["mean"], axes=[1], keepdims=0),
        helper.make_node("MatMul", ["mean", "w"], ["scores"], "head"),
    ]
    path = tmp_path_factory.mktemp("words") / "words.onnx"
    ends = [models.value("ids", [1, "t"], TensorProto.INT64)], [models.value("scores", [1, 4])]
    return models.save(path, nodes, *ends, weights)


def texts(count: int, *, bad: int = 0) -> list[NamedInput]:
    """Inputs of `words`; the first `bad` of them have an id beyond its 50 words."""

    def load(number: int) -> dict[str, Feed]:
        ids = np.random.default_rng(number).integers(0, 50, (1, 6))
        if number < bad:
            ids[0, 3] = 77
        return {"ids": ids.astype(np.int64)}

    return [NamedInput(f"{n:02}.npy", partial(load, n)) for n in range(count)]


def checked(
    engines: Engines, model: Path, folder: Path, step: str, given: list[NamedInput]
) -> CheckedConversion:
    made_up = conversion_check.usual_input(open_model(model))
    inputs = ConversionInputs(made_up, given)
    steps = [parse_step(step, ACTIONS)]
    names = ["news", "sports", "weather", "traffic"]
    return conversion_check.run(
        engines, model, steps, folder, inputs, "made.onnx", labels=names
    )


def test_an_input_on_which_the_original_fails_is_its_own_fault(words, tmp_path, engines):
    done = checked(engines, words, tmp_path, "float16", texts(6, bad=1))
    assert (done.verdict.inputs, done.verdict.held_out) == (5, None)
    (note,) = done.notes
    assert note.startswith("1 of 6 test inputs could not be used: 00.npy: ")
    assert done.compared[0].inputs == 5
    assert done.compared[0].same_top == 5
    with pytest.raises(BadInput, match="2 of 2 test inputs could not be used"):
        checked(engines, words, tmp_path, "float16", texts(2, bad=2))


@pytest.mark.slow  # it measures three models
def test_each_step_of_a_recipe_is_reported(words, tmp_path, engines):
    steps = [parse_step(each, ACTIONS) for each in ("one-file", "float8", "strip")]
    inputs = ConversionInputs(conversion_check.usual_input(open_model(words)), texts(3))
    proto = onnx.load(words)
    proto.doc_string = "words"
    onnx.save(proto, tmp_path / "words.onnx")
    words = tmp_path / "words.onnx"
    done = conversion_check.run(engines, words, steps, tmp_path, inputs, "made.onnx")
    first, small, last = done.after_steps
    assert [each.step for each in done.after_steps] == ["", "float8", "strip"]
    assert first.size_bytes == words.stat().st_size
    assert last.size_bytes == done.conversion.path.stat().st_size < first.size_bytes
    assert last.layers == small.layers == len(open_model(done.conversion.path).layers)
    assert first.sqnr_db is None
    assert small.sqnr_db == last.sqnr_db == done.compared[0].parity.difference.sqnr_db
    assert all(each.low_ns <= each.median_ns <= each.high_ns for each in done.after_steps)
    section = next(s for s in conversion_page(done, (1, 1)).sections if s.id == "after-steps")
    assert len(section.blocks[0].rows) == len(done.after_steps)


def test_levels_are_not_checked_with_inputs_on_which_the_original_fails(
    words, tmp_path, engines
):
    steps = [parse_step("float16", ACTIONS)]
    made = conversion.convert(engines[1], words, steps, tmp_path)
    inputs = [each.load() for each in texts(3, bad=1)]
    assert conversion.checked(engines[1], made, inputs).problem == ""
    with pytest.raises(EngineFailed, match=r"Could not run words\.onnx"):
        conversion.checked(engines[1], made, inputs[:1])


def test_the_worst_of_all_inputs_is_what_is_shown(words, tmp_path, engines):
    given = texts(9)
    done = checked(engines, words, tmp_path, "weights-4bit:block=16", given)
    sessions = [onnxruntime.InferenceSession(path) for path in (words, done.conversion.path)]
    errors = {}
    same = 0
    for each in given:
        one, two = (session.run(None, dict(each.load()))[0] for session in sessions)
        errors[each.name] = np.abs(one).max() ** 2 / ((two - one) ** 2).mean()
        same += int(one.argmax() == two.argmax())
    shown = done.compared[0]
    assert shown.worst_input == min(errors, key=lambda name: errors[name])
    decibels = 10 * np.log10(errors[shown.worst_input])
    assert shown.parity.difference.psnr_db == pytest.approx(decibels, abs=0.01)
    assert (shown.inputs, shown.same_top) == (9, same)
    assert f"same top class on {same} of them" in shown.text
    assert f"worst of 9 inputs: {shown.worst_input}" in shown.text


def test_a_result_that_is_right_on_a_cpu_only_is_destroyed(tmp_path, engines):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,64] x) => (float[1,64] y)
    <float[1] big = {1000.0}> { a = Mul (x, big)  y = Div (a, big) }"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "net.onnx")
    values = [np.random.default_rng(n).uniform(50, 200, (1, 64)) for n in range(6)]
    given = [
        NamedInput(f"{n}.npy", partial(dict, x=each.astype(np.float32)))
        for n, each in enumerate(values)
    ]
    done = checked(engines, tmp_path / "net.onnx", tmp_path, "float16", given)
    assert done.verdict.good
    assert done.worst.level == DESTROYED
    assert done.destroyed
    assert done.sentence.startswith("In emulated float16 arithmetic, as on GPUs: Outputs are ")
    assert done.sentence.endswith("float16:keep=auto.")


@pytest.mark.parametrize("kind", ["top-k", "argmax", "softmax"])
def test_new_outputs_are_judged_by_the_output_that_they_follow_from(
    kind, words, tmp_path, engines
):
    done = checked(engines, words, tmp_path, f"class-output:kind={kind}", texts(5))
    assert done.verdict.level == SAME
    assert [each.parity.name for each in done.compared] == ["scores"]
    names = {"top-k": ("scores_2", "classes"), "argmax": ("class",)}
    assert done.missing == names.get(kind, ("probabilities",))


def test_edits_that_change_what_is_computed_get_no_verdict(words, tmp_path, engines):
    step = "insert-layer:operator=Neg,after=mean"
    done = checked(engines, words, tmp_path, step, texts(5))
    assert done.verdict is None
    assert not done.destroyed
    assert done.sentence == "No verdict: the steps change what the model computes."
    assert done.compared[0].parity.differs


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A float16 model whose values overflow where float16 is real, but not on a CPU."""
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float16[1,64] x) => (float16[1,64] y) {
        big = Constant <value_float = 1000.0> ()
        half = Cast <to = 10> (big)
        a = Mul (x, half)  b = Relu (a)  y = Div (b, half) }"""
    path = tmp_path_factory.mktemp("half") / "half.onnx"
    onnx.save(onnx.parser.parse_model(text), path)
    return path


def halves(count: int) -> list[NamedInput]:
    values = [np.random.default_rng(n).uniform(50, 200, (1, 64)) for n in range(count)]
    return [
        NamedInput(f"{n}.npy", partial(dict, x=each.astype(np.float16)))
        for n, each in enumerate(values)
    ]


@pytest.mark.parametrize("step", ["ir-version:10", "insert-layer:operator=Identity,after=a"])
def test_what_float16_does_to_the_original_is_not_held_against_a_step(
    step, half, tmp_path, engines
):
    done = checked(engines, half, tmp_path, step, halves(5))
    assert not done.destroyed
    assert (done.conversion.float16, done.worst) == (None, done.verdict)
    edits = step.startswith("insert")
    assert (done.verdict is None) == edits
    assert done.sentence.startswith("No verdict:" if edits else "Outputs are the same")


def test_advice_to_compare_is_left_out_once_the_outputs_were_compared(words, tmp_path, engines):
    def caution(count: int, step: str = "int8") -> str:
        done = checked(engines, words, tmp_path, step, texts(count))
        return done.conversion.effects[0].caution

    assert COMPARE_ON_OTHERS not in caution(9)  # 4 were held out
    assert COMPARE_ON_OTHERS in caution(5)  # all were used for calibration
    assert CHECK_ACCURACY not in caution(9, "palettize:bits=8")
    assert CHECK_ACCURACY in caution(0, "palettize")  # one made-up input shows nothing


def test_a_recipe_that_destroys_the_answers_says_so_and_one_made_up_input_says_nothing(
    words, tmp_path, engines
):
    done = checked(engines, words, tmp_path, "sparse:zeros=99", texts(9))
    assert done.destroyed
    assert "Do not ship this" in done.sentence
    done = checked(engines, words, tmp_path, "sparse:zeros=99", [])
    assert not done.destroyed
    assert done.sentence.startswith("No verdict from only 1 ")
