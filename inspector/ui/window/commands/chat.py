"""Commands of a conversation with a language model."""

from inspector.ui.translate import mark, tr
from inspector.ui.window.commands.conditions import has_language_model
from inspector.ui.window.commands.model import MODEL
from inspector.ui.window.commands.registry import LINE, Submenu, add, command, submenu
from inspector.ui.window.host import Window

CHAT = "chat"


def _can_begin(window: Window) -> str:
    """There is a conversation to end or to save, and nothing is generated."""
    refusal = has_language_model(window)
    document = window.document
    if refusal or document is None:
        return refusal
    if document.chatting.busy:
        return tr("An answer is being generated; wait or stop it")
    return "" if document.chatting.turns else tr("Nothing has been said yet")


def _can_open(window: Window) -> str:
    """A conversation can be shown in the place of the present one."""
    refusal, document = has_language_model(window), window.document
    if refusal or document is None:
        return refusal
    busy = document.chatting.busy
    return tr("An answer is being generated; wait or stop it") if busy else ""


add(LINE, MODEL)
submenu(Submenu(CHAT, mark("Conversation"), refusal=has_language_model), MODEL)


@command("chat/new", mark("New chat"), CHAT, about=mark("Begin a new chat"), refusal=_can_begin)
def begin_anew(window: Window) -> None:
    """Forget the conversation; its file for the next start stays."""
    if window.document is not None:
        window.document.chatting.new_chat()


@command("chat/save", mark("Save conversation…"), CHAT, refusal=_can_begin)
def save_conversation(window: Window) -> None:
    """Let the user choose a file for the conversation."""
    window.dialogs.save_conversation()


@command("chat/open", mark("Open conversation…"), CHAT, refusal=_can_open)
def open_conversation(window: Window) -> None:
    """Let the user choose a conversation, and go on from there."""
    window.dialogs.open_conversation()
