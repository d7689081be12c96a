"""The Chat tab: ask a language model, see how sure it was of each token, and how fast."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.chat import token_pane
from inspector.ui.tabs.chat.page import ChatPage
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import column_of, label
from inspector.ui.widgets.theme import Theme


class ChatTab(QWidget):
    """A conversation; the details pane shows the token that is chosen in it.

    detail_changed: the details of another token are to be shown, see `fill_detail`.
    """

    detail_changed = Signal()

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.document = theme, document
        self.page: ChatPage | None = None
        self._column = column_of(on=self)
        self._wait = label(tr("Opening {name}…").format(name=document.name), "secondary")
        self._wait.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column.addWidget(self._wait)
        document.changed(Topic.MODEL).connect(self._build)
        self._build()

    def fill_detail(self, column: QVBoxLayout) -> None:
        """Put the details of the chosen token into the pane at the right."""
        if self.page is not None:
            token_pane.fill(column, self._theme, self.page.chatting)

    def _build(self) -> None:
        """Show the conversation as soon as the model is there."""
        if self.document.is_language_model and self.page is None:
            self._wait.hide()
            self.page = ChatPage(self._theme, self.document.chatting)
            self.page.detail_changed.connect(self.detail_changed)
            self.document.changed(Topic.WORK).connect(self.page.follow_work)
            self._column.addWidget(self.page)
