"""Numbers of layers that the graph colors and labels its boxes by."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.latency import Efficiency, latency, loads
from inspector.analysis.facts.layer_cost import LayerCost
from inspector.analysis.facts.symbolic_sizes import Amount, number
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.errors import BadInput
from inspector.model.layer_values import LayerNumbers, Quantity
from inspector.model.model import Model
from inspector.platform import plugins
from inspector.platform.data_struct import DataStruct
from inspector.report.report import PerformanceReport


class NumberSource(DataStruct, frozen=True):
    """Numbers of layers that a plugin computes.

    title: in *Color by*. compute: from the model, and the latest report of it if there is one,
    to a number for each layer, NaN for a layer without one.
    """

    title: str
    compute: Callable[[Model, PerformanceReport | None], Sequence[float]]
    quantity: Quantity = Quantity.PLAIN
    adds_up: bool = False


def sources_of_plugins() -> tuple[plugins.Plugin, ...]:
    """Return the plugins with numbers; the value of each is a `NumberSource`."""
    return plugins.usable(plugins.LAYER_NUMBERS)


def plugin_numbers(
    plugin: plugins.Plugin, model: Model, report: PerformanceReport | None
) -> LayerNumbers:
    """Return the numbers that a plugin computes. Raises BadInput: it failed."""
    source: NumberSource = plugin.value

    def compute() -> NDArray[np.float64]:
        values = np.array(list(source.compute(model, report)), np.float64)
        if values.shape != (len(model.layers),):
            raise ValueError(f"{values.size} numbers for {len(model.layers)} layers")
        return np.where(np.isfinite(values), values, np.nan)

    values = plugin.guard(compute, BadInput)()
    return LayerNumbers(source.title, values, source.quantity, source.adds_up)


def cost_numbers(
    title: str,
    model: Model,
    estimate: Estimate,
    amount: Callable[[LayerCost], Amount | None],
    quantity: Quantity,
) -> LayerNumbers:
    """Return a part of the estimated cost of each layer.

    A layer with subgraphs has none of its own: its cost is that of the layers inside.
    """
    values = np.full(len(model.layers), np.nan)
    for index, cost in enumerate(estimate.cost.layers[: len(values)]):
        own = amount(cost)
        if own is not None:
            values[index] = number(own, estimate.lengths)
    holders = {layer.parent for layer in model.layers if layer.parent is not None}
    values[list(holders)] = np.nan
    return LayerNumbers(title, values, quantity)


def estimated_times(
    title: str, model: Model, estimate: Estimate, device: Efficiency
) -> LayerNumbers:
    """Return the estimated time of each layer in a run on a device, in nanoseconds."""
    values = np.full(len(model.layers), np.nan)
    asked = loads(model, estimate, wide=True)
    for each in latency(asked, device.rates, device).layers:
        values[each.index] = each.time_ns
    return LayerNumbers(title, values, Quantity.TIME)


def live_numbers(title: str, model: Model, estimate: Estimate) -> LayerNumbers:
    """Return the bytes of the activations that are alive while each layer runs, computed."""
    values = estimate.memory.live.astype(np.float64)
    values = values[: len(model.layers)]
    return LayerNumbers(title, values, Quantity.BYTES, adds_up=False)


def arena_numbers(title: str, count: int, report: PerformanceReport) -> LayerNumbers:
    """Return the arena's bytes in use after each layer, as measured."""
    values = np.full(count, np.nan)
    for use in report.layers:
        if use.arena_bytes is not None and 0 <= use.index < count:
            values[use.index] = use.arena_bytes
    return LayerNumbers(title, values, Quantity.BYTES, adds_up=False)


def time_numbers(title: str, count: int, report: PerformanceReport) -> LayerNumbers:
    """Return the measured time of each layer that has one of its own."""
    values = np.full(count, np.nan)
    for use in report.layers:
        if use.time_ns is not None and 0 <= use.index < count:
            values[use.index] = use.time_ns
    return LayerNumbers(title, values, Quantity.TIME, clock_ns=report.profiling.clock_ns)


def difference(first: LayerNumbers, other: LayerNumbers) -> LayerNumbers:
    """Return `first` minus `other`, layer by layer; NaN where one of them has no number.

    Raises BadInput: they are numbers of different kinds.
    """
    if first.quantity is not other.quantity:
        raise BadInput(
            "Could not compare the numbers",
            f"'{first.title}' and '{other.title}' have different units",
            "Choose two sets of the same kind.",
        )
    return LayerNumbers(
        f"{first.title} − {other.title}",
        first.values - other.values,
        first.quantity,
        first.adds_up and other.adds_up,
        diverging=True,
    )


def error_numbers(title: str, count: int, stepping: Stepping) -> LayerNumbers:
    """Return the largest relative error of each layer's outputs against the second run."""
    values = np.full(count, np.nan)
    for step in stepping.steps:
        worst = step.worst
        if worst is not None and 0 <= step.index < count:
            values[step.index] = 0.0 if worst.identical else worst.relative or np.nan
    values[~np.isfinite(values)] = np.nan
    return LayerNumbers(title, values, Quantity.SHARE, adds_up=False)


def sparsity_numbers(
    title: str,
    count: int,
    uses: Sequence[Sequence[int]],
    zeros: Callable[[int], tuple[int, int] | None],
) -> LayerNumbers:
    """Return the share of zeros in the weights of each layer.

    uses: layers of each weight. zeros: zeros and elements of a weight; None if it is not read.
    """
    totals = np.zeros((count, 2))
    for weight, layers in enumerate(uses):
        counted = zeros(weight)
        for layer in layers if counted is not None else ():
            totals[layer] += counted
    known = totals[:, 1] > 0
    values = np.full(count, np.nan)
    values[known] = totals[known, 0] / totals[known, 1]
    return LayerNumbers(title, values, Quantity.SHARE, adds_up=False)
