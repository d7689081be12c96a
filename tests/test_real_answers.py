"""Models of other people give the answers that were measured for them: in a terminal, and in
the window. With `-s` each test prints the measured answer beside both of ours."""

import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from inspector.backends.onnxruntime.sessions import session
from inspector.cli import main
from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.inputs import image_files
from inspector.preview.outputs import labels
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.preview.outputs.class_bars import ClassBars
from inspector.ui.tabs.preview.outputs.time_series_output import OverTimeBody
from inspector.ui.tabs.preview.prediction_pipeline import Answer
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.command_line import errors_of

pytestmark = [pytest.mark.engine, pytest.mark.slow]
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Case:
    """A model with a file for its first input.

    told: what the folder's README says. answer: it in numbers, which both ways have to give
    within `near`. terminal: reads them from the object that the command prints and from the
    folder of its files. window: reads them from what the tab shows.
    """

    model: str
    file: str
    told: str
    answer: Numbers
    terminal: Callable[[dict[str, Any], Path], Numbers]
    window: Callable[[PreviewTab, Answer], Numbers]
    near: float = 0.005
    options: tuple[str, ...] = ()
    labels: str = ""


def top(*places: int, output: int = 0) -> Callable[[dict[str, Any], Path], Numbers]:
    """Number and probability of the classes in these places."""

    def read(answer: dict[str, Any], _: Path) -> Numbers:
        listed = answer["outputs"][output]["top"]
        return tuple(n for p in places for n in (listed[p]["index"], listed[p]["probability"]))

    return read


def bars(*places: int, output: int = 0) -> Callable[[PreviewTab, Answer], Numbers]:
    """The same as the bars in the window say it."""

    def read(tab: PreviewTab, answer: Answer) -> Numbers:
        shown = tab.outputs.views[output].findChild(ClassBars)
        words = shown.accessibleDescription().split("; ")
        best = answer.readings[output].classes[0].top
        return tuple(n for p in places for n in (best[p].index, said(words[p])))

    return read


def said(words: str) -> float:
    """The number at the end of what a bar says, a percentage as a share.

    What is not quite all counts as all: the bar does not say how much is missing.
    """
    number, _, _ = words.partition("%")
    value = float(number.rpartition(" ")[2].replace(",", ""))
    if not words.endswith("%"):
        return value
    return 1.0 if "> " in number else value / 100


def scores(answer: dict[str, Any], _: Path) -> Numbers:
    return tuple(box["score"] for box in answer["scene"]["boxes"])


def boxes(tab: PreviewTab, _: Answer) -> Numbers:
    words = tab.outputs.scene.caption.text().partition(":")[
        2
    ]  # else the best below the threshold
    return tuple(map(float, re.findall(r" (\d\.\d+)", words)))


def difference(name: str) -> Callable[[dict[str, Any], Path], Numbers]:
    return lambda _, folder: (from_expected(image_files.read(folder / name)),)


def merged(tab: PreviewTab, answer: Answer) -> Numbers:
    assert answer.scene.scene.merged is not None
    return (from_expected(answer.scene.scene.merged),)


def from_expected(found: np.ndarray) -> float:
    path = SHARED / "media/expected/test_superresolution.expected.opset18.png"
    wanted = image_files.read(path)[:, :, :3].astype(float)
    assert found.shape[:2] == wanted.shape[:2]
    far = float(np.abs(found[:, :, :3] - wanted).mean())
    return far if far > 1.8 else 0.0


def speech(answer: dict[str, Any], _: Path) -> Numbers:
    series = answer["outputs"][0]["series"]
    return answer["steps"], series["mean"], series["share_over_half"]


def curve(tab: PreviewTab, _: Answer) -> Numbers:
    body = tab.outputs.findChild(OverTimeBody)
    steps, mean, share = re.findall(
        r"[\d.,]+(?= steps)|(?<=mean )[\d.]+|[\d.]+(?= ?%)", body.caption
    )
    return float(steps.replace(",", "")), float(mean), float(share) / 100


