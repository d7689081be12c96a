"""A decoder graph that is fed tokens: its cache stays with it, from call to call.

The cache is "shared" where the graph writes new keys and values into the buffer of the past
ones, "copied" where each call returns all of them anew, and "none" where there is no cache and
every call computes all tokens again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import prod
from pathlib import Path
from time import perf_counter_ns
from types import MappingProxyType

import numpy as np
import onnxruntime
from msgspec import Struct
from numpy.typing import NDArray

from inspector.analysis.language.attention import position_limit
from inspector.backends import signature, type_names
from inspector.backends.array_files import Feed
from inspector.backends.base import StopSignal
from inspector.backends.generation.conversation import Conversation, FeedStopped
from inspector.backends.generation.roles import (
    Array,
    Roles,
    State,
    find_roles,
    fitted_feed,
    further_inputs,
)
from inspector.backends.onnxruntime.generation.in_place import writes_in_place
from inspector.backends.onnxruntime.sessions import refusals
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.formats.folders.reading import model_name
from inspector.formats.onnx.element_types import ELEMENTS
from inspector.platform.memory_budget import own_limit_bytes
from inspector.preview.inputs.model_states import states
from inspector.units import clip, shape, size
from inspector.wording.values import Count, Sentence

SHARED = "shared"
COPIED = "copied"
NONE = "none"
NOTHING_GIVEN: Mapping[str, Feed] = MappingProxyType({})
LOGITS_BYTES = 64 << 20  # of one piece of a prompt: with a large vocabulary it has fewer tokens
# The share of this process's memory that a cache or the logits of one call may take: the
# weights and the work of the layers need the rest.
_SHARE = 0.7
_CHECKED_CALLS = 2  # of which the shapes of copied states are compared: a prompt and a step
_ELEMENT_NUMBERS = {name: number for number, name in ELEMENTS.items()}


class Graphs(Struct, frozen=True):
    """Sessions of a decoder.

    session: takes tokens after others. first: of another graph, which takes the first ones;
    None where `session` takes these too. in_place: whether the cache's buffer is shared.
    context_limit: how many tokens the graph can count; 0 where nothing says so. name: of the
    model, for messages.
    """

    session: onnxruntime.InferenceSession
    first: onnxruntime.InferenceSession | None = None
    in_place: bool = False
    context_limit: int = 0
    name: str = "the model"


def graphs_of(
    model: Path,
    session: onnxruntime.InferenceSession,
    continuation: onnxruntime.InferenceSession | None = None,
    given: Mapping[str, Feed] = NOTHING_GIVEN,
) -> Graphs:
    """Return the sessions of a decoder, with what the file of the model says of its cache.

    continuation: of the graph that goes on with what this one remembers, where that is another.
    given: values of further inputs.
    """
    read = opening.open_model(model)
    name = model_name(model)
    found = _roles_of(session, name, given)
    in_place = continuation is None and writes_in_place(read, found)
    limit = position_limit(read)
    if continuation is None:
        return Graphs(session, None, in_place, limit, name)
    return Graphs(continuation, session, False, limit, name)


def open_conversation(
    model: Path,
    session: onnxruntime.InferenceSession,
    continuation: onnxruntime.InferenceSession | None,
    given: Mapping[str, Feed],
) -> Conversation:
    """Return what generates text with sessions; as `graphs_of` and `Decoder`."""
    return Conversation(Decoder(graphs_of(model, session, continuation, given), given))


class Decoder:
    """Feeds tokens to a decoder graph and keeps its cache.

    Rows of a batch have equal lengths. length: tokens in the cache, of each row. given: values
    of further inputs, the same in each call. Raises BadInput: the graph is no decoder, or needs
    what is not known.
    """

    def __init__(self, graphs: Graphs, given: Mapping[str, Feed] = NOTHING_GIVEN) -> None:
        self.graphs = graphs
        # What the graph of the first call says of an encoder's output, for all later calls.
        self._constants = _constants(graphs, given)
        known = {*given, *self._constants}
        self.roles = _roles_of(graphs.session, graphs.name, known)
        self.length, self.batch, self.capacity = 0, 1, 0
        self.vocabulary = self.roles.vocabulary
        self._run = _Binding(graphs.session, self.roles, graphs.name, given)
        self._first = None
        if graphs.first is not None:
            found = _roles_of(graphs.first, graphs.name, given)
            self._first = _Binding(graphs.first, found, graphs.name, given)
        self._past: NDArray[np.int64] = np.zeros((1, 0), np.int64)  # of a graph without cache
        self._buffers: list[Array] = []  # of a shared cache
        self._values: list[onnxruntime.OrtValue | Array] = []  # of a copied one
        self._unchecked = 0  # calls whose states are still looked at
        self._steps_fit = False  # whether a single token needs no look at the memory for logits
        self._looked = 0, 0, 0  # tokens, asked piece, and piece that fits, of the last look
        self._options = _run_options()

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self.graphs.name

    @property
    def context_limit(self) -> int:
        """Return how many tokens the graph can count; 0 where nothing says so."""
        return self.graphs.context_limit

    @property
    def cache(self) -> str:
        """Return how earlier tokens are remembered: "shared", "copied" or "none"."""
        if not self.roles.states:
            return NONE
        return SHARED if self.graphs.in_place else COPIED

    @property
    def takes_pieces(self) -> bool:
        """Return whether a prompt may be fed piece by piece.

        One graph for prompts and another for what follows, or two branches in one, may take
        single tokens only in the second; so does GroupQueryAttention for more than one row.
        """
        branches = any(name.lower() == "use_cache_branch" for name in self.roles.others)
        rows = self.cache == SHARED and self.batch > 1
        return self.cache != NONE and self.graphs.first is None and not branches and not rows

    @property
    def cache_bytes(self) -> int:
        """Return what the cache takes: of a shared one the whole buffer."""
        tokens = self.capacity if self.cache == SHARED else self.length
        return self._cache_bytes(tokens)

    def begin(self, capacity: int, batch: int = 1) -> None:
        """Forget all tokens; make room for so many in each of `batch` rows.

        Raises BadInput: this process may not take the memory.
        """
        if batch != self.batch:
            self.batch, self.capacity, self._buffers = batch, 0, []
            self._steps_fit = False
        self.length = 0
        self._past = np.zeros((batch, 0), np.int64)
        self.reserve(capacity)
        self._values = [_empty(state, batch) for state in self.roles.states]
        self._unchecked = _CHECKED_CALLS

    def reserve(self, capacity: int) -> None:
        """Make room for so many tokens, and keep those that are there. Raises BadInput."""
        needed = self._cache_bytes(capacity)
        limit = int(own_limit_bytes() * _SHARE)
        if needed > limit:
            why = Sentence(
                "a cache for {tokens} would take {needed}, but the engine process may "
                "take {limit}",
                tokens=Count(capacity, "token"),
                needed=size(needed),
                limit=size(limit),
            )
            what = Sentence("Could not generate text with {name}", clip(self.graphs.name))
            hint = "Set a smaller context, or generate fewer tokens."
            raise BadInput(what, why, hint, "generation")
        if self.cache != SHARED:
            self.capacity = capacity
            return
        if self._buffers and capacity <= self.capacity:
            return
        made = [
            # Of zeros nobody writes the pages: only those of tokens take memory.
            np.zeros(state.shape(self.batch, capacity), state.dtype)
            for state in self.roles.states
        ]
        for state, old, new in zip(self.roles.states, self._buffers, made, strict=False):
            _first(new, state, self.length)[...] = _first(old, state, self.length)
        self._buffers, self.capacity = made, capacity
        for state, buffer in zip(self.roles.states, made, strict=True):
            self._run.bind_input(state.input.name, state.input.dtype, buffer)
            self._run.bind_output(state.output, state.input.dtype, buffer)

    def rewind(self, length: int) -> None:
        """Go back to the first tokens. Raises ValueError: a state of fixed size cannot."""
        if length == self.length:
            return
        if length and any(state.length_axis is None for state in self.roles.states):
            raise ValueError("a state that does not grow cannot go back")
        self.length = length
        self._past = self._past[:, :length]
        if self.cache == COPIED:
            self._values = [
                _empty(state, self.batch)
                if not length
                else value
                if state.fixed
                else _first(_elements(value, state.input.dtype), state, length).copy()
                for state, value in zip(self.roles.states, self._values, strict=True)
            ]

    def feed(
        self,
        ids: NDArray[np.int64],
        stop: StopSignal | None = None,
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float32]:
        """Feed tokens, and return the logits of the last position, (batch, vocabulary).

        ids: (batch, tokens), at least one. stop: ends the call that runs. piece: feed so many
        at a time; 0: all at once, or as the memory for logits allows. report: hears how many
        have been fed. Raises FeedStopped, BadInput, EngineFailed; `length` then says which
        tokens are in the cache.
        """
        total = ids.shape[1]
        if total > 1 or not self._steps_fit:
            piece = self._look_at_memory(total, piece)
        piece = piece or total
        for start in range(0, total, piece):
            part = ids[:, start : start + piece]
            try:
                if stop is None:
                    logits = self._call(part, None)
                else:
                    with stop.calling(self._terminate):
                        logits = self._call(part, self._options)
            except REFUSALS as error:
                if stop is not None and stop.requested:
                    self._options = _run_options()
                    raise FeedStopped from error
                raise refusals.runtime_failure(error, self._what, "generation") from error
            report(min(total, start + piece))
        if self._options.terminate:  # it was told when the last call had ended
            self._options = _run_options()
        return logits.astype(np.float32)  # a copy: the next call writes into the same memory

    def first_token(
        self,
        ids: NDArray[np.int64],
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> tuple[NDArray[np.int64], int]:
        """Feed a prompt, (batch, tokens); return what `step` does. Raises as `feed`."""
        logits = self.feed(ids, None, piece, report)
        ended = perf_counter_ns()
        return logits.argmax(axis=1, keepdims=True), ended

    def step(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
        """Feed one token of each row, (batch, 1); return the likeliest next ones, and when the
        runtime was done with it, as `perf_counter_ns` counts.

        Does what a loop over the graph has to do, and no more. Raises what the runtime does;
        BadInput.
        """
        if not self._steps_fit:
            self._look_at_memory(1)
        logits = self._call(ids, None)
        ended = perf_counter_ns()
        return logits.argmax(axis=1, keepdims=True), ended

    def _look_at_memory(self, total: int, piece: int = 0) -> int:
        """Return how many tokens a call takes. Raises BadInput: none does."""
        if self._steps_fit and self._looked[:2] == (total, piece):
            return self._looked[2]
        fitting = self._fitting_piece(piece or total, total)
        self._steps_fit = self.takes_pieces and self.vocabulary > 0
        self._looked = total, piece, fitting
        return fitting

    def _terminate(self) -> None:
        """End the call that runs."""
        self._options.terminate = True

    @property
    def _what(self) -> Sentence:
        return Sentence("Could not generate text with {name}", clip(self.graphs.name))

    def _call(self, part: NDArray[np.int64], options: onnxruntime.RunOptions | None) -> Array:
        """Return the logits of the last position, (batch, vocabulary), until the next call."""
        states = self.roles.states
        new, past = part.shape[1], self.length
        if not states:
            whole = np.concatenate((self._past, part), axis=1)
            logits, _ = self._run.call(whole, 0, options)
            self._past = whole
        elif self.graphs.in_place:
            if past + new > self.capacity:
                self.reserve(max(past + new, 2 * self.capacity))
            logits, _ = self._run.call(part, past, options)
        else:
            run = self._run
            if self._first is not None and not past:
                run = self._first
            else:
                for state, value in zip(states, self._values, strict=True):
                    run.bind_input(state.input.name, state.input.dtype, value)
            wanted = [state.output for state in states]
            if run is self._first:
                wanted += self._constants.values()
            logits, values = run.call(part, past, options, wanted)
            if run is self._first:
                for name, value in zip(self._constants, values[len(states) :], strict=True):
                    self._run.bind_input(name, "", value)
                values = values[: len(states)]
            if self._unchecked:
                self._check(values, past + new)
                self._unchecked -= 1
            # A graph that has been told what an encoder said may return nothing for it.
            self._values = [
                before if state.fixed and not prod(value.shape()) else value
                for state, before, value in zip(states, self._values, values, strict=True)
            ]
        self.length += new
        self.vocabulary = logits.shape[-1]
        return logits

    def _check(self, values: Sequence[onnxruntime.OrtValue], length: int) -> None:
        """Raise EngineFailed where the graph returns states of other shapes than it takes."""
        for state, value in zip(self.roles.states, values, strict=True):
            wanted, made = state.shape(self.batch, length), tuple(value.shape())
            if made != wanted and not state.fixed:
                why = Sentence(
                    "its output '{output}' has the shape {made} after {tokens}, but the next "
                    "call takes {wanted}",
                    output=clip(state.output),
                    made=shape(made),
                    tokens=Count(length, "token"),
                    wanted=shape(wanted),
                )
                raise EngineFailed(self._what, why, "Export the model again.", "generation")

    def _fitting_piece(self, piece: int, total: int) -> int:
        """Return how many tokens a call takes. Raises BadInput: none does."""
        roles = self.roles
        if self._first is not None and not self.length:
            roles = self._first.roles
        row = self.batch * self.vocabulary * type_names.least_bytes(roles.logits.dtype)
        at_once = 1 if self.takes_pieces else total + self.length
        # Asked only where it may matter: some systems take longer to tell than a step.
        large = row * at_once > LOGITS_BYTES
        limit = int(own_limit_bytes() * _SHARE) if large else LOGITS_BYTES
        if row * at_once > limit:
            why = Sentence(
                "the logits of {tokens} over {vocabulary} would take {needed}, but the engine "
                "process may take {limit}",
                tokens=Count(at_once, "token"),
                vocabulary=Count(self.vocabulary, "token"),
                needed=size(row * at_once),
                limit=size(limit),
            )
            hint = "Use a shorter prompt, or an export that gives the last logits only."
            raise BadInput(self._what, why, hint, "generation")
        step = roles.step
        if step and at_once % step if self.cache == NONE else step and total % step:
            why = Sentence(
                "its input '{input}' takes exactly {tokens}",
                input=clip(roles.ids.name),
                tokens=Count(step, "token"),
            )
            hint = "Only models with a dynamic sequence length can continue a prompt."
            raise BadInput(self._what, why, hint, "generation")
        if step and self.cache != NONE:
            return step
        if not self.takes_pieces:
            one_by_one = self.cache == SHARED and self.length > 0  # in more than one row
            return 1 if one_by_one else total
        return max(1, min(piece, LOGITS_BYTES // row if row else piece))

    def _cache_bytes(self, tokens: int) -> int:
        return sum(state.size_bytes(self.batch, tokens) for state in self.roles.states)


class _Binding:
    """A session whose inputs and outputs stay bound between calls where they can."""

    def __init__(
        self,
        session: onnxruntime.InferenceSession,
        found: Roles,
        name: str,
        given: Mapping[str, Feed],
    ) -> None:
        self._session, self.roles, self._name = session, found, name
        self._binding = session.io_binding()
        self._inputs: dict[str, Array | onnxruntime.OrtValue] = {}  # that the binding points at
        self._outputs: dict[str, Array | None] = {}  # in its order; None: the runtime's memory
        # For logits, where it is known how many there are, and at which positions.
        self._memory: Array | None = None
        self._every_position: bool | None = None
        self._memory_bound = False
        self._last: Array = np.zeros((0, 0))  # logits of the last position
        known = type_names.numpy_type(found.ids.dtype)
        assert known is not None, "tokens are integers"
        self._ids_type, self._rank = known, len(found.ids.shape or (0, 0))
        self._ids: Array = np.zeros((0, 0), known)  # bound memory, as large as the last tokens
        self._feeds = tuple((name, *made) for name, made in found.others.items())
        for info in signature.tensor_infos(session.get_inputs()):
            if info.name in given:
                self.bind_input(info.name, info.dtype, fitted_feed(info, given[info.name]))

    def bind_input(self, name: str, dtype: str, value: onnxruntime.OrtValue | Array) -> None:
        """Bind an input to memory or to a value of the runtime, and keep that."""
        self._inputs[name] = value
        if isinstance(value, np.ndarray):
            number = _ELEMENT_NUMBERS[dtype]
            address, _ = value.__array_interface__["data"]
            self._binding.bind_input(name, "cpu", 0, number, value.shape, address)
        else:
            self._binding.bind_ortvalue_input(name, value)

    def bind_output(self, name: str, dtype: str = "", memory: Array | None = None) -> None:
        """Bind an output to memory, or let the runtime allocate it in the next call."""
        self._outputs[name] = memory
        if memory is None:
            self._binding.bind_output(name, "cpu")
        else:
            number, address = _ELEMENT_NUMBERS[dtype], memory.ctypes.data
            self._binding.bind_output(name, "cpu", 0, number, memory.shape, address)

    def call(
        self,
        ids: NDArray[np.int64],
        past: int,
        options: onnxruntime.RunOptions | None,
        wanted: Sequence[str] = (),
    ) -> tuple[Array, Sequence[onnxruntime.OrtValue]]:
        """Run once: the logits of the last position, (batch, vocabulary), and outputs.

        The logits lie where the next call writes its own.
        """
        batch, new = ids.shape
        if self._ids.shape != ids.shape:
            self._ids = np.empty(ids.shape, self._ids_type)
            self._bind_integers(
                self.roles.ids.name, self._ids if self._rank != 1 else self._ids[0]
            )
            self._bind_logits(batch, new)
        self._ids[...] = ids
        for name, dtype, make in self._feeds:
            value = make(new, past, batch)
            if value.dtype.kind == "i":
                self._bind_integers(name, value)
            else:
                self.bind_input(name, dtype, value)
        for name in wanted:
            self.bind_output(name)
        self._session.run_with_iobinding(self._binding, options)
        if self._memory_bound and not wanted:
            return self._last, ()
        made = dict(zip(self._outputs, self._binding.get_outputs(), strict=True))
        if not self._memory_bound:
            self._keep_last(made[self.roles.logits.name], batch, new)
        return self._last, [made[name] for name in wanted]

    def _bind_integers(self, name: str, value: Array) -> None:
        """Bind an input as `bind_input`, in a third of its time."""
        self._inputs[name] = value
        self._binding.bind_cpu_input(name, value)

    def _bind_logits(self, batch: int, new: int) -> None:
        """Bind the output for logits to memory of our own, which is not made anew each time."""
        info, memory = self.roles.logits, self._memory
        self._memory_bound = memory is not None and (
            new == 1 or self._every_position is not None
        )
        if memory is None or not self._memory_bound:
            self.bind_output(info.name)
            return
        axes = batch, (new if self._every_position else 1), self._last.shape[-1]
        if memory.size < prod(axes):
            memory = self._memory = np.empty(prod(axes), memory.dtype)
        rows = memory[: prod(axes)].reshape(axes)
        self.bind_output(info.name, info.dtype, rows)
        self._last = rows[:, -1]

    def _keep_last(self, value: onnxruntime.OrtValue, batch: int, new: int) -> None:
        """Copy the logits of the last position where the runtime has allocated them."""
        whole, info = tuple(value.shape()), self.roles.logits
        fits = len(whole) == 3 and whole[0] == batch and whole[1] in (1, new) and whole[2]
        if not fits or whole[2] != (self.roles.vocabulary or whole[2]):
            why = Sentence(
                "its output '{output}' has the shape {shape}, not one row of scores for each "
                "of {tokens}",
                output=clip(info.name),
                shape=shape(whole),
                tokens=Count(new, "token"),
            )
            what = Sentence("Could not generate text with {name}", clip(self._name))
            raise EngineFailed(what, why, "Export the model again.", "generation")
        self._last = _elements(value, info.dtype)[:, -1].copy()
        if new > 1:
            self._every_position = whole[1] == new
        self._memory = np.empty(0, self._last.dtype)
        self._ids = self._ids[:, :0]  # so that the next call binds it


def _run_options() -> onnxruntime.RunOptions:
    options = onnxruntime.RunOptions()
    # The default, said aloud: where it is not said, the package raises and catches an error in
    # each call, which takes longer than the rest of it.
    options.add_run_config_entry("gpu_graph_id", "0")
    return options


def _roles_of(
    session: onnxruntime.InferenceSession, name: str, given: Collection[str] = ()
) -> Roles:
    inputs = signature.tensor_infos(session.get_inputs())
    return find_roles(inputs, signature.tensor_infos(session.get_outputs()), name, given)


def _constants(graphs: Graphs, given: Mapping[str, Feed]) -> dict[str, str]:
    """Return the inputs of the graph that goes on which the first call fills once and for all:
    keys and values of what an encoder said, each with the output of the first graph."""
    if graphs.first is None:
        return {}
    inputs = signature.tensor_infos(graphs.session.get_inputs())
    more = further_inputs(inputs, signature.tensor_infos(graphs.session.get_outputs()))
    open_inputs = [info for info in inputs if info.name in more and info.name not in given]
    pairs = states(open_inputs, signature.tensor_infos(graphs.first.get_outputs()))
    return {pair.input: pair.output for pair in pairs}


def _empty(state: State, batch: int) -> Array:
    """Return a state before the first token."""
    return np.zeros(state.shape(batch, 0), state.dtype)


class _Memory:
    """The memory of a value of the runtime, for an array that keeps it."""

    def __init__(
        self, value: onnxruntime.OrtValue, axes: tuple[int, ...], dtype: np.dtype[np.generic]
    ) -> None:
        self._value = value
        self.__array_interface__ = {
            "data": (value.data_ptr(), False),
            "shape": axes,
            "typestr": dtype.str,
            "version": 3,
        }


def _elements(value: onnxruntime.OrtValue | Array, dtype: str) -> Array:
    """Return the elements of a value where they lie."""
    if isinstance(value, np.ndarray):
        return value
    known, axes = type_names.numpy_type(dtype), tuple(value.shape())
    assert known is not None, "checked with the roles"
    if not prod(axes):
        return np.zeros(axes, known)
    return np.asarray(_Memory(value, axes, known)).view(known)


def _first(array: Array, state: State, length: int) -> Array:
    """Return the part of a state that belongs to the first tokens."""
    if state.length_axis is None:
        return array
    return array[(slice(None),) * state.length_axis + (slice(length),)]
