"""Profiles of ONNX Runtime, of every version, in the lanes of our own measurements.

The runtime writes four categories: Session (loading and runs), Node (each executed node,
until version 1.20 also the fences around it), and of graphics processors Kernel (what ran on
them, with the name or number of the node that launched it) and Api (the calls that did).
WebGPU writes what ran on the device as Api, named node&operator&program.
"""

from collections.abc import Callable
from enum import IntEnum

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.formats.traces.span_collector import Integers, Spans
from inspector.formats.traces.trace_events import Events
from inspector.trace.device_clock import align, pair_by_order
from inspector.trace.trace import (
    FLOW_KINDS,
    KINDS,
    FlowKind,
    Flows,
    Kind,
    Lane,
    TracedLayer,
    Track,
)

SOURCE = "ONNX Runtime profile"
_KERNEL_TIME = "_kernel_time"
_FENCES = ("_fence_before", "_fence_after")
_PROVIDERS = {
    "CPU": ("CPU", "cpu"), "CUDA": ("CUDA", "gpu"), "Tensorrt": ("TensorRT", "gpu"),
    "NvTensorRTRTX": ("TensorRT RTX", "gpu"), "ROCM": ("ROCm", "gpu"),
    "MIGraphX": ("MIGraphX", "gpu"), "Dml": ("DirectML", "gpu"), "WebGpu": ("WebGPU", "gpu"),
    "Js": ("JavaScript", "gpu"), "WebNN": ("WebNN", "gpu"), "CoreML": ("Core ML", "npu"),
    "XNNPACK": ("XNNPACK", "cpu"), "Xnnpack": ("XNNPACK", "cpu"), "Dnnl": ("oneDNN", "cpu"),
    "ACL": ("Arm Compute Library", "cpu"), "ArmNN": ("Arm NN", "cpu"),
    "Nnapi": ("NNAPI", "npu"), "OpenVINO": ("OpenVINO", "npu"),
    "VitisAI": ("Vitis AI", "npu"), "QNN": ("QNN", "npu"),
}  # fmt: skip
_MOVES = {
    "MemcpyFromHost": Kind.COPY, "MemcpyToHost": Kind.COPY,
    "ReorderInput": Kind.LAYOUT, "ReorderOutput": Kind.LAYOUT,
}  # fmt: skip
_CASTS = ("InsertedPrecisionFreeCast", "InsertedCast")
_KIND = {kind: index for index, kind in enumerate(KINDS)}
_COPY = _KIND[Kind.COPY]
_MOVED = [_KIND[kind] for kind in (Kind.COPY, Kind.CAST, Kind.LAYOUT)]
_SESSION = ("model_run", "session_initialization", "SequentialExecutor::Execute")

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]


class _Home(IntEnum):
    """Groups of tracks, from top to bottom."""

    CALLS = 0
    API = 1
    OTHER = 2
    MOVES = 3
    DEVICE_COPIES = 4
    NODES = 5
    KERNELS = 6


def is_profile(events: Events) -> bool:
    """Return whether at least half of the events are of the runtime's categories and names."""
    recognized = _of(
        events, lambda word: word in _SESSION or word.endswith(_KERNEL_TIME), "name"
    )
    ours = _of(events, {"Session", "Node", "Kernel", "Api"}.__contains__)
    return bool((recognized & ours).any()) and 2 * int(ours.sum()) >= len(events)


def spans(events: Events) -> Spans:
    """Calls as activity, moves as data, kernels on the unit of their provider."""
    events = _with_programs(events)
    names, texts = _names(events)
    node, kernel = _of(events, "Node".__eq__), _of(events, "Kernel".__eq__)
    kind = np.full(len(events), _KIND[Kind.EVENT], np.int64)
    kind[_of(events, {"Session", "Api"}.__contains__)] = _KIND[Kind.CALL]
    kind[node | kernel] = _KIND[Kind.KERNEL]
    for operator, move in _MOVES.items():
        kind[node & _of(events, operator.__eq__, "operator")] = _KIND[move]
    inserted = _of(events, lambda word: word.startswith(_CASTS), "name")
    kind[node & inserted & _of(events, "Cast".__eq__, "operator")] = _KIND[Kind.CAST]
    kind[kernel & _of(events, lambda word: "mem" in word[:8].lower(), "name")] = _COPY
    kind[node & _of(events, _is_fence, "name")] = _KIND[Kind.EVENT]
    layer, layers = _layers(events, names, texts)
    launches = _launches(events, layer)
    columns, begin, end = events.columns, launches.begin, launches.end
    ts, duration_ns = columns["ts"].astype(np.int64), np.maximum(columns["dur"], 0)
    run = _runs(events)
    calls = np.flatnonzero(_of(events, "model_run".__eq__, "name"))
    returned = np.full(len(events) + 1, -1, np.int64)
    returned[run[calls]] = (ts + duration_ns)[calls]
    stops = (ts + duration_ns)[end]
    shift = align(ts[end], stops, ts[begin], returned[run[begin]])
    events = _shifted(events, shift.shift_ns)
    columns = events.columns
    tracks, track = _tracks(events, kind, layer)
    return Spans(
        SOURCE,
        tracks,
        texts,
        {
            "start_ns": columns["ts"],
            "duration_ns": np.maximum(columns["dur"], 0),
            "track": track,
            "kind": kind,
            "name": names,
            "layer": layer,
            "run": _runs(events),
            "size_bytes": np.where(np.isin(kind, _MOVED), columns["size"], 0),
        },
        layers,
        notes=shift.notes,
        counters=events.counters,
        flows=launches,
    )


