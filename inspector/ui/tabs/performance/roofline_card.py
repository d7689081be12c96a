"""The roofline of a report, and the button that measures the peak of the device for it."""

from msgspec.structs import replace

from inspector.analysis.measured.roofline_points import peak_is_low
from inspector.backends.base import Capability
from inspector.engine.client.engine_process import Progress
from inspector.pages.blocks import Section, Table, Text
from inspector.pages.report.layers import roofline
from inspector.report.report import PerformanceReport
from inspector.ui import units
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import button, row, tip
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Tone

_INVITATION = mark(
    "Shows how near each layer comes to the fastest that this device can compute and move data."
)
_MEASURE = mark("Measure device peak")
_AGAIN = mark("Measure device peak again")
_HINT = mark(
    "Measures only how fast the device computes and moves data. The model is not measured "
    "again; the rest of the report stays as it is"
)


def roofline_card(
    theme: Theme, report: PerformanceReport, document: Document | None
) -> "RooflineCard | None":
    """Return what layers reach of what is possible; None where that cannot be measured.

    Their table has the numbers.
    """
    section = roofline(report)
    measurable = (
        document is not None
        and document.model is not None
        and bool(report.kernel_ns)
        and Capability.CEILINGS in document.runtime.capabilities
    )
    if not section and not measurable:
        return None
    blocks = tuple(block for block in section.blocks if not isinstance(block, Table))
    if not section:
        section = Section("roofline", "Roofline", ())
        blocks = (Text(tr(_INVITATION), Tone.SECONDARY),)
    shown = replace(section, blocks=blocks)
    return RooflineCard(theme, shown, report, document if measurable else None)


class RooflineCard(SectionCard):
    """Shows the chart with what it says, and how far a measurement of the peak is.

    document: of the model, where the peak can be measured.
    """

    def __init__(
        self,
        theme: Theme,
        section: Section,
        report: PerformanceReport,
        document: Document | None,
    ) -> None:
        super().__init__(theme, section)
        self._document, self._shows_progress = document, False
        ceilings = report.roofline.ceilings
        low = any(peak_is_low(report, one.device) for one in ceilings)
        self._text = tr(_AGAIN if ceilings else _MEASURE)
        self.measure = button(theme, self._text, tooltip=tip(tr(_HINT)))
        self.body.addLayout(row(self.measure, None))
        self.measure.setVisible(document is not None and (low or not ceilings))
        if document is not None:
            self.measure.clicked.connect(document.measure_peak)
            document.progressed.connect(self._show_progress)
            document.changed(Topic.WORK).connect(self._follow_work)
            self._follow_work()

    def _follow_work(self) -> None:
        """Measure nothing while other work runs."""
        idle = self._document is not None and self._document.work is None
        self.measure.setEnabled(idle)
        if idle and self._shows_progress:
            self._shows_progress = False
            self.measure.setText(self._text)

    def _show_progress(self, progress: Progress) -> None:
        """Show on the button how far its work is."""
        if self._document is not None and self._document.work is Work.PEAK:
            self._shows_progress = True
            done = units.number(100 * progress.done, ".0f")
            share = f" {done}%" if progress.done >= 0 else ""
            self.measure.setText(tr("Measuring…{share}").format(share=share))
