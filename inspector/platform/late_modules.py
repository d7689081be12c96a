"""Libraries that most programs never ask: imported once a name of theirs is used.

`from inspector.platform.late_modules import psutil` at the head of a file is typed like the
library itself. `--help` and a prediction start without it.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["LateModule", "metadata", "platformdirs", "psutil"]


class LateModule:
    """Stands for a library until the first use of one of its names."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        module = sys.modules.get(self._name)
        if getattr(getattr(module, "__spec__", None), "_initializing", False):
            module = None  # another thread imports it: importing it again waits for that
        # Labels ask for each text: `import_module` takes five times as long to find it again.
        return getattr(module or import_module(self._name), name)


if TYPE_CHECKING:
    from importlib import metadata

    import platformdirs
    import psutil
else:
    metadata = LateModule("importlib.metadata")  # 10 ms: it loads a parser of mail headers
    platformdirs = LateModule("platformdirs")  # 4 ms
    psutil = LateModule("psutil")  # 9 ms: shared libraries, and one that calls the system
