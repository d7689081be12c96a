import random
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fuzz.json_mutate import mutated_json
from fuzz.loader_seeds import trees
from fuzz.loader_targets import attempt, packed
from fuzz.loaders import CASES, SHARES

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("path", sorted(CASES.iterdir()), ids=lambda path: path.name)
def test_a_file_that_once_failed_loads_or_is_refused(path, tmp_path):
    attempt(path.name.partition("-")[0], path.read_bytes(), tmp_path, -1)


@pytest.mark.parametrize("kind", SHARES)
def test_whole_files_load_and_hold_something_in_every_kind(kind, tmp_path):
    for tree in trees()[kind]:
        assert attempt(kind, packed(kind, tree), tmp_path)


def test_changes_can_be_repeated_and_leave_the_tree_as_it_was():
    tree = trees()["library"][0]
    before = msgspec.json.encode(tree)
    first = [mutated_json(tree, random.Random(n)) for n in range(300)]
    assert msgspec.json.encode(tree) == before
    assert first == [mutated_json(tree, random.Random(n)) for n in range(300)]
    assert len(set(first)) > 200


def test_many_changed_reports_still_load_so_that_what_uses_them_is_tried(tmp_path):
    chance, tree = random.Random(5), trees()["report"][0]
    bodies = [mutated_json(tree, chance) for _ in range(300)]
    opened = sum(attempt("report", body, tmp_path) for body in bodies)
    assert 50 < opened < 250


def test_the_search_through_loaders_prints_its_counts():
    command = [sys.executable, "-m", "fuzz.loaders", "--seconds", "0.2", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.match(r"seed 3: [1-9]", done.stdout)
    assert " 0 failed" in done.stdout
