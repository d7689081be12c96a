"""Runs first in a recorded Python program: it awaits the runtime and leaves no trace of itself.

Python imports the first `sitecustomize` on its path, and this folder is put there. It must
parse under any Python 3, older ones included, where it steps aside.
"""

import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


def _pass_on() -> None:
    """Run the sitecustomize module that this one hides."""
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != _HERE]
    own = sys.modules.pop("sitecustomize", None)
    spec = importlib.util.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)
    elif own is not None:
        sys.modules["sitecustomize"] = own


if sys.version_info >= (3, 11):  # noqa: UP036 - the program's Python, not ours
    before = set(sys.modules)
    sys.path.insert(0, _ROOT)
    try:
        from inspector.recorder import import_hook
    finally:
        sys.path.remove(_ROOT)
    import_hook.install()
    # The program may have a module of its own called inspector.
    for name in set(sys.modules) - before:
        if name == "inspector" or name.startswith("inspector."):
            del sys.modules[name]
else:
    sys.stderr.write("inspector: this Python is older than 3.11; nothing is recorded\n")
_pass_on()
