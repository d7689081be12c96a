"""The user guide: the pages of docs/ in a window of their own, without a network."""

from pathlib import PurePosixPath
from typing import Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFontMetrics,
    QImage,
    QPalette,
    QShortcut,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from inspector.pages.charts.palette import Palette
from inspector.ui import guide
from inspector.ui.translate import tr
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.parts import (
    PADDING,
    add_to,
    button,
    column_of,
    follow,
    label,
    row,
    tool,
)
from inspector.ui.widgets.table_card import FilterField
from inspector.ui.widgets.theme import MONO_FAMILY, UI_FAMILY, Theme, qt_color

_SIZE = 1080, 760
_CONTENTS_PX = 320  # width of the contents, whose questions are long
_BESIDE_PX = 36  # what padding, margins and the scroll bar take of it
_ROW_PX = 8  # above and below a title
_TEXT_PX = 760  # width of lines that are easy to read
_HEADINGS = {1: (24, 0, 14), 2: (16, 26, 8), 3: (14, 20, 6)}  # level: size, space above, below
_LINE_PERCENT = 140
_PATH = Qt.ItemDataRole.UserRole


class GuideDialog(QDialog):
    """Contents and search at the left, a page at the right; Alt+Left goes back."""

    def __init__(self, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("User guide"))
        resize_on_screen(self, *_SIZE)
        self._past: list[str] = []
        self._ahead: list[str] = []
        self.field = FilterField(
            theme,
            tr("Search the guide"),
            tr("Search the guide"),
            _CONTENTS_PX,
            tint="secondary",
        )
        self.contents = QTreeWidget()
        self.contents.setAccessibleName(tr("Contents"))
        self.contents.setHeaderHidden(True)
        self.contents.setIndentation(14)
        self.contents.setFixedWidth(_CONTENTS_PX)
        self.contents.setWordWrap(True)
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.none = label(tr("No pages match your search"), "secondary")
        self.none.hide()
        self.best = button(theme, "")
        self.best.setProperty("role", "link")
        self.best.hide()
        self.best.clicked.connect(lambda: self.visit(self._best))
        self._best: str = ""
        self._visited: str = ""
        self.page = PageView(theme)
        self.back_button = tool(theme, "left", tr("Back (Alt+Left)"))
        self.forward_button = tool(theme, "right", tr("Forward (Alt+Right)"))
        left = column_of(self.field, self.best, self.none, (self.contents, 1), spacing=10)
        left.addStretch(0)
        right = QVBoxLayout()
        right.setSpacing(10)
        right.addLayout(row(self.back_button, self.forward_button, None, spacing=4))
        right.addWidget(self.page, 1)
        across = QHBoxLayout(self)
        across.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        across.setSpacing(PADDING)
        add_to(across, left, (right, 1))
        self._items = _fill(self.contents)
        follow(theme, self.contents, lambda: _dress_contents(self.contents, theme.palette))
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._next)
        self.contents.currentItemChanged.connect(self._choose)
        self.page.asked.connect(self.visit)
        self.back_button.clicked.connect(self.back)
        self.forward_button.clicked.connect(self.forward)
        for keys, action in (("Alt+Left", self.back), ("Alt+Right", self.forward)):
            QShortcut(keys, self, action)
        QShortcut("Ctrl+F", self, self.field.setFocus)
        self._refresh()

    def visit(self, address: str) -> None:
        """Show a page, at one of its headings: "tabs/graph.md#search"."""
        if self.page.address:
            self._past.append(self.page.address)
        self._ahead.clear()
        self._show(address)

    def back(self) -> None:
        """Show the page before."""
        if self._past:
            self._ahead.append(self.page.address)
            self._show(self._past.pop())

    def forward(self) -> None:
        """Show the page that `back` left."""
        if self._ahead:
            self._past.append(self.page.address)
            self._show(self._ahead.pop())

    def shown(self) -> list[str]:
        """Return the paths of the pages in the contents that match the search."""
        return [path for path, item in self._items.items() if not item.isHidden()]

    def _show(self, address: str) -> None:
        self.page.show_page(address, self.field.text())
        if "#" not in address:
            self.page.go_to_next()  # of the words that were searched for
        item = self._items.get(address.partition("#")[0])
        self.contents.blockSignals(True)
        if item is not None:
            self.contents.setCurrentItem(item)
        else:  # a page that only links lead to
            self.contents.clearSelection()
        self.contents.blockSignals(False)
        self._refresh()

    def _refresh(self) -> None:
        self.back_button.setEnabled(bool(self._past))
        self.forward_button.setEnabled(bool(self._ahead))

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        path = item.data(0, _PATH) if item is not None else ""
        if path:
            self.visit(path)

    def _search(self, words: str) -> None:
        """Leave the pages with these words in the contents, and mark them in the page."""
        found = guide.matching(words, or_most=True)
        for path, item in self._items.items():
            item.setHidden(path not in found)
        for section in _sections(self.contents):
            section.setHidden(all(item.isHidden() for item in _children(section)))
            section.setExpanded(bool(words) or section.parent() is None)
        self.none.setVisible(not found)
        self.contents.setVisible(bool(found))
        self.page.mark_words(words)
        if words.strip() and found:
            self._best = found[0]
            self.contents.scrollToItem(self._items[found[0]])
            self.best.setText(tr("Best match: {title}").format(title=self._title(found[0])))
        self.best.setVisible(bool(words.strip() and found))

    def _title(self, path: str) -> str:
        return self._items[path].text(0)

    def _next(self) -> None:
        """Go to the best page for new words, then to the next place of them in the page."""
        found = guide.matching(self.field.text(), or_most=True)
        words, before = self.field.text(), self._visited
        self._visited = words
        if words and found and words != before:
            self.visit(found[0])
        else:
            self.page.go_to_next()


