"""Cards for newcomers: the last prediction, device support, and links to the next steps."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from inspector.analysis.devices import targets
from inspector.analysis.devices.targets import Answer, TargetSupport
from inspector.analysis.measured.latency import median_label
from inspector.analysis.measured.partitions import layers_not_run, layers_on
from inspector.analysis.verdicts.contradictions import reliability_doubts
from inspector.backends import registry
from inspector.conversion.action import Step
from inspector.errors import InspectorError
from inspector.preview.inputs import image_files
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.render import code_languages
from inspector.report.evaluation import MIN_INPUTS
from inspector.report.report import PerformanceReport
from inspector.ui import commands, units
from inspector.ui.background import TaskRunner, WhileShown
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.class_names import top_classes
from inspector.ui.documents.document import FIX_AXES, Document, Topic
from inspector.ui.documents.estimating import size_list
from inspector.ui.tabs.overview.load_record import LoadRecord
from inspector.ui.tabs.preview.outputs.image_view import ImageView
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    column_of,
    follow,
    grid_of,
    hairline,
    keep_size,
    label,
    row,
    tip,
    wrapped,
)
from inspector.ui.widgets.theme import Painted, Theme, fill_round, qt_color
from inspector.wording import class_scores

# For which somebody looks at the page: then other devices are checked by themselves, which
# takes 0.3 s of a core for 3 layers and 0.7 s for 1,000; for more layers only when asked.
CHECK_AFTER_MS = 1500
_CHECKED_LAYERS = 1000
_PROOF_PX = 248  # width
_PICTURE_PX = 84
_SHOWN_TARGETS = 6
_MAX_DEVICES = 3
_ICONS = {Answer.YES: "certain", Answer.NOT_KNOWN: "info"}
_CHAT = (  # in place of the first step, of a model that generates text
    mark("How does it answer?"),
    mark("Chat with the model; see each token's probability and time"),
    mark("Open Chat"),
    "chat",
)
_STATE_PX = 40  # of what is said of a device, at least
_NAME_PX = 120  # of a device; "iPhone, iPad and Mac"
_STEPS = (  # question, what there is, link, id of the tab or "code" or "support"
    (
        mark("Are the predictions right?"),
        mark("Run the model on your own files and folders"),
        mark("Open Preview"),
        "preview",
    ),
    (
        mark("Where does the time go?"),
        mark("Latency, and the time of each layer"),
        mark("Open Performance"),
        "performance",
    ),
    (
        mark("Can it be smaller or faster?"),
        mark("Float16, int8 and more; each result is checked and measured"),
        mark("Open Improve"),
        "improve",
    ),
    (
        mark("How do I use it in my program?"),
        mark("Code in your programming language, ready to copy"),
        mark("Show code"),
        "code",
    ),
    (
        mark("Does it run on a phone?"),
        mark("Android, iPhone, NPUs and browsers"),
        mark("Check support"),
        "support",
    ),
)


def _steps(document: Document) -> Iterator[tuple[str, str, str, str]]:
    """Yield the steps that this installation has for a model."""
    for step in (_CHAT, *_STEPS[1:]) if document.is_language_model else _STEPS:
        if step[-1] != "code" or code_languages.any_programs():
            yield step


def _link(theme: Theme, text: str, action: Callable[[], object]) -> QWidget:
    return button(theme, text, role="link", then=lambda: action())


class Proof(Painted):
    """The last input and its answer, or an invitation to try one."""

    def __init__(self, theme: Theme, document: Document, image: bool) -> None:
        super().__init__(theme)
        self._document = document
        self.setFixedWidth(_PROOF_PX)
        self.title = label("", "caption")
        self.answer = label("", "title", wraps=True)
        self.value, self.source = label("", "value"), Elided("", "caption")
        self.value.setWordWrap(True)
        self.caution = Elided("", "caution", Qt.TextElideMode.ElideRight)
        self.accuracy = Elided("", "value", Qt.TextElideMode.ElideRight)
        text = tr("Try your own image") if image else tr("Try your own input")
        self.open = button(theme, text, "picture" if image else "play", then=self._try)
        self.library = button(theme, tr("Choose library…"))
        self.library.clicked.connect(lambda: file_dialogs.choose_operators(document, self))
        self._image = image
        self.picture = ImageView(theme, tr("Image"), _PICTURE_PX)
        self.picture.setFixedWidth(_PICTURE_PX)
        texts = column_of(self.title, self.answer, self.value, None, spacing=4)
        both = row((texts, 1), (self.picture, 0, Qt.AlignmentFlag.AlignTop))
        column = column_of(on=self, spacing=4, margins=(12,) * 4)
        add_to(column, None, both, self.source, self.caution, self.accuracy, 8, self.open)
        add_to(column, self.library, None)
        late = WhileShown(self, self.follow)
        document.watch(late.call, Topic.PREDICTION, Topic.FOLDER, Topic.SPEC)
        self._loads = LoadRecord.of(document)
        self._loads.changed.connect(late.call)
        self.follow()

    def follow(self) -> None:
        """Show the last prediction of the document."""
        document = self._document
        top = next(iter(top_classes(document, 1)), None)
        tried = document.prediction is not None
        self.title.setText(tr("Prediction") if tried else tr("Are the predictions right?"))
        if top is not None:
            name = top.label or tr("Class {index}").format(index=top.index)
            self.answer.setText(units.clip(name, 60))
            self.value.setText(units.localized(class_scores.share(top.probability)))
        elif document.prediction is not None:
            count = len(document.prediction.outputs)
            self.answer.setText(plural(count, "output"))
            self.value.setText(tr("shown in Preview"))
        elif document.folder_tested is not None:
            self.answer.setText(plural(document.folder_tested[1].files, "file"))
            self.value.setText(tr("shown in Preview"))
        elif document.files_run:  # in an earlier session; Preview reads it when it is shown
            self.answer.setText(tr("Previous result"))
            self.value.setText(tr("shown in Preview"))
        elif file_dialogs.lacks_operators(document):
            self.answer.setText(tr("Cannot run yet"))
            self.value.setText(tr("A library with its operators is missing"))
        else:
            # Of a sample or of an earlier session: Preview runs it as soon as it is shown.
            ready = bool(document.inputs)
            not_run = tr("Not run since the model was opened")
            self.answer.setText(not_run if ready else tr("Not tried yet"))
            self.value.setText(
                tr("An input is ready in Preview") if ready else tr("See what it predicts")
            )
        for part in (self.answer, self.value):
            part.setEnabled(True)
        image = document.image if tried else None
        self.picture.show_picture(image)
        self.picture.setVisible(image is not None)
        self.source.set_text(_source_text(document) if tried else "")
        self.source.setVisible(tried)
        problem = document.input_problem if tried else ""
        self.caution.set_text(tr("The image does not fit the model") if problem else "")
        self.caution.setToolTip(tip(problem))
        self.caution.setVisible(bool(problem))
        self.accuracy.set_text(accuracy_text(document))
        self.accuracy.setVisible(bool(accuracy_text(document)))
        if document.outdated is not None:
            self._show_outdated(document.outdated)
        elif not tried and (failure := self._loads.problem):
            refused = self._loads.error is not None
            self.answer.setText(tr("Does not run") if refused else tr("The run failed"))
            self.value.setText(units.capitalized(units.clip(failure.why, 160)))
        lacking = file_dialogs.lacks_operators(document)
        self.library.setVisible(lacking)
        self.open.setVisible(not lacking and self._loads.error is None)

    def _try(self) -> None:
        """Let the user choose images for Preview; other inputs are entered there."""
        if not self._image:
            commands.run(self, "tab/preview")
            return
        suffixes = " ".join(f"*{suffix}" for suffix in sorted(image_files.suffixes()))
        filters = tr("Images ({suffixes});;All files (*)").format(suffixes=suffixes)
        if paths := file_dialogs.ask_files(self, tr("Images for this input"), filters):
            commands.run(self, "try", *paths)

    def _show_outdated(self, error: InspectorError) -> None:
        """Dim the answer, which is not that of the present input, and say why there is none."""
        self.title.setText(tr("Previous result"))
        self.picture.hide()  # it may be that of the new input
        self.caution.hide()
        for part in (self.answer, self.value):
            part.setEnabled(False)
        self.source.set_text(tr("The new input has no result"))
        self.source.setToolTip(tip(str(error)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill_round(painter, QRectF(self.rect()), 8, qt_color(self._theme.palette.window))


def accuracy_text(document: Document) -> str:
    """Return how many inputs of the last folder were right; "" where none had labels."""
    if document.folder_tested is None or document.folder_tested[1].accuracy is None:
        return ""
    counts = document.folder_tested[1]
    return tr("{percent:.1f}% of {told:,} labeled inputs right").format(
        percent=100 * (counts.accuracy or 0.0), told=counts.told
    )


def _source_text(document: Document) -> str:
    """Return where the input came from."""
    source = document.input_source
    return tr("from {file}").format(file=source) if source else tr("generated input")


class SupportCard(Card):
    """The devices on which the model ran, and the estimated support of other devices."""

    checked = Signal(object)  # sequence of TargetSupport

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._theme, self._document = theme, document
        self._found: Sequence[TargetSupport] = ()
        self._jobs = TaskRunner(self)
        self.check = button(theme, tr("Check now"), "chip", then=lambda: self._check())
        keep_size(self.check)
        self.all = _link(theme, tr("All targets…"), commands.runner(self, "support"))
        self.count = label("", "caption")
        self._rows = column_of(spacing=0)
        model = document.model
        self._lengths = fixed_lengths(model.inputs) if model is not None else {}
        self._targets = targets.for_model(model)[:_SHOWN_TARGETS] if model is not None else ()
        self.fix = _link(theme, tr("Fix dynamic axes…"), self._offer_fixing)
        about = tr(
            "Set these sizes in a copy of the model; many phones and NPUs require fixed sizes"
        )
        self.fix.setToolTip(tip(about))
        self.assumed = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.assumed.set_text(tr("Assumes {sizes}").format(sizes=size_list(self._lengths)))
        self.body.addLayout(row(label(tr("Device support"), "heading"), None, self.count))
        add_to(self.body, self._rows, row(self.assumed, self.fix, stretch=0))
        for part in (self.assumed, self.fix):  # once they have a parent: else as windows
            part.setVisible(bool(self._lengths))
        if not document.offers(FIX_AXES):
            self.fix.hide()
        add_to(self.body, row(self.all, None, self.check), None)
        document.changed(Topic.REPORT).connect(WhileShown(self, self.follow).call)
        document.changed(Topic.SUPPORT).connect(lambda: self._check())
        _ShownIfRefused(self, document, refused=False)
        self.follow()
        self._idle = QTimer(self, singleShot=True, interval=CHECK_AFTER_MS)
        self._idle.timeout.connect(self._check_if_idle)
        if document.support_checked:  # in an earlier session; it is looked up again
            QTimer.singleShot(0, self, self._check)

    def showEvent(self, event: QShowEvent) -> None:
        """Check by itself once somebody has looked for a while; nothing of the model is run."""
        super().showEvent(event)
        model = self._document.model
        if model is not None and len(model.layers) <= _CHECKED_LAYERS and not self._found:
            self._idle.start()

    def _check_if_idle(self) -> None:
        if self._document.work is not None:
            self._idle.start()
        elif self.isVisible() and self._targets:
            self._check(asked=False)

    def follow(self) -> None:
        """Show the devices of the present report, and some targets checked or not."""
        while (item := self._rows.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        report, model = self._document.report, self._document.model
        layers = len(model.layers) if model is not None else 0
        self.count.setText(plural(layers, "layer"))
        if report is None:
            self._add("info", tr("This machine"), tr("not measured"))
        for device in report.devices[:_MAX_DEVICES] if report is not None else ():
            ran = layers_on(report, device.id) if report is not None else 0
            text = ran_text(report, ran) if report is not None and ran else tr("unused")
            self._add("certain" if ran else "info", units.device(device.id), text)
        by_id = {each.target.id: each for each in self._found}
        for target in self._targets:
            result = by_id.get(target.id)
            if result is None:
                self._add("info", tr(target.title), tr("not checked"))
                continue
            text = tr(result.answer.value)
            text += f" · {written(result.runs)}" if result.count else ""
            why = f"{in_window(result.text)} {in_window(result.explanation)}"
            self._add(_ICONS.get(result.answer, "warning"), tr(target.title), text, why)
        if self._found:
            removed = max(each.removed for each in self._found)
            words = tr("{layers} · estimated").format(layers=plural(layers, "layer"))
            if removed:
                words = tr("{layers}, {removed:,} removed · estimated").format(
                    layers=plural(layers, "layer"), removed=removed
                )
                self.count.setToolTip(tr("ONNX Runtime removes layers that have no effect"))
            self.count.setText(words)
        self.check.setVisible(not self._found)

    def _check(self, asked: bool = True) -> None:
        """Ask the support tables on another thread; nothing is run. asked: a failure is told;
        else the button stays."""
        if self._document.model is None or self._found or not self.check.isEnabled():
            return
        if self.check.hasFocus():  # which would go to some other card
            self.all.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check.setEnabled(False)
        check, lengths = self._document.estimating.check_targets, self._lengths
        fail = self._fail if asked else lambda _: self.check.setEnabled(True)
        self._jobs.start(lambda: check(self._targets, lengths), self._show_found, fail)

    def _offer_fixing(self) -> None:
        """Offer the action that sets the lengths that are assumed here."""
        pairs = tuple((name, str(length)) for name, length in self._lengths.items())
        commands.run(self, "improve/offer", Step(FIX_AXES, pairs))

    def _show_found(self, found: Sequence[TargetSupport]) -> None:
        self._found, self._document.support_checked = found, True
        self.check.setEnabled(True)
        self.follow()
        self.checked.emit(found)

    def _fail(self, error: InspectorError) -> None:
        self.check.setEnabled(True)
        self._document.failed.emit(error)

    def _add(self, icon: str, name: str, state: str, why: str = "") -> None:
        line, sign = QWidget(), QLabel()
        line.setToolTip(tip(why))
        role = {"certain": "good", "warning": "caution"}.get(icon, "tertiary")
        follow(self._theme, sign, lambda: sign.setPixmap(self._theme.pixmap(icon, role)))
        title = Elided(units.clip(name, 40), "value")
        # Not the name of a device is cut away, but what is said of it.
        title.setMinimumWidth(min(title.fontMetrics().horizontalAdvance(name) + 8, _NAME_PX))
        told = Elided(state, "secondary", Qt.TextElideMode.ElideRight)
        told.setMinimumWidth(_STATE_PX)
        told.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        line.setLayout(row(sign, title, told, stretch=1))
        line.setFixedHeight(32)
        for part in (hairline(), line):
            self._rows.addWidget(part)
            part.show()  # at once: a layout shows it a moment later, and all below would jump


def ran_text(report: PerformanceReport, ran: int) -> str:
    """Return how many layers ran on a device, and how many on none."""
    text, rest = plural(ran, "layer"), layers_not_run(report)
    if not rest:
        return tr("{layers} ran").format(layers=text)
    return tr("{layers} ran, {count:,} fused or removed").format(layers=text, count=rest)


class NextStepsCard(Card):
    """Questions, each with one link that answers it; those that are answered say so.

    states: of each question, what is known of its answer, by the id of its target.
    """

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document = document
        self._support = ""
        self._unsure = {"support"}
        self.links: dict[str, QWidget] = {}
        self.states: dict[str, Elided] = {}
        self._signs: dict[str, QLabel] = {}
        self.body.addWidget(label(tr("Next steps"), "heading"))
        self.body.setSpacing(6)
        useless = set() if document.not_changed is None else {"improve"}
        if document.model is None or not targets.for_model(document.model):
            useless.add("support")
        for question, text, link, target in _steps(document):
            if target in useless:
                continue
            grid = grid_of(1, 1, (1,))
            id_ = target if target in ("code", "support") else f"tab/{target}"
            made = self.links[target] = _link(theme, tr(link), commands.runner(self, id_))
            sign = self._signs[target] = QLabel()
            follow(theme, sign, partial(self._show_sign, theme, sign))
            state = self.states[target] = Elided("", "caption", Qt.TextElideMode.ElideRight)
            state.set_text(tr(text))
            asked = wrapped(tr(question), "value")  # in two lines where the page is narrow
            grid.addWidget(asked, 0, 0)
            grid.addWidget(made, 0, 1, Qt.AlignmentFlag.AlignRight)
            grid.addLayout(row(sign, state, spacing=6, stretch=1), 1, 0, 1, 2)
            sign.hide()
            add_to(self.body, hairline(), grid)
        self.body.addStretch(1)
        late = WhileShown(self, self.follow)
        document.watch(late.call, Topic.REPORT, Topic.PREDICTION, Topic.FOLDER, Topic.IMPROVE)
        self._loads = LoadRecord.of(document)
        self._loads.changed.connect(late.call)
        _ShownIfRefused(self, document, refused=False)
        self.follow()

    @staticmethod
    def _show_sign(theme: Theme, sign: QLabel) -> None:
        sign.setPixmap(theme.pixmap("certain", "good"))

    def note_support(self, found: Sequence[TargetSupport]) -> None:
        """Show what the check of other devices says of phones."""
        by_id = {each.target.id: tr(each.answer.value) for each in found}
        words = tr("iPhone: {iphone} · Android: {android}")
        self._support = words.format(iphone=by_id["apple"], android=by_id["android"])
        self.follow()

    def follow(self) -> None:
        """Show which questions are answered by now, and with what."""
        answers = self._answers()
        for _, text, _, target in _steps(self._document):
            if target in self.states:
                self.states[target].set_text(answers.get(target) or tr(text))
                # An estimate of phones, a noisy latency and the accuracy on a few inputs are
                # answers, but no good ones.
                answered = bool(answers.get(target)) and target not in self._unsure
                self._signs[target].setVisible(answered)

    def _answers(self) -> dict[str, str]:
        """Return what is known by now, by the target of its question."""
        document = self._document
        report, measured = document.report, ""
        of = median_label(report) if report is not None else None
        tested = document.folder_tested
        few = tested is not None and tested[1].told < MIN_INPUTS
        failed = "" if document.prediction or not self._loads.stopped else tr("The run failed")
        self._unsure = {"support", *(("preview",) if few or failed else ())}
        if report is not None and of is not None:
            noisy = bool(reliability_doubts(report, document.reports))
            self._unsure |= {"performance"} if noisy else set()
            template = (
                tr("Measured, but noisy: {latency}, {kind}")
                if noisy
                else tr("Measured: {latency}, {kind}")
            )
            median = units.duration(report.median_ns)
            measured = template.format(latency=median, kind=written(of))
        improved = document.improvement is not None
        return {
            "preview": accuracy_text(document) or failed,
            "performance": measured,
            "improve": tr("Candidates were compared; see the results") * improved,
            "support": self._support,
        }


class RefusedCard(Card):
    """In place of `NextStepsCard`, what helps a file that its runtime does not load."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._loads = LoadRecord.of(document)
        self.advice = wrapped("", "value")
        add_to(self.body, label(tr("Next steps"), "heading"), self.advice)
        graph = _link(theme, tr("Open Graph"), commands.runner(self, "tab/graph"))
        add_to(self.body, row(graph, None), None)
        self._loads.changed.connect(self._follow)
        _ShownIfRefused(self, document, refused=True)
        self._follow()

    def _follow(self) -> None:
        error = self._loads.error
        self.advice.setText(in_window(error.hint) if error is not None else "")


