"""The option `--signature`: which entry point of a TensorFlow Lite model runs."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.cli.options.option_types import limits
from inspector.conversion.action import LITERT_SIGNATURE, Step
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import TFLITE
from inspector.platform import files
from inspector.units import clip


@contextmanager
def with_signature(options: argparse.Namespace, path: Path) -> Iterator[Path]:
    """Give the model to the block, with the chosen signature as its main graph.

    That is a file of the same name in a temporary folder. Raises InspectorError: the model has
    no such signature.
    """
    if not options.signature:
        yield path
        return

    what = f"Could not use the signature '{clip(options.signature, 40)}'"
    model = open_model(path)
    if model.format != TFLITE:
        why = f"{clip(path.name)} is not a TensorFlow Lite model; only these have signatures"
        raise BadInput(what, why, "Omit --signature.")
    names = [each.name for each in model.signatures]
    if options.signature not in names:
        known = ", ".join(clip(name, 40) for name in names) or "none"
        raise BadInput(what, f"{clip(path.name)} has no such signature", f"It has: {known}.")
    with files.temporary_folder("inspector-", what) as folder:
        with EngineProcess(limits=limits(options)) as engine:
            step = Step(LITERT_SIGNATURE, (("name", options.signature),))
            engine.convert(path, (step,), Path(folder), name=path.name)
        yield Path(folder) / path.name
