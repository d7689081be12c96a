"""The pages of the commands: today's options, and examples that run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from inspector.cli.command_table import commands
from inspector.report.report import save
from tests import command_line
from tests.reports import example_report
from tools.make_command_pages import LIST, PAGES, updated, updated_list

EXAMPLE = re.compile(r"^```console\n\$ inspector (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
SAMPLES = Path(__file__).parents[2] / "sample_models"


def page(command: str) -> str:
    return (PAGES / f"{command}.md").read_text("utf-8")


def test_every_command_has_a_page_and_every_page_a_command():
    assert {path.stem for path in PAGES.glob("*.md")} == set(commands())


def test_the_list_of_commands_is_that_of_the_program():
    page = LIST.read_text("utf-8")
    assert page == updated_list(page), "run python -m tools.make_command_pages"


@pytest.mark.parametrize("command", commands())
def test_the_options_of_a_page_are_those_of_the_parser(command):
    assert page(command) == updated(page(command), command), (
        "run python -m tools.make_command_pages"
    )


@pytest.mark.parametrize("command", commands())
def test_a_page_has_two_examples_with_output(command):
    examples = EXAMPLE.findall(page(command))
    assert len(examples) >= 2
    assert all(line.startswith(f"{command}") and output for line, output in examples)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    place = tmp_path_factory.mktemp("examples") / "models"
    shutil.copytree(SAMPLES, place, ignore=shutil.ignore_patterns("making", "__pycache__"))
    script = (
        "import numpy, onnxruntime\n"
        "x = numpy.random.default_rng(0).random((1, 1, 8, 8), numpy.float32)\n"
        "session = onnxruntime.InferenceSession('digits_float32.onnx')\n"
        "y = session.run(None, {'picture': x})[0]\n"
        "numpy.savez('expected.npz', picture=x, probabilities=y)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=place, check=True)
    assert np.load(place / "expected.npz")["probabilities"].shape == (1, 10)
    for name in ("report.json", "other.json"):
        save(example_report(), place / name)
    return place


Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def example(folder: Path) -> Iterator[Callable[[str], Done]]:
    """Runs the first example of a command's page, once."""
    python = Path(sys.executable).parent

    @cache
    def run(command: str) -> Done:
        line, _ = EXAMPLE.findall(page(command))[0]
        return command_line.run(*shlex.split(line))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(python), prepend=os.pathsep)
        patch.chdir(folder)
        yield run


# Half a second each or more, and tested elsewhere. What others print is compared below, or they
# are quick.
LONG = {"tune", "roofline", "improve", "sweep", "measure"}
LONG |= {"devices", "convert", "support", "record", "verify"}


@pytest.mark.engine
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=[pytest.mark.slow] if command in LONG else [])
        for command in commands()
    ],
)
def test_the_first_example_of_a_page_runs(command, example):
    done = example(command)
    assert done.returncode == 0, done.stderr
    assert done.stdout or done.stderr


@pytest.mark.engine
@pytest.mark.parametrize("command", ["info", "predict", "prepare", "parity", "layers"])
def test_the_output_of_an_example_is_as_the_page_shows_it(command, example):
    """Lines begin with the same words; times, sizes and notes on this CPU may differ."""
    _, output = EXAMPLE.findall(page(command))[0]

    def heads(rows: str) -> set[str]:
        words = (row.split()[:2] for row in rows.splitlines())
        return {" ".join(word for word in two if not word[0].isdigit()) for two in words}

    shown = {head for head in heads(output) if head != "..." and not head.startswith("note:")}
    assert shown <= heads(example(command).stdout)
