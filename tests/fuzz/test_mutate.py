import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from google.protobuf.message import DecodeError
from onnx import ModelProto

from fuzz.mutate import mutated
from tests.formats.build import add, model, ramp, weight

SEEDS = tuple(
    model([add(name=f"n{n}")], [weight("w", ramp(4))]).SerializeToString() for n in range(3)
)


def test_changes_can_be_repeated_and_differ():
    first = [mutated(SEEDS[0], SEEDS, random.Random(n)) for n in range(50)]
    assert first == [mutated(SEEDS[0], SEEDS, random.Random(n)) for n in range(50)]
    assert len(set(first)) > 40


def test_many_changed_files_are_still_messages_so_that_the_reader_goes_deep():
    whole = 0
    for number in range(300):
        body = mutated(SEEDS[0], SEEDS, random.Random(number))
        with suppress(DecodeError):
            whole += ModelProto.FromString(body).HasField("graph")
    assert whole > 60


@pytest.mark.slow  # test_loaders.py has a shorter search
def test_the_search_prints_its_counts(tmp_path):
    command = [sys.executable, "-m", "fuzz", "0.6", "--seed", "3"]
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("seed 3, ")
    assert "0 failed" in next(line for line in lines if line.startswith("changed"))
    assert "0 failed" in next(line for line in lines if line.startswith("made up"))
    assert "0 failed" in next(line for line in lines if line.startswith("loaders"))
