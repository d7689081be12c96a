"""What functions of the API take and return: models in memory, pictures, one-line results."""

import gc
import re

import numpy as np
import onnx
import pytest
from PIL import Image

import inspector
from inspector.api.measured import Measurement
from inspector.api.python_words import in_python
from inspector.errors import BadInput
from tests.conftest import ROOT
from tests.reports import example_report

SAMPLES = ROOT / "sample_models"
MODEL = SAMPLES / "digits_float32.onnx"
ALL = frozenset(("inputs", "dimensions", "settings", "device", "time_limit", "calibration"))


@pytest.mark.parametrize("kind", ["proto", "bytes"])
def test_a_model_in_memory_is_a_file_as_long_as_it_is_needed(kind):
    model = onnx.load(MODEL) if kind == "proto" else MODEL.read_bytes()
    opened = inspector.open_model(model)
    assert len(opened.model.layers) == 15
    path = opened.path
    assert path.exists()
    del opened
    gc.collect()
    assert not path.parent.exists()


@pytest.mark.engine
def test_a_picture_of_pil_is_read_as_its_file_is():
    with Image.open(SAMPLES / "inputs" / "digit_3.png") as picture:
        drawn = picture.copy()
    by_file = inspector.predict(MODEL, SAMPLES / "inputs" / "digit_3.png")
    by_picture = inspector.predict(MODEL, drawn)
    (one,), (other,) = by_file.outputs.values(), by_picture.outputs.values()
    np.testing.assert_array_equal(one, other)
    drawn.paste(0, (0, 0, *drawn.size))  # it is read again each time
    (changed,) = inspector.predict(MODEL, {"picture": drawn}).outputs.values()
    assert not np.array_equal(changed, other)


@pytest.mark.engine
def test_results_have_one_line_and_errors_speak_python():
    answer = inspector.predict(MODEL, SAMPLES / "inputs" / "digit_3.png")
    results = [inspector.open_model(MODEL), answer, Measurement(example_report())]
    results += [inspector.diff(MODEL, SAMPLES / "digits_int8_qdq.onnx")]
    results += [inspector.support(MODEL, "apple")]
    for result in results:
        assert re.fullmatch(rf"<{type(result).__name__} .{{10,170}}>", repr(result)), result
    wide = np.zeros((1, 1, 8, 8), np.float64)
    with pytest.raises(BadInput, match=r"settings=\{\"cast\": True\}"):
        inspector.predict(MODEL, wide)
    assert inspector.predict(MODEL, wide, settings={"cast": True}).outputs
    with pytest.raises(BadInput, match="Did you mean 'threads'"):
        inspector.measure(MODEL, settings={"thread": 2})


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Use --dim N=4.", 'Use dimensions={"N": 4}.'),
        ("Set one with --input NAME=FILE.", 'Set one with inputs={"NAME": FILE}.'),
        ("To allow more time, use --time-limit.", "To allow more time, use time_limit."),
        ("or use --cast.", 'or use settings={"cast": True}.'),
        ("Omit --threads.", 'Omit settings={"threads": ...}.'),
        ("inspector info MODEL --input X", "inspector info MODEL --input X"),
        ("Omit --markdown.", "Omit --markdown."),
    ],
)
def test_options_in_sentences_become_parameters(text, wanted):
    assert in_python(text, ALL) == wanted


def test_conditions_are_those_of_the_command_line():
    fast = Measurement(example_report(prediction_ns=tuple(range(990_000, 1_010_000, 1_000))))
    assert fast.check("latency.all.p50<2ms")
    slow = fast.check("latency.all.p50>2ms")
    assert (bool(slow), slow.inconclusive) == (False, False)
    few = Measurement(example_report(prediction_ns=(1_000_000,) * 3)).check("latency.p99<2ms")
    assert (bool(few), few.inconclusive) == (False, True)
    with pytest.raises(BadInput, match="against="):
        fast.check("layers.moved>0")
    assert not fast.check("layers.moved>0", against=fast)
    with pytest.raises(BadInput, match="no metric"):
        fast.check("speed>1")
