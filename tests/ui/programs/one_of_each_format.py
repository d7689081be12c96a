"""Writes one small model of each format into a folder, and prints their paths.

    python -m tests.ui.programs.one_of_each_format FOLDER

`make click-formats` presses all that there is to press in each of them. Not a test.
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from inspector.formats.model_formats import MODEL_FORMATS, format_of
from inspector.formats.opening import open_model
from inspector.formats.source import open_source
from tests.conftest import ROOT
from tests.formats import test_litertlm
from tests.formats.other.test_other_formats import gguf, safetensors
from tests.formats.tflite import build

_SAMPLE = ROOT / "sample_models" / "digits_float32.onnx"
_FILES = ROOT / "tests" / "formats"


def write(folder: Path) -> list[Path]:
    """Return the files, in the order of the formats. Raises ValueError: a format has none."""
    paths = []
    for entry in MODEL_FORMATS:
        if entry.id not in _WRITERS:
            raise ValueError(f"write a model of the format {entry.id} here")
        path = _WRITERS[entry.id](folder)
        with open_source(path) as source:
            found = format_of(source).id
        if found != entry.id:
            raise ValueError(f"{path.name} is {found}, not {entry.id}")
        open_model(path)
        paths.append(path)
    return paths


def _copied(*names: str) -> Callable[[Path], Path]:
    """Return a function that copies files of the tests; the first is the model."""

    def copy(folder: Path) -> Path:
        for name in names:
            source = _FILES / name
            if source.is_dir():
                shutil.copytree(source, folder / source.name, dirs_exist_ok=True)
            else:
                shutil.copy(source, folder / source.name)
        return folder / Path(names[0]).name

    return copy


def _written(name: str, body: Callable[[], bytes]) -> Callable[[Path], Path]:
    def write_file(folder: Path) -> Path:
        (folder / name).write_bytes(body())
        return folder / name

    return write_file


def _ort(folder: Path) -> Path:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.optimized_model_filepath = str(folder / "net.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(_SAMPLE), options, providers=["CPUExecutionProvider"])
    return folder / "net.ort"


def _index(folder: Path) -> Path:
    (folder / "shard.safetensors").write_bytes(_safetensors())
    path = folder / "model.safetensors.index.json"
    path.write_text(json.dumps({"metadata": {}, "weight_map": {"w": "shard.safetensors"}}))
    return path


def _safetensors() -> bytes:
    return safetensors({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, bytes(8))


def _tensorrt() -> bytes:
    value = {"Name": "x", "Location": "Device", "Dimensions": [1, 4], "Format/Datatype": "FP32"}
    layer = {
        "Name": "relu", "LayerType": "Activation", "Inputs": [value],
        "Outputs": [value | {"Name": "y"}],
    }  # fmt: skip
    return json.dumps({"Layers": [layer], "Bindings": ["x", "y"]}).encode()


_WRITERS: dict[str, Callable[[Path], Path]] = {
    "ort": _ort,
    "tflite": _written("net.tflite", build.convolving),
    "litertlm": _written("gemma.litertlm", test_litertlm.usual),
    "coreml": _copied("coreml/files/palettized.mlpackage"),
    "exported program": _copied("other/files/net.pt2"),
    "torchscript": _copied("other/files/net.pt"),
    "keras": _copied("other/files/net.keras"),
    "openvino": _copied("other/files/net.xml", "other/files/net.bin"),
    "tensorrt": _written("layers.json", _tensorrt),
    "gguf": _written("net.gguf", lambda: gguf(0, (4,), bytes(16))),
    "safetensors": _written("net.safetensors", _safetensors),
    "safetensors index": _index,
    "onnx": lambda folder: Path(shutil.copy(_SAMPLE, folder)),
}


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    sys.stdout.write("\n".join(map(str, write(target))) + "\n")
