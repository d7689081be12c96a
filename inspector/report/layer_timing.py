"""Uncertainty of layer times: the spread of each, and the parts of a profiled run."""

from dataclasses import dataclass

# A layer is called noisy when 1 in 20 of its executions took over 3 medians. With up to 20
# predictions that is its maximum; of more, one hiccup that hit it once is not its own noise.
NOISY_FACTOR, NOISY_SHARE = 3.0, 0.05
SIGNIFICANT_SHARE = 0.01  # share of the time from which on a layer's time has to be known
TARGET_PRECISION = 0.10  # target: half of the 95 % interval of a median, as a share of it
# Beyond this half-width two layers that differ by half cannot be put in order.
UNRANKED_HALF_WIDTH = 0.25
SESSION_RATIO_LIMIT = 2.5  # times: threads that share one core instead of two already make it 2
MAX_EXCESS = 1.25  # kernels over a prediction without the profiler: a quarter is a guess
# Quantile that a layer's time is taken from where the CPU was shared or slow: most predictions
# then wait for a core at some kernel, and medians of these kernels are off by up to 30 times.
# Of four measurements each of four models beside three busy processes on two cores, with random
# pauses between the predictions, shares of layers were within 1.6 times of those without load
# by this quantile, within 1.7 by the 10th percentile and within 6.0 by medians; the first five
# layers of two measurements agreed in 4 or 5 places by this one, in 3 by the median.
LOW_QUANTILE = 0.25
CLOCK_NS = 1000  # the runtime's profiler counts whole microseconds

# Name of a prediction in a trace that was made when the profiler had ended, before its number.
WITHOUT_PROFILER = "predict without profiler"


@dataclass(frozen=True, slots=True)
class TimeSpread:
    """Spread of a layer's time over the profiled predictions that its median is taken from.

    min_ns, max_ns: of single predictions. low_ns, high_ns: 95 % interval of the median, None
    of fewer than 6 predictions. runs: how many. slow_runs: how many took more than
    NOISY_FACTOR medians. session_low_ns, session_high_ns: its time in the session where it was
    shortest and in the one where it was longest; None unless these differ beyond doubt, as they
    do where memory that a session allocates makes a kernel fast or slow.
    """

    min_ns: int
    max_ns: int
    low_ns: int | None = None
    high_ns: int | None = None
    runs: int = 0
    slow_runs: int = 0
    session_low_ns: int | None = None
    session_high_ns: int | None = None

    @property
    def noisy(self) -> bool:
        """Whether slow executions are more than rare hiccups, or sessions differ."""
        return 0 < self.slow_runs >= NOISY_SHARE * self.runs or self.differs

    @property
    def differs(self) -> bool:
        """Whether its time differs between sessions of the same model."""
        return self.session_low_ns is not None and self.session_high_ns is not None

    def half_width(self, median_ns: int) -> float | None:
        """Half of the median's 95 % interval as a share of it; None where it is not known."""
        if self.low_ns is None or self.high_ns is None:
            return None
        return (self.high_ns - self.low_ns) / 2 / max(1, median_ns)


@dataclass(frozen=True, slots=True)
class Profiling:
    """The profiled runs of a report, and the parts of one of them besides kernels.

    runs: how many were profiled; 0 in reports of earlier versions, which do not tell. used:
    those that layer times are taken from, numbered from 0. at_full_speed: whether they were
    chosen since the CPU ran at full speed and had no other work; False: too few did, so that
    layer times are the LOW quantile of the faster ones; None: all count, since nobody can tell.
    prediction_ns: median of all profiled predictions. between_ns: what the runtime takes
    between and around the kernels. interrupted_ns: how much longer than its parts nearly all
    (9 of 10) profiled predictions stayed below: waits for a CPU core are in it. waiting_ns: for
    how long the thread that asks for a clean prediction of median length had no CPU core; None
    where nobody knows. events: kernel executions in a prediction. profiler_ns: what recording
    them costs; it is already taken out of the times of layers, of inserted nodes and of
    between_ns. kernel_profiler_ns: the part of it that the profiler counts as the kernels'
    time. slowdown: how many times as long as in the
    clean pass predictions without the profiler took then, since the CPU was slower; below 1
    where the clean pass had less of a shared CPU. excess: how
    many times as long as such a prediction all kernels still were. Times are divided by both.
    unprofiled_ns: lower quartile of the predictions in the profiled sessions after their
    profiler had ended; 0 where there were none. together_ns: all kernels of a prediction, by
    the same quantile as each of them: more than their sum where every prediction was held up,
    each at other kernels; 0 in reports of earlier versions.
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
    waiting_ns: int | None = None
    unprofiled_ns: int = 0
    together_ns: int = 0

    @property
    def time_title(self) -> str:
        """Return what the time of a layer is, as the title of a column."""
        if not self.runs:
            return "Time"
        return f"p{round(100 * LOW_QUANTILE)}" if self.at_full_speed is False else "Median"

    def shares_only(self, kernels_ns: int) -> bool:
        """Return whether layer times are good for shares only, not as times.

        kernels_ns: of all layers and inserted nodes. Where the profiler's own cost, an average
        over kernels, is more than what is left of them, no single time is sure.
        """
        return self.excess > MAX_EXCESS or self.kernel_profiler_ns > kernels_ns