def _with_programs(events: Events) -> Events:
    """Return WebGPU's programs as kernels of the node in their names."""
    columns, strings = events.columns, list(events.strings)
    named = [word.count("&") > 1 for word in strings]
    rows = _of(events, "Api".__eq__) & np.array(named, np.bool_)[columns["name"]]
    if not rows.any():
        return events
    category, name, parent = (
        columns[key].astype(np.int64) for key in ("category", "name", "parent")
    )
    strings.append("Kernel")
    category[rows] = len(strings) - 1
    for word in np.unique(name[rows]).tolist():
        node, _, program = strings[word].rsplit("&", 2)
        strings += [node, program]
        own = rows & (name == word)
        parent[own], name[own] = len(strings) - 2, len(strings) - 1
    more = {"category": category, "name": name, "parent": parent}
    return replace(events, strings=tuple(strings), columns=columns | more)


def _shifted(events: Events, shift_ns: int) -> Events:
    if not shift_ns:
        return events
    ts = events.columns["ts"].astype(np.int64)
    ts[_of(events, "Kernel".__eq__)] += shift_ns
    return replace(events, columns=events.columns | {"ts": ts})


def _launches(events: Events, layer: Places) -> Flows:
    """Arrows from the node that launched it to each kernel.

    By the order of both, where each execution of a layer launched as many kernels as the
    others; else from the last execution of its layer to begin.
    """
    node = _of(events, "Node".__eq__) & ~_of(events, _is_fence, "name") & (layer >= 0)
    kernels = np.flatnonzero(_of(events, "Kernel".__eq__) & (layer >= 0))
    nodes = np.flatnonzero(node)
    if not len(kernels) or not len(nodes):
        return Flows()
    start = events.columns["ts"].astype(np.int64)
    nodes = nodes[np.lexsort((start[nodes], layer[nodes]))]
    ends = np.searchsorted(layer[nodes], layer[kernels], "right")
    begins = np.searchsorted(layer[nodes], layer[kernels])
    # Of one layer's executions the last that had begun; clocks may differ, so else its first.
    rank = np.argsort(np.argsort(start, kind="stable"), kind="stable")
    key = layer[nodes] * (len(start) + 1) + rank[nodes]
    place = np.searchsorted(key, layer[kernels] * (len(start) + 1) + rank[kernels], "right") - 1
    place = np.clip(place, begins, ends - 1)
    kind = np.full(len(kernels), FLOW_KINDS.index(FlowKind.LAUNCH), np.int64)
    launchers = nodes[place]
    order = np.lexsort((start[kernels], layer[kernels]))
    firsts = np.flatnonzero(np.diff(layer[kernels][order], prepend=-1))
    for works in np.split(order, firsts[1:]):
        own = nodes[begins[works[0]] : ends[works[0]]]
        paired = pair_by_order(own, len(works))
        if paired is not None:
            launchers[works] = paired
    return Flows(launchers, kernels, kind)


def _of(events: Events, accepts: Callable[[str], bool], column: str = "category") -> Mask:
    """Return the events whose text in a column is accepted."""
    matches = np.fromiter(map(accepts, events.strings), np.bool_, len(events.strings))
    return matches[events.columns[column]]


def _is_fence(word: str) -> bool:
    return word.endswith(_FENCES)


