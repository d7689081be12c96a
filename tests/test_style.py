"""Rules of style that a program can check; `python -m tools.count_style` counts the others."""

import re
from pathlib import Path

import pytest

from tools import count_style, dead_names, text_comparisons
from tools.syntax_trees import no_collection

LISTED = Path(__file__).with_name("text_comparisons.txt")
# Imports inside functions and libraries imported by name, each with what it buys; may only
# shrink.
INNER_IMPORTS = 80

MODULE = '''"""Use `Report.save`, `Report.write`, `old_name`; `python -m tools.gone`, `--gone`.

`Reader.anything` is inherited from elsewhere, `np.mean` belongs to a library.
"""

import numpy as np
from library import Reader as Base


class Report:
    """A report; see `tables/`, `module.py` and `removed.py`."""

    def save(self, path):  # not as `Report.open` does, nor `json.dumps` and `json.dumb`
        return np.mean(path)


class Reader(Base):
    """Reads."""
'''

COMPARED = """
NOTE = "The measurement ended early."
CODES = {"E1": "a sentence with words"}
_PATTERN = re.compile("no such file")


def judge(report, error, code, name):
    return [
        NOTE in report.notes,
        error.why.startswith("the runtime refused"),
        _PATTERN.search(str(error)),
        re.sub("of the model", "", report.title),
        code in CODES,
        name == "two words",
        error.why == "",
    ]
"""


def test_a_name_that_nothing_has_is_found(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tools").mkdir()
    (tmp_path / "module.py").write_text(MODULE)
    found = [(each.line, each.name) for each in dead_names.dead_names(tmp_path, tmp_path)]
    assert sorted(found) == [
        (1, "--gone"),
        (1, "Report.write"),
        (1, "old_name"),
        (1, "python -m tools.gone"),
        (11, "removed.py"),
        (13, "Report.open"),
        (13, "json.dumb"),
    ]


def test_code_that_compares_sentences_is_found(tmp_path):
    (tmp_path / "module.py").write_text(COMPARED)
    found = text_comparisons.comparisons(tmp_path, tmp_path)
    assert [each.code for each in found] == [
        "NOTE in report.notes",
        "error.why.startswith('the runtime refused')",
        "_PATTERN.search(str(error))",
        "re.sub('of the model', '', report.title)",
    ]


def test_each_count_of_style_counts_what_its_name_says(tmp_path):
    package = tmp_path / "inspector"
    package.mkdir()
    (package / "__init__.py").write_text('"""See `nothing`."""\n')
    (package / "module.py").write_text(
        "FIRST = 1\n\n\ndef one(self):\n    import os\n    # 9 ms\n"
        "    return import_module('x'), os\n\n\n"
        "# A title.\n\n\nclass View:\n    def paintEvent(self):\n        pass\n\n\n"
        "TABLE = (one,)\nLATE = 2\nA, B = 3, LateModule('y')\n" + "\n" * 600
    )
    assert count_style.count(count_style.package(tmp_path)) == {
        "modules": 2,
        "functions": 2,
        "inner-imports": 3,
        "unexplained-imports": 2,
        "late-constants": 1,
        "packed-constants": 1,
        "section-titles": 1,
        "paint-events": 1,
        "long-files": 1,
        "dead-names": 1,
        "compared-texts": 0,
    }


@pytest.fixture(scope="module")
def package():
    """All modules of the package, read once."""
    with no_collection():
        yield count_style.package()


@pytest.mark.thorough
def test_docstrings_and_comments_name_only_what_exists(package):
    assert list(count_style.dead(package)) == []


@pytest.mark.thorough
def test_no_more_code_compares_sentences(package):
    """The list may only shrink: give what is compared a value, and take its line away."""
    lines = LISTED.read_text("utf-8").splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]
    assert listed == list(dict.fromkeys(listed))
    trees = {Path(path): module for path, module in package.items()}
    found = {each.key for each in text_comparisons.comparisons(trees=trees)}
    assert found - set(listed) == set(), "compare a value instead of a sentence"
    assert set(listed) - found == set(), "gone: take it out of the list"


def test_colors_stand_in_the_palette():
    """Whatever draws takes its colors from there, so that themes and contrast are one place."""
    package = dead_names.ROOT / "inspector"
    palette = package / "pages" / "charts" / "palette.py"
    others = (path for path in package.rglob("*.py") if path != palette)
    assert [p for p in others if re.search(r"#[0-9a-fA-F]{6}\b", p.read_text("utf-8"))] == []


@pytest.mark.thorough
def test_there_are_no_more_imports_inside_functions(package):
    inner = list(count_style.inner_imports(package))
    assert len(inner) <= INNER_IMPORTS, "import at the head of the file"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "count", ["unexplained-imports", "late-constants", "packed-constants", "section-titles"]
)
def test_there_is_none_of(count, package):
    assert list(count_style.COUNTS[count](package)) == []
