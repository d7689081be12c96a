"""What a window knows of a model besides its latency, for an exported report."""

from msgspec import field

from inspector.platform.data_struct import DataStruct
from inspector.report.improvement import Accuracy, DataSet, Improvement

MOST_FILES = 100  # of a folder; as many as a document lists


class TargetAnswer(DataStruct, frozen=True):
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


class DeclaredValue(DataStruct, frozen=True):
    """An input or output of a model; type and shape as text."""

    name: str
    dtype: str
    shape: str


class FileAnswer(DataStruct, frozen=True):
    """What the model said of a file that Preview ran.

    file: its path within the folder. answer: in few words; "" where `problem` says why there is
    none. score: 0..1, None without one; of_box: of a detected box, which is no probability.
    top: the best classes, the first one first. wanted: its label, "" without one.
    """

    file: str
    answer: str = ""
    score: float | None = None
    top: tuple[str, ...] = ()
    wanted: str = ""
    problem: str = ""
    of_box: bool = False


class ModelResults(DataStruct, frozen=True):
    """What was known of a model when its report was exported; empty where nothing is known.

    accuracy: on labeled inputs. tested: these inputs. phones: an answer for each kind,
    {"On iPhone": "Yes. ..."}. targets: all kinds of devices. removed: layers that no
    device has to run, since ONNX Runtime removes them. lengths: of dynamic axes that these
    answers assume. improvement: candidates for a smaller or faster model. inputs, outputs: as
    the file declares them. findings: what is odd about the file, a sentence each. folder: the
    name of the folder that Preview ran, files: its first MOST_FILES files, and file_count: how
    many it has.
    """

    accuracy: tuple[Accuracy, ...] = ()
    tested: DataSet | None = None
    phones: dict[str, str] = field(default_factory=dict)
    targets: tuple[TargetAnswer, ...] = ()
    lengths: dict[str, int] = field(default_factory=dict)
    improvement: Improvement | None = None
    removed: int = 0
    inputs: tuple[DeclaredValue, ...] = ()
    outputs: tuple[DeclaredValue, ...] = ()
    findings: tuple[str, ...] = ()
    folder: str = ""
    files: tuple[FileAnswer, ...] = ()
    file_count: int = 0
