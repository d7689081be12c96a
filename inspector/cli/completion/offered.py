"""Values that a shell offers: devices, samples, actions, targets and subjects of conditions."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence

from inspector.analysis.devices.compile_targets import BY_ID
from inspector.analysis.devices.targets import TARGETS
from inspector.backends import registry
from inspector.backends.onnxruntime.sessions import installable
from inspector.comparison import (
    ci_conditions,
    diff_conditions,
    evaluation_conditions,
    improvement_conditions,
    model_conditions,
)
from inspector.conversion.registry import LISTED
from inspector.platform import files

_CONDITIONS: Mapping[str, Sequence[str]] = {
    "measure": ci_conditions.SHOWN_SUBJECTS,
    "compare": ci_conditions.SHOWN_SUBJECTS,
    "diff": diff_conditions.METRICS,
    "evaluate": evaluation_conditions.METRICS,
    "improve": improvement_conditions.METRICS,
    "info": [name for name in model_conditions.METRICS if name.islower()],
}


def devices() -> tuple[str, ...]:
    """Return ids of devices that some machine has."""
    runtimes = (each.device_prefix for each in registry.BACKENDS.values())
    others = (f"{prefix}:cpu" for prefix in runtimes if prefix)
    return tuple(dict.fromkeys(("cpu", *others, *installable.IDS)))


def samples() -> tuple[str, ...]:
    """Return the files of the samples, and what stands for all."""
    listing = json.loads((files.sample_folder() / "index.json").read_text("utf-8"))
    return ("all", *(model["file"] for model in listing["models"]))


# By the name of an option without dashes, or of an argument as the help shows it.
_VALUES: Mapping[str, Callable[[str], Sequence[str]]] = {
    "device": lambda command: devices(),
    "devices": lambda command: devices() if command == "info" else (),
    "estimate": lambda command: devices()[1:],
    "target": lambda command: (
        tuple(BY_ID) if command == "compile" else ("all", *(each.id for each in TARGETS))
    ),
    "fail-if": lambda command: _CONDITIONS.get(command, ()),
    "try": lambda command: tuple(LISTED),
    "ACTION": lambda command: tuple(LISTED),
    "NAME": lambda command: samples() if command == "sample" else (),
}


def values(command: str, action: argparse.Action) -> tuple[str, ...]:
    """Return what can stand behind an option or as an argument; empty where anything can."""
    if action.choices:
        return tuple(map(str, action.choices))
    names = [name.lstrip("-") for name in action.option_strings] or [str(action.metavar)]
    for name in names:
        if name in _VALUES:
            return tuple(_VALUES[name](command))
    return ()