def _dress_contents(contents: QTreeWidget, look: Palette) -> None:
    contents.setStyleSheet(
        f"QTreeWidget {{ border: 1px solid {look.border}; border-radius: 8px; padding: 6px; }}"
        "QTreeWidget::item { padding: 3px 0; }"
    )


def _fill(contents: QTreeWidget) -> dict[str, QTreeWidgetItem]:
    """Add all pages; returns their items by path."""
    items: dict[str, QTreeWidgetItem] = {}
    above: list[QTreeWidgetItem] = []
    wraps = int(Qt.TextFlag.TextWordWrap)
    contents.ensurePolished()  # with the font that the titles are drawn in
    for page in guide.pages():
        item = QTreeWidgetItem([page.title])
        item.setData(0, _PATH, page.path)
        room = _CONTENTS_PX - _BESIDE_PX - contents.indentation() * (page.level + 1)
        box = QRect(0, 0, room, 0)
        lines = contents.fontMetrics().boundingRect(box, wraps, page.title).height()
        item.setSizeHint(0, QSize(0, lines + _ROW_PX))
        del above[page.level :]
        if above:
            above[-1].addChild(item)
        else:
            contents.addTopLevelItem(item)
        above.append(item)
        if page.path:
            items[page.path] = item
        else:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.setExpanded(not page.level)
    return items


def _sections(contents: QTreeWidget) -> list[QTreeWidgetItem]:
    """Return the items that have others below them, the inner ones first."""
    found: list[QTreeWidgetItem] = []
    for top in _children(contents.invisibleRootItem()):
        found += [each for each in (*_children(top), top) if each.childCount()]
    return found


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (item.child(place) for place in range(item.childCount()))
    return [child for child in children if child is not None]


