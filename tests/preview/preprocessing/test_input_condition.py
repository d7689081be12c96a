from pathlib import Path
from struct import unpack

import numpy as np
import pytest

from inspector.app.subjects import Subject
from inspector.cli.runs.predict import input_problems
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.preview.inputs import image_files
from inspector.preview.preprocessing.input_condition import (
    background_of,
    inverted,
    size_problem,
    stated,
)
from inspector.report.run_spec import RunSpec


def info(doc: str = "") -> TensorInfo:
    return TensorInfo("x", "tensor", "float32", (1, 1, 28, 28), doc=doc)


@pytest.mark.parametrize(
    ("doc", "metadata", "subject", "background"),
    [
        ("", "28x28 grey, bright clothes on black, 0..255", "bright clothes on black", "dark"),
        ("White digit on black, 0..255.", "", "white digit on black", "dark"),
        ("A scan with a white background", "", "a scan with a white background", "light"),
        ("", "RGB of any size, 0..255", "", ""),
    ],
)
def test_the_background_is_read_from_what_the_file_says(doc, metadata, subject, background):
    found = stated(info(doc), [("preparation", metadata)])
    assert (found.subject, found.background) == (subject, background)


def test_a_file_that_says_nothing_in_words_asks_for_nothing():
    assert stated(info(), [("preprocessing", '{"mean": [0.5], "on black": 1}')]) is None


def test_only_a_plain_border_of_the_other_kind_is_a_problem():
    found = stated(info("Bright clothes on black"))
    chart = np.full((40, 60, 3), 255, np.uint8)
    chart[10:30, 10:50] = 0
    photo = np.tile(np.linspace(0, 255, 60, dtype=np.uint8)[None, :, None], (40, 1, 3))
    assert (background_of(chart), background_of(photo)) == ("light", "")
    assert "has a light background; this model expects bright clothes" in found.problem(chart)
    assert found.problem(inverted(chart)) == found.problem(photo) == ""


def test_only_pictures_of_other_proportions_or_far_larger_ones_are_a_problem():
    square = (28, 28)
    assert size_problem((1440, 900), square, stretched=True) == (
        "This image was stretched from 1440 × 900 to 28 × 28 pixels, so shapes in it are "
        "distorted and most details are lost. The answer may be wrong."
    )
    assert "reduced from 3000 × 2000" in size_problem((3000, 2000), square, stretched=False)
    assert not size_problem((3000, 2000), (224, 224), stretched=True), "a photo"
    assert not size_problem((1440, 900), (224, 224), stretched=False)


def test_no_shipped_picture_has_a_problem(samples):
    files = [*samples.glob("clothes/*/*/*.png"), *samples.glob("inputs/*.png")]
    sizes = set()
    for file in files:
        with file.open("rb") as opened:
            sizes.add(unpack(">II", opened.read(24)[16:]))
    assert len(files) >= 572
    for size in sizes:
        assert not size_problem(size, (8, 8), stretched=True)


def test_the_command_line_has_the_cautions_of_preview(samples, tmp_path):
    path = samples / "clothes_float32.onnx"
    model = open_model(path)
    (info,) = model.inputs
    paths = {
        name: tmp_path / f"{name}.png" for name in ("wide", "light", "good", "both", "bird")
    }
    wide = np.full((500, 1440, 3), 120, np.uint8)
    paths["wide"].write_bytes(image_files.png(wide))
    paths["light"].write_bytes(image_files.png(np.full((28, 28, 3), 250, np.uint8)))
    paths["good"].write_bytes(image_files.png(np.zeros((28, 28, 3), np.uint8)))
    paths["both"].write_bytes(image_files.png(np.full((500, 1440, 3), 250, np.uint8)))
    bird = np.tile(np.array([40, 160, 90], np.uint8), (40, 40, 1))
    paths["bird"].write_bytes(image_files.png(bird))

    def told_of(picture: Path) -> list[str]:
        subject = Subject.of(path, model, RunSpec(), {info.name: str(picture)})
        return input_problems(subject, subject.filled())

    told = {name: told_of(picture) for name, picture in paths.items()}
    assert "stretched from 1440 × 500" in told["wide"][0]
    assert told["light"][0].endswith("Invert its colors, or use another image.")
    assert told["good"] == []
    assert told["both"] == [
        "This image has a light background; this model expects bright clothes on black. It was "
        "also stretched from 1440 × 500 to 28 × 28 pixels, so shapes in it are distorted. The "
        "answer may be wrong. Invert its colors, or use another image."
    ]
    assert told["bird"] == [
        "This image is in color; this model takes grayscale. The answer may be wrong."
    ]
