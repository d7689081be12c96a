"""docs/families.md says what the program's tables and the planted models say."""

import pytest

from tests.preview.families import families_page
from tests.preview.families.families_page import IMAGES, OTHERS, PAGE


@pytest.mark.parametrize("name", [IMAGES, OTHERS])
def test_the_page_has_the_tables_of_the_program(name):
    _, table, _ = families_page.parts(PAGE.read_text("utf-8"), name)
    expected = families_page.tables()[name]
    assert table == expected, "run: python -m tests.preview.families.families_page"


def test_every_image_family_is_planted():
    untested = [row for row in families_page.image_rows() if "not tested" in row]
    assert untested == []
