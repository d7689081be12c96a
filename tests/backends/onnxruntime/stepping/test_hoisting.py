"""Values inside If, Loop and Scan: what they are, and that nothing else changes."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.analysis.measured.layer_outputs import LayerStep
from inspector.backends.onnxruntime.stepping import stepping
from inspector.backends.onnxruntime.stepping.hoisting import plan_steps
from inspector.backends.values import ComparisonRun
from inspector.report.run_spec import RunSpec

pytestmark = pytest.mark.engine
AS_IS = RunSpec(optimization="none")
X = np.array([1, -2, 3], np.float32)
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
BRANCHES = """g (float[3] x, bool c) => (float[m] y) {
  [choose] y = If (c) <
    then_branch = t () => (float[3] p) { [twice] d = Add(x, x) [cut] p = Relu(d) },
    else_branch = e () => (float[k] q) {
      [less] d = Neg(x)
      [again] q = If (c) <
        then_branch = tt () => (float[3] r) { [never] r = Abs(d) },
        else_branch = ee () => (float[6] s) {
        [both] b = Concat <axis = 0> (d, x) [out] s = Exp(b) }
      >
      [behind] t = Tanh(x)
    }
  >
}"""
LOOP = """g (float[3] x, int64 n) => (float[k] last, float[a,b] all) {
  [yes] go = Constant <value = bool {1}> ()
  [repeat] last, all = Loop (n, go, x) <
    body = b (int64 i, bool before, float[m] v)
      => (bool after, float[o] grown, float[3] shown) {
      [same] after = Identity(before)
      [join] grown = Concat <axis = 0> (v, x)
      [scale] half = Mul(x, x)
      [number] f = Cast <to = 1> (i)
      [shift] shown = Add(half, f)
    }
  >
}"""
SCAN = """g (float[t,3] x, float[3] s) => (float[3] end, float[t,3] y) {
  [over] end, y = Scan <num_scan_inputs = 1,
    body = b (float[3] state, float[3] row) => (float[3] sum, float[3] out) {
      [add] sum = Add(state, row)
      [square] q = Mul(row, row)
      [minus] out = Neg(q)
    }
  > (s, x)
}"""


def net(folder: Path, text: str) -> Path:
    path = folder / "net.onnx"
    onnx.save(onnx.parser.parse_model(HEAD + text), path)
    return path


def steps(
    path: Path, feeds: dict[str, np.ndarray], against: ComparisonRun | None = None
) -> dict[str, LayerStep]:
    way = plan_steps(path, AS_IS, feeds)
    found = stepping.step_through(way, against, None, lambda *_: None)
    assert not any("not shown" in note for note in found.notes)
    return {step.name: step for step in found.steps}


def mean(step: LayerStep) -> float:
    (output,) = step.outputs
    assert output.statistics.mean is not None
    return float(output.statistics.mean)


def test_the_branch_that_ran_shows_its_values_and_the_other_says_so(tmp_path):
    found = steps(net(tmp_path, BRANCHES), {"x": X, "c": np.array(True)})
    assert mean(found["twice"]) == pytest.approx(2 * X.mean())
    assert mean(found["cut"]) == pytest.approx(np.maximum(2 * X, 0).mean())
    assert found["cut"].outputs[0].name == "p"
    for name in ("less", "again", "never", "both", "out", "behind"):
        assert "branch of this layer was not taken" in found[name].problem, name
    assert [each.name for each in found["choose"].outputs] == ["y"]


def test_a_branch_inside_a_branch_is_raised_twice(tmp_path):
    found = steps(net(tmp_path, BRANCHES), {"x": X, "c": np.array(False)})
    both = np.concatenate([-X, X])
    assert mean(found["less"]) == pytest.approx(-X.mean())
    assert mean(found["both"]) == pytest.approx(0)
    assert mean(found["out"]) == pytest.approx(np.exp(both).mean())
    assert found["both"].outputs[0].shape == (6,)
    assert mean(found["behind"]) == pytest.approx(np.tanh(X).mean())
    for name in ("twice", "cut", "never"):
        assert "branch of this layer was not taken" in found[name].problem, name


def test_a_loop_shows_its_last_iteration_even_of_growing_values(tmp_path):
    found = steps(net(tmp_path, LOOP), {"x": X, "n": np.array(4)})
    assert found["join"].outputs[0].shape == (15,)
    assert mean(found["scale"]) == pytest.approx((X * X).mean())
    assert mean(found["number"]) == 3
    assert mean(found["shift"]) == pytest.approx((X * X + 3).mean())
    assert found["shift"].outputs[0].shape == (3,)
    assert found["scale"].remark == "Values from the last iteration."
    assert [each.name for each in found["repeat"].outputs] == ["last", "all"]


def test_a_loop_that_does_not_run_has_no_values_inside(tmp_path):
    found = steps(net(tmp_path, LOOP), {"x": X, "n": np.array(0)})
    for name in ("join", "scale", "number", "shift"):
        assert "loop did not run" in found[name].problem, name


def test_a_scan_shows_its_last_row(tmp_path):
    rows = np.arange(12, dtype=np.float32).reshape(4, 3)
    found = steps(net(tmp_path, SCAN), {"x": rows, "s": X})
    assert mean(found["add"]) == pytest.approx((X + rows.sum(0)).mean())
    assert mean(found["square"]) == pytest.approx((rows[-1] ** 2).mean())
    assert mean(found["minus"]) == pytest.approx(-(rows[-1] ** 2).mean())


@pytest.mark.parametrize("against", [ComparisonRun(), ComparisonRun(RunSpec())])
@pytest.mark.parametrize(
    ("text", "feeds"),
    [
        (BRANCHES, {"c": np.array(False)}),
        (LOOP, {"n": np.array(2)}),
        (SCAN.replace("float[t,3] x", "float[3,3] x"), {"x": np.eye(3, dtype="f4"), "s": X}),
    ],
    ids=["If", "Loop", "Scan"],
)
def test_values_inside_are_compared_too(tmp_path, text, feeds, against):
    found = steps(net(tmp_path, text), {"x": X, **feeds}, against)
    inside = [step for step in found.values() if step.remark or step.name in ("less", "out")]
    compared = [each.difference for step in inside for each in step.outputs if each.difference]
    assert len(compared) >= 2
    assert not any(step.over for step in found.values())


def test_a_value_inside_comes_whole(tmp_path):
    path = net(tmp_path, LOOP)
    way = plan_steps(path, AS_IS, {"x": X, "n": np.array(2)})
    mine, _, _ = stepping.inner_tensor_pair(way, None, "half", "Could not")
    assert mine.array is not None
    assert np.array_equal(mine.array, X * X)
    assert mine.name == "half"


def test_where_values_inside_cannot_be_given_out_the_rest_is_shown(tmp_path):
    text = SCAN.replace("[minus] out = Neg(q)", "[where] w = NonZero(row) [minus] out = Neg(q)")
    rows = np.array([[0, 1, 2], [3, 4, 5]], np.float32)  # two places, then three
    way = plan_steps(net(tmp_path, text), AS_IS, {"x": rows, "s": X})
    found = stepping.step_through(way, None, None, lambda *_: None)
    assert "Values inside subgraphs are not shown" in found.notes[-1]
    over, *inside = found.steps
    assert mean_of(over) == pytest.approx([(X + rows.sum(0)).mean(), -(rows**2).mean()])
    assert all("in a subgraph" in step.problem for step in inside)


def mean_of(step: LayerStep) -> list[float]:
    return [float(each.statistics.mean or 0) for each in step.outputs if each.statistics]