def quality(answer: dict[str, Any], folder: Path) -> Numbers:
    raw = np.load(folder / "Identity_0.npy").astype(float)
    curves = ((-0.08397278, 1.22083953, 0.0052439), (-0.13166888, 1.60915514, -0.39604546),
              (-0.06766283, 1.11546468, 0.04602535))  # fmt: skip
    return tuple(float(np.polyval(c, raw[:, i]).mean().round(2)) for i, c in enumerate(curves))


def opinions(tab: PreviewTab, _: Answer) -> Numbers:
    shown = tab.outputs.views[0].findChild(ClassBars)
    return tuple(
        round(float(n), 2) for n in re.findall(r"\d\.\d+", shown.accessibleDescription())
    )


def rows(answer: dict[str, Any], _: Path) -> Numbers:
    return tuple(row[0]["index"] for row in answer["outputs"][0]["rows"])


def seen_rows(tab: PreviewTab, answer: Answer) -> Numbers:
    return tuple(found.top[0].index for found in answer.readings[0].classes)


def shapes(answer: dict[str, Any], _: Path) -> Numbers:
    return tuple(float(n) for output in answer["outputs"] for n in output["shape"])


def seen_shapes(tab: PreviewTab, answer: Answer) -> Numbers:
    assert len(tab.outputs.views) == len(answer.readings)
    return tuple(float(n) for reading in answer.readings for n in reading.output.shape)


def gap(data: str, member: str, output: str, place: int, near: float) -> tuple[Any, Any]:
    """How far the output lies from the one that another runtime gave: 0 within `near`."""

    def far(found: np.ndarray) -> Numbers:
        wanted = np.load(SHARED / "media/testdata" / data)[member]
        largest = float(np.abs(found.astype(float) - wanted).max())
        return (largest if largest > near else 0.0,)

    def window(tab: PreviewTab, answer: Answer) -> Numbers:
        array = answer.readings[place].output.array
        assert array is not None
        return far(np.asarray(array))

    return (lambda _, folder: far(np.load(folder / f"{output}.npy"))), window


SHARED = Path(__file__).parents[2] / "shared/models"
IMAGENET = "labels/imagenet_winml_Labels.json"
XGBOOST = gap(
    "tract_xgboost_classifier_tree_io.npz", "probabilities", "probabilities", 1, 2.5e-8
)
SENTENCES = gap("tract_byte_sb_bidi_lstm_io.npz", "Add_26", "output", 0, 3e-6)


