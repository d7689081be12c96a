"""Wrappers around ONNX Runtime's classes: each call of the program becomes a span.

Where the runtime would copy or convert an input out of sight, the same is done here first,
so that it has a beginning and an end; the runtime then finds nothing left to do.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from itertools import count
from pathlib import Path
from time import monotonic_ns, perf_counter_ns, time_ns
from types import ModuleType
from typing import Any, NamedTuple

from inspector.recorder import usage_checks
from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.recorded_sessions import (
    SAVING_PROFILE,
    Captures,
    Profiles,
    Session,
    Sessions,
    nbytes,
    signature,
    text,
)
from inspector.recorder.store import INTERRUPTED_NS, Store
from inspector.recorder.usage_checks import in_event_loop

_NATIVE = "<" if sys.byteorder == "little" else ">"
_MOST = 1000  # call signatures remembered for a session
_BINDING = (
    "bind_cpu_input", "bind_input", "bind_ortvalue_input", "bind_output",
    "bind_ortvalue_output", "copy_outputs_to_cpu",
)  # fmt: skip
_IN_LOOP = "check run: in an event loop"
NOTING_SESSION = "note session (Inspector)"
_MAKING = ("ortvalue_from_numpy", "ortvalue_from_shape_and_type")
_FEEDS = {"run": "input_feed", "run_with_ort_values": "input_dict_ort_values"}


class Step(NamedTuple):
    """One step that an input needs, or only a note about it where `make` is None.

    kind: "copy", "cast" or "check". make: does what the runtime would do.
    """

    name: str
    kind: str
    label: str
    make: Callable[[Any], Any] | None


def needed(input_types: Mapping[str, str], feed: Any) -> list[Step]:
    """Return the conversions that the inputs of a feed need; empty for matching arrays.

    input_types: numpy's name of the type of each input; empty for what is no array of numbers.
    """
    steps: list[Step] = []
    if not isinstance(feed, dict):
        return steps
    for name, value in feed.items():
        flags = getattr(value, "flags", None)
        if flags is None:
            if isinstance(value, (list, tuple)) and input_types.get(name):
                step_name = f"convert {name}: list"
                steps.append(Step(name, "cast", step_name, _converter(input_types[name])))
        elif not flags.c_contiguous:
            steps.append(Step(name, "copy", f"copy {name}: not contiguous", _contiguous))
        elif value.dtype.byteorder not in ("=", "|", _NATIVE):
            steps.append(Step(name, "check", f"check {name}: non-native byte order", None))
    return steps


def mismatches(input_types: Mapping[str, str], feed: Any) -> list[str]:
    """Return messages about inputs whose type is not the model's."""
    if not isinstance(feed, dict):
        return []
    given_types = {name: getattr(value, "dtype", None) for name, value in feed.items()}
    return [
        f"check {name}: {given_types[name]} given, {input_types[name]} expected"
        for name in given_types.keys() & input_types.keys()
        if input_types[name]
        and given_types[name] is not None
        and given_types[name] != input_types[name]
    ]


def _contiguous(value: Any) -> Any:
    return sys.modules["numpy"].ascontiguousarray(value)


def _converter(dtype: str) -> Callable[[Any], Any]:
    def convert(listed: Any) -> Any:
        try:
            return sys.modules["numpy"].asarray(listed, dtype)
        except (ValueError, TypeError, OverflowError):
            return listed  # the runtime's own message says what is wrong with it

    return convert


class Plan(NamedTuple):
    """A prepared call: number of its label, bytes of its inputs, copies needed first."""

    word: int
    size_bytes: int
    steps: Sequence[Step]


def plan(store: Store, own: Session, call: str, feed: Any) -> Plan:
    """Return the cached plan for a call of a session with a feed."""
    try:
        # Types, shapes and strides: all that a plan depends on, where the values are arrays.
        key = (call, *[(n, v.dtype, v.shape, v.strides) for n, v in feed.items()])
        return own.plans[key]  # type: ignore[no-any-return]
    except KeyError:
        new_plan = _make_plan(store, own, call, feed)
        if len(own.plans) >= _MOST:
            own.plans.clear()
        own.plans[key] = new_plan
        return new_plan
    except (AttributeError, TypeError):  # lists, values of the runtime, things unheard of
        return _make_plan(store, own, call, feed)


def _make_plan(store: Store, own: Session, call: str, feed: Any) -> Plan:
    inputs = signature(feed)
    word = store.word((call, inputs), lambda: text(call, inputs))
    return Plan(word, _sum(one.size_bytes for one in inputs), tuple(needed(own.inputs, feed)))


def _sum(sizes: Iterable[Any]) -> int:
    return sum(size for size in sizes if isinstance(size, int))


