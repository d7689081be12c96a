"""The four numbers over the list: tensors, bytes, files, and tensors that repeat another."""

from collections import Counter

from inspector import units
from inspector.model import Model
from inspector.ui.kit.metric_row import MetricRow
from inspector.ui.kit.parts import Metric, tip
from inspector.ui.kit.theme import Theme
from inspector.ui.weights.work import WeightsWork


class NumbersRow(MetricRow):
    """Shows them in cards."""

    def __init__(self, theme: Theme, model: Model, work: WeightsWork) -> None:
        cards = tuple(Metric(theme, t) for t in ("Tensors", "Bytes", "Files", "Repeated"))
        super().__init__(cards)
        self.tensors, self.bytes, self.files, self.repeated = cards
        self._model, self._work = model, work
        self._fill()
        self._count_repeated()
        work.found_changed.connect(self._count_repeated)

    def _fill(self) -> None:
        weights = self._model.weights
        constants = sum(weight.origin == "constant" for weight in weights)
        problems = sum(bool(weight.problem) for weight in weights)
        below = [units.plural(constants, "constant")] if constants else []
        below += [f"{problems:,} cannot be read"] if problems else []
        every = "all of them initializers" if weights else "this model carries none"
        self.tensors.show_value(f"{len(weights):,}", "", " · ".join(below) or every)
        sizes: Counter[str] = Counter()
        for weight in weights:
            sizes[weight.dtype] += weight.size_bytes or 0
        whole = sum(sizes.values())
        shares = [f"{t} {units.share(n, whole)}" for t, n in sizes.most_common()]
        self.bytes.show_value(*units.size_parts(whole), " · ".join(shares[:3]))
        self.bytes.setToolTip(tip(*shares[:20]))
        self._show_files(Counter(w.place.file for w in weights if w.place is not None))

    def _show_files(self, files: "Counter[str]") -> None:
        beside = [name for name in files if name]
        words = "all in the model file" if files else "none that can be read"
        if beside:
            words = f"{units.clip(beside[0], 40)}"
            words += (
                f" and {len(beside) - 1:,} more" if len(beside) > 1 else " beside the model"
            )
        self.files.show_value(f"{len(files):,}", "", words)
        self.files.setToolTip(tip(*(name or self._model.name for name in list(files)[:20])))

    def _count_repeated(self) -> None:
        """Tell how many tensors hold what another one holds, once all are read."""
        read, every = len(self._work.found), len(self._model.weights)
        number, size = self._work.repeated, self._work.repeated_bytes
        if not number and (read < every or not self._work.read_ones):
            none = all(weight.problem for weight in self._model.weights)
            words = "none can be read" if none else "known when all are read"
            self.repeated.show_value("–", "", words)
            return
        below = f"{units.size(size)} of the same values" if number else "no two are the same"
        self.repeated.show_value(f"{number:,}" + ("+" if read < every else ""), "", below)
