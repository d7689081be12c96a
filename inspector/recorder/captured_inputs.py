"""Keeps what the first predictions of a recorded program were given, as .npz files."""

import io
import os
import re
import stat
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_BYTES = 512 << 20
_PREFIX = "inputs-"
_NAMED = re.compile(rf"{_PREFIX}(\d+)-(\d+)-(\d+)\.npz")


class Captures:
    """Writes the feeds of the first calls of each session; not more than 512 MiB in all.

    Each file appears whole or not at all, so that a killed program leaves no half one.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._folder, self._count = folder, count
        self.enabled = count > 0
        self._calls_saved: Counter[int] = Counter()
        self._left_bytes = MOST_BYTES

    def take(self, session: int, feed: Any) -> None:
        """Keep a feed if it is one of the first; arrays of numbers and texts alone."""
        if not self.enabled or not isinstance(feed, dict):
            return
        if self._calls_saved[session] >= self._count:
            return
        size_bytes = sum(getattr(value, "nbytes", 0) for value in feed.values())
        if size_bytes > self._left_bytes:
            return
        number = self._calls_saved[session]
        self._calls_saved[session] += 1
        self._left_bytes -= size_bytes
        name = f"{_PREFIX}{os.getpid()}-{session}-{number}.npz"
        part = self._folder / f".{name}"
        try:
            part.write_bytes(_packed(feed))
            part.replace(self._folder / name)
        except (OSError, RuntimeError, ValueError) as error:  # no room, or values of no array
            self.enabled = False  # the program goes on
            sys.stderr.write(f"inspector: inputs are no longer saved: {error}\n")
            with suppress(OSError):
                part.unlink()


def saved_inputs(folder: Path) -> Iterator[tuple[int, int, int, Path]]:
    """Yield the saved inputs of a recording: process, session, number of the call, file."""
    for path in sorted(folder.glob(f"{_PREFIX}*.npz")):
        named = _NAMED.fullmatch(path.name)
        if named and stat.S_ISREG(path.lstat().st_mode):
            yield int(named[1]), int(named[2]), int(named[3]), path


def _packed(feed: dict[Any, Any]) -> bytes:
    import numpy as np  # the program has loaded it by now: the runtime needs it

    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name, value in feed.items():
            array = value.numpy() if hasattr(value, "numpy") else value
            if not isinstance(array, np.ndarray):
                continue
            plain = array.astype(np.str_) if array.dtype.hasobject else array
            buffer = io.BytesIO()
            np.save(buffer, plain, allow_pickle=False)
            archive.writestr(f"{name}.npy", buffer.getvalue())
    return body.getvalue()
