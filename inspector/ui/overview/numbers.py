"""The four numbers over the Overview: parameters, weights, layers, and the runtime it needs."""

from operator import attrgetter

from inspector import units
from inspector.analysis import Facts
from inspector.model import Model
from inspector.ui.kit.metric_row import MetricRow
from inspector.ui.kit.parts import Metric
from inspector.ui.kit.theme import Theme

_PARENT, _ORIGIN = attrgetter("parent"), attrgetter("origin")  # quick over 100,000


class NumbersRow(MetricRow):
    """Shows them in cards."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        titles = ("Parameters", "Weights", "Layers", "ONNX Runtime")
        cards = tuple(Metric(theme, title) for title in titles)
        super().__init__(cards)
        self.parameters, self.weights, self.layers, self.runtime = cards
        self._fill(model, facts)

    def _fill(self, model: Model, facts: Facts) -> None:
        tensors = len(model.weights) - [*map(_ORIGIN, model.weights)].count("constant")
        number, _, unit = units.count(model.parameters).partition(" ")
        also = f" · {units.count(facts.constants)} in constants" if facts.constants else ""
        below = f"{units.plural(tensors, 'tensor')}{also}"
        self.parameters.show_value(number, unit, below)
        storage, whole = facts.precision.storage, facts.weights_bytes
        first = f"{storage[0][0]} {units.share(storage[0][1], whole)}" if storage else "none"
        self.weights.show_value(*units.size_parts(whole), first)
        kinds = units.plural(len(facts.operators), "operator")
        nested = len(model.layers) - [*map(_PARENT, model.layers)].count(None)
        more = f" · {nested:,} nested" if nested else ""
        self.layers.show_value(f"{len(model.layers):,}", "", kinds + more)
        needs = facts.requirements
        if needs.runtime:
            self.runtime.show_value(needs.runtime, "or newer", needs.reason or "any release")
        else:
            self.runtime.show_value("none yet", "", needs.reason)
