"""The code of the tabs, loaded before anybody looks at them."""

import subprocess
import sys
from importlib import import_module

from inspector.ui.reading_ahead import module_of
from inspector.ui.window.document_view import WIDGETS

CODE = """
import gc
import sys
from importlib.abc import MetaPathFinder
from threading import current_thread, main_thread
from PySide6.QtCore import QCoreApplication
from inspector.ui.reading_ahead import ReadingAhead, module_of
from inspector.ui.window.tabs import Tab

class Watch(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        apart = current_thread() is not main_thread()
        if apart and name.startswith(("inspector.ui", "PySide6")):
            print("Qt in a thread:", name)

sys.meta_path.insert(0, Watch())
application = QCoreApplication([])
before = [module_of(tab) in sys.modules for tab in Tab]
reading = ReadingAhead()
while not reading.done:
    application.processEvents()
print(any(before), all(module_of(tab) in sys.modules for tab in Tab))
print(gc.get_freeze_count() > 10_000 > len(gc.get_objects()))
"""


def test_the_code_of_every_tab_comes_in_one_thread_and_is_not_walked_again() -> None:
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True)
    assert told.stdout.split() == [b"False", b"True", b"True"]
    assert not told.stderr


def test_every_tab_has_its_widget_in_its_module() -> None:
    for tab, widget in WIDGETS.items():
        assert hasattr(import_module(module_of(tab)), widget)
