"""What a window knows of a model besides its latency, for an exported report."""

from dataclasses import dataclass, field

from inspector.report.improvement import Accuracy, DataSet, Improvement


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """The estimated support of a kind of device, from a support table.

    target: "iPhone, iPad and Mac". provider: "Core ML". answer: in a few words, "Yes" or "Only
    on the CPU". supported: layers that are known to run there; None where none could be
    checked. layers: of the model. sentence: what runs where, and why not all.
    """

    target: str
    provider: str
    answer: str
    supported: int | None
    layers: int
    sentence: str

    @property
    def count_text(self) -> str:
        """Return "16 of 16"; "" where no layer could be checked."""
        return "" if self.supported is None else f"{self.supported:,} of {self.layers:,}"


@dataclass(frozen=True, slots=True)
class ModelResults:
    """What was known of a model when its report was exported; empty where nothing is known.

    accuracy: on labeled inputs. tested: these inputs. phones: an answer for each kind,
    {"On iPhone": "Yes. ..."}. targets: all kinds of devices. removed: layers that no
    device has to run, since ONNX Runtime removes them. lengths: of dynamic axes that these
    answers assume. improvement: candidates for a smaller or faster model.
    """

    accuracy: tuple[Accuracy, ...] = ()
    tested: DataSet | None = None
    phones: dict[str, str] = field(default_factory=dict)
    targets: tuple[TargetAnswer, ...] = ()
    lengths: dict[str, int] = field(default_factory=dict)
    improvement: Improvement | None = None
    removed: int = 0
