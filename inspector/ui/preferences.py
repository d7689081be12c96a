"""What the user chose for all windows: language, zoom, units of sizes, and device."""

import os

from PySide6.QtCore import QSettings

from inspector.ui import units

LANGUAGE = "language"
ZOOM = "zoom"
SIZES = "sizes"
DEVICE = "device"
ZOOMS = (90, 100, 110, 125, 150, 175, 200)  # percent
BINARY = "binary"
DECIMAL = "decimal"
CPU = "cpu"


def text(settings: QSettings, key: str, default: str = "") -> str:
    """Return a setting; the default for what is none, as in an edited file."""
    value = settings.value(key, default)
    return value if isinstance(value, str) else default


def zoom(settings: QSettings) -> int:
    """Return the zoom of the window in percent."""
    value = text(settings, ZOOM, "100")
    return int(value) if value in map(str, ZOOMS) else 100


def apply_at_start(settings: QSettings) -> None:
    """Apply what counts from the start of the program; before Qt's application is made.

    A scale that the environment sets is left alone.
    """
    chosen = zoom(settings)
    if chosen != 100:
        os.environ.setdefault("QT_SCALE_FACTOR", str(chosen / 100))
    units.use_decimal_sizes(text(settings, SIZES) == DECIMAL)
