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
HOW_TO = sorted(path.stem for path in (ROOT / "docs" / "how_to").glob("*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Files that a reader has, and the repository has not.
THEIRS = re.compile(
    r"(?<!_float32\.)\b(?:model|new|old|before|data|app)\.(?:onnx|npz|py)\b|images|\bFOLDER\b|\b(?:whisper|t5)-folder\b"
)


def commands(page: Path) -> list[list[str]]:
    """Commands of the page's blocks without a language, but for those on the reader's files."""
    blocks = BLOCK.findall(page.read_text("utf-8"))
    lines = [line for language, block in blocks if not language for line in block.splitlines()]
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
        allowed = {0, 3} if "--fail-if" in step else {0}  # 3: a page shows what a gate says
        assert run.returncode in allowed, (step, run.stdout, run.stderr)
        assert run.stdout, step
    return len(steps)


@pytest.mark.parametrize(
    "page",
    [
        "docs/tours/ml_engineer.md",
        "docs/tours/performance_engineer.md",
        "docs/tours/test_engineer.md",
        "docs/language_models.md",
        "README.md",
        *(f"docs/how_to/{name}.md" for name in HOW_TO),
    ],
)
def test_the_commands_of_a_page_have_arguments_that_exist(page):
    shown = commands(ROOT / page)
    assert shown or page == "docs/how_to/other_machine.md"  # all of it runs on the reader's
    for name, *arguments in shown:
        command_parser(name).parse_args(arguments)
        named = [word for word in arguments if word.startswith("sample_models/")]
        assert all((ROOT / word).exists() for word in named), named


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(sys.platform == "win32", reason="makes a symbolic link")
@pytest.mark.parametrize(
    "name",
    [
        "../README",
        "tours/ml_engineer",
        "tours/performance_engineer",
        "tours/test_engineer",
        "language_models",
        *(f"how_to/{name}" for name in HOW_TO if name != "other_machine"),
    ],
)
def test_the_commands_of_the_tours_work(name, tmp_path):
    assert run_all(ROOT / "docs" / f"{name}.md", tmp_path) >= 1
