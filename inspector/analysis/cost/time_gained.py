"""The change in latency that an action makes, from what the layers of the original ask.

Each part of the original's estimated time changes by a factor that benchmarks/time_gained.py
learned from measured pairs of an original and its result, and saved with its errors in
resources/estimates/actions.json.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from inspector.analysis.cost.latency import WEIGHTS, Efficiency, LayerLoad, part_times
from inspector.platform import files
from inspector.report.foretold import Foretold
from inspector.report.roofline import INT8
from inspector.wording.values import Count, Sentence

MOST_BOUND = 2.0  # factor of 9 in 10 estimates up to which a kind of model has one
FEWEST_NETWORKS = 8  # of a kind, behind its error
OTHER = "other"
# Kinds of models, by the layers that take most of their time.
_KINDS = {
    "conv": "conv", "transposed": "conv", "pointwise": "mobile", "depthwise": "mobile",
    "line": "line", "matmul": "product", "lstm": "recurrent", "gru": "recurrent",
}  # fmt: skip
_OF_VALUES = "values"  # products of two values, which actions on weights leave alone


class KindError(Struct, frozen=True):
    """How far estimates were off for models of a kind that they were not learned from.

    median_error: of the ratio of latencies, 0.2 is 20%. bound: 9 of 10 are within this factor.
    """

    kind: str
    networks: int
    median_error: float
    bound: float


class ActionTimes(Struct, frozen=True):
    """What an action does to the time of layers on a device.

    device: the id of an `Efficiency`. factors: of the time of each part of each kind of layer.
    """

    action: str
    device: str
    date: str
    factors: Mapping[str, Mapping[str, float]]
    kinds: tuple[KindError, ...]


def action_times() -> tuple[ActionTimes, ...]:
    """Return the actions whose change in latency was measured."""
    body = files.resource("estimates", "actions.json").read_bytes()
    return msgspec.json.decode(body, type=tuple[ActionTimes, ...])


def time_shares(
    layers: Iterable[LayerLoad], device: Efficiency
) -> tuple[Mapping[tuple[str, str], float], str]:
    """Return the share of a run's estimated time by kind and part; and the model's kind."""
    found: dict[tuple[str, str], float] = defaultdict(float)
    of_model: dict[str, float] = defaultdict(float)
    found["call", "launch"] = device.call_ns
    for load in layers:
        kind = load.kind if load.kind != "matmul" or load.weight_bytes else _OF_VALUES
        for (of, part), ns in part_times(load, device.rates, device).items():
            found[kind, WEIGHTS if of == WEIGHTS else part] += ns
            of_model[_KINDS.get(load.kind, OTHER)] += ns
    whole = sum(found.values())
    shares = {part: ns / whole for part, ns in found.items()}
    return shares, max(of_model, key=of_model.__getitem__, default=OTHER)


def is_quantized(layers: Sequence[LayerLoad]) -> bool:
    """Return whether layers compute in 8-bit integers already; nothing was learned of these."""
    return any(load.precision == INT8 for load in layers)


def foretold(
    layers: Sequence[LayerLoad], device: Efficiency, action: ActionTimes
) -> Foretold | Sentence:
    """Return the latency after an action beside that before; why not, where the error is not
    known or too large for models of this kind."""
    if is_quantized(layers):
        return Sentence("the model computes in 8-bit integers already")
    shares, kind = time_shares(layers, device)
    error = next((each for each in action.kinds if each.kind == kind), None)
    networks = 0 if error is None else error.networks
    if error is None or networks < FEWEST_NETWORKS:
        return Sentence(
            "only {networks} of such layers were measured", Count(networks, "network")
        )
    if error.bound > MOST_BOUND:
        return Sentence(
            "estimates of such layers were off by more than {bound}× for 1 of 10",
            f"{error.bound:.1f}",
        )
    ratio = sum(
        share * action.factors.get(of, {}).get(part, 1.0)
        for (of, part), share in shares.items()
    )
    return Foretold(ratio, ratio / error.bound, ratio * error.bound)
