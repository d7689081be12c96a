"""Sessions of a recorded program: their inputs, call signatures and runtime profiles."""

import io
import os
import re
import stat
import sys
import weakref
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.store import Store
from inspector.recorder.usage_checks import CastWatch, ReturnedStates

_DTYPES = {
    "float": "float32", "double": "float64", "float16": "float16", "bool": "bool",
    **{name: name for name in (
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    )},
}  # fmt: skip
_SHOWN = 6  # inputs named in a call's signature
MOST_BYTES = 512 << 20  # of all saved inputs, against a full disk
_PREFIX = "inputs-"
_LAST_REFERENCES = 3  # of what goes next: by what goes now, by us, and by the call that asks
# Sessions of one file that are profiled: later ones have the same layers, and writing their
# profiles would slow a program that makes many.
MOST_PROFILED = 4
SAVING_PROFILE = "save profile (Inspector)"
_NAMED = re.compile(rf"{_PREFIX}(\d+)-(\d+)-(\d+)\.npz")


class CallInput(NamedTuple):
    """One value of a feed; shape is None for what has none."""

    name: str
    dtype: Any
    shape: tuple[int, ...] | None
    size_bytes: int


def input_types(session: Any) -> dict[str, str]:
    """Numpy's name of the type of each input of a session; empty where there is none."""
    return {
        one.name: _DTYPES.get(one.type.removeprefix("tensor(").rstrip(")"), "")
        for one in session.get_inputs()
    }


def signature(feed: Any) -> tuple[CallInput, ...]:
    """Return name, type and shape of each value of a feed, as a hashable key."""
    if not isinstance(feed, dict):
        return ()
    return tuple([_call_input(name, value) for name, value in feed.items()])


def _call_input(name: Any, value: Any) -> CallInput:
    try:
        return CallInput(str(name), value.dtype, value.shape, value.nbytes)
    except AttributeError:
        return CallInput(str(name), type(value).__name__, None, 0)


def text(call: str, inputs: Sequence[CallInput]) -> str:
    """A call with its arguments: 'run(image float32 1×3×224×224)'."""
    parts = []
    for one in inputs[:_SHOWN]:
        shape = "" if one.shape is None else " " + ("×".join(map(str, one.shape)) or "scalar")
        parts.append(f"{one.name[:60]} {one.dtype}{shape}")
    more = f", {len(inputs) - _SHOWN} more" if len(inputs) > _SHOWN else ""
    return f"{call}({', '.join(parts)}{more})"


def nbytes(value: Any) -> int:
    """Bytes of an array, or of the arrays of a list; 0 for what does not say."""
    if isinstance(value, (list, tuple)):
        return sum(nbytes(one) for one in value[:64])
    size = getattr(value, "nbytes", 0)
    return size if isinstance(size, int) else 0


def identity(source: Any) -> tuple[str, str]:
    """Return a model's file name, and an id that is equal for the same model."""
    if isinstance(source, bytes):
        return "model in memory", f"{len(source)}-{zlib.crc32(source[: 1 << 20])}"
    path = os.path.abspath(os.fspath(source))
    try:
        status = os.stat(path)
        file_id = f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"
    except OSError:
        file_id = str(zlib.crc32(os.fsencode(path)))
    return os.path.basename(path), file_id


class Session:
    """One session. inputs: numpy's name of the type of each; empty where there is none.

    plans: what is known of its calls, by what they were given. runs: how many it has made.
    states, casts: what is noticed about its first runs. profiler: the process that profiles it
    and the runtime's own object of it. release: notes when it goes.
    """

    def __init__(self, number: int, inputs: dict[str, str]) -> None:
        self.number, self.inputs = number, inputs
        self.profiled_left = 0
        self.runs = 0
        self.states, self.casts = ReturnedStates(), CastWatch()
        self.plans: dict[Any, Any] = {}
        self.profiler: tuple[int, weakref.ref[Any]] | None = None
        self.release: Release | None = None

    def end_profile(self) -> bool:
        """Have the runtime write the profile that is under way, if this process began it."""
        process, inner = self.profiler or (0, _nothing)
        left, self.profiled_left, self.profiler = self.profiled_left, 0, None
        held = inner() if left > 0 and process == os.getpid() else None
        if held is not None:
            held.end_profiling()
        return held is not None


