"""Exact float16 arithmetic beside the original, and the layers that need float32."""

from pathlib import Path

import numpy as np
import pytest

from inspector.analysis.verdicts import float16 as verdicts
from inspector.app.changing import float16_check, float16_layers
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.conversion.result import Conversion
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.report.float16_check import Float16Check
from inspector.report.output_verdict import TYPICAL
from tests.conversion.conversions import saved

pytestmark = pytest.mark.engine
_HEAD = """<ir_version: 8, opset_import: ["" : 17]>
net (float[4, 64] x) => (float[4, n] y) """
# name: (body, scale of the inputs, layers that have to stay in float32)
WRONG = {
    "frames in samples": (
        "<float hop = {160}, float rate = {16000}> { a = Mul (x, hop) y = Div (a, rate) }",
        600.0,
        {"a", "y"},
    ),
    "squares that vanish": (
        "{ q = Mul (x, x) s = ReduceMean <axes = [-1]> (q) r = Sqrt (s) y = Div (x, r) }",
        1e-5,
        {"q", "s", "r", "y"},
    ),
    "exp without max": (
        "<int64[1] a = {-1}> { e = Exp (x) s = ReduceSum (e, a) y = Div (e, s) }",
        14.0,
        {"e", "s", "y"},
    ),
    "variance by difference": (
        """{ q = Mul (x, x) m = ReduceMean <axes = [-1]> (x) s = ReduceMean <axes = [-1]> (q)
             p = Mul (m, m) v = Sub (s, p) y = Sqrt (v) }""",
        3.0,
        {"q", "m", "s", "p", "v"},
    ),
}
RIGHT = {
    "softmax of large logits": ("<float k = {3000}> { a = Mul (x, k) y = Softmax (a) }", 1.0),
    "overflow that saturates": (
        "<float three = {3}> { p = Pow (x, three) a = Add (x, p) y = Tanh (a) }",
        100.0,
    ),
    "mask": (
        """<float low = {-1e9}> {
            a = Add (x, low) b = Concat <axis = 1> (x, a) y = Softmax (b) }""",
        1.0,
    ),
}


def inputs(scale: float, offset: float = 0.0) -> list[dict[str, np.ndarray]]:
    random = np.random.default_rng(5)
    return [
        {"x": (offset + random.standard_normal((4, 64)) * scale).astype(np.float32)}
        for _ in range(5)
    ]


def made(path: Path, folder: Path, step: str, feeds: list[dict[str, np.ndarray]]) -> Conversion:
    folder.mkdir()
    with EngineProcess(reads=(path, folder / "model.onnx")) as engine:
        steps = [parse_step(step, ACTIONS)]
        result = float16_layers.convert(engine, path, steps, folder, feeds)
        return float16_check.checked(engine, result, feeds, input_kind=TYPICAL)


def check(result: Conversion) -> Float16Check:
    assert result.float16 is not None
    return result.float16


@pytest.mark.parametrize("name", WRONG)
def test_outputs_that_are_wrong_where_float16_is_real(name, tmp_path):
    body, scale, needed = WRONG[name]
    path = saved(tmp_path / "from", _HEAD + body)
    feeds = inputs(scale, 200.0 if "variance" in name else 0.0)
    plain = check(made(path, tmp_path / "plain", "float16", feeds))
    assert plain.wrong
    start = "In emulated float16 arithmetic, as on GPUs: Outputs are "
    assert verdicts.summary(plain).startswith(start)
    assert "Do not ship this" in verdicts.summary(plain)
    assert verdicts.remedy(plain).endswith("float16:keep=auto")
    found = made(path, tmp_path / "kept", "float16:keep=auto", feeds)
    assert found.float16 is None or not found.float16.wrong
    kept = set(dict(found.steps[0].options)["keep"].split("+"))
    assert kept >= needed - {"y"}
    assert kept <= needed | {"y"}
    assert found.notes[0].startswith("Kept in float32, since float16 fails there on 5 inputs: ")


@pytest.mark.parametrize("name", RIGHT)
def test_models_that_are_right_are_not_called_wrong(name, tmp_path):
    body, scale = RIGHT[name]
    path = saved(tmp_path / "from", _HEAD + body)
    result = made(path, tmp_path / "to", "float16:keep=auto", inputs(scale))
    assert not check(result).wrong
    assert result.notes[0] == "No layer needs float32 on 5 inputs."
    if name == "overflow that saturates":
        [large] = check(result).out_of_range
        assert (large.layer, large.operator, large.vanishes) == ("p", "Pow", False)
        assert verdicts.ranges(check(result)).endswith("The outputs are not affected.")
        assert large.largest > 65504


def test_the_largest_value_is_that_before_rounding(tmp_path):
    path = saved(
        tmp_path / "from", _HEAD + "<float k = {1000}> { a = Mul (x, k) y = Tanh (a) }"
    )
    feeds = inputs(100.0)
    [large] = check(made(path, tmp_path / "to", "float16", feeds)).out_of_range
    halves = [feed["x"].astype(np.float16).astype(np.float32) for feed in feeds]
    assert large.largest == pytest.approx(max(float(np.abs(x).max()) for x in halves) * 1000)


def test_a_model_without_float16_is_not_checked(samples, tmp_path):
    path = saved(tmp_path / "from", _HEAD + "<float k = {2}> { y = Mul (x, k) }")
    assert made(path, tmp_path / "to", "opset:18", inputs(1.0)).float16 is None


def test_layers_cannot_be_found_without_inputs(tmp_path):
    path = saved(tmp_path / "from", _HEAD + "<float k = {2}> { y = Mul (x, k) }")
    with pytest.raises(BadInput, match="there are no inputs"):
        made(path, tmp_path / "to", "float16:keep=auto", [])


def test_constants_that_float16_cannot_hold_are_named(tmp_path):
    body = "<float e = {1e-10}> { q = Mul (x, x) a = Add (q, e) y = Log (a) }"
    path = saved(tmp_path / "from", _HEAD + body)
    result = made(path, tmp_path / "to", "float16", inputs(1.0))
    assert result.notes == (
        "Constants too small for float16 were raised, which matters where values are as "
        "small, such as silence: e (1e-10 became 5.96e-08).",
    )
