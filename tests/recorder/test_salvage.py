"""Files of a recording that the recorded program deletes or changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.recorder import recorded_processes
from inspector.recorder.recorded_processes import Part
from inspector.recorder.salvage import Salvage
from inspector.recorder.store import Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="open files stay on Windows")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "recording"
    place.mkdir()
    return place


def put(store: Store, starts: range) -> None:
    for start in starts:
        store.add((start, 1, 1, -1, "call", 0, 0, -1))


def only_part(place: Path) -> Part:
    (part,) = recorded_processes.read(place)
    return part


def starts(place: Path) -> list[int]:
    return [row[0] for row in only_part(place).rows]


@pytest.mark.parametrize("makes_folder", [False, True])
def test_a_program_that_deletes_its_recording_writes_it_again(place, makes_folder):
    with Salvage(place) as salvage:  # which never looks before the end
        store = Store(place, 1, watcher=os.getpid())
        put(store, range(5))
        shutil.rmtree(place)
        if makes_folder:
            place.mkdir()
        store.close()
        assert salvage.restore(place)
    assert starts(place) == list(range(5))
    assert not only_part(place).killed


def test_nothing_is_written_for_a_watcher_that_has_ended(place):
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    store = Store(place, 1, watcher=process.pid)
    shutil.rmtree(place)
    store.close()
    assert not place.exists()


def test_a_recording_that_nobody_touched_is_not_written_again(place):
    with Salvage(place) as salvage:
        store = Store(place, 1, watcher=os.getpid())
        put(store, range(5))
        salvage.check()
        before = {path.name: path.stat().st_ino for path in place.iterdir()}
        store.close()
        assert not salvage.restore(place)
    assert {path.name: path.stat().st_ino for path in place.iterdir()} == before


@pytest.mark.parametrize("damage", ["unlink", "truncate", "link"])
def test_facts_that_the_program_changed_are_written_again(place, tmp_path, damage):
    victim = tmp_path / "victim.txt"
    victim.write_text("of the user", "utf-8")
    salvage = Salvage(place)
    store = Store(place, 1, watcher=os.getpid())
    put(store, range(5))
    (facts,) = place.glob("*.facts")
    if damage == "truncate":
        os.truncate(facts, 0)
    else:
        facts.unlink()
    if damage == "link":
        facts.symlink_to(victim)
    store.close()
    with salvage:
        assert salvage.restore(place), "it is told that the program did so"
    assert only_part(place).process == os.getpid()
    assert starts(place) == list(range(5))
    assert victim.read_text("utf-8") == "of the user"


def test_spans_that_the_program_deleted_and_cut_off_do_not_end_it(place):
    store = Store(place, 1, watcher=os.getpid())
    (spans,) = place.glob("*.spans")
    with open(spans, "r+b") as file:
        spans.unlink()
        file.truncate(0)  # to read such a page ends a process
        store.close()
    assert not list(place.glob("*.spans"))


def test_a_killed_program_keeps_what_was_seen_before_it_deleted_its_recording(place, tmp_path):
    with Salvage(place) as salvage:
        put(Store(place, 1, watcher=os.getpid()), range(5))
        salvage.check()
        shutil.rmtree(place)
        other = tmp_path / "other"
        other.mkdir()
        assert salvage.restore(other)  # its program never came to an end
    assert starts(other) == list(range(5))


def test_a_fact_that_is_read_before_and_after_the_damage_is_there_once(place):
    with Salvage(place) as salvage:
        store = Store(place, 1, watcher=os.getpid())
        store.tell(session=1, model="net.onnx", same="")
        salvage.check()
        shutil.rmtree(place)
        store.close()
        salvage.restore(place)
    assert len(list(only_part(place).facts_with("session"))) == 1
