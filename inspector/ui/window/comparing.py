"""The ways to compare what is open: two models, reports, outputs, layers."""

from collections.abc import Sequence
from typing import Protocol

from inspector.comparison.pairing import Candidate, original_first, partner
from inspector.platform import files
from inspector.report.report import PerformanceReport
from inspector.ui.documents.diff_document import ComparedModel
from inspector.ui.documents.document import Document
from inspector.ui.tabs.diff.view import DiffView
from inspector.ui.widgets import comparison_links as kinds
from inspector.ui.window import commands
from inspector.ui.window.document_view import DocumentView
from inspector.ui.window.messages import WindowMessages


class Window(commands.Window, Protocol):
    """The part of the main window in which things are compared."""

    @property
    def view(self) -> DocumentView | None: ...  # noqa: D102
    @property
    def diff(self) -> DiffView | None: ...  # noqa: D102
    @property
    def messages(self) -> WindowMessages: ...  # noqa: D102
    def open_models(self) -> list[ComparedModel]: ...  # noqa: D102
    def show_reports(self, reports: Sequence[PerformanceReport]) -> None: ...  # noqa: D102


class Comparing:
    """Compares what is open in a window."""

    def __init__(self, window: Window) -> None:
        self._window, self._workspace = window, window.workspace

    def reports(self) -> None:
        """Put the open reports side by side.

        Those of the two models that are compared, or of models with the inputs of the one in
        front, if there are several; else all.
        """
        opened, diff = self._workspace.documents, self._window.diff
        if diff is not None:
            order = {side.path: number for number, side in enumerate(diff.document.sides)}
            placed = [
                (order[d.path], d) for d in opened if d.path is not None and d.path in order
            ]
            chosen = [each for _, each in sorted(placed, key=lambda pair: pair[0])]
        else:
            front = self._window.document
            chosen = [each for each in opened if front is not None and _alike(each, front)]
        for documents in (chosen, opened):
            reports = [report for each in documents for report in each.reports]
            if len(reports) > 1:
                self._window.show_reports(reports)
                return

    def models(self) -> None:
        """Compare the model in front with the open one that fits best, the original as A."""
        models = self._window.open_models()
        if len(models) < 2:
            return
        candidates = []
        for each in models:
            state = files.state(each.path)
            assert each.model is not None, "open models have been read"
            candidates.append(Candidate(each.name, each.model, state[0] if state else 0))
        document = self._window.document
        front = document.path if document is not None else None
        chosen = next((n for n, each in enumerate(models) if each.path == front), 0)
        pair = original_first(chosen, partner(chosen, candidates), candidates)
        self._workspace.open_diff(models[pair[0]].path, models[pair[1]].path)

    def compare(self, kind: str) -> None:
        """Compare in one of the ways in `COMPARISONS`, or say why it is not possible."""
        window, opened = self._window, self._workspace.documents
        command = next(
            each
            for each, id_ in zip(commands.comparisons(window), kinds.COMPARISONS, strict=True)
            if id_ == kind.replace(kinds.ACCURACY, kinds.OUTPUTS)
        )
        within_model, other = kind not in (kinds.MODELS, kinds.REPORTS), None
        if within_model and window.document is None and opened:
            sides = [side.path for side in window.diff.document.sides] if window.diff else []
            by_path = {document.path: document for document in opened}
            first = next((by_path[path] for path in sides if path in by_path), opened[-1])
            other = next((path for path in sides if path != first.path), None)
            window.show_document(first)
        reason = command.refusal() if command.refusal is not None else ""
        if reason:
            window.messages.tell_refused(command.text.removesuffix("…").rstrip(), reason)
        elif within_model and window.view is not None:
            window.view.compare(kind, other)
        elif kind == kinds.MODELS:
            self.models()
        else:
            self.reports()


def _alike(one: Document, other: Document) -> bool:
    """Return whether the models of two documents have the same inputs."""
    if one is other or one.model is None or other.model is None:
        return one is other
    return one.model.inputs == other.model.inputs
