"""What the profiler adds to kernels and between them, from the profile of a chain."""

import numpy as np
import pytest

from inspector.backends.onnxruntime.profiling.profile import Call, Kernel, Profile
from inspector.backends.onnxruntime.profiling.profiler_cost import (
    ProfilerCost,
    measure_cost,
    of_chain,
)
from inspector.report.run_spec import RunSpec

WARM_UPS, RUNS, NODES, US = 3, 24, 48, 1000


def chain(inside_ns: int, between_ns: int, kernel_ns: int = 200, warm_ns: int = 0) -> Profile:
    """A profile of a chain whose kernels take so long, in whole microseconds as they are told.

    inside_ns, between_ns: what the profiler adds. warm_ns: more in predictions that warm up.
    """
    random = np.random.default_rng(1)
    kernels, calls, now = list[Kernel](), list[Call](), 0
    for run in range(WARM_UPS + RUNS):
        begin = now
        for node in range(NODES):
            took = kernel_ns + inside_ns + (warm_ns if run < WARM_UPS else 0)
            told = int(took + random.integers(0, US)) // US * US
            kernels.append(
                Kernel("n", "Neg", "cpu", node, now, told, told, None, run, 0, (), ())
            )
            now += took + between_ns
        calls.append(Call("model_run", begin, now - begin))
    return Profile((), tuple(calls), tuple(kernels))


def test_the_cost_inside_and_between_kernels_is_told_apart():
    found = of_chain(chain(3000, 2000), 200.0)
    assert found.inside_ns == pytest.approx(3000, abs=600)
    assert found.between_ns == pytest.approx(2000, abs=600)
    dear = of_chain(chain(8000, 5000), 200.0)
    assert dear.inside_ns - found.inside_ns == pytest.approx(5000, abs=600)
    assert dear.between_ns - found.between_ns == pytest.approx(3000, abs=600)


def test_predictions_that_warm_up_do_not_count():
    plain, slow = of_chain(chain(3000, 2000), 200.0), chain(3000, 2000, warm_ns=90_000)
    assert of_chain(slow, 200.0).inside_ns == plain.inside_ns


def test_it_costs_no_less_than_nothing_and_nothing_of_no_kernels():
    assert of_chain(chain(0, 0), 90_000.0).inside_ns == 0
    assert of_chain(Profile((), (), ()), 200.0) == ProfilerCost()


def test_a_chain_that_runs_here_tells_a_cost_and_leaves_no_file(tmp_path):
    found = measure_cost(RunSpec(threads=1), tmp_path)
    assert 0 < found.inside_ns + found.between_ns < 1_000_000_000
    assert not list(tmp_path.iterdir())
