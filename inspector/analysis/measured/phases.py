"""Phases of a measurement: durations of loading, and memory held after each."""

from statistics import median

from msgspec import Struct

from inspector import units
from inspector.report.environment import MemoryUse
from inspector.report.report import LoadCache, PerformanceReport
from inspector.wording.values import Count, Duration, Sentence, Size, counted, joined

_MORE = ", because it then keeps the original weights of the graph as well"
_TELLING_BYTES = 4 << 20  # of a smaller model, the runtime's own memory hides the copies
_ADDS_UP = 0.02  # of the load time, which phases of the same load differ from it at most
# How the numbers for memory relate; wherever several of them stand together.
MEMORY_KINDS = (
    "Peak process memory is all that the engine process held, including the runtime. "
    "Peak model memory is that minus the level before loading: the number to quote. The arena "
    "is the part of it that the runtime keeps for tensors. Activation memory, computed from "
    "shapes, is what the tensors between layers need at once, without weights."
)


class TimedPhase(Struct, frozen=True):
    """A phase with its time; inside: it is part of the one before it that is not.

    grown_bytes: by how much memory grew meanwhile; None where that is not known.
    """

    name: str
    duration_ns: int
    inside: bool = False
    grown_bytes: int | None = None

    @property
    def grown_text(self) -> str:
        """Return the growth of memory: '+46.2 MiB'; empty where it is not known."""
        known = self.grown_bytes is not None
        return units.signed(self.grown_bytes or 0, units.size) if known else ""

    @property
    def text(self) -> str:
        """Return time and growth of memory: '284 ms, +46.2 MiB'."""
        return joined(units.duration(self.duration_ns), self.grown_text)


class HeldPhase(Struct, frozen=True):
    """Memory after a phase, and the high-water mark until then; None where not known."""

    name: str
    resident_bytes: int
    peak_bytes: int | None


def timed_phases(report: PerformanceReport) -> tuple[TimedPhase, ...]:
    """Phases from loading to the last prediction before the clean ones."""
    loading = (
        TimedPhase(phase.name, phase.duration_ns, bool(phase.inside), phase.grown_bytes)
        for phase in report.load_phases
    )
    warm = TimedPhase(
        Sentence("warm-up, {runs}", Count(len(report.warmup_ns), "run")), sum(report.warmup_ns)
    )
    later_ns = round(report.median_ns)
    once_ns = report.first_prediction_ns - later_ns
    # What a session does once: shaders and kernels compiled, memory planned, caches filled.
    once = TimedPhase(Sentence("more than the median run"), once_ns, inside=True)
    return (
        *loading,
        TimedPhase("first run", report.first_prediction_ns),
        *((once,) if 0 < later_ns < once_ns else ()),
        *((warm,) if report.warmup_ns else ()),
    )


def loading_sentences(report: PerformanceReport) -> tuple[str, ...]:
    """Sentences that say what the phases of loading are of."""
    sentences = list[str]()
    repeats_ns = report.loads_ns[1:]
    if repeats_ns:
        sentences.append(
            Sentence(
                "Loading again took {duration} (median)"
                " with the file cached ({duration2} to "
                "{duration3}, "
                "{loads}).",
                Duration(median(repeats_ns)),
                Duration(min(repeats_ns)),
                Duration(max(repeats_ns)),
                Count(len(repeats_ns), "load"),
            )
        )
    if report.spec.phases and report.load_phases:
        sentences.append("The phases were timed in a separate load, from ONNX Runtime's log.")
        if any(phase.grown_bytes is not None for phase in report.load_phases):
            sentences.append(
                "Next to the time of a phase is the growth of the process's resident memory in "
                "it, sampled every millisecond; of phases too short for that, it is unknown."
            )
    elif report.load_phases and not _of_the_load(report):
        sentences.append(
            "The phases of loading were timed in the profiled session, so they do not add up "
            "to the load time."
        )
    return (*sentences, *_cache_sentences(report.load_cache))


def _of_the_load(report: PerformanceReport) -> bool:
    """Return whether the phases are parts of the load that is told, not of another one."""
    whole = sum(phase.duration_ns for phase in report.load_phases if not phase.inside)
    return abs(whole - report.load_ns) <= _ADDS_UP * report.load_ns


def cache_outcome(cache: LoadCache | None) -> str:
    """Return "hit" or "miss" for the first load; empty where that is unknown."""
    if cache is None or not cache.written:
        return ""
    return "miss" if cache.written[0] else "hit" if cache.files or cache.told else ""


def _cache_sentences(cache: LoadCache | None) -> tuple[str, ...]:
    if cache is None or not cache.written:
        return ()
    folder, first = "the execution provider's cache folder", cache.written[0]
    later = sum(map(bool, cache.written[1:]))
    again = f" {units.plural(later, 'later load')} wrote there, too." if later else ""
    match cache_outcome(cache):
        case "miss":
            text = Sentence(
                "Cache miss: the first load wrote {files} into {folder}.",
                Count(first, "file"),
                folder,
            )
        case "hit" if cache.told:
            text = Sentence("Cache hit: the first load read the compiled model from {folder}.",
                            folder)  # fmt: skip
        case "hit":
            held = counted(cache.files, "file")
            text = Sentence(
                "Cache hit, probably: the first load wrote nothing into {folder}, with {held}.",
                folder,
                held,
            )
        case _:
            text = Sentence(
                "Cache: unknown. The first load wrote nothing into {folder}, which was empty.",
                folder,
            )
    return (text + again,)


def memory_note(memory: MemoryUse) -> Sentence:
    """Return the text next to a model's peak memory: that of the whole process."""
    return Sentence("process peak {size}", Size(memory.peak_bytes))


