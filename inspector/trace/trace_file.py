"""Saved traces: an .npz file of columns, so that a million spans load at once.

Member `about.npy` holds UTF-8 JSON (`schema: trace/1`: tracks, names, counters, layers,
moments, notes); the others are one column each, not compressed and never pickled.
"""

import io
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct, field
from numpy.lib import format as npy
from numpy.typing import NDArray

from inspector.errors import UnreadableFile
from inspector.platform import files
from inspector.trace.trace import (
    COLUMNS,
    Column,
    Counter,
    Flows,
    InstantEvent,
    Trace,
    TracedLayer,
    Track,
    from_columns,
)
from inspector.units import clip
from inspector.wording.stored import text_only

SCHEMA = "trace/1"
SUFFIX = ".trace.npz"
MARK = b"about.npy"
LIMIT_BYTES = 4 << 30  # of a file that is read into memory
_FLOWS = ("begin", "end", "kind")
_DAMAGE_ERRORS = (
    zipfile.BadZipFile, msgspec.DecodeError, ValueError, KeyError, OverflowError,
    NotImplementedError, EOFError, struct.error, RecursionError,
)  # fmt: skip


class _CounterHeader(msgspec.Struct):
    name: str
    unit: str = ""
    process: str = ""


class _Header(msgspec.Struct):
    schema: str
    tracks: tuple[Track, ...] = ()
    names: tuple[str, ...] = ()
    counters: tuple[_CounterHeader, ...] = ()
    moments: tuple[InstantEvent, ...] = ()
    layers: tuple[TracedLayer, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""
    of: str = ""
    clock: str = ""
    zero_ns: int = 0
    within_ns: int = 0


class SavedTrace(Struct, frozen=True, eq=False):
    """A trace with its metadata. of: the thing it belongs to; "" for nothing else.

    clock: what its times are on, "" where unknown; zero_ns: that clock's time when the trace's
    is 0, within_ns: how sure that is.
    """

    trace: Trace
    layers: tuple[TracedLayer, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = field(default="Inspector trace")
    of: str = ""
    clock: str = ""
    zero_ns: int = 0
    within_ns: int = 0


def save(saved: SavedTrace, path: Path) -> None:
    """Write a trace whole or not at all. Raises NotSaved."""
    files.write_pieces(path, (to_bytes(saved),))


def to_bytes(saved: SavedTrace) -> memoryview:
    """The file: about 30 bytes a span."""
    trace = saved.trace
    header = _Header(
        SCHEMA,
        trace.tracks,
        trace.names,
        tuple(_CounterHeader(one.name, one.unit, one.process) for one in trace.counters),
        trace.moments,
        saved.layers,
        saved.notes,
        saved.source,
        saved.of,
        saved.clock,
        saved.zero_ns,
        saved.within_ns,
    )
    columns: dict[str, NDArray[Any]] = {
        "about": np.frombuffer(msgspec.json.encode(header, enc_hook=text_only), np.uint8)
    }
    columns |= {key: getattr(trace, key) for key in COLUMNS}
    columns |= {f"flow_{key}": getattr(trace.flows, key) for key in _FLOWS}
    for number, one in enumerate(trace.counters):
        columns |= {f"times_{number}": one.times_ns, f"values_{number}": one.values}
    body = io.BytesIO()
    # Any: numpy's stubs take the name of a column for its own option.
    write: Any = np.savez
    write(body, **columns)
    return body.getbuffer()


def is_trace_file(head: bytes) -> bool:
    """Return whether a file begins like those of `save`: with the name of the first member."""
    return head.startswith(b"PK\x03\x04") and head[30:].startswith(MARK)


def load(path: Path) -> SavedTrace:
    """Read a trace. Raises UnreadableFile: none of ours, a newer one, or damaged."""
    return from_bytes(files.read_capped(path, LIMIT_BYTES), path.name)


def from_bytes(body: bytes, name: str) -> SavedTrace:
    """Read a trace from the content of its file. Raises UnreadableFile."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return _read(archive)
    except _DAMAGE_ERRORS as error:
        why = f"it is not a complete trace: {clip(str(error), 200)}"
        raise UnreadableFile(f"Could not open {name}", why, "Save it again.") from error


def _read(archive: zipfile.ZipFile) -> SavedTrace:
    body = _column(archive, "about").tobytes()
    header = msgspec.json.decode(body, type=_Header)
    if header.schema != SCHEMA:
        raise ValueError(f"it has schema '{header.schema[:40]}', not '{SCHEMA}'")
    columns: dict[str, Column] = {key: _column(archive, key) for key in COLUMNS}
    trace = from_columns(
        header.tracks,
        header.names,
        columns,
        [
            Counter(
                one.name,
                one.unit,
                _column(archive, f"times_{number}"),
                _column(archive, f"values_{number}"),
                one.process,
            )
            for number, one in enumerate(header.counters)
        ],
        Flows(*(_column(archive, f"flow_{key}") for key in _FLOWS)),
        header.moments,
    )
    origin = header.of, header.clock, header.zero_ns, header.within_ns
    return SavedTrace(trace, header.layers, header.notes, header.source, *origin)


def _column(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return a column of the file, after checks of its header."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1:
        raise ValueError("it is compressed")
    body = archive.read(member)
    head = io.BytesIO(body[:4096])
    if npy.read_magic(head) != (1, 0):
        raise ValueError(f"column {name} has the wrong format")
    shape, _, kind = npy.read_array_header_1_0(head)
    if len(shape) != 1 or kind.kind not in "iuf" or kind.hasobject:
        raise ValueError(f"column {name} does not contain numbers")
    if shape[0] * kind.itemsize != len(body) - head.tell():
        raise ValueError(f"the length of column {name} does not match its header")
    return np.frombuffer(body, kind, offset=head.tell())


def without_spans(trace: Trace) -> Trace:
    """The tracks and names alone, for what says where the spans are."""
    empty = trace.select(np.zeros(0, np.int64))
    return replace(empty, counters=(), moments=())
