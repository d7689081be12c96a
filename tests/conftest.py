"""What every test stands on: no screen, no stray settings, and where the models are."""

import atexit
import compileall
import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

import inspector.ui  # noqa: F401  # else PySide6 reads the source of all that tests import
from inspector.platform.gc_policy import collect_if_due, disable_automatic_collection
from tests import warm_processes
from tests.compiled_tests import compile_tests

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import EngineProcess

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# A shell that starts us in the background has us and all that we start ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # nohup likewise
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# pytest keeps the tests as it has compiled them, or each worker spends seconds on it again.
sys.dont_write_bytecode = False

# Measurements of another session of tests would otherwise be waited for, and nothing of a test
# may get into the library and the settings of whoever runs it.
_CACHE = tempfile.TemporaryDirectory(prefix="inspector-tests-")
atexit.register(_CACHE.cleanup)  # it would be cleared away with a warning, which is an error
os.environ["XDG_CACHE_HOME"] = _CACHE.name
os.environ["XDG_CONFIG_HOME"] = str(Path(_CACHE.name) / "config")
os.environ["XDG_DATA_HOME"] = str(Path(_CACHE.name) / "data")
os.environ["INSPECTOR_LIBRARY"] = str(Path(_CACHE.name) / "library")

# A busy machine is no failure of a property. Where slow tests run, it is tried more often.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("brief", PATIENT, max_examples=30)
settings.register_profile("whole", PATIENT, max_examples=200)

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "models"


# What a test module imports that starts processes or needs a window.
PROCESSES = {"subprocess", "EngineProcess", "Decoder", "cli", "run", "onnxruntime"}
WINDOWS = ("PySide6", "pytestqt", "inspector.ui")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as quick what starts no process, needs no window and simulates nothing.

    `make quick` runs these, and those that carry the mark in their file: one path each through
    the window, the engine and the command line.
    """
    # Files of short tests come last, so that all workers end at the same time.
    ranks: dict[Path, int] = {}
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        unmarked = marks.isdisjoint(("slow", "engine", "simulation", "thorough"))
        plain = isinstance(item, pytest.Function) and _is_plain(item.module)
        # The engine below is a process.
        if unmarked and plain and "engine" not in getattr(item, "fixturenames", ()):
            item.add_marker("quick")
            marks.add("quick")
        rank = 2 if "quick" in marks else 0 if "engine" in marks else 1
        ranks[item.path] = min(rank, ranks.get(item.path, 2))
    items.sort(key=lambda item: ranks[item.path])


gc.disable()  # collecting tests makes many objects and no garbage: a quarter of its time


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have what was imported not be walked again, and idle threads of the runtime sleep."""
    if "onnxruntime" in sys.modules and not session.config.option.cold:
        warm_processes.let_threads_sleep()
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `make test-slow` gives."""
    parser.addoption("--cold", action="store_true", help="start each engine the usual way")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package, and have pytest-xdist give files out in the order of collection.

    The processes that tests start are confined and may not write what they compiled.
    """
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(ROOT / "inspector", quiet=2)
        if getattr(config.option, "numprocesses", None):
            compile_tests(config, ROOT / "tests")
    if not config.option.cold:
        warm_processes.install()
        # No file of a test has to outlive a loss of power: a tenth of the time went into that.
        vars(os)["fsync"] = lambda descriptor: None
    if config.option.markexpr:
        settings.load_profile("brief")
        # Hypothesis would read all of our source for numbers and words that it draws now and
        # then: two seconds in each worker. Where slow tests run, it does. Old ones never do.
        with suppress(ImportError):
            from hypothesis.internal.conjecture import providers

            providers._get_local_constants = lambda: providers._local_constants
    else:
        settings.load_profile("whole")
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Have a worker of pytest-xdist tell one thing of a test that passes instead of five."""
    option = item.config.option
    if not hasattr(item.config, "workerinput") or option.durations is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores: many tests wait for other processes."""
    return (os.cpu_count() or 1) + 1


@cache
def _is_plain(module: ModuleType) -> bool:
    """Whether a test module imports nothing that starts processes or needs a window."""
    imported = vars(module)
    origins = (
        each.__name__ if isinstance(each, ModuleType) else getattr(each, "__module__", "")
        for each in imported.values()
    )
    return not imported.keys() & PROCESSES and not any(
        origin.startswith(WINDOWS) for origin in origins if isinstance(origin, str)
    )


@pytest.fixture
def cold() -> Iterator[None]:
    """Start processes the usual way: their start is what is tested."""
    with warm_processes.cold():
        yield


@pytest.fixture(scope="session")
def samples() -> Path:
    """The project's own sample models."""
    return ROOT / "sample_models"


@pytest.fixture(scope="session")
def digits(samples: Path) -> Path:
    """The classifier that most tests are about."""
    return samples / "digits_float32.onnx"


@pytest.fixture(scope="module")
def engine() -> "Iterator[EngineProcess]":
    """An engine process for all tests of a file, started with the first job."""
    from inspector.engine.client.engine_process import EngineProcess  # most tests need none

    with EngineProcess() as process:
        yield process


@pytest.fixture(scope="session")
def shared() -> Path:
    """Models of other people, not part of the project; skips where they are absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real, odd and hostile models is not beside this checkout")
    return SHARED


PATIENCE_MS = 60_000


class PatientQtBot(QtBot):
    """Waits for conditions as long as a busy machine may need, whatever a test allows."""

    def waitUntil(self, *arguments: Any, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(*arguments, timeout=max(timeout, PATIENCE_MS))

    def waitSignal(self, *arguments: Any, timeout: int = PATIENCE_MS, **named: Any) -> Any:
        if named.get("raising") is not False:  # which is how assertNotEmitted waits
            timeout = max(timeout, PATIENCE_MS)
        return super().waitSignal(*arguments, timeout=timeout, **named)

    def waitSignals(self, *arguments: Any, timeout: int = PATIENCE_MS, **named: Any) -> Any:
        return super().waitSignals(*arguments, timeout=max(timeout, PATIENCE_MS), **named)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Free after each test what the collector may not, once there were objects of Qt."""
    yield
    if not gc.isenabled():
        collect_if_due()


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QtBot:
    """The one of pytest-qt, with more patience."""
    disable_automatic_collection()
    return PatientQtBot(request)
