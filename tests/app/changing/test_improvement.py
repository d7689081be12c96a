"""The search for a better model, with a bench that converts nothing."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from inspector.app.changing.search import Goal, search
from inspector.conversion.action import Step
from inspector.errors import Cancelled, EngineFailed
from inspector.report.improvement import SIZE, Accuracy, Candidate, Improvement, LayerError

ORIGINAL = Candidate("m.onnx", size_bytes=1000)
STATE = Improvement("m.onnx", "0" * 64, "cpu", ORIGINAL, made_by=("inspector",))


class Bench:
    """Makes candidates of given sizes; those without one fail as they are converted."""

    def __init__(self, sizes: dict[str, int], pair_layers: bool = False) -> None:
        self._sizes, self.pair_layers = sizes, pair_layers
        self.looked_at: list[str] = []

    def worst_layers(self, *_: Any) -> tuple[str, ...]:
        return ()

    def expect_not_stopped(self) -> None:
        raise Cancelled("Stopped")

    def convert(self, steps: tuple[Step, ...], folder: Path) -> Any:
        assert folder.is_dir()
        name = steps[0].action
        if name == "stopped":
            raise Cancelled("Stopped")
        if name not in self._sizes:
            raise EngineFailed("Could not convert m.onnx", f"{name} crashed")
        return SimpleNamespace(name=name, made_by=("inspector", f"maker of {name}"))

    def evaluate(self, name: str, made: Any) -> Candidate:
        return Candidate(name, (made.name,), self._sizes[made.name], levels=4)

    def in_detail(self, candidate: Candidate) -> Candidate:
        self.looked_at.append(candidate.name)
        return msgspec.structs.replace(candidate, layers=(LayerError("a", "Conv", 30.0),))


def searched(bench: Any, folder: Path, *names: str) -> list[Improvement]:
    recipes = [(Step(name),) for name in names]
    return [*search(bench, STATE, Goal(SIZE, None), recipes, folder)]


def test_only_a_candidate_that_is_the_best_so_far_is_looked_at_in_detail(tmp_path):
    bench = Bench({"half": 500, "same": 1000, "less": 600, "quarter": 250})
    states = searched(bench, tmp_path, "half", "same", "less", "quarter")
    assert [state.best for state in states] == [0, 0, 0, 3]
    assert bench.looked_at == ["half", "quarter"]
    assert [len(each.layers) for each in states[-1].candidates] == [1, 0, 0, 1]
    every = Bench({"half": 500, "same": 1000}, pair_layers=True)
    searched(every, tmp_path, "half", "same")
    assert every.looked_at == ["half", "same"]


def test_a_candidate_that_fails_has_its_reason_and_the_search_goes_on(tmp_path):
    bench = Bench({"half": 500})
    last = searched(bench, tmp_path, "broken", "half")[-1]
    assert [each.problem for each in last.candidates] == ["broken crashed", ""]
    assert [each.steps for each in last.candidates] == [("broken",), ("half",)]
    assert (last.best, last.made_by) == (1, ("inspector", "maker of half"))


def test_a_search_whose_folder_was_deleted_when_it_was_stopped_is_cancelled(tmp_path):
    with pytest.raises(Cancelled):
        searched(Bench({"half": 500}), tmp_path / "deleted", "half")


def test_a_search_that_is_stopped_keeps_what_it_had(tmp_path):
    recipes = [(Step(name),) for name in ("half", "stopped")]
    bench: Any = Bench({"half": 500})
    going = search(bench, STATE, Goal(SIZE, None), recipes, tmp_path)
    assert next(going).best == 0
    with pytest.raises(Cancelled):
        next(going)


def test_the_more_accurate_of_candidates_of_about_the_same_size_is_best():
    def made(name: str, size_bytes: int, change: float) -> Candidate:
        top1 = Accuracy("top1", "Top-1", 0.9, 0.9, change, change - 0.001, change + 0.001, 500)
        return Candidate(name, (name,), size_bytes, 4, accuracy=(top1,))

    tied = made("max", 300, -0.002), made("average", 305, 0.0), made("large", 320, 0.1)
    state = msgspec.structs.replace(STATE, candidates=tied, main="top1", limit=0.01)
    assert Goal(SIZE, 0.01).best(state) == 1
