"""Fuzz targets for model files: open one, then use it as commands and the window do."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from inspector.errors import InspectorError
from inspector.model.model import Model
from inspector.wording.stored import json_text


class Opened:
    """A model that was opened, and where it lies."""

    def __init__(self, path: Path, model: Model) -> None:
        self.path, self.model = path, model


def opened(path: Path) -> Opened:
    """Open a model file. Raises UnreadableFile."""
    from inspector.formats.opening import open_model

    return Opened(path, open_model(path))


def _pages(loaded: Opened) -> None:
    from inspector.analysis.cost.estimate import estimate
    from inspector.analysis.facts.model_facts import facts
    from inspector.analysis.facts.shapes import declared
    from inspector.pages.model.page import model_page
    from inspector.preview.identity import identify
    from inspector.preview.inputs.default_values import lengths
    from inspector.render import terminal
    from inspector.render.documents import document
    from inspector.render.tables import model_json

    model = loaded.model
    found = estimate(model, lambda _: declared(model), lengths(model.inputs, {}))
    page = model_page(model, facts(model), identify(model), found)
    list(terminal.lines(page))
    document(page, "html")
    json_text(model_json.computed(found))


def _plain(loaded: Opened) -> None:
    from inspector.analysis.facts.model_facts import facts
    from inspector.render.tables import model_json

    json_text(model_json.model_json(loaded.model, facts(loaded.model), None))
    json_text(model_json.everything(loaded.model))


def _weights(loaded: Opened) -> None:
    from inspector.formats.onnx.weight_values import WeightReader
    from inspector.model.tensors.tensor_statistics import statistics

    with WeightReader(loaded.path) as reader:
        for weight in loaded.model.weights[:20]:
            with suppress(InspectorError):
                statistics(reader.read(weight))


def _itself(loaded: Opened) -> None:
    from inspector import api

    api.diff(loaded.path, loaded.path)


def _layout(loaded: Opened) -> None:
    from inspector.analysis.facts.shapes import declared
    from inspector.analysis.layer_search import search

    search(loaded.model, "a", declared(loaded.model).values)


CONSUMERS: tuple[Callable[[Any], None], ...] = (
    _pages, _plain, _weights, _itself, _layout,
)  # fmt: skip
