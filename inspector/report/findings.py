"""What a window has found out about a model beside its latency, for an exported report."""

from dataclasses import dataclass, field

from inspector.report.improvement import Accuracy, DataSet, Improvement


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """The estimated support of a kind of device, from a support table.

    target: "iPhone, iPad and Mac". provider: "Core ML". answer: "Yes", "Partly", "No" or "Not
    known". layers: "16 of 16", or "". sentence: what runs where, and why not all.
    """

    target: str
    provider: str
    answer: str
    layers: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What was known of a model when its report was exported; empty where nobody asked.

    accuracy: on labeled inputs. tested: these inputs. phones: a line for each kind of phone,
    "On iPhone: Yes. ...". targets: all kinds of devices. lengths: of dynamic axes that these
    answers assume. improvement: candidates for a smaller or faster model.
    """

    accuracy: tuple[Accuracy, ...] = ()
    tested: DataSet | None = None
    phones: tuple[str, ...] = ()
    targets: tuple[TargetAnswer, ...] = ()
    lengths: dict[str, int] = field(default_factory=dict)
    improvement: Improvement | None = None
