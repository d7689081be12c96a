"""The walks through the window are counted, and get no longer."""

import json
import subprocess
import sys
import threading
from collections import Counter

import pytest

from tests.conftest import ROOT
from tools import count_walk
from tools.count_walk import Calls

# Modules that may be entered; the numbers may only shrink, toward `count_walk.GOALS`.
MOST_MODULES = {"open": 124, "drop": 119, "measure": 172}


def test_calls_are_counted_with_their_first_caller_only_while_walking(monkeypatch):
    monkeypatch.setattr(count_walk, "_PACKAGE", __file__)
    monkeypatch.setattr(count_walk, "ROOT", ROOT)
    before = sys.getprofile()
    try:
        calls = Calls()
        _second()
        with calls.walk() as walk:
            _first()
            _second()
        _first()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    named = {name.partition(":")[2]: count for name, count in walk.calls.items()}
    assert named == {"_first": 1, "_second": 2}
    place = "tests.tools.test_count_walk"
    assert walk.callers[f"{place}:_second"] == f"{place}:_first"


def _first() -> None:
    _second()


def _second() -> None:
    """Does nothing."""


def test_modules_functions_and_calls_are_told_apart():
    counts = count_walk._counts(Counter({"a:f": 2, "a:g": 1, "b:f": 4}))
    assert counts == {"modules": 2, "functions": 3, "calls": 7}


@pytest.mark.slow
def test_walks_get_no_longer():
    command = [sys.executable, "-m", "tools.count_walk", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    counts = json.loads(done.stdout)
    modules = {name: count["modules"] for name, count in counts.items()}
    assert {name: n for name, n in modules.items() if n > MOST_MODULES[name]} == {}
