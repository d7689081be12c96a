"""Support tables of devices that may be absent, applied to the layers of a model.

Nothing here loads the runtime: `inspector info --devices` asks without one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from math import isfinite
from pathlib import Path

from inspector.analysis.devices.node_view import Numbers
from inspector.analysis.devices.support_prediction import Oracle
from inspector.analysis.devices.support_tables import SupportTable, read
from inspector.backends.onnxruntime.sessions import providers
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.onnx import weight_values
from inspector.model.model import Model, TensorInfo
from inspector.platform import files
from inspector.report.report import Device, Support
from inspector.units import clip

_FILES = {"coreml-mlprogram": "coreml", "openvino-gpu": "openvino"}  # others: the device's name
KNOWN = (
    "cuda", "tensorrt", "tensorrt-rtx", "directml", "migraphx", "webgpu", "webnn", "coreml",
    "coreml-mlprogram", "openvino", "openvino-gpu", "qnn", "vitisai", "nnapi", "xnnpack",
)  # fmt: skip
_MOST_NUMBERS = 64  # elements of a weight whose values conditions look at: shapes, scales, axes
_FORMATS = ("onnx", "ort")  # whose operators the tables know
_NUMERIC = ("float16", "float32", "float64", "int32", "int64")
_MOST_BYTES = 8 * _MOST_NUMBERS


@cache
def table(device: str) -> SupportTable:
    """Read the table of a device. Raises BadInput: there is none."""
    if device not in KNOWN:
        near = get_close_matches(device, KNOWN, n=1)
        raise BadInput(
            f"There is no support table for '{clip(device, 40)}'",
            f"the tables are {', '.join(KNOWN)}",
            f"Did you mean '{near[0]}'?" if near else "",
            "support",
        )
    file = _FILES.get(device, device)
    return read(files.resource("support", f"{file}.json").read_bytes(), device)


def device(name: str) -> Device:
    """Describe the device that a table is of. Raises BadInput: there is none."""
    support = table(name)
    builtin = providers.builtin(support.provider)
    return Device(
        name,
        support.name,
        builtin.kind,
        support.provider,
        builtin.vendor,
        f"table, {support.source}",
    )


def predict(
    model: Model,
    devices: Iterable[str],
    values: Mapping[str, TensorInfo],
    numbers: Callable[[str], Numbers | None] = lambda _: None,
) -> dict[str, Sequence[Support]]:
    """Return for each device whether it would support each layer. Raises BadInput.

    values: types and shapes of the model's values by name, as far as known. numbers: the
    elements of small weights (`small_weights`); without them conditions on values stay open.
    """
    if model.format not in _FORMATS:
        raise BadInput(
            f"Could not estimate device support of {clip(model.name)}",
            f"the support tables are those of ONNX Runtime, but this is {model.format_text}",
            "This needs an ONNX model.",
        )
    return {
        name: Oracle(table(name), model, values, numbers).answers()
        for name in dict.fromkeys(devices)
    }


def small_weights(model: Model, path: Path) -> Callable[[str], Numbers | None]:
    """Return a function that reads the elements of a small numeric weight, else gives None.

    path: of the model. Nothing is read before somebody asks for it.
    """
    weights = {weight.name: weight for weight in model.weights}

    @cache
    def read_numbers(name: str) -> Numbers | None:
        weight = weights.get(name)
        if weight is None or weight.dtype not in _NUMERIC or weight.elements > _MOST_NUMBERS:
            return None
        try:
            array = weight_values.tensor(path, weight, _MOST_BYTES)
        except UnreadableFile:
            return None
        numbers = tuple(float(number) for number in array.reshape(-1))
        return numbers if all(map(isfinite, numbers)) else None

    return read_numbers
