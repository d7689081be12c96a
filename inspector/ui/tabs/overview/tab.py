"""The Overview: everything a file says, at a glance."""

from collections.abc import Iterator
from operator import attrgetter

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.analysis.devices import targets
from inspector.analysis.facts.model_facts import Facts, findings, optional_inputs
from inspector.analysis.measured.latency import median_label
from inspector.analysis.verdicts.contradictions import reliability_doubts
from inspector.app.language.folder import OpenedFolder
from inspector.backends.base import Capability
from inspector.model.model import ONNX_RUNTIME, TFLITE, Model
from inspector.pages.language.folder import layout_of, size_of_what, summed_up
from inspector.pages.model import file
from inspector.preview.identity import identify
from inspector.preview.outputs.labels import ClassNames
from inspector.ui import glossary, units
from inspector.ui.background import ChunkedWork, WhileShown
from inspector.ui.documents.class_names import ClassNameChooser
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.documents.estimating import CompatibilityCheck
from inspector.ui.tabs.overview.cards import (
    CostCard,
    FileCard,
    IdentityCard,
    OperatorsCard,
    PrecisionCard,
    with_opset,
)
from inspector.ui.tabs.overview.device_card import DeviceCard
from inspector.ui.tabs.overview.folder_cards import FolderCards
from inspector.ui.tabs.overview.layer_list import LayerList
from inspector.ui.tabs.overview.load_record import LoadRecord
from inspector.ui.tabs.overview.next_steps import (
    NextStepsCard,
    NotRunCard,
    Proof,
    RefusedCard,
    SupportCard,
)
from inspector.ui.tabs.overview.structure_card import NotesCard, StructureCard
from inspector.ui.tabs.overview.value_cards import ValueCard
from inspector.ui.translate import plural, tr, written
from inspector.ui.widgets.layouts import BESIDE_BAR, Columns, grow_page, scroll_down
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Card,
    Metric,
    MetricRow,
    add_to,
    column_of,
    label,
    row,
    tip,
)
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Size

_PARENT = attrgetter("parent")  # quick over 100,000
_ORIGIN = attrgetter("origin")


