"""Each family's model gives back what was planted in it, in every precision and layout."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.output_structure import of_model
from inspector.preview.outputs import labels, scene
from inspector.preview.outputs.scene import Scene
from inspector.preview.outputs.token_outputs import decode_text
from inspector.preview.preprocessing.guess import guess_of
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from tests.preview.detectors.planted_cases import DETECTORS, OTHERS, PLACES, Case
from tests.preview.detectors.planted_models import PRECISIONS, Planted, model, out

pytestmark = pytest.mark.engine
FEWEST_ROWS = 150  # of boxes that depend on the size: more than any family has numbers per box
GROUND = np.zeros((8, 8, 3), np.uint8)


def cases(listed: tuple[Case, ...], *more: object) -> list[object]:
    """Each case in each layout of its family, with the precisions to try it in.

    A family's first layout is tried in all of them, the others in one, or where slow tests run.
    """
    found: list[object] = []
    for case, *each in zip(listed, *more, strict=True):
        for place, layout in enumerate(case.layouts):
            planted = replace(case, planted=replace(case.planted, layout=layout))
            name = f"{case.planted.name}-{layout}"
            tried = PRECISIONS[:1] if place else PRECISIONS
            found.append(pytest.param(planted, tried, *each, id=name))
            if place:
                rest, slow = PRECISIONS[1:], pytest.mark.slow
                found.append(pytest.param(planted, rest, *each, id=f"{name}-rest", marks=slow))
    return found


@contextmanager
def said(precision: str) -> Iterator[None]:
    """Have a failure say the precision. A test for each would take longer than its work."""
    try:
        yield
    except AssertionError as error:
        error.add_note(f"precision: {precision}")
        raise


def opened(case: Case, precision: str, folder: Path) -> tuple[Model, ImagePreprocessing]:
    """The model as a file says it, and what its picture would become."""
    path = folder / "planted.onnx"
    onnx.save(model(case.planted, precision), path)
    read = open_model(path)
    guessed = guess_of(read.inputs[0], read)
    assert case.family in guessed.why
    assert (guessed.order, guessed.scale, guessed.resize) == case.guess
    return read, guessed


def answered(read: Model, folder: Path) -> list[OutputValue]:
    """What the runtime gives to a random picture."""
    session = onnxruntime.InferenceSession(
        folder / "planted.onnx", providers=["CPUExecutionProvider"]
    )
    info, *others = read.inputs
    numbers = np.random.default_rng(0).random([int(axis or 1) for axis in info.shape or ()])
    feeds = {info.name: (numbers * (1 if "float" in info.dtype else 255)).astype(info.dtype)}
    feeds |= {other.name: np.full((1, 2), 96, np.int64) for other in others}
    arrays = session.run(None, feeds)
    return [
        OutputValue(output.name, "tensor", output.dtype, array)
        for output, array in zip(read.outputs, arrays, strict=True)
    ]


def shown(case: Case, precision: str, folder: Path) -> Scene:
    read, guessed = opened(case, precision, folder)
    outputs, structure = answered(read, folder), of_model(read)
    ways = scene.decoders(outputs, *case.planted.size, guessed.channels, structure)
    assert ways, "no decoder"
    assert ways[0].name == case.way
    return scene.read_scene(ways[0], outputs, *case.planted.size, GROUND, structure=structure)


@pytest.mark.parametrize(("case", "precisions"), cases(DETECTORS))
def test_a_detector_gives_back_its_box(case, precisions, tmp_path):
    for precision in precisions:
        with said(precision):
            _expect_its_box(case, precision, tmp_path)


def _expect_its_box(case: Case, precision: str, folder: Path) -> None:
    found = shown(case, precision, folder)
    (box,) = found.boxes
    width, height = case.planted.size
    edges = [box.left * width, box.top * height, box.right * width, box.bottom * height]
    assert edges == pytest.approx(case.box, abs=case.near if "int8" in precision else 0.3)
    assert box.kind == case.kind
    assert len(found.points) == case.points
    if "seg" in case.planted.name:
        share = found.overlay.picture[..., 3].astype(bool).mean()
        assert share == pytest.approx(24 * 16 / 96**2, abs=0.01)


@pytest.mark.parametrize(("case", "precisions", "wanted"), cases(*zip(*PLACES, strict=True)))
def test_points_and_pixels_come_back(case, precisions, wanted, tmp_path):
    for precision in precisions:
        with said(precision):
            _expect_points_and_pixels(shown(case, precision, tmp_path), wanted)


def _expect_points_and_pixels(found: Scene, wanted: object) -> None:
    if isinstance(wanted, tuple):
        many, x, y = wanted
        assert len(found.points) == many
        far = [max(abs(p.x - x), abs(p.y - y)) for p in found.points]
        assert max(far) < 0.02
        return
    assert found.overlay is not None
    if wanted is None:  # depth: near is hot, far is cold
        assert found.overlay.low == pytest.approx(0.05, abs=0.01)
        assert found.overlay.high == pytest.approx(0.95, abs=0.01)
        return
    share = found.overlay.picture[..., 3].astype(bool).mean()
    assert share == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize("case", DETECTORS, ids=lambda case: case.planted.name)
def test_an_export_for_any_size_is_taken_for_no_other_family(case, tmp_path):
    planted = replace(case.planted, layout="nchw")
    made = model(planted, "float32")
    for axis in (2, 3):
        made.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = f"side {axis}"
    for output in made.graph.output:
        axes = output.type.tensor_type.shape.dim
        # 4 and 7 are numbers of a box.
        maps = len(axes) == 4 and axes[2].dim_value > 1 and axes[3].dim_value not in (4, 7)
        rows = [axis for axis in axes if axis.dim_value >= FEWEST_ROWS]
        for place, axis in enumerate(axes[2:] if maps else rows):
            axis.dim_param = f"free {place}"
    onnx.save(made, tmp_path / "free.onnx")
    read = open_model(tmp_path / "free.onnx")
    guessed = guess_of(read.inputs[0], read)
    assert guessed is not None
    alike = {"YOLOX": "YOLO v5 to v7", "YOLO v6": "YOLO v5 to v7"}  # the number of rows tells
    families = (case.family, alike.get(case.family, case.family))
    assert any(family in guessed.why for family in families) or "structure" not in guessed.why


@pytest.mark.parametrize(("case", "precisions"), cases(OTHERS))
def test_other_models_get_their_preprocessing(case, precisions, tmp_path):
    for precision in precisions:
        with said(precision):
            read, _ = opened(case, precision, tmp_path)
            assert read.outputs


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("batch_first", [False, True])
def test_a_reader_of_text_gives_back_its_letters(precision, batch_first, tmp_path):
    alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
    path = [0 if letter == "_" else 1 + alphabet.index(letter) for letter in "hhel_lo__w0rld_"]
    scores = np.zeros((len(path), 1, 37))
    scores[np.arange(len(path)), 0, path] = 5
    scores = scores.transpose(1, 0, 2) if batch_first else scores
    case = Planted("crnn", (out("output", scores),), (100, 32), channels=1)
    onnx.save(model(case, precision), tmp_path / "planted.onnx")
    read = open_model(tmp_path / "planted.onnx")
    names = labels.assumed(read.inputs, read.outputs)
    assert names.key == "text-36"
    (output,) = answered(read, tmp_path)
    spelled = decode_text(output, None, names.read())
    assert spelled.lines == ("hellow0rld",)


def test_a_classifier_of_37_classes_is_no_reader_of_text(tmp_path):
    case = Planted("classes", (out("output", np.zeros((1, 37))),), (100, 32), channels=1)
    onnx.save(model(case, "float32"), tmp_path / "planted.onnx")
    read = open_model(tmp_path / "planted.onnx")
    assert labels.assumed(read.inputs, read.outputs) is None
