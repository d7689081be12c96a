"""Asks for a program to record, and shows how it goes."""

import sys
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from inspector.errors import InspectorError
from inspector.platform import files
from inspector.recorder.launch import recordings_folder
from inspector.recorder.live_summary import live_text
from inspector.ui import units
from inspector.ui.documents.recorded_program import (
    Recording,
    RecordingRequest,
    command_of,
    with_python,
)
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import GAP, PADDING, add_to, button, column_of, label, row, tip
from inspector.ui.widgets.theme import Theme, font

_NARROWEST = 640  # px
_LINES = 4  # of what the program writes, at least
_NODES = 50  # runs whose nodes are profiled
_NEXT = 10  # runs that are profiled on request
_MAX_NODES = 100_000
_ABOUT = mark(
    "The program runs unchanged: under its own Python (3.11 or later), or on Linux any program "
    "that loads ONNX Runtime as a shared library. Inspector records its ONNX Runtime calls, "
    "and those of the programs that it starts."
)
_LAYERS = mark("Profile each layer of the next runs of each session, and of these runs only")
_NO_LAYERS = mark(
    "Only native programs with ONNX Runtime 1.25 or later can profile runs while they run. For "
    "this program, choose the runs before you record."
)


class RecordDialog(QDialog):
    """Command line, folder and settings; then the state of the recording."""

    captured = Signal(object, object)  # Paths: of a model, of the inputs of one of its runs

    def __init__(
        self, theme: Theme, workspace: Workspace, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._recording: Recording | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Record a program — Inspector"))
        self.command, self.folder, self.save_in = QLineEdit(), QLineEdit(), QLineEdit()
        self.choose_program = button(theme, tr("Choose…"))
        self.choose = button(theme, tr("Choose…"))
        self.choose_save_in = button(theme, tr("Choose…"))
        self.nodes = QCheckBox(tr("Profile the layers in the first"))
        self.count = NumberField(tr("Number of profiled runs"), _MAX_NODES)
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.state = label("", "secondary")
        self.tail = QPlainTextEdit()
        self.live = label("", "value")
        self.capture = button(theme, tr("Open the next inputs"))
        self.capture.setToolTip(
            tip(tr("Save what the next run gets, and open it in Preview with its model"))
        )
        self.capture.setAutoDefault(False)
        self.layers = button(theme, tr("Record layers of the next"))
        self.layers.setAutoDefault(False)
        self.next = NumberField(tr("Number of runs whose layers are recorded"), _MAX_NODES)
        self.next_runs = label(tr("runs of each session"), "")
        self.start = button(theme, tr("Record"), "play", primary=True)
        self.stop = button(theme, tr("Stop"), "stop")
        self.stop.setAutoDefault(False)
        self._fill(workspace.settings)
        self._lay_out()
        self.setMinimumWidth(max(_NARROWEST, self.minimumSizeHint().width()))
        self._wire()
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes only while nothing runs."""
        if event.key() != Qt.Key.Key_Escape or self._recording is None:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """A program that still runs is ended, and its recording given up."""
        if self._recording is not None:
            self._recording.close()
        super().closeEvent(event)

    def record(self) -> None:
        """Start, or say why not."""
        nodes = self.count.value() if self.nodes.isChecked() else 0
        folder = files.at_home(Path(self.folder.text()))
        save_in = files.at_home(Path(self.save_in.text().strip() or str(recordings_folder())))
        request = RecordingRequest(self.command.text(), folder, nodes, save_in)
        self.failure.hide()
        self.tail.clear()
        settings = self._workspace.settings
        settings.setValue("record/command", request.command)
        settings.setValue("record/folder", str(request.folder))
        settings.setValue("record/save_in", str(request.save_in))
        try:
            recording = self._workspace.record(request)
        except InspectorError as error:
            self._show_failure(error)
            return
        self._recording = recording
        self.command.setCursorPosition(0)
        recording.changed.connect(self._tell)
        recording.ended.connect(self._end)
        recording.failed.connect(self._fail)
        recording.captured.connect(self.captured)
        self._tell()

    def _fill(self, settings: QSettings) -> None:
        self.command.setText(str(settings.value("record/command", "")))
        self.folder.setText(str(settings.value("record/folder", str(Path.home()))))
        place = recordings_folder()
        self.save_in.setText(str(settings.value("record/save_in", str(place))))
        self.save_in.setPlaceholderText(str(place))
        self.save_in.setAccessibleName(tr("Recordings folder"))
        self.choose_program.setAccessibleName(tr("Choose the program"))
        self.choose_save_in.setAccessibleName(tr("Choose the recordings folder"))
        self.command.setPlaceholderText(tr("python app.py"))
        self.command.setAccessibleName(tr("Command line"))
        self.folder.setAccessibleName(tr("Working folder"))
        self.nodes.setAccessibleName(tr("Profile layers"))
        self.count.setValue(_NODES)
        self.next.setValue(_NEXT)
        for field in (self.count, self.next):
            field.setFixedWidth(72)
        self.tail.setReadOnly(True)
        self.tail.setAccessibleName(tr("Program output"))
        self.tail.setFont(font(11, mono=True))
        self.tail.setPlaceholderText(tr("The output of the program appears here."))
        line = QFontMetrics(font(11, mono=True)).lineSpacing()
        self.tail.setMinimumHeight(_LINES * line + 16)
        self.tail.setStyleSheet('font-family: "JetBrains Mono"; font-size: 11px; padding: 4px;')

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(GAP)
        form.setVerticalSpacing(8)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.addRow(
            label(tr("Command line")), row(self.command, self.choose_program, stretch=0)
        )
        form.addRow(label(tr("Working folder")), row(self.folder, self.choose, stretch=0))
        form.addRow(
            label(tr("Save recording in")), row(self.save_in, self.choose_save_in, stretch=0)
        )
        parts = label(tr("runs of each session"), "")
        form.addRow("", row(self.nodes, self.count, parts, None))
        about = label(tr(_ABOUT), "secondary", wraps=True)
        page = column_of(on=self, spacing=GAP, margins=(PADDING,) * 4)
        add_to(page, about, form, self.failure, (self.tail, 1))
        add_to(page, row(self.layers, self.next, self.next_runs, None, self.capture), self.live)
        page.addLayout(row(self.state, None, self.stop, self.start))

    def _wire(self) -> None:
        self.start.clicked.connect(self.record)
        self.stop.clicked.connect(self._stop)
        self.capture.clicked.connect(self._capture)
        self.layers.clicked.connect(self._profile_next)
        self.failure.way.clicked.connect(self._use_own_python)
        self.choose_program.clicked.connect(self._choose_program)
        self.choose.clicked.connect(
            lambda: self._choose_folder(self.folder, tr("Working folder"))
        )
        self.choose_save_in.clicked.connect(
            lambda: self._choose_folder(self.save_in, tr("Save recording in"))
        )
        self.command.textChanged.connect(self._tell)
        self.nodes.toggled.connect(self.count.setEnabled)
        self.nodes.setChecked(True)

    def _tell(self) -> None:
        """Show what can be done and what goes on."""
        recording = self._recording
        running = recording is not None
        fields = (self.command, self.choose_program, self.folder, self.choose)
        more = (self.save_in, self.choose_save_in, self.nodes, self.count)
        for part in (*fields, *more):
            part.setEnabled(not running)
        self.start.setVisible(not running)
        self.start.setEnabled(bool(self.command.text().strip()))
        self.start.setDefault(not running)
        self.stop.setVisible(running)
        has_run = recording is not None and recording.live.runs > 0
        self.capture.setEnabled(has_run)
        can_profile = recording is not None and recording.live.profiles_runs
        why = "" if can_profile or not has_run else tr(_NO_LAYERS)
        self.layers.setToolTip(tip(why or tr(_LAYERS)))
        for each in (self.layers, self.next, self.next_runs):
            each.setVisible(running)
            each.setEnabled(has_run and can_profile)
        self.capture.setVisible(running)
        self.live.setText(live_text(recording.live) if recording is not None else "")
        if recording is None:
            self.state.setText("")
            return
        self.stop.setText(tr("Force quit") if recording.stopping else tr("Stop"))
        action = tr("Stopping") if recording.stopping else tr("Recording")
        parts = [
            tr("{action}: {name}").format(action=action, name=units.clip(recording.trace.name)),
            f"{units.number(recording.seconds, '.0f')} s",
        ]
        self.state.setText(" · ".join(parts))
        self.state.setToolTip(tip(str(recording.trace)))
        shown = "\n".join(units.clip(line, 400) for line in recording.lines)
        if shown != self.tail.toPlainText():
            self.tail.setPlainText(shown)
            bar = self.tail.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _capture(self) -> None:
        if self._recording is not None:
            self._recording.capture()

    def _profile_next(self) -> None:
        if self._recording is not None:
            self._recording.profile_next(self.next.value())

    def _stop(self) -> None:
        if self._recording is not None:
            self._recording.stop()

    def _end(self) -> None:
        self._recording = None
        self.close()

    def _fail(self, error: InspectorError) -> None:
        self._tell()
        bare = self._recording.bare_python if self._recording is not None else ""
        self._recording = None
        self._tell()
        self._show_failure(error)
        if bare and bare != sys.executable and not getattr(sys, "frozen", False):
            hint, text = self.failure.hint.text(), tr("Use the Python of Inspector")
            self.failure.offer(hint, text, sys.executable)

    def _use_own_python(self) -> None:
        """Record again with the Python of Inspector in place of the one in the command."""
        self.command.setText(with_python(self.command.text(), sys.executable))
        self.record()

    def _show_failure(self, error: InspectorError) -> None:
        self.failure.show_error(error)
        self.resize(self.width(), max(self.height(), self.sizeHint().height() + 24))

    def _choose_program(self) -> None:
        """Fill in the command of a script, which then runs in the script's folder."""
        kinds = tr("Python programs ({suffix})").format(suffix="*.py")
        every = tr("All files ({suffix})").format(suffix="*")
        title, start = tr("Program to record"), self.folder.text()
        path, _ = QFileDialog.getOpenFileName(self, title, start, f"{kinds};;{every}")
        if path:
            self.command.setText(command_of(Path(path)))
            self.folder.setText(str(Path(path).parent))

    def _choose_folder(self, field: QLineEdit, title: str) -> None:
        folder = QFileDialog.getExistingDirectory(self, title, field.text())
        if folder:
            field.setText(folder)
