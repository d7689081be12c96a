"""What speaks against a changed output: channels and positions whose error is too large.

A channel is a part along the axis whose parts have the most different spreads, as boxes in
pixels and scores do; without such an axis, along axis 1 or the shortest one behind the batch.
Each is held against its own spread, the worst one decides. The other axes are positions and
rows of a batch; in units of the channels' spreads, each part of them is held against what is
usual on its axis, since a corner where nothing ever happens has no spread to speak of.
"""

from collections.abc import Callable
from math import sqrt
from statistics import NormalDist

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from inspector.model.tensors.paired_sums import PairedSums, Parts
from inspector.report.output_verdict import (
    CONSTANT,
    DEAD,
    ERROR,
    FROZEN,
    RESPONSE,
    SATURATED,
    SHIFT,
    OutputFinding,
)

# Of a channel's spread: 1% of its variance is lost. Half a step of 8 bits over the range of a
# normally distributed channel is 0.7%; that adds up to 2 to 8% over a network that is fine.
MAX_ERROR = 0.1
# Of what the inputs change at a position: a box's corner moves less between images than it
# differs between positions, and 8 bits over a picture of 640 pixels are 0.7 pixels apart.
MAX_RESPONSE = 0.3
# The same for what a shift and a factor explain, since rounding averages out and these do not.
MAX_SHIFT = 0.15
# Of a position's usual spread. Single positions differ by nature, so that only more than a
# quarter of the variance is a finding.
MAX_AT_POSITION = 0.5
# Of what inputs change at a position: the error of one is larger than anything they change.
MAX_RESPONSE_AT_POSITION = 1.0
# Times a bound: an error beyond is no loss of quality but another answer; -10 dB for a channel.
DESTROYED_TIMES = 3.2
# Of a channel's spread: 60 dB, what reordered float32 arithmetic leaves in deep networks
# (basic_pitch has 5e-4 between two right ways to compute it).
SAME_ERROR = 1e-3
COLLAPSED = 0.01  # of the spread that a channel had: it no longer varies
FROZEN_SHARE = 0.05  # of what inputs changed: it no longer depends on them
LEAST_RESPONSE = 0.003  # of the spread, a step of 8 bits: below, inputs change nothing
# Scores, 0 to 1. Rounding to 8 bits of a range of 1 has a standard deviation of 0.0011.
SCORE_FLOOR = 0.011
QUIET = 0.05  # of the highest score of all classes: a class that stays below never fired
FIRES = 0.25  # of the same: a class that reaches it has fired
LOST_FIRING = 0.1  # of its highest score before: it no longer fires
FEWEST_SCORES = 8  # columns of a table; fewer may be anything between 0 and 1
NOTHING_FIRED = 0.1  # highest score of all classes; below, the inputs say nothing about them
SATURATED_SHARE = 0.01  # of the values, at one end of the range
SATURATED_RANGE = 0.05  # of the range, that is cut off
FEWEST_VALUES = 4  # of a part, for a spread
MOST_CHANNELS = 1024  # of an axis; a longer one is time or positions
CONTRAST = 4.0  # between the spreads of channels that have different units
RARE_POSITIONS = 0.05  # of an axis, at either end of the spreads on it
TYPICAL_SHARE = 0.3  # of the usual spread on an axis: less counts as this much
OUTLIER = 2.0  # times the error of all channels: one that is worse than the others
DOUBT = 0.05  # chance that any part's spread is that much larger than it looks
MOST_SINGLES = 4096  # elements of an output of which each is a part, too
FEWEST_FOR_SINGLES = 8  # inputs
FLAT = 64  # elements of a flat output in which channels are looked for
MOST_PERIOD = 512  # channels in a flat output
EXPLAINED = 0.8  # of the variance of the log of spreads, by the channels of a flat output
MOST_FINDINGS = 8
_GRAVE = frozenset((DEAD, CONSTANT, FROZEN))
_MARGIN = 1.2  # of the original's own noise, since that was measured with few inputs, too


