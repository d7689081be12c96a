"""The panes beside a document and the view of it, all made with the first document."""

from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs.problems_dialog import Problems
from inspector.ui.window.document_view import DocumentView
from inspector.ui.window.inspector_pane import InspectorPane
from inspector.ui.window.running_jobs import RunningJobs
from inspector.ui.window.sidebar import Sidebar


class DocumentParts:
    """The list at the left, the details at the right, and what makes views between them."""

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        self._theme = theme
        self.jobs = RunningJobs(workspace)
        self.sidebar = Sidebar(theme, workspace, self.jobs)
        self.inspector = InspectorPane(theme)
        self.problems = Problems(workspace)

    def view(self, document: Document) -> DocumentView:
        """Make the view of a document."""
        return DocumentView(self._theme, document)