class _Inside(threading.local):
    """A thread-local flag: whether a recorded call is running."""

    deep = False


class RuntimeWrapper:
    """Replaces methods of the runtime's classes by ones that record, until `detach`."""

    def __init__(
        self, store: Store, folder: Path, nodes: ProfiledRuns, inputs: int = 0
    ) -> None:
        """nodes: runs that are profiled. inputs: of how many runs of each session the inputs
        are kept."""
        self.store, self._profiles = store, Profiles(folder, nodes)
        self._captures = Captures(folder, inputs)
        store.on_capture = self._captures.request
        self._sessions, self._predictions = Sessions(store), count()
        self._inside = _Inside()
        self._originals: list[tuple[type, str, Any]] = []
        self._runtime: Any = None

    def attach(self, module: ModuleType) -> None:
        """Watch a module's sessions, bindings and values."""
        self._runtime = module
        lock, watches = _watching(module)
        with lock:
            watches.append(self)
            self.put_on(module)

    def detach(self) -> None:
        """Restore the original classes and their objects."""
        if self._runtime is not None:
            lock, watches = _watching(self._runtime)
            with lock:
                place = watches.index(self)
                over = watches[place + 1 :]  # they replaced our methods
                for each in reversed(watches[place:]):
                    each.take_off()
                watches.remove(self)
                for each in over:
                    each.put_on(self._runtime)
        self._sessions.forget()

    def put_on(self, module: ModuleType) -> None:
        """Replace the methods."""
        self._replace(module.InferenceSession, "__init__", self._creation)
        self._replace(module.Session, "run", self._run)
        self._replace(module.Session, "run_with_ort_values", self._run)
        self._replace(module.Session, "run_with_iobinding", self._run_bound)
        self._replace(module.Session, "run_async", self._run_async)
        self._replace(module.Session, "end_profiling", self._end_profiling)
        self._replace(module.IOBinding, "__init__", self._binding)
        for name in _BINDING:
            self._replace(module.IOBinding, name, self._plain)
        for name in _MAKING:
            self._replace(module.OrtValue, name, self._plain)
        self._replace(module.OrtValue, "numpy", self._plain)

    def take_off(self) -> None:
        """Give the classes back the methods that they had."""
        for owner, name, original in reversed(self._originals):
            setattr(owner, name, original)
        self._originals.clear()

    def finish(self) -> None:
        """Write the profiles and the last spans."""
        self._profiles.finish()
        self.store.close()

    def _replace(self, owner: Any, name: str, wrap: Callable[[str, Any], Any]) -> None:
        original = owner.__dict__.get(name)
        if original is None:  # an older runtime without it
            return
        self._originals.append((owner, name, original))
        if isinstance(original, classmethod):
            inner = wrap(name, original.__func__)
            setattr(owner, name, classmethod(inner))
        else:
            setattr(owner, name, wrap(name, original))

    def _outermost(self, function: Any, recorded: Any) -> Any:
        """Record only what the program itself calls, not what the runtime does inside."""
        inside = self._inside

        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            if inside.deep:
                return function(*args, **named)
            inside.deep = True
            try:
                return recorded(*args, **named)
            finally:
                inside.deep = False

        return call

    def _put(
        self, start: int, end: int, session: int, kind: str, word: int,
        size: int = 0, prediction: int = -1, thread: int | None = None,
    ) -> None:  # fmt: skip
        number = self.store.here.number if thread is None else thread
        self.store.add((start, end - start, number, session, kind, word, size, prediction))

    def _spent(self, before: int) -> None:
        """Count a call, and the time since an instant as ours; writing a profile is not."""
        spent = perf_counter_ns() - before
        self.store.calls += 1
        if spent < INTERRUPTED_NS:
            self.store.timed += 1
            self.store.own_ns += spent

    def _creation(self, _name: str, function: Any) -> Any:
        def create(session: Any, *positional: Any, **named: Any) -> None:
            if not positional and "path_or_bytes" not in named:
                function(session, **named)  # the runtime's own message says what is missing
                return
            first, args = positional[:1], positional[1:]
            source = first[0] if first else named["path_or_bytes"]
            number = self._sessions.next()
            options = self._runtime.C.SessionOptions
            args, named, restore = self._profiles.switch_on(
                number, source, options, args, named
            )
            begun = [perf_counter_ns(), time_ns(), monotonic_ns()]
            try:
                function(session, *first, *args, **named)
            except BaseException as error:
                self._refused(begun[0], -1, "create session", error)
                raise
            finally:
                profiled = restore()
            end = perf_counter_ns()
            own, fact = self._sessions.describe(session, number, source)
            if profiled is None:
                fact["unprofiled"] = True
            elif profiled:
                fact |= self._profiles.begun(session, own, begun)
            self.store.tell(**fact)
            self._put(begun[0], end, number, "call", self._named(_creation_name(session)))
            requested = args[1] if len(args) > 1 else named.get("providers")
            available = self._runtime.C.get_available_providers()
            note = usage_checks.missing_providers(requested, session.get_providers(), available)
            if note:
                self._put(begun[0], begun[0], number, "check", self._named(note))
            self._note_initializers(session, number, begun[0])
            self._note_options(session, number, begun[0], bool(profiled))
            self.store.mark(number, NOTING_SESSION, end)

        return self._outermost(function, create)

    def _note_initializers(self, session: Any, number: int, at: int) -> None:
        """Note the number of weights that are also inputs, which blocks constant folding."""
        free = len(getattr(session, "get_overridable_initializers", tuple)())
        if free:
            word = self._named(f"check initializers: {free} among the inputs")
            self._put(at, at, number, "check", word)

    def _note_options(self, session: Any, number: int, at: int, profiling_by_us: bool) -> None:
        """Note session options that make it slow: profiling, no optimization."""
        options = session.get_session_options()
        if options.enable_profiling and not profiling_by_us:
            self._put(at, at, number, "check", self._named("check session: profiling is on"))
        if options.graph_optimization_level.name == "ORT_DISABLE_ALL":
            word = self._named("check session: optimization is disabled")
            self._put(at, at, number, "check", word)

    def _end_profiling(self, name: str, function: Any) -> Any:
        def end(session: Any) -> Any:
            if self._profiles.is_own(session):
                self._sessions.session_of(session).profiled_left = 0
                return function(session)
            own, begin = self._sessions.met(session), perf_counter_ns()
            path = function(session)
            self._put(begin, perf_counter_ns(), own.number, "call", self._named(name))
            return path

        return self._outermost(function, end)

    def _refused(self, begin: int, session: int, name: str, error: BaseException) -> None:
        word = self._named(f"{name} failed: {type(error).__name__}")
        self._put(begin, perf_counter_ns(), session, "call", word)

    def _run(self, name: str, function: Any) -> Any:
        place, store, now = _FEEDS[name], self.store, perf_counter_ns
        inside, numbers, captures = self._inside, self._predictions, self._captures
        mark, met = self._sessions.mark, self._sessions.met

        @wraps(function)  # it calls nothing else that is watched
        def run(session: Any, *args: Any, **named: Any) -> Any:
            if inside.deep:
                return function(session, *args, **named)
            entered = now()
            own, prediction = session.__dict__.get(mark) or met(session), next(numbers)
            feed = args[1] if len(args) > 1 else named.get(place)
            if not own.states.done:
                self._note_usage(own, feed, prediction, entered)
            word, size, steps = plan(store, own, name, feed)
            if captures.enabled:
                captures.take(own.number, feed)
            begin = now()
            if steps:
                feed = self._prepared(own, feed, prediction, steps)
                args, named = _replaced(args, named, place, feed)
            try:
                outputs = function(session, *args, **named)
            except BaseException as error:
                for mismatch in mismatches(own.inputs, feed):
                    self._put(
                        begin, begin, own.number, "check", self._named(mismatch), 0, prediction
                    )
                self._refused(begin, own.number, name, error)
                raise
            end = now()
            thread = store.here.number
            store.add((begin, end - begin, thread, own.number, "call", word, size, prediction))
            store.calls += 1
            spent = begin - entered + now() - end
            if spent < INTERRUPTED_NS:
                store.timed += 1
                store.own_ns += spent
            if own.profiled_left:
                self._count_profiled_run(session, own)
            if in_event_loop():
                self._put(
                    begin, begin, own.number, "check", self._named(_IN_LOOP), 0, prediction
                )
            own.runs += 1
            if not own.states.done:
                own.states.take(outputs)
                if own.runs in usage_checks.WATCHED_RUNS:
                    own.casts.start()
            return outputs

        return run

    def _count_profiled_run(self, session: Any, own: Session) -> None:
        """Count a run of a profiled session.

        After the last one the profile is saved, which becomes a row of its own: the program
        would not have spent that time.
        """
        begin = perf_counter_ns()
        if self._profiles.ends_with_run(session, own):
            word = self._named(SAVING_PROFILE)
            self._put(begin, perf_counter_ns(), own.number, "call", word)

    def _note_usage(self, own: Session, feed: Any, prediction: int, at: int) -> None:
        """Note what was done since the run before with its outputs and for these inputs."""
        own.casts.stop()
        for name in (
            own.casts.cast_inputs(feed) if own.runs in usage_checks.WATCHED_RUNS else ()
        ):
            word = self._named(f"check {name}: cast from float64")
            self._put(at, at, own.number, "check", word, 0, prediction)
        size = own.states.returned_bytes(feed)
        if size:
            word = self._named("check states: returned through NumPy")
            self._put(at, at, own.number, "check", word, size, prediction)

    def _prepared(self, own: Session, feed: Any, prediction: int, steps: Sequence[Step]) -> Any:
        """The feed with its copies and conversions made in sight."""
        changed = dict(feed)
        for step in steps:
            begin = perf_counter_ns()
            if step.make is not None:
                changed[step.name] = step.make(feed[step.name])
            end = perf_counter_ns()
            size = nbytes(changed[step.name]) if step.make is not None else 0
            word = self._named(step.label)
            self._put(begin, end, own.number, step.kind, word, size, prediction)
        return changed

    def _run_bound(self, name: str, function: Any) -> Any:
        def run(session: Any, *args: Any, **named: Any) -> Any:
            own, prediction = self._sessions.met(session), next(self._predictions)
            word = self.store.word(name, lambda: name)
            begin = perf_counter_ns()
            result = function(session, *args, **named)
            end = perf_counter_ns()
            self._put(begin, end, own.number, "call", word, 0, prediction)
            self._spent(end)
            self._count_profiled_run(session, own)
            return result

        return self._outermost(function, run)

    def _run_async(self, name: str, function: Any) -> Any:
        def run(session: Any, *args: Any, **named: Any) -> Any:
            callback = args[2] if len(args) > 2 else named.get("callback")
            if callback is None:
                return function(session, *args, **named)  # it says what is missing
            feed = args[1] if len(args) > 1 else named.get("input_feed")
            own, prediction = self._sessions.met(session), next(self._predictions)
            inputs = signature(feed)
            word = self.store.word((name, inputs), lambda: text(name, inputs))
            begin = perf_counter_ns()

            def done(*answer: Any) -> Any:
                end = perf_counter_ns()
                whole = self._named("asynchronous run")
                self._put(begin, end, own.number, "call", whole, 0, prediction, 0)
                return callback(*answer)

            if len(args) > 2:
                args = (*args[:2], done, *args[3:])
            else:
                named |= {"callback": done}
            result = function(session, *args, **named)
            end = perf_counter_ns()
            size = sum([one.size_bytes for one in inputs])
            self._put(begin, end, own.number, "call", word, size, prediction)
            self._spent(end)
            return result

        return self._outermost(function, run)

    def _binding(self, _name: str, function: Any) -> Any:
        @wraps(function)
        def make(binding: Any, session: Any, *args: Any, **named: Any) -> None:
            function(binding, session, *args, **named)
            self._sessions.remember(binding, self._sessions.met(session))

        return make

    def _plain(self, name: str, function: Any) -> Any:
        """A call that is recorded with its size; copies show in the data lane as well."""

        def call(owner: Any, *args: Any, **named: Any) -> Any:
            own = self._sessions.session_of(owner)
            begin = perf_counter_ns()
            result = function(owner, *args, **named)
            end = perf_counter_ns()
            size = nbytes(result) or sum(map(nbytes, args))
            self._put(begin, end, own.number, "call", self._named(name), size)
            if name == "copy_outputs_to_cpu":
                word = self._named("copy outputs")
                self._put(begin, end, own.number, "copy", word, size)
            self._spent(end)
            return result

        return self._outermost(function, call)

    def _named(self, name: str) -> int:
        return self.store.word(name, lambda: name)


def _watching(module: Any) -> tuple[threading.Lock, list[RuntimeWrapper]]:
    """All that watch a module, in order; on the module, where each copy of us finds them."""
    state: tuple[threading.Lock, list[RuntimeWrapper]]
    state = module.__dict__.setdefault("_inspector_watching", (threading.Lock(), []))
    return state


def _replaced(args: Any, named: Any, place: str, feed: Any) -> Any:
    if len(args) > 1:
        return (args[0], feed, *args[2:]), named
    return args, named | {place: feed}


def _creation_name(session: Any) -> str:
    """Name a session's creation: "create session, 1 thread on 2 cores, accepts batches".

    The runtime's 0 threads means one for each core.
    """
    cores = usage_checks.cores()
    threads = session.get_session_options().intra_op_num_threads or cores
    batches = ", accepts batches" * usage_checks.takes_batches(session)
    ends = "s" * (threads != 1), "s" * (cores != 1)
    return f"create session, {threads} thread{ends[0]} on {cores} core{ends[1]}{batches}"
