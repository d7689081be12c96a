"""The code of the tabs, loaded before anybody looks at them."""

import subprocess
import sys
from importlib import import_module

from inspector.ui.document_view import WIDGETS
from inspector.ui.reading_ahead import module_of

CODE = """
import sys
from inspector.ui.reading_ahead import module_of, read_ahead
from inspector.ui.tabs import Tab
before = [module_of(tab) in sys.modules for tab in Tab]
read_ahead().join()
print(any(before), all(module_of(tab) in sys.modules for tab in Tab))
"""


def test_after_reading_ahead_the_code_of_every_tab_is_there() -> None:
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True)
    assert told.stdout.split() == [b"False", b"True"]
    assert not told.stderr


def test_every_tab_has_its_widget_in_its_module() -> None:
    for tab, widget in WIDGETS.items():
        assert hasattr(import_module(module_of(tab)), widget)
