import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.recorder import recorded_processes, span_ring
from inspector.recorder.span_ring import BLOCK, LAYOUT, Ring
from inspector.recorder.store import Store

ROOT = Path(__file__).parents[2]


def spans(folder: Path) -> tuple[tuple[int, ...], int]:
    """Starts of the spans of the only process, and how many were dropped."""
    (part,) = recorded_processes.read(folder)
    return tuple(row[0] for row in part.rows), part.dropped


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path, 2 * BLOCK)


def put(store: Store, starts: range) -> None:
    for start in starts:
        store.add((start, 1, 1, -1, "call", 0, 0, -1))


def test_a_span_is_on_disk_before_anything_is_written(store, tmp_path):
    put(store, range(5))
    assert spans(tmp_path) == (tuple(range(5)), 0)
    store.close()


def test_the_newest_stay_in_order_when_the_room_is_used_again(store, tmp_path):
    put(store, range(5 * BLOCK + 10))
    assert spans(tmp_path) == (tuple(range(3 * BLOCK + 10, 5 * BLOCK + 10)), 3 * BLOCK + 10)
    store.close()
    put(store, range(3))
    assert spans(tmp_path)[0][-1] == 5 * BLOCK + 9, "nothing comes after the end"


def test_a_span_that_no_room_fits_is_left_out_and_the_program_goes_on(store, tmp_path):
    store.add((1, 1, 1, -1, "call", 0, 1 << 70, -1))
    put(store, range(2))
    assert spans(tmp_path) == ((0, 1), 0)
    store.close()


def test_a_disk_that_gets_full_ends_the_recording_only(store, tmp_path, monkeypatch, capsys):
    put(store, range(BLOCK))

    def full(*_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(span_ring, "_allocate", full)
    put(store, range(BLOCK, 3 * BLOCK))
    store.tell(thread=9, name="late", native=1)
    assert spans(tmp_path) == (tuple(range(BLOCK)), 0)
    assert capsys.readouterr().err.count("recording stopped: ") == 1
    assert list(tmp_path.glob("part-*.stopped"))


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_less_is_kept_where_no_file_may_be_so_long(tmp_path):
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from inspector.recorder.span_ring import Ring, BLOCK\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\n"
        "ring = Ring(Path(sys.argv[1]), 1_000_000)\n"
        "for start in range(6 * BLOCK):\n"
        "    ring.put((start, 1, 1, -1, 'call', 0, 0, -1))\n"
    )
    target = tmp_path / "part-7-0.spans"
    subprocess.run([sys.executable, "-c", code, str(target)], check=True, cwd=ROOT)
    (tmp_path / "part-7-0.facts").write_text('{"begin": [1, 2, 3], "pid": 7}\n')
    kept, dropped = spans(tmp_path)
    assert kept[-1] == 6 * BLOCK - 1
    assert len(kept) + dropped == 6 * BLOCK
    assert len(kept) >= BLOCK


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told there")
def test_what_is_kept_is_no_memory_of_the_program(tmp_path):
    ring = Ring(tmp_path / "a.spans", 100 * BLOCK)

    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    ring.put((0, 1, 1, -1, "call", 0, 0, -1))
    before = resident()
    for start in range(150 * BLOCK):
        ring.put((start, 1, 1, -1, "call", 0, 0, -1))
    assert resident() - before < 10 * BLOCK * LAYOUT.size
