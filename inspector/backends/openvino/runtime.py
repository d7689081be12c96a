"""The openvino package: its devices, the configuration for a spec, and its errors in words."""

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module, metadata
from typing import Any

import numpy as np

from inspector.backends.base import QUANTIZED_AXIS_HINT
from inspector.backends.machine import processor_name
from inspector.errors import BadInput, EngineFailed
from inspector.report.report_values import Device
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

# Without this module the package sends nothing to its makers.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
openvino = import_module("openvino")

PACKAGE = "openvino"
SOURCE = f"openvino {metadata.version(PACKAGE)}"
RUNTIME = f"OpenVINO {metadata.version(PACKAGE)}"
PROVIDER = "OpenVINO"
PREFIX = "openvino:"
CPU = "cpu"  # the first choice for OpenVINO's own models, without the prefix
REFUSALS: tuple[type[Exception], ...] = (RuntimeError, ValueError, TypeError, MemoryError)
_LONGEST = 300  # characters of a message of the runtime
_KINDS = ("cpu", "gpu", "npu")
# Lines of its messages that only say where in its source code they come from.
_ORIGIN = re.compile(
    r"^(Exception from \S+:|Check '.*?' failed at \S+:|\[\w+\] \S+:|Loading input model|"
    r"FrontEnd API failed with \w+:|Model wasn't fully converted\..*|Summary:|"
    r"Unable to convert .*|\[ov::.*CALLBACK HAS THROWN: .*)\s*$"
)
_NOT_CONVERTED = re.compile(
    r"No conversion rule found for operations: (.+)|No translator found for (\S+) node"
    r"|does not support the following ONNX operations: (.+)"  # versions of 2025
)
# Signs of a model in OpenVINO's own format that it cannot read -> what to do.
_READING_HINTS = (
    (
        "bin file",
        "Put the .bin file with the weights, as it was converted, beside the .xml file, under "
        "the same name.",
    ),
    (
        "unsupported opset|doesn't contain the operation|xml_deserialize_util|frontends/ir/|"
        "Unable to read the model",
        "Convert the model again, or update OpenVINO if a newer version wrote the file.",
    ),
    ("Quantization axis .* is out of range", QUANTIZED_AXIS_HINT),
)


@cache
def core() -> Any:
    """Return OpenVINO's entry point, with the libraries for all formats loaded.

    Loading them later would fail in a confined process on systems that allow no new files.
    """
    made = openvino.Core()
    for device in made.available_devices:
        with suppress(*REFUSALS):
            made.get_property(device, "FULL_DEVICE_NAME")
    return made


def devices() -> tuple[Device, ...]:
    """List the devices that OpenVINO finds, each tested with one addition."""
    return tuple(_tested(name) for name in core().available_devices)


def device(name: str, given_id: str = "") -> Device:
    """Describe a device by OpenVINO's name of it ("CPU", "GPU.0").

    given_id: as a spec names it, where that is not the usual one.
    """
    kind = name.partition(".")[0].lower()
    title = ""
    with suppress(*REFUSALS):
        title = str(core().get_property(name, "FULL_DEVICE_NAME"))
    title = processor_name() if kind == CPU else title or name
    return Device(
        given_id or f"{PREFIX}{name.lower()}",
        f"{title} (OpenVINO)",
        kind if kind in _KINDS else "unknown",
        PROVIDER,
        source=SOURCE,
    )


def names(spec: RunSpec) -> tuple[str, ...]:
    """Return OpenVINO's names of the devices of a spec. Raises BadInput: there is none such."""
    return tuple(map(name_of, spec.devices))


def name_of(device_id: str) -> str:
    """Return OpenVINO's name of a device. Raises BadInput: there is none such here."""
    wanted = device_id.removeprefix(PREFIX).upper()
    present: list[str] = core().available_devices
    for name in present:
        if wanted in (name, name.removesuffix(".0")):
            return name
    ids = ", ".join(f"{PREFIX}{name.lower()}" for name in present) or "no device"
    hint = "`inspector devices` lists them."
    if wanted.startswith(("GPU", "NPU")):
        hint = f"OpenVINO needs the driver of the {wanted[:3]}; `inspector devices` lists them."
    what = Sentence("The device '{clip}' is not available", clip(device_id, 40))
    raise BadInput(what, f"on this machine, OpenVINO finds only {ids}", hint, "devices")


