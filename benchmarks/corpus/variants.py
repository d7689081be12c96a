"""The same nets in other precisions, as the runtime's own converters make them.

A converter may refuse a net, or make one that no longer loads; both is told, and left out.
"""

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import defaults

Feeds = Mapping[str, NDArray[np.generic]]
Convert = Callable[[Path, Path], None]
LENGTHS = {"length": 16}
PICTURE = Path(__file__).parents[2] / "sample_models" / "inputs" / "digit_3.png"


def feeds_of(path: Path) -> dict[str, NDArray[np.generic]]:
    """Fill the inputs of a model, free axes of length 1 but those of words."""
    model = open_model(path)
    inputs = model.inputs
    free = {axis for info in inputs for axis in info.shape or () if isinstance(axis, str)}
    filled = defaults(inputs, {name: LENGTHS[name] for name in free & LENGTHS.keys()})
    feeds = {each.name: each.array for each in filled}
    pictures = {n.inputs[0] for n in model.layers if n.operator == "DecodeImage"}
    coded = np.frombuffer(PICTURE.read_bytes(), np.uint8)
    return feeds | dict.fromkeys(pictures & feeds.keys(), coded)


class Samples:
    """Three sets of inputs, by chance, for a converter that wants to see values."""

    def __init__(self, path: Path) -> None:
        random = np.random.default_rng(0)
        self._sets = [
            {
                name: random.standard_normal(array.shape).astype(array.dtype)
                if array.dtype.kind == "f"
                else array
                for name, array in feeds_of(path).items()
            }
            for _ in range(3)
        ]

    def get_next(self) -> Feeds | None:
        """Hand out one set, None behind the last."""
        return self._sets.pop() if self._sets else None


def variants(path: Path) -> Iterator[Path]:
    """Write every variant beside a model and yield those that run."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    for name, convert in CONVERTERS.items():
        written = path.with_name(f"{path.stem}.{name}.onnx")
        try:
            convert(path, written)
            _run(written)
        except Exception as error:  # noqa: BLE001 - whatever a converter makes of it
            print(f"    {written.stem}: left out: {' '.join(str(error).split())[:100]}")
            written.unlink(missing_ok=True)
            continue
        yield written


def _run(path: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    session.run(None, feeds_of(path))


def _half(path: Path, written: Path) -> None:
    from onnxruntime.transformers.float16 import convert_float_to_float16

    model = convert_float_to_float16(onnx.load(path), keep_io_types=False)
    onnx.save(model, written)


def _quantized(form: str) -> Convert:
    def convert(path: Path, written: Path) -> None:
        from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

        quantize_static(
            path if path.stem.endswith("torchscript") else _prepared(path),
            written,
            Samples(path),
            quant_format=QuantFormat[form],
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )

    return convert


def _dynamic(path: Path, written: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(_prepared(path), written, weight_type=QuantType.QUInt8)


def _prepared(path: Path) -> onnx.ModelProto:
    """A model without the notes about shapes, which some exporters leave wrong."""
    model = onnx.load(path)
    del model.graph.value_info[:]
    return model


CONVERTERS: dict[str, Convert] = {
    "float16": _half,
    "qdq": _quantized("QDQ"),
    "qoperator": _quantized("QOperator"),
    "dynamic": _dynamic,
}
