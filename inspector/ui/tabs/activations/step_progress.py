"""How far the walk through the layers of a model is."""

from inspector.engine.client.engine_process import Progress
from inspector.engine.progress_text import stalled_text, step_text
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme


class StepProgress(Card):
    """The progress of the walk through the layers; `cancel` stops it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.line = ProgressLine(theme, tr("Recording layer outputs"))
        self.cancel = self.line.cancel
        self.body.addWidget(self.line)

    def begin(self) -> None:
        """Start over: nothing is known yet."""
        self._show(tr("Starting the engine process"), -1)

    def follow(self, progress: Progress) -> None:
        """Show how far it is."""
        text = tr(step_text(progress.step))
        if progress.stalled_seconds:
            text = stalled_text(
                progress.step, progress.stalled_seconds, progress.layers, progress.layer
            )
        self._show(text, progress.done)

    def _show(self, text: str, done: float) -> None:
        self.line.show_share(done, text)
        self.setAccessibleName(self.line.accessibleDescription())
