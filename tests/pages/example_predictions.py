"""Results of predictions, folders and comparisons of outputs, without any engine."""

import numpy as np

from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep, Stepping
from inspector.model.model import Model
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.model.tensors.tensor_statistics import statistics
from inspector.pages.blocks import Page
from inspector.pages.folder import folder_page
from inspector.pages.layer_outputs import layer_outputs_page
from inspector.pages.parity import parity_page
from inspector.pages.prediction import prediction_page
from inspector.pages.verify import CheckedData, verify_page
from inspector.preview.inputs.feeds import Filled
from inspector.preview.preprocessing.presets import TopResult
from inspector.preview.runs import parity
from inspector.preview.runs.expected_outputs import Difference
from inspector.preview.runs.folder import Agreement, FolderResult, Row
from inspector.preview.runs.predicted import PredictionResult, TriedPreset
from inspector.report.output_verdict import TYPICAL, UNDECIDED, OutputVerdict
from tests.analysis.build import model, value

LABELS = ("cat", "dog", "owl")


def animals() -> Model:
    return model((), name="animals.onnx", inputs=(value("image"),), outputs=(value("scores"),))


def output(name: str, *numbers: float) -> OutputValue:
    return OutputValue(name, "tensor", "float32", np.array([numbers], np.float32))


def prediction(*outputs: OutputValue) -> Prediction:
    warm = (1_500_000, 1_510_000, 1_490_000)
    return Prediction(outputs, ("cpu",), 1_500_000, 21_000_000, (), 4_000_000, warm)


def prediction_result(*scores: float, **changes: object) -> PredictionResult:
    filled = Filled("image", "owl.png", np.zeros((1, 3, 8, 8), np.float32), "140 × 140 image")
    answer = prediction(output("scores", *scores), output("features", 0.5, -1.25))
    more = {"labels": LABELS, "notes": ("preprocessing saved in animals.json",), **changes}
    return PredictionResult(animals(), (filled,), answer, **more)  # type: ignore[arg-type]


def sure_page() -> Page:
    presets = (TriedPreset("RGB 0..1", "stretch to 8 × 8, RGB, 0..1", TopResult("owl", 0.9)),)
    return prediction_page(prediction_result(0.01, 0.02, 0.97, tried=presets))


def folder_result() -> FolderResult:
    same, other = Agreement(True, 0.01, "the same"), Agreement(False, 0.4, "dog")
    rows = (
        Row("cat/1.png", "cat", 0.98, ("cat", "dog"), "cat", 1_400_000, same),
        Row("cat/2.png", "owl", 0.61, ("owl", "cat"), "cat", 1_500_000, same),
        Row("dog/1.png", "dog", 0.99, ("dog", "owl"), "dog", 1_600_000, same),
        Row("owl/1.png", "owl", 0.55, ("owl", "dog"), "owl", 1_500_000, other),
        Row("owl/2.png", wanted="owl", problem="Could not open 2.png: it is empty"),
    )
    return FolderResult("animals.onnx", rows, LABELS)


def parity_of(limits: tuple[str, ...] = ()) -> Page:
    first = prediction(output("scores", 0.01, 0.02, 0.97), output("features", 0.5, -1.25))
    second = prediction(output("scores", 0.01, 0.03, 0.96), output("features", 0.5, -1.25))
    outputs = parity.outputs(first.outputs, second.outputs, LABELS)
    verdict = OutputVerdict(UNDECIDED, inputs=1, input_kind=TYPICAL, reason="few inputs")
    conditions = tuple(map(parity.limit, limits))
    return parity_page(
        "animals.onnx",
        "cpu",
        "animals_int8.onnx",
        (first, second),
        outputs,
        verdict,
        conditions,
    )


def verify_of() -> Page:
    passed = Difference("scores", total=3, largest=2e-7)
    failed = Difference("scores", "", 1, 3, 0.25, 0.4, (0, 2), "0.97", "0.72")
    sets = (CheckedData("set_0", 1_500_000, (passed,)), CheckedData("set_1", 10**6, (failed,)))
    return verify_page("animals.onnx", "cpu", sets, OutputVerdict(UNDECIDED, inputs=2))


def layers_of() -> Page:
    first, second = np.array([0.5, 1.25], np.float32), np.array([0.5, np.nan], np.float32)
    apart = difference(first, second)
    step = LayerStep(
        0, "stem/relu", "Relu", (LayerOutput("a", "float32", (2,), statistics([first])),)
    )
    torn = LayerOutput("b", "float32", (2,), statistics([second]), difference=apart, over=True)
    steps = (step, LayerStep(1, "head/log", "Log", (torn,)))
    return layer_outputs_page(
        Stepping("animals.onnx", ("cpu",), "none", 0, steps, "ONNX reference evaluator")
    )


def folder_of() -> Page:
    return folder_page(folder_result())
