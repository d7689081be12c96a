"""Which of two runtimes is faster, with the same outputs."""

from dataclasses import replace

import pytest

from inspector.analysis.verdicts.engines import engine_verdict
from inspector.model.tensors.agreement import CheckedOutput
from inspector.model.tensors.difference import difference
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import RatioVerdict, Verdict
from tests.reports import example_report


def report(runtime: str, *outputs: CheckedOutput) -> PerformanceReport:
    plain = example_report()
    machine = replace(plain.environment, runtime=runtime)
    return replace(plain, environment=machine, outputs=outputs)


def checked(error: float) -> CheckedOutput:
    import numpy as np

    values = np.linspace(0, 1, 10, dtype=np.float32)
    return CheckedOutput("y", difference(values, values + np.float32(error)), 1e-4)


ONE, OTHER = report("ONNX Runtime 1", checked(1e-6)), report("OpenVINO 2", checked(1e-6))


@pytest.mark.parametrize(
    ("verdict", "ratio", "text"),
    [
        (Verdict.FASTER, 0.5, "Fastest on this machine: OpenVINO 2, 2.00 times as fast as "
         "ONNX Runtime 1 (95% CI 1.67 to 2.50)"),
        (Verdict.SLOWER, 2.0, "Fastest on this machine: ONNX Runtime 1, 2.00 times as fast as "
         "OpenVINO 2 (95% CI 1.60 to 2.40)"),
        (Verdict.SAME, 0.99, "No difference in speed between ONNX Runtime 1 and "
         "OpenVINO 2 could be shown"),
        (Verdict.PACE, 3.55, "No faster runtime could be determined (ONNX Runtime 1, "
         "OpenVINO 2): inconclusive: too few runs at full CPU speed"),
    ],
)  # fmt: skip
def test_the_faster_one_is_named_with_its_interval(verdict, ratio, text):
    judgement = RatioVerdict(verdict, ratio, 0.8 * ratio, 1.2 * ratio)
    found = engine_verdict((ONE, OTHER), judgement)
    assert found.startswith(f"{text}. Their outputs agree: PSNR")


def test_outputs_that_differ_or_are_unknown_are_said_so():
    wrong = report("OpenVINO 2", checked(0.5))
    told = engine_verdict((ONE, wrong), None)
    assert "Outputs of OpenVINO 2 differ beyond the tolerance" in told
    assert engine_verdict((ONE, report("OpenVINO 2")), None).endswith(
        "Whether their outputs agree is unknown."
    )


def test_two_formats_are_named_with_their_runtimes():
    judgement = RatioVerdict(Verdict.FASTER, 0.5, 0.4, 0.6)
    found = engine_verdict((ONE, OTHER), judgement, ("a.onnx", "a.xml"), "Their outputs agree.")
    assert found == (
        "Fastest on this machine: a.xml on OpenVINO 2, 2.00 times as fast as a.onnx on "
        "ONNX Runtime 1 (95% CI 1.67 to 2.50). Their outputs agree."
    )
