from inspector import api
from tools.make_python_page import PAGE, page


def test_the_page_is_that_of_the_docstrings():
    expected = "the docstrings have changed: run python -m tools.make_python_page"
    assert PAGE.read_text("utf-8") == page(), expected


def test_every_name_of_the_api_has_a_section():
    text = page()
    for name in api.__all__:
        assert f"### inspector.{name}\n" in text or f"### {name}\n" in text, name