class Judged(Struct, frozen=True):
    """Numbers of an output: findings worst first; worst, the largest error of a channel or of
    the whole, also within its bound; load: the same in parts of the bound.

    apart: largest error of any channel in parts of its spread, also of those not judged.
    close: beyond a bound, but too few values for certainty. unseen: scores never rose.
    repeats: largest error of the original's second run; noisy: that is beyond a bound itself.
    """

    findings: tuple[OutputFinding, ...] = ()
    worst: OutputFinding | None = None
    load: float = 0.0
    apart: float = 0.0
    close: bool = False
    unseen: bool = False
    repeats: float = 0.0
    noisy: bool = False


def load_of(finding: OutputFinding) -> float:
    """Return an error in parts of what its kind may have; a dead channel's is infinite."""
    if finding.kind in _GRAVE or finding.error is None:
        return float("inf")
    bounds = {RESPONSE: MAX_RESPONSE, SHIFT: MAX_SHIFT}
    return finding.error / bounds.get(finding.kind, MAX_ERROR)


def judged(
    name: str, sums: PairedSums, repeat: PairedSums | None = None, is_state: bool = False
) -> Judged:
    """Return what speaks against an output. repeat: sums of two runs of the original.

    is_state: the model gets it back at the next step. Nobody reads its channels, of which some
    hardly vary: it is held against its spread as a whole.
    """
    axis, period = (None, 0) if is_state else channel_axis(sums)
    if period:
        sums = sums.folded(period)
        repeat = repeat.folded(period) if repeat is not None else None
    parts = sums.parts(*(() if axis is None else (axis,)))
    if parts.count.max(initial=0) < FEWEST_VALUES:  # no channel has a spread of its own
        axis, parts = None, sums.parts()
    axes = () if axis is None else (axis,)
    channels = _channels(sums, parts, _noise(repeat, parts, *axes), bool(axes))
    close, rank = channels.close, len(sums.lengths)

    def finding(kind: str, error: float | None, first: int, last: int) -> OutputFinding:
        ends = (first, last) if axes else (0, 0)
        return OutputFinding(name, kind, error, axis, *ends, rank=rank, period=period)

    found = _ranges(channels.kinds, channels.errors, finding, sums.lengths)
    loads = np.where(np.isfinite(channels.loads), channels.loads, np.inf)
    at = int(np.argmax(loads)) if loads.size else 0
    worst = finding(ERROR, float(channels.relative.flat[at]), at, at) if loads.size else None
    if not found and close and axes and _contrast(sums, parts) < CONTRAST:
        # Channels of one unit, each with few values: together they are enough.
        whole = sums.parts()
        together = _channels(sums, whole, _noise(repeat, whole), False)
        # A spread of few values is small by chance: here all channels have that of all.
        loads_of_all = parts.error / sqrt(float(np.mean(parts.spread**2))) / MAX_ERROR
        usual = sqrt(float(np.mean(loads_of_all**2)))
        close = together.close or bool((loads_of_all > max(OUTLIER * usual, 1.0)).any())
        found = [
            OutputFinding(name, kind, float(error), rank=rank)
            for kind, error in zip(together.kinds, together.errors, strict=True)
            if kind
        ]
    if not found and not channels.noisy and not is_state:
        found = _positions(name, sums, parts, axis, channels.scales, period)
    return Judged(
        tuple(sorted(found, key=lambda f: -load_of(f))[:MOST_FINDINGS]),
        worst,
        float(loads.flat[at]) if loads.size else 0.0,
        channels.apart,
        close,
        channels.unseen,
        channels.repeats,
        channels.noisy,
    )


def _noise(repeat: PairedSums | None, parts: Parts, *axes: int) -> NDArray[np.float64]:
    """Return how far two runs of the original are apart in parts along axes."""
    if repeat is not None and repeat.inputs:
        error = repeat.parts(*axes).error
        if error.shape == parts.error.shape:
            return error
    return np.zeros_like(parts.error)


def worst_error(sums: PairedSums) -> float:
    """Return the largest error of a channel in parts of its own spread."""
    worst = judged("", sums).worst
    return 0.0 if worst is None or worst.error is None else worst.error


