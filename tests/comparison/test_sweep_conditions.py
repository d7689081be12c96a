"""Conditions on a sweep: each model on each machine is judged by its interval."""

import pytest

from inspector.comparison.ci_conditions import Outcome
from inspector.comparison.sweep_conditions import judged, parse
from inspector.errors import BadInput
from inspector.report import sweep as sweeps
from inspector.report.sweep import Axis, Sweep
from tests.sweeps import SPEC, model, round_of


@pytest.fixture(scope="module")
def sweep() -> Sweep:
    axes = [Axis("machine", ("here", "pi5"))]
    planned = sweeps.plan([model("a.onnx"), model("b.onnx")], SPEC, axes, rounds=2)
    for seed in (1, 2):
        planned = planned.measured((0, 0), round_of(1e6, seed))
        planned = planned.measured((0, 1), round_of(8e6, seed))
        planned = planned.measured((1, 0), round_of(2e6, seed))
    return planned.failed((1, 1), "Could not run b.onnx on pi5: no kernel.")


def outcomes(text: str, sweep: Sweep) -> dict[str, Outcome]:
    return {each.name: each.outcome for each in judged([parse(text)], sweep)}


def test_a_limit_is_held_against_each_model_on_each_machine(sweep):
    assert outcomes("latency.p50>4ms", sweep) == {
        "a on here": Outcome.FAILS,
        "a on pi5": Outcome.HOLDS,
        "b on here": Outcome.FAILS,
        "b on pi5": Outcome.UNDECIDED,
    }
    median = judged([parse("latency.p50>1ms")], sweep)[0]
    assert median.outcome is Outcome.UNDECIDED  # the limit lies in the interval
    assert "95% CI" in median.text
    assert outcomes("memory.model>1GiB", sweep)["a on pi5"] is Outcome.FAILS


def test_failed_cells_can_be_counted(sweep):
    (found,) = judged([parse("cells.failed>0")], sweep)
    assert (found.outcome, found.text) == (
        Outcome.HOLDS,
        "1 cell: Could not run b.onnx on pi5: no kernel.",
    )


def test_changes_need_a_baseline_that_a_sweep_has_not():
    with pytest.raises(BadInput, match="the limit of"):
        parse("latency.p50>+10%")
