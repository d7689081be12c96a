"""Check a model's outputs against expected outputs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct, structs

from inspector.analysis.facts.quantization import quantization
from inspector.analysis.verdicts.outputs import OutputJudge
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.pages.outputs.verify import CheckedData
from inspector.preview.runs import expected_outputs
from inspector.preview.runs.expected_outputs import DataSet, Difference, as_output
from inspector.preview.runs.steps import Predict
from inspector.report.output_verdict import TEST_DATA, OutputVerdict, UndecidedReason


class Verified(Struct, frozen=True, eq=False):
    """Data sets with the outputs of a model held against theirs.

    whole: the outputs of a quantized model were judged as a whole. failed: why data sets could
    not be run, by their name.
    """

    checked: tuple[CheckedData, ...]
    verdict: OutputVerdict
    whole: bool
    failed: tuple[tuple[str, InspectorError], ...] = ()


def verify(
    model: Model,
    paths: Sequence[Path],
    once: Predict,
    rtol: float | None = None,
    atol: float | None = None,
    go_on: bool = False,
) -> Verified:
    """Run a model on each data set, and hold its outputs against what is expected.

    rtol, atol: as `expected_outputs.compare` takes them. go_on: a data set that fails does not
    end the others. Raises InspectorError: one failed; Cancelled.
    """
    allowed, judge = expected_outputs.rounding(model), OutputJudge()
    checked: list[CheckedData] = []
    failed: list[tuple[str, InspectorError]] = []
    for path in paths:
        try:
            data = expected_outputs.read(path, model.inputs, model.outputs)
            answer = once(data.feeds)
        except Cancelled:
            raise
        except InspectorError as error:
            if not go_on:
                raise
            failed.append((path.name, error))
            continue
        outputs = expected_outputs.compare(data, answer.outputs, rtol, atol, allowed)
        checked.append(CheckedData(data.name, answer.prediction_ns, outputs))
        judge.add(_expected(data, answer.outputs), answer.outputs)
        if not checked[-1].passed:  # does the model give the same outputs twice?
            judge.add_repeat(answer.outputs, once(data.feeds).outputs)
    verdict = judge.verdict(TEST_DATA)
    default = rtol is None and atol is None
    whole = default and expected_outputs.is_quantized(quantization(model))
    few = verdict.reason == UndecidedReason.FEW_INPUTS and not verdict.findings
    if whole and (verdict.good or few):
        checked = [structs.replace(data, outputs=_accepted(data.outputs)) for data in checked]
    return Verified(tuple(checked), verdict, whole, tuple(failed))


def _accepted(results: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return differences that quantization explains, since the outputs as a whole are right."""
    return tuple(replace(each, quantization=bool(each.wrong)) for each in results)


def _expected(data: DataSet, answered: Sequence[OutputValue]) -> tuple[OutputValue, ...]:
    """Return what is expected as outputs; those that nothing is said of are left out."""
    known = [output for output in answered if output.name in data.expected]
    return tuple(
        structs.replace(output, array=None, parts=value)
        if isinstance(value := data.expected[output.name], tuple)
        else as_output(output, value)
        for output in known
    )
