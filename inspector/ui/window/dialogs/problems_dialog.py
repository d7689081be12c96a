"""The problems of all open models: how many there are, and a window that lists them."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from inspector.analysis.facts.model_facts import findings
from inspector.errors import EngineFailed
from inspector.pages.lists.problems import problem_table
from inspector.report.compatibility import Outcome
from inspector.ui.background import Debounce
from inspector.ui.documents.document import DiskState, Document, Topic
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import mark, plural, tr, tr_message, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import button, label, page_of, row
from inspector.ui.window.host import Window
from inspector.ui.window.tabs import Tab

_SIZE_PX = 820, 420
_TOPICS = Topic.MODEL, Topic.WORK, Topic.DISK, Topic.ENGINE
_ON_DISK = {
    DiskState.CHANGED: mark("The file changed on disk. Press F5 to reload it."),
    DiskState.MISSING: mark("The file no longer exists."),
}
_DELAY_MS = 100  # several changes of a document come together


def problems_of(document: Document) -> Iterator[str]:
    """Yield what is wrong with a model, a sentence each; the last failure comes first.

    A fault is named once: that runtimes and programs refuse a file that breaks a rule, or fail
    in the layer that does, follows from the rule, and what other programs say follows from what
    refused it first.
    """
    model, facts, error = document.model, document.facts, document.error
    flaws = [each for each in model.findings if each.invalid] if model is not None else []
    explained, layer = bool(flaws), error.layer if isinstance(error, EngineFailed) else ""
    same = explained and error is not None and error.phase == "load"
    if error is not None and not same and layer not in {each.subject for each in flaws}:
        parts = (tr_message(part) for part in (error.what, error.why) if part)
        hint = in_window(error.hint)
        yield f"{': '.join(parts)}. {hint}" if hint else ": ".join(parts)
        explained = explained or error.phase == "load"
    if document.disk in _ON_DISK:
        yield tr(_ON_DISK[document.disk])
    if model is None or facts is None:
        return
    refused = (each for each in document.verdicts.found if each.outcome is not Outcome.OPENS)
    if not explained and (first := next(refused, None)) is not None:
        yield f"{first.program}: {first.why or first.outcome.value}"
    yield from map(written, findings(model, facts))


class Problems(QObject):
    """Follows all open models; `changed` comes with what is `found`: their problems."""

    changed = Signal(object)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._watched: list[Document] = []
        self.found: tuple[tuple[Document, str], ...] = ()
        self._later = Debounce(self.refresh, self, _DELAY_MS)
        for signal in (workspace.opened, workspace.replaced, workspace.adopted):
            signal.connect(self._later.call)
        workspace.closed.connect(self._forget)
        self._later.call()

    def refresh(self) -> None:
        """Collect the problems anew."""
        documents = [d for d in self._workspace.documents if d.path is not None]
        for document in documents:
            if document not in self._watched:
                document.watch(self._later.call, *_TOPICS)
                document.failed.connect(self._later.call)
                if document.model is not None:
                    document.verdicts.changed.connect(self._later.call)
        self._watched = documents
        self.found = tuple((each, text) for each in documents for text in problems_of(each))
        self.changed.emit(self.found)

    def _forget(self, closed: Document) -> None:
        """Let go of a model at once: nothing is to keep what was closed."""
        self._watched = [each for each in self._watched if each is not closed]
        self.found = tuple(each for each in self.found if each[0] is not closed)
        self.changed.emit(self.found)


class ProblemsDialog(QDialog):
    """Lists the problems; a click shows the model that has one."""

    def __init__(self, window: Window, problems: Problems, parent: QWidget) -> None:
        super().__init__(parent)
        self._window, self._problems = window, problems
        self.setWindowTitle(tr("Problems of the open models"))
        resize_on_screen(self, *_SIZE_PX)
        self.state, self.text = label("", "secondary"), label("", "value", selectable=True)
        self.text.setWordWrap(True)
        self.table = PageTable(window.theme, tr("Problems"), first_rows=0)
        self.table.empty_text = tr("No open model has a known problem.")
        close = button(window.theme, tr("Close"), primary=True)
        close.clicked.connect(self.close)
        page_of(self, self.state, (self.table, 1), self.text, row(None, close))
        self.table.key_chosen.connect(self._go)
        problems.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        found = self._problems.found
        self.table.show_table(problem_table(
            (str(place), document.name, text) for place, (document, text) in enumerate(found)
        ))  # fmt: skip
        for part in (self.state, self.text):
            part.setVisible(bool(found))
        models = plural(len({document for document, _ in found}), "model")
        count = plural(len(found), "problem")
        self.state.setText(
            tr("{problems} in {models}. Click one to see the model.").format(
                problems=count, models=models
            )
            if found
            else ""
        )
        self.text.setText(found[0][1] if found else "")

    def _go(self, key: str) -> None:
        """Show the model that has a problem, and the whole sentence."""
        document, text = self._problems.found[int(key)]
        self.text.setText(text)
        self._window.bring_to_front(document)
        self._window.choose_tab(Tab.OVERVIEW)