def channel_axis(sums: PairedSums) -> tuple[int | None, int]:
    """Return the axis of channels and the period of a flat output, 0 for none; see above."""
    rank = len(sums.lengths)
    axes = [
        axis
        for axis in range(1 if rank > 1 else 0, rank)
        if 1 < sums.lengths[axis] <= MOST_CHANNELS and axis not in sums.varied
        and sums.steps[axis] == 1
    ]  # fmt: skip
    contrasts = {axis: _contrast(sums, sums.parts(axis)) for axis in axes}
    best = max(axes, key=lambda axis: contrasts[axis], default=None)
    if best is not None and rank > 2 and contrasts[best] >= CONTRAST:
        return best, 0
    if rank == 2 and sums.lengths[1] >= FLAT and set(sums.steps) == {1}:
        period = _period(sums)
        if period:
            return (2 if period > 0 else 1), period
    if rank >= 4 and 1 in (sums.lengths[1], sums.lengths[-1]):
        return None, 0  # pictures with one channel
    if rank >= 4 and 1 in axes:
        return 1, 0
    return min(axes, key=lambda axis: sums.lengths[axis], default=None), 0


def _contrast(sums: PairedSums, parts: Parts) -> float:
    """Return how many times larger the largest spread is than the smallest, without the few
    positions at either end where always or never something happens."""
    spreads = np.sort(parts.spread[sums.varies(parts)])
    left_out = int(spreads.size * RARE_POSITIONS)
    usual = spreads[left_out : spreads.size - left_out]
    return float(usual[-1] / usual[0]) if usual.size else 1.0


