"""Break files that are JSON, or made of trees like it, and load them: our own, and models.

    python -m fuzz.loaders [--inputs N] [--seconds S] [--seed N] [--kind KIND]

Files are changed as trees (fuzz.json_mutate), so that most of them are still JSON, and loaded
in this process; models (fuzz.model_files), test data sets and traces of Perfetto are packed
from such trees. Of those that load, one in CONSUMED goes through one of the things that users
do with such a file: texts, tables, pages, pictures, a comparison with itself. A failure is any
exception but InspectorError, more memory than LIMIT_BYTES or more time than SLOWEST_S. Failures
are kept under out/fuzz/KIND-HASH; those that were fixed lie in fuzz/cases, for the tests.
"""

import argparse
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType

from fuzz import model_files
from fuzz.json_mutate import mutated_json
from fuzz.loader_seeds import trees
from fuzz.loader_targets import CONSUMED, attempt, packed

KEPT, CASES = Path("out/fuzz"), Path(__file__).parent / "cases"
LIMIT_BYTES, SLOWEST_S = 1 << 30, 5
# How often each kind is tried: those that need files of their own cost far more.
SHARES = {
    "report": 60, "sweep": 150, "tuning": 200, "preparation": 200, "library": 180,
    "session": 200, "events": 4, "about": 8, "facts": 3,
    "dataset": 40, "perfetto": 40, "settings": 20,
} | dict.fromkeys(model_files.KINDS, 60)  # fmt: skip


class LoaderTally:
    """Counts files by what became of them; keeps those that failed."""

    def __init__(self, folder: Path = KEPT) -> None:
        self.tried = self.opened = self.consumed = self.failed = 0
        self.slowest_s = 0.0
        self.reasons: dict[str, int] = {}
        self._folder = folder

    def attempt(self, kind: str, body: bytes, folder: Path, number: int | None) -> None:
        """Load one file, and use what it holds in one way, or not."""
        began = time.perf_counter()
        try:
            with _bounded():
                opened = attempt(kind, body, folder, number)
            self.opened += opened
            self.consumed += opened and number is not None
        except Exception as error:  # noqa: BLE001  # whatever comes out is what we look for
            self._keep(kind, body, error)
        self.tried += 1
        self.slowest_s = max(self.slowest_s, time.perf_counter() - began)

    def _keep(self, kind: str, body: bytes, error: Exception) -> None:
        self.failed += 1
        frames = traceback.extract_tb(error.__traceback__)
        at = next(
            (one for one in reversed(frames) if "/inspector/" in one.filename), frames[-1]
        )
        where = f"{Path(at.filename).name}:{at.lineno} {at.name}"
        reason = f"{type(error).__name__} at {where}: {str(error)[:100]}"
        key = f"{kind} {where}"
        self.reasons[key] = self.reasons.get(key, 0) + 1
        if self.reasons[key] > 1:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{kind}-{sha256(body).hexdigest()[:12]}"
        path.write_bytes(body)
        print(f"{path}: {reason}", file=sys.stderr, flush=True)


@contextmanager
def _bounded() -> Iterator[None]:
    """Raise TimeoutError in a block that takes more than SLOWEST_S of CPU time."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, SLOWEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_slow(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"it takes more than {SLOWEST_S} s of CPU time")


def prepare() -> None:
    """Bound memory and time of this process, so that a file that takes too much fails."""
    warnings.simplefilter("ignore")
    if not hasattr(signal, "setitimer"):
        return
    import resource

    signal.signal(signal.SIGPROF, _too_slow)
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + LIMIT_BYTES, most))


def changed_loads(
    seconds: float, number: int, inputs: int = 0, kinds: tuple[str, ...] = tuple(SHARES)
) -> LoaderTally:
    """Change files of ours and load them, until the time is over or `inputs` were tried."""
    tally, chance, begin = LoaderTally(), random.Random(number), trees()
    shares = [SHARES[kind] for kind in kinds]
    for kind in kinds:  # whole files load, or nothing would be tried
        for tree in begin[kind]:
            with tempfile.TemporaryDirectory() as folder:
                assert attempt(kind, packed(kind, tree), Path(folder), -1), kind
    prepare()
    end = time.monotonic() + seconds  # of trying: on a busy machine the above takes a minute
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end and not 0 < inputs <= tally.tried:
            kind = chance.choices(kinds, shares)[0]
            body = mutated_json(chance.choice(begin[kind]), chance)
            use = chance.random() < 1 / CONSUMED.get(kind, 1)
            tally.attempt(kind, body, Path(folder), chance.randrange(1000) if use else None)
    return tally


def main() -> int:
    """Try files and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 2**31)
    parser.add_argument("--kind", choices=tuple(SHARES), action="append", default=[])
    options = parser.parse_args()
    began = time.monotonic()
    kinds = tuple(options.kind) or tuple(SHARES)
    tally = changed_loads(options.seconds, options.seed, options.inputs, kinds)
    took = time.monotonic() - began
    print(
        f"seed {options.seed}: {tally.tried:,} files ({tally.tried / took:,.0f} per second), "
        f"{tally.opened:,} opened, {tally.consumed:,} used, {tally.failed:,} failed, "
        f"slowest {1e3 * tally.slowest_s:,.0f} ms",
        flush=True,
    )
    for reason, count in sorted(tally.reasons.items(), key=lambda pair: -pair[1]):
        print(f"{count:>8,} {reason}")
    return int(bool(tally.failed))


if __name__ == "__main__":
    sys.exit(main())
