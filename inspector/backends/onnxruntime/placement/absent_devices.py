"""Support tables of devices that may be absent, applied to the layers of a model.

Nothing here loads the runtime: `inspector info --devices` asks without one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from math import isfinite
from pathlib import Path

from inspector.analysis.devices.node_view import Numbers
from inspector.analysis.devices.support_prediction import Oracle
from inspector.analysis.devices.support_summary import summarised
from inspector.analysis.devices.support_tables import (
    SupportTable,
    of_plugins,
    own_files,
    problem_of,
    read,
)
from inspector.analysis.devices.targets import Target, TargetSupport, is_removed
from inspector.analysis.facts.requirements import requirements
from inspector.backends.onnxruntime.sessions import providers
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.onnx import weight_values
from inspector.model.model import TFLITE, Model, TensorInfo
from inspector.platform import files
from inspector.report.report_values import Device, Support
from inspector.units import clip

_FILES = {"coreml-mlprogram": "coreml", "openvino-gpu": "openvino"}  # others: the device's name
KNOWN = (
    "cuda", "tensorrt", "tensorrt-rtx", "directml", "migraphx", "webgpu", "webnn", "coreml",
    "coreml-mlprogram", "openvino", "openvino-gpu", "qnn", "vitisai", "nnapi", "xnnpack",
)  # fmt: skip
_MOST_NUMBERS = 4096  # elements of a weight whose values conditions look at: axes, zero points
# Delegates of LiteRT, for models in TensorFlow Lite's format; the other tables are for ONNX.
DELEGATES = (
    "gpu-delegate", "nnapi-delegate", "coreml-delegate", "hexagon-delegate", "qnn-delegate",
)  # fmt: skip
_KINDS = {"gpu-delegate": "gpu"}  # of delegates; the others run on NPUs and several units
_NUMERIC = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64")
_MOST_BYTES = 8 * _MOST_NUMBERS


def known_for(model: Model) -> tuple[str, ...]:
    """Return the devices whose tables are for the format of a model."""
    own: tuple[str, ...] = KNOWN if model.details is None else ()
    if model.format == TFLITE:
        own = DELEGATES
    kind = "onnx" if model.details is None else model.format
    added = (name for name, (file, _) in of_plugins().items() if file.format == kind)
    return (*own, *(name for name in added if name not in (*KNOWN, *DELEGATES)))


def known() -> tuple[str, ...]:
    """Return all devices with a table for ONNX models, those of plugins last."""
    added = (name for name, (file, _) in of_plugins().items() if file.format == "onnx")
    return tuple(dict.fromkeys((*KNOWN, *added)))


def table(device: str) -> SupportTable:
    """Return the table of a device. Raises BadInput: there is none."""
    if device not in (*KNOWN, *DELEGATES):
        added = of_plugins()
        if device in added:
            return added[device][1]
        every = (*KNOWN, *DELEGATES, *added)
        near = get_close_matches(device, every, n=1)
        broken = ((path.name, problem_of(path)) for path in own_files())
        wrong = next((f"{name}: {problem}" for name, problem in broken if problem), "")
        raise BadInput(
            f"There is no support table for '{clip(device, 40)}'",
            f"there are tables for {', '.join(every)}",
            wrong or (f"Did you mean '{near[0]}'?" if near else ""),
            "support",
        )
    return _built_in(device)


@cache
def _built_in(device: str) -> SupportTable:
    file = _FILES.get(device, device)
    return read(files.resource("support", f"{file}.json").read_bytes(), device)


def device(name: str) -> Device:
    """Describe the device that a table is of. Raises BadInput: there is none."""
    support = table(name)
    added = None if name in KNOWN else of_plugins().get(name)
    if name in DELEGATES or added is not None:
        kind = _KINDS.get(name, "npu") if added is None else added[0].kind
        return Device(
            name,
            support.name,
            kind,
            support.provider,
            source=f"support table, {support.source}",
        )
    builtin = providers.builtin(support.provider)
    return Device(
        name,
        support.name,
        builtin.kind,
        support.provider,
        builtin.vendor,
        f"support table, {support.source}",
    )


def predict(
    model: Model,
    devices: Collection[str],
    values: Mapping[str, TensorInfo],
    numbers: Callable[[str], Numbers | None] = lambda _: None,
) -> dict[str, Sequence[Support]]:
    """Return for each device whether it would support each layer. Raises BadInput.

    values: types and shapes of the model's values by name, as far as known. numbers: the
    elements of small weights (`small_weights`); without them conditions on values stay open.
    """
    fitting = known_for(model)
    for name in devices:
        if name not in fitting:
            raise BadInput(
                f"Could not estimate device support of {clip(model.name)}",
                f"the support table of {table(name).name} is not for {model.format_text}",
                f"The tables for it are {', '.join(fitting)}." if fitting else "",
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


def check_targets(
    model: Model,
    targets: Sequence[Target],
    values: Mapping[str, TensorInfo],
    numbers: Callable[[str], Numbers | None],
) -> tuple[TargetSupport, ...]:
    """Return what each target does with the layers of a model, in the order of `targets`.

    values, numbers: as for `predict`.
    """
    tables = [table for target in targets for table in target.tables]
    answers = predict(model, tables, values, numbers)
    counted = tuple(layer.index for layer in model.layers if not is_removed(layer))
    operators = [model.layers[index].operator for index in counted]
    needed = requirements(model).libraries
    libraries = tuple(dict.fromkeys(each.package or each.domain for each in needed))
    results = []
    for target in targets:
        candidates = []
        for table, option in target.tables.items():
            own = tuple(answers[table][index] for index in counted)
            summary = summarised(device(table), operators, own)
            removed = len(model.layers) - len(counted)
            candidates.append(
                TargetSupport(target, table, option, summary, counted, own, removed, libraries)
            )
        results.append(max(candidates, key=lambda one: one.summary.supported_layers))
    return tuple(results)
