"""Sizes of surfaces: what counts as code, which surface it belongs to, the stored count."""

import json
import subprocess
import sys

import pytest

from tools import count_surfaces
from tools.count_surfaces import Count, Definition

MODULE = '''"""A docstring
of two lines."""

# A comment.
LIMIT = 3  # a comment behind code


class Chart:
    """Draws."""

    def paintEvent(self, event):
        text = """
# no comment, but text

"""
        return text


def total(values):
    """Return a sum."""
    if values:  # counted with its body
        return sum(values)
    return 0
'''


def test_lines_of_a_module_are_code_comments_or_blank():
    chart, function, rest = count_surfaces.python_sizes(MODULE)
    # Four of the lines of code are the string. Statements: class, def, assignment, return.
    assert (chart.name, chart.paints) == ("Chart", True)
    assert chart.size == Count(code=7, comments=1, blank=1, statements=4)
    assert (function.name, function.paints) == ("total", False)
    assert function.size == Count(code=4, comments=1, blank=0, statements=4)
    assert rest.size == Count(code=1, comments=3, blank=5, statements=1)
    sizes = (chart.size, function.size, rest.size)
    assert sum(size.lines for size in sizes) == len(MODULE.splitlines())


def test_comments_of_templates_are_no_code():
    text = "<p>\n<!-- a\nb -->\n{# c #}\n\n  // d\n</p> <!-- e -->\n"
    assert count_surfaces.text_size(text) == Count(code=2, comments=4, blank=1)


def test_each_line_belongs_to_one_surface_and_sums_hold():
    files = {
        "inspector/export/pages/pdf.py": b"A = 1\n",
        "inspector/pages/charts/lines.py": b"B = 1\nC = 2\n",
        "inspector/render/pdf.py": b"D = 1\n",
        "inspector/pages/report.py": b"E = 1\nF = 1\nG = 1\n",
        "inspector/cli/commands/tune.py": b"def _lines():\n    pass\ndef run():\n    1\n",
        "inspector/render/page.html": b"<p>\n",
        "resources/translations/messages_de.json": b"{}\n",
        "resources/support/cuda.json": b"{}\n",
        "resources/icons/save.svg": b"<svg/>\n",
        "tests/test_units.py": b"H = 1\n",
    }
    code = {name: size.code for name, size in count_surfaces.count(measured(files)).items()}
    named = {name: number for name, number in code.items() if number}
    assert named == {
        "charts": 2,
        "charts: for files": 2,
        "text": 8,
        "text: commands": 2,
        "text: documents": 1,
        "text: pages as values": 3,
        "text: renderers": 1,
        "text: templates": 1,
        "package: code": 11,
        "package: templates": 1,
        "package: catalogs": 1,
        "package: data": 1,
        "tests: code": 1,
    }


def measured(files: dict[str, bytes]) -> dict[str, list[Definition]]:
    return count_surfaces.measure(files)


def test_each_class_of_the_window_that_paints_is_in_a_list():
    files = {
        path.relative_to(count_surfaces.ROOT).as_posix(): path.read_bytes()
        for path in (count_surfaces.ROOT / "inspector" / "ui").rglob("*.py")
        if b"paintEvent" in path.read_bytes()
    }
    assert len(files) > 10
    assert count_surfaces.unlisted_painters(measured(files)) == []
    new = b"class Gauge:\n    def paintEvent(self, event):\n        pass\n"
    files["inspector/ui/tabs/gauge.py"] = new
    unlisted = count_surfaces.unlisted_painters(measured(files))
    assert unlisted == ["inspector/ui/tabs/gauge.py::Gauge"]


def test_the_stored_count_has_a_row_for_each_surface_and_whole():
    stored = json.loads((count_surfaces.ROOT / "tools" / "surfaces_baseline.json").read_text())
    assert stored.keys() == count_surfaces.count({}).keys()
    assert all(count_surfaces.from_json(row).lines == row["lines"] for row in stored.values())
    assert stored["text"]["code"] > 7000


@pytest.mark.slow
def test_a_count_against_a_commit_and_a_stored_one(tmp_path):
    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.count_surfaces", *options]
        return subprocess.run(command, cwd=count_surfaces.ROOT, capture_output=True, text=True)

    stored = tmp_path / "now.json"
    stored.write_text(run("--json").stdout)
    rows = json.loads(run("--json", "--against", str(stored)).stdout)
    assert {row["code_change"] for row in rows.values()} == {0}
    printed = run("--against", "HEAD")
    assert printed.returncode == 0
    assert "package: code" in printed.stdout
    wrong = run("--against", "no-such-commit")
    assert wrong.returncode == 2
    assert "no-such-commit" in wrong.stderr
