"""The notebook of the documentation runs, cell by cell, in IPython as in Jupyter."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import inspector

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
RUN = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        done = shell.run_cell("".join(cell["source"]), store_history=True)
        done.raise_error()
        value = done.result
        for name in ("_repr_html_", "_repr_markdown_"):
            if hasattr(value, name):
                assert getattr(value, name)(), cell["source"]
"""


def sources() -> list[str]:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_uses_every_function_but_those_that_need_files_of_yours():
    used = set(re.findall(r"inspector\.([a-z_]+)\(", "\n".join(sources())))
    functions = {name for name in inspector._API if name.islower()} | {"recording"}
    assert functions - used == {
        "compile_model",
        "compile_targets",
        "evaluate",
        "improve",
        "record_program",
    }


@pytest.mark.slow
@pytest.mark.engine
def test_every_cell_of_the_notebook_runs(tmp_path):
    pytest.importorskip("IPython")
    shutil.copytree(ROOT / "sample_models", tmp_path / "sample_models")
    command = [sys.executable, "-c", RUN, str(NOTEBOOK)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "calls.trace.json").stat().st_size > 1000
