"""A value without a name goes to the only input that can take it."""

from pathlib import Path

import pytest
from onnx import TensorProto

from inspector.formats.opening import open_model
from inspector.preview.inputs.input_choice import only_input
from tests.preview.families.planted import INT64, Graph


def chosen(path: Path, inputs: dict[str, list], value: str, kinds: dict[str, int]) -> str:
    graph = Graph()
    for name, shape in inputs.items():
        graph.input(name, shape, kinds.get(name, 0))
    graph.output("y", [1])
    graph.node("Identity", [next(iter(graph._means))], "y")
    info = only_input(open_model(graph.save(path)), value)
    return "" if info is None else info.name


IMAGE, STATE, SOUND = [1, 3, 64, 64], [1, 8, 8, 32], [1, 16_000]


@pytest.mark.parametrize(
    ("inputs", "value", "name"),
    [
        ({"image": IMAGE, "state_c": STATE, "size": [2]}, "cat.png", "image"),
        ({"left": IMAGE, "right": IMAGE}, "cat.png", ""),
        ({"audio": SOUND, "threshold": [1]}, "speech.wav", "audio"),
        ({"audio": SOUND, "other": SOUND}, "speech.wav", ""),
        ({"image": IMAGE, "audio": SOUND}, "speech.flac", "audio"),
        ({"image": IMAGE, "audio": SOUND}, "cat.jpg", "image"),
        ({"image": IMAGE, "scale": [1]}, "values.npy", ""),
        ({"input_ids": [1, 16], "image": IMAGE}, "text:a cat", "input_ids"),
    ],
)
def test_the_only_input_that_fits_takes_it(inputs, value, name, tmp_path):
    kinds = {"input_ids": INT64, "size": TensorProto.INT64}
    assert chosen(tmp_path / "m.onnx", inputs, value, kinds) == name
