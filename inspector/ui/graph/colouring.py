"""What the colour of a box tells: compute unit, operator family, time or type."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector import look, units
from inspector.analysis.layer_sum import unranked
from inspector.analysis.layout_drawing import Body
from inspector.analysis.stepping import Stepping
from inspector.look import Palette
from inspector.model import Model
from inspector.report import LayerUse, PerformanceReport
from inspector.ui.graph.families import FAMILIES, TYPES, element_type, family, six

Codes = NDArray[np.int8]
_STEPS = (0.02, 0.1, 0.3, 0.6)
_STEP_WORDS = ("Hardly any time", "Under 10 %", "Under 30 %", "Under 60 %", "The slowest")
_DIFFERENCES = ("Identical", "Within the tolerance", "NaN", "Over it", "First difference")


class ColourBy(StrEnum):
    """What colours tell."""

    UNIT = "Compute unit"
    FAMILY = "Operator family"
    TIME = "Time"
    TYPE = "Type"
    DIFFERENCE = "Difference"


@dataclass(frozen=True, slots=True, eq=False)
class Colouring:
    """Colours with their words; code 0 of a box is no colour, code k is the colour k - 1.

    codes: int8 (L,), by the layer of the main graph. families: whether colours tell the
        operator's family, so that layers of functions have one as well.
    """

    names: tuple[str, ...]
    colours: tuple[str, ...]
    codes: Codes
    families: bool = False

    def used(self) -> tuple[int, ...]:
        """Codes that occur, without 0."""
        return tuple(int(code) for code in np.unique(self.codes) if code)


def uses_of(report: PerformanceReport | None, count: int) -> tuple[LayerUse | None, ...]:
    """What became of each layer, by its index."""
    found: list[LayerUse | None] = [None] * count
    for use in report.layers if report is not None else ():
        if 0 <= use.index < count:
            found[use.index] = use
    return tuple(found)


def ran_on(uses: tuple[LayerUse | None, ...], use: LayerUse | None) -> str | None:
    """Device that a layer ran on, by itself or as part of another."""
    if use is None or use.ran_on is not None or use.into is None:
        return use.ran_on if use is not None else None
    other = uses[use.into] if 0 <= use.into < len(uses) else None
    return other.ran_on if other is not None else None


def colouring(
    by: ColourBy,
    body: Body,
    model: Model,
    report: PerformanceReport | None,
    palette: Palette,
    walk: Stepping | None = None,
) -> Colouring:
    """Work out a colour for each layer; walk: what the colours of differences are of."""
    uses = uses_of(report, len(body.layers))
    if by is ColourBy.UNIT and report is not None:
        return _by_unit(report, uses, palette)
    if by is ColourBy.TIME and report is not None and not unranked(report):
        return _by_time(uses, palette)
    if by is ColourBy.DIFFERENCE and walk is not None:
        return _by_difference(walk, len(body.layers), palette)
    if by is ColourBy.TYPE:
        return _by_type(body, model, uses, palette)
    if by is ColourBy.FAMILY:
        codes = np.array([family(layer.operator) + 1 for layer in body.layers], np.int8)
        return Colouring(FAMILIES, six(palette), codes, families=True)
    return Colouring((), (), np.zeros(len(body.layers), np.int8))


def _by_unit(
    report: PerformanceReport, uses: tuple[LayerUse | None, ...], palette: Palette
) -> Colouring:
    devices = {device.id: place + 1 for place, device in enumerate(report.devices)}
    codes = [devices.get(ran_on(uses, use) or "", 0) for use in uses]
    names = tuple(units.clip(units.device(device.id), 24) for device in report.devices)
    colours = tuple(palette.lane(device.kind) for device in report.devices)
    return Colouring(names, colours, np.array(codes, np.int8))


def _by_time(uses: tuple[LayerUse | None, ...], palette: Palette) -> Colouring:
    times = np.array([use.time_ns or 0 if use else 0 for use in uses], np.float64)
    most = times.max(initial=0.0)
    codes = np.searchsorted(_STEPS, times / most) + 1 if most else np.zeros(len(times))
    codes = np.where(times > 0, codes, 0)
    pale = palette.border
    colours = tuple(look.mix(pale, palette.data, part) for part in (0.1, 0.3, 0.5, 0.75, 1.0))
    return Colouring(_STEP_WORDS, colours, codes.astype(np.int8))


def _by_difference(walk: Stepping, count: int, palette: Palette) -> Colouring:
    codes = np.zeros(count, np.int8)
    for step in walk.steps:
        worst = step.worst
        if worst is not None and 0 <= step.index < count:
            codes[step.index] = 4 if step.over else 1 if worst.identical else 2
    first = walk.divergence
    if first is not None:
        codes[first.index] = 5
    for step in walk.steps:  # NaN that both sides have is no difference, but no good either
        if step.nan and codes[step.index] in (1, 2):
            codes[step.index] = 3
    within = look.mix(palette.border, palette.good, 0.55)
    wrong = look.mix(palette.border, palette.bad, 0.55)
    colours = (palette.good, within, palette.caution, wrong, palette.bad)
    return Colouring(_DIFFERENCES, colours, codes)


def _by_type(
    body: Body, model: Model, uses: tuple[LayerUse | None, ...], palette: Palette
) -> Colouring:
    known = {v.name: v.dtype for v in (*model.values, *model.inputs, *model.outputs)}
    codes = []
    for layer, use in zip(body.layers, uses, strict=True):
        dtype = next((known[name] for name in layer.outputs if name in known), "")
        dtype = dtype or (use.output.partition(" ")[0] if use else "")
        codes.append(element_type(dtype) + 1 if dtype and dtype != "unknown" else 0)
    return Colouring(TYPES, six(palette), np.array(codes, np.int8))
