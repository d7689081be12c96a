"""Light and dark: palette, fonts and icons as Qt wants them."""

from functools import cache, lru_cache

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
from PySide6.QtWidgets import QApplication, QWidget

from inspector.pages.charts.palette import BLACK, DARK, LIGHT, WHITE, Palette, mix
from inspector.platform import files

_TEMPLATE = """
* {{ font-family: "Inter"; font-size: 13px; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border};
  padding: 4px 6px; }}
QLabel {{ background: transparent; }}
QLabel[role="caption"] {{ font-size: 11px; color: {tertiary}; }}
QLabel[role="secondary"] {{ font-size: 12px; color: {secondary}; }}
QLabel[role="value"] {{ font-size: 12px; font-weight: 500; color: {text}; }}
QLabel[role="heading"] {{ font-size: 13px; font-weight: 600; color: {text}; }}
QLabel[role="section"] {{ font-size: 11px; font-weight: 600; color: {tertiary}; }}
QLabel[role="title"] {{ font-size: 16px; font-weight: 600; color: {text}; }}
QLabel[role="subtitle"] {{ font-size: 16px; color: {secondary}; }}
QLabel[role="metric"] {{ font-size: 24px; font-weight: 600; color: {text}; }}
QLabel[role="mono"] {{ font-family: "JetBrains Mono"; font-size: 11px; color: {secondary}; }}
QLabel[role="bad"] {{ color: {bad}; }}
QLabel[role="caution"] {{ color: {caution}; }}
QFrame[role="hairline"] {{ background: {hairline}; border: none; min-height: 1px;
  max-height: 1px; }}
QPushButton {{ background: {raised}; color: {text}; border: 1px solid {control};
  border-radius: 6px; padding: 0 12px; min-height: 28px; max-height: 28px; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed {{ background: {track}; }}
QLabel:disabled {{ color: {tertiary}; }}
QPushButton:disabled {{ color: {tertiary}; border-color: {border}; }}
QPushButton:focus {{ border: 1px solid {accent}; }}
QPushButton::menu-indicator {{ width: 0; }}
QPushButton[role="primary"], QPushButton[role="primary_left"],
QPushButton[role="primary_right"] {{ background: {fill}; color: {on_fill};
  border: 1px solid {fill}; font-weight: 600; }}
QPushButton[role="primary"]:hover, QPushButton[role="primary_left"]:hover,
QPushButton[role="primary_right"]:hover {{ background: {fill_hover}; }}
QPushButton[role="primary"]:disabled, QPushButton[role="primary_left"]:disabled,
QPushButton[role="primary_right"]:disabled {{ background: {track}; color: {tertiary};
  border-color: {track}; }}
QPushButton[role="primary"]:focus, QPushButton[role="primary_left"]:focus,
QPushButton[role="primary_right"]:focus {{ border: 1px solid {text}; }}
QPushButton[role="primary_left"] {{ border-top-right-radius: 0;
  border-bottom-right-radius: 0; }}
QPushButton[role="primary_right"] {{ border-top-left-radius: 0; border-bottom-left-radius: 0;
  padding: 0 6px; }}
QPushButton[role="outlined_left"] {{ border-top-right-radius: 0;
  border-bottom-right-radius: 0; font-weight: 600; }}
QPushButton[role="outlined_right"] {{ border-top-left-radius: 0; border-bottom-left-radius: 0;
  border-left: none; padding: 0 6px; }}
QPushButton[role="link"] {{ background: transparent; border: 1px solid transparent;
  color: {accent}; padding: 0; min-height: 22px; max-height: 22px; font-size: 12px;
  text-align: left; }}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:disabled {{ color: {tertiary}; }}
QPushButton[role="link"]:focus {{ border: 1px solid {accent}; }}
QPushButton[role="chip"] {{ background: {surface}; color: {secondary}; padding: 0 10px;
  min-height: 24px; max-height: 24px; border-radius: 13px; font-size: 12px; }}
QPushButton[role="chip"]:hover {{ background: {hover}; }}
QPushButton[role="chip"]:checked {{ background: {selection}; color: {on_selection};
  border-color: {accent}; font-weight: 500; }}
QPushButton[role="chip"]:focus {{ border: 1px solid {text}; }}
QPushButton[role="chip"]:disabled {{ background: transparent; color: {tertiary};
  border-color: {hairline}; }}
QPushButton[role="chip"]:checked:disabled {{ background: {track}; color: {secondary};
  border-color: {track}; }}
QPushButton[role="toggle"]:checked {{ background: {selection}; color: {on_selection};
  border-color: {accent}; font-weight: 500; }}
QPushButton[role="status"] {{ padding: 0 8px; min-height: 20px; max-height: 20px;
  border-radius: 4px; }}
QPushButton[role="offer"] {{ text-align: left; padding: 0 10px; }}
QPushButton[role="choice"] {{ background: {surface}; padding: 0 24px 0 9px;
  text-align: left; }}
QPushButton[role="choice"]::menu-indicator {{ image: url("{down_arrow}"); width: 16px;
  height: 16px; subcontrol-origin: padding; subcontrol-position: right center; right: 4px; }}
QPushButton[role="choice"]:disabled {{ background: {window}; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 6px;
  min-width: 28px; max-width: 28px; min-height: 28px; max-height: 28px; }}
QToolButton:hover {{ background: {track}; }}
QToolButton::menu-indicator {{ image: none; }}
QToolButton:focus {{ border: 1px solid {accent}; }}
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox {{ background: {surface}; color: {text};
  border: 1px solid {control}; border-radius: 6px; padding: 0 8px; min-height: 28px;
  max-height: 28px; selection-background-color: {selection};
  selection-color: {on_selection}; placeholder-text-color: {tertiary}; }}
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus {{
  border: 1px solid {accent}; }}
QLineEdit[wrong="true"] {{ border: 1px solid {bad}; }}
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled {{
  color: {tertiary}; background: {window}; border-color: {border}; }}
QLineEdit QToolButton {{ min-width: 16px; max-width: 16px; min-height: 16px;
  max-height: 16px; border: none; padding: 0; margin: 0; background: transparent; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow {{ image: url("{down_arrow}"); width: 16px; height: 16px; }}
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button,
QDoubleSpinBox::down-button {{ width: 0; border: none; }}
QComboBox QAbstractItemView {{ background: {raised}; color: {text}; border: 1px solid {border};
  selection-background-color: {selection}; selection-color: {on_selection}; outline: none; }}
QCheckBox {{ spacing: 6px; color: {text}; }}
QCheckBox:disabled {{ color: {tertiary}; }}
QCheckBox::indicator {{ width: 14px; height: 14px; border: 1px solid {tertiary};
  border-radius: 4px; background: {surface}; }}
QCheckBox::indicator:checked {{ background: {fill}; border-color: {fill};
  image: url("{check_mark}"); }}
QCheckBox::indicator:focus {{ border-color: {accent}; }}
QCheckBox::indicator:disabled {{ border-color: {border}; background: {window}; }}
QMenu {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: 4px; }}
QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 5px; }}
QMenu::item:selected {{ background: {selection}; color: {on_selection}; }}
QMenu::indicator {{ width: 12px; height: 12px; left: 6px; border: 1px solid {control};
  border-radius: 3px; background: {surface}; }}
QMenu::indicator:checked {{ background: {fill}; border-color: {fill};
  image: url("{check_mark}"); }}
QMenu::indicator:exclusive {{ background: transparent; border-color: transparent; }}
QMenu::indicator:exclusive:checked {{ image: none; background: qradialgradient(cx: 0.5,
  cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5, stop: 0.56 {fill}, stop: 0.66 transparent); }}
QMenu::item:disabled {{ color: {tertiary}; }}
QMenu::separator {{ height: 1px; background: {hairline}; margin: 4px 8px; }}
QMenuBar {{ background: {bar}; color: {text}; }}
QMenuBar::item {{ padding: 4px 10px; border-radius: 5px; background: transparent; }}
QMenuBar::item:selected {{ background: {track}; }}
QTableView, QTreeView, QListView {{ background: {surface}; color: {text}; border: none;
  outline: none; gridline-color: {hairline}; selection-background-color: {selection};
  selection-color: {on_selection}; font-size: 12px; }}
QTableView::item:focus {{ border: none; }}
QHeaderView {{ background: {bar}; }}
QHeaderView::section {{ background: {bar}; color: {secondary}; border: none;
  border-bottom: 1px solid {hairline}; padding: 0 8px; font-size: 11px; font-weight: 500;
  min-height: 28px; max-height: 28px; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QTableCornerButton::section {{ background: {bar}; border: none; }}
QPlainTextEdit, QTextEdit {{ background: {surface}; color: {text}; border: 1px solid {control};
  border-radius: 6px; placeholder-text-color: {tertiary}; }}
QScrollArea {{ background: transparent; border: none; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; }}
QScrollBar::handle {{ background: {control}; border-radius: 3px; min-height: 28px;
  min-width: 28px; }}
QScrollBar::handle:hover {{ background: {tertiary}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSplitter::handle {{ background: transparent; }}
QDialog, QMessageBox, QFileDialog {{ background: {window}; color: {text}; }}
QDialog[role="popup"] {{ border: 1px solid {control}; }}
"""
UI_FAMILY = "Inter"
MONO_FAMILY = "JetBrains Mono"
# OpenType features. Names of layers are drawn letter by letter: Inter's contextual alternates
# draw "1x1" with a multiplication sign, JetBrains Mono's ligatures draw "->" as an arrow.
FEATURES = {"tnum": 1, "calt": 0, "liga": 0}
ICON = 16


