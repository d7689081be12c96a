"""Light and dark: palette, fonts and icons as Qt wants them."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from inspector import files
from inspector.look import DARK, LIGHT, Palette
from inspector.ui.kit.stylesheet import stylesheet

UI_FAMILY, MONO_FAMILY = "Inter", "JetBrains Mono"
# OpenType features. Names of layers are drawn letter by letter: Inter's contextual alternates
# draw "1x1" with a multiplication sign, JetBrains Mono's ligatures draw "->" as an arrow.
FEATURES = {"tnum": 1, "calt": 0, "liga": 0}
ICON = 16


def load_fonts() -> None:
    """Make our two families known; once, after the application exists."""
    for file in sorted(files.resource("fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(file))


@lru_cache(maxsize=64)
def font(pixels: int, weight: int = 400, mono: bool = False) -> QFont:
    """Return a font of ours in pixels, letters as written. Weights: 400, 500, 600."""
    chosen = QFont(MONO_FAMILY if mono else UI_FAMILY)
    chosen.setPixelSize(pixels)
    chosen.setWeight(QFont.Weight(weight))
    for feature, value in FEATURES.items():
        chosen.setFeature(QFont.Tag(feature), value)
    return chosen


@lru_cache(maxsize=512)
def colour(value: str, alpha: float = 1.0) -> QColor:
    """A QColor of '#RRGGBB' with an opacity; kept for each frame, so nobody may change it."""
    made = QColor(value)
    made.setAlphaF(alpha)
    return made


class Theme(QObject):
    """The palette in force; views repaint on `changed`."""

    changed = Signal()

    def __init__(self, choice: str = "system") -> None:
        super().__init__()
        self.choice = choice
        self.palette: Palette = self._palette()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)

    def choose(self, choice: str) -> None:
        """Take "light", "dark" or "system"."""
        self.choice = choice
        self._follow()

    def dress(self, application: QApplication) -> None:
        """Give the whole application palette and style sheet, now and on each change."""
        if not application.styleSheet():
            application.setStyle("Fusion")
            application.setFont(font(13))

        def put_on() -> None:
            sheet = stylesheet(self.palette)
            if sheet != application.styleSheet():  # else every widget is polished for nothing
                # Replacing one sheet by another polishes what is in a widget with each of those
                # around it. Nothing is drawn between the two lines.
                application.setStyleSheet("")
                application.setPalette(_qt_palette(self.palette))
                application.setStyleSheet(sheet)

        put_on()
        self.changed.connect(put_on)

    def icon(self, name: str, role: str = "secondary") -> QIcon:
        """An icon of resources/icons in a colour of the palette, dim when disabled."""
        icon = QIcon(self.pixmap(name, role))
        icon.addPixmap(_pixmap(name, self.palette.border), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, role: str = "secondary") -> QPixmap:
        """The same as a picture of 16x16 for painting. "on_fill": on a primary button."""
        return _pixmap(name, "#FFFFFF" if role == "on_fill" else getattr(self.palette, role))

    def _palette(self) -> Palette:
        scheme = QGuiApplication.styleHints().colorScheme()
        dark = (
            scheme == Qt.ColorScheme.Dark if self.choice == "system" else self.choice == "dark"
        )
        return DARK if dark else LIGHT

    def _follow(self) -> None:
        palette = self._palette()
        if palette is not self.palette:
            self.palette = palette
            self.changed.emit()


@lru_cache(maxsize=512)
def _pixmap(name: str, tint: str) -> QPixmap:
    drawing = files.resource("icons", f"{name}.svg").read_text("utf-8")
    renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", tint).encode()))
    ratio = 2
    pixmap = QPixmap(QSize(ICON * ratio, ICON * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, ICON * ratio, ICON * ratio))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _qt_palette(look: Palette) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    roles = {
        role.Window: look.window,
        role.Base: look.surface,
        role.AlternateBase: look.bar,
        role.Button: look.raised,
        role.ToolTipBase: look.raised,
        role.WindowText: look.text,
        role.Text: look.text,
        role.ButtonText: look.text,
        role.ToolTipText: look.text,
        role.PlaceholderText: look.tertiary,
        role.Highlight: look.selection,
        role.HighlightedText: look.on_selection,
        role.Link: look.accent,
        role.Accent: look.accent,
        role.Mid: look.border,
    }
    for key, value in roles.items():
        palette.setColor(key, QColor(value))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(look.tertiary))
    return palette
