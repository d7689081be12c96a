"""Two language models held against a text: asked and kept here, shown beside their graphs."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.app.language.quality import TextSettings, language_models
from inspector.app.language.text_comparison import measure_on_text
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.report.language.quality import Quality
from inspector.report.run_spec import DEFAULT_SPEC
from inspector.ui.background import SafeEmitter, TaskRunner

StartEngine = Callable[[Callable[[Progress], None]], Engine]


class TextJudging(QObject):
    """Scores a text with two models, A and then B.

    text: the file; None for the one that comes with Inspector. ranked: whether blocks are
    ranked, too. quality: what is known so far; None before the first tokens. running: whether
    it goes on; step and share: of what is done. error: why it ended without an answer.
    """

    changed = Signal()
    _told = Signal(object)  # Quality, or a step and its share; from the thread of the job

    def __init__(
        self,
        paths: tuple[Path, Path],
        start_engine: StartEngine,
        quality: Quality | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._paths, self._start_engine = paths, start_engine
        self.text: Path | None = None
        self.ranked = False
        self.quality = quality
        self.running = False
        self.step, self.share = "", -1.0
        self.error: InspectorError | None = None
        self._engine: Engine | None = None
        self._jobs = TaskRunner(self)
        self._emitter = SafeEmitter(self)
        self._told.connect(self._take)

    def use_text(self, path: Path | None) -> None:
        """Judge by another text from now on."""
        if path != self.text:
            self.text = path
            self.changed.emit()

    def start(self) -> None:
        """Score the text; `changed` follows with each piece of it."""
        if self.running:
            return
        self.running, self.error, self.quality = True, None, None
        self.step, self.share = "load", -1.0
        engine = self._engine = self._start_engine(lambda _: None)
        paths, text, ranked = self._paths, self.text, self.ranked

        def hear(step: str, share: float) -> None:
            self._emitter.emit(self._told, (step, share))

        def job() -> None:
            try:
                first, other = language_models(paths, [DEFAULT_SPEC] * 2)
                settings = TextSettings.of(text)
                for known in measure_on_text(engine, first, settings, other, ranked, hear):
                    self._emitter.emit(self._told, known)
            finally:
                engine.close()

        self._jobs.start(job, lambda _: self._end(None), self._end)
        self.changed.emit()

    def cancel(self) -> None:
        """Stop with what there is."""
        if self._engine is not None:
            self._engine.kill()

    def close(self) -> None:
        """Stop; no signal comes any more."""
        self._jobs.discard_results()
        self._emitter.close()
        self.cancel()

    def _take(self, told: Quality | tuple[str, float]) -> None:
        if isinstance(told, Quality):
            self.quality = told
        else:
            self.step, self.share = told
        self.changed.emit()

    def _end(self, error: InspectorError | None) -> None:
        self.running, self._engine = False, None
        self.error = None if isinstance(error, Cancelled) else error
        self.changed.emit()
