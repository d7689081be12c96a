"""Asking the devices of the settings which layers they take, as the window asks."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from inspector.ui.documents.document import Document, Work

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.engine.client.placement_queries import PlacementAnswers


def ask(document: Document, then: Callable[["PlacementAnswers"], None]) -> None:
    """Try the devices with the present settings and inputs; `then` gets what they take.

    The document tells how it comes along, and of a failure, as of a measurement.
    """
    path, model = document.path, document.model
    if path is None or model is None or document.work is not None:
        return
    spec, feeds, sources = document.spec, dict(document.feeds), dict(document.sources)

    def job(engine: "EngineProcess", stopped: Callable[[], bool]) -> "PlacementAnswers":
        from inspector.engine.client.placement_queries import query_placement
        from inspector.preview.identity import measured_model
        from inspector.ui.documents import measuring

        filled, _ = measuring.fill(model, spec, feeds, sources)
        return query_placement(engine, path, measured_model(path, model), spec, filled)

    document.sweep(job, then, Work.MEASURING)
