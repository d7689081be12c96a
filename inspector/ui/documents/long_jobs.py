"""Jobs of a document that few documents need, and that take long: loaded with the first one."""

from inspector.ui.documents.edits.editing import Editing
from inspector.ui.documents.improving import Improving
from inspector.ui.documents.stepping import Stepping
from inspector.ui.documents.sweeping import Sweeping

__all__ = ["Editing", "Improving", "Stepping", "Sweeping"]