class NumbersRow(MetricRow):
    """Shows them in cards; latency and MACs follow the document."""

    def __init__(self, theme: Theme, document: Document, model: Model, facts: Facts) -> None:
        runtime = tr("Minimum {program}").format(program=facts.requirements.program)
        titles = (
            tr("Latency"), tr("File size"), tr("Parameters"),
            tr("MACs"), runtime if model.details is None else tr("Runs on"),
        )  # fmt: skip
        cards = tuple(Metric(theme, title) for title in titles)
        super().__init__(cards)
        for card, title in zip(cards, titles, strict=True):
            card.setToolTip(tip(glossary.meaning(title)))
        oldest = tr("The oldest release of {program} that runs this model on a CPU")
        if model.details is None:
            cards[-1].setToolTip(tip(oldest.format(program=facts.requirements.program)))
        self.latency, self.disk, self.parameters, self.macs, self.runtime = cards
        self._document, self._model = document, model
        self._fill(model, facts)
        late = WhileShown(self, self.follow)
        document.changed(Topic.REPORT).connect(late.call)
        document.estimating.changed.connect(late.call)
        self._loads, self._facts = LoadRecord.of(document), facts
        self._loads.changed.connect(late.call)
        self.follow()

    def follow(self) -> None:
        """Show what was measured and estimated by now."""
        report, estimate = self._document.report, self._document.estimating.estimate
        self._show_runtime(self._model, self._facts)
        of = median_label(report) if report is not None else None
        if report is None or of is None:
            self.latency.show_value("–", "", tr("not measured"))
        else:
            value, kind = units.duration_parts(report.median_ns), written(of)
            doubts = reliability_doubts(report, self._document.reports)
            shorts = [tr("noisy: {reason}").format(reason=written(d.short)) for d in doubts]
            texts = (*shorts, tr("Noisy")) if doubts else (kind,)
            if report.generation is not None:  # the time is not that of a run
                noisy = tr("noisy") if doubts else ""
                labels = kind, tr("per token")
                texts = tuple(" · ".join(filter(None, (each, noisy))) for each in labels)
            self.latency.show_value(*value, texts[0], shorter=texts[1:])
            sentences = (written(doubt.sentence) for doubt in doubts)
            self.latency.setToolTip(tip(kind, *sentences))
        nested = len(self._model.layers) - [*map(_PARENT, self._model.layers)].count(None)
        more = tr(" · {nested:,} nested").format(nested=nested) if nested else ""
        below = plural(len(self._model.layers), "layer") + more
        if estimate is None:
            self.macs.show_value("–", "", tr("calculating…"))
        else:
            if not self._model.layers:
                self.macs.show_value("–", "", tr("no graph"))
                return
            if estimate.macs == 0 and estimate.cost.unknown:
                self.macs.show_value("–", "", tr("unknown, {layers}").format(layers=below))
                return
            number, _, unit = units.count(estimate.macs).partition(" ")
            about = tr("estimated, {layers}").format(layers=below)
            if estimate.cost.unknown:  # then the sum is the least
                number, unknown = f"≥ {number}", plural(estimate.cost.unknown, "layer")
                about = tr("at least; unknown for {layers}").format(layers=unknown)
            self.macs.show_value(number, unit, about)

    def show_folder(self, opened: OpenedFolder) -> None:
        """Show the size and the parameters of all parts together."""
        facts = opened.facts
        size, _, unit = written(Size(facts.size_bytes)).partition(" ")
        self.disk.show_value(size, unit, written(size_of_what(opened.graphs)))
        if facts.parameters:
            number, _, unit = units.count(facts.parameters).partition(" ")
            tensors = sum(each.tensors for each in facts.classes)
            self.parameters.show_value(number, unit, plural(tensors, "tensor"))

    def _fill(self, model: Model, facts: Facts) -> None:
        tensors = len(model.weights) - [*map(_ORIGIN, model.weights)].count("constant")
        tensors += len(model.constant_weights)
        number, _, unit = units.count(model.parameters).partition(" ")
        also = (
            tr(" · {count} in constants").format(count=units.count(facts.constants))
            if facts.constants
            else ""
        )
        in_lists = model.parameters and not tensors  # as those of trees
        where = tr("in operator attributes") if in_lists else plural(tensors, "tensor")
        below = f"{where}{also}"
        weights_known = model.details is None or model.details.weights_known
        if not weights_known:
            self.parameters.show_value("–", "", tr("unknown"))
        else:
            self.parameters.show_value(number, unit, below)
        storage, whole = facts.precision.storage, facts.weights_bytes
        first = (
            tr("weights {size}, {type}").format(size=units.size(whole), type=storage[0][0])
            if storage
            else (tr("no weights") if weights_known else tr("weights not read"))
        )
        self.disk.show_value(*units.size_parts(model.whole_bytes), first)

    def _show_runtime(self, model: Model, facts: Facts) -> None:
        """Show the oldest release that loads the file, unless the file is known to fail."""
        needs = facts.requirements
        if self._loads.error is not None:
            below = tr("{runtime} does not load it").format(runtime=self._loads.runtime)
            self.runtime.show_value("–", "", below)
        elif model.details is not None:
            oldest, _, others = model.details.needs.partition(", ")
            self.runtime.show_value(
                oldest or "–", "", others or tr("minimum version not stated")
            )
        elif model.refusal(ONNX_RUNTIME) is not None:
            lite = model.format == TFLITE
            below = tr("microcontrollers only") if lite else tr("no release loads this file")
            self.runtime.show_value("–", "", below)
        elif needs.runtime:
            below = tr("or any later release")
            if needs.libraries:
                names = (each.package or each.domain for each in needs.libraries)
                below = tr("and a library: {names}").format(names=", ".join(names))
            elif needs.reason:
                reason = with_opset(needs.reason)
                below = tr("required by {with_opset}").format(with_opset=reason)
            self.runtime.show_value(needs.runtime, "", below)
        elif needs.elsewhere:
            self.runtime.show_value(needs.elsewhere, "", written(needs.elsewhere_reason))
        else:
            self.runtime.show_value(tr("none yet"), "", needs.reason)


