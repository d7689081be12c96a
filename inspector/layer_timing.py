"""How well layer times are known: the spread of each, and what a prediction adds up to."""

from dataclasses import dataclass

# A layer is called noisy when 1 in 20 of its executions took over 3 medians. With up to 20
# predictions that is its maximum; of more, one hiccup that hit it once is not its own noise.
NOISY_FACTOR, NOISY_SHARE = 3.0, 0.05
MATTERS = 0.01  # share of the time from which on a layer's time has to be known
PRECISE = 0.10  # target: half of the 95 % interval of a median, as a share of it
# Beyond this half-width two layers that differ by half cannot be put in order.
UNRANKED = 0.25
MOST_EXCESS = 1.25  # kernels over a prediction without the profiler: a quarter is a guess
# Quantile that a layer's time is taken from where the CPU was shared or slow: most predictions
# then wait for a core at some kernel, and medians of these kernels are off by 2 to 3 times.
# Four measurements each beside three busy processes on two cores, with random pauses between
# the predictions, worst layer of ultraface against a profile without load: 2.2 to 2.6 times by
# medians, 1.3 to 1.6 by this quantile (`python -m benchmarks.layer_times`).
LOW = 0.1
CLOCK_NS = 1000  # the runtime's profiler counts whole microseconds


@dataclass(frozen=True, slots=True)
class Spread:
    """Spread of a layer's time over the profiled predictions that its median is taken from.

    min_ns, max_ns: of single predictions. low_ns, high_ns: 95 % interval of the median, None
    of fewer than 6 predictions. runs: how many. slow_runs: how many took more than
    NOISY_FACTOR medians.
    """

    min_ns: int
    max_ns: int
    low_ns: int | None = None
    high_ns: int | None = None
    runs: int = 0
    slow_runs: int = 0

    @property
    def noisy(self) -> bool:
        """Whether executions far above the median are more than rare hiccups."""
        return 0 < self.slow_runs >= NOISY_SHARE * self.runs

    def half_width(self, median_ns: int) -> float | None:
        """Half of the median's 95 % interval as a share of it; None where it is not known."""
        if self.low_ns is None or self.high_ns is None:
            return None
        return (self.high_ns - self.low_ns) / 2 / max(1, median_ns)


@dataclass(frozen=True, slots=True)
class Profiling:
    """The profiled predictions of a report, and what one of them consists of beside kernels.

    runs: how many were profiled; 0 in reports of earlier versions, which do not tell. used:
    those that layer times are taken from, numbered from 0. at_full_speed: whether they were
    chosen since the CPU ran at full speed and had no other work; False: too few did, so that
    layer times are the LOW quantile of all of them; None: all count, since nobody can tell.
    prediction_ns: median of all profiled predictions. between_ns: what the runtime takes
    between and around the kernels. interrupted_ns: how much longer than its parts nearly all
    (9 of 10) profiled predictions stayed below: waits for a CPU core are in it. events: kernel
    executions in a prediction. profiler_ns: what recording them costs; it is already taken out
    of the times of layers, of inserted nodes and of between_ns. kernel_profiler_ns: the part of
    it that the profiler counts as the kernels' time. slowdown: how many times as long as in the
    clean pass predictions without the profiler took then, since the CPU was slower. excess: how
    many times as long as such a prediction all kernels still were. Times are divided by both.
    """

    runs: int = 0
    used: tuple[int, ...] = ()
    at_full_speed: bool | None = None
    prediction_ns: int = 0
    between_ns: int = 0
    interrupted_ns: int = 0
    events: int = 0
    profiler_ns: int = 0
    kernel_profiler_ns: int = 0
    slowdown: float = 1.0
    excess: float = 1.0

    @property
    def time_title(self) -> str:
        """Return what the time of a layer is, as the title of a column."""
        if not self.runs:
            return "Time"
        return f"p{round(100 * LOW)}" if self.at_full_speed is False else "Median"

    def shares_only(self, kernels_ns: int) -> bool:
        """Return whether layer times are good for shares only, not as times.

        kernels_ns: of all layers and inserted nodes. Where the profiler's own cost, an average
        over kernels, is more than what is left of them, no single time is sure.
        """
        return self.excess > MOST_EXCESS or self.kernel_profiler_ns > kernels_ns
