"""A chat as the text that a model continues: its messages in the form that its template gives
them.

Templates are programs by whoever made the model; they run in a decoder process, with limits of
time and memory.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from inspector.errors import BadInput, UnreadableFile
from inspector.formats.folders.listing import Listing
from inspector.formats.folders.tokenizer_files import tokenizer_files
from inspector.platform import files
from inspector.sandbox.decoding.channel import Request
from inspector.sandbox.decoding.decoder_process import decoder
from inspector.units import clip

USER = "user"
SYSTEM = "system"
ASSISTANT = "assistant"
LIMIT_BYTES = 1 << 20  # of a template; the longest public ones have 30 KB
_WHAT = "Could not fill in the chat template"


class Message(Struct, frozen=True):
    """Something that one side of a chat said. role: "system", "user" or "assistant"."""

    role: str
    content: str


class ChatTemplate(Struct, frozen=True):
    """How a model wants a chat to be written.

    text: in Jinja; "" where nobody says how. marks: special tokens by the names that templates
    use (bos_token). source: the file that it is from. notes: what could not be read.
    """

    text: str
    marks: Mapping[str, str]
    source: str = ""
    notes: tuple[str, ...] = ()

    def filled(
        self,
        messages: Sequence[Message],
        answer_next: bool = True,
        now: datetime | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
    ) -> str:
        """Return the messages as one text. Without a template, what they say, line by line.

        answer_next: end it where the model's answer begins. now: local time, for templates that
        write the date. Raises BadInput: the template refuses them, or is wrong. UnreadableFile:
        it took too much time or memory.
        """
        if not self.text:
            return "\n".join(message.content for message in messages)
        values = {
            **self.marks,
            "messages": [
                {"role": message.role, "content": message.content} for message in messages
            ],
            "add_generation_prompt": answer_next,
            "tools": tools,
            "documents": None,
        }
        time = (now or datetime.now()).isoformat()
        body = msgspec.json.encode({"template": self.text, "values": values, "now": time})
        return decoder("templates").ask(Request("fill"), body, _WHAT)[0].texts[0]


def read_template(tokenizer: Path) -> ChatTemplate:
    """Return the chat template beside a tokenizer.json, and its special tokens.

    A damaged configuration counts as none, and is among the notes.
    """
    folder = Listing(tokenizer.parent)
    read = tokenizer_files(folder)
    return ChatTemplate(read.template, read.marks, read.template_file, tuple(folder.notes))


def read_text(path: Path) -> str:
    """Return a template of a file of its own. Raises UnreadableFile."""
    try:
        return files.read_capped(path, LIMIT_BYTES).decode()
    except UnicodeDecodeError as error:
        what, why = f"Could not open {path.name}", "a template has to be UTF-8 text"
        raise UnreadableFile(what, why) from error


def read_messages(path: Path) -> tuple[Message, ...]:
    """Return the messages in a JSON file: a list, or an object with `messages`. Raises
    UnreadableFile; BadInput: they are none."""
    try:
        body = msgspec.json.decode(files.read_capped(path, LIMIT_BYTES))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        why = f"it is not JSON ({clip(str(error), 80)})"
        raise UnreadableFile(f"Could not open {clip(path.name)}", why) from error
    return checked_messages(body.get("messages") if isinstance(body, dict) else body)


def checked_messages(messages: object) -> tuple[Message, ...]:
    """Return messages that a program gave: mappings with `role` and `content`, as Hugging Face
    has them. Raises BadInput."""
    hint = 'A message is {"role": "user", "content": "Hello"}.'
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise BadInput("Could not read the messages", "they are no list", hint)
    made = []
    for place, each in enumerate(messages):
        if isinstance(each, Message):
            made.append(each)
            continue
        parts = (
            [each.get(key) for key in ("role", "content")] if isinstance(each, Mapping) else []
        )
        role, content = parts or (None, None)
        if not isinstance(role, str) or not isinstance(content, str):
            why = f"message {place} lacks a text of role and content"
            raise BadInput("Could not read the messages", why, hint)
        made.append(Message(role, content))
    return tuple(made)
