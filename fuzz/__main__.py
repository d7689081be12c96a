"""Break files in every way and check that the reader refuses them with its own errors.

    python -m fuzz [SECONDS] [--seed N]

Five ways share the time: changes to real models and archives (fuzz.mutate), changes to traces
of other programs, changes to the files that Inspector itself writes (fuzz.loaders), examples
that hypothesis makes up, and, where the package atheris is installed, a search that is led by
which lines of the reader ran. Prints counts, the slowest
file and the growth of memory; a file that broke the reader is kept under out/fuzz/ and the
exit status is 1.
"""

import argparse
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import psutil
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from fuzz.mutate import mutated
from fuzz.seeds import archives, perfetto_traces, seeds, traces
from fuzz.target import read, read_archive, read_trace
from inspector.formats.protobuf_wire import framed

KEPT = Path("out/fuzz")
MOST_GROWTH_BYTES = 300 << 20  # freed memory does not always go back to the system
SLOWEST_S = 30.0


class Tally:
    """Counts what was tried; keeps what failed."""

    def __init__(self) -> None:
        self.tried = self.opened = self.failed = 0
        self.slowest_s = 0.0

    def attempt(self, body: bytes, reading: Callable[[bytes], bool]) -> None:
        """Try one file."""
        began = time.perf_counter()
        try:
            self.opened += reading(body)
        except Exception:  # noqa: BLE001  # whatever comes out of the reader is what we look for
            self._keep(body, traceback.format_exc())
        self.tried += 1
        took = time.perf_counter() - began
        if took > max(self.slowest_s, SLOWEST_S):
            self._keep(body, f"it took {took:.1f} s")
        self.slowest_s = max(self.slowest_s, took)

    def _keep(self, body: bytes, why: str) -> None:
        self.failed += 1
        KEPT.mkdir(parents=True, exist_ok=True)
        path = KEPT / f"failed-{sha256(body).hexdigest()[:12]}"
        path.write_bytes(body)
        print(f"{path}:\n{why}", file=sys.stderr)

    def tell(self, name: str) -> None:
        """Print the counts."""
        print(
            f"{name:<12}{self.tried:>9,} files, {self.opened:,} opened, {self.failed} failed, "
            f"slowest {self.slowest_s * 1e3:,.0f} ms",
            flush=True,
        )


def changed_files(seconds: float, number: int) -> Tally:
    """Change models and archives, again and again."""
    tally, chance, models = Tally(), random.Random(number), seeds()
    packed = archives(models)
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            tally.attempt(mutated(chance.choice(models), models, chance), read)
            if tally.tried % 20 == 0:
                body = mutated(chance.choice(packed), packed, chance)
                tally.attempt(body, lambda body: read_archive(body, Path(folder)))
    return tally


def changed_traces(seconds: float, number: int) -> Tally:
    """Change traces in Perfetto's format and in Chrome's, again and again."""
    tally, chance, begin = Tally(), random.Random(number), traces()
    binary = perfetto_traces()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            some = binary if chance.random() < 0.8 else begin
            body = mutated(chance.choice(some), some, chance)
            tally.attempt(body, lambda body: read_trace(body, Path(folder)))
    return tally


_messages = st.recursive(
    st.binary(max_size=40),
    lambda inner: st.lists(
        st.tuples(st.integers(1, 27), inner).map(lambda pair: framed(*pair)), max_size=8
    ).map(b"".join),
    max_leaves=60,
)


def made_up_files(seconds: float, number: int) -> Tally:
    """Let hypothesis make up messages around a graph."""
    tally, end = Tally(), time.monotonic() + seconds

    @seed(number)
    @settings(
        max_examples=10**9,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(graph=_messages, more=_messages, before=st.binary(max_size=8))
    def attempt(graph: bytes, more: bytes, before: bytes) -> None:
        if time.monotonic() > end:
            raise _Enough
        tally.attempt(before + b"\x08\x08" + framed(7, graph) + framed(25, more), read)

    try:
        attempt()
    except _Enough:
        return tally
    return tally


class _Enough(BaseException):
    """The time is over: hypothesis has no other way to be told."""


def coverage_guided(seconds: float, number: int) -> int:
    """Run atheris where it is installed; returns its exit status."""
    if importlib.util.find_spec("atheris") is None:
        print("atheris      not installed (pip install atheris): left out")
        return 0
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for place, body in enumerate(seeds()):
            (Path(folder) / str(place)).write_bytes(body)
        command = [sys.executable, "-m", "fuzz.coverage_guided", folder]
        command += [f"-max_total_time={max(1, seconds):.0f}", f"-seed={number}"]
        command += [f"-artifact_prefix={KEPT}/", "-max_len=60000", "-rss_limit_mb=4096"]
        command += ["-timeout=30"]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    runs = re.findall(r"^#(\d+)\s", run.stderr, re.MULTILINE)
    failed = "failed" if run.returncode else "0 failed"
    print(f"{'atheris':<12}{int(runs[-1]) if runs else 0:>9,} files, {failed}")
    if run.returncode:
        print(run.stderr[-4000:], file=sys.stderr)
    return run.returncode


def changed_loads(seconds: float, number: int) -> int:
    """Run fuzz.loaders in its own process, which bounds memory; returns its exit status."""
    arguments = ["--seconds", f"{seconds:.1f}", "--seed", str(number)]
    command = [sys.executable, "-m", "fuzz.loaders", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    print(f"{'loaders':<12}{run.stdout.strip()}", flush=True)
    print(run.stderr, end="", file=sys.stderr)
    return run.returncode


def main() -> int:
    """Share the time and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 2**31)
    options = parser.parse_args()
    print(f"seed {options.seed}, {len(seeds())} models to begin with", flush=True)
    share = options.seconds / 5
    changed_files(min(5, share), options.seed + 1)  # so that what is kept for good is there
    before = _memory()
    changed = changed_files(share, options.seed)
    growth = _memory() - before
    changed.tell("changed")
    print(f"{'':<12}memory grew by {growth / 1e6:.0f} MB")
    followed = changed_traces(share, options.seed)
    followed.tell("traces")
    loads = changed_loads(share, options.seed)
    made_up = made_up_files(share, options.seed)
    made_up.tell("made up")
    status = coverage_guided(share, options.seed)
    failed = changed.failed + followed.failed + made_up.failed
    return int(bool(failed or loads or status or growth > MOST_GROWTH_BYTES))


def _memory() -> int:
    return int(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    sys.exit(main())