def _bare(word: str) -> str:
    """Return a node's name without the runtime's suffix; fences keep a readable one."""
    for fence in _FENCES:
        if word.endswith(fence):
            return f"{word.removesuffix(fence)} {fence[1:].replace('_', ' ')}"
    return word.removesuffix(_KERNEL_TIME)


def _names(events: Events) -> tuple[Places, tuple[str, ...]]:
    """Name of each event and all names; a node without one is called after its operator."""
    columns, texts = events.columns, events.strings
    table: dict[str, int] = {}
    into = np.array([table.setdefault(_bare(word), len(table)) for word in texts], np.int64)
    names = into[columns["name"]]
    unnamed = np.flatnonzero(names == table[""])
    for place in unnamed.tolist():
        operator, number = texts[columns["operator"][place]], int(columns["number"][place])
        name = f"{operator or 'Unnamed'}_{number}" if number >= 0 else operator or "Unnamed"
        names[place] = table.setdefault(name, len(table))
    return names, tuple(table)


def _layers(
    events: Events, names: Places, texts: tuple[str, ...]
) -> tuple[Places, tuple[TracedLayer, ...]]:
    """Return the number of each event's node, and the nodes: by name and operator, in order.

    What ran on a device belongs to the node it names; without a name, to the node next to it.
    """
    columns, strings = events.columns, events.strings
    node = _of(events, "Node".__eq__)
    ran = np.flatnonzero(node & ~_of(events, _is_fence, "name"))
    first, which = _group_equal_rows(names[ran], columns["operator"][ran])
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    layer = np.full(len(events), -1, np.int64)
    layer[ran] = rank[which]
    nodes = ran[first[order]].tolist()
    layers = tuple(
        TracedLayer(index, texts[names[at]], strings[columns["operator"][at]])
        for index, at in enumerate(nodes)
    )
    named = {one.name: one.index for one in reversed(layers)}
    parents = np.array([named.get(_bare(word), -1) for word in strings], np.int64)
    launched = _of(events, {"Kernel", "Api"}.__contains__)
    layer[launched] = parents[columns["parent"][launched]]
    _add_numbered(layer, columns, ran, np.flatnonzero(_of(events, "Kernel".__eq__)))
    lost = np.flatnonzero(_of(events, "Kernel".__eq__) & (layer < 0))
    neighbors = _neighbor_nodes(columns["operator"], ran, lost)
    layer[lost] = np.where(neighbors >= 0, layer[ran[neighbors]] if len(ran) else -1, -1)
    fences = np.flatnonzero(node & _of(events, _is_fence, "name"))
    bases = [named.get(_base(word), -1) for word in strings]
    layer[fences] = np.array(bases, np.int64)[columns["name"][fences]]
    return layer, layers


def _add_numbered(
    layer: Places, columns: dict[str, Integers], ran: Places, kernels: Places
) -> None:
    """Put in the node of kernels that name it by number and operator, where one has both."""
    lost = kernels[(layer[kernels] < 0) & (columns["number"][kernels] >= 0)]
    if not len(lost):
        return
    known: dict[tuple[int, int], int] = {}
    for place in ran.tolist():
        key = int(columns["number"][place]), int(columns["operator"][place])
        one = int(layer[place])
        known[key] = one if known.get(key, one) == one else -1  # of subgraphs, several
    keys = zip(
        columns["number"][lost].tolist(), columns["operator"][lost].tolist(), strict=True
    )
    layer[lost] = [known.get(key, -1) for key in keys]


def _neighbor_nodes(operator: Integers, ran: Places, lost: Places) -> Places:
    """Return the node that each device event is next to in the file; -1 for none.

    It stands after its node, and before 1.10 in front of it: operators tell which.
    """
    before = np.searchsorted(ran, lost) - 1
    after = np.minimum(before + 1, len(ran) - 1)
    if not len(ran):
        return before
    operators = operator[lost]
    fits = [
        (operators != 0) & (at >= 0) & (operator[ran[at]] == operators)
        for at in (before, after)
    ]
    return after if fits[1].sum() > fits[0].sum() else before


def _base(word: str) -> str:
    for fence in _FENCES:
        word = word.removesuffix(fence)
    return word


def _runs(events: Events) -> Places:
    """Return the number of the run that each event lies in; -1 outside. Runs may overlap by
    thread."""
    columns = events.columns
    run = np.flatnonzero(_of(events, "model_run".__eq__, "name"))
    run = run[np.argsort(columns["ts"][run], kind="stable")]
    number = np.arange(len(run))
    begins, ends = columns["ts"][run], (columns["ts"] + columns["dur"])[run]
    runs = np.full(len(events), -1, np.int64)
    if (begins[1:] >= np.maximum.accumulate(ends)[:-1]).all():
        _number(runs, np.arange(len(events)), columns["ts"], begins, ends, number)
        return runs
    for thread in np.unique(columns["thread"][run]):
        own = columns["thread"][run] == thread
        own_events = np.flatnonzero(columns["thread"] == thread)
        _number(runs, own_events, columns["ts"], begins[own], ends[own], number[own])
    return runs


