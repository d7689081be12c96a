"""Uncertainty of layer times: the spread of each, and the parts of a profiled run."""

from inspector.platform.data_struct import DataStruct
from inspector.wording.values import Sentence

# Titles of sums, by what is summed; other statistics are percentiles.
_SUMS = {"Time": "Sum of times", "Mean": "Sum of means", "Median": "Sum of medians"}

# A layer is called noisy when 1 in 20 of its executions took over 3 medians. With up to 20
# predictions that is its maximum; of more, one hiccup that hit it once is not its own noise.
NOISY_FACTOR = 3.0
NOISY_SHARE = 0.05
SIGNIFICANT_SHARE = 0.01  # share of the time from which on a layer's time has to be known
# Beyond this half-width two layers that differ by half cannot be put in order.
UNRANKED_HALF_WIDTH = 0.25
SESSION_RATIO_LIMIT = 2.5  # times: threads that share one core instead of two already make it 2
MAX_EXCESS = 1.25  # kernels over a prediction without the profiler: a quarter is a guess
# Quantile that a layer's time is taken from where the CPU was shared or slow: most predictions
# then wait for a core at some kernel, and medians of these kernels are off by up to 30 times.
# docs/adr/layer_time_estimator.md has what was measured.
LOW_QUANTILE = 0.05
CLOCK_NS = 1000  # the runtime's profiler counts whole microseconds

# Name of a prediction in a trace that was made when the profiler had ended, before its number.
WITHOUT_PROFILER = "run without profiler"


class TimeSpread(DataStruct, frozen=True):
    """Spread of a layer's time over the profiled runs that its median comes from.

    min_ns, max_ns: shortest and longest run.
    low_ns, high_ns: 95% interval of the median; None with fewer than 6 runs.
    runs: number of runs.
    slow_runs: those that took more than NOISY_FACTOR medians.
    session_low_ns, session_high_ns: its time in the fastest and the slowest session; None
        unless they clearly differ. They may differ because of the memory that a session
        gets.
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
        """Half of the median's 95% interval as a share of it; None where it is not known."""
        if self.low_ns is None or self.high_ns is None:
            return None
        return (self.high_ns - self.low_ns) / 2 / max(1, median_ns)


class RunPart(DataStruct, frozen=True):
    """A part of the mean profiled run.

    measured: whether the runtime reported it, or it was timed by itself. false: it is what the
    other parts leave, or an estimate.
    """

    name: str
    time_ns: int
    measured: bool


class Profiling(DataStruct, frozen=True):
    """The profiled runs of a report, and the parts of one run besides kernels.

    runs: number of profiled runs; 0 in reports of earlier versions.
    used: numbers of the runs that layer times come from; the first is 0.
    at_full_speed: true: these are the runs at full CPU speed. false: too few were, so layer
        times are the `low_quantile` of the runs used. None: all runs are used, because the
        CPU speed is unknown, or few runs were made and no other program used the CPU.
    prediction_ns: median of all profiled runs; with `means`, the mean of those used.
    between_ns: time that the runtime takes between and around the kernels of a run.
    interrupted_ns: how much longer than the sum of their parts profiled runs took (90th
        percentile), including waits for a CPU core.
    events: kernels executed in a run.
    profiler_ns: cost of the profiler in a run. Times of layers and added nodes and
        `between_ns` do not include it.
    kernel_profiler_ns: the part of it that the profiler reports as time of kernels.
    slowdown: how many times slower the CPU was than in the runs without the profiler. Times
        are divided by it.
    excess: how many times longer than a run without the profiler the kernels took even so.
        Times are divided by it.
    waiting_ns: how long the calling thread had no CPU core in a run of median length
        without the profiler; None if unknown.
    unprofiled_ns: a short run in the same sessions after the profiler was stopped: the
        `low_quantile` if too few runs were at full CPU speed, else the lower quartile; with
        `means`, the mean of the quicker half. 0 if there were none.
    together_ns: time of all kernels of a run together, by the same quantile as for a layer.
        More than the sum of the layers if each run was interrupted at other kernels; 0 in
        reports of earlier versions.
    low_quantile: from which layer times are taken if `at_full_speed` is false; earlier versions
        took the lower quartile of the faster half of the runs.
    means: layer times are means over the runs in `used`, not quantiles, because the runtime's
        profiler counts more coarsely than short layers take.
    parts: of `prediction_ns`, with which they add up to it; empty where the runtime's profiler
        does not tell.
    kernel_share: share of a profiled run that its kernels take with their waits for a CPU core,
        the profiler's cost aside: the median of the runs used; None if unknown.
    between_most_ns: at most what lies between and around the kernels of a run without the
        profiler, since it is all there is with it; None if unknown.
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
    low_quantile: float = 0.25
    means: bool = False
    parts: tuple[RunPart, ...] = ()
    between_most_ns: int | None = None
    kernel_share: float | None = None

    @property
    def least_share(self) -> float | None:
        """Return the share of a run without the profiler that is in kernels, at least."""
        if self.between_most_ns is None or not self.unprofiled_ns:
            return None
        return max(0.0, 1 - self.between_most_ns / self.unprofiled_ns)

    @property
    def clock_ns(self) -> int:
        """Return the time below which one layer's time is no number; 0 where means of many runs
        tell finer."""
        return CLOCK_NS if self.runs and not self.means else 0

    @property
    def time_title(self) -> str:
        """Return what the time of a layer is, as the title of a column."""
        if not self.runs:
            return "Time"
        if self.means:
            return "Mean"
        low = f"{round(100 * self.low_quantile)}th percentile"
        return low if self.at_full_speed is False else "Median"

    @property
    def sum_title(self) -> str:
        """Return what the sum of the times of several layers is, as the title of a column."""
        return _SUMS.get(self.time_title) or Sentence("Sum of {statistic}s", self.time_title)

    def shares_only(self, kernels_ns: int) -> bool:
        """Return whether layer times are good for shares only, not as times.

        kernels_ns: of all layers and inserted nodes. Where the profiler's own cost, an average
        over kernels, is more than what is left of them, no single time is sure.
        """
        return self.excess > MAX_EXCESS or self.kernel_profiler_ns > kernels_ns
