"""What a measurement went through, phase by phase: time of loading, memory held."""

from dataclasses import dataclass
from statistics import median

from inspector import units
from inspector.report import Memory, PerformanceReport

_MORE = ", since it then keeps the graph's own copies of weights, too"
_TELLING_BYTES = 4 << 20  # of a smaller model, the runtime's own memory hides the copies


@dataclass(frozen=True, slots=True)
class TimedPhase:
    """A phase with its time; inside: it is part of the one before it that is not."""

    name: str
    duration_ns: int
    inside: bool = False


@dataclass(frozen=True, slots=True)
class HeldPhase:
    """Memory after a phase, and the high-water mark until then; None where not known."""

    name: str
    resident_bytes: int
    peak_bytes: int | None


def timed_phases(report: PerformanceReport) -> tuple[TimedPhase, ...]:
    """Phases from loading to the last prediction before the clean ones."""
    loading = (
        TimedPhase(phase.name, phase.duration_ns, bool(phase.inside))
        for phase in report.load_phases
    )
    warm = TimedPhase(
        f"warm-up, {units.plural(len(report.warmup_ns), 'prediction')}", sum(report.warmup_ns)
    )
    return (
        *loading,
        TimedPhase("first prediction", report.first_prediction_ns),
        *((warm,) if report.warmup_ns else ()),
    )


def loading_words(report: PerformanceReport) -> tuple[str, ...]:
    """Sentences that say what the phases of loading are of."""
    found = []
    again = report.loads_ns[1:]
    if again:
        found.append(
            f"Loaded again, with file and runtime warm: {units.duration(median(again))}"
            f" ({units.duration(min(again))} to {units.duration(max(again))}, "
            f"{units.plural(len(again), 'load')})."
        )
    if report.spec.phases and report.load_phases:
        found.append("Phases are from the runtime's log of one more load, made for them.")
    elif report.load_phases:
        found.append("Phases of loading are those that the profiled session tells.")
    return tuple(found)


def memory_note(memory: Memory) -> str:
    """Return what stands beside a model's peak memory, that of the process around it."""
    return f"whole process {units.size(memory.peak_bytes)}"


def held_phases(memory: Memory) -> tuple[HeldPhase, ...]:
    """Memory of the engine after each phase that was looked at, in their order."""
    phases = (
        HeldPhase("engine without a model", memory.start_bytes, None),
        HeldPhase("after loading", memory.loaded_bytes, memory.loaded_peak_bytes or None),
        HeldPhase(
            "after the first prediction",
            memory.first_prediction_bytes,
            memory.first_prediction_peak_bytes or None,
        ),
        HeldPhase("after all predictions", memory.end_bytes, memory.peak_bytes),
        HeldPhase("session closed", memory.closed_bytes, None),
        HeldPhase("after giving back unused", memory.trimmed_bytes, None),
    )
    return tuple(phase for phase in phases if phase.resident_bytes)


def memory_words(memory: Memory, file_bytes: int = 0) -> tuple[str, ...]:
    """Sentences that say what the memory is for, as far as it is known.

    file_bytes: of the model as it is stored; 0 where that is not known.
    """
    found = [_beside(memory)]
    found += _copies(memory, file_bytes)
    found += packing_words(memory)
    used, held = memory.arena_used_bytes, memory.arena_held_bytes
    if held and used <= held:
        found.append(
            f"Tensors took {units.size(used)} of "
            f"{units.size(held)} that the runtime's arenas held, profiled."
        )
    elif held:  # its peak is of the whole session, loading included
        found.append(
            f"The runtime's arenas gave out {units.size(used)} at most, loading included, "
            f"and held {units.size(held)} while profiled."
        )
    if memory.trimmed_bytes:
        back = units.size(max(0, memory.end_bytes - memory.trimmed_bytes))
        found.append(
            f"Closing the session and trimming gave {back} back; without trimming "
            f"{units.size(max(0, memory.end_bytes - memory.closed_bytes))}."
        )
    return tuple(found)


def _beside(memory: Memory) -> str:
    """What loading added to the weights, and what of that the session holds if it is known."""
    weights, told = units.size(memory.weights_bytes), memory.packing
    if told is None or not told.held_bytes:
        beside = units.size(memory.beside_weights_bytes)
        return (
            f"Weights {weights}; loading kept {beside} beside them: prepacked copies, the "
            "graph, buffers."
        )
    more = max(0, memory.loaded_bytes - memory.start_bytes)
    return (
        f"Weights {weights}; loading added {units.size(more)}: what the session holds, what "
        "the runtime needs itself, and what was freed and not given back."
    )


def packing_words(memory: Memory) -> tuple[str, ...]:
    """Sentences that say what kernels prepacked, and what a session holds with that."""
    told = memory.packing
    if told is None:
        return ()
    found = []
    if told.prepacked_bytes:
        found.append(
            f"Kernels prepacked {units.size(told.replaced_bytes)} of weights into "
            f"{units.size(told.prepacked_bytes)}, and the session keeps these in their place."
        )
    elif told.prepacked_bytes == 0:
        found.append("Kernels prepacked no weights: the session keeps them as they are.")
    if told.held_bytes:
        held, plain = units.size(told.held_bytes), units.size(told.held_plain_bytes)
        sure = units.size(told.spread_bytes)
        alike = abs(told.held_bytes - told.held_plain_bytes) <= told.spread_bytes
        found.append(
            f"A session holds {held}, and the difference that prepacking makes is below what "
            f"can be measured ({sure})."
            if alike
            else f"A session holds {held}, or {plain} without prepacking"
            f"{_MORE if told.held_plain_bytes > told.held_bytes else ''} (to {sure}, "
            f"{units.plural(told.loads, 'load')} each)."
        )
    return tuple(found)


def _copies(memory: Memory, file_bytes: int) -> tuple[str, ...]:
    """Say how many copies of the model there were: its bytes, the graph, packed weights."""
    stored = max(file_bytes, memory.weights_bytes)
    if not file_bytes or stored < _TELLING_BYTES or not memory.loaded_peak_bytes:
        return ()
    most = max(0, memory.loaded_peak_bytes - memory.start_bytes)
    kept = max(0, memory.loaded_bytes - memory.start_bytes)
    return (
        f"Stored, the model has {units.size(stored)}; loading took up to {units.size(most)} "
        f"({most / stored:.1f} copies) and the session kept {units.size(kept)} "
        f"({kept / stored:.1f}).",
    )
