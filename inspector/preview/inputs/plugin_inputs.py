"""Kinds of input files that plugins add: their readers run in a confined process.

`read` is the side that asks. The confined process imports this module and calls `answer`. It
gets the bytes of the file through its pipe and opens nothing.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units
from inspector.errors import InspectorError, UnreadableFile
from inspector.platform import files, plugins
from inspector.sandbox.decoding.channel import Request, Response
from inspector.sandbox.decoding.decoder_process import decoder

KIND = "plugin_inputs"  # of `channel.KINDS`
LIMIT_BYTES = 1 << 30  # of a file, which goes through a pipe as a whole
Array = NDArray[np.generic]


class InputKind(Struct, frozen=True):
    """A kind of input file.

    id: of messages. suffixes: of its file names, in lower case. reader: the module with
    `read(body: bytes, name: str) -> array`, imported in the confined process only.
    is_image: the array is uint8 (height, width, 1, 3 or 4) and is preprocessed as images are;
    otherwise it is the value of an input as it is. title: for people ("DICOM").
    """

    id: str
    suffixes: tuple[str, ...]
    reader: str
    is_image: bool = False
    title: str = ""


def kinds() -> tuple[InputKind, ...]:
    """Return the kinds that plugins add."""
    return tuple(plugin.value for plugin in plugins.usable(plugins.PREVIEW_INPUTS))


def kind_of(path: Path) -> InputKind | None:
    """Return the kind of a file by its name; None where no plugin has one."""
    name = path.name.lower()
    return next((each for each in kinds() if name.endswith(each.suffixes)), None)


def read(kind: InputKind, path: Path) -> Array:
    """Return the array in a file. Raises UnreadableFile: missing, refused, or no array."""
    what = f"Could not open {path.name}"
    body = files.read_capped(path, LIMIT_BYTES)
    _, array = decoder(KIND).ask(Request("read", path.name, key=kind.id), body, what)
    if kind.is_image:
        shape = array.shape
        if array.dtype != np.uint8 or len(shape) != 3 or shape[2] not in (1, 3, 4):
            got = f"{array.dtype} {units.shape(shape)}"
            why = f"the '{kind.id}' reader returned {got} where an image is uint8 (H, W, C)"
            raise UnreadableFile(what, why)
    return array


@cache
def _readers() -> dict[str, tuple[str, Any]]:
    return plugins.readers(kinds())


def answer(request: Request, body: memoryview) -> tuple[Response, memoryview]:
    """Read an input file, in the confined process. Raises UnreadableFile: the reader failed."""
    what = f"Could not open {request.name}"
    problem, reader = _readers().get(request.key, ("is not installed", None))
    if reader is None:
        raise UnreadableFile(what, f"the '{request.key}' reader {problem}")
    try:
        array = np.ascontiguousarray(reader(bytes(body), request.name))
        data = array.reshape(-1).view(np.uint8).data
    except InspectorError:
        raise
    except Exception as error:
        why = f"the '{request.key}' reader failed: {plugins.sentence(error)}"
        raise UnreadableFile(what, why) from error
    return Response(dtype=array.dtype.name, shape=array.shape), data


def prepare() -> None:
    """Import all readers, before the process is confined."""
    _readers()
