from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.advice.rules import advice
from inspector.comparison.comparison import compare
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.remedies import trial_of
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.tabs.performance.suggestions import FindingsCard, fact_and_reason
from inspector.ui.widgets.layouts import scroll_down
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report

LEFT = Qt.MouseButton.LeftButton


def test_a_click_on_a_layer_of_a_suggestion_selects_it(qtbot):
    report, selection = example_report(), Selection()
    view = ReportView(Theme("light"), report, selection, (), advice(report))
    qtbot.addWidget(view)
    view.show()
    links = [b for b in view.advice.findChildren(QPushButton) if b.text().startswith("#")]
    assert [link.text().split()[0] for link in links[:4]] == ["#13", "#0", "#4", "#2"]
    qtbot.mouseClick(links[0], LEFT)
    assert selection.now.layer == 13


def test_the_first_findings_have_a_button_that_shows_their_layer(qtbot):
    report, selection = example_report(), Selection()
    advised = advice(report)
    card = FindingsCard(Theme("light"), report, advised, selection, None)
    qtbot.addWidget(card)
    card.resize(1000, 140)
    card.show()
    place = next(n for n, one in enumerate(advised) if one.rule == "dominant-operator")
    assert card.quote.text.accessibleName().startswith("Good to quote: 1.85 ms, median of")
    assert card.quote.button.isHidden(), "nothing can be measured without a model"
    row = card.limit
    assert row.text.accessibleName() == ("Bottleneck: 70% of kernel time is in 6 Conv layers.")
    assert row.button.text() == "Show in timeline"
    with qtbot.waitSignal(card.timeline_asked):
        qtbot.mouseClick(row.button, LEFT)
    assert selection.now.layer == advised[place].layers[0]


def test_buttons_are_equally_wide_and_away_from_the_edges(qtbot):
    report = example_report()
    card = FindingsCard(Theme("light"), report, advice(report), Selection(), None)
    qtbot.addWidget(card)
    card.rows[0].button.setText("Measure with all optimizations")
    card.line_up()
    card.resize(1000, 240)
    card.show()
    buttons = [finding.button for finding in (card.limit, *card.rows)]
    assert len({one.width() for one in buttons}) == 1
    top = buttons[0].mapTo(card, QPoint(0, 0)).y()
    bottom = buttons[-1].mapTo(card, QPoint(0, buttons[-1].height())).y()
    assert top >= 6
    assert card.height() - bottom >= 6


def test_without_suggestions_it_still_says_what_limits_the_run(qtbot):
    card = FindingsCard(Theme("light"), example_report(), (), Selection(), None)
    qtbot.addWidget(card)
    assert not card.rows
    assert card.limit.text.accessibleName() == (
        "Bottleneck: 70% of kernel time is in 6 Conv layers."
    )


def test_a_fact_before_a_colon_stands_out_and_markup_stays_text(qtbot):
    text = "This runs in float32: <b>no</b> kernels."
    one = Advice("r", text, "Gain. More.", "Check.", share=0.1)
    two = Advice("r", "It is slow.", "Saves 5%. And more.", "Check.")
    assert fact_and_reason(one) == ("This runs in float32:", "<b>no</b> kernels.")
    assert fact_and_reason(two) == ("It is slow.", "Saves 5%.")
    card = FindingsCard(Theme("light"), example_report(), (one, two), Selection(), None)
    qtbot.addWidget(card)
    assert "&lt;b&gt;no&lt;/b&gt;" in card.rows[0].text.text()
    with qtbot.waitSignal(card.details_asked):
        qtbot.keyClick(card.rows[0].button, Qt.Key.Key_Return)
    assert len(card.rows) == 1, "what is not about speed stands below the layers"


def test_a_finding_without_layers_shows_its_sentences(qtbot):
    bare = tuple(Advice(f"r{i}", f"Sentence {i}.", "Gain. " * 30, "Check.") for i in (1, 2))
    report = example_report()
    area, page = QScrollArea(), QWidget()
    column = QVBoxLayout(page)
    scroll_down(area)
    area.setWidget(page)
    qtbot.addWidget(area)
    area.resize(700, 600)
    area.show()
    view = ReportView(Theme("light"), report, Selection(), (), (*advice(report)[:1], *bare))
    column.addWidget(view, 1)
    view.show()
    lines = view.advice.findChildren(QLabel)
    assert len(lines) > 6
    qtbot.waitUntil(
        lambda: all(line.height() >= line.heightForWidth(line.width()) for line in lines),
        timeout=2000,
    )


def test_a_report_says_whether_the_setting_that_was_tried_made_it_faster(qtbot):
    before = example_report()
    extended = replace(before.spec, optimization="extended", roofline=True)
    after = example_report(1_400_000, 9, spec=extended)
    between = example_report(spec=replace(before.spec, threads=3))
    trial = trial_of(after, (before, between, after, example_report()))
    assert trial.before is before
    assert trial_of(before, (before, after)) is None, "nothing was tried with the first one"
    advised = advice(after)
    assert "optimization-level" in {each.rule for each in advised}
    advised = trial.open(advised)
    assert "optimization-level" not in {each.rule for each in advised}
    window = _Window()
    card = FindingsCard(Theme("light"), after, advised, Selection(), None, trial)
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(card)
    verdict = compare((before, after)).judgements[1]
    said = card.trial.text.accessibleName()
    assert said == f"Without conversions: {verdict.text(' than the report before')}"
    qtbot.mouseClick(card.trial.button, LEFT)
    assert window.ran == [("compare/reports", before, after)]


class _Window(QWidget):
    """A window that notes the commands that it was asked for."""

    def __init__(self):
        super().__init__()
        self.ran = []

    def run_command(self, id_, *arguments):
        self.ran.append((id_, *arguments))
