"""The history lists reports wherever they lie, notices changes, and survives what happens."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from inspector.analysis.measured import history as history_module
from inspector.analysis.measured.history import INDEX, History, PastReport, in_series
from inspector.cli import main
from inspector.errors import BadInput
from inspector.report.library import Library
from inspector.report.report import PerformanceReport, save
from tests.command_line import errors_of, json_of, output_of
from tests.reports import example_report


def report(number: int, p50_ns: int = 1_000_000) -> PerformanceReport:
    created = f"2026-11-{1 + number // 24:02}T{number % 24:02}:00:00+00:00"
    return example_report(created=created, prediction_ns=(p50_ns,) * 20)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSPECTOR_LIBRARY", str(tmp_path / "library"))
    return tmp_path / "library"


def test_reports_of_the_library_and_of_added_folders_are_listed(folder, tmp_path):
    artifacts = tmp_path / "artifacts" / "job 7"
    artifacts.mkdir(parents=True)
    folder.mkdir()
    save(report(2), folder / "b.report.json")
    save(report(1), artifacts / "a.json")
    (artifacts / "package.json").write_text('{"name": "no report"}')
    history = History(folder)
    history.add([tmp_path / "artifacts"])
    assert [each.path.name for each in history.reports()] == ["a.json", "b.report.json"]
    first = history.reports()[0]
    assert first.p50_ns == pytest.approx(1_000_000)
    assert first.low_ns <= first.p50_ns <= first.high_ns
    with pytest.raises(BadInput):
        history.add([tmp_path / "none"])


def test_changed_removed_and_broken_files_are_noticed(folder):
    folder.mkdir()
    one, two = folder / "1.report.json", folder / "2.report.json"
    save(report(1), one)
    save(report(2), two)
    history = History(folder)
    assert len(history.reports()) == 2
    one.unlink()
    save(report(2, 3_000_000), two)
    (kept,) = history.reports()
    assert kept.p50_ns == pytest.approx(3_000_000)
    two.write_text('{"schema": "report/1", "model": 7}')
    (broken,) = history.reports()
    assert broken.problem
    assert (broken.p50_ns, broken.low_ns, broken.high_ns) == (0, 0, 0)
    assert (broken.model_bytes, broken.memory_bytes, broken.noisy) == (0, 0, False)


def test_noisy_measurements_are_marked_also_those_that_an_older_index_lists(folder):
    folder.mkdir()
    quiet, noisy = folder / "1.report.json", folder / "2.report.json"
    save(report(1), quiet)
    disturbed = report(2)
    surroundings = replace(disturbed.surroundings, others=0.8)
    save(replace(disturbed, surroundings=surroundings), noisy)
    marks = {quiet.name: False, noisy.name: True}
    assert {each.path.name: each.noisy for each in History(folder).reports()} == marks
    with closing(sqlite3.connect(folder / INDEX)) as index:
        index.execute("drop table noise")  # as of a version that did not know it
        index.commit()
    assert {each.path.name: each.noisy for each in History(folder).reports()} == marks
    (line,) = [each for each in output_of("history").splitlines() if "Noisy" in each]
    assert "2026-11-01 02:00" in line
    assert json_of("history")["reports"][1]["noisy"]


def test_tags_and_notes_stay_with_a_report(folder):
    folder.mkdir()
    path = folder / "1.report.json"
    save(report(1), path)
    history = History(folder)
    history.mark(path, tags=["baseline"])
    history.mark(path, tags=["release 2", "baseline"], note="before the new encoder")
    (listed,) = history.reports()
    assert (listed.tags, listed.note) == (("baseline", "release 2"), "before the new encoder")


def test_a_damaged_index_is_set_aside_and_made_anew(folder):
    folder.mkdir()
    save(report(1), folder / "1.report.json")
    (folder / INDEX).write_bytes(b"no database" * 500)
    assert len(History(folder).reports()) == 1
    assert (folder / f"{INDEX}.damaged").exists()


def test_the_command_shows_the_list_the_trend_and_the_change(folder):
    folder.mkdir()
    random = np.random.default_rng(1)
    for number in range(16):
        level = 1_000_000 if number < 8 else 1_080_000
        p50 = round(level * float(np.exp(random.normal(0, 0.004))))
        save(report(number, p50), folder / f"{number}.report.json")
    out = output_of("history")
    assert "16 reports" in out
    assert "Since 2026-11-01 08:00: " in out
    assert "% more time than before (95% CI: " in out
    found = json_of("history")
    assert len(found["reports"]) == 16
    (change,) = found["changes"]
    assert change["ratio"] == pytest.approx(1.08, rel=0.02)
    assert len(output_of("history", "--csv", "--tagged", "none").splitlines()) == 1
    assert main.run(["history", "--tag", "nothing.json=x"]) == 1


def test_a_second_look_reads_no_report_and_asks_the_index_as_often_as_for_one(
    folder, monkeypatch
):
    """Ten thousand are then listed in a moment: `benchmarks.at_once` times it."""
    folder.mkdir()
    save(report(1), folder / "0.report.json")
    body = (folder / "0.report.json").read_bytes()
    read: list[Path] = []
    described, connect = history_module._described, sqlite3.connect

    def counted(path: Path) -> tuple[object, ...] | None:
        read.append(path)
        return described(path)

    def traced(*given: Any, **named: Any) -> sqlite3.Connection:
        index = connect(*given, **named)
        index.set_trace_callback(statements.append)
        return index

    monkeypatch.setattr(history_module, "_described", counted)
    monkeypatch.setattr(sqlite3, "connect", traced)
    statements: list[str] = []
    History(folder).reports()
    asked = []
    for count in (1, 30):
        for number in range(count):
            (folder / f"{number}.report.json").write_bytes(body)
        History(folder).reports()
        read.clear()
        statements.clear()
        assert len(History(folder).reports()) == count
        assert read == []
        asked.append(len(statements))
    assert asked[0] == asked[1] > 0


@pytest.mark.slow
def test_killed_at_any_moment_it_loses_nothing(folder):
    folder.mkdir()
    for number in range(60):
        save(report(number), folder / f"{number}.report.json")
    body = (folder / "1.report.json").read_text("utf-8")
    code = (
        "import sys; from pathlib import Path\n"
        "from inspector.analysis.measured.history import History\n"
        "folder, body = Path(sys.argv[1]), sys.stdin.read()\n"
        "history = History(folder)\n"
        "for n in range(int(sys.argv[2]), 10**6):\n"
        "    added = folder.parent / f'added{n}.json'; added.write_text(body, 'utf-8')\n"
        "    history.add([added])\n"
        "    history.mark(folder / '1.report.json', tags=[f't{n}'])\n"
        "    print(n, flush=True); history.reports()\n"
    )
    last = -1
    for pause in (0.05, 0.15, 0.3):
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(folder), str(last + 1)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        child.stdin.write(body)
        child.stdin.close()
        first = child.stdout.readline()
        time.sleep(pause)
        child.kill()
        last = int([first, *child.stdout.read().splitlines()][-1])
        child.stdout.close()
        child.wait()
    listed = History(folder).reports()
    names = {each.path.name for each in listed}
    assert names >= {f"{n}.report.json" for n in range(60)}
    assert names >= {f"added{n}.json" for n in range(last + 1)}
    tags = next(each for each in listed if each.path.name == "1.report.json").tags
    assert {*tags} >= {f"t{n}" for n in range(last + 1)}


def test_removing_deletes_what_is_in_the_library_and_hides_the_rest(folder, tmp_path):
    library = Library(folder)
    kept = [library.path(library.add(report(number))) for number in range(2)]
    artifact = tmp_path / "artifacts" / "a.json"
    artifact.parent.mkdir()
    save(report(2), artifact)
    history = History(folder)
    history.add([artifact.parent])
    history.remove([kept[0], artifact])
    assert [each.path for each in history.reports()] == [kept[1]]
    assert artifact.is_file()
    assert not kept[0].exists()
    assert [library.path(entry) for entry in library.entries()] == [kept[1]]
    history.add([artifact.parent])  # asked for again
    assert len(history.reports()) == 2


def test_pruning_asks_spares_tagged_reports_and_takes_the_oldest(folder):
    library = Library(folder)
    entries = [library.add(report(number)) for number in range(4)]
    first = library.path(entries[0])
    assert main.run(["history", "--tag", f"{first}=baseline"]) == 0
    one = entries[0].size_bytes
    assert "requires confirmation" in errors_of("history", "--prune", f"{2 * one + 10}B")
    assert len(library.entries()) == 4
    listed = json_of("history", "--prune", f"{2 * one + 10}B", "--yes")["reports"]
    assert [each["path"] for each in listed] == [
        str(first), str(library.path(entries[3])),
    ]  # fmt: skip
    told = output_of("history", "--untag", f"{first}=baseline", "--tagged", "baseline")
    assert "0 reports" in told
    assert main.run(["history", "--remove", str(first), "--yes"]) == 0
    assert len(library.entries()) == 1


def test_a_measurement_that_failed_is_in_no_series():
    given = Path("a.json"), "net.onnx", "ab", "2026-11-30", "cpu", "", "Some CPU", "ORT"
    timed = PastReport(*given, 5e6, 4e6, 6e6, 10, 10, "")
    assert in_series([timed, structs.replace(timed, p50_ns=0.0)]) == ((timed,),)
