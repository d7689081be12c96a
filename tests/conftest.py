"""What every test stands on: no screen, no stray settings, and where the models are."""

import os
import signal
import tempfile
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import pytest

# A shell that starts us in the background has us and all that we start ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Measurements of another session of tests would otherwise be waited for, and nothing of a test
# may get into the library and the settings of whoever runs it.
_CACHE = tempfile.TemporaryDirectory(prefix="inspector-tests-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name
os.environ["XDG_CONFIG_HOME"] = str(Path(_CACHE.name) / "config")
os.environ["XDG_DATA_HOME"] = str(Path(_CACHE.name) / "data")
os.environ["INSPECTOR_LIBRARY"] = str(Path(_CACHE.name) / "library")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "models"


@pytest.fixture(scope="session")
def samples() -> Path:
    """The project's own sample models."""
    return ROOT / "sample_models"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Models of other people, not part of the project; skips where they are absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real, odd and hostile models is not beside this checkout")
    return SHARED