class OverviewTab(QScrollArea):
    """One scrolling page: what it is, five numbers, what to do, then all details and layers."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._document = theme, document
        self.about: FileCard | None = None
        self.layers: LayerList | None = None
        self.precision: PrecisionCard | None = None
        self._columns: Columns | None = None
        self._notes: NotesCard | None = None
        self._identity: IdentityCard | None = None
        self.numbers: NumbersRow | None = None
        self.folder_cards: FolderCards | None = None
        self._chooser = ClassNameChooser(self, document)
        self._chooser.failed.connect(document.failed)
        self._dealt = False
        self._building = ChunkedWork(self)
        scroll_down(self)
        self.setAccessibleName(tr("Overview"))
        document.changed(Topic.MODEL).connect(self._show)
        document.changed(Topic.PARTS).connect(self._show_folder)
        document.changed(Topic.DIGEST).connect(self._show_digest)
        document.changed(Topic.WORK).connect(self._show_waiting)
        document.changed(Topic.CLASS_NAMES).connect(self._show_class_names)
        self._show()
        self._building.finish()

    def _show(self) -> None:
        model, facts = self._document.model, self._document.facts
        if model is None or facts is None:
            self._show_waiting()
            return
        self._building.start(self._build(model, facts))

    def _build(self, model: Model, facts: Facts) -> Iterator[None]:
        """Make the page card by card, show it, and put the list of layers below."""
        page, cards = QWidget(self.viewport()), Columns()
        column = QVBoxLayout(page)
        column.setContentsMargins(PADDING, PADDING, BESIDE_BAR, PADDING)
        column.setSpacing(GAP)
        self._identity = self._identity_card(model)
        column.addWidget(self._identity)
        self.numbers = NumbersRow(self._theme, self._document, model, facts)
        column.addWidget(self.numbers)
        if self._document.has_parts:
            self.folder_cards = FolderCards(self._theme, self._document)
            column.addWidget(self.folder_cards)
            self._show_folder()
        add_to(column, self._first_cards(model, facts), cards)
        if model.layers:
            column.addWidget(DeviceCard(self._theme, self._document))
        for card in self._cards(model, facts):
            cards.addWidget(card)
            yield
        column.addStretch(1)
        self.layers, self._columns, self._dealt = None, cards, False
        page.resize(self.viewport().width(), page.sizeHint().height())
        column.activate()
        yield  # the layout takes as long as the picture: the window answers in between
        self.setWidget(page)
        self._show_digest()
        yield
        yield  # all else begins when this has been painted
        self.layers = LayerList(self._theme, model, self._document.selection)
        column.insertWidget(column.count() - 1, self.layers)
        self.layers.show()  # a layout would show it later, in the height of before
        self._document.estimating.changed.connect(self._show_estimate)
        self._show_estimate()
        grow_page(self)
        yield
        self._document.estimating.begin()
        self.layers.prepare()

    def _identity_card(self, model: Model) -> IdentityCard:
        chosen, facts = self._document.class_names, self._document.facts
        identity = identify(model, chosen)
        card = IdentityCard(self._theme, identity, chosen is not None)
        image = any(" image" in evidence.statement for evidence in identity.evidence)
        count = len(findings(model, facts)) if facts else 0
        validity = card.show_validity(self._document, self._check(), count)
        validity.findings_requested.connect(self._show_findings)
        if self._document.not_run is None and not self._document.is_language_model:
            card.show_proof(Proof(self._theme, self._document, image))
        card.change_requested.connect(self._offer_class_names)
        # Assumed names become numbers; chosen ones become what there was before.
        back = ClassNames() if chosen is None else None
        card.undone.connect(lambda: self._document.choose_class_names(back))
        return card

    def _show_folder(self) -> None:
        """Say what the whole folder is, where the file of its graph stood."""
        opened = self._document.opened_folder
        if opened is None or self._identity is None or self.numbers is None:
            return
        what = summed_up(opened.facts)
        if what:
            self._identity.headline.setText(written(what))
        self._identity.details.setText(written(layout_of(opened.folder, opened.facts)))
        self.numbers.show_folder(opened)

    def _offer_class_names(self) -> None:
        model = self._document.model
        shapes = [info.shape for info in model.outputs if info.shape] if model else []
        known = [[axis for axis in shape if isinstance(axis, int)] for shape in shapes]
        self._chooser.offer(known)

    def _show_class_names(self) -> None:
        """Show what the model is with other names of its classes."""
        page, model = self.widget(), self._document.model
        if self._identity is None or model is None or page is None:
            return
        old, self._identity = self._identity, self._identity_card(model)
        layout = page.layout()
        assert layout is not None, "the page was built with one"
        layout.replaceWidget(old, self._identity)
        old.hide()
        old.deleteLater()

    def _show_estimate(self) -> None:
        estimate = self._document.estimating.estimate
        if estimate is not None and self.layers is not None and self.precision is not None:
            self.layers.show_estimate(estimate)
            self.layers.prepare()
            self.precision.show_estimate(estimate)
            if self._columns is not None and not self._dealt:
                self._dealt = True
                QTimer.singleShot(0, self._columns, self._columns.deal_again)

    def _first_cards(self, model: Model, facts: Facts) -> QHBoxLayout:
        """Return inputs, outputs and precision, device support, and next steps side by side."""
        theme, document = self._theme, self._document
        self.precision = PrecisionCard(theme, model, facts)
        across = row(spacing=GAP)
        values = [ValueCard(theme, tr("Inputs"), model.inputs)]
        if optional := optional_inputs(model):
            values.append(ValueCard(theme, tr("Inputs with defaults"), optional))
        values.append(ValueCard(theme, tr("Outputs"), model.outputs))
        refusal = document.not_run
        if refusal is None:
            across.addWidget(_stacked(*values, self.precision), 1)
            steps = NextStepsCard(theme, document)
            if targets.for_model(model):
                support = SupportCard(theme, document)
                support.checked.connect(steps.note_support)
                across.addWidget(support, 1)
            add_to(across, (steps, 1), (RefusedCard(theme, document), 1))
        else:
            add_to(across, (_stacked(*values), 1), (self.precision, 1))
            told = NotRunCard(theme, document, *refusal)
            if targets.for_model(model) and not model.refused:  # estimates need no runtime
                across.addWidget(_stacked(told, SupportCard(theme, document)), 1)
            else:
                across.addWidget(told, 1)
        return across

    def _cards(self, model: Model, facts: Facts) -> Iterator[QWidget]:
        theme = self._theme
        if model.compiled:
            yield SectionCard(theme, file.compiled(model))
        self.about = FileCard(theme, model, facts)
        yield self.about
        if model.layers:
            yield CostCard(theme, self._document.estimating)
        if odd := findings(model, facts):
            self._notes = NotesCard(theme, odd, self._document)
            yield self._notes
        operators = OperatorsCard(theme, facts)
        operators.chosen.connect(self._find_operator)
        yield operators
        structure = StructureCard(theme, self._document)
        structure.chosen.connect(self._find)
        yield structure
        told = (file.format_details(model), *file.declared(model), *file.texts(model))
        for section in filter(None, told):
            card = SectionCard(theme, section)
            card.body.addStretch(1)
            yield card

    def _check(self) -> CompatibilityCheck | None:
        """Return the check in other programs; None for a model that they do not read."""
        document = self._document
        checks = Capability.COMPATIBILITY in document.backend.capabilities
        runs = document.not_run is None or (
            document.model is not None and document.model.refusal(ONNX_RUNTIME) is not None
        )
        return document.verdicts if checks and runs else None

    def _find_operator(self, name: str) -> None:
        """Show the layers of an operator."""
        self._find(name.rpartition(".")[2])

    def _find(self, text: str) -> None:
        if self.layers is not None:
            self.layers.filter.setText(text)
            self.ensureWidgetVisible(self.layers.filter, 0, 200)

    def _show_findings(self) -> None:
        page = self.widget()
        if self._notes is not None and page is not None:
            top = self._notes.mapTo(page, QPoint(0, 0)).y()
            self.verticalScrollBar().setValue(top - PADDING)

    def _show_digest(self) -> None:
        if self.about is not None and self._document.digest:
            self.about.digest.show_digest(self._document.digest)

    def _show_waiting(self) -> None:
        """Show what is awaited, as long as there is nothing to show."""
        if self._document.model is not None:
            return
        reading = self._document.work is Work.OPENING
        name = self._document.name
        empty = label(
            tr("Opening {name}…").format(name=name)
            if reading
            else tr("{name} is not open.").format(name=name),
            "secondary",
        )
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWidget(empty)


def _stacked(*cards: Card) -> QWidget:
    """Cards that stay together, one below the other."""
    together = QWidget()
    column = column_of(on=together, spacing=GAP)
    add_to(column, *cards)
    column.setStretchFactor(cards[-1], 1)
    return together