def _number(
    places: Places,
    some: Places,
    ts: Integers,
    begins: Integers,
    ends: Integers,
    numbers: Places,
) -> None:
    if len(begins):
        last = np.searchsorted(begins, ts[some], "right") - 1
        inside = (last >= 0) & (ts[some] <= ends[last])
        places[some[inside]] = numbers[last[inside]]


def _tracks(
    events: Events, kind: Places, layer: Places
) -> tuple[tuple[Track, ...], NDArray[np.int64]]:
    columns = events.columns
    node, kernel = _of(events, "Node".__eq__), _of(events, "Kernel".__eq__)
    home = np.full(len(events), _Home.OTHER, np.int64)
    home[_of(events, "Session".__eq__)] = _Home.CALLS
    home[_of(events, "Api".__eq__)] = _Home.API
    home[node] = np.where(kind[node] == _KIND[Kind.KERNEL], _Home.NODES, _Home.MOVES)
    home[kernel] = np.where(kind[kernel] == _COPY, _Home.DEVICE_COPIES, _Home.KERNELS)
    provider = columns["provider"].astype(np.int64)
    names = np.zeros(int(layer.max(initial=-1)) + 2, np.int64)
    names[layer[node & (provider > 0)]] = provider[node & (provider > 0)]
    provider = np.where(home == _Home.KERNELS, names[layer], provider)
    provider[~np.isin(home, [_Home.NODES, _Home.KERNELS])] = 0
    stream = np.where(home == _Home.KERNELS, columns["stream"], 0)
    # What ran on a device carries the thread that waited for it, which says nothing.
    thread = np.where(np.isin(home, [_Home.KERNELS, _Home.DEVICE_COPIES]), 0, columns["thread"])
    first, track = _group_equal_rows(home, provider, stream, thread)
    keys = np.stack([home[first], provider[first], stream[first], thread[first]], axis=1)
    track_keys = [tuple(key) for key in keys.tolist()]
    families = [_provider(events.strings[key[1]])[1] for key in track_keys]
    order = sorted(
        range(len(track_keys)),
        key=lambda i: (track_keys[i][0], families[i] != "cpu", track_keys[i]),
    )
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return tuple(_track(events, track_keys, track_keys[i]) for i in order), rank[track]


def _group_equal_rows(*columns: Integers) -> tuple[Places, Places]:
    """Groups of rows that are equal: the first row of each, and the group of each row."""
    group = np.zeros(len(columns[0]), np.int64)
    first = np.zeros(0, np.int64)
    for column in columns:
        key = group * (int(column.max(initial=0)) + 1) + column
        # Of numbers; of rows it would take ten times as long, and the interpreter with it.
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), group.astype(np.int64)


def _track(events: Events, every: list[tuple[int, ...]], key: tuple[int, ...]) -> Track:
    home, provider, stream, thread = key
    like = [other[3] for other in every if other[:3] == key[:3]]
    of_thread = f", thread {like.index(thread) + 1}" if len(like) > 1 else ""
    unit, family = _provider(events.strings[provider])
    match home:
        case _Home.CALLS | _Home.API | _Home.OTHER:
            name = {_Home.CALLS: "Activity", _Home.API: "Device API"}.get(_Home(home), "Other")
            return Track(Lane.ACTIVITY, name + of_thread, family="activity")
        case _Home.MOVES | _Home.DEVICE_COPIES:
            name = "Data" if home == _Home.MOVES else "Device copies"
            return Track(Lane.DATA, name + of_thread, family="data")
        case _Home.NODES:
            return Track(Lane.COMPUTE, unit + of_thread, unit.lower(), family)
    stream_text = events.strings[stream]
    name = f"{unit}, stream {stream_text}" if stream_text else f"{unit} kernels"
    return Track(Lane.COMPUTE, name, unit.lower(), family)


def _provider(word: str) -> tuple[str, str]:
    """Return a provider for people, and what its track is colored as."""
    short = word.removesuffix("ExecutionProvider")
    return _PROVIDERS.get(short, (short or "Nodes", "npu" if short else "cpu"))