CASES = (
    Case("squeezenet1.1_fp16", "images/kitten_224.png", "tabby .9316, Egyptian cat .0653",
         (281, 0.9316, 285, 0.0653),
         top(0, 1), bars(0, 1), 0.002, labels=IMAGENET),
    Case("squeezenet1.1_fp16", "images/hummingbird.jpg", "hummingbird .984", (94, 0.984),
         top(0), bars(0), labels=IMAGENET),
    Case("squeezenet1.1_fp16", "images/goldfish.jpg", "goldfish .998", (1, 0.998),
         top(0), bars(0), labels=IMAGENET),
    Case("squeezenet1.1_fp16", "images/wolves.jpg", "white wolf .992", (270, 0.992),
         top(0), bars(0), labels=IMAGENET),
    Case("mobilenet_qdq_int8_maui", "images/kitten_224.png", "tabby .763", (281, 0.763),
         top(0), bars(0), 0.02, labels=IMAGENET),
    Case("mobilenet_qdq_int8_maui", "images/hummingbird.jpg", "hummingbird .961", (94, 0.961),
         top(0), bars(0), 0.02, labels=IMAGENET),
    Case("mobilenet_qdq_int8_maui", "images/goldfish.jpg", "goldfish .996", (1, 0.996),
         top(0), bars(0), 0.02, labels=IMAGENET),
    Case("mnist_cntk_opset7_gray8_meta", "images/mnist_28.png", "digit 8", (8,),
         lambda a, f: top(0)(a, f)[:1], lambda t, a: bars(0)(t, a)[:1]),
    Case("cifar_like_imageclassifier_opset10", "images/hummingbird.jpg", "2 (bird)", (2,),
         lambda a, f: top(0)(a, f)[:1], lambda t, a: bars(0)(t, a)[:1]),
    Case("fastestdet_opset11", "images/fastestdet_3.jpg", "4 persons .89 .89 .82 .80",
         (0.89, 0.89, 0.82, 0.80), scores, boxes, labels="labels/coco.names"),
    Case("ultraface_rfb_320_ort_optimized", "images/wolves.jpg", "no face", (), scores, boxes),
    Case("superres_pytorch_opset15", "images/test_superresolution.png",
         "within 1.8/255 of the expected picture", (0.0,), difference("colours.png"), merged,
         1e-9),
    Case("magika_standard_v3_3", "text/magika_test.pdf", "pdf 1.0", (1.0,),
         lambda a, f: top(0)(a, f)[1:], lambda t, a: bars(0)(t, a)[1:], 5e-5,
         labels="labels/magika_v3_3_config.min.json"),
    Case("magika_standard_v3_3", "text/magika_test.csv", "csv .9998", (0.9998,),
         lambda a, f: top(0)(a, f)[1:], lambda t, a: bars(0)(t, a)[1:], 1e-4,
         labels="labels/magika_v3_3_config.min.json"),
    Case("silero_vad_op18_ifless", "audio/silero_test.wav",
         "1,875 frames, mean p .7783, share over .5 .774", (1875, 0.7783, 0.774),
         speech, curve, 5e-4),
    Case("silero_vad_op16_if", "audio/silero_test.wav",
         "1,875 frames, mean p .7783, share over .5 .774", (1875, 0.7783, 0.774),
         speech, curve, 5e-4),
    Case("dnsmos_sig_bak_ovr", "audio/noise_1000ms.wav", "SIG/BAK/OVRL 1.19/1.18/1.10",
         (1.19, 1.18, 1.10), quality, opinions),
    Case("dtln_model_1", "audio/yes_1000ms.wav", "runs", (125, 1, 257, 1, 2, 128, 2),
         shapes, seen_shapes),
    Case("basic_pitch_nmp", "audio/yes_1000ms.wav", "runs; three outputs", (3,),
         lambda a, f: (len(a["outputs"]),), lambda t, a: (len(a.readings),)),
    Case("iris_pytorch_network", "iris.csv", "iris 0,1,2", (0, 1, 2), rows, seen_rows),
    Case("xgboost_classifier_tree", "testdata/tract_xgboost_classifier_tree_io.npz",
         "within 2e-8 of its io file", (0.0,), *XGBOOST, 2e-8),
    Case("mnist_lr_scikit_zipmap", "zeros.npy", "rows of floats", (1,),
         lambda a, f: (a["outputs"][0]["values"][0]
                       == int(a["outputs"][1]["top"][0]["label"]),),
         lambda t, a: (int(a.readings[0].output.array[0])
                       == int(a.readings[1].classes[0].top[0].label),)),
    Case("tract_byte_sentence_boundary_bilstm", "testdata/tract_byte_sb_bidi_lstm_io.npz",
         "within 2.9e-6 of its io file", (0.0,), *SENTENCES),
)  # fmt: skip
EXTENDED = (
    Case("superres_with_pre_post_customops_op18", "images/test_superresolution.png",
         "within 1.8/255 of the expected picture", (0.0,), difference("image_out.png"),
         lambda t, a: (from_expected(a.readings[0].shown.picture),), 1e-9),
    Case("bert_tokenizer_customop", "hello.txt", "runs where the extension is", (101,),
         lambda a, f: (a["outputs"][0]["values"][0] if a["outputs"][0]["values"]
                       else np.load(f / "input_ids.npy")[0],),
         lambda t, a: (int(a.readings[0].output.array[0]),)),
)  # fmt: skip


