"""A finished search for a smaller model, for tests."""

from inspector.report.foretold import Foretold
from inspector.report.improvement import (
    Accuracy,
    Candidate,
    DataSet,
    Improvement,
    InputResult,
    Latency,
    LayerError,
    StepResult,
    TargetLayers,
)

INT8 = Candidate(
    "int8", ("int8:keep=head", "opset:21"), 300, 4, "",
    Latency(1e6, change=-0.5, low=-0.55, high=-0.45),
    (Accuracy("top1", "Top-1 accuracy", 0.905, 0.91, -0.005, -0.009, 0.002, 400),),
    worst=(InputResult("cat.png", "cat 90%", "dog 51%", truth="cat"),),
    layers=(LayerError("stem/conv", "Conv", 12.0, 9.0),),
    targets=(TargetLayers("iPhone (Core ML)", "64 of 65", "12 of 65", "part"),),
    after_steps=(
        StepResult("", 26, 1000, 2e6, 1.9e6, 2.1e6),
        StepResult("int8:keep=head", 30, 300, 1e6, 0.9e6, 1.1e6, 31.5, 399, 400),
        StepResult("opset:21", 30, 300, 1e6, 0.9e6, 1.1e6, 31.5, 399, 400),
    ),
    foretold=Foretold(0.6, 0.27, 1.33),
)  # fmt: skip
SLOW = Candidate(
    "float16", ("float16",), 500, 4, "", Latency(4e6, change=1.0, low=0.9, high=1.1),
    (Accuracy("top1", "Top-1 accuracy", 0.5, 0.91, -0.41, -0.45, -0.38, 400),),
)  # fmt: skip
ORIGINAL = Candidate(
    "my net.onnx", size_bytes=1000, accuracy=(Accuracy("top1", "Top-1 accuracy", 0.91),)
)
STATE = Improvement(
    "my net.onnx", "0" * 64, "cpu", ORIGINAL, (INT8, SLOW), "top1", 0.01, 0,
    DataSet("typical inputs", 80, "1" * 64), DataSet("test", 400, "2" * 64, 400),
    ("Inspector 0.1.0",), ("The machine was busy.",),
)  # fmt: skip


def improvement() -> Improvement:
    """Return a search with a smaller candidate that is as accurate, and one that is not."""
    return STATE