def target(spec: RunSpec) -> str:
    """Return what a model is compiled for: a device, or several in order of priority."""
    found = names(spec)
    return found[0] if len(found) == 1 else f"HETERO:{','.join(found)}"


def configuration(spec: RunSpec, **more: Any) -> dict[str, Any]:
    """Return the properties with which a model is compiled."""
    found: dict[str, Any] = dict(more)
    if spec.inference_precision != "device":
        found["INFERENCE_PRECISION_HINT"] = spec.inference_precision
    if spec.performance_hint != "none":
        found["PERFORMANCE_HINT"] = spec.performance_hint.upper()
    if spec.streams:
        found["NUM_STREAMS"] = str(spec.streams)
    if spec.threads:
        found["INFERENCE_NUM_THREADS"] = spec.threads
    return found | {each.key: each.value for each in spec.provider_options}


def from_cache(compiled: Any) -> bool:
    """Return whether a model was not compiled, but read from the folder of CACHE_DIR."""
    try:
        return bool(compiled.get_property("LOADED_FROM_CACHE"))
    except REFUSALS:
        return False


def precision_note(compiled: Any, spec: RunSpec) -> str:
    """Return a note where a device computes in another type than was asked for."""
    try:
        used = compiled.get_property("INFERENCE_PRECISION_HINT").get_type_name()
    except REFUSALS:
        return ""
    if spec.inference_precision == "device":
        return Sentence(
            "OpenVINO computes floating-point layers in {used}, the default of the device.",
            used,
        )
    if used != spec.inference_precision:
        wanted = spec.inference_precision
        return Sentence(
            "OpenVINO computes floating-point layers in {used} instead of {wanted}.",
            used,
            wanted,
        )
    return ""


def failure(error: Exception, what: str, phase: str) -> EngineFailed:
    """Return the error for what OpenVINO refused, without the places in its source code."""
    text = str(error)
    missing = _NOT_CONVERTED.search(text)
    if missing:
        operators = clip(next(filter(None, missing.groups())).strip(), _LONGEST)
        hint = "Run the model on another device, such as cpu."
        return EngineFailed(what, f"OpenVINO has no operator {operators}", hint, phase)
    lines = [line.strip() for line in text.splitlines()]
    said = " ".join(line for line in lines if line and not _ORIGIN.match(line))
    why = clip(said or " ".join(text.split()) or type(error).__name__, _LONGEST)
    hint = next((hint for sign, hint in _READING_HINTS if re.search(sign, text)), "")
    return EngineFailed(what, f"OpenVINO reports: {why}", hint, phase)


def read_model(path: str, shapes: Mapping[str, Sequence[int]] | None = None) -> Any:
    """Read a model, with free axes of inputs fixed to lengths. Raises what OpenVINO raises.

    shapes: of inputs, by their names.
    """
    model = core().read_model(path)
    if shapes:
        wanted = {}
        for port in model.inputs:
            names = {*port.get_names(), port.get_node().get_friendly_name()}
            for name in names & shapes.keys():
                wanted[port] = openvino.PartialShape(list(shapes[name]))
        model.reshape(wanted)
    return model


def _tested(name: str) -> Device:
    found = device(name)
    try:
        opset13 = openvino.opset13
        x = opset13.parameter([2], openvino.Type.f32)
        compiled = core().compile_model(
            openvino.Model([opset13.add(x, x)], [x], "addition"), name
        )
        (answer,) = compiled({0: np.array([1, 2], np.float32)}).values()
    except Exception as error:  # noqa: BLE001 - whatever a driver says is the answer
        refused = failure(error, "", "devices")
        return replace(found, problem=refused.why, hint=refused.hint)
    if answer.tolist() != [2.0, 4.0]:
        return replace(found, problem="a test computation returned a wrong result")
    return found
