"""The plugin of pytest, in tests that run tests."""

import subprocess
import sys

import pytest

import inspector
from tests.conftest import ROOT

pytest_plugins = ["pytester"]
SAMPLES = ROOT / "sample_models"
MODEL, INT8 = SAMPLES / "digits_float32.onnx", SAMPLES / "digits_int8_qdq.onnx"
# No plugin but ours: pytest-qt starts Qt, which takes a second.
FLAGS = (
    "-p", "inspector.api.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:pytest-qt", "-rs",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip
LATENCY = """
def test_latency(inspector_model, assert_latency):
    report = assert_latency(inspector_model, "p50<5s", "model.size<1GB", runs=20, layers=False)
    assert report.check("latency.p50<5s")

def test_too_slow(inspector_model, assert_latency):
    assert_latency(inspector_model, "p50<1ns", runs=20, layers=False)

def test_unknown(inspector_model, assert_latency):
    assert_latency(inspector_model, "p99<1s", runs=5, layers=False)

def test_unknown_fails(inspector_model, assert_latency):
    assert_latency(inspector_model, "p99<1s", runs=5, layers=False, inconclusive="fail")
"""


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """Load what the plugin uses: tests in this process forget what they load, and libraries
    such as NumPy cannot be loaded twice."""
    inspector.predict(MODEL)
    inspector.measure(MODEL, runs=5, layers=False)


@pytest.mark.engine
def test_a_slow_model_fails_and_an_unsure_one_is_skipped(pytester):
    pytester.makepyfile(LATENCY)
    (pytester.path / MODEL.name).write_bytes(MODEL.read_bytes())
    done = pytester.runpytest_inprocess(*FLAGS, "--inspector-model", MODEL.name)
    done.assert_outcomes(passed=1, failed=2, skipped=1)
    text = done.stdout.str()
    assert "<Check latency.p50<1ns does not hold: " in text
    assert "latency.p99<1s is inconclusive: " in text
    assert "test_too_slow[digits_float32.onnx]" in text


@pytest.mark.engine
def test_outputs_are_those_of_another_model_or_of_arrays(pytester):
    pytester.makepyfile(f"""
import numpy as np
import inspector

PICTURE = r"{SAMPLES / "inputs" / "digit_3.png"}"

def test_same(assert_same_outputs):
    assert_same_outputs(r"{INT8}", r"{MODEL}", PICTURE, same_class=True, psnr=10)

def test_other(assert_same_outputs):
    assert_same_outputs(r"{INT8}", r"{MODEL}", [PICTURE], rtol=1e-7, atol=0)

def test_arrays(assert_same_outputs):
    answer = inspector.predict(r"{MODEL}", PICTURE)
    arrays = dict(answer.outputs)
    (name,) = arrays
    assert_same_outputs(r"{MODEL}", {{name: 1 - arrays[name], "gone": 0}}, PICTURE)
""")
    done = pytester.runpytest_inprocess(*FLAGS)
    done.assert_outcomes(passed=1, failed=2)
    text = done.stdout.str()
    assert "values differ; the largest difference is" in text
    assert "there is no output 'gone'" in text


def test_models_come_from_the_marker_the_option_or_the_setting(pytester):
    for name in ("a.onnx", "b.onnx"):
        (pytester.path / name).write_bytes(MODEL.read_bytes())
    pytester.makeini("[pytest]\ninspector_models = a.onnx\n")
    pytester.makepyfile("""
import pytest

def test_named(inspector_model):
    assert len(inspector_model.model.layers) == 15

@pytest.mark.inspector_model("b.onnx")
def test_marked(inspector_model):
    assert inspector_model.path.name == "b.onnx"
""")
    pytester.runpytest_inprocess(*FLAGS).assert_outcomes(passed=2)
    option = ("--inspector-model", "*.onnx")
    pytester.runpytest_inprocess(*FLAGS, *option).assert_outcomes(passed=3)
    pytester.makeini("[pytest]\n")
    pytester.runpytest_inprocess(*FLAGS).assert_outcomes(passed=1, skipped=1)


def test_the_plugin_loads_nothing_that_runs_models():
    code = "import inspector.api.pytest_plugin, sys; print([*sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    for name in (b"'numpy'", b"'onnx'", b"'msgspec'"):
        assert name not in loaded.stdout