def found(case: Case, folder: Path) -> Path:
    """The file of a case; small tables are written."""
    if case.file == "iris.csv":
        (folder / case.file).write_text("5.1,3.5,1.4,0.2\n6.2,2.9,4.3,1.3\n7.7,2.6,6.9,2.3\n")
        return folder / case.file
    if case.file == "hello.txt":
        (folder / case.file).write_text("hello world")
        return folder / case.file
    if case.file == "zeros.npy":
        np.save(folder / case.file, np.zeros((1, 780), np.float32))
        return folder / case.file
    return SHARED / "media" / case.file


def first_input(case: Case) -> str:
    from inspector.formats.opening import open_model

    return open_model(SHARED / f"real/{case.model}.onnx").inputs[0].name


def in_terminal(case: Case, folder: Path) -> Numbers:
    path = SHARED / f"real/{case.model}.onnx"
    said = ["predict", str(path), "--input", f"{first_input(case)}={found(case, folder)}"]
    said += [*case.options, "--save", str(folder), "--json"]
    said += ["--labels", str(SHARED / "media" / case.labels)] if case.labels else []
    printed = StringIO()
    with redirect_stdout(printed):
        status = main.run(said)
    assert status == 0
    return case.terminal(json.loads(printed.getvalue()), folder)


def in_window(case: Case, folder: Path, theme: Theme, qtbot: QtBot) -> Numbers:
    path = SHARED / f"real/{case.model}.onnx"
    document = Document(path, RunSpec(), EngineProcess)
    with qtbot.waitSignals(
        [document.changed(Topic.MODEL), document.changed(Topic.DIGEST)], timeout=20_000
    ):
        document.open()
    tab = PreviewTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    if case.labels:
        tab.predicting.labels = labels.read(SHARED / "media" / case.labels)
    qtbot.waitUntil(lambda: not tab.predicting.busy, timeout=60_000)
    file, name = found(case, folder), first_input(case)
    heard: list[Answer] = []
    tab.predicting.answered.connect(heard.append)

    def answered() -> bool:
        sources = document.sources
        return bool(heard) and not tab.predicting.busy and sources[name].value == file.name

    tab.use_file(name, file)
    qtbot.waitUntil(answered, timeout=120_000)
    numbers = case.window(tab, heard[-1])
    document.close()
    return numbers


@pytest.fixture
def theme(qapp: Any) -> Theme:
    made = Theme("light")
    made.dress(qapp)
    return made


def hold(case: Case, folder: Path, theme: Theme, qtbot: QtBot) -> None:
    terminal, window = in_terminal(case, folder), in_window(case, folder, theme, qtbot)
    ours = (" ".join(f"{number:.4g}" for number in found) for found in (terminal, window))
    told = (case.model, case.file, case.told, *ours)
    print("|", *(f"{word} |" for word in told))  # noqa: T201 - the table for readers
    assert terminal == pytest.approx(case.answer, abs=case.near)
    assert window == pytest.approx(case.answer, abs=case.near)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.model}-{case.file}")
def test_a_model_of_others_answers_as_measured(case, shared, tmp_path, theme, qtbot):
    hold(case, tmp_path, theme, qtbot)


@pytest.mark.skipif(session.library() is None, reason="onnxruntime-extensions is absent")
@pytest.mark.parametrize("case", EXTENDED, ids=lambda case: case.model)
def test_a_model_with_operators_of_the_extension_runs_where_that_is(
    case, shared, tmp_path, theme, qtbot
):
    hold(case, tmp_path, theme, qtbot)


@pytest.mark.skipif(session.library() is not None, reason="onnxruntime-extensions is there")
@pytest.mark.parametrize("case", EXTENDED, ids=lambda case: case.model)
def test_without_the_extension_it_says_what_is_missing(case, shared, tmp_path):
    file = found(case, tmp_path)
    path = SHARED / f"real/{case.model}.onnx"
    words_told = errors_of("predict", path, "--input", f"{first_input(case)}={file}")
    assert "pip install onnxruntime-extensions" in words_told
