"""The page of a model checked against stored outputs: whether it passes, then each output."""

from collections.abc import Sequence

from msgspec import Struct

from inspector.analysis.verdicts.outputs import MIN_INPUTS
from inspector.pages.blocks import Column, Limits, Page, Row, Section, Side, Text
from inspector.pages.outputs.verdicts import verdict_text
from inspector.pages.tables import table_of
from inspector.preview.runs.expected_outputs import Difference
from inspector.report.output_verdict import OutputVerdict, UndecidedReason
from inspector.units import device as device_name
from inspector.wording.values import Count, Duration, Name, Real, Sentence, Tone, Toned, Value

_ALL = Limits(terminal=10_000, document=1000, page=10_000)


class CheckedData(Struct, frozen=True):
    """One data set with its outputs, each held against what is expected."""

    name: str
    prediction_ns: int
    outputs: Sequence[Difference]

    @property
    def passed(self) -> bool:
        """Return whether all outputs are as expected."""
        return all(output.passed for output in self.outputs)


def verify_page(
    model: str,
    device: str,
    checked: Sequence[CheckedData],
    verdict: OutputVerdict,
    whole: bool = False,
) -> Page:
    """Return the page: passed or not by tolerance, and the verdict on wrong outputs.

    whole: the outputs of a quantized model were judged as a whole.
    """
    open_ = verdict.reason == UndecidedReason.NOT_REPEATING
    columns = (
        Column("data", "Data set", stretch=True),
        Column("result", "Result"),
        Column("output", "Output", stretch=True),
        Column("error", "Max error", Side.RIGHT),
        Column("time", "Run", Side.RIGHT, keep=3),
    )
    rows = tuple(
        Row((
            Name(data.name), _result(output, open_), Name(output.output),
            "" if output.problem else Real(output.largest, 3), Duration(data.prediction_ns),
        ), details=Name(output.text()) if output.wrong or output.problem else "")
        for data in sorted(checked, key=lambda data: data.passed)
        for output in data.outputs
    )  # fmt: skip
    passed = _passes(checked, open_)
    # Within the tolerance of the largest values, but not right: the verdict says it alone.
    hidden = verdict.bad and passed.tone is Tone.GOOD
    # One data set that passes shows all that there is to show, unless it is judged as a whole.
    telling = verdict.bad or whole or verdict.inputs >= MIN_INPUTS
    is_listed = telling and not hidden and not open_
    blocks = table_of(columns, rows, _ALL, "output")
    sections = (
        Section("verdict", "", (verdict_text(verdict),) if is_listed else ()),
        Section("data", "Data sets", blocks),
    )
    title = Sentence("{model} on {device}", Name(model), device_name(device))
    return Page("verify", title, sections, verdict_text(verdict) if hidden else passed)


def _passes(checked: Sequence[CheckedData], open_: bool) -> Text:
    passed = sum(data.passed for data in checked)
    counts: dict[str, Value] = {
        "passed": Count(passed), "sets": Count(len(checked), "data set")
    }  # fmt: skip
    tone = Tone.CAUTION if open_ else Tone.BAD
    text: Value = "No verdict: the model does not repeat its outputs."
    if passed == len(checked):
        text, tone = Sentence("Passes: {passed} of {sets}.", **counts), Tone.GOOD
    elif not open_:
        counts["failed"] = Count(len(checked) - passed)
        text = Sentence("Fails: {failed} of {sets}.", **counts)
    return Text(text, tone, strong=True)


def _result(output: Difference, open_: bool) -> Value:
    if output.passed:
        return Toned("✓ pass", Tone.GOOD)
    return Toned("open", Tone.CAUTION) if open_ else Toned("✗ FAIL", Tone.BAD)
