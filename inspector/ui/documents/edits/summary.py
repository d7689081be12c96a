"""What is said of a model with edits in lists and lines."""

from typing import TYPE_CHECKING

from inspector.ui import units
from inspector.ui.translate import plural, tr

if TYPE_CHECKING:
    from inspector.ui.documents.document import Document

_NAME = 60  # characters of a file's name


def edits_text(document: "Document") -> str:
    """Return how many edits a model has, and where: "3 edits, not saved"; "" for none."""
    if not document.edit_steps:
        return ""
    edits, copy = plural(len(document.edit_steps), "edit"), document.edited_copy
    if copy is None:
        return tr("{edits}, not saved").format(edits=edits)
    return tr("{edits}, saved as {name}").format(edits=edits, name=units.clip(copy.name, _NAME))
