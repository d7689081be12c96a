"""What is shown beside the window when it is asked for: its dialogs and views."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QWidget

from inspector.analysis.devices.targets import for_model
from inspector.analysis.measured.history import History
from inspector.app.changing.conversion import save_converted, save_repaired
from inspector.backends import registry
from inspector.comparison.pairing import Candidate, original_first, partner
from inspector.conversion.action import LITERT_SIGNATURE, Step
from inspector.errors import BadInput
from inspector.model.model import TFLITE
from inspector.platform import files
from inspector.platform.extras import can_install
from inspector.platform.settings import library_folder
from inspector.remote.machines import HERE, targets
from inspector.report.report import PerformanceReport
from inspector.ui import glossary, guide, units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.exported_report import completion
from inspector.ui.documents.file_dialogs import Exporter, Writer
from inspector.ui.documents.language.saving import conversation_of
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.record_dialog import RecordDialog
from inspector.ui.tabs.trace.tab import TraceTab
from inspector.ui.tabs.trace.trace_export import TraceExporter
from inspector.ui.translate import mark, tr
from inspector.ui.views.comparison.view import ComparisonView
from inspector.ui.views.history.view import HistoryView
from inspector.ui.views.machines.measuring import MachineMeasuring
from inspector.ui.views.machines.view import MachinesView
from inspector.ui.widgets.export_forms import DIFF, RESULTS, SWEEP, TRACE
from inspector.ui.widgets.notice import Message
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.command_palette import CommandPalette
from inspector.ui.window.commands.model import GraphShower
from inspector.ui.window.dialogs.address_dialog import AddressDialog
from inspector.ui.window.dialogs.code_dialog import CodeDialog, image_preprocessing
from inspector.ui.window.dialogs.engine_dialog import ask_to_install
from inspector.ui.window.dialogs.folder_dialog import FolderDialog
from inspector.ui.window.dialogs.guide_dialog import GuideDialog
from inspector.ui.window.dialogs.help_dialogs import (
    AboutDialog,
    GlossaryDialog,
    ShortcutsDialog,
)
from inspector.ui.window.dialogs.machines_dialog import MachinesDialog
from inspector.ui.window.dialogs.preferences_dialog import PreferencesDialog
from inspector.ui.window.dialogs.problems_dialog import Problems, ProblemsDialog
from inspector.ui.window.dialogs.question_dialog import QUESTIONS, QuestionDialog
from inspector.ui.window.dialogs.support_dialog import SupportDialog
from inspector.ui.window.host import Window
from inspector.ui.window.tabs import Tab, TabEntry

_CONVERSATIONS = mark("Conversations (*.json)")


class Dialogs:
    """Shows the dialogs and views of a window."""

    def __init__(self, window: Window) -> None:
        self._window, self._theme = window, window.theme
        self._parent = cast("QWidget", window)
        self._workspace = window.workspace

    def choose_files(self) -> tuple[Path, ...]:
        """Ask for files; empty when the user thinks better of it."""
        return file_dialogs.choose_files(self._parent)

    def choose_folder(self) -> Path | None:
        """Ask for a folder of models; None when the user thinks better of it."""
        title = tr("Open folder of models")
        name = QFileDialog.getExistingDirectory(self._parent, title, file_dialogs.start())
        return Path(name) if name else None

    def show_folder(self, folder: Path) -> QDialog:
        """List the models of a folder."""
        dialog = FolderDialog(self._theme, folder, self._workspace.start_engine, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open_asked.connect(lambda paths: self._workspace.open(*paths))
        dialog.diff_asked.connect(lambda pair: self._workspace.open_diff(*pair))
        dialog.show()
        return dialog

    def record(self) -> None:
        """Let the user choose a program and record what it does with ONNX Runtime."""
        dialog = RecordDialog(self._theme, self._workspace, self._parent)
        dialog.captured.connect(self._try_inputs)
        dialog.show()

    def _try_inputs(self, model: Path, inputs: Path) -> None:
        """Open the model of a recorded run, and run it on what the run got."""

        def run(_: object) -> None:
            self._window.run_command("try", inputs)

        self._workspace.opening_ended.connect(run, Qt.ConnectionType.SingleShotConnection)
        self._workspace.open(model)

    def export(self, form: str) -> None:
        """Let the user save the report, the sweep or the trace in front."""
        window, document = self._window, self._window.document
        if window.trace is not None:
            self._export_trace(window.trace, form)
        elif window.diff is not None:
            window.diff.export_as(form.removeprefix(DIFF))
        elif document is not None:
            exporter = Exporter(self._parent)
            self._follow(exporter, document)
            sweep = document.sweeping.sweep if form.startswith(SWEEP) else None
            report = document.report
            if sweep is not None:
                exporter.ask_for_sweep(sweep, form)
            elif form == RESULTS and document.improvement is not None:
                exporter.ask_for_improvement(document.improvement, document.stem)
            elif report is not None and not form.startswith(SWEEP):
                if form == "json":
                    exporter.done.connect(
                        lambda _, path: window.session.set_exported(report, Path(path))
                    )
                exporter.ask(report, form, completion(document, window.with_preview))

    def export_graph(self) -> None:
        """Let the user save the whole graph of the model in front as a picture."""
        tab = self._window.opened_tab(Tab.GRAPH)
        if isinstance(tab, GraphShower):
            tab.when_drawn(lambda: self._export_drawn(tab))

    def _export_drawn(self, tab: GraphShower) -> None:
        document, draw = self._window.document, tab.whole()
        if document is not None and draw is not None:
            exporter = Exporter(self._parent)
            self._follow(exporter, document)
            exporter.ask_for_graph(document.stem, draw)

    def save_conversation(self) -> None:
        """Let the user save the conversation with the model in front."""
        document = self._window.document
        if document is None:
            return
        writer = Writer(self._parent)
        self._follow(writer, document)
        proposed = f"{document.stem} {tr('conversation')}.json"
        path = writer.where(tr("Save conversation"), proposed, tr(_CONVERSATIONS))
        if path is not None:
            device = document.spec.devices[0]
            make = conversation_of(document.chatting, device)
            writer.write(path, lambda: make().encode())

    def open_conversation(self) -> None:
        """Let the user choose a saved conversation, and show it in Chat."""
        document = self._window.document
        if document is None:
            return
        name, _ = QFileDialog.getOpenFileName(
            self._parent, tr("Open conversation"), file_dialogs.start(), tr(_CONVERSATIONS)
        )
        keeper = document.chat_keeper
        if name and document.chatting.busy is False and keeper is not None:
            self._window.choose_tab(Tab.CHAT)
            keeper.open(Path(name))

    def show_comparison(self, reports: Sequence[PerformanceReport]) -> QWidget:
        """Show reports side by side."""
        view = ComparisonView(self._theme, tuple(reports), self._parent)
        view.show()
        return view

    def show_history(self) -> None:
        """List past reports, at first only those of the model whose report is shown."""
        window, library = self._window, self._workspace.autosave.library
        folder = library.folder if library is not None else library_folder()
        report = window.document.report if window.document is not None else None
        name = report.model.name if report is not None and window.shows_report() else ""
        view = HistoryView(self._theme, History(folder), name, self._parent)
        view.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        view.open_asked.connect(lambda past: window.session.open_past(past.path))
        view.compared.connect(window.show_reports)
        view.show()

    def show_problems(self) -> None:
        """List the problems of all open models."""
        problems = self._workspace.findChild(Problems)
        if problems is None:  # nothing was opened yet
            return
        opened = self._parent.findChild(ProblemsDialog)
        dialog = opened or ProblemsDialog(self._window, problems, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()
        dialog.raise_()

    def ask(self, question: str) -> None:
        """Ask one of the `QUESTIONS` about the model in front."""
        document = self._window.document
        if document is None or self._tells_not_run(document, tr("Could not run the model")):
            return
        dialog = QuestionDialog(
            self._theme, document, QUESTIONS[question], self._workspace.start_engine,
            self._parent,
        )  # fmt: skip
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def show_machine_matrix(self) -> None:
        """Show the window that measures the open models on several machines."""
        window = self._parent
        opened = window.findChild(MachinesView)
        if opened is not None:
            opened.raise_()
            opened.activateWindow()
            return
        measuring = window.findChild(MachineMeasuring)
        if measuring is None:
            measuring = MachineMeasuring(self._workspace, window)
        view = MachinesView(self._theme, self._workspace, measuring, window)
        view.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        view.report_asked.connect(self._measure_there)
        view.show()

    def show_other_machines(self, changed: Callable[[], object]) -> None:
        """Show the machines that the user reaches. changed: called where one comes or goes."""
        dialog = MachinesDialog(self._theme, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(changed)
        dialog.open()

    def ask_for_address(self, address: str = "") -> None:
        """Let the user open a model at an address; nothing is downloaded unasked."""
        dialog = AddressDialog(self._theme, address, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.downloaded.connect(self._workspace.open)
        dialog.open()

    def compare_models(self) -> None:
        """Compare the model in front with the open one that fits best, the original as A, or
        with a file where no other model is open."""
        models = self._window.open_models()
        if len(models) == 1:
            title = tr("Compare {name} with").format(name=models[0].name)
            for other in file_dialogs.choose_files(self._parent, title)[:1]:
                self._workspace.open_diff(models[0].path, other)
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

    def check_support(self) -> None:
        """Show which devices that need not be here would run the model in front."""
        document, view = self._window.document, self._window.view
        if document is None or document.model is None or view is None:
            return
        estimated = for_model(document.model) and not document.model.refused
        if estimated or not self._tells_not_run(
            document, tr("Could not check device support")
        ):  # estimates need no runtime
            document.tell(Topic.SUPPORT)
            # Of its view, so that it goes with the model.
            dialog = view.findChild(SupportDialog) or SupportDialog(self._theme, document, view)
            dialog.show()
            dialog.raise_()
            dialog.activateWindow()

    def show_code(self) -> None:
        """Show code that calls the model in front, prepared as Preview prepares it now."""
        document, view = self._window.document, self._window.view
        if document is None or document.model is None or view is None:
            return
        if self._tells_not_run(document, tr("Could not generate code to run the model")):
            return
        images = image_preprocessing(document) | view.image_preprocessing
        CodeDialog(self._theme, document, images, self._parent).show()

    def install_engine(self) -> None:
        """Offer to install the runtime that the model in front misses."""
        document = self._window.document
        if document is not None and document.missing_engine is not None:
            engine = document.missing_engine

            def use() -> None:
                """Run the model on the new runtime, whatever was chosen without it."""
                if engine.id == document.backend.id:
                    document.set_spec(devices=("cpu",))
                document.tell(Topic.ENGINE)
                name = f"{engine.name} {engine.version}".rstrip()
                about = tr("{name} is installed").format(name=name)
                self._window.messages.notice.say(Message(about, fades=True), document)

            ask_to_install(self._theme, engine, use, self._parent)

    def repair(self) -> None:
        """Save a repaired copy of the file in front, and open it."""
        document = self._window.document
        if document is not None and document.path is not None and document.model is not None:
            write = partial(save_repaired, document.model, document.path)
            self._save_copy(
                document, document.path, tr("Save repaired copy"), "repaired", write
            )

    def run_signature(self, name: str) -> None:
        """Save a copy of the model in front in which another signature runs, and open it."""
        document, view = self._window.document, self._window.view
        if document is None or document.path is None or view is None:
            return
        maker = registry.for_format(TFLITE)  # its schema makes the copy
        engine = next((each for each in registry.engines() if each.id == maker.id), None)
        if not maker.installed and engine is not None and can_install():
            ask_to_install(self._theme, engine, lambda: self.run_signature(name), self._parent)
            return
        step = Step(LITERT_SIGNATURE, (("name", name),))
        what = tr("Could not use the signature '{name}'").format(name=units.clip(name, 40))
        write = partial(save_converted, document.path, step, what)
        word = re.sub(r"\W+", "-", name)[:40]  # it may be a whole address
        title = tr("Save a copy that runs '{name}'").format(name=units.clip(name, 40))
        self._save_copy(document, document.path, title, word, write, view.current)

    def _save_copy(
        self,
        document: Document,
        path: Path,
        title: str,
        word: str,
        write: Callable[[Path], None],
        tab: TabEntry = Tab.OVERVIEW,
    ) -> None:
        """Ask where a changed copy of a file goes, save it, and open it on a tab.

        word: what its name says besides that of the file. write: makes it.
        """

        def open_copy(_: str, target: str) -> None:
            self._workspace.opening_ended.connect(
                lambda _: self._window.choose_tab(tab), Qt.ConnectionType.SingleShotConnection
            )
            self._workspace.open(Path(target))

        writer = Writer(self._parent)
        self._follow(writer, document)
        writer.done.connect(open_copy)
        proposed = f"{path.stem}-{word}{path.suffix}"
        target = writer.where(title, str(path.with_name(proposed)))
        if target is not None:
            writer.run(target, partial(write, target))

    def show_palette(self) -> None:
        """Let the user find a command, a layer, a setting or help by a few letters."""
        CommandPalette(self._window, self._parent).show()

    def show_preferences(self, name: str = "") -> None:
        """Let the user change what holds for all windows. name: of the one to begin with."""
        dialog = PreferencesDialog(self._theme, self._workspace, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.restore_chosen.connect(self._window.session.set_restores)
        dialog.open()
        dialog.focus_on(name)

    def show_guide(self, page: str) -> None:
        """Explain the term under the pointer, or else show a page of the user guide."""
        widget = QApplication.widgetAt(QCursor.pos())
        text = widget.text() if isinstance(widget, QLabel) else ""
        term = text if glossary.meaning(text) else ""
        if term:
            show_glossary(self._theme, self._parent, term)
            return
        self.show_page(page or guide.HOME)

    def show_page(self, page: str) -> None:
        """Show a page of the user guide."""
        dialog = GuideDialog(self._theme, self._parent)
        dialog.visit(page)
        dialog.show()

    def show_glossary(self, term: str = "") -> None:
        """Explain the terms of the window, or one of them."""
        show_glossary(self._theme, self._parent, term)

    def show_shortcuts(self) -> None:
        """List all keyboard shortcuts."""
        ShortcutsDialog(self._theme, self._parent).show()

    def show_about(self) -> None:
        """Show version, licenses and how models are isolated."""
        AboutDialog(self._theme, self._parent).show()

    def _export_trace(self, tab: TraceTab, form: str) -> None:
        if form.startswith(TRACE):
            exporter = TraceExporter(self._parent)
            self._follow(exporter, tab.document)
            exporter.ask(tab, form)

    def _follow(self, exporter: Writer, about: Document | TraceDocument) -> None:
        """Show in one place what became of a file that is written."""
        notice = self._window.messages.notice
        exporter.slow.connect(
            lambda text, path: notice.say(Message(text, str(Path(path).parent)), about)
        )
        exporter.failed.connect(lambda error: notice.show_error(error, about))
        exporter.done.connect(lambda text, path: notice.show_done(text, path, about))

    def _tells_not_run(self, document: Document, what: str) -> bool:
        """Show why something needs a model that Inspector runs; False where it does run it."""
        refusal = document.not_run
        if refusal is not None:
            self._window.messages.notice.show_error(BadInput(what, *refusal))
        return refusal is not None

    def _measure_there(self, document: Document, text: str) -> None:
        """Bring a model to the front and measure it on a machine, as `--on` takes it."""
        if document.work is None:
            document.set_place(None if text == HERE else targets(text)[0])
            self._window.show_document(document)
            self._window.run_command("measure")


def show_glossary(theme: Theme, parent: QWidget, term: str = "") -> None:
    """Explain the terms of the window, or one of them."""
    dialog = GlossaryDialog(theme, parent)
    dialog.field.setText(term)
    dialog.show()