class PageView(QTextBrowser):
    """One page, drawn in the colors and fonts of the window.

    asked: the address of another page, by a link. Other addresses go to the browser.
    """

    asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.address, self._words = theme, "", ""
        self._found: list[QTextCursor] = []
        self.setAccessibleName(tr("Page"))
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(20)
        self.anchorClicked.connect(self._follow_link)
        follow(theme, self, self._draw)

    def show_page(self, address: str, words: str = "") -> None:
        """Show a page at one of its headings, with words marked."""
        self.address, self._words = address, words
        self._draw()
        part = address.partition("#")[2]
        # Tables and pictures have their heights only after the first layout.
        QTimer.singleShot(0, self, lambda: self.go_to(part))

    def mark_words(self, words: str) -> None:
        """Mark each of these words in the page."""
        self._words = words
        self._found.clear()
        marks = []
        look = self._theme.palette
        for word in words.split():
            place = self.document().find(word)
            while not place.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = place
                mark.format.setBackground(qt_color(look.selection))
                mark.format.setForeground(qt_color(look.on_selection))
                marks.append(mark)
                self._found.append(place)
                place = self.document().find(word, place)
        self._found.sort(key=QTextCursor.position)
        self.setExtraSelections(marks)

    def go_to_next(self) -> None:
        """Go to the next word that is marked, after the last one to the first."""
        here = self.textCursor().position()
        after = [place for place in self._found if place.position() > here]
        for place in (after or self._found)[:1]:
            end = QTextCursor(place)
            end.clearSelection()
            self.setTextCursor(end)
            self.ensureCursorVisible()

    def go_to(self, part: str) -> None:
        """Scroll to a heading by the end of its address."""
        block = self.document().begin()
        while part and block.isValid():
            if block.blockFormat().headingLevel() and guide.anchor(block.text()) == part:
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(int(top) - 12)
                return
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the guide, of the theme and as wide as the text."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        path = self._resolved(QUrl(name).toString())
        if self._theme.palette.dark:
            dark = path.replace("-light.png", "-dark.png")
            path = dark if (guide.folder() / dark).is_file() else path
        picture = QImage(str(guide.folder() / path))
        wide = min(_TEXT_PX, self.viewport().width() - 60)
        if not picture.isNull() and picture.width() > wide > 0:
            picture.setDevicePixelRatio(picture.width() / wide)
        return picture

    def changeEvent(self, event: QEvent) -> None:
        """Keep the fonts of the page where the style sheet changes."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and self.address:
            QTimer.singleShot(0, self, self._draw)

    def resizeEvent(self, event: Any) -> None:
        """Keep lines short enough to read."""
        super().resizeEvent(event)
        self._set_width()

    def _set_width(self) -> None:
        spare = self.viewport().width() - _TEXT_PX - 40
        frame = self.document().rootFrame()
        shape = frame.frameFormat()
        shape.setRightMargin(max(20, spare))
        frame.setFrameFormat(shape)

    def _resolved(self, link: str) -> str:
        """Return the path below the folder of what a link of this page leads to."""
        base = PurePosixPath(self.address.partition("#")[0]).parent
        parts: list[str] = []
        for part in (base / link).parts:
            if part == ".." and parts:
                parts.pop()
            elif part != "..":
                parts.append(part)
        return "/".join(parts)

    def _follow_link(self, url: QUrl) -> None:
        if url.scheme():
            QDesktopServices.openUrl(url)
            return
        path, _, part = url.toString().partition("#")
        target = self._resolved(path) if path else self.address.partition("#")[0]
        if target.endswith(".md") and guide.text(target):
            self.asked.emit(f"{target}#{part}" if part else target)
        elif (guide.folder() / target).is_file():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(guide.folder() / target)))

    def _draw(self) -> None:
        if not self.address:
            return
        place = self.verticalScrollBar().value()
        document, look = self.document(), self._theme.palette
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Link, qt_color(look.accent))
        self.setPalette(palette)
        text = guide.text(self.address.partition("#")[0])
        document.setMarkdown(text or tr("This page is missing from this installation."))
        together = QTextCursor(document)
        together.beginEditBlock()  # otherwise each change lays out the page anew
        block = document.begin()
        while block.isValid():
            self._dress(block)
            block = block.next()
        self._dress_tables()
        self._set_width()
        together.endEditBlock()
        self.mark_words(self._words)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(place)

    def _dress(self, block: QTextBlock) -> None:
        """Give a block our fonts, sizes and colors."""
        look, cursor = self._theme.palette, QTextCursor(block)
        level = block.blockFormat().headingLevel()
        size, above, below = _HEADINGS.get(level, (13, 0, 8))
        shape = QTextBlockFormat()
        is_code = block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)
        in_table = cursor.currentTable() is not None
        if level or not (is_code or in_table):
            shape.setTopMargin(above)
            shape.setBottomMargin(below if block.textList() is None else 3)
        if is_code:
            shape.setBackground(qt_color(look.track))
            shape.setLeftMargin(0)
        elif "\N{OBJECT REPLACEMENT CHARACTER}" not in block.text():  # no picture
            percent = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
            shape.setLineHeight(_LINE_PERCENT if not level else 120, percent)
        cursor.mergeBlockFormat(shape)
        parts = block.begin()
        while not parts.atEnd():
            fragment = parts.fragment()
            style, before = QTextCharFormat(), fragment.charFormat()
            mono = before.fontFixedPitch() or is_code
            style.setFontFamilies([MONO_FAMILY if mono else UI_FAMILY])
            style.setProperty(QTextFormat.Property.FontPixelSize, 12 if mono else size)
            style.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            if level or before.fontWeight() > 500:
                style.setFontWeight(600)
            style.setForeground(qt_color(look.accent if before.isAnchor() else look.text))
            style.setFontUnderline(False)
            cursor.setPosition(fragment.position())
            end = fragment.position() + fragment.length()
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(style)
            parts += 1

    def _dress_tables(self) -> None:
        look = self._theme.palette
        for frame in self.document().rootFrame().childFrames():
            if not isinstance(frame, QTextTable):
                continue
            shape = frame.format().toTableFormat()
            shape.setBorder(1)
            shape.setBorderCollapse(True)
            shape.setBorderBrush(qt_color(look.border))
            shape.setCellPadding(6)
            shape.setCellSpacing(0)
            shape.setBottomMargin(12)
            shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            shape.setColumnWidthConstraints(_column_widths(frame))
            frame.setFormat(shape)
            for column in range(frame.columns()):
                cell = frame.cellAt(0, column)
                style = cell.format().toTableCellFormat()
                style.setBackground(qt_color(look.bar))
                cell.setFormat(style)


def _column_widths(table: QTextTable) -> list[QTextLength]:
    """Return a share of the width for each column, by the length of its longest text."""
    metrics = QFontMetrics(table.document().defaultFont())
    longest = []
    for column in range(table.columns()):
        texts = []
        for line in range(table.rows()):
            cell = table.cellAt(line, column)
            texts.append(cell.firstCursorPosition().block().text())
        whole = max(map(metrics.horizontalAdvance, texts), default=1)
        longest.append(max(60, min(whole, 420)))
    total = sum(longest)
    kind = QTextLength.Type.PercentageLength
    return [QTextLength(kind, 100 * each / total) for each in longest]
