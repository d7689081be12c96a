from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.export import FORMATS as KNOWN
from inspector.export import export
from inspector.export.plots import PLOTS
from inspector.ui.exporting import SUFFIXES, Exporter
from inspector.ui.window.top_bar import FORMATS, PICTURES
from tests.reports import example_report


@pytest.mark.parametrize("form", [form for _, form in FORMATS])
def test_every_format_of_the_menu_has_a_suffix_and_can_be_written(form: str) -> None:
    assert SUFFIXES[form].startswith(".")
    assert export(example_report(), form)


def test_the_menu_offers_every_format_and_every_plot() -> None:
    assert {form for _, form in FORMATS} == set(KNOWN) == set(SUFFIXES)
    assert {plot for _, plot in PICTURES} == PLOTS.keys() - {"summary"}


@pytest.mark.parametrize(("name", "start"), [("one.png", b"\x89PNG"), ("one.svg", b"<?xml")])
def test_a_picture_of_one_plot_is_what_its_file_is_called(
    qtbot: QtBot, tmp_path: Path, name: str, start: bytes
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    exporter = Exporter(window)
    with qtbot.waitSignal(exporter.done, timeout=20_000):
        exporter.save(example_report(), "picture/histogram", tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
