"""Jobs of a document that few documents need, and that take long: loaded with the first one."""

from inspector.ui.documents.improving import Improving
from inspector.ui.documents.stepping import Stepping
from inspector.ui.documents.sweeping import Sweeping

__all__ = ["Improving", "Stepping", "Sweeping"]
