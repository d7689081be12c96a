"""What is said of another machine: what it is, what it does now, and how busy it is."""

from datetime import datetime

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector.remote.machines import Look, Saved
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Theme, qt_color


def facts(machine: Saved) -> str:
    """Return what a machine is: 'Linux aarch64 · Cortex-A76 · 4 cores · onnxruntime 1.32.0'."""
    hello = machine.hello
    if not hello:
        return machine.host
    cores = hello.get("cores")
    runtimes = hello.get("runtimes", {})
    parts = (
        str(hello.get("system", "")),
        processor(machine),
        tr("{count} cores").format(count=cores) if cores else "",
        ", ".join(f"{name} {version}" for name, version in runtimes.items()),
    )
    return " · ".join(filter(None, parts))


def processor(machine: Saved) -> str:
    """Return the name of its processor; the host where that is not known."""
    return units.clip(str(machine.hello.get("cpu", "")), 48) or machine.host


def state(look: Look | None, machine: Saved) -> tuple[str, str]:
    """Return what a machine does now, and the role of its color."""
    if look is None:
        return tr("Connecting…"), "tertiary"
    if look.problem is not None:
        why = look.problem.why
        if why.startswith("ssh: "):  # "ssh: connect to host pi5 port 22: No route to host"
            why = why.rpartition(": ")[2]
        why = units.clip(why, 120)
        seen = _when(machine.seen)
        text = tr("Unreachable since {time}: {why}") if seen else tr("Unreachable: {why}")
        return text.format(time=seen, why=why), "caution"
    busy = str(look.machine.hello.get("busy", ""))
    if busy:
        # "process 12 (measure net.onnx for ada@desk)"
        what = busy.partition("(")[2].removesuffix(")") or busy
        return tr("Busy: {what}").format(what=units.clip(what, 100)), "accent"
    return tr("Idle"), "good"


def load_text(machine: Saved) -> str:
    """Return the load of a machine: 'load 1.0'; empty where it is not known."""
    load = machine.hello.get("load")
    return tr("load {load}").format(load=f"{load:g}") if isinstance(load, int | float) else ""


def _when(seen: str) -> str:
    try:
        when = datetime.fromisoformat(seen).astimezone()
        today = when.date() == datetime.now().astimezone().date()
        return when.strftime("%H:%M" if today else "%Y-%m-%d %H:%M")
    except ValueError:
        return ""


class Dot(QWidget):
    """A small disc in the color of a role."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._role = theme, "tertiary"
        self.setAccessibleName(tr("State"))  # in words beside it
        self.setFixedSize(12, 16)
        theme.changed.connect(self.update)

    def show_role(self, role: str) -> None:
        """Take the color of a role."""
        self._role = role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the disc."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(getattr(self._theme.palette, self._role)))
        painter.drawEllipse(QRectF(0.5, 4.5, 7, 7))
