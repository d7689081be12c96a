"""Undo and redo of what is chosen in Preview: what fills inputs, and how outputs are read."""

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QObject

from inspector.ui.background import Debounce
from inspector.ui.tabs.preview.inputs.input_list import InputsState
from inspector.ui.tabs.preview.read_outputs import SceneOptions

MOST_STEPS = 200
# A slider that is dragged, or a number that is typed, is one step: it changes more often.
STEP_MS = 400


class Settings(Struct, frozen=True):
    """All that is chosen. inputs: what fills them. scene: how places are read from outputs."""

    inputs: InputsState
    scene: SceneOptions


class History(QObject):
    """Remembers settings as they were; a step ends when nothing has changed for `STEP_MS`.

    read: returns the present settings. show: brings others back.
    """

    def __init__(
        self, read: Callable[[], Settings], show: Callable[[Settings], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._read, self._show = read, show
        self._present: Settings | None = None
        self._past: list[Settings] = []
        self._future: list[Settings] = []
        self._showing = False
        self._soon = Debounce(self._end_step, self, STEP_MS)

    def begin(self) -> None:
        """Forget all, as where the model has become another one."""
        self._soon.cancel()
        self._past, self._future = [], []
        self._present = self._read()

    def note(self) -> None:
        """Remember that something changes now."""
        if not self._showing and self._present is not None:
            self._soon.call()

    @property
    def can_undo(self) -> bool:
        """Return whether something was changed."""
        self._soon.flush()
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Return whether a change was taken back."""
        self._soon.flush()
        return bool(self._future)

    def undo(self) -> None:
        """Bring the settings back that were there before the last step."""
        self._soon.flush()
        self._move(self._past, self._future)

    def redo(self) -> None:
        """Make the step again that was taken back last."""
        self._soon.flush()
        self._move(self._future, self._past)

    def _move(self, source: list[Settings], other: list[Settings]) -> None:
        if not source or self._present is None:
            return
        other.append(self._present)
        self._present = source.pop()
        self._showing = True
        try:
            self._show(self._present)
        finally:
            self._showing = False

    def _end_step(self) -> None:
        now = self._read()
        if self._present is not None and now != self._present:
            self._past = [*self._past, self._present][-MOST_STEPS:]
            self._present, self._future = now, []
