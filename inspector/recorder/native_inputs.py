"""Inputs that the recorder in C saved, turned into the .npz files of other recordings.

A file has, for each input of one run, a line of JSON (name, NumPy's type, bytes, shape) and
then its bytes. The recorded program can write there too, so nothing in it is believed.
"""

import json
import math
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from inspector.recorder.recorded_sessions import MOST_BYTES

_SAVED = re.compile(r"inputs-\d+-\d+-\d+\.values")
_TYPE = re.compile(r"[<|][fiubc]\d{1,2}")
_LINE_BYTES = 1024
_MOST_VALUES = 64


def pack(folder: Path) -> None:
    """Write an .npz file beside each file of inputs; one that is damaged is passed over."""
    for path in folder.glob("inputs-*.values"):
        status = path.lstat()
        if not _SAVED.fullmatch(path.name) or not stat.S_ISREG(status.st_mode):
            continue
        if status.st_size > MOST_BYTES + _MOST_VALUES * _LINE_BYTES:
            continue
        with suppress(ValueError, OSError, KeyError, TypeError):
            values = dict(_values(path))
            if values:
                np.savez(path.with_suffix(".npz"), allow_pickle=False, **values)


def _values(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Yield names and values. Raises ValueError, KeyError, TypeError: damaged."""
    with open(path, "rb") as file:
        for _ in range(_MOST_VALUES):
            line = file.readline(_LINE_BYTES)
            if not line:
                return
            told = json.loads(line)
            if not _TYPE.fullmatch(told["descr"]):
                raise ValueError("no type of NumPy")
            dtype, shape = np.dtype(told["descr"]), tuple(told["shape"])
            if not all(type(size) is int and 0 <= size < 1 << 40 for size in shape):
                raise ValueError("no shape")
            wanted = math.prod(shape) * dtype.itemsize
            if wanted != told["bytes"] or wanted > MOST_BYTES:
                raise ValueError("another number of bytes than the shape needs")
            data = file.read(wanted)
            yield str(told["name"]), np.frombuffer(data, dtype).reshape(shape)
