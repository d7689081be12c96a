"""The code of the tabs, loaded before anybody looks at them."""

import subprocess
import sys
from importlib import import_module

from inspector.ui.window import preloading
from inspector.ui.window.tabs import TABS

CODE = """
import gc
import sys
from importlib.abc import MetaPathFinder
from threading import current_thread, main_thread
from PySide6.QtCore import QCoreApplication
from inspector.ui.window.preloading import Preloader
from inspector.ui.window.tabs import TABS

class Watch(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        apart = current_thread() is not main_thread()
        if apart and name.startswith(("inspector.ui", "PySide6")):
            print("Qt in a thread:", name)

sys.meta_path.insert(0, Watch())
application = QCoreApplication([])
before = [tab.module in sys.modules for tab in TABS]
reading = Preloader()
while not reading.done:
    application.processEvents()
print(any(before), all(tab.module in sys.modules for tab in TABS))
print(gc.get_freeze_count() > 10_000 > len(gc.get_objects()))
"""


def test_the_code_of_every_tab_comes_in_one_thread_and_is_not_walked_again():
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True)
    assert told.stdout.split() == [b"False", b"True", b"True"]
    assert not told.stderr


def test_every_tab_has_its_widget_in_its_module():
    for tab in TABS:
        assert hasattr(import_module(tab.module), tab.widget)


def test_messages_can_be_shown_before_a_document_is_there(qtbot, window, monkeypatch):
    for name in ("_load", "freeze_live_objects"):
        monkeypatch.setattr(preloading, name, lambda: None)
    monkeypatch.setattr(preloading, "_names", lambda: iter(["json"]))
    assert "messages" not in vars(window)
    reading = preloading.Preloader(window)
    qtbot.waitUntil(lambda: reading.done)
    assert "messages" in vars(window)
