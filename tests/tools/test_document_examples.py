"""The commands that the pages show are run, in the order of the page."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli.main import command_parser

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Files that a reader has, and the repository has not.
THEIRS = re.compile(
    r"(?<!_float32\.)\b(?:model|new|old|before|data|app)\.(?:onnx|npz|py)\b|images|\bFOLDER\b"
)


def commands(page: Path) -> list[list[str]]:
    """Commands of the page's blocks without a language, but for those on the reader's files."""
    lines = [
        line for block in BLOCK.findall(page.read_text("utf-8")) for line in block.splitlines()
    ]
    shown = [
        line for line in lines if line.startswith("inspector ") and not THEIRS.search(line)
    ]
    return [shlex.split(line)[1:] for line in shown]


def run_all(page: Path, folder: Path) -> int:
    if sys.platform == "win32":  # links need a privilege there
        shutil.copytree(ROOT / "sample_models", folder / "sample_models")
    else:
        (folder / "sample_models").symlink_to(ROOT / "sample_models")
    steps = commands(page)
    for step in steps:
        arguments = list(step)
        if "--" in step:  # what follows is a program; "--code python" is an option
            arguments[step.index("--") + 1] = sys.executable
        command = [sys.executable, "-m", "inspector", *arguments]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, (step, run.stdout, run.stderr)
        assert run.stdout, step
    return len(steps)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/tours/ml_engineer.md",
        "docs/tours/performance_engineer.md",
        "docs/language_models.md",
    ],
)
def test_the_commands_of_a_page_have_arguments_that_exist(page):
    shown = commands(ROOT / page)
    assert len(shown) >= 3
    for name, *arguments in shown:
        command_parser(name).parse_args(arguments)
        named = [word for word in arguments if word.startswith("sample_models/")]
        assert all((ROOT / word).exists() for word in named), named


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(sys.platform == "win32", reason="makes a symbolic link")
def test_the_tour_of_the_readme_works(tmp_path):
    assert run_all(ROOT / "README.md", tmp_path) == 13
    made = {path.name for path in tmp_path.iterdir()}
    files = {"float32.json", "float32.html", "int8.json", "small.onnx", "app.trace.json"}
    assert files <= made


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(sys.platform == "win32", reason="makes a symbolic link")
@pytest.mark.parametrize(
    "name", ["tours/ml_engineer", "tours/performance_engineer", "language_models"]
)
def test_the_commands_of_the_tours_work(name, tmp_path):
    assert run_all(ROOT / "docs" / f"{name}.md", tmp_path) >= 3
