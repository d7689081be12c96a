"""The library of results: what it keeps is there, whoever was killed or wrote beside it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.errors import NotSaved
from inspector.platform.settings import library_folder
from inspector.report import report as reports
from inspector.report.library import INDEX, Library
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.report.tuning import Trial, Tuning
from tests.conftest import ROOT
from tests.disks import full_disk
from tests.reports import example_report
from tests.sweeps import SPEC, model, planned, round_of

ADDING = """
import sys
from pathlib import Path
from inspector.report import report
from inspector.report.library import Library
one, library = report.load(Path(sys.argv[1])), Library(Path(sys.argv[2]))
for number in range(int(sys.argv[3])):
    print(library.add(one, f"/models/{sys.argv[4]}.onnx", sys.argv[4]).id, flush=True)
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


def adding(tmp_path: Path, count: int, name: str) -> "subprocess.Popen[str]":
    """Start a process that keeps a report again and again, and prints the ids."""
    saved = tmp_path / "report.json"
    if not saved.exists():
        reports.save(example_report(), saved)
    words = [sys.executable, "-c", ADDING, str(saved), str(tmp_path / "library")]
    return subprocess.Popen(
        [*words, str(count), name],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def test_a_kept_report_is_listed_and_loads_as_it_was(library):
    made = example_report()
    entry = library.add(made, "/models/net.onnx", "window-1")
    assert Library(library.folder).entries() == (entry,)
    assert (entry.kind, entry.model, entry.sha256) == (
        "report",
        made.model.name,
        made.model.sha256,
    )
    assert entry.median_ns == made.median_ns
    assert entry.model_path == "/models/net.onnx"
    loaded = library.load(entry)
    assert isinstance(loaded, PerformanceReport)
    assert reports.to_json(loaded) == reports.to_json(made)


def test_sweeps_and_tunings_are_kept_and_replaced_step_by_step(library):
    sweep = planned(model())
    first = library.add(sweep)
    now = sweep.measured((0, 0), round_of(1e6))
    second = library.add(now, id_=first.id)
    assert len(library.entries()) == 1
    assert library.load(second) == now
    tuning = Tuning(model(), RunSpec(), (Trial(SPEC, (round_of(1e6),)),), step="searching")
    assert library.load(library.add(tuning)) == tuning
    latest = library.latest("tuning", model().sha256)
    assert not latest.complete
    assert library.latest("report", model().sha256) is None


@pytest.mark.parametrize("after", [1, 3, 4])
def test_killing_at_any_moment_loses_nothing_that_was_kept(library, tmp_path, after):
    process = adding(tmp_path, 10_000, "killed")
    told = [process.stdout.readline() for _ in range(after)]
    process.kill()
    told += process.stdout.read().splitlines()
    process.wait()
    process.stdout.close()
    kept = {entry.id: entry for entry in library.entries()}
    ids = [line.strip() for line in told if line.strip()]
    assert set(ids) <= set(kept)
    for id_ in ids:
        assert kept[id_].session == "killed"
        assert isinstance(library.load(kept[id_]), PerformanceReport)


def test_two_processes_that_keep_at_once_lose_nothing_of_each_other(library, tmp_path):
    both = [adding(tmp_path, 6, name) for name in ("one", "two")]
    told = {process.args[-1]: set(process.communicate()[0].split()) for process in both}
    kept = library.entries()
    for name in ("one", "two"):
        assert len(told[name]) == 6
        assert {entry.id for entry in kept if entry.session == name} == told[name]


@pytest.mark.parametrize("body", [None, b"", b'{"schema": "library/1", "entr', b"[]"])
def test_a_damaged_index_is_made_anew_from_the_files(library, body):
    kept = library.add(example_report(), "/models/net.onnx")
    index = library.folder / INDEX
    if body is None:
        index.unlink()
    else:
        index.write_bytes(body)
    (entry,) = library.entries()
    assert (entry.id, entry.median_ns, entry.sha256) == (kept.id, kept.median_ns, kept.sha256)
    assert library.load(entry)
    assert index.read_bytes()[:1] == b"{"


def test_a_file_that_was_killed_before_its_index_is_found(library):
    first = library.add(example_report())
    index = (library.folder / INDEX).read_bytes()
    second = library.add(example_report())
    (library.folder / INDEX).write_bytes(index)  # as if killed between file and index
    assert [entry.id for entry in library.entries()] == [first.id, second.id]


def test_a_damaged_file_stays_and_says_so(library):
    entry = library.add(example_report())
    library.path(entry).write_bytes(b'{"schema": "report/1", "mod')
    (library.folder / INDEX).unlink()
    (damaged,) = library.entries()
    assert "complete report" in damaged.problem
    assert library.path(damaged).exists()


def test_what_is_gone_from_the_folder_is_not_listed(library):
    entry = library.add(example_report())
    library.path(entry).unlink()
    assert library.entries() == ()


def test_trimming_removes_saved_results_only_and_tells_of_the_others(library, tmp_path):
    entries = [library.add(example_report()) for _ in range(4)]
    copy = tmp_path / "copy.json"
    copy.write_text("{}")
    library.set_exported(entries[2].id, copy)
    assert library.trim(most_entries=4) == ()
    surplus = library.trim(most_entries=2)
    assert [entry.id for entry in surplus] == [entries[0].id]
    kept = [entry.id for entry in library.entries()]
    assert kept == [entries[0].id, entries[1].id, entries[3].id]
    assert [e.id for e in library.trim((entries[0].id,), most_entries=2)] == [entries[1].id]
    size = sum(entry.size_bytes for entry in library.entries())
    assert len(library.trim(most_bytes=size - 1)) == 1
    copy.unlink()
    library.remove([surplus[0].id])
    assert not library.path(surplus[0]).exists()


def test_an_exported_copy_that_is_gone_makes_the_result_unsaved_again(library, tmp_path):
    entry, copy = library.add(example_report()), tmp_path / "copy.json"
    copy.write_text("{}")
    library.set_exported(entry.id, copy)
    assert not library.entries()[0].unsaved
    copy.unlink()
    assert library.entries()[0].unsaved


def test_fields_of_a_later_version_do_not_disturb(library):
    entry = library.add(example_report(notes=()))
    index = library.folder / INDEX
    index.write_bytes(index.read_bytes().replace(b'"kind"', b'"later":[1],"kind"'))
    assert library.entries() == (entry,)


def test_a_full_disk_is_told(library):
    library.add(example_report())
    with full_disk(), pytest.raises(NotSaved):
        library.add(example_report())
    assert len(library.entries()) == 1


def test_the_folder_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("INSPECTOR_LIBRARY", str(tmp_path))
    assert library_folder() == tmp_path


def test_the_sample_of_the_documentation_runs(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("INSPECTOR_LIBRARY", str(tmp_path))
    made = Library(tmp_path).add(example_report())
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    sample = page.partition("```python\n")[2].partition("```")[0]
    exec(compile(sample, "library.md", "exec"), {})
    assert made.model in capsys.readouterr().out


@pytest.mark.parametrize(
    "body", [b"{", b"\xff" * 9, b'{"schema": "library/1", "entries": [{"id": 5}]}', b"[]"]
)
def test_a_damaged_index_is_set_aside_and_nothing_of_it_is_lost(library, body):
    entry = library.add(example_report())
    index = library.folder / INDEX
    for number in range(2):
        index.write_bytes(body)
        later = Library(library.folder)
        assert [each.id for each in later.entries()] == [entry.id]
        (aside,) = later.damaged
        assert aside.name == "index.json.damaged" + ("-2" if number else "")
        assert aside.read_bytes() == body
    assert Library(library.folder).damaged == ()