class _ShownIfRefused(QObject):
    """Shows a card only while its file is known not to load, or only while it is not.

    A child of the card, which ends with it; the record lives as long as the document.
    """

    def __init__(self, card: Card, document: Document, refused: bool) -> None:
        super().__init__(card)
        self._card, self._refused, self._loads = card, refused, LoadRecord.of(document)
        if not self._is_shown():  # to show it would make a window of it: it has no parent yet
            card.hide()
        self._loads.changed.connect(self._follow)

    def _is_shown(self) -> bool:
        return (self._loads.error is not None) == self._refused

    def _follow(self) -> None:
        self._card.setVisible(self._is_shown())


class NotRunCard(Card):
    """Says of a model that Inspector only shows what runs it, or what is missing to run it."""

    def __init__(self, theme: Theme, document: Document, why: str, hint: str) -> None:
        super().__init__(theme)
        self.body.addWidget(label(tr("Where it runs"), "heading"))
        for text, role in ((why, "value"), (in_window(hint), "secondary")):
            self.body.addWidget(label(text, role, wraps=True))
        for remedy in remedies(theme, document):
            self.body.addLayout(row(remedy, None))
        self.body.addStretch(1)


def remedies(theme: Theme, document: Document) -> Iterator[QPushButton]:
    """Yield buttons of what lets a model run whose runtime is not here."""
    model = document.model
    if document.missing_engine is not None:
        yield install_button(theme, document)
    if model is not None and model.repairable:
        yield repair_button(theme)
    if model is None or model.refused or document.not_run is None:
        return
    device = registry.device_instead(document.runtime, model.format)
    if device:
        use = button(theme, tr("Use {device}").format(device=units.device(device)))
        use.clicked.connect(lambda: document.set_spec(devices=(device,)))
        yield use


def install_button(theme: Theme, document: Document) -> QPushButton:
    """Return the button that asks for the missing runtime of a model."""
    assert document.missing_engine is not None, "it is asked before"
    text = tr("Install {name}…").format(name=document.missing_engine.name)
    made = button(theme, text, primary=True)
    made.clicked.connect(commands.runner(made, "install"))
    return made


def repair_button(theme: Theme) -> QPushButton:
    """Return the button that saves a repaired copy of a file, and opens it."""
    made = button(theme, tr("Repair…"), primary=True)
    made.setToolTip(tr("Save a repaired copy and open it; the file itself stays as it is"))
    made.clicked.connect(commands.runner(made, "repair"))
    return made