def held_phases(memory: MemoryUse) -> tuple[HeldPhase, ...]:
    """Memory of the engine after each phase that was looked at, in their order."""
    phases = (
        HeldPhase("before loading", memory.start_bytes, None),
        HeldPhase("after loading", memory.loaded_bytes, memory.loaded_peak_bytes or None),
        HeldPhase(
            "after the first run",
            memory.first_prediction_bytes,
            memory.first_prediction_peak_bytes or None,
        ),
        HeldPhase("after all runs", memory.end_bytes, memory.peak_bytes),
    )
    # What is needed to read the results may be more than what closing the session freed.
    freed = (
        HeldPhase("after closing the session", memory.closed_bytes, None),
        HeldPhase("after returning free memory", memory.trimmed_bytes, None),
    )
    every = (*phases, *freed) if _freed(memory) else phases
    return tuple(phase for phase in every if phase.resident_bytes)


def _freed(memory: MemoryUse) -> bool:
    """Return whether less memory was held after closing the session than before."""
    return (
        min(memory.closed_bytes, memory.trimmed_bytes or memory.closed_bytes) < memory.end_bytes
    )


def memory_sentences(memory: MemoryUse, file_bytes: int = 0) -> tuple[str, ...]:
    """Sentences that say what the memory is for, as far as it is known.

    file_bytes: of the model as it is stored; 0 where that is not known.
    """
    # Of a measurement that was canceled early they are not known.
    sentences = [_memory_besides_weights(memory)] if memory.weights_bytes else []
    sentences += _copies(memory, file_bytes)
    sentences += packing_sentences(memory)
    used, held_bytes = memory.arena_used_bytes, memory.arena_held_bytes
    if held_bytes and used <= held_bytes:
        sentences.append(
            Sentence(
                "At most {size} of the {size2} reserved in the "
                "memory arenas was in use at any time in the profiled session.",
                Size(used),
                Size(held_bytes),
            )
        )
    elif held_bytes:  # its peak is of the whole session, loading included
        sentences.append(
            Sentence(
                "The memory arenas allocated up to {size}, including during loading, "
                "and reserved {size2} (profiled session).",
                Size(used),
                Size(held_bytes),
            )
        )
    if memory.trimmed_bytes and not _freed(memory):
        sentences.append("Closing the session freed no measurable memory.")
    elif memory.trimmed_bytes:
        sentences.append(
            Sentence(
                "Closing the session freed {closing}; returning free memory to the system "
                "freed another {returning}.",
                Size(max(0, memory.end_bytes - memory.closed_bytes)),
                Size(max(0, min(memory.end_bytes, memory.closed_bytes) - memory.trimmed_bytes)),
            )
        )
    return tuple(sentences)


def _memory_besides_weights(memory: MemoryUse) -> str:
    """Return text on memory added by loading besides the weights."""
    weights, packing = units.size(memory.weights_bytes), memory.packing
    if packing is None or not packing.held_bytes:
        extra = units.size(memory.beside_weights_bytes)
        return Sentence(
            "Weights take {weights}. Loading added {extra} on top of that: prepacked copies, "
            "the graph and buffers.",
            weights,
            extra,
        )
    more = max(0, memory.loaded_bytes - memory.start_bytes)
    return Sentence(
        "Weights take {weights}. Loading added {size} in total: the session, ONNX "
        "Runtime itself, and freed memory that was not returned to the system.",
        weights,
        Size(more),
    )


def packing_sentences(memory: MemoryUse) -> tuple[str, ...]:
    """Sentences that say what kernels prepacked, and what a session holds with that."""
    packing = memory.packing
    if packing is None:
        return ()
    sentences = list[str]()
    if packing.prepacked_bytes:
        sentences.append(
            Sentence(
                "Kernels prepacked {size} of weights into "
                "{size2}, which replaced them in the session.",
                Size(packing.replaced_bytes),
                Size(packing.prepacked_bytes),
            )
        )
    elif packing.prepacked_bytes == 0:
        sentences.append("Kernels prepacked no weights.")
    if packing.held_bytes:
        held_size, plain = units.size(packing.held_bytes), units.size(packing.held_plain_bytes)
        sure = units.size(packing.spread_bytes)
        alike = abs(packing.held_bytes - packing.held_plain_bytes) <= packing.spread_bytes
        sentences.append(
            Sentence(
                "The session takes {held_size} of memory. The effect of prepacking is too "
                "small to measure (below {sure}).",
                held_size,
                sure,
            )
            if alike
            else Sentence(
                "The session takes {held_size} of memory, or {plain} without prepacking"
                "{value} (±{sure}, "
                "{loads} each).",
                held_size,
                plain,
                _MORE if packing.held_plain_bytes > packing.held_bytes else "",
                sure,
                Count(packing.loads, "load"),
            )
        )
    return tuple(sentences)


def _copies(memory: MemoryUse, file_bytes: int) -> tuple[str, ...]:
    """Return text on how many copies of the model were in memory, and in which form."""
    stored = max(file_bytes, memory.weights_bytes)
    if not file_bytes or stored < _TELLING_BYTES or not memory.loaded_peak_bytes:
        return ()
    peak_bytes = max(0, memory.loaded_peak_bytes - memory.start_bytes)
    session_bytes = max(0, memory.loaded_bytes - memory.start_bytes)
    return (
        Sentence(
            "The size of the file is {size}. Loading took up to "
            "{size2} of memory ({value} times the file size), "
            "and the session kept {size3} ({value2} "
            "times).",
            Size(stored),
            Size(peak_bytes),
            f"{peak_bytes / stored:.1f}",
            Size(session_bytes),
            f"{session_bytes / stored:.1f}",
        ),
    )
