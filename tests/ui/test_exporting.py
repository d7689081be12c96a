import pytest

from inspector.export import export
from inspector.ui.exporting import SUFFIXES
from inspector.ui.top_bar import FORMATS
from tests.reports import example_report


@pytest.mark.parametrize("form", [form for _, form in FORMATS])
def test_every_format_of_the_menu_has_a_suffix_and_can_be_written(form: str) -> None:
    assert SUFFIXES[form].startswith(".")
    assert export(example_report(), form)
