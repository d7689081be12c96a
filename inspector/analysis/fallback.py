"""Layers that fall back to the CPU between layers on a device, with copies to and fro."""

import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.finding import Finding
from inspector.trace import KINDS, Kind, Lane, Trace

_FEW, _SHOWN = 3, 1000
_COPIES, _KERNEL = [KINDS.index(k) for k in (Kind.COPY, Kind.WAIT)], KINDS.index(Kind.KERNEL)
_DEVICE, _CPU, _MOVE = "D", "C", "M"
_EXCURSION = re.compile(f"(?<={_DEVICE}){_MOVE}+{_CPU}[{_CPU}{_MOVE}]*{_MOVE}(?={_DEVICE})")


def to_and_fro(trace: Trace) -> Iterator[Finding]:
    """For each model: device, copy, CPU, copy, device again, some times over."""
    for model, tracks in _models(trace).items():
        spans, letters = _sequence(trace, tracks)
        trips = [found.span() for found in _EXCURSION.finditer(letters)]
        if len(trips) < _FEW:
            continue
        inside = np.concatenate([spans[begin:end] for begin, end in trips])
        copies = inside[np.isin(trace.kind[inside], _COPIES)]
        layers = inside[trace.kind[inside] == _KERNEL]
        names = dict.fromkeys(trace.names[name] for name in trace.name[layers].tolist())
        first = ", ".join(units.clip(name, 40) for name in list(names)[:2])
        size, spent = int(trace.size_bytes[copies].sum()), trace.duration_ns[copies].sum()
        moved = f"{units.size(size)} and " if size else ""
        yield Finding(
            "cpu-fallback",
            f"{len(trips):,} times {model or 'the model'} leaves its device for the CPU and "
            f"comes back ({first}{', ...' if len(names) > 2 else ''}): "
            f"{len(copies):,} copies, {moved}{units.duration(int(spent))} in all.",
            tuple(np.sort(copies)[:_SHOWN].tolist()),
            "Keep these layers on the device: another opset or type that it supports, or a "
            "model without them.",
        )


def _models(trace: Trace) -> dict[str, list[int]]:
    """Tracks on which models compute and their data moves, by model."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, track in enumerate(trace.tracks):
        if track.lane is not Lane.ACTIVITY:
            found[track.model].append(number)
    return found


def _sequence(trace: Trace, tracks: list[int]) -> tuple[NDArray[np.int64], str]:
    """Kernels and copies in order of time, and for each a letter that says where it was."""
    devices = [n for n in tracks if trace.tracks[n].family in ("gpu", "npu")]
    letter = np.full(len(trace.tracks), ord(_CPU), np.uint8)
    letter[devices] = ord(_DEVICE)
    computes = np.array([track.lane is Lane.COMPUTE for track in trace.tracks] or [False])
    mine = np.isin(trace.track, tracks)
    kernel = mine & (trace.kind == _KERNEL) & computes[trace.track]
    copy = mine & np.isin(trace.kind, _COPIES)
    spans = np.flatnonzero(kernel | copy)
    spans = spans[np.argsort(trace.start_ns[spans], kind="stable")]
    shown = np.where(copy[spans], np.uint8(ord(_MOVE)), letter[trace.track[spans]])
    return spans, shown.astype(np.uint8).tobytes().decode("ascii")