def _period(sums: PairedSums) -> int:
    """Return how many channels alternate in a flat output, negative where they follow each
    other; 0 for none. Needs the spread of each element over inputs."""
    singles = sums.parts(*range(len(sums.lengths)))
    within = singles.within[0]
    alive = np.isfinite(within) & (within > 0)
    if sums.inputs < FEWEST_VALUES or alive.sum() < FLAT // 2:
        return 0
    logs = np.where(alive, np.log(np.where(alive, within, 1.0)), np.nan)
    whole = float(np.nanvar(logs))
    if float(np.nanmax(logs) - np.nanmin(logs)) < np.log(CONTRAST) or not whole:
        return 0
    explained = {}
    length = logs.size
    for channels in range(2, min(MOST_PERIOD, length // FEWEST_VALUES) + 1):
        if length % channels:
            continue
        for period, table in (
            (channels, logs.reshape(-1, channels).T),
            (-channels, logs.reshape(channels, -1)),
        ):
            known = np.isfinite(table)
            counts = known.sum(1)
            means = np.where(known, table, 0.0).sum(1) / np.maximum(counts, 1)
            rest = np.where(known, table - means[:, None], 0.0)
            explained[period] = 1 - float((rest**2).sum() / (known.sum() * whole))
    good = {period: share for period, share in explained.items() if share >= EXPLAINED}
    if not good:
        return 0
    most = max(good.values())
    return min((p for p, share in good.items() if share >= most - 0.05), key=abs)


class _Channels(Struct):
    kinds: list[str]
    errors: NDArray[np.float64]
    loads: NDArray[np.float64]
    relative: NDArray[np.float64]  # error in parts of the spread
    scales: NDArray[np.float64]  # infinite for those that are not judged
    apart: float
    close: bool
    unseen: bool
    repeats: float
    noisy: bool


def _channels(
    sums: PairedSums, parts: Parts, noise: NDArray[np.float64], several: bool
) -> _Channels:
    """Judge each channel by its own spread."""
    parts = _flat(parts)
    noise = noise.reshape(-1)
    alive = sums.varies(parts)
    peak = np.maximum(np.abs(parts.high), np.abs(parts.low))
    scores, top = _scores(sums, parts, several)
    floor = np.where(scores, SCORE_FLOOR * top, 0.0)
    quiet = scores & (parts.high < QUIET * top)
    unseen = bool(scores.any()) and top < NOTHING_FIRED
    # A constant has no spread: it is held against its own size, a score against the others.
    scale = np.where(
        alive, np.hypot(parts.spread, floor), np.maximum(peak, np.where(scores, top, 0))
    )
    error = np.sqrt(np.maximum(parts.error**2 - (_MARGIN * noise) ** 2, 0.0))
    relative = _ratio(error, scale)
    answers = alive & np.isfinite(parts.within) & (parts.within > LEAST_RESPONSE * parts.spread)
    answers &= sums.inputs >= FEWEST_VALUES
    within = np.where(answers, np.hypot(np.nan_to_num(parts.within), floor), np.inf)
    response, shift = _ratio(error, within), _ratio(np.minimum(parts.systematic, error), within)
    trusted = _certain(parts.freedom, relative.size)
    loads = np.stack([relative / MAX_ERROR, response / MAX_RESPONSE, shift / MAX_SHIFT])
    load, which = loads.max(0), loads.argmax(0)
    sure = np.where(alive, load / trusted, load) > 1
    enough = parts.count >= FEWEST_VALUES
    # A class that never fired says nothing, unless it now does.
    spurious = quiet & (parts.largest > MAX_ERROR * top)
    apart = float(relative.max(initial=0.0))
    load = np.where(quiet & ~spurious, 0.0, load)
    relative = np.where(quiet & ~spurious, 0.0, relative)
    gone = alive & ~quiet & enough
    gone &= ~scores | (parts.high >= FIRES * top) | (parts.spread > floor)
    dead = gone & (parts.other_high == 0) & (parts.other_low == 0)
    constant = gone & (parts.other_spread <= COLLAPSED * parts.spread)
    frozen = gone & answers & (parts.other_within <= FROZEN_SHARE * parts.within)
    fires = scores & (parts.high >= FIRES * top)
    lost = gone & fires & (parts.other_high <= LOST_FIRING * parts.high)
    with np.errstate(invalid="ignore"):  # parts without any finite value
        cut = _cut(parts, parts.high - parts.other_high, parts.at_high)
        cut |= _cut(parts, parts.other_low - parts.low, parts.at_low)
    kinds, errors = [], np.zeros(load.size)
    for i in range(load.size):
        kind = ""
        if dead[i]:
            kind = DEAD
        elif constant[i]:
            kind = CONSTANT
        elif frozen[i]:
            kind = FROZEN
        elif lost[i]:
            kind, errors[i] = SATURATED, max(relative[i], MAX_ERROR * 1.01)
        elif load[i] > 1 and sure[i] and (enough[i] or not alive[i]):
            kind = SATURATED if cut[i] else (ERROR, RESPONSE, SHIFT)[which[i]]
            errors[i] = relative[i] if kind == SATURATED else loads[:, i][which[i]] * (
                MAX_ERROR, MAX_RESPONSE, MAX_SHIFT)[which[i]]  # fmt: skip
        kinds.append(kind)
    open_ = [kind == "" and value > 1 for kind, value in zip(kinds, load, strict=True)]
    own = _ratio(noise, scale)
    return _Channels(
        kinds,
        errors,
        load,
        relative,
        np.where(alive & ~quiet, np.hypot(parts.spread, floor), np.inf),
        apart,
        any(open_),
        unseen,
        float(own.max(initial=0.0)),
        bool((own > MAX_ERROR).any()),
    )


def _scores(sums: PairedSums, parts: Parts, several: bool) -> tuple[NDArray[np.bool_], float]:
    """Return which channels are scores of classes, 0 to 1, and their highest."""
    scores = (parts.low >= -1e-3) & (parts.high <= 1 + 1e-3)
    positions = parts.count.max(initial=0) > sums.inputs
    if not several or scores.sum() < (2 if positions else FEWEST_SCORES):
        return np.zeros_like(scores), 0.0
    return scores, float(parts.high[scores].max())


def _cut(
    parts: Parts, missing: NDArray[np.float64], at_end: NDArray[np.float64]
) -> NDArray[np.bool_]:
    beyond = missing > SATURATED_RANGE * (parts.high - parts.low)
    many = at_end >= np.maximum(SATURATED_SHARE * parts.count, 3)
    return np.asarray(beyond & many)


def _certain(freedom: NDArray[np.float64], parts: int) -> NDArray[np.float64]:
    """Return how many times larger than it looks a spread may be, for any of many parts.

    Wilson and Hilferty's normal approximation of chi-square, PNAS 17 (1931).
    """
    z = NormalDist().inv_cdf(1 - DOUBT / max(parts, 1))
    root = np.maximum(1 - 2 / (9 * freedom) - z * np.sqrt(2 / (9 * freedom)), 0.05)
    return np.asarray(root**-1.5)


def _ratio(value: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(value > 0, value / scale, 0.0)


def _flat(parts: Parts) -> Parts:
    return Parts(*(np.asarray(getattr(parts, n)).reshape(-1) for n in Parts.__struct_fields__))


def _positions(
    name: str,
    sums: PairedSums,
    channels: Parts,
    axis: int | None,
    scales: NDArray[np.float64],
    period: int,
) -> list[OutputFinding]:
    """Judge the parts along all other axes, in units of the channels' spreads."""
    rank = len(sums.lengths)
    if axis is not None:
        sums = sums.normalized(axis, channels.mean, scales)
    others: list[tuple[int, ...]] = [
        (a,) for a in range(rank) if a != axis and sums.lengths[a] > 1
    ]
    cells = int(np.prod(sums.lengths))
    if len(others) >= 1 and axis is not None and cells <= MOST_SINGLES:
        others += [(a[0], axis) for a in others if sums.inputs >= FEWEST_FOR_SINGLES]
    found = []
    for axes in others:
        parts = sums.parts(*axes)
        shape = parts.error.shape
        parts = _flat(parts)
        known = parts.count >= FEWEST_VALUES
        if not known.any():
            continue
        spread = _floored(parts.spread, known)
        within = _floored(np.nan_to_num(parts.within), known)
        answers = (within > LEAST_RESPONSE * spread) & (sums.inputs >= FEWEST_VALUES)
        trusted = _certain(parts.freedom, parts.error.size)
        relative = _ratio(parts.error, spread)
        response = np.where(answers, _ratio(parts.error, within), 0.0)
        wrong = (relative / trusted > MAX_AT_POSITION) & known
        wrong |= (response / trusted > MAX_RESPONSE_AT_POSITION) & known
        usual = answers & (np.nan_to_num(parts.within) >= within)
        frozen = usual & known & (parts.other_within <= FROZEN_SHARE * parts.within)
        for place in np.flatnonzero(wrong | frozen):
            at = int(np.unravel_index(place, shape)[sorted(axes).index(axes[0])])
            kind = FROZEN if frozen[place] else ERROR
            if kind == ERROR and relative[place] <= MAX_AT_POSITION:
                kind = RESPONSE
            error = response[place] if kind == RESPONSE else relative[place]
            found.append(
                OutputFinding(
                    name, kind, float(error), axes[0], at * sums.steps[axes[0]],
                    at * sums.steps[axes[0]], rank=rank, period=period,
                )
            )  # fmt: skip
        if found:
            break
    return _merged(found, sums.lengths, sums.steps)


def _floored(spread: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    usual = sqrt(float(np.mean(spread[known] ** 2)))
    return np.maximum(spread, TYPICAL_SHARE * usual)


def _ranges(
    kinds: list[str],
    errors: NDArray[np.float64],
    finding: Callable[[str, float | None, int, int], OutputFinding],
    lengths: tuple[int, ...],
) -> list[OutputFinding]:
    found = []
    for i, kind in enumerate(kinds):
        if kind:
            error = None if kind in _GRAVE else float(errors[i])
            found.append(finding(kind, error, i, i))
    return _merged(found, lengths)


def _merged(
    found: list[OutputFinding], lengths: tuple[int, ...], steps: tuple[int, ...] = ()
) -> list[OutputFinding]:
    """Return one finding for each kind and axis: of its worst run of parts, with the number of
    all parts."""
    runs: list[OutputFinding] = []
    for each in found:
        last = runs[-1] if runs else None
        step = steps[each.axis] if steps and each.axis is not None else 1
        if (
            last is not None
            and (last.kind, last.axis) == (each.kind, each.axis)
            and (each.first - last.last <= step)
        ):
            worse = max((e for e in (last.error, each.error) if e is not None), default=None)
            runs[-1] = structs.replace(last, last=each.last, error=worse)
        else:
            runs.append(each)
    kinds: dict[tuple[str, int | None], list[OutputFinding]] = {}
    for run in runs:
        kinds.setdefault((run.kind, run.axis), []).append(run)
    return [
        structs.replace(
            max(alike, key=lambda run: (run.error or 0.0, run.last - run.first)),
            count=sum(run.last - run.first + 1 for run in alike),
            of=lengths[axis] if axis is not None else 1,
        )
        for (_, axis), alike in kinds.items()
    ]
