"""Models in formats of plugins: their readers run in a confined process, which sends the Model.

`read` is the side that asks. The confined process imports this module and calls `answer`. It
gets the bytes of the file through its pipe and opens nothing, so that a damaged or hostile file
breaks no more than that process.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import numpy as np

from inspector import units
from inspector.errors import InspectorError, UnreadableFile
from inspector.formats import model_formats
from inspector.formats.model_formats import ModelFormat
from inspector.formats.source import Source, of_bytes
from inspector.model.model import FormatDetails, Model
from inspector.platform import plugins
from inspector.sandbox.decoding.channel import Request, Response
from inspector.sandbox.decoding.decoder_process import decoder

KIND = "plugin_models"  # of `channel.KINDS`
LIMIT_BYTES = 2 << 30  # of a file, which goes through a pipe as a whole


def read(model_format: ModelFormat, source: Source) -> Model:
    """Return the model in a file of a plugin's format.

    Raises UnreadableFile: too large, or the reader refused it, failed or sent no model.
    """
    if source.size > LIMIT_BYTES:
        limit = f"A plugin can read files of up to {units.size(LIMIT_BYTES)}."
        raise source.failure(f"it is {units.size(source.size)}", limit)
    what = f"Could not open {source.name}"
    request = Request("read", source.name, key=model_format.id)
    _, array = decoder(KIND).ask(request, source.read(0, source.size), what)
    why = f"the '{model_format.id}' reader returned an invalid model"
    try:
        model = msgspec.json.decode(array.tobytes(), type=Model)
    except msgspec.MsgspecError as error:
        raise UnreadableFile(what, f"{why} ({error})") from error
    if not _is_consistent(model):
        raise UnreadableFile(
            what, f"{why} (numbers count from 0 in the lists of layers, weights and values)"
        )
    details = model.details or FormatDetails(model_format.title)
    return replace(
        model, name=source.name, format=model_format.id, size_bytes=source.size, details=details
    )


def _is_consistent(model: Model) -> bool:
    """Return whether indices are what the rest of the program relies on."""
    layers = all(
        layer.index == place and (layer.parent is None or 0 <= layer.parent < place)
        for place, layer in enumerate(model.layers)
    )
    places = (weight.place for weight in model.weights if weight.place is not None)
    return layers and all(place.offset >= 0 <= place.length for place in places)


@cache
def _readers() -> dict[str, tuple[str, Any]]:
    return plugins.readers(model_formats.plugin_formats())


def answer(request: Request, body: memoryview) -> tuple[Response, memoryview]:
    """Read a model, in the confined process. Raises UnreadableFile: the reader failed."""
    what = f"Could not open {request.name}"
    problem, reader = _readers().get(request.key, ("is not installed", None))
    if reader is None:
        raise UnreadableFile(what, f"the '{request.key}' reader {problem}")
    try:
        encoded = msgspec.json.encode(reader(of_bytes(bytes(body), request.name), None))
    except InspectorError:
        raise
    except Exception as error:
        why = f"the '{request.key}' reader failed: {plugins.sentence(error)}"
        raise UnreadableFile(what, why) from error
    array = np.frombuffer(encoded, np.uint8)
    return Response(dtype="uint8", shape=array.shape), array.data


def prepare() -> None:
    """Import all readers, before the process is confined."""
    _readers()