class Release:
    """Notes when the runtime releases a session, and how long that takes.

    The program's object goes first. The runtime's own one goes with it, or later with the last
    input or output that the program still holds; only then is its memory free.
    """

    def __init__(self, session: Any, mark: str, own: Session, store: Store) -> None:
        """mark: where the session holds what goes with the last of its attributes."""
        inner, last = getattr(session, "_sess", None), _Last()
        self._store, self._own, self._begin = store, own, 0
        self._inner = _nothing if inner is None else weakref.ref(inner)
        described = (*session.get_inputs(), *session.get_outputs()) if inner is not None else ()
        self._described = [weakref.ref(one, self._let_go) for one in described]
        session.__dict__[mark] = last
        self._watches = [
            weakref.finalize(session, self._leaves),
            weakref.finalize(last, self._left),
            weakref.finalize(session if inner is None else inner, self._released),
        ]
        for watch in self._watches:
            watch.atexit = False

    def detach(self) -> None:
        """Note nothing any more."""
        self._described.clear()
        for watch in self._watches:
            watch.detach()

    def _leaves(self) -> None:
        begin = perf_counter_ns()
        if self._own.end_profile():
            self._store.mark(self._own.number, SAVING_PROFILE, begin)
        self._begin = perf_counter_ns()

    def _left(self) -> None:
        self._begin = 0

    def _let_go(self, _gone: Any) -> None:
        inner = self._inner()
        if not self._watches[0].alive and not self._begin and inner is not None:
            self._begin = perf_counter_ns() * (sys.getrefcount(inner) <= _LAST_REFERENCES)

    def _released(self) -> None:
        self._store.mark(self._own.number, "release session", self._begin)


class _Last:
    """What goes when all that was put on an object before it has gone."""


class Sessions:
    """The sessions and bindings of a recorded program, with their numbers.

    mark: the name by which they hold it: several recordings may be under way at once.
    unknown: what is known of a session of which nothing is.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._numbers = store, count()
        self.mark, self.unknown = f"_inspector_{id(self)}", Session(-1, {})
        self._owners: weakref.WeakSet[Any] = weakref.WeakSet()

    def next(self) -> int:
        """The number of a session that is about to be made."""
        return next(self._numbers)

    def session_of(self, owner: Any) -> Session:
        """Return the record of a session or binding; `unknown` for one without."""
        session: Session = getattr(owner, "__dict__", {}).get(self.mark, self.unknown)
        return session

    def met(self, session: Any) -> Session:
        """Return the record of a session, made now if it is older than the recording.

        The runtime's Python keeps on it what it was made of.
        """
        record = self.session_of(session)
        source = getattr(session, "_model_path", None) or getattr(session, "_model_bytes", None)
        if record is self.unknown and isinstance(source, (str, bytes, os.PathLike)):
            record, fact = self.describe(session, self.next(), source)
            self._store.tell(**fact)
        return record

    def remember(self, owner: Any, session: Session) -> None:
        """Remember facts about an object of the runtime."""
        owner.__dict__[self.mark] = session
        self._owners.add(owner)

    def forget(self) -> None:
        """Leave nothing on the runtime's objects, which may live on for long."""
        for owner in list(self._owners):
            session: Session | None = owner.__dict__.pop(self.mark, None)
            owner.__dict__.pop(f"{self.mark}_last", None)
            if session is not None and session.release is not None:
                session.release.detach()

    def describe(
        self, session: Any, number: int, source: Any
    ) -> tuple[Session, dict[str, Any]]:
        """Remember a new session, and note when it goes; returns what to say of it."""
        own = Session(number, input_types(session))
        self.remember(session, own)
        own.release = Release(session, f"{self.mark}_last", own, self._store)
        named, file_id = identity(source)
        fact = {"session": number, "model": named, "same": file_id}
        if not isinstance(source, bytes):
            fact["path"] = os.path.abspath(os.fsdecode(source))
        return own, fact


