"""What limits each phase of a language model: bytes of weights read, against the memory's peak.

In decode each token needs all weights once, and does little with each: memory is the limit. In
prefill all tokens share one reading of the weights, and arithmetic is.
"""

from collections.abc import Iterator
from statistics import median

from msgspec import Struct

from inspector.report.language.speed import PhaseLayers
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling
from inspector.wording.values import Count, Number, Sentence, Share, Size, Value, joined

MEMORY = "memory"
COMPUTE = "compute"
OVERHEAD = "overhead"
# Below this share of the peak of memory, memory does not explain the time of decode. Kernels
# of usual quality reach 30 to 80% of a peak, as in `roofline_points`.
_LEAST_SHARE = 0.3
# What is read in one run and no cache holds; less may come from caches, whose rate nobody knows
# (the caches of server parts with stacked ones, a judgment; as in `roofline_points`).
_UNCACHED_BYTES = 64 << 20
_GIGABYTE = 1e9
_DECODE = {
    MEMORY: "Memory bandwidth: decode reads {size} per token, {reached} of {peak} ({share}).",
    COMPUTE: "Arithmetic: decode reads {size} per token, {reached} of {peak} ({share}).",
    OVERHEAD: "Neither memory nor arithmetic: decode reads {size} per token, {reached} of "
    "{peak} ({share}).",
}
_PREFILL = {
    MEMORY: "Prefill reads the weights once for {tokens} tokens and is limited by memory, too.",
    COMPUTE: "Prefill reads the weights once for {tokens} tokens: arithmetic limits it.",
}


class PhaseLimit(Struct, frozen=True):
    """What limits a phase.

    phase: "prefill" or "decode". read_bytes: of weights, and in decode of the cache, that one
    run of the phase reads, calculated. time_ns: of its layers, or of such a run where no layer
    was timed. peak: of the memory, measured,
    in bytes per second. bound: "memory", "compute" or "overhead". tokens: that one run
    computes.
    """

    phase: str
    read_bytes: int
    time_ns: int
    peak: float
    bound: str
    tokens: int = 1

    @property
    def rates(self) -> tuple[float, float]:
        """Return bytes per second as reached and at most."""
        return self.read_bytes * 1e9 / self.time_ns, self.peak

    @property
    def share(self) -> float:
        """Return the reached bandwidth as a share of the peak."""
        return self.rates[0] / self.peak


def phase_limits(report: PerformanceReport) -> tuple[PhaseLimit, ...]:
    """Return the limits of decode and of prefill, as far as weights and peaks are known."""
    return tuple(_limits(report))


def _limits(report: PerformanceReport) -> Iterator[PhaseLimit]:
    speed = report.generation
    ceiling = next(iter(report.roofline.ceilings), None)
    if speed is None or speed.weights_read_bytes is None or ceiling is None:
        return
    if speed.weights_read_bytes < _UNCACHED_BYTES:
        return
    row, prompt = speed.decode, speed.prompt
    if row is not None and (step_ns := row.quantile_ns(0.5)):
        cached = (speed.cache_token_bytes or 0) * row.context * row.batch
        time_ns = _layers_ns(speed.decode_layers) or round(step_ns)
        yield _limit("decode", speed.weights_read_bytes + cached, time_ns, ceiling, row.batch)
    if prompt is not None and prompt.prefill_ns:
        time_ns = _layers_ns(speed.prefill_layers) or round(median(prompt.prefill_ns))
        yield _limit("prefill", speed.weights_read_bytes, time_ns, ceiling, prompt.prompt)


def _layers_ns(phase: PhaseLayers | None) -> int:
    return 0 if phase is None else phase.kernel_ns


def _limit(
    phase: str, read_bytes: int, time_ns: int, ceiling: Ceiling, tokens: int = 1
) -> PhaseLimit:
    peak = ceiling.bytes_per_second
    share = read_bytes * 1e9 / max(1, time_ns) / peak
    bound = MEMORY if share >= _LEAST_SHARE else COMPUTE if phase == "prefill" else OVERHEAD
    return PhaseLimit(phase, read_bytes, max(1, time_ns), peak, bound, tokens)


def limits_text(report: PerformanceReport) -> Value:
    """Return what limits decode and prefill, as a sentence each; "" where it is unknown."""
    sentences = list[Value]()
    for limit in phase_limits(report):
        reached, peak = (Number(rate / _GIGABYTE, "GB/s") for rate in limit.rates)
        if limit.phase == "decode":
            sentences.append(
                Sentence(
                    _DECODE[limit.bound],
                    size=Size(limit.read_bytes),
                    reached=reached,
                    peak=peak,
                    share=Share(limit.share),
                )
            )
        else:
            sentences.append(Sentence(_PREFILL[limit.bound], tokens=Count(limit.tokens)))
    return joined(*sentences, separator=" ")
