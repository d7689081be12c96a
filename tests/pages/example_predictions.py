"""Results of predictions, folders and comparisons of outputs, without any engine."""

from collections.abc import Callable

import numpy as np

from inspector.analysis.measured.layer_outputs import Alone, LayerOutput, LayerStep, Stepping
from inspector.model.model import Model
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.model.tensors.tensor_statistics import statistics
from inspector.pages.blocks import Page
from inspector.pages.outputs.folder import folder_page
from inspector.pages.outputs.layer_outputs import layer_outputs_page
from inspector.pages.outputs.parity import parity_page
from inspector.pages.outputs.prediction import prediction_page
from inspector.pages.outputs.verify import CheckedData, verify_page
from inspector.preview.detectors.boxes import Box
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.family_table import FAMILIES
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.image import Placement
from inspector.preview.outputs.embedding import CosineSimilarity
from inspector.preview.outputs.scene import BOXES, Decoder, PlacedScene, Point, Scene
from inspector.preview.preprocessing.presets import TopResult
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.runs import parity
from inspector.preview.runs.expected_outputs import Difference
from inspector.preview.runs.folder import Agreement, FolderResult, Row
from inspector.preview.runs.generation import Generated, Token
from inspector.preview.runs.predicted import PredictionResult, TriedPreset
from inspector.report.output_verdict import TYPICAL, UNDECIDED, OutputVerdict, UndecidedReason
from tests.analysis.build import model, value

Naming = Callable[[str], str]  # what a file, a person or a runtime calls something
LABELS = ("cat", "dog", "owl")


def animals(name: Naming = str) -> Model:
    ends = {"inputs": (value("image"),), "outputs": (value("scores"),)}
    return model((), name=name("animals.onnx"), **ends)


def output(name: str, *numbers: float) -> OutputValue:
    return OutputValue(name, "tensor", "float32", np.array([numbers], np.float32))


def prediction(*outputs: OutputValue) -> Prediction:
    warm = (1_500_000, 1_510_000, 1_490_000)
    return Prediction(outputs, ("cpu",), 1_500_000, 21_000_000, (), 4_000_000, warm)


def prediction_result(*scores: float, name: Naming = str, **more: object) -> PredictionResult:
    image = np.zeros((1, 3, 8, 8), np.float32)
    filled = Filled(name("image"), name("owl.png"), image, "140 × 140 image")
    features = output(name("features"), 0.5, -1.25)
    long = output(name("coordinates"), *range(20))
    answer = prediction(output(name("scores"), *scores), features, long)
    labels = tuple(map(name, LABELS))
    said = {"labels": labels, "notes": ("preprocessing saved in animals.json",), **more}
    return PredictionResult(animals(name), (filled,), answer, **said)


def sure_page(name: Naming = str) -> Page:
    result = TopResult(name("owl"), 0.9)
    presets = (TriedPreset("RGB 0..1", ImagePreprocessing(8, 8, scale="1"), result),)
    return prediction_page(prediction_result(0.01, 0.02, 0.97, name=name, tried=presets))


def full_page(name: Naming = str) -> Page:
    """Return a page with everything that one may say."""
    family = next(iter(FAMILIES))
    picture = np.zeros((100, 200, 3), np.uint8)
    scene = Scene(Decoder(BOXES, "SSD", 0.5, 0.4), (Box(0.1, 0.1, 0.5, 0.5, 0.9, 2),),
                  (Point(0.5, 0.5, 0.9),))  # fmt: skip
    return prediction_page(prediction_result(
        0.3, 0.3, 0.4, name=name,
        scene=PlacedScene(scene, picture, Placement(0, 0, 1, 1), tuple(map(name, LABELS))),
        answer=FamilyAnswer(family, (name("a line"),), assumed=("16,000 Hz",)),
        generated=Generated((Token(1, name("cat"), 0.5, 2_000_000),), name("cat"), True, False),
        similarities={name("features"): (CosineSimilarity(name("x=3"), 0.5, 1.0),)},
        doubts=(name("the image is empty"),),
    ))  # fmt: skip


def folder_of(name: Naming = str) -> Page:
    cat, dog, owl = map(name, LABELS)
    same, other = Agreement(True, 0.01, "the same"), Agreement(False, 0.4, dog)
    rows = (
        Row(name("cat/1.png"), cat, 0.98, (cat, dog), cat, 1_400_000, same),
        Row(name("cat/2.png"), owl, 0.61, (owl, cat), cat, 1_500_000, same),
        Row(name("dog/1.png"), dog, 0.99, (dog, owl), dog, 1_600_000, same),
        Row(name("owl/1.png"), owl, 0.55, (owl, dog), owl, 1_500_000, other),
        Row("owl/2.png", wanted=owl, problem=name("Could not open 2.png: it is empty")),
    )
    return folder_page(FolderResult(name("animals.onnx"), rows, (cat, dog, owl)))


def parity_of(*limits: str, name: Naming = str) -> Page:
    features = output(name("features"), 0.5, -1.25)
    first = prediction(output(name("scores"), 0.01, 0.02, 0.97), features)
    second = prediction(output(name("scores"), 0.01, 0.03, 0.96), features)
    outputs = parity.outputs(first.outputs, second.outputs, tuple(map(name, LABELS)))
    verdict = OutputVerdict(
        UNDECIDED, inputs=1, input_kind=TYPICAL, reason=UndecidedReason.FEW_INPUTS
    )
    names = name("animals.onnx"), "cpu", name("animals_int8.onnx")
    conditions = tuple(map(parity.limit, limits))
    return parity_page(*names, (first, second), outputs, verdict, conditions, (name("A note"),))


def verify_of(name: Naming = str) -> Page:
    passed = Difference(name("scores"), total=3, largest=2e-7)
    failed = Difference(name("scores"), "", 1, 3, 0.25, 0.4, (0, 2), "0.97", "0.72")
    sets = (
        CheckedData(name("set_0"), 1_500_000, (passed,)),
        CheckedData(name("set_1"), 1_000_000, (failed,)),
    )
    verdict = OutputVerdict(UNDECIDED, inputs=4, reason=UndecidedReason.FEW_INPUTS)
    return verify_page(name("animals.onnx"), "cpu", sets, verdict)


def layers_of(name: Naming = str, single: bool = False) -> Page:
    first, second = np.array([0.5, 1.25], np.float32), np.array([0.5, np.nan], np.float32)
    apart = difference(first, second)
    relu = LayerOutput(name("a"), "float32", (2,), statistics([first]))
    log = LayerOutput(
        name("b"), "float32", (2,), statistics([second]), difference=apart, over=True
    )
    steps = (
        LayerStep(0, name("stem/relu"), "Relu", (relu,)),
        LayerStep(1, name("head/log"), "Log", (log,)),
    )
    stepping = Stepping(
        name("animals.onnx"), ("cpu",), "none", 0, steps, "ONNX reference evaluator",
        notes=(name("A note"),),
    )  # fmt: skip
    filled = (Filled(name("image"), name("owl.png"), first),)
    given = ((name("x"), "float32", (2,)),)
    alone = Alone(1, (4_000, 4_100, 4_200), ("cpu",), given, (name("A note"),))
    if single:
        return layer_outputs_page(stepping, filled, steps[1], alone)
    return layer_outputs_page(stepping, filled)