class Profiles:
    """Profiles of runs, written by the runtime from the creation of a session on."""

    def __init__(self, folder: Path, runs: ProfiledRuns) -> None:
        self._folder, self._runs = folder, runs
        self._open: weakref.WeakKeyDictionary[Any, Session] = weakref.WeakKeyDictionary()
        self._profiled: Counter[tuple[str, str]] = Counter()  # sessions of each file

    def switch_on(
        self, number: int, source: Any, make: Callable[[], Any], args: Any, named: Any
    ) -> tuple[Any, Any, Callable[[], bool | None]]:
        """Arguments of a session that is profiled, and what gives the options back.

        source: path or bytes of its model. make: new options of a session. A program's own
        profiling is left alone. What gives them back returns whether the session is profiled;
        None: it is not since so many of its file were.
        """
        options = args[0] if args else named.get("sess_options")
        model = "" if isinstance(source, bytes) else os.path.basename(os.fsdecode(source))
        if (options is not None and options.enable_profiling) or not self._runs.includes(
            model, number
        ):
            return args, named, lambda: False
        file = identity(source)
        if self._profiled[file] >= MOST_PROFILED and not self._runs.names_one:
            return args, named, lambda: None
        self._profiled[file] += 1
        options = make() if options is None else options
        before = options.profile_file_prefix
        options.enable_profiling = True
        options.profile_file_prefix = str(self._folder / _prefix(number))

        def restore() -> bool:
            options.enable_profiling, options.profile_file_prefix = False, before
            return True

        if args:
            return (options, *args[1:]), named, restore
        return args, named | {"sess_options": options}, restore

    def begun(self, session: Any, own: Session, clocks: list[int]) -> dict[str, Any]:
        """Return the facts needed to find and read a profile. clocks: just before it began."""
        own.profiled_left = self._runs.last
        own.profiler = os.getpid(), weakref.ref(session._sess)
        self._open[session] = own
        zero = session.get_profiling_start_time_ns()
        fact = {"profile": _prefix(own.number), "zero": zero, "begun": clocks}
        return fact | {"first": self._runs.first}

    def ends_with_run(self, session: Any, own: Session) -> bool:
        """Count a run of a session; return whether it was the last profiled one.

        Then the profile is saved, and the session runs at its usual speed from then on.
        """
        if own.profiled_left != 1:
            own.profiled_left -= own.profiled_left > 0
            return False
        self._open.pop(session, None)
        return own.end_profile()

    def finish(self) -> None:
        """End all profiles, so that they are written."""
        for own in list(self._open.values()):
            own.end_profile()
        self._open.clear()

    def is_own(self, session: Any) -> bool:
        """Return whether the recorder, not the program, enabled a session's profiler."""
        return session in self._open


def _nothing() -> None:
    """Return nothing, in place of an object that is gone."""


def _prefix(number: int) -> str:
    return f"profile-{os.getpid()}-{number}"


class Captures:
    """Writes the feeds of the first calls of each session; not more than 512 MiB in all.

    Each file appears whole or not at all, so that a killed program leaves no half one.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._folder, self._count, self._answered = folder, count, 0
        self.enabled = count > 0
        self._calls_saved: Counter[int] = Counter()
        self._left_bytes = MOST_BYTES
        self.requested = 0

    def request(self, number: int) -> None:
        """Save the inputs of the next run, whatever its session. number: of the request."""
        if number > self.requested:
            self.requested, self.enabled = number, True

    def take(self, session: int, feed: Any) -> None:
        """Keep a feed if it is one of the first; arrays of numbers and texts alone."""
        if not self.enabled or not isinstance(feed, dict):
            return
        if self._answered == self.requested and self._calls_saved[session] >= self._count:
            return
        self._answered = self.requested
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
