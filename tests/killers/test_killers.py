"""Tiny models that would take for ever, or all memory, end within limits, with one sentence.

The whole table with its figures: python -m tests.killers
"""

import sys
from pathlib import Path

import pytest

from tests.killers.bombs import BOMBS
from tests.killers.models import MODELS, write
from tests.killers.running import MORE, arguments_for, run

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is one of Linux"),
]
_LIMIT_BYTES = 1 << 30
_SECONDS = 2.0  # of work: a busy machine takes longer for them
_MOST_SECONDS = 120.0


def problem(name: str, command: str, folder: Path) -> str:
    return _problem(arguments_for(command, write(name, folder)), folder)


def _problem(arguments: list[str], folder: Path) -> str:
    done = run(arguments, folder, _SECONDS, _LIMIT_BYTES)
    assert "Traceback" not in "".join(done.messages)
    return done.problem(_MOST_SECONDS, _LIMIT_BYTES)


def test_there_are_twenty_and_more_all_of_them_small(tmp_path):
    assert len(MODELS) >= 20
    sizes = {name: write(name, tmp_path).stat().st_size for name in MODELS}
    assert sum(size < 3_000 for size in sizes.values()) >= 20
    assert max(sizes.values()) < 1 << 20


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("endless_loop", "predict"),  # takes for ever
        ("doubled_35_times", "predict"),  # takes all memory while it is loaded
        # Takes all memory while it runs.
        pytest.param("loop_with_a_growing_sequence", "measure", marks=pytest.mark.slow),
    ],
)
def test_a_killer_ends_within_its_limits(tmp_path, name, command):
    assert problem(name, command, tmp_path) == ""


@pytest.mark.parametrize(
    "name",
    [
        "zip_of_a_model_of_zeros",  # fills the disk
        pytest.param("npz_of_zeros", marks=pytest.mark.slow),  # takes all memory
        "png_of_a_huge_head",
    ],
)
def test_a_file_that_unpacks_to_more_than_there_is_ends_within_its_limits(tmp_path, name):
    assert _problem(BOMBS[name](tmp_path), tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_each_such_file_ends_within_its_limits(tmp_path, name):
    assert _problem(BOMBS[name](tmp_path), tmp_path) == ""


@pytest.mark.slow
def test_a_roofline_ends_within_its_limits(tmp_path):
    assert _problem(["roofline", "--refresh"], tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("command", MORE)
@pytest.mark.parametrize("name", MODELS)
def test_each_killer_ends_within_its_limits(tmp_path, name, command):
    assert problem(name, command, tmp_path) == ""
