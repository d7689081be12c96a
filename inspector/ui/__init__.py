"""The window. Qt is imported here and nowhere else.

Start at `app/application.py` and `window/main_window.py`.
"""

from contextlib import suppress
from importlib import import_module
from typing import Any

with suppress(ImportError):  # a display or Qt itself may be missing: `app/display_check.py`
    import_module("PySide6.QtCore")  # which brings the next
    _feature: Any = import_module("shibokensupport.feature")
    # After each import of any module PySide6 reads its source, to see whether it uses PySide6
    # and may switch on snake_case names, and keeps it: an eighth of the start, and 19 MB.
    _feature._mod_uses_pyside = lambda module: False