def stylesheet(look: Palette) -> str:
    """Rules for buttons, fields, tables, menus and scroll bars in one theme."""
    return _TEMPLATE.format_map(_Roles(look))


class _Roles(dict[str, str]):
    """Lets the template name a color by its role."""

    def __init__(self, look: Palette) -> None:
        super().__init__({role: getattr(look, role) for role in look.__dataclass_fields__})
        arrow = "down-dark.svg" if look.dark else "down-light.svg"
        self["on_fill"] = WHITE
        self["fill_hover"] = mix(look.fill, BLACK, 0.14)
        self["check_mark"] = files.resource("icons", "check-white.svg").as_posix()
        self["down_arrow"] = files.resource("icons", arrow).as_posix()


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
def qt_color(value: str, alpha: float = 1.0) -> QColor:
    """A QColor of '#RRGGBB' with an opacity; kept for each frame, so nobody may change it."""
    made = QColor(value)
    made.setAlphaF(alpha)
    return made


def painter_on(widget: QWidget, smooth: bool = False) -> QPainter:
    """Return a painter for a widget that places its words and shapes itself, from the left.

    Where the window is laid out from right to left, Qt's painter moves words to the other side
    of their boxes, and so over one another, but leaves shapes where they are. smooth: shapes
    get soft edges.
    """
    painter = QPainter(widget)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    return painter


def fill_round(painter: QPainter, box: QRectF, radius: float, color: QColor) -> None:
    """Fill a box with round corners."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(box, radius, radius)


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
        """An icon of resources/icons in a color of the palette, dim when disabled."""
        icon = QIcon(self.pixmap(name, role))
        icon.addPixmap(_pixmap(name, self.palette.border), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, role: str = "secondary") -> QPixmap:
        """Return an icon as a 16x16 pixmap for painting. "on_fill": on a primary button."""
        return _pixmap(name, WHITE if role == "on_fill" else getattr(self.palette, role))

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


class Painted(QWidget):
    """A widget that paints itself, anew where the theme changes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self.update)


@cache
def _drawing(name: str) -> str:
    """Return the SVG of an icon, which is drawn in several colors."""
    return files.resource("icons", f"{name}.svg").read_text("utf-8")


@lru_cache(maxsize=512)
def _pixmap(name: str, tint: str) -> QPixmap:
    drawing = _drawing(name)
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
